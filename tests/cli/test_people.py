"""Members of a campaign on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import Result

from tests.fixture_types import Workbench
from tests.sentences import says
from workbench.people.accounts import open_accounts
from workbench.people.members.inviting import invitations_into
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings
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
    assert says("\n".join(told.splitlines()))
    told = done("member", "add", "small", "paul", "--role", "participant", "--team", "Lake View").stderr
    assert told.startswith("paul is participant of small, of team 'Lake View'.\n")


def test_a_member_is_removed_once(done: Workbench, workbench: Workbench) -> None:
    done("member", "add", "small", "anna", "--role", "assessor")
    done("member", "remove", "small", "anna")
    with open_campaign("instance/small.db") as campaign:
        before = log.head(campaign)
        assert members.all_members(campaign) == {}
    result = workbench("member", "remove", "small", "anna")
    assert says(result.stderr)
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


def listed(text: str, name: str = "people.csv") -> str:
    Path(name).write_text(text, encoding="utf-8")
    return name


def invited() -> list[tuple[str, str, str, tuple[str, ...]]]:
    """Who has an open invitation to `small`, with role, team and topics."""
    with open_campaign("instance/small.db") as campaign, open_accounts(Path("instance")) as accounts:
        found = invitations_into(accounts, campaign)
    return sorted((link.name, link.role, link.team, link.topics) for link in found)


def test_a_list_invites_each_row_and_is_printed_with_the_links(done: Workbench) -> None:
    people = listed(
        "email;role;team;topics\nann@x.org;;;1, 2\npaul;participant;;\n=pia;participant;Bergen;\n"
    )
    options = [
        "--role",
        "assessor",
        "--team",
        "Oslo",
        "--days",
        "7",
        "--address",
        "https://judging.example.org",
    ]
    printed = done("member", "invite", "small", "--list", people, *options)
    assert [line.rpartition("/")[0] for line in printed.stdout.splitlines()] == [
        "",
        "ann@x.org,assessor,,1 2,https://judging.example.org/invitation",
        "paul,participant,Oslo,,https://judging.example.org/invitation",
        "'=pia,participant,Bergen,,https://judging.example.org/invitation",
    ]
    assert printed.stdout.startswith("name,role,team,topics,link\n")
    assert says(printed.stderr)
    assert invited() == [
        ("=pia", "participant", "Bergen", ()),
        ("ann@x.org", "assessor", "", ("1", "2")),
        ("paul", "participant", "Oslo", ()),
    ]


def test_a_list_of_invitations_is_json_for_programs(done: Workbench) -> None:
    people = listed("name,role,topics\nAnn,assessor,1 2\n")
    (row,) = json.loads(done("member", "invite", "small", "--list", people, "--format", "json").stdout)
    link = row.pop("link")
    assert row == {"name": "Ann", "role": "assessor", "team": "", "topics": ["1", "2"]}
    assert len(link.rpartition("/invitation/")[2]) > 30
    assert link.rpartition("/")[2] not in done("user", "log", "--format", "json").stdout


def test_a_list_with_wrong_rows_invites_no_one_and_names_each_with_its_line(
    done: Workbench, workbench: Workbench
) -> None:
    people = listed("name,role,topics\nAnn,,1\nBen,,999\nCleo,captain,\nDora,observer,2\nEmil,,1\n")
    refused = workbench("member", "invite", "small", "--list", people, "--role", "assessor")
    assert (refused.exit_code, refused.stdout) == (1, "")
    said = refused.stderr.splitlines()
    assert [line.split(" ", 2)[:2] for line in said] == [
        ["people.csv:3:", "Ben:"],
        ["people.csv:4:", "Cleo:"],
        ["people.csv:5:", "Dora:"],
        ["people.csv:6:", "Emil:"],
    ]
    assert "there is no topic '999'" in said[0]
    assert says(said[3], "people.csv:6")
    assert invited() == []
    double = listed("name\nAnn\nann\n")
    refused = workbench("member", "invite", "small", "--list", double, "--role", "assessor")
    assert says(refused.stderr, "people.csv:3")
    done("member", "invite", "small", "--list", listed("name\nAnn\n"), "--role", "assessor")
    again = workbench("member", "invite", "small", "--list", "people.csv", "--role", "assessor")
    assert (again.exit_code, "people.csv:2: Ann: an invitation of 20" in again.stderr) == (1, True)
    assert invited() == [("Ann", "assessor", "", ())]


def test_a_row_without_a_role_needs_one_from_the_command(workbench: Workbench) -> None:
    refused = workbench("member", "invite", "small", "--list", listed("name,role\nAnn,\nBen,observer\n"))
    message = "people.csv:2: Ann: the role is missing; write it in the row, or choose one for all rows\n"
    assert (refused.exit_code, refused.stderr) == (1, message)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("", "Missing option '--role' (or '--list')."),
        ("--role assessor --format json", "--format needs --list"),
        ("--list people.csv --topics 1", "--topics and --for are columns of the list"),
        ("--list people.csv --for Ann", "--topics and --for are columns of the list"),
    ],
)
def test_options_of_a_list_and_of_one_invitation_are_not_mixed(
    workbench: Workbench, words: str, message: str
) -> None:
    listed("name\nAnn\n")
    refused = workbench("member", "invite", "small", *words.split())
    assert (refused.exit_code, message in refused.stderr) == (2, True)


def test_an_invitation_to_a_topic_that_is_not_there_is_refused(workbench: Workbench) -> None:
    refused = workbench("member", "invite", "small", "--role", "assessor", "--topics", "1, 999")
    assert (refused.exit_code, "there is no topic" in refused.stderr) == (1, True)


def test_links_begin_with_an_address_and_nothing_else(workbench: Workbench) -> None:
    refused = workbench("member", "invite", "small", "--role", "assessor", "--address", "judging.example.org")
    assert refused.exit_code == 2
    assert says(refused.stderr, "judging.example.org")


def test_the_log_of_a_missing_account_says_so(done: Workbench) -> None:
    added(done, "anna")
    assert says(done("user", "log", "ana").stderr)


def test_a_team_without_runs_is_reported(done: Workbench) -> None:
    told = done("member", "add", "small", "paul", "--role", "participant", "--team", "watreloo").stderr
    assert says(told)


def test_a_member_is_let_search_and_no_longer_and_who_may_already_still_may(
    done: Workbench, folder: Path
) -> None:
    def may_search() -> list[str]:
        with open_campaign(folder / "instance" / "small.db") as campaign:
            return sorted(settings.read(campaign).searchers)

    for name in ("anna", "ben"):
        added(done, name)
        done("member", "add", "small", name, "--role", "assessor")
    assert done("member", "search", "small", "anna").stderr == "anna may search the texts of small.\n"
    done("member", "search", "small", "ben")
    assert may_search() == ["anna", "ben"]
    said = done("member", "search", "small", "anna", "--forbid").stderr
    assert (said, may_search()) == ("anna may not search the texts of small.\n", ["ben"])
