"""`workbench campaign set` prints what is in force, and what was and what is now."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.fixture_types import Fails, JudgeAs, Workbench
from tests.sentences import says
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.grades import labels
from workbench.storage.campaign.log.log import newest_seq
from workbench.storage.campaign.organising import settings


def test_all_settings_are_listed_with_their_values(done: Workbench) -> None:
    printed = done("set small").stdout
    assert "Setting" in printed
    assert "What it is" in printed
    assert "relevant-from" in printed
    found = json.loads(done("set small --format json").stdout)
    assert found["title"] == "Small"
    assert found["grades"][-1]["grade"] == max(grade["grade"] for grade in found["grades"])


def test_a_change_says_what_was_and_what_is_now(done: Workbench, campaign: Campaign) -> None:
    assert says(done("set small title Rivers").stdout, "Rivers", newest_seq(campaign))
    assert says(done("set small title Rivers").stdout, "Rivers")
    assert settings.read(campaign).title == "Rivers"
    found = json.loads(done("set small judging-until 2027-03-31 --format json").stdout)
    assert (found["setting"], found["was"], found["is"]) == ("judging-until", "", "2027-03-31")
    assert found["row"] == newest_seq(campaign)
    again = json.loads(done("set small judging-until 2027-03-31 --format json").stdout)
    assert (again["was"], again["is"], again["row"]) == ("2027-03-31", "2027-03-31", None)


def test_guidelines_come_from_a_file_and_are_printed_whole(done: Workbench, fails: Fails) -> None:
    Path("guidelines.md").write_bytes("Größe zählt.".encode("latin-1"))
    told = done("set small guidelines --file guidelines.md")
    assert told.stderr.startswith("Warning: guidelines.md: ")
    assert done("set small guidelines").stdout == "Größe zählt.\n"
    assert "was “Größe zählt.”" in done("set small guidelines --file -", given="# Read\n\nالكل\n").stdout
    assert done("set small guidelines").stdout == "# Read\n\nالكل\n"
    assert "at most 100,000" in fails("set small guidelines --file -", given="x" * 1_048_576)


@pytest.mark.parametrize(("length", "shown"), [(100, "x" * 100), (101, f"{'x' * 99}…")])
def test_a_long_text_is_shown_by_its_beginning_and_its_length(
    done: Workbench, length: int, shown: str
) -> None:
    said = done("set small guidelines --file -", given="x" * length).stdout
    assert f"is now “{shown}” ({length} characters)" in said


def test_what_is_no_setting_and_two_values_are_refused(fails: Fails) -> None:
    assert "did you mean title" in fails("set small titel x")
    fails("set small title x --file y", status=2)
    fails("set small --file y", status=2)


def test_what_follows_from_a_change_after_the_first_judgment_is_said(
    done: Workbench, campaign: Campaign, judging_as: JudgeAs
) -> None:
    assert done("set small relevant-from 2").stderr == ""
    done("set small relevant-from 1")
    judging_as(campaign, "Ann", "1", "d1", 2)
    assert done("set small break-minutes 20").stderr == ""
    changed = done("set small relevant-from 2")
    row = newest_seq(campaign)
    assert changed.stdout == f"relevant-from: was “1”, is now “2” (log row {row}).\n"
    assert says("\n".join(changed.stderr.splitlines()))


def test_renaming_a_grade_that_was_given_is_asked_for(
    done: Workbench, fails: Fails, campaign: Campaign, judging_as: JudgeAs
) -> None:
    judging_as(campaign, "Ann", "1", "d1", 1)
    scale = "0:Not relevant,1:Other"
    assert "Grade 1 was given 1 time as “Relevant” by Ann" in fails("set small grades", scale)
    assert "Relevant" in {each.name for each in settings.read(campaign).grades}
    done("set small grades", scale, "--yes")
    assert "Other" in {each.name for each in settings.read(campaign).grades}


def test_a_scale_is_replaced_with_what_was_given_shown_first(
    done: Workbench, fails: Fails, campaign: Campaign, judging_as: JudgeAs
) -> None:
    judging_as(campaign, "Ann", "1", "d1", 1)
    judging_as(campaign, "Ben", "1", "d1", 2)
    head = newest_seq(campaign)
    assert "Ann 1" in done("set small grades --dry-run").stdout
    new = ("set small grades", "0:Not relevant,1:Partly,2:Highly")
    told = done(*new, *"--map 1=2,2=1 --relevant-from 2 --dry-run".split()).stderr
    assert says(told)
    assert says(fails(*new, "--map", "1=2"))
    assert says(fails(*new, "--map", "1:2"))
    assert says(fails("set small title --map 1=2", status=2))
    assert newest_seq(campaign) == head
    changed = json.loads(done(*new, *"--map 1=2,2=1 --relevant-from 2 --yes --format json".split()).stdout)
    assert (changed["row"], changed["remapped"], changed["lines"]) == (head + 1, 2, [1, 1])
    assert [each.grade for each in labels.qrels(campaign)] == [1]
    assert settings.read(campaign).relevant_from == 2
    done(*new, "--ask-again", "2", "--yes")
    assert {label.pair for label in labels.qrels(campaign)} == {("1", "d1")}
    rows = [json.loads(line) for line in done("export judgments small").stdout.splitlines()]
    assert [(row["grade"], row["grade_name"]) for row in rows] == [
        (1, "Relevant"),
        (2, "Highly relevant"),
        (2, "Highly"),
        (1, "Partly"),
        (None, None),
        (1, "Partly"),
    ]
