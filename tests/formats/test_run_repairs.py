"""Repairs of a run file change what they say, count it, and leave files alone that do not need them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sentences import refused, says
from workbench.core.errors import UnknownName
from workbench.formats.run_repairs import AS_SENT, Repairs, best_lines, chosen_repairs, first_lines
from workbench.formats.runs import ExaminedRun, RunFile, examine_run

TWICE = "# made by x\n1 Q0 a 1 3 t\n\n1 Q0 b 2 2 t\n1 Q0 a 3 5 t\n2 Q0 a 1 1 t\n"
Examine = Callable[..., ExaminedRun]


@pytest.fixture
def examine(tmp_path: Path) -> Examine:
    def examined(text: str, **ways: str) -> ExaminedRun:
        (path := tmp_path / "a.run").write_text(text, encoding="utf-8", newline="")
        return examine_run(path, repairs=chosen_repairs(**ways))

    return examined


def taken(examined: ExaminedRun) -> RunFile:
    assert not examined.findings.refuses, examined.findings.problems
    assert examined.run is not None
    return examined.run


def rows(run: RunFile) -> list[tuple[int, str, str, float]]:
    """Each row with the line on which it stands."""
    return [(run.line_of(number), *row) for number, row in enumerate(run.frame.iter_rows())]


def test_of_a_document_listed_twice_the_first_line_is_kept(examine: Examine) -> None:
    run = taken(examine(TWICE, duplicates="first"))
    assert rows(run) == [(2, "1", "a", 3.0), (4, "1", "b", 2.0), (6, "2", "a", 1.0)]
    assert [repair[:2] for repair in run.repairs] == [("duplicates first", 1)]
    assert run.header == "# made by x"


def test_of_a_document_listed_twice_the_line_with_the_best_score_is_kept(examine: Examine) -> None:
    run = taken(examine(TWICE, duplicates="best-score"))
    assert rows(run) == [(4, "1", "b", 2.0), (5, "1", "a", 5.0), (6, "2", "a", 1.0)]
    assert [repair[:2] for repair in run.repairs] == [("duplicates best-score", 1)]


@given(st.lists(st.tuples(st.sampled_from("12"), st.sampled_from("ab"), st.sampled_from([1.0, 2.0, 3.0]))))
def test_each_pair_is_kept_once_by_its_first_line_or_its_best(found: list[tuple[str, str, float]]) -> None:
    schema = {"topic_id": pl.String, "document_id": pl.String, "score": pl.Float64}
    frame = pl.DataFrame(found, schema=schema, orient="row")
    first: dict[tuple[str, str], int] = {}
    best: dict[tuple[str, str], int] = {}
    for place, (topic_id, document_id, score) in enumerate(found):
        pair = (topic_id, document_id)
        first.setdefault(pair, place)
        if pair not in best or score > found[best[pair]][2]:
            best[pair] = place
    assert first_lines(frame).arg_true().to_list() == sorted(first.values())
    assert best_lines(frame).arg_true().to_list() == sorted(best.values())


def test_lines_that_cannot_be_read_are_left_out_and_counted(examine: Examine) -> None:
    text = "qid Q0 docno rank score tag\n1 Q0 a 1 3 t\n1 Q0 b 2\n1 Q0 c 3 nan t\n1 Q0 c 4 1 t\n"
    run = taken(examine(text, bad_lines="drop"))
    assert rows(run) == [(2, "1", "a", 3.0), (5, "1", "c", 1.0)]
    ((name, lines, message),) = run.repairs
    assert (name, lines, says(message, "3", "line 1")) == ("bad-lines drop", 3, True)
    assert examine(text).findings.counts == {"columns": 1, "score": 2, "tag": 1, "duplicate": 1}


def test_lines_with_carriage_returns_in_them_keep_their_numbers(examine: Examine) -> None:
    run = taken(examine("1 Q0 a 1 3 t\n# x\r1 Q0 z 1 9 t\n1 Q0 b 2 2 t\r\n", bad_lines="drop"))
    assert rows(run) == [(1, "1", "a", 3.0), (3, "1", "b", 2.0)]


def test_a_file_with_several_tags_is_one_run_by_the_first(examine: Examine) -> None:
    run = taken(examine("1 Q0 a 1 3 t\n1 Q0 b 2 2 u\n1 Q0 c 3 1 u\n", tags="first"))
    assert (run.tag, run.frame.height) == ("t", 3)
    ((name, lines, message),) = run.repairs
    assert (name, lines, says(message, "2", "'t'")) == ("tags first", 2, True)


def test_a_file_of_bad_lines_alone_is_refused_whatever_is_repaired(examine: Examine) -> None:
    assert examine("1 Q0 a 1 x t\n1 Q0 b 1 y t\n", bad_lines="drop").findings.counts == {"score": 2}


def test_a_way_that_a_repair_does_not_have_is_refused_with_those_that_it_has() -> None:
    with refused(UnknownName, "last"):
        chosen_repairs(duplicates="last")
    assert chosen_repairs() == AS_SENT == Repairs("", "", "", "", "", "")
