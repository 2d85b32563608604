"""A role that is offered to an account is its owner's to take, and the offer tells nothing about who has an account."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.sentences import refused
from workbench.core.errors import CampaignError, UnknownName
from workbench.people.accounts import Account, AccountError, Accounts, add_account, security_log, set_disabled
from workbench.people.accounts.links import Link, LinkGone, offers_to
from workbench.people.members.inviting import (
    Invitation,
    accept_as_new,
    give_role,
    invitations_into,
    invite,
    withdraw,
)
from workbench.people.members.offering import accept_offer, decline_offer, offer_role
from workbench.people.members.password_links import (
    is_offered_by_others,
    make_reset,
    may_reset,
    reset_password,
)
from workbench.storage.campaign import Campaign, create_campaign
from workbench.storage.campaign.people import members

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
ANNA, OLGA = ("Anna", "192.0.2.7"), ("Olga", "192.0.2.8")
PASSWORD = "a long enough one"


@pytest.fixture
def rivers(tmp_path: Path) -> Iterator[Campaign]:
    yield from campaign_of(tmp_path / "rivers.db", "Anna")


@pytest.fixture
def lakes(tmp_path: Path) -> Iterator[Campaign]:
    yield from campaign_of(tmp_path / "lakes.db", "Olga")


@pytest.fixture
def ben(accounts: Accounts) -> Account:
    return add_account(accounts.at(NOW), "Ben", PASSWORD)


def campaign_of(path: Path, organiser: str) -> Iterator[Campaign]:
    with create_campaign(path) as campaign:
        with campaign.write():
            members.put(campaign.by(organiser, NOW), organiser, "organiser")
        yield campaign


def made(campaign: Campaign, accounts: Accounts) -> Link:
    """The newest offer of a campaign."""
    return invitations_into(accounts, campaign)[0]


def test_a_role_that_is_offered_is_taken_by_the_owner_of_the_account(
    rivers: Campaign, accounts: Accounts, ben: Account
) -> None:
    offer_role(rivers, accounts.by(*ANNA).at(NOW), Invitation("participant", "Alpha", note=" BEN "))
    assert members.role_of(rivers, "Ben") is None
    number = str(made(rivers, accounts).link)
    accept_offer(rivers, accounts.by("", "192.0.2.9").at(NOW), number, ben)
    assert (members.role_of(rivers, "Ben"), members.team_of(rivers, "Ben")) == ("participant", "Alpha")
    assert made(rivers, accounts).state(NOW) == "accepted"
    assert [act[2:] for act in security_log.acts(accounts, "Ben")[1:]] == [
        ("role offered", "Ben", "Anna", "192.0.2.7", "participant of team Alpha in rivers"),
        ("invitation used", "Ben", "Ben", "192.0.2.9", "rivers"),
        ("role given", "Ben", "Anna", "", "participant of team Alpha in rivers"),
    ]
    with pytest.raises(LinkGone):
        accept_offer(rivers, accounts.at(NOW), number, ben)


def test_an_offer_is_accepted_by_nobody_else_and_into_no_other_campaign(
    rivers: Campaign, lakes: Campaign, accounts: Accounts, ben: Account
) -> None:
    eve = add_account(accounts.at(NOW), "Eve", PASSWORD)
    offer_role(rivers, accounts.by(*ANNA).at(NOW), Invitation("organiser", note="Ben"))
    number = str(made(rivers, accounts).link)
    for campaign, account in ((rivers, eve), (lakes, ben)):
        with pytest.raises(LinkGone):
            accept_offer(campaign, accounts.at(NOW), number, account)
    with pytest.raises(LinkGone):
        decline_offer(accounts.at(NOW), number, eve)
    assert members.role_of(rivers, "Ben") is members.role_of(rivers, "Eve") is None
    accept_offer(rivers, accounts.at(NOW), number, ben)


def test_an_offer_ends_by_itself_when_withdrawn_and_with_the_role_of_who_made_it(
    rivers: Campaign, accounts: Accounts, ben: Account
) -> None:
    offer_role(rivers, accounts.by(*ANNA).at(NOW), Invitation("assessor", note="Ben"))
    assert offers_to(accounts.at(NOW + timedelta(days=14)), "Ben") == []
    withdraw(accounts.by(*ANNA).at(NOW), made(rivers, accounts))
    assert offers_to(accounts.at(NOW), "Ben") == []
    offer_role(rivers, accounts.by(*ANNA).at(NOW), Invitation("assessor", note="Ben"))
    offer_role(rivers, accounts.by(*ANNA).at(NOW), Invitation("observer", note="ben"))
    assert [offer.role for offer in offers_to(accounts.at(NOW), "Ben")] == ["observer"]  # the newer one alone
    give_role(rivers, accounts.by("root").at(NOW), "Anna", "none")
    assert offers_to(accounts.at(NOW), "Ben") == []


def test_an_offer_looks_the_same_with_an_account_without_one_with_a_shut_one_and_declined(
    rivers: Campaign, accounts: Accounts, ben: Account
) -> None:
    for name in ("Shut", "Shut later"):
        add_account(accounts.at(NOW), name, PASSWORD)
    set_disabled(accounts, "Shut", disabled=True)
    typed = ["bEN", "Nobody", "sHUT", "shut LATER"]
    for name in typed:
        offer_role(rivers, accounts.by(*ANNA).at(NOW), Invitation("assessor", note=name))
    decline_offer(accounts.at(NOW), str(offers_to(accounts.at(NOW), "Ben")[0].link), ben)
    set_disabled(accounts.at(NOW), "Shut later", disabled=True)
    for moment, state in ((NOW, "offered"), (NOW + timedelta(days=14), "expired")):
        shown = [(each.name, each.state(moment)) for each in invitations_into(accounts, rivers)[::-1]]
        assert shown == [(name, state) for name in typed]
    assert offers_to(accounts.at(NOW), "Ben") == offers_to(accounts.at(NOW), "Shut later") == []


def test_an_account_that_is_made_later_finds_no_offer_that_was_made_to_its_name(
    rivers: Campaign, lakes: Campaign, accounts: Accounts
) -> None:
    offer_role(rivers, accounts.by(*ANNA).at(NOW), Invitation("organiser", note="Dora"))
    token = invite(lakes, accounts.by(*OLGA).at(NOW), Invitation("assessor"))
    accept_as_new(lakes, accounts.at(NOW), token, "Dora", PASSWORD, others=[rivers])
    assert offers_to(accounts.at(NOW), "Dora") == []


def test_who_can_set_the_password_of_an_account_does_not_accept_what_others_offer_to_it(
    rivers: Campaign, lakes: Campaign, accounts: Accounts
) -> None:
    token = invite(rivers, accounts.by(*ANNA).at(NOW), Invitation("assessor"))
    ben = accept_as_new(rivers, accounts.at(NOW), token, "Ben", PASSWORD, others=[])
    reset = make_reset(accounts.by(*ANNA).at(NOW), "Ben")
    offer_role(lakes, accounts.by(*OLGA).at(NOW), Invitation("organiser", note="Ben"))
    with pytest.raises(LinkGone):
        reset_password(accounts.at(NOW), reset, "another long one")
    assert is_offered_by_others(accounts.by(*ANNA).at(NOW), ben)
    with refused(AccountError):
        make_reset(accounts.by(*ANNA).at(NOW), "Ben")
    assert make_reset(accounts.at(NOW), "Ben")
    accept_offer(lakes, accounts.at(NOW), str(made(lakes, accounts).link), ben)
    assert not may_reset(ben, "Anna", [rivers, lakes])


def test_what_cannot_be_offered_is_refused_with_a_reason(rivers: Campaign, accounts: Accounts) -> None:
    for role, kind in (("none", UnknownName), ("boss", UnknownName), ("participant", CampaignError)):
        with refused(kind):
            offer_role(rivers, accounts.by(*ANNA).at(NOW), Invitation(role, note="Ben"))
    with refused(CampaignError):
        offer_role(rivers, accounts.by(*ANNA).at(NOW), Invitation("assessor", note="anna"))
    assert invitations_into(accounts, rivers) == []


def tries(
    campaign: Campaign, accounts: Accounts, token: str, names: list[str], now: datetime = NOW
) -> list[str]:
    """The kind of error that each name gets with a link."""
    found = []
    for name in names:
        with pytest.raises(AccountError) as error:
            accept_as_new(campaign, accounts.at(now), token, name, PASSWORD, others=[])
        found.append(type(error.value).__name__)
    return found


@pytest.fixture
def cheap_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "workbench.people.members.inviting.hash_password", lambda password, _: f"hash of {password}"
    )


@pytest.mark.usefixtures("cheap_hashes")
def test_with_one_link_five_names_can_be_found_out_to_be_taken_and_no_sixth(
    rivers: Campaign, accounts: Accounts, ben: Account
) -> None:
    token = invite(rivers, accounts.by(*ANNA).at(NOW), Invitation("assessor"))
    taken = ["Ben", "ben", "Anna", "BEN", "anna"]  # an account, and a member without one: one answer
    assert (
        tries(rivers, accounts, token, [*taken, "Ben", "Nobody"]) == ["NameTaken"] * 5 + ["TooManyNames"] * 2
    )
    assert tries(rivers, accounts, token, ["Nobody"], NOW + timedelta(days=2)) == ["TooManyNames"]
    recorded = [act for act in security_log.acts(accounts) if act.act == "taken name tried"]
    assert [(act.name, act.actor, act.detail) for act in recorded] == [("", "", "rivers")] * 5


@pytest.mark.usefixtures("cheap_hashes")
def test_the_links_of_one_organiser_find_out_25_names_a_day(
    rivers: Campaign, accounts: Accounts, ben: Account
) -> None:
    found = []
    for _ in range(7):
        token = invite(rivers, accounts.by(*ANNA).at(NOW), Invitation("assessor"))
        found += tries(rivers, accounts, token, ["Ben"] * 5)
    assert found == ["NameTaken"] * 25 + ["TooManyNames"] * 10
    other = invite(rivers, accounts.by(*OLGA).at(NOW), Invitation("assessor"))
    assert accept_as_new(rivers, accounts.at(NOW), other, "Cleo", PASSWORD, others=[]).name == "Cleo"
    tomorrow = NOW + timedelta(days=1)
    assert accept_as_new(rivers, accounts.at(tomorrow), token, "Dora", PASSWORD, others=[]).name == "Dora"
