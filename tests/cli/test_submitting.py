"""submissions and correct: the rules, who is missing, and what is said of a run."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.fixture_types import Fails, Workbench, WriteRun
from tests.sentences import says
from workbench.methods.pooling.run_choice import write_of_run
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import pools, runs, topics
from workbench.storage.campaign.log import log
from workbench.storage.campaign.people import members


def test_submission_is_opened_with_its_rules_and_closed(done: Workbench) -> None:
    rules = ["--deadline", "2999-03-01 23:59", "--runs-per-team", "3", "--field", "Method*=method.automatic"]
    told = done("submissions small --open", *rules).stderr
    assert says(told)
    assert done("submissions small --close --no-fields").stderr.startswith("Submission is closed.\nNo teams")
    late = done("submissions small --open --deadline '2001-01-01 00:00'").stderr
    assert says(late)
    assert "is open, 3 runs" in done("submissions small --deadline ''").stderr


def test_teams_that_are_missing_are_named(done: Workbench, campaign: Campaign) -> None:
    with campaign.write():
        for name, team in (("anna", "Delft"), ("ben", "Athens"), ("cleo", "")):
            members.put(campaign.by("Olga"), name, "participant", team=team)
    done("correct small alpha --team Delft")
    result = done("submissions small --format csv")
    assert says(result.stderr)
    rows = [line.split(",") for line in result.stdout.splitlines()]
    assert [(row[0], row[2], row[4]) for row in rows] == [
        ("team", "runs", "state"),
        ("Athens", "0", "missing"),
        ("Delft", "1", "submitted"),
    ]
    found = json.loads(done("submissions small --format json").stdout)
    assert [team["missing"] for team in found["teams"]] == [True, False]
    (run,) = found["teams"][1]["runs"]
    assert run["run"] == "alpha"
    assert run["hash"] == log.head(campaign.at(run["seq"])).hash.hex()


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("--deadline tomorrow", 1),
        ("--runs-per-team -1", 1),
        ("--field '*'", 1),
        ("--field Model --no-fields", 2),
    ],
)
def test_rules_that_cannot_be_change_nothing(
    fails: Fails, campaign: Campaign, words: str, status: int
) -> None:
    before = log.head(campaign)
    assert says(fails(f"submissions small --open {words}", status=status))
    assert log.head(campaign) == before


def test_a_run_is_corrected_and_its_pool_is_named(
    done: Workbench, workbench: Workbench, fails: Fails
) -> None:
    told = done("correct small alpha --team Delft --priority 1").stderr
    assert says(told)
    assert says(fails("correct small alpha --tag omega"))
    assert workbench("correct small alpha").exit_code == 2
    assert "write FIELD=TEXT" in workbench("correct small alpha --describe x").stderr
    assert "has no field 'Model'" in workbench("correct small alpha --describe Model=x").stderr


def test_a_table_adds_many_runs_with_their_teams_and_priorities(
    done: Workbench,
    workbench: Workbench,
    fails: Fails,
    campaign: Campaign,
    written_run: WriteRun,
    folder: Path,
) -> None:
    for tag in ("gamma", "delta"):
        written_run(folder / f"{tag}.run", tag, {"1": "d1"})
    table = folder / "runs.csv"
    table.write_text("file,team,tag,priority\ngamma.run,Delft,g1,2\nno.run,Athens,,1\n")
    before = log.head(campaign)
    assert says(fails("add runs small --table runs.csv"), "runs.csv:3", "no.run")
    assert log.head(campaign) == before
    table.write_text("file,team,tag,priority\ngamma.run,Delft,g1,2\ndelta.run,Athens,,1\n")
    assert done("add runs small --table runs.csv").stderr.endswith("2 runs added (2 lines).\n")
    assert [run.record[:2] for run in runs.all_runs(campaign)[2:]] == [("g1", "Delft"), ("delta", "Athens")]
    listed = list(csv.DictReader(done("runs small --format csv").stdout.splitlines()))
    assert [[run["run"], run["team"], run["priority"], run["depth"]] for run in listed[-2:]] == [
        ["g1", "Delft", "2", ""],
        ["delta", "Athens", "1", ""],
    ]
    assert workbench("add runs small gamma.run --table runs.csv").exit_code == 2
    assert workbench("add runs small").exit_code == 2


def test_what_the_list_of_runs_says_is_what_a_pool_takes(
    done: Workbench, campaign: Campaign, written_run: WriteRun, folder: Path
) -> None:
    for tag in ("gamma", "delta"):
        written_run(folder / f"{tag}.run", tag, {"10": "d1 d2 d3"})
    (folder / "runs.csv").write_text("file,team,priority,depth\ngamma.run,Delft,2,\ndelta.run,Delft,1,3\n")
    done("add runs small --table runs.csv")
    table = done("runs small --format csv").stdout
    (folder / "depths.csv").write_text(table)
    done("pool small --depth 1 --runs-file depths.csv --runs-per-team 1")
    parameters = pools.all_pools(campaign)[-1].record.parameters
    assert parameters["priorities"] == [write_of_run("gamma", 2), write_of_run("delta", 1)]
    assert parameters["run_depths"] == [write_of_run("delta", 3)]


def test_a_run_is_replaced_and_the_command_says_what_becomes_of_both(
    done: Workbench, fails: Fails, written_run: WriteRun, folder: Path
) -> None:
    written_run(folder / "gamma.run", "gamma", {"1": "d1"})
    done("add runs small gamma.run")
    told = done("add runs small gamma.run --replaces").stderr
    assert says(told, "gamma.replaced.1")
    told = done("add runs small alpha.run --replaces").stderr
    assert says(told, "alpha")
    written_run(folder / "delta.run", "delta", {"1": "d1"})
    assert says(fails("add runs small delta.run --replaces"))


def test_a_topic_is_corrected_as_a_new_version(done: Workbench, campaign: Campaign) -> None:
    told = done("correct small 1 --topic --text 'title=rivers in winter'").stderr
    assert told == f"Topic 1: title corrected (log row {log.newest_seq(campaign)}).\n"
    again = done("correct small 1 --topic --text 'title=rivers in winter'").stderr
    assert says(again)
    stored = topics.find(campaign, "1")
    assert stored is not None
    assert stored.topic.title == "rivers in winter"


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("1 --topic", 2),
        ("1 --topic --text title=x --team A", 2),
        ("1 --topic --text place=x", 1),
        ("99 --topic --text title=x", 1),
        ("alpha --text title=x", 2),
    ],
)
def test_a_correction_of_a_topic_that_cannot_be_changes_nothing(
    fails: Fails, campaign: Campaign, words: str, status: int
) -> None:
    head = log.newest_seq(campaign)
    assert says(fails(f"correct small {words}", status=status))
    assert log.newest_seq(campaign) == head


def test_several_runs_are_corrected_by_a_table(done: Workbench, fails: Fails, campaign: Campaign) -> None:
    Path("runs.csv").write_text("run,team,pool\nalpha,Delft,no\nbeta,Athens,\n", encoding="utf-8")
    before = log.newest_seq(campaign)
    told = done("correct small --table runs.csv --dry-run")
    assert says(told.stdout + told.stderr)
    assert log.newest_seq(campaign) == before
    assert says(done("correct small --table runs.csv --reason 'a slip'").stderr)
    assert [run.record.team for run in runs.all_runs(campaign)] == ["Delft", "Athens"]
    Path("runs.csv").write_text("run,new_tag\nalpha,a\n", encoding="utf-8")
    assert says(fails("correct small --table runs.csv"), "runs.csv:2")
    done("correct small alpha --pool")
    assert [run.record.contributes for run in runs.all_runs(campaign)] == [True, True]
    for words in ("small", "small alpha --table runs.csv", "small --table runs.csv --team X"):
        assert says(fails(f"correct {words}", status=2))
