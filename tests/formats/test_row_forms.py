"""Runs and qrels as libraries and collections of the field write them, not in lines of columns."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from tests.sentences import refused, says
from workbench.campaign.pools.of_files import Cut, top_of
from workbench.core.errors import InputError
from workbench.formats import row_entries
from workbench.formats.pair_lists import read_pairs
from workbench.formats.qrels import read_qrels
from workbench.formats.runs import examine_run, read_run
from workbench.formats.text.parse_mode import ParseMode
from workbench.scoring.evaluation.reading import read_evaluation

JUDGED = [("1", "d1", 2), ("1", "d,2", 0), ("2", "d5", 1)]
RANKED = [("1", "d1", 0.9), ("1", "d,2", 0.5), ("2", "d5", 1.3)]


def parquet(frame: pl.DataFrame) -> bytes:
    stream = io.BytesIO()
    frame.write_parquet(stream)
    return stream.getvalue()


def in_columns(names: tuple[str, str, str], rows: list[tuple[str, str, float]]) -> pl.DataFrame:
    return pl.DataFrame(rows, dict.fromkeys(names, None), orient="row")


def nested(rows: list[tuple[str, str, float]]) -> str:
    found: dict[str, dict[str, float]] = {}
    for topic_id, document_id, value in rows:
        found.setdefault(topic_id, {})[document_id] = value
    return json.dumps(found)


QRELS_FORMS: dict[str, str | bytes] = {
    "a table with commas": 'query-id,corpus-id,score\n1,d1,2\n1,"d,2",0\n2,d5,1\n',
    "a table with tabs": "query-id\tcorpus-id\tscore\n1\td1\t2\n1\td,2\t0\n2\td5\t1\n",
    "a table of a data frame": ',qid,docno,label,iteration\n0,1,d1,2,0\n1,1,"d,2",0,0\n2,2,d5,1,0\n',
    "semicolons": "Topic;DocID;Relevance\n1;d1;2\n1;d,2;0\n2;d5;1\n",
    "blanks": "q_id doc_id rel\n1 d1 2\n1 d,2 0\n2 d5 1\n",
    "JSON": nested(JUDGED),
    "indented JSON": json.dumps(json.loads(nested(JUDGED)), indent=1),
    "records in JSON": json.dumps([{"query_id": q, "doc_id": d, "relevance": g} for q, d, g in JUDGED]),
    "a record a line": "".join(f'{{"qid": {q}, "docno": "{d}", "rel": {g}}}\n' for q, d, g in JUDGED),
    "parquet": parquet(in_columns(("q_id", "doc_id", "score"), JUDGED)),
    "grades of NTCIR": "1 d1 L2\n1 d,2 L0\n2 d5 L1\n",
    "features": "2 qid:1 1:0.03 2:0.66 # d1\n0 qid:1 1:0.05 # docid = d,2 inc = 1\n1 qid:2 1:.1 #d5\n",
}
RUN_FORMS: dict[str, str | bytes] = {
    "a table with commas": 'qid,docno,rank,score\n1,d1,0,0.9\n1,"d,2",1,0.5\n2,d5,0,1.3\n',
    "a table with a tag": 'query_id,doc_id,score,tag\n1,d1,0.9,bm25\n1,"d,2",0.5,bm25\n2,d5,1.3,bm25\n',
    "JSON": nested(RANKED),
    "parquet": parquet(in_columns(("q_id", "doc_id", "score"), RANKED)),
    "parquet with numbers as ids": parquet(
        pl.DataFrame({"qid": [1, 1, 2], "docno": ["d1", "d,2", "d5"], "score": [0.9, 0.5, 1.3]})
    ),
}


@pytest.fixture
def written(tmp_path: Path) -> Callable[[str | bytes], Path]:
    def write(content: str | bytes) -> Path:
        path = tmp_path / "mine.csv"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


@pytest.mark.parametrize("form", QRELS_FORMS)
def test_qrels_are_read_in_every_form(form: str, written: Callable[[str | bytes], Path]) -> None:
    path = written(QRELS_FORMS[form])
    found = read_qrels(path)
    assert found.frame.rows() == JUDGED
    assert "read as" in found.warnings[0].message
    assert read_evaluation(path, []).qrels.frame.rows() == JUDGED
    assert read_pairs(path).frame.rows() == [row[:2] for row in JUDGED]


@pytest.mark.parametrize("form", RUN_FORMS)
def test_runs_are_read_in_every_form(form: str, written: Callable[[str | bytes], Path]) -> None:
    path = written(RUN_FORMS[form])
    run = read_run(path)
    assert run.frame.rows() == RANKED
    assert run.tag == ("bm25" if "tag" in form else "mine")
    assert {warning.kind for warning in run.warnings} <= {"form", "rank"}
    top = top_of(Cut(None, ascending_ties=False), str(path))
    assert sorted(top.frame.rows()) == sorted(RANKED)


def test_lines_with_the_usual_columns_are_left_alone_whatever_their_ids_look_like(
    written: Callable[[str | bytes], Path],
) -> None:
    assert read_run(written('{"a" [Q0 d,1 1 2.5 t\n')).frame.rows() == [('{"a"', "d,1", 2.5)]
    assert read_qrels(written("[query-id 0 doc-id 1\n")).frame.rows() == [("[query-id", "doc-id", 1)]


@pytest.mark.parametrize(
    "content",
    [
        "qid,docno,score\n1,Lake Placid,2\n",
        "qid,docno,score\n1,,2\n",
        "qid,docno,score\n#1,d,2\n",
        f"qid,docno,score\n1,{'d' * 501},2\n",
        "qid,docno,score\n1,d\n",
        "qid,docno,score\n1,d,x\n",
        "qid,docno,score\n1,d,\n",
        "[" * 100_000,
        '{"1": {"d": 2}',
        '{"1": {"d": {"e": 2}}}',
        '[{"qid": "1"}]',
        b"PAR1 and nothing else",
        parquet(pl.DataFrame({"a": [1]})),
    ],
)
def test_what_is_wrong_with_another_form_is_said_with_its_place(
    content: str | bytes, written: Callable[[str | bytes], Path]
) -> None:
    assert says(str(examine_run(written(content)).findings.error()))


def test_a_parquet_file_of_countless_equal_rows_is_not_unpacked(
    written: Callable[[str | bytes], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = pl.DataFrame({"qid": ["1"], "docno": ["d" * 400], "score": [1.0]})
    bomb = parquet(pl.concat([rows] * 20_000))
    assert len(bomb) < 20_000
    monkeypatch.setattr(row_entries, "MOST_BYTES", 1_000_000)
    with pytest.raises(InputError, match="split the file"):
        read_run(written(bomb))
    long = pl.DataFrame({"qid": ["1"] * 9, "docno": ["d" * 1_000_000] * 9, "score": [1.0] * 9})
    with pytest.raises(InputError, match="in rows 1 to 9 has more than 500 characters"):
        read_run(written(parquet(long)))


def test_the_description_above_a_run_is_kept(written: Callable[[str | bytes], Path]) -> None:
    run = read_run(
        written("<SYSDESC>dense\nretrieval</SYSDESC>\n0001 0 d1 1 2.5 team-E-1\n0001 0 d2 2 1.5 team-E-1\n")
    )
    assert run.header == "# SYSDESC: dense retrieval"
    assert run.frame.rows() == [("0001", "d1", 2.5), ("0001", "d2", 1.5)]
    assert run.line_of(0) == 3


def test_features_without_a_document_are_refused(written: Callable[[str | bytes], Path]) -> None:
    with refused(InputError):
        read_qrels(written("1 qid:1 1:0.5 # d1\n1 qid:1 1:0.5\n"))


def test_a_file_is_read_in_the_encoding_that_is_named(written: Callable[[str | bytes], Path]) -> None:
    path = written("1 Q0 文書 1 2.0 t\n".encode("euc-jp"))
    assert read_run(path, ParseMode(encoding="euc-jp")).frame["document_id"].to_list() == ["文書"]
    with pytest.raises(InputError, match="is not valid in ascii; name the encoding"):
        read_run(path, ParseMode(encoding="ascii"))
