from __future__ import annotations

import gzip
import json
import random
import tracemalloc
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.formats.collections_of_documents import read, refusal, warc, warnings, write
from tests.pdfs import pdf
from tests.sentences import says
from workbench.core.errors import InputError, Problem
from workbench.core.records import Document
from workbench.formats.documents.fields import FieldNames, chosen_fields
from workbench.formats.documents.in_folders import kinds_of, survey
from workbench.formats.documents.kinds import DocumentsFormat, documents_format
from workbench.formats.documents.open_file import open_with_start
from workbench.formats.documents.reading import read_documents


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


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.trec", "<DOC><DOCNO>1</DOCNO>שלום</DOC>"),
        ("1.html", "<meta charset=iso-8859-1><p>שלום"),
        ("a.tsv", "1\tשלום"),
        ("1.txt", "שלום"),
    ],
)
def test_a_chosen_encoding_decides_alone_but_for_files_that_are_utf_8(
    tmp_path: Path, name: str, content: str
) -> None:
    for text, encoding in ((content, "windows-1255"), (content + " שלום" * 9, "utf-8")):
        path = write(tmp_path, {name: text.encode(encoding)}) / name
        (found,) = read_documents(path, choice=FieldNames(encoding="windows-1255"))
        assert (found.document_id, "שלום" in found.text) == ("1", True)


def test_files_that_say_themselves_what_they_are_in_are_read_as_they_say(tmp_path: Path) -> None:
    page = "<meta charset=windows-1251><p>лёд".encode("windows-1251")
    sources: dict[str, str | bytes] = {
        "a.warc": warc(("1", "text/html", page)),
        "b.warc": warc(("1", "text/plain", "лёд".encode())),
        "c.eml": "Content-Type: text/plain; charset=windows-1251\n\nлёд".encode("windows-1251"),
        "d.eml": b"Subject: a\n\n\xc7",
        "e.pdf": pdf("plain"),
    }
    write(tmp_path, sources)
    choice = FieldNames(encoding="windows-1253")
    found = [next(iter(read_documents(tmp_path / name, choice=choice))).text for name in sources]
    assert ["лёд" in text for text in found] == [True, True, True, False, False]
    assert ("Η" in found[3], "plain" in found[4]) == (True, True)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.jsonl", '{"id": "1", "text": "a"}\n{"id": 1, "text": "b"}\n'),
        ("a.trec", "<DOC><DOCNO>a b</DOCNO>x</DOC>"),
        ("a.jsonl", '{"text": "x"}\n' * 2),
        ("a.jsonl", '{"id": "1", "vector": [1, 2]}\n'),
        ("a.jsonl", '{"id": "1", "text": "a"}\n{"id": \n'),
        ("a.jsonl", '{"id": "1", "text": "a"}\n["x"]\n'),
        ("a.json", '[{"id": "1", "text": "a"},\n {"id": 2'),
        ("a.json", "[]"),
        ("a.json", ""),
        ("a.jsonl", b'{"id": "1", "text": "\xe9"}\n'),
        ("a.json", '[{"id": "1", "text": ' + "[" * 200_000),
        ("a.csv", "1,some text\n"),
        ("a.csv", "id,text\n1,x\n2,a,b\n"),
        ("a.csv", 'id,text\n1,"x" y\n'),
        ("a.tsv", "1\tx\nno tab\n"),
        ("a.parquet", b"PAR1" + b"\0" * 100 + b"PAR1"),
        ("a.warc", b"WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n"),
        ("a.xml", "<mediawiki><page/></mediawiki>"),
        ("a.xml", "<nitf><body/></nitf>"),
        ("a.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
        ("a.docx", b"PK\x03\x04....[Content_Types].xml"),
        ("a.zip", b"PK\x03\x04....a.txt"),
        ("a.run", "1 Q0 d1 1 9.5 t\n1 Q0 d2 2 8 t\n"),
        ("a.txt", "1\tQ0\td1\t1\t9.5\tt\n1\tQ0\td2\t2\t8\tt\n"),
        ("qrels", "1 0 d1 1\n1 0 d2 0\n"),
        ("a.yaml", "a: b\n"),
        ("a.jsonl", b"\xff\xfe{\0"),
    ],
)
def test_what_holds_no_documents_is_refused(tmp_path: Path, name: str, content: str | bytes) -> None:
    assert says(refusal(tmp_path, name, content))


