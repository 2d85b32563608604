"""workbench judging repeats, and what assessors then say of themselves."""

from __future__ import annotations

from tests.fixture_types import JudgeAs, Workbench
from tests.sentences import says
from workbench.storage.campaign import Campaign


def test_repeats_are_off_until_a_share_is_named(done: Workbench) -> None:
    nothing = done("repeats small")
    assert (nothing.stdout, says(nothing.stderr)) == ("", True)
    assert done("repeats small --format csv").stdout == "assessor,drawn,due,repeated\n"
    result = done("repeats small --share 0.03 --seed 5")
    assert says(result.stderr)
    assert "after at least 1 more judgment (seed 5)" in done("repeats small --gap 1").stderr
    assert says(done("repeats small --share 0").stderr)


def test_who_judged_again_has_a_row_in_both_tables(
    done: Workbench, campaign: Campaign, judging_as: JudgeAs
) -> None:
    done("repeats small --share 1 --gap 1")
    for document_id, grade in (("d1", 1), ("d2", 0), ("d1", 1), ("d4", 1), ("d2", 1)):
        judging_as(campaign, "Ann", "1", document_id, grade)
    rows = [line.split() for line in done("repeats small").stdout.splitlines()]
    assert rows == [["Assessor", "Drawn", "Due", "Repeated"], ["Ann", "3", "0", "2"]]
    result = done("agreement small --by assessor")
    assert result.stdout.splitlines()[1].split()[:3] == ["Ann", "2", "0.5000"]
    assert says(result.stderr)
