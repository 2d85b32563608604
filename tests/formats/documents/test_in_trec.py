from __future__ import annotations

import gzip
import random
import re
from pathlib import Path
from time import process_time

import pytest

from tests.formats.collections_of_documents import read, refusal, warnings, write
from tests.sentences import says
from workbench.core.records import Document
from workbench.formats.documents.in_trec import ID_TAGS, _end_after, _id_of
from workbench.formats.documents.reading import read_documents


def test_trec_documents_keep_paragraphs_and_their_fields(tmp_path: Path) -> None:
    content = (
        "<DOC>\n<DOCNO> AP-1 </DOCNO>\n<DATE>1 &amp; 2</DATE><HEADLINE>A\n title</HEADLINE>\n<TEXT>\n<P>One &lt;x&gt;"
        " &hyph; AT&T.\n\n  Two.</P>\n</TEXT>\n<TEXT>Three &amp;amp;</TEXT></DOC>\n<doc>\n<docno>007</docno></doc>"
    )
    assert read(tmp_path, "ap.gz", gzip.compress(content.encode())) == [
        Document(
            "AP-1", "A title", "One <x> - AT&T.\n\n  Two.\n\nThree &amp;", "text/plain", {"date": "1 & 2"}
        ),
        Document("007"),
    ]


def test_trec_documents_without_text_elements_are_text_outside_their_details(tmp_path: Path) -> None:
    content = "<DOC><DOCNO>1</DOCNO><AUTHOR>me</AUTHOR><title>T</title>\nHe <b>PORTIA</b> says <i>so.\n</DOC>"
    assert read(tmp_path, "x", content) == [
        Document("1", "T", "He PORTIA says so.", "text/plain", {"author": "me"})
    ]


def test_pages_after_a_header_stay_html(tmp_path: Path) -> None:
    content = (
        "<DOC>\n<DOCNO>GX1</DOCNO>\n<DOCHDR>\nhttp://a.gov/x\nHTTP/1.1 200 OK\n</DOCHDR>\n"
        "<html><title>T &amp; U</title><p>a &amp; b</html>\n</DOC>"
    )
    assert read(tmp_path, "g.txt", content) == [
        Document(
            "GX1",
            "T & U",
            "<html><title>T &amp; U</title><p>a &amp; b</html>",
            "text/html",
            {"url": "http://a.gov/x"},
        )
    ]


def test_a_document_that_is_not_closed_ends_where_the_next_begins(tmp_path: Path) -> None:
    path = write(tmp_path, {"x.trec": "<DOC><DOCNO>1</DOCNO>a\n<DOC><DOCNO>2</DOCNO>b"}) / "x.trec"
    assert [document.text for document in read_documents(path)] == ["a", "b"]
    assert says("\n".join(warnings(path)))


def test_documents_end_where_one_expression_for_both_ends_finds_them() -> None:
    both = re.compile(rb"</doc\s*>|\n[ \t]*(?=<doc[\s>])", re.IGNORECASE)
    chance = random.Random(7)
    pieces = ["</doc>", "</DOC\n >", "</doc", "</docno>", "<doc>", "<Doc ", "<doc", "\n", " ", "\t", "x"]
    for _ in range(2_000):
        buffer = "".join(chance.choices(pieces, k=20)).encode()
        for at in range(len(buffer) + 1):
            expected = both.search(buffer, at)
            assert _end_after(buffer, at) == (expected and expected.span()), (buffer, at)


def test_the_id_is_the_first_of_docno_and_docid_that_is_closed_wherever_the_other_stands() -> None:
    chance = random.Random(7)
    pieces = ["<docno>", "<DOCNO\n>", "</docno>", "<docid>", "<docid", "</DOCID >", "1", "2", " ", "<b>"]
    for _ in range(2_000):
        record = "".join(chance.choices(pieces, k=12)).encode()
        found = [
            (start.start(), record[start.end() : end.start()].strip())
            for opening, closing in ID_TAGS
            if (start := opening.search(record)) and (end := closing.search(record, start.end()))
        ]
        assert _id_of(record) == (min(found)[1] if found else b""), record