def test_twenty_five_problems_end_the_reading(tmp_path: Path) -> None:
    content = '{"id": "1", "text": "x"}\n' * 1000
    with pytest.raises(InputError) as caught:
        read(tmp_path, "a.jsonl", content)
    assert [problem.line for problem in caught.value.problems] == list(range(2, 27))


def _words(n: int) -> bytes:
    return random.Random(n).randbytes(1000).hex(" ").encode()


def _trec(size: int) -> Iterator[bytes]:
    for n in range(size):
        yield b"<DOC><DOCNO>d%d</DOCNO><TEXT>%s</TEXT></DOC>\n" % (n, _words(n))


def _json_lines(size: int) -> Iterator[bytes]:
    for n in range(size):
        yield b'{"id": "d%d", "text": "%s"}\n' % (n, _words(n))


def _warc(size: int) -> Iterator[bytes]:
    for n in range(size):
        yield warc((f"d{n}", "text/html", _words(n)))


FORMATS = (_trec, _json_lines, _warc)
FIRST = {(_json_lines, False)}
"""What is unpacked is read as what is plain: with one format it is tried, with all where there is more time."""


@pytest.mark.parametrize(
    ("make", "compress"),
    [
        pytest.param(*each, marks=[pytest.mark.slow] * (each not in FIRST))
        for each in product(FORMATS, (False, True))
    ],
)
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
    Row(A + "cord19/sample1/metadata.csv", "a table with a header", 3, "xqhn0vbp", "Airborne", "BACKGROUND: Rhino", 1),
    Row(A + "core", "2 × JSON", 3, "coreDoc1", "this is the title 1", "this is the abstract 1", 1),
    Row(A + "cw09", "1 × WARC", 1, "clueweb09-az0000-00-00000", "", WARC_PAGE),
    Row(A + "cw12", "1 × WARC", 1, "clueweb09-az0000-00-00000", "", WARC_PAGE),
    Row(A + "epidemic_qa", "2 × JSON", 2, "b5329o75", "Perspectives", "Last decade witnessed"),
    Row(A + "fever", "1 × JSON", 4, "Domain_Range_Ratio_-LRB-DRR-RRB-", "", "", 2),
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
    Row(T + "shakespeare/shakespeare-merchant.trec.1", TREC, 14, "SHK-MOV-0-0", "THE MERCHANT", "DRAMATIS", 1),
    Row(T + "shakespeare/shakespeare-merchant.trec.2", TREC, 8, "SHK-MOV-III-I", "ACT III", "[Enter SALANIO"),
    Row(T + "simplefilecollection/document.html", "an HTML file", 1, "document", "Lorem ipsum", "<html>"),
    Row(T + "simplefilecollection/document.pdf", "a PDF file", 1, "document", "document", "Page 1 of 2"),
    Row(T + "simplefilecollection/document.txt", "a text file", 1, "document", "", "Lorem ipsum"),
    Row(T + "tweets", "2 × JSON", 2, "440322224407314432", "", "If only Bradley's arm"),
    Row("cranfield/trec-xml/cran.all.1400.xml", TREC, 1400, "1", "experimental", "experimental investigation", 1),
    Row("cranfield/cran.all.1400", ".I records", 1400, "1", "experimental", "experimental investigation", 1),
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


def format_of(path: Path) -> str:
    """As which format a file is read, or the kinds of files of a folder."""
    if path.is_dir():
        return kinds_of(survey(path))
    stream, start = open_with_start(path)
    stream.close()
    found = documents_format(path.name, start)
    assert isinstance(found, DocumentsFormat)
    return found.name


