"""Repeats and norming judgments: what is stored of them, and what their assessor sees."""

from __future__ import annotations

import pytest

from tests.log_rows import row as log_row
from workbench.core.records import TAKEN_BACK, Judgment
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.grades import off_record
from workbench.storage.campaign.grades.off_record import RepeatedJudgment
from workbench.storage.campaign.log import log

GIVEN = (("grade", 2), ("grade", 0), ("can't tell", None), ("cleared", None))


def row(number: int, document_id: str, kind: str, grade: int | None, assessor: str = "Ann") -> Judgment:
    uuid = f"uuid-{number:04d}"
    return log_row(assessor, "1", document_id, grade, kind=kind, uuid=uuid, pool=1, source="screen")


@pytest.mark.parametrize("kind", ["repeat", "norming"])
@pytest.mark.parametrize(("given", "grade"), GIVEN)
def test_what_is_stored_comes_back_as_it_was_given(kind: str, given: str, grade: int | None) -> None:
    judgment = row(1, "d1", given, grade)
    stored = judgment.off_record(kind)
    assert (stored.kind, stored.grade) == (kind, grade)
    assert (stored.source == TAKEN_BACK) == (given == "cleared")
    assert stored.as_given() == judgment


def test_a_judgment_that_counts_is_left_as_it_is() -> None:
    judgment = row(1, "d1", "adjudication", 1)
    assert judgment.as_given() is judgment


def test_twice_is_the_judgment_before_the_first_repeat_and_the_newest_repeat(small: Campaign) -> None:
    rows = [
        row(1, "d1", "grade", 0),
        row(2, "d1", "grade", 1),
        row(3, "d1", "repeat", 2),
        row(4, "d2", "can't tell", None),
        row(5, "d2", "repeat", 1),
        row(6, "d4", "grade", 1),
        row(7, "d4", "repeat", 1)._replace(source="elsewhere"),
        row(8, "d4", "repeat", None)._replace(source=TAKEN_BACK),
        row(9, "d1", "repeat", 0),
        row(10, "d1", "grade", 1, "Ben"),
    ]
    with small.write():
        stored = log.append_judgments(small, rows)
    assert off_record.repeated_judgments(small) == [
        RepeatedJudgment("1", "d1", "Ann", 1, 0),
        RepeatedJudgment("1", "d2", "Ann", None, 1),
    ]
    assert off_record.repeated_judgments(small.at(stored[2].seq)) == [
        RepeatedJudgment("1", "d1", "Ann", 1, 2)
    ]
    assert off_record.nth_newest(small, "Ann", 0) == stored[5].seq
    assert off_record.nth_newest(small, "Ann", 9) == 0
    assert off_record.nth_newest(small, "Ann", 0, stored[5].seq - 1) == stored[3].seq
    assert off_record.assessors_on_screen(small) == ["Ann", "Ben"]
