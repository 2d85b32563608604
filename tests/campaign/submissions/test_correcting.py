"""What is said of a run is corrected by an event of the log; what pools and judgments rest on stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import write_run
from tests.found_wrong import wrong
from tests.judged_pairs import judge_as
from tests.sentences import refused, says
from workbench.campaign.ingest import add_runs
from workbench.campaign.pools.making import add_pool
from workbench.campaign.submission_rules import Rules, change_rules, parse_fields
from workbench.campaign.submissions.correcting import Correction, correct_run, correct_runs, in_words
from workbench.campaign.submissions.file_tables import corrections_of_table
from workbench.core.errors import AlreadyDone, CampaignError, InputError, NotThere
from workbench.formats.text.content import content_of
from workbench.scoring.board import board_of
from workbench.scoring.board.past_boards import board_history_of
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import pools, run_details, runs
from workbench.storage.campaign.log import log


def test_a_pooled_and_judged_run_gets_another_team_and_nothing_else_changes(small: Campaign) -> None:
    judge_as(small, "anna", "1", "d1", 1)
    before, pooled, scores = log.newest_seq(small), pools.all_pairs(small), board_of(small).table(small).rows
    found = correct_run(small.by("Olga"), "alpha", Correction(team="Delft", priority=2), reason="a slip")
    assert tuple(found.now) == ("team", "priority")
    assert found.pools == (1,)
    assert pools.all_pairs(small) == pooled
    assert [row.values for row in board_of(small).table(small).rows] == [row.values for row in scores]
    assert [run.record.team for run in runs.all_runs(small)] == ["Delft", ""]
    assert [run.record.team for run in runs.all_runs(small.at(before))] == ["", ""]
    (step,) = run_details.steps(small)
    was, now = {"team": "", "priority": None}, {"team": "Delft", "priority": 2}
    assert (step.actor, step.content) == ("Olga", {"run": 1, "was": was, "now": now, "reason": "a slip"})
    assert wrong(small) == []


def test_the_tag_of_a_pooled_run_stays_with_the_way_out(small: Campaign) -> None:
    before = log.head(small)
    with refused(CampaignError):
        correct_run(small.by("Olga"), "alpha", Correction(tag="omega", team="Delft"))
    assert log.head(small) == before


def test_a_run_that_no_pool_names_gets_another_tag(small: Campaign, small_gamma: str) -> None:
    add_runs(small.by("Olga"), [small_gamma])
    then = log.newest_seq(small)
    correct_run(small.by("Olga"), "gamma", Correction(tag="καλό"))
    assert [run.record.tag for run in runs.all_runs(small)] == ["alpha", "beta", "καλό"]
    assert [run.record.tag for run in runs.all_runs(small.at(then))] == ["alpha", "beta", "gamma"]
    assert {row.tag for row in board_of(small).table(small).rows} == {"alpha", "beta", "καλό"}
    assert {row.tag for row in board_history_of(small).table(small, None, then).rows} == {
        "alpha",
        "beta",
        "gamma",
    }
    assert wrong(small) == []
    with refused(NotThere, "gamma"):
        correct_run(small.by("Olga"), "gamma", Correction(team="X"))


@pytest.mark.parametrize("tag", ["", "two words", "x" * 201, "a\x00b", "a\nb"])
def test_what_is_no_tag_is_refused(small: Campaign, small_gamma: str, tag: str) -> None:
    add_runs(small.by("Olga"), [small_gamma])
    with refused(CampaignError):
        correct_run(small.by("Olga"), "gamma", Correction(tag=tag))


@pytest.mark.parametrize("tag", ["alpha", "delta"])  # one that a pool names, and one that none does
def test_a_tag_that_is_taken_is_refused(small: Campaign, small_gamma: str, tmp_path: Path, tag: str) -> None:
    delta = write_run(tmp_path / "delta.run", "delta", {"1": "d3"})
    add_runs(small.by("Olga"), [small_gamma, delta])
    with pytest.raises(CampaignError, match=f"the tag '{tag}' is taken"):
        correct_run(small.by("Olga"), "gamma", Correction(tag=tag))


def test_texts_of_the_description_are_set_one_by_one_and_removed(small: Campaign) -> None:
    change_rules(small.by("Olga"), Rules(fields=parse_fields(["Method*", "Model"])))
    correct_run(small.by("Olga"), "alpha", Correction(description={"Method": "automatic", "Model": "BM25"}))
    correct_run(small.by("Olga"), "alpha", Correction(description={"Model": ""}))
    assert run_details.details(small)[1].description == {"Method": "automatic"}
    with pytest.raises(CampaignError, match="has no field 'Colour'; its fields are Method, Model"):
        correct_run(small.by("Olga"), "alpha", Correction(description={"Colour": "red"}))
    with pytest.raises(CampaignError, match="shorten it to 2,000"):
        correct_run(small.by("Olga"), "alpha", Correction(description={"Model": "x" * 2001}))


def test_numbers_are_taken_away_by_zero_and_bounded(small: Campaign) -> None:
    correct_run(small.by("Olga"), "alpha", Correction(priority=1, depth=50))
    correct_run(small.by("Olga"), "alpha", Correction(priority=0))
    assert run_details.details(small)[1][:2] == (None, 50)
    with pytest.raises(CampaignError, match="depth -1 cannot be"):
        correct_run(small.by("Olga"), "alpha", Correction(depth=-1))
    with refused(AlreadyDone):
        correct_run(small.by("Olga"), "alpha", Correction(depth=50))


@pytest.mark.parametrize("team", ["x" * 201, "a\x00b"])
def test_a_team_that_cannot_be_is_refused(small: Campaign, team: str) -> None:
    with refused(CampaignError):
        correct_run(small.by("Olga"), "alpha", Correction(team=team))


def test_a_reason_for_a_correction_has_a_length(small: Campaign) -> None:
    before = log.head(small)
    with refused(CampaignError):
        correct_run(small.by("Olga"), "alpha", Correction(team="Delft"), reason="x" * 1001)
    assert log.head(small) == before
    assert tuple(correct_run(small.by("Olga"), "alpha", Correction(team="Delft"), reason="x" * 1000).now) == (
        "team",
    )


def by_table(campaign: Campaign, text: str, *, dry_run: bool = False) -> list[str]:
    fields = parse_fields(["Method"])
    table = corrections_of_table(content_of("runs.csv", text.encode()), fields)
    found = correct_runs(campaign, table, reason="a slip", dry_run=dry_run)
    return [in_words(each) for each in found]


def test_several_runs_are_corrected_by_a_table_after_a_preview(small: Campaign, small_gamma: str) -> None:
    add_runs(small.by("Olga"), [small_gamma], team="Athens")
    change_rules(small.by("Olga"), Rules(fields=parse_fields(["Method"])))
    text = "run;new_tag;team;Priority;pool;Method;lines\nalpha;;Delft;2;no;BM25;9\ngamma;gla-1;;;;;\nbeta;;;;yes;;\n"
    before = log.head(small)
    said = ["alpha: team none → Delft; priority none → 2; description none → Method: BM25; pool yes → no"]
    said.append("gamma: tag gamma → gla-1")
    assert by_table(small, text, dry_run=True) == said
    assert log.head(small) == before
    assert by_table(small.by("Olga"), text) == said
    found = [(run.record.tag, run.record.team, run.record.contributes) for run in runs.all_runs(small)]
    assert found == [("alpha", "Delft", False), ("beta", "", True), ("gla-1", "Athens", True)]
    assert by_table(small, text.replace("gamma", "gla-1")) == []
    assert wrong(small) == []


@pytest.mark.parametrize(
    "text",
    [
        "run,team\nalpha,Delft\nbeta," + "x" * 201 + "\n",
        "run,team\nalpha,Delft\ndelta,Delft\n",
        "run,new_tag\nalpha,beta\ngamma,beta\n",
        "run,new_tag\ngamma,delta\nalpha,delta\n",
    ],
    ids=["team", "no run", "taken tags", "one tag twice"],
)
def test_a_table_with_one_wrong_line_corrects_nothing(small: Campaign, small_gamma: str, text: str) -> None:
    add_runs(small.by("Olga"), [small_gamma])
    before = log.head(small)
    with pytest.raises((CampaignError, NotThere)) as raised:
        by_table(small.by("Olga"), text)
    assert says(str(raised.value))
    assert log.head(small) == before


@pytest.mark.parametrize(
    "text",
    [
        "team\nDelft\n",
        "run,colour\nalpha,red\n",
        "run,pool\nalpha,maybe\n",
        "run,depth\nalpha,ten\n",
        "run,team\n",
    ],
    ids=["no run", "nothing known", "pool", "number", "no line"],
)
def test_a_table_that_says_nothing_or_what_cannot_be_is_refused_by_line(small: Campaign, text: str) -> None:
    with refused(InputError, "runs.csv"):
        by_table(small, text)


def test_a_run_that_is_left_out_of_later_pools_stays_in_those_that_are_there(small: Campaign) -> None:
    pooled = pools.all_pairs(small)
    correct_runs(small.by("Olga"), dict.fromkeys(["alpha", "beta"], Correction(contributes=False)))
    assert pools.all_pairs(small) == pooled
    with pytest.raises(CampaignError):
        add_pool(small.by("Olga"), depth=3)
    correct_run(small.by("Olga"), "alpha", Correction(contributes=True))
    add_pool(small.by("Olga"), depth=3)
    assert pools.all_pools(small)[-1].record.runs == ("alpha",)
