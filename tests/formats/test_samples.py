"""Samples that were drawn elsewhere: candidates with their strata, probabilities and grades, from each kind of file."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sentences import says
from workbench.core.errors import InputError
from workbench.formats.samples import SampleFile, read_sample

HEAD = "topic_id,document_id,stratum,inclusion_probability,drawn,grade\n"


def read(folder: Path, text: str) -> SampleFile:
    (folder / "sample").write_text(text)
    return read_sample(folder / "sample")


def test_of_strata_the_probability_is_the_share_that_is_judged(tmp_path: Path) -> None:
    found = read(tmp_path, "1 0 a 1 2\n1 0 b 2 -1\n1 0 c 2 0\n2 0 a 1 0\n")
    assert found.frame.columns == ["topic_id", "document_id", "stratum", "probability", "drawn", "grade"]
    assert found.frame.rows() == [
        ("1", "a", 1, 1.0, True, 2),
        ("1", "b", 2, 0.5, False, None),
        ("1", "c", 2, 0.5, True, 0),
        ("2", "a", 1, 1.0, True, 0),
    ]
    assert (found.file, found.source.size, found.warnings) == (str(tmp_path / "sample"), 41, ())
    assert found.strata
    assert found.layout.line_of(3) == 4


def test_prels_are_what_was_drawn_in_one_stratum(tmp_path: Path) -> None:
    found = read(tmp_path, "1 a 2 1 1.0\n1 c -1 1 0.25\n")
    assert found.frame.columns == ["topic_id", "document_id", "stratum", "probability", "drawn", "grade"]
    assert found.frame.rows() == [("1", "a", 1, 1.0, True, 2), ("1", "c", 1, 0.25, True, None)]
    assert not found.strata


@pytest.mark.parametrize(("other", "has_strata"), [("0.5", True), ("0.25", False)])
def test_a_table_tells_the_probabilities(other: str, has_strata: bool, tmp_path: Path) -> None:
    found = read(tmp_path, f"{HEAD}1,a,1,0.5,1,2.0\n1,b,1,{other},0,\n2,a,3,1,1,\n")
    assert found.frame.rows() == [
        ("1", "a", 1, 0.5, True, 2),
        ("1", "b", 1, float(other), False, None),
        ("2", "a", 3, 1.0, True, None),
    ]
    assert found.strata == has_strata
    assert found.layout.line_of(0) == 2


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("1 0 a x 2\n1 0 b y 0\n", [1, 2]),
        ("1 0 a 1 2\n1 0 b 2 -1\n1 0 c 2 -1\n", [2]),
        ("1 0 a 0 2\n1 0 b 1 -1\n", [2]),
        (HEAD, [None]),
        (f"{HEAD}1,a,0,0.5,1,2\n", [2]),
        (f"{HEAD}1,a,1000000000,0.5,1,2\n", [2]),
        (f"{HEAD}1,a,1,0.5,1,2\n1,b,1,1.5,2,0\n1,a b,1,0.5,0,1\n1,a,1,0.5,1,2\n", [3, 3, 4, 4, 5]),
    ],
)
def test_what_is_no_sample_is_refused(text: str, lines: list[int | None], tmp_path: Path) -> None:
    with pytest.raises(InputError) as told:
        read(tmp_path, text)
    assert [problem.line for problem in told.value.problems] == lines
    assert all(says(problem.message) for problem in told.value.problems)


def test_lines_that_hold_no_candidate_keep_the_numbers_of_the_others(tmp_path: Path) -> None:
    found = read(tmp_path, f"{HEAD}\n1,a,999999999,0.5,1,2\n\n\n1,b,1,0.5,1,0\n")
    assert [found.layout.line_of(row) for row in range(2)] == [3, 6]
    assert found.judged.frame.rows() == [("1", "a", 2), ("1", "b", 0)]
