"""What a file is taken for, by its name and its first bytes."""

from __future__ import annotations

import codecs

import pytest

from tests.sentences import says
from workbench.formats.documents.kinds import Unreadable, documents_format

TABBED = b"d1\tsnow\nd2\tice\nd3\tfro"
NO_HEADER = (
    "the first line must name the columns, with an id (docno, doc_id, id) and a text (text, contents); it is "
)
OTHER_XML = "this is XML without <doc> elements: convert it to text first (.txt, .html or .jsonl)"


@pytest.mark.parametrize(
    ("name", "start", "kind"),
    [
        ("a.txt", b"WARC/1.0\r\n", "WARC"),
        ("a", b"PAR1\0\0", "parquet"),
        ("a", b"%PDF-1.7", "a PDF file"),
        ("a.pdf", b"x" * 1019 + b"%PDF-1.7", "a PDF file"),
        ("a.svg.txt", b"\x89PNG\r\n\x1a\n", "an image"),
        ("a.html", b"<p>x", "an HTML file"),
        ("a.HTM", b"x", "an HTML file"),
        ("a.html", b"\n<DOC>\n<DOCNO>1</DOCNO>", "TREC documents (<DOC>)"),
        ("a.py", b"<DOC> = 1\n", "a file of source code"),
        ("a.eml", b"From: x\n", "an e-mail"),
        ("a.mbox", b"From x\n", "a thread of e-mail"),
        ("a.md", b"# id\ttext\n", "a Markdown file"),
        ("a.md", b"\xff\xfe#\0", "a Markdown file"),
        ("a.txt", b"\xff\xfe#\0", "a text file"),
        ("a.trec", b"x <DOC>", None),
        ("a.trec", b"<x><DOC>", "TREC documents (<DOC>)"),
        ("a.txt", b"<x><DOC>", "a text file"),
        ("a.txt", b"<x><DOC></DOC>", "TREC documents (<DOC>)"),
        ("a.txt", b"<doctor>", "a text file"),
        ("a.txt", b"<DOC id=1>", "TREC documents (<DOC>)"),
        ("a", b"<!-- a\nb --><!DOCTYPE html>", "an HTML file"),
        ("a.jsonl", b"[1, 2]", "JSON"),
        ("a.ndjson", b"x", "JSON"),
        ("a.txt", b' {"id": 1}', "JSON"),
        ("a", b"{}", "JSON"),
        ("a", b"{", "JSON"),
        ("a", b'[\n {"id": 1}', "JSON"),
        ("a", b"[", "JSON"),
        ("a", b"[x] is a text", "a text file"),
        ("a.yaml", b'{"id": 1}', None),
        ("a.all", b"\n.I 1\n.W\nx", ".I records"),
        ("a.csv", b"id,text\n1,x\n", "a table with a header"),
        ("a.tsv", b"id\ttext\n1\tx\n", "a table with a header"),
        ("a.txt", b"id,text\n1,x\n", "a table with a header"),
        ("a.tsv", b"x", "tab-separated lines"),
        ("a.tab", b"x", "tab-separated lines"),
        ("a.txt", TABBED, "tab-separated lines"),
        ("a.txt", b"d1\tsnow", "tab-separated lines"),
        ("a.txt", b"d1\tsnow\n\nd2\tice\n", "tab-separated lines"),
        ("a.txt", b"d1\tsnow\nd2\tice\tx\n", "a text file"),
        ("a.txt", b"d1\nd2\n", "a text file"),
        ("a.txt", b"", "a text file"),
        ("a.html", b" \n", "a text file"),
        ("a.2024", b"snow", "a text file"),
    ],
)
def test_the_kind_follows_from_name_and_beginning(name: str, start: bytes, kind: str | None) -> None:
    for mark in (b"", codecs.BOM_UTF8):
        found = documents_format(name, mark + start)
        assert kind == (None if isinstance(found, Unreadable) else found.name)


@pytest.mark.parametrize(
    ("name", "start", "passed_over"),
    [
        ("a.pdf", b"x" * 1020 + b"%PDF-1.7", False),
        ("a.woff", b"x", True),
        ("a.txt", b"a\0b", False),
        ("a.csv", b"\n", False),
        ("a.trec", b"\xff\xfe<\0", False),
        ("a.csv", b"\n" + b"x" * 200, False),
        ("a.txt", b"<?xml version='1.0'?><x/>", False),
        ("a.xml", b"<x/>", False),
        ("a.yaml", b"a: b\n", True),
    ],
    ids=["no PDF", "a font", "binary", "empty", "UTF-16", "no header", "a text in XML", "other XML", "YAML"],
)
def test_a_file_that_is_not_read_is_refused_with_its_reason_or_passed_over(
    name: str, start: bytes, passed_over: bool
) -> None:
    found = documents_format(name, start)
    assert isinstance(found, Unreadable)
    assert (found.passed_over, says(found.reason)) == (passed_over, True)


def test_runs_beside_documents_are_passed_over() -> None:
    found = documents_format("a.run", b"1 Q0 d1 1 9.5 t\n1 Q0 d2 2 8 t\n")
    assert isinstance(found, Unreadable)
    assert found.passed_over
