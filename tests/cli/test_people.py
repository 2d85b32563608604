"""Members of a campaign on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import Result

from tests.fixture_types import Fails, Workbench
from tests.sentences import says
from workbench.people.accounts import open_accounts
from workbench.people.members.inviting import invitations_into
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.people import members

PASSWORD = "correct horse"


def added(done: Workbench, name: str) -> Result:
    return done("user add", name, given=f"{PASSWORD}\n{PASSWORD}\n")


def test_members_get_roles_by_the_name_of_their_account(done: Workbench) -> None:
    added(done, "anna")
    assert done("member add small ANNA --role assessor").stderr == "anna is assessor of small.\n"
    done("member add small anna --role organiser")
    listed = done("member list small").stdout.splitlines()
    assert [line.split() for line in listed] == [["Member", "Role", "Team"], ["anna", "organiser"]]


def test_a_member_is_removed_once(done: Workbench, workbench: Workbench) -> None:
    done("member add small anna --role assessor")
    done("member remove small anna")
    with open_campaign("instance/small.db") as campaign:
        before = log.head(campaign)
        assert members.all_members(campaign) == {}
    result = workbench("member remove small anna")
    assert says(result.stderr)
    with open_campaign("instance/small.db") as campaign:
        assert log.head(campaign) == before
    assert "No members yet" in done("member list small").stderr


def test_a_campaign_that_does_not_exist_makes_no_accounts_either(workbench: Workbench) -> None:
    assert workbench("member add missing anna --role assessor").exit_code == 1
    assert not Path("instance/accounts.db").exists()


def test_a_participant_is_added_with_a_team_and_nobody_else_is(done: Workbench, fails: Fails) -> None:
    assert says(done("member add small paul --role participant --team waterloo").stderr, "paul", "waterloo")
    listed = done("member list small --format csv").stdout
    assert listed == "member,role,team\npaul,participant,waterloo\n"
    assert says(fails("member add small pia --role participant"))


def test_invitations_and_resets_are_links_to_the_server_and_their_secrets_are_not_in_the_log(
    done: Workbench,
) -> None:
    added(done, "anna")
    address = ["--address", "https://judging.example.org/"]
    invitation = done("member invite small --role assessor", *address).stdout.strip()
    reset = done("user reset anna", *address).stdout.strip()
    assert invitation.startswith("https://judging.example.org/invitation/")
    assert reset.startswith("https://judging.example.org/reset/")
    told = done("user log --format json").stdout
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
    address = "https://judging.example.org"
    options = f"--role assessor --team Oslo --days 7 --address {address}"
    printed = done(f"member invite small --list {people} {options}")
    assert [line.rpartition("/")[0] for line in printed.stdout.splitlines()] == [
        "",
        f"ann@x.org,assessor,,1 2,{address}/invitation",
        f"paul,participant,Oslo,,{address}/invitation",
        f"'=pia,participant,Bergen,,{address}/invitation",
    ]
    assert printed.stdout.startswith("name,role,team,topics,link\n")
    assert says(printed.stderr)
    assert invited() == [
        ("=pia", "participant", "Bergen", ()),
        ("ann@x.org", "assessor", "", ("1", "2")),
        ("paul", "participant", "Oslo", ()),
    ]
    people = listed("name,role,topics\nBen,assessor,1 2\n")
    (row,) = json.loads(done(f"member invite small --list {people} --format json").stdout)
    link = row.pop("link").rpartition("/invitation/")[2]
    assert row == {"name": "Ben", "role": "assessor", "team": "", "topics": ["1", "2"]}
    assert len(link) > 30
    assert link not in done("user log --format json").stdout


def test_a_list_with_wrong_rows_invites_no_one_and_names_each_with_its_line(
    done: Workbench, fails: Fails
) -> None:
    command = "member invite small --role assessor --list"
    people = listed("name,role,topics\nAnn,,1\nBen,,999\nCleo,captain,\nDora,observer,2\nEmil,,1\n")
    assert says(fails(f"{command} {people}"), "people.csv:3: Ben", "people.csv:6: Emil")
    assert says(fails(f"member invite small --list {people}"), "people.csv:2: Ann")
    assert says(fails(command, listed("name\nAnn\nann\n")), "people.csv:3")
    assert invited() == []
    done(command, listed("name\nAnn\n"))
    assert "people.csv:2: Ann: an invitation of 20" in fails(f"{command} people.csv")
    assert invited() == [("Ann", "assessor", "", ())]


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("", 2),
        ("--role assessor --format json", 2),
        ("--list people.csv --topics 1", 2),
        ("--role assessor --address judging.example.org", 2),
        ("--role assessor --topics '1, 999'", 1),
    ],
)
def test_options_that_do_not_go_together_or_name_what_is_not_there_are_refused(
    fails: Fails, words: str, status: int
) -> None:
    listed("name\nAnn\n")
    assert says(fails(f"member invite small {words}", status=status))


def test_a_member_is_let_search_and_no_longer_and_who_may_already_still_may(
    done: Workbench, folder: Path
) -> None:
    def may_search() -> list[str]:
        with open_campaign(folder / "instance" / "small.db") as campaign:
            return sorted(settings.read(campaign).searchers)

    for name in ("anna", "ben"):
        added(done, name)
        done("member add small", name, "--role", "assessor")
    assert done("member search small anna").stderr == "anna may search the texts of small.\n"
    done("member search small ben")
    assert may_search() == ["anna", "ben"]
    said = done("member search small anna --forbid").stderr
    assert (said, may_search()) == ("anna may not search the texts of small.\n", ["ben"])
