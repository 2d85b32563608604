from __future__ import annotations

import bz2
import csv
import gzip
import io
import lzma
from pathlib import Path
from types import SimpleNamespace

import polars
import pytest

from tests.formats.collections_of_documents import read, refusal, warnings, write
from tests.sentences import says
from workbench.core.errors import InputError
from workbench.core.records import Document
from workbench.formats.documents.reading import read_documents


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
    assert read(tmp_path, "c.tsv", "D1\thttp://a\tx\n") == [Document("D1", "http://a", "x")]
    assert read(tmp_path, "b.tsv", "D1\thttp://a\tT\tx\n") == [
        Document("D1", "T", "x", fields={"url": "http://a"})
    ]


def test_parquet_that_is_packed_or_comes_from_standard_input_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = io.BytesIO()
    polars.DataFrame({"docid": ["007", "8"], "text": ["x", "y"]}).write_parquet(stored)
    expected = [Document("007", "", "x"), Document("8", "", "y")]
    assert read(tmp_path, "a.parquet.gz", gzip.compress(stored.getvalue())) == expected
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(stored.getvalue())))
    assert list(read_documents("-")) == expected
    assert says(refusal(tmp_path, "b.parquet.gz", gzip.compress(b"PAR1" + b"\0" * 100)))


def test_a_damaged_parquet_file_is_read_or_refused_even_where_polars_panics(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    polars.DataFrame({"docno": ["d1", "d2"], "text": ["frozen", "warm"]}).write_parquet(path)
    good = path.read_bytes()
    refused = 0
    for place in (0, 80, 82, 214, 216, 472, 473, len(good) - 1):
        path.write_bytes(good[:place] + bytes([good[place] ^ 255]) + good[place + 1 :])
        try:
            list(read_documents(path))
        except InputError:
            refused += 1
    assert refused


def test_a_first_line_with_a_carriage_return_inside_it_is_no_header(tmp_path: Path) -> None:
    assert says(refusal(tmp_path, "a.csv", "id,te\rxt\n1,x\n"))


def test_half_a_surrogate_pair_becomes_the_replacement_character(tmp_path: Path) -> None:
    (document,) = read(tmp_path, "a.jsonl", '{"id": "1", "text": "a\\ud83d b \\ud83d\\ude00"}')
    assert document.text == "a� b 😀"


def test_blank_lines_between_tabbed_ones_are_no_documents(tmp_path: Path) -> None:
    found = read(tmp_path, "x.tsv", "1\tone\n\n  \n2\ttwo\n")
    assert [(each.document_id, each.text) for each in found] == [("1", "one"), ("2", "two")]


def test_a_line_may_be_as_long_as_a_document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workbench.formats.documents.in_tables.LONGEST_DOCUMENT", 30)
    (_, longest) = read(tmp_path, "x.tsv", f"1\tone\n2\t{'x' * 27}\n")  # 30 bytes with its end
    assert longest.text == "x" * 27
    assert says(refusal(tmp_path, "x.tsv", f"1\tone\n2\t{'x' * 28}\n"), "x.tsv:2")


def test_a_first_line_that_may_name_columns_is_reported_where_all_other_ids_have_digits(
    tmp_path: Path,
) -> None:
    for content, reported in [
        ("nr\tTekst\nd1\tx\nd2\ty\n", True),
        ("nr\tTekst\nd1\tx\nice\ty\n", False),
        ("d1\tx\nnr\ty\n", False),
        ("nr\tTekst\n", False),
    ]:
        path = write(tmp_path, {"a.tsv": content}) / "a.tsv"
        assert len(list(read_documents(path))) == content.count("\n")
        assert [says(said, "a.tsv:1: 'nr'") for said in warnings(path)] == [True] * reported


def test_a_cell_is_as_long_as_a_document_whatever_limit_the_process_had_before(tmp_path: Path) -> None:
    csv.field_size_limit(131_072)  # Python's own
    long = "cold water " * 20_000
    assert read(tmp_path, "a.csv", f"id,text\n1,{long}\n") == [Document("1", "", long.strip())]
