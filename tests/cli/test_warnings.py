"""workbench campaign warnings: what the dashboard warns of, dismissed and restored."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import judge_as
from tests.fixture_types import Workbench
from tests.sentences import says
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.log import log


@pytest.fixture
def disputed(campaign: Campaign) -> None:
    """Ann and Ben differ on d1 of topic 1."""
    judge_as(campaign, "Ann", "1", "d1", 2)
    judge_as(campaign, "Ben", "1", "d1", 0)


def conflicts(done: Workbench) -> dict[str, Any]:
    """The warning of conflicts: what it is about, and how it is dismissed."""
    printed = json.loads(done("warnings", "small", "--format", "json").stdout)
    (found,) = [each for each in printed if each["warning"] == "conflicts"]
    return {name: found[name] for name in ("about", "dismissed_note", "dismissed_by", "dismissed_at")}


@pytest.mark.usefixtures("disputed")
def test_a_warning_is_dismissed_with_a_note_restored_and_comes_back_when_it_is_about_something_else(
    done: Workbench, campaign: Campaign
) -> None:
    about = [{"name": "1", "note": "1 pair"}]
    as_before = {"dismissed_note": None, "dismissed_by": None, "dismissed_at": None}
    assert conflicts(done) == {"about": about, **as_before}
    said = done("warnings", "small", "conflicts", "--dismiss", "Ben is right").stderr
    assert says(said)
    _, note, by, at = conflicts(done).values()
    assert (note, bool(by), at[:2]) == ("Ben is right", True, "20")
    assert "Ben is right" in done("warnings", "small").stdout.splitlines()[-1]
    assert done("warnings", "small", "conflicts", "--restore").stderr == "conflicts is shown again.\n"
    assert conflicts(done)["dismissed_by"] is None
    done("warnings", "small", "conflicts", "--dismiss", "Ben is right")
    judge_as(campaign, "Ann", "1", "d2", 2)
    judge_as(campaign, "Ben", "1", "d2", 0)
    assert conflicts(done) == {"about": [{"name": "1", "note": "2 pairs"}], **as_before}


@pytest.mark.usefixtures("disputed")
@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (
            ["conflict", "--dismiss", "known"],
            1,
            "there is no warning 'conflict' in small; did you mean conflicts?",
        ),
        (["conflicts", "--dismiss", " "], 1, "write a note of 1 to"),
        (["conflicts", "--restore"], 1, "this warning is not dismissed"),
        (["conflicts"], 2, "to change a warning name it, with either --dismiss NOTE or --restore"),
        (["--restore"], 2, "to change a warning name it"),
        (["conflicts", "--restore", "--dismiss", "known"], 2, "to change a warning name it"),
    ],
)
def test_what_cannot_be_dismissed_or_restored_is_said_and_nothing_is_stored(
    workbench: Workbench, words: list[str], status: int, message: str
) -> None:
    def head() -> int:
        with open_campaign(Path("instance/small.db")) as opened:
            return log.newest_seq(opened)

    before = head()
    refused = workbench("warnings", "small", *words)
    assert (refused.exit_code, message in refused.stderr, head()) == (status, True, before)


@pytest.mark.usefixtures("disputed")
def test_a_warning_is_dismissed_once(done: Workbench, workbench: Workbench) -> None:
    done("warnings", "small", "conflicts", "--dismiss", "known")
    again = workbench("warnings", "small", "conflicts", "--dismiss", "known")
    assert (again.exit_code, says(again.stderr)) == (1, True)


def test_a_campaign_without_warnings_says_so(done: Workbench) -> None:
    done("new", "empty")
    printed = done("warnings", "empty")
    assert (printed.stdout, printed.stderr) == ("", "No warnings.\n")


@pytest.mark.usefixtures("disputed")
def test_a_table_of_warnings_ends_with_those_that_are_dismissed(done: Workbench) -> None:
    done("warnings", "small", "conflicts", "--dismiss", "known")
    rows = list(csv.reader(done("warnings", "small", "--format", "csv").stdout.splitlines()))
    assert rows[0] == ["warning", "level", "says", "dismissed_note", "dismissed_by", "dismissed_at"]
    assert [(row[0], row[3]) for row in rows[1:] if row[4]] == [("conflicts", "known")]
    assert rows[-1][0] == "conflicts"
    printed = json.loads(done("warnings", "small", "--format", "json").stdout)
    assert {(each["warning"], each["says"]) for each in printed} == {(row[0], row[2]) for row in rows[1:]}
