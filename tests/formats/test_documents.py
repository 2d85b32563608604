from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import random
import sys
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import polars
import pytest

from workbench.errors import InputError, Problem
from workbench.formats.documents import describe_documents_format, document_files, read_documents
from workbench.records import Document


def write(tmp_path: Path, files: dict[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return tmp_path


def read(tmp_path: Path, name: str, content: str | bytes) -> list[Document]:
    return list(read_documents(write(tmp_path, {name: content}) / name))


def refusal(tmp_path: Path, name: str, content: str | bytes) -> str:
    with pytest.raises(InputError) as caught:
        read(tmp_path, name, content)
    return str(caught.value).replace(str(tmp_path) + "/", "")


def warnings(path: Path) -> list[str]:
    found: list[Problem] = []
    list(read_documents(path, on_warning=found.append))
    return [str(problem).replace(str(path.parent) + "/", "") for problem in found]


def warc(*pages: tuple[str, str, bytes]) -> bytes:
    """A WARC file of (id, Content-Type, body) pages."""
    records = [b"WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 4\r\n\r\na: b\r\n\r\n"]
    for name, content_type, body in pages:
        block = f"HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\n\r\n".encode() + body
        head = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{name}>\r\nWARC-Target-URI: http://x/{name}\r\n"
        records.append(f"{head}Content-Length: {len(block)}\r\n\r\n".encode() + block + b"\r\n\r\n")
    return b"".join(records)


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


def test_ids_in_attributes_and_xml_with_a_root_are_read(tmp_path: Path) -> None:
    content = (
        '<?xml version="1.0" encoding="utf-8"?>\n<docs>\n<doc id="d 1"><title>T</title></doc>\n'
        '<doc id="d2"><text><![CDATA[a < b & c]]></text></doc></docs>'
    )
    assert "a.xml:3: the document id 'd 1' holds blanks" in refusal(tmp_path, "a.xml", content)
    (document,) = read(tmp_path, "b.xml", content.replace('"d 1"', '""').replace("<docs>\n", "<docs>"))
    assert (document.document_id, document.text) == ("d2", "a < b & c")


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
    assert warnings(path) == ["x.trec:2: the last document has no </DOC>; was the file written to the end?"]


def test_the_records_of_the_oldest_collections_are_read(tmp_path: Path) -> None:
    content = ".I 1\n.T\na\ntitle\n.A\nme\n.W\nwords\n  more\n.I 2\n.W\n"
    assert read(tmp_path, "cran", content) == [
        Document("1", "a title", "words\n  more", "text/plain", {"author": "me"}),
        Document("2"),
    ]


def test_pages_of_a_warc_file_are_decoded_by_their_charset(tmp_path: Path) -> None:
    page = "<html><title>č</title></html>"
    content = warc(
        ("a", "text/html; charset=iso-8859-2", page.encode("iso-8859-2")),
        ("b", "text/html", b"<meta charset=windows-1250>" + page.encode("cp1250")),
        ("c", "text/plain", b"plain"),
        ("d", "application/pdf", b"%PDF"),
    )
    path = write(tmp_path, {"x.warc.gz": gzip.compress(content)}) / "x.warc.gz"
    first, second, third, fourth = read_documents(path)
    assert first == Document("a", "č", page, "text/html", {"url": "http://x/a"})
    assert second.title == "č"
    assert third.text == "plain"
    assert (fourth.text, fourth.fields["content type"]) == ("", "application/pdf")
    assert [message.split(": ", 1)[1] for message in warnings(path)] == [
        "a text that is not UTF-8 was read as the file declares it, or as windows-1252 (2 times, first here)",
        "a record that is no page of text has an empty document (its kind is in the field 'content type')",
    ]


@pytest.mark.parametrize("wrong_by", [-3, 3, 9])
def test_a_wrong_length_in_a_warc_file_costs_no_other_record(tmp_path: Path, wrong_by: int) -> None:
    content = warc(("a", "text/html", b"<p>1</p>"), ("b", "text/html", b"<p>2</p>"))
    length = content.split(b"Content-Length: ")[2].split(b"\r\n")[0]
    content = content.replace(
        b"Content-Length: " + length, f"Content-Length: {int(length) + wrong_by}".encode(), 1
    )
    path = write(tmp_path, {"x.warc": content}) / "x.warc"
    assert [document.document_id for document in read_documents(path)] == ["a", "b"]
    assert len(warnings(path)) <= 1


@pytest.mark.parametrize(
    ("name", "content"),
    [
        (
            "a.jsonl",
            '{"_id": "007", "title": "T", "text": "x\\n\\ny", "year": 1.10}\n\n{"id": 8, "contents": "z"}\n',
        ),
        (
            "a.json",
            '[{"docno": "007", "title": "T", "body": "x\\n\\ny", "year": 1.10},\n{"docid": 8, "text": "z"}]',
        ),
        (
            "a",
            '{\n"id": "007", "headline": "T",\n "segments": [{"text": "x"}, {"text": "y"}], "year": 1.10}'
            '{"id": "8","text":"z"}',
        ),
        ("a.csv", 'year,title,doc_id,text\n1.10,T,007,"x\n\ny"\n,,8,z\n'),
        ("a.tsv", 'docno\ttitle\ttext\tyear\n007\tT\t"x\n\ny"\t1.10\n8\t\tz\n'),
    ],
)
def test_records_say_the_same_in_every_table(tmp_path: Path, name: str, content: str) -> None:
    expected = [Document("007", "T", "x\n\ny", "text/plain", {"year": "1.10"}), Document("8", "", "z")]
    assert read(tmp_path, name, content) == expected
    for suffix, compress in ((".gz", gzip.compress), (".xz", lzma.compress), (".bz2", bz2.compress)):
        assert read(tmp_path, name + suffix, compress(content.encode())) == expected


def test_tabbed_lines_without_a_header_are_id_text_or_id_address_title_text(tmp_path: Path) -> None:
    assert read(tmp_path, "a.tsv", '1\tsome "quoted text\n2\tx\n') == [
        Document("1", "", 'some "quoted text'),
        Document("2", "", "x"),
    ]
    assert read(tmp_path, "b.tsv", "D1\thttp://a\tT\tx\n") == [
        Document("D1", "T", "x", fields={"url": "http://a"})
    ]


def test_parquet_is_read_and_its_vectors_are_left_out(tmp_path: Path) -> None:
    frame = polars.DataFrame(
        {"docid": ["007", "8"], "text": ["x", None], "url": ["u", None], "vector": [[0.1], [0.2]]}
    )
    path = tmp_path / "a.parquet"
    frame.write_parquet(path)
    assert list(read_documents(path)) == [Document("007", "", "x", fields={"url": "u"}), Document("8")]
    assert [document.text for document in read_documents(path, wanted={"8"})] == ["", ""]


def test_parts_in_html_make_the_document_html_and_plain_parts_are_escaped(tmp_path: Path) -> None:
    parts = [{"content": "a < b", "mime": "text/plain"}, {"content": "<p>c</p>", "mime": "text/html"}]
    (document,) = read(tmp_path, "a.jl", json.dumps({"id": "1", "contents": parts}))
    assert (document.text, document.media_type) == ("<p>a &lt; b</p>\n<div><p>c</p></div>", "text/html")


def test_half_a_surrogate_pair_becomes_the_replacement_character(tmp_path: Path) -> None:
    (document,) = read(tmp_path, "a.jsonl", '{"id": "1", "text": "a\\ud83d b \\ud83d\\ude00"}')
    assert document.text == "a� b 😀"


def test_a_folder_is_read_in_the_order_of_its_paths(tmp_path: Path) -> None:
    folder = write(
        tmp_path,
        {
            "b/2.md": "# Two\ntext",
            "b/1.htm": "<title>One</title><p>x",
            "a.txt.gz": gzip.compress("Ünter\tden\r\n\r\nLinden\n".encode()),
            "a.notes.txt": "",
            "c.jsonl": '{"id": "j", "text": "x"}',
            ".hidden": "x",
            "style.css": "x",
        },
    )
    assert list(read_documents(folder)) == [
        Document("a.notes"),
        Document("a", "", "Ünter\tden\n\nLinden"),
        Document("b/1", "One", "<title>One</title><p>x", "text/html"),
        Document("b/2", "Two", "# Two\ntext", "text/markdown"),
        Document("j", "", "x"),
    ]
    assert [path.name for path in document_files(folder)] == [
        "a.notes.txt",
        "a.txt.gz",
        "1.htm",
        "2.md",
        "c.jsonl",
    ]
    assert warnings(folder) == [
        f"{folder.name}: 1 files that hold no documents were passed over: style.css",
        f"{folder.name}: single documents and collections in one folder, all of them read: "
        "2 × a text file, 1 × an HTML file, 1 × a Markdown file, 1 × JSON",
    ]


def test_files_that_would_share_an_id_keep_their_suffixes(tmp_path: Path) -> None:
    folder = write(tmp_path, {"a.txt": "x", "a.html": "<p>x", "b.txt": "y"})
    assert [document.document_id for document in read_documents(folder)] == ["a.html", "a.txt", "b"]


def test_texts_that_are_not_wanted_are_empty_and_every_id_is_still_there(tmp_path: Path) -> None:
    sources: dict[str, str | bytes] = {
        "a.trec": "<DOC><DOCNO>1</DOCNO><TITLE>t</TITLE><TEXT>x</TEXT></DOC><DOC><DOCNO>2</DOCNO>y</DOC>",
        "b.jsonl": '{"id": "1", "title": "t", "text": "x"}\n{"id": "2", "text": "y"}',
        "c.csv": "id,title,text\n1,t,x\n2,,y\n",
        "d.tsv": "1\tt\tx\n2\t\ty\n",
        "e.warc": warc(("1", "text/html", b"<title>t</title>x"), ("2", "text/html", b"y")),
        "f.all": ".I 1\n.T\nt\n.W\nx\n.I 2\n.W\ny\n",
    }
    write(tmp_path, sources)
    for name in sources:
        first, second = read_documents(tmp_path / name, wanted=frozenset({"2"}))
        assert first == Document("1"), name
        assert (second.document_id, second.text) == ("2", "y"), name


def test_standard_input_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    content = gzip.compress(b'{"id": "1", "text": "x"}\n')
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    assert list(read_documents("-")) == [Document("1", "", "x")]


def test_stored_bytes_are_counted(tmp_path: Path) -> None:
    content = gzip.compress(b"".join(b'{"id": "%d", "text": "x"}\n' % n for n in range(5000)))
    path = write(tmp_path, {"a.jsonl.gz": content}) / "a.jsonl.gz"
    counted: list[int] = []
    assert len(list(read_documents(path, on_bytes=counted.append))) == 5000
    assert sum(counted) == len(content)


def test_records_without_an_id_or_a_text_are_warned_about_once(tmp_path: Path) -> None:
    content = '{"id": "1", "text": "x"}\n{"text": "y"}\n{"text": 1}\n{"id": "2", "when": "now"}\n{"id": "", "text": ""}'
    path = write(tmp_path, {"a.jsonl": content}) / "a.jsonl"
    assert [document.document_id for document in read_documents(path)] == ["1", "2"]
    assert warnings(path) == [
        "a.jsonl:2: a document without an id was passed over: no run can name it (3 times, first here)",
        "a.jsonl:4: a document without a text field is empty; the fields are id, when",
    ]


def test_text_that_is_not_utf_8_is_read_with_a_warning(tmp_path: Path) -> None:
    path = write(tmp_path, {"a.trec": "<DOC><DOCNO>1</DOCNO>café</DOC>".encode("latin-1")}) / "a.trec"
    assert [document.text for document in read_documents(path)] == ["café"]
    assert warnings(path) == [
        "a.trec:1: a text that is not UTF-8 was read as the file declares it, or as windows-1252"
    ]


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        (
            "a.jsonl",
            '{"id": "1", "text": "a"}\n{"id": 1, "text": "b"}\n',
            "a.jsonl:2: document '1' occurs twice",
        ),
        ("a.trec", "<DOC><DOCNO>a b</DOCNO>x</DOC>", "a.trec:1: the document id 'a b' holds blanks"),
        (
            "a.jsonl",
            '{"text": "x"}\n' * 2,
            "a.jsonl:1: no document has an id (docno, doc_id, id); the fields are text",
        ),
        (
            "a.jsonl",
            '{"id": "1", "vector": [1, 2]}\n',
            "no document has a text (text, contents, body); the fields are id",
        ),
        ("a.jsonl", '{"id": "1", "text": "a"}\n{"id": \n', "a.jsonl:2: not a JSON object on one line"),
        ("a.jsonl", '{"id": "1", "text": "a"}\n["x"]\n', "a.jsonl:2: each document must be a JSON object"),
        ("a.json", '[{"id": "1", "text": "a"},\n {"id": 2', "a.json:2: not JSON"),
        ("a.json", "[]", "no documents were found"),
        ("a.json", "", "the file is empty"),
        ("a.jsonl", b'{"id": "1", "text": "\xe9"}\n', "a.jsonl:1: not UTF-8 (byte 0xe9)"),
        ("a.json", '[{"id": "1", "text": ' + "[" * 200_000, "nested too deeply"),
        ("a.csv", "1,some text\n", "the first line must name the columns"),
        ("a.csv", "id,text\n1,x\n2,a,b\n", "a.csv:3: 3 cells under 2 column names"),
        ("a.csv", 'id,text\n1,"x" y\n', "a.csv:2: this row cannot be split into cells"),
        ("a.tsv", "1\tx\nno tab\n", "a.tsv:2: no tab"),
        ("a.parquet", b"PAR1" + b"\0" * 100 + b"PAR1", "the parquet file cannot be read"),
        (
            "a.warc",
            b"WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n",
            "no documents were found",
        ),
        ("a.xml", "<mediawiki><page/></mediawiki>", "this is a MediaWiki dump: convert it"),
        ("a.xml", "<nitf><body/></nitf>", "this is XML without <doc> elements"),
        ("a.pdf", b"%PDF-1.7 ...", "a.pdf: this is a PDF file: convert it to text first"),
        ("a.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "this is an old Office file"),
        ("a.docx", b"PK\x03\x04....[Content_Types].xml", "this is an Office file (.docx, .xlsx, .pptx)"),
        ("a.zip", b"PK\x03\x04....a.txt", "this is a zip archive: unpack it first"),
        ("a.yaml", "a: b\n", "a file of kind '.yaml' holds no documents that can be read"),
        ("a.jsonl", b"\xff\xfe{\0", "the file is in UTF-16; convert it"),
    ],
)
def test_what_holds_no_documents_is_refused_with_its_reason(
    tmp_path: Path, name: str, content: str | bytes, reason: str
) -> None:
    assert reason in refusal(tmp_path, name, content)


def test_a_word_file_in_a_folder_is_named(tmp_path: Path) -> None:
    folder = write(tmp_path, {"a.txt": "x", "b/c.doc": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"})
    with pytest.raises(InputError, match=r"b/c\.doc: this is an old Office file"):
        list(read_documents(folder))


def test_an_empty_folder_and_one_with_nothing_to_read_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the folder is empty"):
        list(read_documents(tmp_path))
    write(tmp_path, {"a.yaml": "x: y"})
    with pytest.raises(InputError, match=r"no documents in this folder; a\.yaml: a file of kind"):
        list(read_documents(tmp_path))


def test_twenty_five_problems_end_the_reading(tmp_path: Path) -> None:
    content = '{"id": "1", "text": "x"}\n' * 1000
    with pytest.raises(InputError) as caught:
        read(tmp_path, "a.jsonl", content)
    assert [problem.line for problem in caught.value.problems] == list(range(2, 27))


def test_entities_in_documents_expand_to_nothing(tmp_path: Path) -> None:
    laughs = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">\n' for n in range(1, 10))
    content = (
        f'<!DOCTYPE d [<!ENTITY l0 "lol">\n{laughs}]><d><doc><docno>1</docno><text>&l9;</text></doc></d>'
    )
    assert read(tmp_path, "a.xml", content) == [Document("1", "", "&l9;")]


@pytest.mark.parametrize(
    "tag", ["<p>", "<a>", "<text>", "</b>", "<", "<!--", "<text></text>", "<doc x", "&amp;"]
)
def test_a_megabyte_of_one_tag_is_read_at_once(tmp_path: Path, tag: str) -> None:
    content = "<DOC><DOCNO>1</DOCNO>" + tag * (1_000_000 // len(tag)) + "</DOC>"
    assert [document.document_id for document in read(tmp_path, "a.trec", content)] == ["1"]


def _words(n: int) -> bytes:
    return random.Random(n).randbytes(1000).hex(" ").encode()


def _trec(size: int) -> Iterator[bytes]:
    for n in range(size):
        yield b"<DOC><DOCNO>d%d</DOCNO><TEXT>%s</TEXT></DOC>\n" % (n, _words(n))


def _json_lines(size: int) -> Iterator[bytes]:
    for n in range(size):
        yield b'{"id": "d%d", "text": "%s"}\n' % (n, _words(n))


def _json_array(size: int) -> Iterator[bytes]:
    yield b"["
    for n in range(size):
        yield b'%s{"id": "d%d", "text": "%s"}\n' % (b"," * (n > 0), n, _words(n))
    yield b"]"


def _csv(size: int) -> Iterator[bytes]:
    yield b"id,text\n"
    for n in range(size):
        yield b'd%d,"%s"\n' % (n, _words(n))


def _warc(size: int) -> Iterator[bytes]:
    for n in range(size):
        yield warc((f"d{n}", "text/html", _words(n)))


@pytest.mark.parametrize("make", [_trec, _json_lines, _json_array, _csv, _warc])
@pytest.mark.parametrize("compress", [False, True])
def test_memory_does_not_grow_with_the_collection(tmp_path: Path, make, compress: bool) -> None:  # type: ignore[no-untyped-def]
    size = 3000
    path = tmp_path / "collection"
    with gzip.open(path, "wb", 1) if compress else path.open("wb") as stream:
        stream.writelines(make(size))
    list(read_documents(path, wanted={"d1"}))
    tracemalloc.start()
    try:
        assert sum(1 for _ in read_documents(path)) == size
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 5_000_000  # the collections have nine million bytes


class Row(NamedTuple):
    """What we say of one real collection: its format, how many documents, the first id, title and words."""

    path: str
    format: str
    documents: int
    first: str
    title: str
    text: str
    warnings: int = 0


A, T, M = "documents/anserini/sample_docs/", "documents/terrier/", "msmarco_doc_00_0"
TREC, TIMES = "TREC documents (<DOC>)", "0-60 Times - 0-60"
PAPER, BLOG = "1e1286db212100993d03cc22374b624f7caee956", "9171debc316e5e2782e0d2404ca7d09d"
NEWS = "5f992bbc-4b9f-11e2-a6a6-aabac85e8036"
SPOT = "23b553cb6053d79c9fbd648305b79154ba45c02fe300eb9def9c07cbe3fc8082"
PAGES = "7 × an HTML file, 7 × a text file"
WARC_PAGE = "<html>\nwhatever here will be included"

READ = [
    Row(A + "20Newsgroups", "1 × a text file", 1, "collection1/82757", "", "From: dsoconne"),
    Row(A + "beir-nfcorpus", "1 × JSON", 2, "MED-10", "Statin Use", "Recent studies"),
    Row(A + "beir/collection1", "2 × JSON", 3, "doc1", "doc1 title", "doc1 text"),
    Row(A + "beir/collection2", "2 × JSON", 3, "doc1", "doc1 title", "doc1 text"),
    Row(A + "c4_noclean_with_docno", "2 × JSON", 4, "en.noclean.c4-train.00001-of-01024.0", "", "test text"),
    Row(A + "clean_trec", f"1 × {TREC}", 2, "doc1", "", "here is a bit of text, and the"),
    Row(A + "commoncrawl", "2 × WARC", 2, "b92fd779-f40f-4edc-8332-ffddbdbce74b", "", WARC_PAGE),
    Row(A + "commoncrawlnewsen", "1 × WARC", 1, "CC-NEWS-12345678901234-56789-0", "", WARC_PAGE, 1),
    Row(A + "cord19/sample1/document_parses", "3 × JSON", 3, PAPER, "BMC", "Rhinoviruses"),
    Row(A + "cord19/sample1/metadata.csv", "a table with a header", 3, "xqhn0vbp", "Airborne", "BACKGROUND: Rhino"),
    Row(A + "core", "2 × JSON", 3, "coreDoc1", "this is the title 1", "this is the abstract 1"),
    Row(A + "cw09", "1 × WARC", 1, "clueweb09-az0000-00-00000", "", WARC_PAGE),
    Row(A + "cw12", "1 × WARC", 1, "clueweb09-az0000-00-00000", "", WARC_PAGE),
    Row(A + "epidemic_qa", "2 × JSON", 2, "b5329o75", "Perspectives", "Last decade witnessed"),
    Row(A + "fever", "1 × JSON", 4, "Domain_Range_Ratio_-LRB-DRR-RRB-", "", "", 1),
    Row(A + "fineweb/doc1.txt", "a text file", 1, "doc1", "", "FineWeb sample"),
    Row(A + "fineweb/doc2.txt", "a text file", 1, "doc2", "", "FineWeb sample"),
    Row(A + "fineweb/fineweb_alternative_fields.parquet", "parquet", 2, "alt-doc-001", "", "Document using"),
    Row(A + "fineweb/fineweb_standard.parquet", "parquet", 3, "fineweb-doc-001", "", "This is the first"),
    Row(A + "json/collection1", "2 × JSON", 2, "doc1", "", "contents of document 1."),
    Row(A + "json/collection1_gz", "2 × JSON", 2, "doc1", "", "contents of document 1."),
    Row(A + "json/collection2", "1 × JSON", 2, "doc1", "", "this is the contents 1."),
    Row(A + "json/collection2_gz", "1 × JSON", 2, "doc1", "", "this is the contents 1."),
    Row(A + "json/collection3", "1 × JSON", 2, "doc1", "", "this is the contents 1."),
    Row(A + "json/collection3_gz", "1 × JSON", 2, "doc1", "", "this is the contents 1."),
    Row(A + "json/collection4", "1 × JSON", 2, "doc3", "", "third document contains C"),
    Row(A + "json/collection_huggingfacetokenizer", "1 × JSON", 2, "7187163", "", "Racial scandals"),
    Row(A + "json/collection_tokenized", "1 × JSON", 2, "2000000", "", "this was ##a simple"),
    Row(A + "json/collection_zh", "1 × JSON", 3, "doc1", "", "滑铁卢大学"),
    Row(A + "json_vector/collection1", "2 × JSON", 2, "doc1", "", "this is the contents 1."),
    Row(A + "json_vector/collection1_gz", "2 × JSON", 2, "doc1", "", "this is the contents 1."),
    Row(A + "json_vector/collection2", "1 × JSON", 2, "doc1", "", "this is the contents 1."),
    Row(A + "json_vector/collection2_gz", "1 × JSON", 2, "doc1", "", "this is the contents 1."),
    Row(A + "json_vector/collection3", "1 × JSON", 2, "doc1", "", "this is the contents 1."),
    Row(A + "json_vector/collection3_gz", "1 × JSON", 2, "doc1", "", "this is the contents 1."),
    Row(A + "json_vector/dense_collection1", "2 × JSON", 2, "doc1", "", "this is the contents 1."),
    Row(A + "mrtydi-1.1/ar", "1 × JSON", 4, "7#0", "ماء", "الماء"),
    Row(A + "mrtydi-1.1/bn", "1 × JSON", 4, "608#0", "বাংলা", "বাংলা"),
    Row(A + "mrtydi-1.1/en", "1 × JSON", 4, "12#0", "Anarchism", "Anarchism is"),
    Row(A + "mrtydi-1.1/fi", "1 × JSON", 4, "1#0", "Amsterdam", "Amsterdam on"),
    Row(A + "mrtydi-1.1/id", "1 × JSON", 4, "1#0", "Asam", "Asam"),
    Row(A + "mrtydi-1.1/ja", "1 × JSON", 4, "5#0", "アンパサンド", "アンパサンド"),
    Row(A + "mrtydi-1.1/ko", "1 × JSON", 4, "5#0", "지미 카터", "제임스"),
    Row(A + "mrtydi-1.1/ru", "1 × JSON", 4, "7#0", "Литва", "Литва"),
    Row(A + "mrtydi-1.1/sw", "1 × JSON", 4, "2#0", "Akiolojia", "Akiolojia"),
    Row(A + "mrtydi-1.1/te", "1 × JSON", 4, "786#0", "గుంటూరు", "గుంటూరు"),
    Row(A + "mrtydi-1.1/th", "1 × JSON", 4, "1#0", "หน้าหลัก", "วิกิพีเดีย"),
    Row(A + "msmarco-v1-passage", "2 × JSON", 4, "0", "", "The presence of communication"),
    Row(A + "msmarco-v2.1-doc-segmented", "2 × JSON", 4, "msmarco_v2.1_doc_00_0#0_0", TIMES, TIMES),
    Row(A + "msmarco_v2_doc", "1 × JSON", 2, M, TIMES, TIMES),
    Row(A + "msmarco_v2_doc_gz", "1 × JSON", 2, M, TIMES, TIMES),
    Row(A + "msmarco_v2_doc_segmented", "2 × JSON", 8, M + "#0", TIMES, TIMES),
    Row(A + "msmarco_v2_passage", "1 × JSON", 6, "msmarco_passage_00_0", "", TIMES),
    Row(A + "msmarco_v2_passage_augmented", "2 × JSON", 4, "msmarco_passage_00_0", TIMES, TIMES),
    Row(A + "msmarco_v2_passage_gz", "1 × JSON", 6, "msmarco_passage_00_0", "", TIMES),
    Row(A + "neuclir", "1 × JSON", 4, "ffaac72f-e0c2-4432-8720-efa084432783", "Путин", "Политика\n\nСегодня"),
    Row(A + "openai_ada2", "1 × JSON", 1, "1", "", "contents 1"),
    Row(A + "parquet/snowflake-msmarco-arctic-embed", "1 × parquet", 3, "msmarco_v2.1_doc_00_0#0_0", "", TIMES),
    Row(A + "trec/collection1", f"1 × {TREC}", 2, "AP-0001", "This is headline", "Hopefully we"),
    Row(A + "trec/collection2", f"2 × a text file, 2 × {TREC}", 5, "stopwords", "", "enough\nsimple", 1),
    Row(A + "trec/collection3", f"2 × {TREC}", 3, "TREC_DOC_1.00001", "This is head", "very simple"),
    Row(A + "trecweb", f"1 × {TREC}", 2, "WEB-0001", "", "<html>Wh at ever", 1),
    Row(A + "tweets/collection1", "2 × JSON", 6, "1", "", "RT This is a Retweet", 2),
    Row(A + "tweets/collection2", "1 × JSON", 2, "123456789", "", "this is the tweet", 1),
    Row(A + "tweets/collection3", "1 × JSON", 2, "123456789", "", "this is the tweet", 1),
    Row(A + "washingtonpost/collection1", "1 × JSON", 2, NEWS, "Controlled", "National"),
    Row(A + "washingtonpost/collection2", "1 × JSON", 4, BLOG, "Despite", "<p>WorldViews"),
    Row("documents/gov2-very-long", "8 × a text file", 8, "GX233-87-12892048", "", "ECONOMIC PROFILE"),
    Row("documents/longeval-french/collector_kodicare_2.trec", TREC, 1, "doc25648", "", "Quelles instances"),
    Row("documents/longeval-french/collector_kodicare_3.trec", TREC, 1, "doc19467", "", "Fonction publique"),
    Row("documents/longeval-french/collector_kodicare_6.trec", TREC, 1, "doc16961", "", "Que change la loi"),
    Row("documents/webpages-with-scripts", PAGES, 14, "P2cdcf8f2fe9a1685.html", "Venezuela", "<!DOCTYPE", 1),
    Row(T + "cw12.sample", "WARC", 4, "clueweb12-0000tw-00-00000", "France image Pool", "<!DOCTYPE", 1),
    Row(T + "files", "4 × a text file", 4, "helloworld.txt", "", "hello world"),
    Row(T + "shakespeare/shakespeare-merchant.trec.1", TREC, 14, "SHK-MOV-0-0", "THE MERCHANT", "DRAMATIS"),
    Row(T + "shakespeare/shakespeare-merchant.trec.2", TREC, 8, "SHK-MOV-III-I", "ACT III", "[Enter SALANIO"),
    Row(T + "simplefilecollection/document.html", "an HTML file", 1, "document", "Lorem ipsum", "<html>"),
    Row(T + "simplefilecollection/document.txt", "a text file", 1, "document", "", "Lorem ipsum"),
    Row(T + "tweets", "2 × JSON", 2, "440322224407314432", "", "If only Bradley's arm"),
    Row("cranfield/trec-xml/cran.all.1400.xml", TREC, 1400, "1", "experimental", "experimental investigation"),
    Row("cranfield/cran.all.1400", ".I records", 1400, "1", "experimental", "experimental investigation"),
    Row("wows/spot-check/corpus.jsonl.gz", "JSON", 113, SPOT, "The Symptoms", "The Symptoms"),
]  # fmt: skip

NO_TEXT = "no document has a text (text, contents, body)"
NO_ID = "no document has an id (docno, doc_id, id)"
OFFICE = "this is an Office file"
REFUSED = [
    (A + "acl", "no documents in this folder"),
    (A + "afriberta", "this is a zip archive"),
    (A + "bib", "no documents in this folder"),
    (A + "c4", NO_ID),
    (A + "c4_noclean", NO_ID),
    (A + "cacm", "this is a tar archive"),
    (A + "fineweb/fineweb_no_id.parquet", NO_ID),
    (A + "geosearch", "no documents in this folder"),
    (A + "iso19115", NO_ID),
    (A + "json/collection_errors/contents_missing.json", NO_TEXT),
    (A + "json/collection_errors/id_missing.json", NO_ID),
    (A + "json/collection_geo", NO_TEXT),
    (A + "msmarco-v2_1_passage_gz", "the file is empty"),
    (A + "nyt", "this is XML without <doc> elements"),
    (A + "parquet/msmarco-passage-bge-base-en-v1.5.parquet-double", NO_TEXT),
    (A + "parquet/msmarco-passage-bge-base-en-v1.5.parquet-float", NO_TEXT),
    (A + "smoltalk", NO_ID),
    (A + "wikipedia", "this is a MediaWiki dump"),
    (A + "tweets", "document '123456789' occurs twice"),
    (T + "simplefilecollection/document.doc", "this is an old Office file"),
    (T + "simplefilecollection/document.docx", OFFICE),
    (T + "simplefilecollection/document.pdf", "this is a PDF file"),
    (T + "simplefilecollection/document.ppt", "this is an old Office file"),
    (T + "simplefilecollection/document.pptx", OFFICE),
    (T + "simplefilecollection/document.xls", "this is an old Office file"),
    (T + "simplefilecollection/document.xlsx", OFFICE),
    ("wows/topics-final.csv", "the first line must name the columns"),
]
NO_COLLECTIONS = (
    "documents/SOURCE.txt", "documents/anserini/sample_qrels", "documents/anserini/sample_runs",
    "documents/anserini/sample_topics", "documents/longeval-french/2022-06_queries.txt",
    "documents/longeval-french/qrels_processed.txt", T + "trec", T + "shakespeare/test.",
)  # fmt: skip


@pytest.mark.data
@pytest.mark.parametrize("row", READ, ids=lambda row: row.path)
def test_a_real_collection_is_read(data_folder: Path, row: Row) -> None:
    path = data_folder / row.path
    found: list[Problem] = []
    documents = list(read_documents(path, on_warning=found.append))
    first = documents[0]
    assert (describe_documents_format(path), len(documents), first.document_id) == (
        row.format,
        row.documents,
        row.first,
    )
    assert first.title.startswith(row.title)
    assert bool(first.title) == bool(row.title)
    assert first.text.startswith(row.text)
    assert len(found) == row.warnings


@pytest.mark.data
@pytest.mark.parametrize(("path", "reason"), REFUSED)
def test_a_real_collection_is_refused(data_folder: Path, path: str, reason: str) -> None:
    with pytest.raises(InputError) as caught:
        list(read_documents(data_folder / path))
    assert reason in str(caught.value)


@pytest.mark.data
def test_no_real_collection_is_left_out_of_the_tables(data_folder: Path) -> None:
    known = (*(row.path for row in READ), *(path for path, _ in REFUSED), *NO_COLLECTIONS)
    files = (path for path in (data_folder / "documents").rglob("*") if path.is_file())
    left_out = [name for path in files if not (name := str(path.relative_to(data_folder))).startswith(known)]
    assert left_out == []


@pytest.mark.data
def test_the_two_empty_documents_of_cranfield_are_there_in_both_formats(data_folder: Path) -> None:
    for name in ("trec-xml/cran.all.1400.xml", "cran.all.1400"):
        documents = read_documents(data_folder / "cranfield" / name)
        assert [document.document_id for document in documents if not document.text] == ["471", "995"]


@pytest.mark.data
def test_both_formats_of_cranfield_hold_the_same_words(data_folder: Path) -> None:
    folder = data_folder / "cranfield"
    xml = {
        document.document_id: document.text.split()
        for document in read_documents(folder / "trec-xml/cran.all.1400.xml")
    }
    plain = {
        document.document_id: document.text.split() for document in read_documents(folder / "cran.all.1400")
    }
    assert sum(xml[name] == plain[name] for name in plain) >= 1395
