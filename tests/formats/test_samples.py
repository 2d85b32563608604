"""Samples that were drawn elsewhere: candidates with their strata, probabilities and grades, from each kind of file."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.core.errors import InputError
from workbench.formats.samples import SampleFile, read_sample

HEAD = "topic_id,document_id,stratum,inclusion_probability,drawn,grade\n"


def read(folder: Path, text: str) -> SampleFile:
    (folder / "sample").write_text(text)
    return read_sample(folder / "sample")


def refusal(folder: Path, text: str) -> list[str]:
    with pytest.raises(InputError) as told:
        read(folder, text)
    return [str(problem).removeprefix(f"{folder}/") for problem in told.value.problems]


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
def test_a_table_tells_the_probabilities_whatever_is_judged(
    other: str, has_strata: bool, tmp_path: Path
) -> None:
    found = read(tmp_path, f"{HEAD}1,a,1,0.5,1,2\n1,b,1,{other},0,\n2,a,3,1,1,\n")
    assert found.frame.rows() == [
        ("1", "a", 1, 0.5, True, 2),
        ("1", "b", 1, float(other), False, None),
        ("2", "a", 3, 1.0, True, None),
    ]
    assert found.strata == has_strata
    assert found.layout.line_of(0) == 2


NO_NUMBER = "is not a whole number from {} to 999999999; number the strata"
NO_RATE = (
    "is judged, so the share that was drawn is unknown; give the table with the column inclusion_probability "
    "(export sample --format csv), or leave the stratum's lines out"
)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "1 0 a x 2\n1 0 b y 0\n",
            [f"sample:1: stratum 'x' {NO_NUMBER.format(0)}", f"sample:2: stratum 'y' {NO_NUMBER.format(0)}"],
        ),
        ("1 0 a 1 2\n1 0 b 2 -1\n1 0 c 2 -1\n", [f"sample:2: nothing of stratum 2 of topic 1 {NO_RATE}"]),
        ("1 0 a 0 2\n1 0 b 1 -1\n", [f"sample:2: nothing of stratum 1 of topic 1 {NO_RATE}"]),
        (HEAD, ["sample: the table has no candidates; add a line for each"]),
        (f"{HEAD}1,a,0,0.5,1,2\n", [f"sample:2: stratum '0' {NO_NUMBER.format(1)}"]),
        (f"{HEAD}1,a,1000000000,0.5,1,2\n", [f"sample:2: stratum '1000000000' {NO_NUMBER.format(1)}"]),
        (
            f"{HEAD}1,a,1,0.5,1,2\n1,b,1,1.5,2,0\n1,a b,1,0.5,0,1\n1,a,1,0.5,1,2\n",
            [
                "sample:3: drawn is '2'; write 1 for a document that was drawn to be judged, else 0",
                "sample:3: probability '1.5' is not above 0 and at most 1; what is never drawn is in no such file",
                "sample:4: document_id 'a b' is not one word; write the identifier as in the run files",
                "sample:4: a document that was not drawn has the grade '1'; write 1 in drawn, or no grade",
                "sample:5: document 'a' is listed twice in topic '1', first at line 2; keep one of the two lines",
            ],
        ),
    ],
)
def test_what_is_no_sample_is_refused_with_the_lines(text: str, said: list[str], tmp_path: Path) -> None:
    assert refusal(tmp_path, text) == said


def test_lines_that_hold_no_candidate_keep_the_numbers_of_the_others(tmp_path: Path) -> None:
    found = read(tmp_path, f"{HEAD}\n1,a,999999999,0.5,1,2\n\n\n1,b,1,0.5,1,0\n")
    assert [found.layout.line_of(row) for row in range(2)] == [3, 6]
    assert found.judged.frame.rows() == [("1", "a", 2), ("1", "b", 0)]
