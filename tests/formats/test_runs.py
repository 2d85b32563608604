from __future__ import annotations

import gzip
import io
import math
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.sentences import says
from workbench.core.errors import InputError
from workbench.formats.runs import RankedDocuments, RunFile, read_run, read_runs, run_text
from workbench.formats.text.compression import zstd
from workbench.formats.text.writing import write_atomically

TWO_TOPICS = "1 Q0 a 1 2.5 bm25\n1 Q0 b 2 1.5 bm25\n2 Q0 a 1 7 bm25\n"
ROWS = [("1", "a", 2.5), ("1", "b", 1.5), ("2", "a", 7.0)]


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run_of(text: str | bytes, name: str = "bm25.run") -> RunFile:
    Path(name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_run(name)


def refusal(text: str | bytes) -> list[str]:
    with pytest.raises(InputError) as caught:
        run_of(text)
    return str(caught.value).splitlines()


def test_a_topic_that_begins_with_a_hash_is_a_comment_and_is_reported() -> None:
    run = run_of(TWO_TOPICS + "#3 Q0 a 1 7 bm25\n")
    assert run.frame.rows() == ROWS
    [warning] = run.warnings
    assert says(str(warning), "bm25.run:4", "#")


@pytest.mark.parametrize("text", ["# only a comment\n", "\n\n", " \t\n"])
def test_a_file_without_a_row_is_refused(text: str) -> None:
    assert says("\n".join(refusal(text)))


def test_an_empty_a_binary_and_a_foreign_file_are_refused() -> None:
    assert says("\n".join(refusal("")))
    assert says(refusal(b"\x00\x01\x02")[0])
    assert says(refusal(TWO_TOPICS.encode("utf-16"))[0])
    assert refusal("<?xml version='1.0'?>\n")[0].startswith("bm25.run:1: this looks like XML or SGML")
    assert "workbench add qrels" in refusal("1 0 a 1\n1 0 b 0\n")[0]
    assert says(refusal(gzip.compress(TWO_TOPICS.encode())[:-3])[0])


def test_what_only_begins_as_compressed_bytes_do_is_refused() -> None:
    assert refusal(zstd().compress(b"\x28\xb5\x2f\xfd 1 Q0 a 1 2 t\n"))[0].startswith("bm25.run:1: ")


def test_several_runs_are_read_in_the_order_given() -> None:
    names = [f"{number}.run" for number in range(5)]
    for name in names:
        Path(name).write_text(TWO_TOPICS.replace("bm25", name))
    assert [run.tag for run in read_runs(names)] == names


def test_problems_of_several_runs_are_told_together_and_nothing_is_read() -> None:
    Path("good.run").write_text(TWO_TOPICS)
    Path("bad.run").write_text("1 Q0 a 1 x t\n")
    with pytest.raises(InputError) as caught:
        read_runs(["gone.run", "good.run", "bad.run"])
    assert [problem.file for problem in caught.value.problems] == ["gone.run", "bad.run"]


def test_a_run_is_written_with_ranks_from_one_in_each_topic() -> None:
    rankings = [RankedDocuments("1", ["a", "b"], [0.1, -math.inf]), RankedDocuments("2", ["a"], [1e300])]
    assert "".join(run_text("out.run", "# team: x\nyear: 2025", rankings, "t")) == (
        "# team: x\n# year: 2025\n1 Q0 a 1 0.1 t\n1 Q0 b 2 -inf t\n2 Q0 a 1 1e+300 t\n"
    )


@pytest.mark.parametrize(
    ("topic_id", "document_id", "score"),
    [
        ("1", "a b", 1.0),
        ("1", "", 1.0),
        ("", "a", 1.0),
        ("#1", "a", 1.0),
        ("1", "a\n", 1.0),
        ("1", "a\0", 1.0),
        ("1", "a", math.nan),
    ],
)
def test_what_could_not_be_read_again_is_not_written(topic_id: str, document_id: str, score: float) -> None:
    with pytest.raises(InputError, match=r"^out\.run: "):
        first = RankedDocuments("0", ["a"], [1.0])
        second = RankedDocuments(topic_id, ["b", document_id], [2.0, score])
        list(run_text("out.run", "", [first, second], "t"))


WORDS = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters=" \t\n\r\v\f\0#\ufeff"), min_size=1
)


def by_topic(rows: list[tuple[str, str, float]]) -> dict[str, list[tuple[str, str, float]]]:
    found: dict[str, list[tuple[str, str, float]]] = {}
    for row in rows:
        found.setdefault(row[0], []).append(row)
    return found


