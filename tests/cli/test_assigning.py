"""assign: who judges what, on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.fixture_types import Fails, JudgeAs, Workbench
from tests.sentences import says
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning import assignments, draws
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings


def test_topics_are_given_and_taken(done: Workbench, campaign: Campaign) -> None:
    assert says(done("assign who small assigned").stderr)
    assert says(done("assign give small anna 1 2").stderr)
    done("assign give small ben 2 --add")
    done("assign give small cid 2 --part second")
    done("assign take small 1")
    assert done("assign list small").stderr.endswith("(yet): anna, ben, cid\n")
    assert done("assign list small --format csv").stdout == (
        "topic,judged,pooled,assessors,second,claimed_by,until,state\n"
        '1,0,3,,,,,open\n2,0,3,"anna, ben",cid,,,open\n10,0,1,,,,,open\n'
    )
    assert settings.read(campaign).who_judges == "assigned"
    assert says(done("assign who small claimed").stderr)


@pytest.mark.parametrize("command", ["give small anna 1", "spread small --to anna"])
def test_the_first_topic_that_is_given_changes_who_judges_and_that_is_reported(
    done: Workbench, campaign: Campaign, command: str
) -> None:
    assert says(done("assign", *command.split()).stderr)
    assert settings.read(campaign).who_judges == "assigned"
    assert "From now on" not in done("assign give small ben 2").stderr


def test_topics_are_spread_over_those_who_are_named(done: Workbench) -> None:
    done("assign who small assigned")
    told = done("assign spread small --to anna --to ben")
    spread = [line.split() for line in told.stdout.splitlines()]
    assert spread == [["Topic", "Assessor"], ["1", "anna"], ["2", "ben"], ["10", "anna"]]
    assert says(told.stderr)
    assert done("assign spread small --to anna").stderr.startswith("Nothing to distribute: ")
    assert says(done("assign give small 'ben maier' 1").stderr, "ben maier")


def test_a_list_is_read_and_printed(done: Workbench, tmp_path: Path) -> None:
    done("assign who small assigned")
    path = tmp_path / "mapping.jsonl"
    path.write_text('{"account": "anna", "topics": ["10", "1"]}\n', encoding="utf-8")
    assert says(done("assign import small", str(path)).stderr)
    assert done("assign export small").stdout == path.read_text(encoding="utf-8")
    table = done("assign export small --format csv").stdout
    assert table == "topic,assessor,part\n10,anna,whole\n1,anna,whole\n"


def test_topics_are_closed_and_reopened(done: Workbench, fails: Fails, campaign: Campaign) -> None:
    done("assign close small 2")
    told = done("assign close small 1 2 --reason done").stderr
    assert told == "1 topic closed.\n"
    assert set(assignments.closed(campaign)) == {"1", "2"}
    assert done("assign reopen small 2").stderr == "1 topic reopened.\n"
    assert fails("assign close small 1") == "closed already: 1\n"


def test_pairs_are_drawn_for_a_second_judgment(done: Workbench, fails: Fails, campaign: Campaign) -> None:
    draw = "assign double small --share 0.5 --seed 7 --by ben --stratify topic"
    assert says(fails(draw))
    done("assign who small assigned")
    told = done(draw)
    drawn = [line.split() for line in told.stdout.splitlines()]
    assert drawn == [["Stratum", "Drawn", "Pairs"], ["1", "2", "3"], ["2", "2", "3"], ["10", "1", "1"]]
    assert says(told.stderr)
    assert sum(map(len, draws.drawn(campaign).values())) == 5


@pytest.mark.parametrize("command", ["give small anna 7", "close small 7", "take small 7"])
def test_a_topic_that_is_not_there_is_named(fails: Fails, command: str) -> None:
    assert fails("assign", *command.split()) == "there is no topic '7' in small; there are 1, 10, 2\n"


def test_agreement_on_drawn_pairs_is_weighted(
    done: Workbench, fails: Fails, campaign: Campaign, judging_as: JudgeAs
) -> None:
    done("assign who small assigned")
    done("assign give small anna 1")
    for document_id, grade in {"d1": 1, "d2": 0, "d4": 0}.items():
        judging_as(campaign, "anna", "1", document_id, grade)
    done("assign double small --share 0.5 --seed 7 --stratify grade --by ben")
    for topic_id, documents in draws.drawn(campaign).items():
        for document_id in documents:
            judging_as(campaign, "ben", topic_id, document_id, 1)
    # They agree on the pair with grade 1, which stands for itself, and not on the one that stands for two.
    for option, agreement in (("", 1 / 3), ("--all", 1 / 2)):
        told = done(f"agreement small {option} --draws 1 --format json")
        assert says(told.stderr)
        values = json.loads(told.stdout)["scopes"][0]["relevant_or_not"]
        assert {row["name"]: row["value"] for row in values}["raw agreement"] == pytest.approx(agreement)
    fails("agreement small --all -m AP", status=2)


def test_the_work_of_who_quits_is_handed_over_after_a_dry_run(
    done: Workbench, fails: Fails, campaign: Campaign, judging_as: JudgeAs
) -> None:
    for name in ("anna", "ben", "cara"):
        done(f"member add small {name} --role assessor")
    done("assign give small anna 1 2")
    done("assign give small ben 10")
    done("assign give small anna 10 --part second")
    judging_as(campaign, "anna", "1", "d1", 1)
    before = log.head(campaign)
    tried = done("assign hand-over small anna --to ben --to cara --dry-run --format csv")
    assert log.head(campaign) == before
    told = done("assign hand-over small anna --to ben --to cara --format csv")
    assert (
        told.stdout
        == tried.stdout
        == (
            "part,topic,document,open_pairs,heir,not_possible\n"
            "whole,2,,3,ben,\nwhole,1,,2,cara,\nsecond,10,,0,cara,\n"
        )
    )
    assert says(tried.stderr)
    assert says(told.stderr)
    assert says(fails("assign hand-over small anna"))
    done("assign give small anna 1")
    assert says(fails("assign hand-over small anna --to dora"), "dora")
    assert says(done("member remove small anna --to cara --to ben").stderr)
    assert assignments.owners(campaign) == {"1": ("cara",), "2": ("ben",), "10": ("ben",)}


def test_who_has_a_disabled_account_cannot_judge_for_lists_and_warnings_as_for_the_dashboard(
    done: Workbench, fails: Fails, campaign: Campaign
) -> None:
    done("member add small anna --role assessor")
    done("assign give small anna 1")
    (instance := Path("instance")).joinpath("accounts.db").unlink()
    assert "without judge" not in done("warnings small").stdout
    assert "1 open topic" not in done("assign list small").stderr
    assert not instance.joinpath("accounts.db").exists()  # reading makes no accounts
    done("user add anna", given="correct horse\ncorrect horse\n")
    done("user disable anna")
    assert "without judge" in done("warnings small").stdout
    assert says(done("assign list small").stderr, "anna")
    assert says(done("assign who small assigned").stderr)
    done("member add small ben --role assessor")
    assert says(done("assign hand-over small anna --dry-run").stderr, "to ben")
    assert says(fails("assign give small anna 2"), "anna")
    assert "assigned to 1 assessor" in done("assign spread small").stderr
    assert assignments.owners(campaign) == {"1": ("anna",), "2": ("ben",), "10": ("ben",)}
    assert says(fails("assign double small --share 1 --seed 7"))