def test_lines_of_documents_are_counted_across_the_pieces_that_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.formats.documents.in_trec.CHUNK", 10)
    content = (
        "\n<DOC>\n<DOCNO>1</DOCNO>\na\n</DOC>\n\n<DOC><DOCNO>1</DOCNO>\n</DOC>\n<DOC><DOCNO>1</DOCNO></DOC>"
    )
    refused = refusal(tmp_path, "x.trec", content)
    assert re.findall(r"^.*x\.trec:(\d+): document '1' occurs twice", refused, re.MULTILINE) == ["7", "9"]


def test_many_documents_without_an_end_cost_in_proportion_to_their_number(tmp_path: Path) -> None:
    def seconds(number: int) -> float:
        write(tmp_path, {"x.trec": "".join(f"<DOC><DOCNO>{place}</DOCNO>\n" for place in range(number))})
        start = process_time()
        assert sum(1 for _ in read_documents(tmp_path / "x.trec", wanted=())) == number
        return process_time() - start

    few, many = min(seconds(1_500) for _ in range(3)), seconds(12_000)
    assert many < 24 * few


def test_entities_in_documents_expand_to_nothing(tmp_path: Path) -> None:
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">\n' for n in range(1, 10))
    content = (
        f'<!DOCTYPE d [<!ENTITY l0 "lol">\n{laughs}]><d><doc><docno>1</docno><text>&l9;</text></doc></d>'
    )
    assert read(tmp_path, "a.xml", content) == [Document("1", "", "&l9;")]


@pytest.mark.parametrize("tag", ["<p>", "<", "<!--", "<text></text>", "<doc x"])
def test_a_megabyte_of_one_tag_is_read_at_once(tmp_path: Path, tag: str) -> None:
    content = "<DOC><DOCNO>1</DOCNO>" + tag * (1_000_000 // len(tag)) + "</DOC>"
    assert [document.document_id for document in read(tmp_path, "a.trec", content)] == ["1"]


def test_a_record_that_is_a_page_is_html_without_what_stands_around_it(tmp_path: Path) -> None:
    (page,) = read(
        tmp_path, "x.trec", "<DOC><DOCNO>1</DOCNO><HTML><title>T</title><p>a</p></HTML><url>u</url></DOC>"
    )
    assert (page.title, page.text, page.media_type) == (
        "T",
        "<html><title>T</title><p>a</p></html>",
        "text/html",
    )


def test_a_page_without_an_end_is_html_from_where_it_begins(tmp_path: Path) -> None:
    page = "<!doctype html><title>T</title><p>a<p>b"
    (found,) = read(tmp_path, "x.trec", f"<DOC><DOCNO>1</DOCNO>{page}</DOC>")
    assert (found.title, found.text, found.media_type) == ("T", page, "text/html")


def test_sections_inside_a_header_are_read_as_if_they_stood_alone(tmp_path: Path) -> None:
    content = (
        "<DOC><DOCNO>1</DOCNO><HEADER><DATE>May</DATE><TITLE>Ice</TITLE></HEADER><TEXT>Frozen.</TEXT></DOC>"
    )
    assert read(tmp_path, "x.trec", content) == [
        Document("1", "Ice", "Frozen.", "text/plain", {"date": "May"})
    ]


def test_a_record_that_does_not_end_within_the_longest_document_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.formats.documents.in_trec.LONGEST_DOCUMENT", 100)
    monkeypatch.setattr("workbench.formats.documents.in_trec.CHUNK", 50)
    content = "<DOC><DOCNO>1</DOCNO>a</DOC>\n<DOC><DOCNO>2</DOCNO>" + "b" * 200
    assert says(refusal(tmp_path, "x.trec", content), "x.trec:2")