@settings(max_examples=100, deadline=None)
@given(
    rows=st.lists(
        st.tuples(WORDS, WORDS, st.floats(allow_nan=False)),
        min_size=1,
        max_size=8,
        unique_by=lambda row: row[:2],
    ),
    tag=WORDS,
    header=st.lists(WORDS, max_size=2),
)
def test_a_run_that_was_written_is_read_back_the_same(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str, float]], tag: str, header: list[str]
) -> None:
    path = tmp_path_factory.getbasetemp() / "again.run"
    rankings = [
        RankedDocuments(topic_id, [row[1] for row in own], [row[2] for row in own])
        for topic_id, own in by_topic(rows).items()
    ]
    write_atomically(path, run_text(path, "\n".join(header), rankings, tag))
    run = read_run(path)
    assert run.frame.rows() == [row for own in by_topic(rows).values() for row in own]
    assert run.tag == tag
    assert run.header == "\n".join(f"# {line}" for line in header)


@pytest.mark.data
@pytest.mark.parametrize(
    ("pattern", "files", "rows"),
    [
        ("robust03/runs/*.gz", 17, 1_510_973),
        ("cranfield/runs/*.gz", 22, 229_390),
        ("cranfield/runs-bad/*.txt", 1, 5_625),
        ("wows/runs/*.gz", 12, 23_400),
        ("golden/*/run.txt", 60, None),
        ("nist/test/results*.test", 3, None),
    ],
)
def test_real_runs_are_read_whole(data_folder: Path, pattern: str, files: int, rows: int | None) -> None:
    runs = read_runs(sorted(data_folder.glob(pattern)))
    assert len(runs) == files
    assert rows is None or sum(run.frame.height for run in runs) == rows


@pytest.mark.data
@pytest.mark.parametrize(
    "name",
    [
        "formats-ntcir/geotime-M-JA-JA-01-D",
        "formats-ntcir/pyntcireval/sample.res",
        "robust03/qrels.txt",
        "formats/qrels.misinfo2019.dyneval-5col.txt.gz",
        "wows/judgment-pool.json",
        "wows/manual.csv",
        "documents/terrier",
    ],
)
def test_files_that_are_no_runs_are_refused_for_what_they_are(data_folder: Path, name: str) -> None:
    with pytest.raises(InputError) as caught:
        read_run(data_folder / name)
    [problem] = caught.value.problems
    assert says(problem.message)


@pytest.mark.data
def test_text_after_the_tag_of_a_real_run_is_reported(data_folder: Path) -> None:
    run = read_run(data_folder / "nist/test/results.trunc")
    assert run.tag == "STANDARD"
    assert says("\n".join([warning.message for warning in run.warnings]))


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace(" ", "\t"),
        lambda text: text.replace(" ", " \t "),
        lambda text: text.replace("\n", "\r\n"),
        lambda text: "\ufeff" + text,
        lambda text: text.rstrip("\n"),
        lambda text: "\n \n" + text.replace("\n", "\n\n"),
        lambda text: "  " + text.replace("\n", " \t\n"),
        lambda text: text.replace(" ", "\v"),
    ],
)
def test_the_layout_of_the_lines_does_not_matter(change: Callable[[str], str]) -> None:
    run = run_of(change(TWO_TOPICS))
    assert run.frame.rows() == ROWS
    assert run.warnings == ()


def test_identifiers_stay_text_in_any_script() -> None:
    lines = '007 Q0 文書\u00a0一 1 3 t\n7 Q0 "quoted" 1 2 t\n7 Q0 a,b 2 1 t\nvāc Q0 NA 1 1 null\n'
    run = run_of(lines.replace(" null", " t"))
    assert run.frame["topic_id"].to_list() == ["007", "7", "7", "vāc"]
    assert run.frame["document_id"].to_list() == ["文書\u00a0一", '"quoted"', "a,b", "NA"]


def test_columns_after_the_tag_are_accepted_and_told_once() -> None:
    run = run_of("1 Q0 a 1 2.5 my system\n1 Q0 b 2 1.5 my system\n")
    assert run.tag == "my"
    assert says("\n".join(list(map(str, run.warnings))))


def test_a_run_is_read_from_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"# x\n" + TWO_TOPICS.encode())))
    run = read_run("-")
    assert run.frame.rows() == ROWS
    assert (run.file, run.line_of(0)) == ("-", 2)
