"""A list invites all of its people or nobody, and every row that is wrong is named."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.sentences import says
from workbench.campaign.assigning import assign
from workbench.core.errors import InputError
from workbench.core.records import Topic
from workbench.formats.text.content import content_of
from workbench.people.accounts import Accounts, security_log
from workbench.people.members import inviting_many
from workbench.people.members.inviting import Invitation, accept_as_new, invitations_into, withdraw
from workbench.people.members.inviting_many import invite_many
from workbench.storage.campaign import Campaign, create_campaign
from workbench.storage.campaign.assigning import assignments
from workbench.storage.campaign.collection import topics
from workbench.storage.campaign.people import members

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
ANNA = ("Anna", "192.0.2.7")


@pytest.fixture
def rivers(tmp_path: Path) -> Iterator[Campaign]:
    """A campaign with the topics 1, 2 and 3, of which 3 is Carla's."""
    with create_campaign(tmp_path / "rivers.db") as campaign:
        with campaign.write():
            members.put(campaign.by("Anna", NOW), "Anna", "organiser")
            topics.put(campaign.by("Anna", NOW), [Topic(each, "ice") for each in "123"], files=[])
        assign(campaign.by("Anna", NOW), ["3"], ["Carla"])
        yield campaign


def send(
    rivers: Campaign, accounts: Accounts, text: str, role: str = "assessor", days: int = 7
) -> dict[str, str]:
    """The tokens by name."""
    content = content_of("people.csv", text.encode())
    made = invite_many(rivers, accounts.by(*ANNA).at(NOW), content, Invitation(role, "Oslo", days=days))
    return {row.name: token for row, token in made}


def refusals(rivers: Campaign, accounts: Accounts, text: str, **more: int) -> list[str]:
    before = security_log.acts(accounts)
    with pytest.raises(InputError) as error:
        send(rivers, accounts, text, **more)  # type: ignore[arg-type]
    assert security_log.acts(accounts) == before
    return str(error.value).splitlines()


def test_each_row_is_an_invitation_with_role_team_and_topics(rivers: Campaign, accounts: Accounts) -> None:
    text = "name,role,team,topics\nAnn,,,1 2\nPaul,participant,,\nPia,participant,Bergen,\nOlga,observer,,\n"
    tokens = send(rivers, accounts, text)
    found = {link.name: (link.role, link.team, link.topics) for link in invitations_into(accounts, rivers)}
    assert found == {
        "Ann": ("assessor", "", ("1", "2")),
        "Paul": ("participant", "Oslo", ()),
        "Pia": ("participant", "Bergen", ()),
        "Olga": ("observer", "", ()),
    }
    accept_as_new(rivers, accounts.at(NOW), tokens["Ann"], "ann", "a long enough one", others=[rivers])
    assert assignments.owners(rivers) == {"1": ("ann",), "2": ("ann",), "3": ("Carla",)}
    assert [each.act for each in security_log.acts(accounts)].count(security_log.INVITATION_MADE) == 4


@pytest.mark.parametrize(
    "row",
    [
        "Ben,pilot,,",
        "Ben,assessor,Oslo,",
        "Ben,observer,,2",
        "Ben,,,9",
        "Ben,,,3",
        "Ben,,,1",
        "ann,,,",
        f"{'n' * 201},,,",
    ],
)
def test_one_wrong_row_is_named_and_nobody_is_invited(rivers: Campaign, accounts: Accounts, row: str) -> None:
    (line,) = refusals(rivers, accounts, f"name,role,team,topics\nAnn,,,1\n{row}\nEva,,,\n")
    assert says(line, f"people.csv:3: {row.split(',')[0]}")
    assert invitations_into(accounts, rivers) == []


def test_a_list_that_is_sent_twice_invites_nobody_twice(rivers: Campaign, accounts: Accounts) -> None:
    send(rivers, accounts, "name\nAnn\nBen\n")
    (line,) = refusals(rivers, accounts, "name\nEva\nBEN\n")
    assert says(line, "people.csv:3")
    withdraw(accounts.by(*ANNA).at(NOW), *invitations_into(accounts, rivers))
    assert list(send(rivers, accounts, "name\nEva\nBEN\n")) == ["Eva", "BEN"]


def test_a_list_without_an_end_is_refused(
    rivers: Campaign, accounts: Accounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inviting_many, "MOST_ROWS", 2)
    (line,) = refusals(rivers, accounts, "name\nAnn\nBen\nEva\n")
    assert says(line)
    assert list(send(rivers, accounts, "name\nEva\nZoe\n")) == ["Eva", "Zoe"]
    assert says(refusals(rivers, accounts, "name\nAnn\n", days=99)[0], "people.csv:2")
