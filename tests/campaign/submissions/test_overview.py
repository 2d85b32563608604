"""What has come in, who is missing, and the receipt of a run."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.conftest import NOW, write_run
from tests.sentences import says
from workbench.campaign.content_changes import withdraw_runs
from workbench.campaign.ingest import RunOptions, add_runs
from workbench.campaign.ingest.senders import Sender
from workbench.campaign.submission_rules import Rules, change_rules, parse_fields
from workbench.campaign.submissions.overview import as_json, missing_words, overview, receipt_lines, receipts
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log import log
from workbench.storage.campaign.people import members

DEADLINE = datetime(2027, 3, 1, 13, tzinfo=UTC)
NOON = DEADLINE - timedelta(hours=1)


@pytest.fixture
def submitted(small: Campaign, tmp_path: Path) -> Campaign:
    """Delft, with Daan and Doris, sent gamma and withdrew it; Team 2 sent eps, nobody of Team 10 anything."""
    people = {"Daan": "Delft", "Doris": "Delft", "Tim": "Team 10", "Lea": ""}
    with small.write():
        for name, team in people.items():
            members.put(small.by("Olga"), name, "participant", team=team)
    change_rules(small.by("Olga"), Rules(True, DEADLINE, 2, parse_fields(["Method", "Model"])))
    for tag, sender in {
        "gamma": Sender("Delft", received=NOON, priority=1, depth=50, description={"Method": "a\n b"}),
        "eps": Sender("Team 2"),
    }.items():
        path = write_run(tmp_path / f"{tag}.run", tag, {"1": "d1 d2"})
        add_runs(small.by("Daan", NOW), [path], options=RunOptions(senders={path: sender}))
    withdraw_runs(small.by("Olga"), ["gamma"])
    return small


def test_teams_are_in_their_order_with_members_runs_and_who_is_missing(submitted: Campaign) -> None:
    found = overview(submitted)
    told = [
        (team.team, team.members, len(team.receipts), team.submitted(found.rules)) for team in found.teams
    ]
    assert told == [("Delft", ("Daan", "Doris"), 1, 0), ("Team 2", (), 1, 1), ("Team 10", ("Tim",), 0, 0)]
    assert [team.newest for team in found.teams] == [
        "2027-03-01T12:00:00.000+00:00",
        found.teams[1].newest,
        "",
    ]
    assert found.without_team == ("Lea",)
    assert missing_words(found) == "1 team of 3 with 1 run. Missing: Delft, Team 10."
    assert [receipt.run.record.tag for receipt in receipts(submitted, "Delft")] == ["gamma"]


def test_programs_get_the_rules_all_teams_and_their_runs(submitted: Campaign) -> None:
    gamma, eps = receipts(submitted)[2:]
    content = as_json(overview(submitted), NOON)
    teams = content.pop("teams")  # type: ignore[attr-defined]
    assert content == {
        "open": True,
        "deadline": "2027-03-01T13:00:00+00:00",
        "runs_per_team": 2,
        "submitted": "runs",
        "fields": ["Method", "Model"],
        "participants_without_team": ["Lea"],
    }
    assert [(team["team"], team["members"], team["missing"]) for team in teams] == [
        ("Delft", ["Daan", "Doris"], True),
        ("Team 2", [], False),
        ("Team 10", ["Tim"], True),
    ]
    assert teams[0]["runs"] == [
        {
            "run": "gamma",
            "file": "gamma.run",
            "sha256": gamma.run.record.sha256,
            "received": gamma.received,
            "by": "Daan",
            "seq": gamma.run.seq,
            "hash": gamma.hash,
            "priority": 1,
            "depth": 50,
            "description": {"Method": "a\n b"},
            "withdrawn_at_seq": log.newest_seq(submitted),
        }
    ]
    assert (teams[1]["runs"][0]["withdrawn_at_seq"], eps.received) == (None, eps.stored)


def test_a_receipt_has_a_line_for_each_thing_that_is_known(submitted: Campaign) -> None:
    gamma = receipts(submitted)[2]
    lines = receipt_lines(submitted, gamma, parse_fields(["Method", "Model"]))
    assert says("\n".join("".join(lines).splitlines()))