@pytest.mark.data
@pytest.mark.parametrize("row", READ, ids=lambda row: row.path)
def test_a_real_collection_is_read(data_folder: Path, row: Row) -> None:
    path = data_folder / row.path
    found: list[Problem] = []
    documents = list(read_documents(path, on_warning=found.append))
    first = documents[0]
    assert (format_of(path), len(documents), first.document_id) == (row.format, row.documents, row.first)
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


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz", "a.pdf"])
def test_all_stored_bytes_are_handed_on_also_those_that_no_document_needs(name: str, tmp_path: Path) -> None:
    lines = b"".join(b'{"id": "%d", "text": "x"}\n' % number for number in range(3_000))
    content = {"a.jsonl": lines, "a.jsonl.gz": gzip.compress(lines) + b"\0" * 200_000}.get(name) or pdf(
        "Ice."
    )
    path = write(tmp_path, {name: content}) / name
    stored: list[bytes] = []
    for _ in read_documents(path, on_stored=lambda data: stored.append(bytes(data))):
        pass
    assert b"".join(stored) == content


@pytest.mark.parametrize("name", ["a.txt", "a.html", "a.md", "a.eml", "a.py"])
def test_a_file_that_is_one_document_is_as_long_as_one_may_be_and_no_longer(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.formats.documents.open_file.LONGEST_DOCUMENT", 20)
    assert len(read(tmp_path, name, "<p>x\n".ljust(20, "y"))) == 1
    assert says(refusal(tmp_path, name, "<p>x\n".ljust(21, "y")))


@pytest.mark.parametrize(
    ("start", "name"),
    [
        (b"<!DOCTYPE html><p>x", "an HTML file"),
        (b" <!-- a --> <!-- b --><html>x", "an HTML file"),
        (b"<?xml version='1.0'?> <!doctype html>x", "an HTML file"),
        (b"<DOC><DOCNO>1</DOCNO></DOC>", "TREC"),
        (b"<?xml version='1.0'?><doc id='1'>x</doc>", "TREC"),
    ],
)
def test_a_page_or_a_collection_is_known_by_its_beginning_without_a_suffix(start: bytes, name: str) -> None:
    kind = documents_format("page", start)
    assert isinstance(kind, DocumentsFormat)
    assert kind.name.startswith(name)


@pytest.mark.data
def test_texts_in_lists_and_mappings_are_taken_and_documents_without_a_text_are_named(
    data_folder: Path,
) -> None:
    found: list[Problem] = []
    path = data_folder / "field-cases" / "documents-text-lists.jsonl"
    texts = {each.document_id: each.text for each in read_documents(path, on_warning=found.append)}
    assert texts == {"a": "one\n\ntwo", "b": "one\n\n2\n\ntwo", "c": "words in a mapping", "d": "", "e": ""}
    assert [problem.message for problem in found] == ["2 documents have no text: d, e"]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ([["a", "b"], ["c"]], "a\n\nb\n\nc"),
        ({"en": "a", "parts": ["b"], "de": "c"}, "a\n\nc"),
        ([{"text": "a", "at": "5"}, {"at": "6"}], "a"),
        ([[0.1, 0.2], [3]], ""),
        ([None, None], ""),
    ],
)
def test_the_text_is_what_a_value_says_and_no_vector(tmp_path: Path, value: object, text: str) -> None:
    (document,) = read(tmp_path, "a.jsonl", json.dumps({"id": "1", "title": "x", "text": value}))
    assert document.text == text


@pytest.mark.data
def test_a_header_of_the_field_is_no_document(data_folder: Path) -> None:
    found: list[Problem] = []
    path = data_folder / "field-cases" / "documents-header.tsv"
    (document,) = read_documents(path, on_warning=found.append)
    assert (document.document_id, document.text) == ("7", "some words")
    assert [(each.line, "passage_id, passage_text" in each.message) for each in found] == [(1, True)]


