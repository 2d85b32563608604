"""workbench campaign warnings: what the dashboard warns of, dismissed and restored."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.conftest import judge_as
from tests.fixture_types import Fails, Workbench
from tests.sentences import says
from workbench.storage.campaign import Campaign


@pytest.fixture
def disputed(campaign: Campaign) -> None:
    """Ann and Ben differ on d1 of topic 1."""
    judge_as(campaign, "Ann", "1", "d1", 2)
    judge_as(campaign, "Ben", "1", "d1", 0)


def conflicts(done: Workbench) -> dict[str, Any]:
    """The warning of conflicts: what it is about, and how it is dismissed."""
    printed = json.loads(done("warnings small --format json").stdout)
    (found,) = [each for each in printed if each["warning"] == "conflicts"]
    return {name: found[name] for name in ("about", "dismissed_note", "dismissed_by", "dismissed_at")}


@pytest.mark.usefixtures("disputed")
def test_a_warning_is_dismissed_with_a_note_restored_and_comes_back_when_it_is_about_something_else(
    done: Workbench, campaign: Campaign
) -> None:
    about = [{"name": "1", "note": "1 pair"}]
    as_before = {"dismissed_note": None, "dismissed_by": None, "dismissed_at": None}
    assert conflicts(done) == {"about": about, **as_before}
    said = done("warnings small conflicts --dismiss 'Ben is right'").stderr
    assert says(said)
    _, note, by, at = conflicts(done).values()
    assert (note, bool(by), at[:2]) == ("Ben is right", True, "20")
    assert "Ben is right" in done("warnings small").stdout.splitlines()[-1]
    assert done("warnings small conflicts --restore").stderr == "conflicts is shown again.\n"
    assert conflicts(done)["dismissed_by"] is None
    done("warnings small conflicts --dismiss 'Ben is right'")
    judge_as(campaign, "Ann", "1", "d2", 2)
    judge_as(campaign, "Ben", "1", "d2", 0)
    assert conflicts(done) == {"about": [{"name": "1", "note": "2 pairs"}], **as_before}


@pytest.mark.usefixtures("disputed")
@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("conflict --dismiss known", 1),
        ("conflicts --dismiss ' '", 1),
        ("conflicts --restore", 1),
        ("conflicts", 2),
        ("--restore", 2),
        ("conflicts --restore --dismiss known", 2),
    ],
)
def test_what_cannot_be_dismissed_or_restored_is_said_and_nothing_is_stored(
    fails: Fails, state: Callable[[], bytes], words: str, status: int
) -> None:
    before = state()
    assert says(fails(f"warnings small {words}", status=status))
    assert state() == before


@pytest.mark.usefixtures("disputed")
def test_a_table_of_warnings_ends_with_those_that_are_dismissed(done: Workbench, fails: Fails) -> None:
    done("warnings small conflicts --dismiss known")
    assert says(fails("warnings small conflicts --dismiss known"))
    rows = list(csv.reader(done("warnings small --format csv").stdout.splitlines()))
    assert rows[0] == ["warning", "level", "says", "dismissed_note", "dismissed_by", "dismissed_at"]
    assert [(row[0], row[3]) for row in rows[1:] if row[4]] == [("conflicts", "known")]
    assert rows[-1][0] == "conflicts"
    printed = json.loads(done("warnings small --format json").stdout)
    assert {(each["warning"], each["says"]) for each in printed} == {(row[0], row[2]) for row in rows[1:]}
