"""Which grades tell whether an assessor is stricter than another: those of pairs that no grade selected."""

from __future__ import annotations

import itertools

import pytest

from tests.log_rows import row
from workbench.analysis.assessors.against_peers import as_likely_swapped, comparable
from workbench.analysis.assessors.profile import summaries
from workbench.analysis.between_assessors.gathering import gather
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning import draws, norming
from workbench.storage.campaign.assigning.draws import DrawnPair, DrawRecord
from workbench.storage.campaign.grades import judging_again
from workbench.storage.campaign.log import log

PAIRS = [("1", "d1"), ("1", "d2"), ("1", "d4"), ("2", "d1"), ("2", "d2")]


def give(campaign: Campaign, assessor: str, *grades: int | None, kind: str = "grade") -> None:
    """Grades of PAIRS in their order; None leaves one out."""
    with campaign.write():
        given = zip(PAIRS, grades, strict=False)
        rows = [row(assessor, *pair, grade, kind=kind) for pair, grade in given if grade is not None]
        log.append_judgments(campaign, rows)


def draw(campaign: Campaign, stratify: str, *drawn: tuple[int, str, float]) -> None:
    record = DrawRecord(share=0.5, seed=1, stratify=stratify, allocate="equal", pairs=5)
    pairs = [DrawnPair(*PAIRS[place], stratum, chance) for place, stratum, chance in drawn]
    with campaign.write():
        draws.put(campaign.by("Olga"), record, pairs)


def left(campaign: Campaign) -> dict[str, str]:
    """By document and topic the initials of assessors whose grades are compared."""
    found = gather(campaign)
    return {
        f"{document_id} of {topic_id}": "".join(
            name[0] for name, counts in zip(found.assessors, line, strict=True) if counts
        )
        for (topic_id, document_id), line in zip(found.pairs, comparable(campaign, found), strict=True)
    }


def test_whole_topics_and_pairs_drawn_without_regard_to_grades_are_compared(small: Campaign) -> None:
    give(small, "Ann", 0, 1, 1, 0, 2)
    draw(small, "topic", (3, "2", 0.5))
    give(small, "Ben", 1, 1, 0, 2)
    assert set(left(small).values()) == {"AB"}


def test_a_pair_drawn_by_grade_counts_where_the_second_grade_was_as_likely_to_be_drawn(
    small: Campaign,
) -> None:
    """Of grade 1 all are drawn, of grade 0 one in a thousand: what became 0 stays out, what became 1 counts."""
    give(small, "Ann", 1, 0, 1, 1, 1)
    draw(small, "grade", (0, "1", 1.0), (1, "0", 0.001), (2, "1", 1.0), (3, "1", 1.0), (4, "1", 1.0))
    give(small, "Ben", 0, 1, 1, 2)
    give(small, "Ann", None, None, None, None, 0)
    give(small, "Ben", None, None, None, None, 0)
    assert left(small) == {"d1 of 1": "", "d2 of 1": "AB", "d4 of 1": "AB", "d1 of 2": "", "d2 of 2": ""}
    ann = summaries(small)[0].peers
    assert ann is not None
    assert (ann.compared, ann.left_out, ann.lower, ann.same) == (2, 3, 1, 1)


@pytest.mark.parametrize(("own", "other"), list(itertools.permutations((0, 1, 2), 2)))
def test_of_drawn_pairs_those_are_kept_that_would_be_drawn_with_swapped_grades(own: int, other: int) -> None:
    chances = {"0": 0.1, "1": 0.4, "2": 1.0}
    kept = sum(as_likely_swapped(("1", f"d{number}"), own, other, chances) for number in range(2000)) / 2000
    assert kept == pytest.approx(min(1, chances[str(other)] / chances[str(own)]), abs=0.03)


def test_who_met_without_the_draw_is_compared_and_the_third_is_not(small: Campaign) -> None:
    give(small, "Ann", 1)
    give(small, "Ben", 0)
    draw(small, "grade", (0, "0", 1.0))
    give(small, "Carla", 1)
    assert left(small) == {"d1 of 1": "AB"}


def test_a_grade_that_was_asked_for_is_not_compared(small: Campaign) -> None:
    give(small, "Ann", 1, 1)
    give(small, "Ben", 1)
    with small.write():
        judging_again.put(small.by("Olga"), [("1", "d1", "Carla"), ("1", "d2", "Carla")])
    give(small, "Carla", 0, 0)
    assert left(small) == {"d1 of 1": "AB", "d2 of 1": "A"}


def test_a_grade_given_after_a_norming_session_is_not_compared(small: Campaign) -> None:
    give(small, "Ann", 1, 1)
    give(small, "Ben", 0)
    with small.write():
        norming.put_open(small.by("Olga"), "1", ["d1", "d2"])
    give(small, "Ben", None, 1)
    assert left(small) == {"d1 of 1": "AB", "d2 of 1": "A"}


def test_an_import_of_a_part_of_what_was_judged_is_not_compared(small: Campaign) -> None:
    give(small, "nist", 1, 1, kind="import")
    give(small, "Ann", 1, 0, 1, 0, 1)
    give(small, "Ben", 1, None, 1, 0, 0, kind="import")
    assert left(small) == {"d1 of 1": "An", "d2 of 1": "An", "d4 of 1": "A", "d1 of 2": "AB", "d2 of 2": "AB"}