@pytest.mark.parametrize(
    "content",
    [
        "id\twords\n7\tice\n",
        "\ttext\n7\tice\n",
        "\tdocno\ttext\n0\t7\tice\n",
        "Unnamed: 0,doc-id,Text\n0,7,ice\n",
        ",text\n7,ice\n",
        "Document ID;Full Text\n7;ice\n",
        "corpus-id\tpassage\n7\tice\n",
    ],
)
def test_a_header_names_columns_in_any_spelling_and_the_index_of_pandas(tmp_path: Path, content: str) -> None:
    (document,) = read(tmp_path, "a.csv" if "," in content or ";" in content else "a.tsv", content)
    assert (document.document_id, document.text, dict(document.fields)) == ("7", "ice", {})


def test_a_chosen_field_that_no_record_has_is_named(tmp_path: Path) -> None:
    path = write(tmp_path, {"a.jsonl": '{"id": "1", "text": "Ice."}\n'}) / "a.jsonl"
    found: list[Problem] = []
    list(read_documents(path, on_warning=found.append, choice=chosen_fields([], ["vclam"])))
    assert says(found[0].message)


@pytest.mark.data
def test_documents_that_stand_twice_are_named_with_both_lines(data_folder: Path) -> None:
    path = data_folder / "field-cases" / "documents-twice.jsonl"
    with pytest.raises(InputError) as caught:
        list(read_documents(path))
    assert [(each.line, "first on line 1;" in each.message) for each in caught.value.problems] == [
        (2, True),
        (4, False),
    ]
    with pytest.raises(InputError) as caught:
        list(read_documents(path, repeated="identical"))
    (problem,) = caught.value.problems
    assert (problem.line, "'x2'" in problem.message, "first on line 3" in problem.message) == (4, True, True)


@pytest.mark.parametrize("wanted", [None, {"1"}, {"2"}])
def test_identical_documents_are_taken_once_on_request(tmp_path: Path, wanted: set[str] | None) -> None:
    content = '{"id": "1", "text": "a"}\n{"id": "2", "text": "b"}\n{"text": "a", "id": "1"}\n'
    path = write(tmp_path, {"a.jsonl": content}) / "a.jsonl"
    found: list[Problem] = []
    documents = list(read_documents(path, wanted=wanted, on_warning=found.append, repeated="identical"))
    assert [each.document_id for each in documents] == ["1", "2"]
    needed = {"1", "2"} if wanted is None else wanted
    assert {each.document_id for each in documents if each.text} == needed
    assert [(each.line, "taken once" in each.message) for each in found] == [(3, True)]


def test_fields_that_may_betray_a_run_are_named_unless_they_are_hidden(tmp_path: Path) -> None:
    path = write(tmp_path, {"a.jsonl": '{"id": "1", "text": "a", "Score": 9.1, "rank": 1}\n'}) / "a.jsonl"
    (said,) = warnings(path)
    assert "assessors see rank, score" in said
    assert "document-fields 'rank: hidden; score: hidden'" in said
    found: list[Problem] = []
    hidden = FieldNames(hidden=frozenset({"rank", "score"}))
    list(read_documents(path, on_warning=found.append, choice=hidden))
    assert found == []


def test_many_identical_documents_are_found_at_once(tmp_path: Path) -> None:
    lines = "".join(f'{{"id": "{number}", "text": "a"}}\n' for number in range(10_000))
    path = write(tmp_path, {"a.jsonl": lines + lines}) / "a.jsonl"
    assert sum(1 for _ in read_documents(path, repeated="identical")) == 10_000


def test_a_document_that_stands_in_two_files_of_a_folder_is_named_with_the_first(tmp_path: Path) -> None:
    folder = write(
        tmp_path, {"a.jsonl": '\n{"id": "1", "text": "a"}\n', "b.jsonl": '{"id": "1", "text": "b"}\n'}
    )
    with pytest.raises(InputError, match=r"first on line 2 of .*a\.jsonl"):
        list(read_documents(folder))
