"""Members of a campaign on the command line."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import Result

from tests.fixture_types import Workbench
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.log import log
from workbench.storage.campaign.people import members

PASSWORD = "correct horse"


def added(done: Workbench, name: str) -> Result:
    return done("user", "add", name, given=f"{PASSWORD}\n{PASSWORD}\n")


def test_members_get_roles_by_the_name_of_their_account(done: Workbench) -> None:
    added(done, "anna")
    assert (
        done("member", "add", "small", "ANNA", "--role", "assessor").stderr == "anna is assessor of small.\n"
    )
    done("member", "add", "small", "anna", "--role", "organiser")
    listed = done("member", "list", "small").stdout.splitlines()
    assert [line.split() for line in listed] == [["Member", "Role", "Team"], ["anna", "organiser"]]


def test_a_member_without_an_account_is_told_how_to_get_one(done: Workbench) -> None:
    told = done("member", "add", "small", "ben maier", "--role", "assessor").stderr
    assert told.splitlines() == [
        "'ben maier' is assessor of small.",
        "There is no account 'ben maier' yet; create it with: workbench user add 'ben maier'",
    ]
    told = done("member", "add", "small", "paul", "--role", "participant", "--team", "Lake View").stderr
    assert told.startswith("paul is participant of small, of team 'Lake View'.\n")


def test_a_member_is_removed_once(done: Workbench, workbench: Workbench) -> None:
    done("member", "add", "small", "anna", "--role", "assessor")
    done("member", "remove", "small", "anna")
    with open_campaign("instance/small.db") as campaign:
        before = log.head(campaign)
        assert members.all_members(campaign) == {}
    result = workbench("member", "remove", "small", "anna")
    assert result.stderr == "anna is not a member of small; members are: none yet\n"
    with open_campaign("instance/small.db") as campaign:
        assert log.head(campaign) == before
    assert "No members yet" in done("member", "list", "small").stderr


def test_a_campaign_that_does_not_exist_makes_no_accounts_either(workbench: Workbench) -> None:
    assert workbench("member", "add", "missing", "anna", "--role", "assessor").exit_code == 1
    assert not Path("instance/accounts.db").exists()


def test_a_participant_is_added_with_a_team_and_nobody_else_is(done: Workbench, workbench: Workbench) -> None:
    told = done("member", "add", "small", "paul", "--role", "participant", "--team", "waterloo").stderr
    assert told.startswith("paul is participant of small, of team waterloo.\n")
    listed = done("member", "list", "small", "--format", "csv").stdout
    assert listed == "member,role,team\npaul,participant,waterloo\n"
    refused = workbench("member", "add", "small", "pia", "--role", "participant")
    assert (refused.exit_code, "say which one" in refused.stderr) == (1, True)


def test_invitations_and_resets_are_links_to_the_server_and_their_secrets_are_not_in_the_log(
    done: Workbench,
) -> None:
    added(done, "anna")
    address = ["--address", "https://judging.example.org/"]
    invitation = done("member", "invite", "small", "--role", "assessor", *address).stdout.strip()
    reset = done("user", "reset", "anna", *address).stdout.strip()
    assert invitation.startswith("https://judging.example.org/invitation/")
    assert reset.startswith("https://judging.example.org/reset/")
    told = done("user", "log", "--format", "json").stdout
    acts = [[each["act"], each["account"]] for each in json.loads(told)]
    assert acts == [["account made", "anna"], ["invitation made", ""], ["reset link made", "anna"]]
    for secret in (PASSWORD, invitation.rpartition("/")[2], reset.rpartition("/")[2]):
        assert secret not in told


def test_an_invitation_to_a_topic_that_is_not_there_is_refused(workbench: Workbench) -> None:
    refused = workbench("member", "invite", "small", "--role", "assessor", "--topics", "1, 999")
    assert (refused.exit_code, "there is no topic" in refused.stderr) == (1, True)


def test_links_begin_with_an_address_and_nothing_else(workbench: Workbench) -> None:
    refused = workbench("member", "invite", "small", "--role", "assessor", "--address", "judging.example.org")
    assert refused.exit_code == 2
    assert "'judging.example.org' is not an address; write one that begins with https://" in refused.stderr


def test_the_log_of_a_missing_account_says_so(done: Workbench) -> None:
    added(done, "anna")
    assert done("user", "log", "ana").stderr == "The security log has no rows about ana.\n"


def test_a_team_without_runs_is_reported(done: Workbench) -> None:
    told = done("member", "add", "small", "paul", "--role", "participant", "--team", "watreloo").stderr
    assert "There are no runs of team watreloo yet; teams with runs: none\n" in told
