"""`workbench campaign set` prints what is in force, and what was and what is now."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.fixture_types import JudgeAs, Workbench
from tests.sentences import says
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log.log import newest_seq
from workbench.storage.campaign.organising import settings


def test_all_settings_are_listed_with_their_values(done: Workbench) -> None:
    printed = done("set", "small").stdout
    assert "Setting" in printed
    assert "What it is" in printed
    assert "relevant-from" in printed
    found = json.loads(done("set", "small", "--format", "json").stdout)
    assert found["title"] == "Small"
    assert found["grades"][-1]["grade"] == max(grade["grade"] for grade in found["grades"])


def test_a_change_says_what_was_and_what_is_now(done: Workbench, campaign: Campaign) -> None:
    assert done("set", "small", "title", "Rivers").stdout.startswith(
        "title: was “Small”, is now “Rivers” (log row "
    )
    assert says(done("set", "small", "title", "Rivers").stdout, "Rivers")
    assert settings.read(campaign).title == "Rivers"


def test_a_change_for_programs_is_json(done: Workbench) -> None:
    found = json.loads(done("set", "small", "judging-until", "2027-03-31", "--format", "json").stdout)
    assert (found["setting"], found["was"], found["is"]) == ("judging-until", "", "2027-03-31")
    assert isinstance(found["row"], int)
    again = json.loads(done("set", "small", "judging-until", "2027-03-31", "--format", "json").stdout)
    assert (again["was"], again["is"], again["row"]) == ("2027-03-31", "2027-03-31", None)


def test_guidelines_come_from_a_file_and_are_printed_whole(done: Workbench) -> None:
    Path("guidelines.md").write_text("# Read\n\nالكل\n", encoding="utf-8")
    said = done("set", "small", "guidelines", "--file", "guidelines.md").stdout
    assert said.startswith("guidelines: was empty, is now “# Read الكل” (12 characters)")
    assert done("set", "small", "guidelines").stdout == "# Read\n\nالكل\n"
    assert "was “# Read الكل”" in done("set", "small", "guidelines", "--file", "-", given="None.").stdout


@pytest.mark.parametrize(
    ("length", "shown"), [(100, "x" * 100), (101, f"{'x' * 99}…"), (250, f"{'x' * 99}…")]
)
def test_a_long_text_is_shown_by_its_beginning_and_its_length(
    done: Workbench, length: int, shown: str
) -> None:
    Path("guidelines.md").write_text("x" * length, encoding="utf-8")
    said = done("set", "small", "guidelines", "--file", "guidelines.md").stdout
    assert said.startswith(f"guidelines: was empty, is now “{shown}” ({length} characters)")


def test_guidelines_of_a_megabyte_are_refused_and_nothing_changes(
    workbench: Workbench, done: Workbench
) -> None:
    Path("big.md").write_text("x" * 1_048_576, encoding="utf-8")
    for words in (
        ["set", "small", "guidelines", "--file", "big.md"],
        ["new", "other", "--guidelines", "big.md"],
    ):
        refused = workbench(*words)
        assert refused.exit_code == 1
        assert "guidelines: 1,048,576 characters, at most 100,000" in refused.stderr
    assert done("set", "small", "guidelines").stdout == "\n"
    assert not Path("instance/other.db").exists()


def test_what_is_no_setting_and_two_values_are_refused(workbench: Workbench) -> None:
    assert "did you mean title" in workbench("set", "small", "titel", "x").stderr
    assert workbench("set", "small", "title", "x", "--file", "y").exit_code == 2
    assert workbench("set", "small", "--file", "y").exit_code == 2


def test_a_new_campaign_of_a_name_that_is_taken_advises_to_delete_nothing(workbench: Workbench) -> None:
    refused = workbench("new", "small")
    assert refused.exit_code == 1
    assert says(refused.stderr)


def test_guidelines_that_are_not_utf_8_are_taken_with_a_warning(done: Workbench) -> None:
    Path("guidelines.txt").write_bytes("Größe zählt.".encode("latin-1"))
    said = done("set", "small", "guidelines", "--file", "guidelines.txt").stderr
    assert said.startswith("Warning: guidelines.txt: ")
    assert done("set", "small", "guidelines").stdout == "Größe zählt.\n"


def test_what_follows_from_a_change_after_the_first_judgment_is_said(
    done: Workbench, campaign: Campaign, judging_as: JudgeAs
) -> None:
    assert done("set", "small", "relevant-from", "2").stderr == ""
    done("set", "small", "relevant-from", "1")
    judging_as(campaign, "Ann", "1", "d1", 2)
    assert done("set", "small", "break-minutes", "20").stderr == ""
    changed = done("set", "small", "relevant-from", "2")
    row = newest_seq(campaign)
    assert changed.stdout == f"relevant-from: was “1”, is now “2” (log row {row}).\n"
    assert says("\n".join(changed.stderr.splitlines()))


def test_renaming_a_grade_that_was_given_is_asked_for(
    done: Workbench, workbench: Workbench, campaign: Campaign, judging_as: JudgeAs
) -> None:
    judging_as(campaign, "Ann", "1", "d1", 1)
    scale = "0:Not relevant,1:Other"
    refused = workbench("set", "small", "grades", scale)
    assert refused.exit_code == 1
    assert "Grade 1 was given 1 time as “Relevant” by Ann" in refused.stderr
    assert "Relevant" in {each.name for each in settings.read(campaign).grades}
    done("set", "small", "grades", scale, "--yes")
    assert "Other" in {each.name for each in settings.read(campaign).grades}
