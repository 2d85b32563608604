"""Invitations let one person in, once and for a while; roles are given and taken in the sight of all."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.sentences import refused
from workbench.campaign.assigning import assign
from workbench.campaign.new_campaign import new_campaign
from workbench.core.errors import CampaignError, NotThere, UnknownName
from workbench.core.records import Topic
from workbench.people.accounts import (
    TERMINAL,
    Account,
    AccountError,
    Accounts,
    add_account,
    begin_session,
    check_password,
    find_session,
    get_account,
    links,
    open_accounts,
    security_log,
    set_disabled,
    set_makes_campaigns,
)
from workbench.people.accounts.links import LinkGone
from workbench.people.accounts.passwords import hash_password
from workbench.people.members import password_links
from workbench.people.members.inviting import (
    Invitation,
    accept,
    accept_as_new,
    give_role,
    invitations_into,
    invite,
    withdraw,
)
from workbench.people.members.password_links import make_reset, may_reset, reset_password
from workbench.storage.campaign import Campaign, create_campaign, open_campaign
from workbench.storage.campaign.assigning import assignments
from workbench.storage.campaign.collection import topics
from workbench.storage.campaign.people import members

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
ANNA = ("Anna", "192.0.2.7")
PASSWORD = "a long enough one"


@pytest.fixture
def rivers(tmp_path: Path) -> Iterator[Campaign]:
    """A campaign with the topics 1 and 2, and Anna its organiser."""
    with create_campaign(tmp_path / "rivers.db") as campaign:
        with campaign.write():
            members.put(campaign.by("Anna", NOW), "Anna", "organiser")
            topics.put(campaign.by("Anna", NOW), [Topic("1", "ice"), Topic("2", "lakes")], files=[])
        yield campaign


def come(rivers: Campaign, accounts: Accounts, token: str, name: str, *, now: datetime = NOW) -> str:
    account = accept_as_new(
        rivers, accounts.by("", "192.0.2.9").at(now), token, name, PASSWORD, others=[rivers]
    )
    return account.name


def test_an_invitation_is_good_once(rivers: Campaign, accounts: Accounts) -> None:
    token = invite(rivers, accounts.by(*ANNA).at(NOW), Invitation("assessor"))
    come(rivers, accounts, token, "Ben")
    with pytest.raises(LinkGone):
        come(rivers, accounts, token, "Cleo")
    assert list(members.all_members(rivers)) == ["Anna", "Ben"]


def test_an_invitation_is_used_once_even_when_two_come_at_the_same_moment(
    rivers: Campaign, tmp_path: Path
) -> None:
    with open_accounts(tmp_path) as mine:
        token = invite(rivers, mine.by(*ANNA).at(NOW), Invitation("assessor"))

    def use(name: str) -> bool:
        with open_accounts(tmp_path) as accounts, open_campaign(rivers.path) as campaign:
            try:
                accept_as_new(campaign, accounts.at(NOW), token, name, PASSWORD, others=[])
            except LinkGone:
                return False
            return True

    with ThreadPoolExecutor(4) as threads:
        assert sorted(threads.map(use, ("Ben", "Cleo", "Dieter", "Eva"))) == [False, False, False, True]
    assert len(members.all_members(rivers)) == 2


def test_an_invitation_ends_by_itself_and_when_it_is_withdrawn(rivers: Campaign, accounts: Accounts) -> None:
    late = invite(rivers, accounts.by(*ANNA).at(NOW), Invitation("assessor", days=2))
    with pytest.raises(LinkGone):
        come(rivers, accounts, late, "Ben", now=NOW + timedelta(days=2))
    gone = invite(rivers, accounts.by(*ANNA).at(NOW), Invitation("assessor", note="Wilma"))
    withdraw(accounts.by(*ANNA).at(NOW), invitations_into(accounts, rivers)[0])
    with pytest.raises(LinkGone):
        come(rivers, accounts, gone, "Ben")
    states = [link.state(NOW + timedelta(days=2)) for link in invitations_into(accounts, rivers)]
    assert states == ["withdrawn", "expired"]
    assert security_log.acts(accounts, "Wilma") == []  # a note is no name


def test_the_file_holds_no_token_and_the_record_no_secret(
    rivers: Campaign, accounts: Accounts, tmp_path: Path
) -> None:
    token = invite(rivers, accounts.by(*ANNA).at(NOW), Invitation("assessor"))
    come(rivers, accounts, token, "Ben")
    reset = make_reset(accounts.by(*ANNA).at(NOW), "Ben")
    accounts.db.conn.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    kept = (tmp_path / "accounts.db").read_bytes()
    for secret in (token, reset, PASSWORD):
        assert secret.encode() not in kept
    assert [(act.act, act.name, act.actor, act.detail) for act in security_log.acts(accounts)] == [
        ("invitation made", "", "Anna", "assessor in rivers"),
        ("account made", "Ben", "Ben", ""),
        ("invitation used", "Ben", "Ben", "rivers"),
        ("role given", "Ben", "Anna", "assessor in rivers"),
        ("reset link made", "Ben", "Anna", ""),
    ]


def test_an_invitation_never_changes_an_existing_role(rivers: Campaign, accounts: Accounts) -> None:
    anna = add_account(accounts.at(NOW), "Anna", PASSWORD)
    token = invite(rivers, accounts.by(*ANNA).at(NOW), Invitation("assessor"))
    with pytest.raises(CampaignError, match="Anna is organiser of rivers already"):
        accept(rivers, accounts.at(NOW), token, anna)
    assert members.role_of(rivers, "Anna") == "organiser"
    assert come(rivers, accounts, token, "Ben") == "Ben"  # nobody used it up


def test_an_invitation_never_changes_the_team_of_a_participant(rivers: Campaign, accounts: Accounts) -> None:
    paul = add_account(accounts.at(NOW), "Paul", PASSWORD)
    give_role(rivers, accounts.by(*ANNA).at(NOW), "Paul", "participant", team="Alpha")
    beta = invite(rivers, accounts.by(*ANNA).at(NOW), Invitation("participant", team="Beta"))
    with pytest.raises(CampaignError, match="Paul is participant of rivers already"):
        accept(rivers, accounts.at(NOW), beta, paul)
    assert members.team_of(rivers, "Paul") == "Alpha"


def test_a_role_that_there_is_not_is_refused(rivers: Campaign, accounts: Accounts) -> None:
    with pytest.raises(UnknownName) as error:
        give_role(rivers, accounts.by(*ANNA).at(NOW), "Anna", "chief")
    there = "organiser, adjudicator, assessor, participant, observer, none"
    assert str(error.value) == f"there is no role 'chief'; there are {there}"


@pytest.mark.parametrize("name", ["Anna", "ANNA", " anna "])
def test_no_name_brings_roles_or_judgments(rivers: Campaign, accounts: Accounts, name: str) -> None:
    token = invite(rivers, accounts.by(*ANNA).at(NOW), Invitation("assessor"))
    with refused(AccountError):
        come(rivers, accounts, token, name)
    assert [act.act for act in security_log.acts(accounts)] == ["invitation made", "taken name tried"]


def test_a_topic_that_another_got_meanwhile_stays_theirs(rivers: Campaign, accounts: Accounts) -> None:
    token = invite(rivers, accounts.by(*ANNA).at(NOW), Invitation("assessor", topics=("1", "2")))
    assign(rivers.by("Anna", NOW), ["1"], ["Cleo"])
    come(rivers, accounts, token, "Ben")
    assert {row.topic_id: row.assessor for row in assignments.all_assignments(rivers)} == {
        "1": "Cleo",
        "2": "Ben",
    }


def test_no_one_is_invited_to_an_assigned_topic(rivers: Campaign, accounts: Accounts) -> None:
    assign(rivers.by("Anna", NOW), ["1"], ["Cleo"])
    with refused(CampaignError):
        invite(rivers, accounts.by(*ANNA).at(NOW), Invitation("assessor", topics=("1", "2")))
    assert security_log.acts(accounts) == []


def test_a_topic_with_a_second_assessor_alone_goes_to_who_was_invited(
    rivers: Campaign, accounts: Accounts
) -> None:
    assign(rivers.by("Anna", NOW), ["1"], ["Cleo"], part="second")
    token = invite(rivers, accounts.by(*ANNA).at(NOW), Invitation("assessor", topics=("1",)))
    come(rivers, accounts, token, "Ben")
    assert {(row.part, row.assessor) for row in assignments.all_assignments(rivers)} == {
        ("whole", "Ben"),
        ("second", "Cleo"),
    }


@pytest.mark.parametrize(
    ("invitation", "kind"),
    [
        (Invitation("boss"), UnknownName),
        (Invitation("none"), UnknownName),
        (Invitation("participant"), CampaignError),
        (Invitation("participant", team="A\nB"), CampaignError),
        (Invitation("participant", team="A" * 201), CampaignError),
        (Invitation("assessor", team="Alpha"), CampaignError),
        (Invitation("observer", topics=("1",)), CampaignError),
        (Invitation("assessor", topics=("1", "9")), NotThere),
        (Invitation("assessor", days=0), CampaignError),
        (Invitation("assessor", days=91), CampaignError),
        (Invitation("assessor", note="x" * 201), CampaignError),
    ],
)
def test_an_impossible_invitation_is_refused_with_a_reason(
    rivers: Campaign, accounts: Accounts, invitation: Invitation, kind: type[Exception]
) -> None:
    with refused(kind):
        invite(rivers, accounts.by(*ANNA).at(NOW), invitation)
    assert invitations_into(accounts, rivers) == []


def test_a_campaign_keeps_an_organiser(rivers: Campaign, accounts: Accounts) -> None:
    with refused(CampaignError):
        give_role(rivers, accounts.by(*ANNA).at(NOW), "Anna", "assessor")
    give_role(rivers, accounts.by(*ANNA).at(NOW), "Ben", "organiser")
    give_role(rivers, accounts.by(*ANNA).at(NOW), "Anna", "none")
    assert members.all_members(rivers) == {"Ben": "organiser"}


def test_who_is_no_organiser_any_more_leaves_no_invitation_behind(
    rivers: Campaign, accounts: Accounts
) -> None:
    token = invite(rivers, accounts.by(*ANNA).at(NOW), Invitation("organiser"))
    give_role(rivers, accounts.by(*ANNA).at(NOW), "Ben", "organiser")
    give_role(rivers, accounts.by("Ben", "").at(NOW), "Anna", "none")
    with pytest.raises(LinkGone):
        come(rivers, accounts, token, "Mallory")


def test_a_new_password_comes_by_a_link_and_ends_the_sessions(rivers: Campaign, accounts: Accounts) -> None:
    add_account(accounts.at(NOW), "Ben", PASSWORD)
    session = begin_session(accounts.at(NOW), "Ben")
    old = make_reset(accounts.by(*ANNA).at(NOW), "ben")
    token = make_reset(accounts.by(*ANNA).at(NOW), "Ben")
    with pytest.raises(LinkGone):
        reset_password(accounts.at(NOW), old, "another long one")
    with pytest.raises(AccountError, match="at least 12 characters"):
        reset_password(accounts.at(NOW), token, "short")
    after = reset_password(accounts.at(NOW), token, "another long one")
    assert find_session(accounts.at(NOW), session) is None
    assert check_password(accounts, "Ben", "another long one") == after
    with pytest.raises(LinkGone):
        reset_password(accounts.at(NOW), token, "yet another one")


def test_a_shut_account_gets_no_new_password_not_even_if_it_is_shut_while_one_is_hashed(
    accounts: Accounts, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_account(accounts.at(NOW), "Ben", PASSWORD)
    token = make_reset(accounts.by(*ANNA).at(NOW), "Ben")

    def hashed_while_it_is_shut(password: str, name: str) -> str:
        set_disabled(accounts.at(NOW), name, disabled=True)
        return hash_password(password, name)

    monkeypatch.setattr(password_links, "hash_password", hashed_while_it_is_shut)
    with pytest.raises(LinkGone):
        reset_password(accounts.at(NOW), token, "another long one")
    with refused(AccountError):
        make_reset(accounts.by(*ANNA).at(NOW), "Ben")
    set_disabled(accounts.at(NOW), "Ben", disabled=False)
    assert check_password(accounts, "Ben", PASSWORD)


def test_links_of_one_kind_are_no_links_of_the_other(rivers: Campaign, accounts: Accounts) -> None:
    add_account(accounts.at(NOW), "Ben", PASSWORD)
    reset = make_reset(accounts.by(*ANNA).at(NOW), "Ben")
    invitation = invite(rivers, accounts.by(*ANNA).at(NOW), Invitation("assessor"))
    with pytest.raises(LinkGone):
        come(rivers, accounts, reset, "Cleo")
    with pytest.raises(LinkGone):
        reset_password(accounts.at(NOW), invitation, PASSWORD)


def invited(rivers: Campaign, accounts: Accounts, name: str, *, by: tuple[str, str] = ANNA) -> Account:
    """An account that was made by an invitation to be assessor."""
    come(rivers, accounts, invite(rivers, accounts.by(*by).at(NOW), Invitation("assessor")), name)
    return get_account(accounts, name)


def test_an_organiser_resets_only_those_who_work_for_them_alone(
    rivers: Campaign, accounts: Accounts, tmp_path: Path
) -> None:
    ben = invited(rivers, accounts, "Ben")
    assert may_reset(ben, "Anna", [rivers])
    assert not may_reset(ben, "Ben", [rivers])
    assert not may_reset(ben._replace(makes_campaigns=True), "Anna", [rivers])
    with create_campaign(tmp_path / "lakes.db") as lakes:
        give_role(lakes, accounts.by("Olga", "").at(NOW), "Ben", "observer")
        assert not may_reset(ben, "Anna", [rivers, lakes])
        give_role(lakes, accounts.by("Olga", "").at(NOW), "Ben", "none")
        assert not may_reset(ben, "Anna", [rivers, lakes])  # whose judgments there carry the name for ever
    give_role(rivers, accounts.by(*ANNA).at(NOW), "Ben", "organiser")
    assert not may_reset(ben, "Anna", [rivers])
    give_role(rivers, accounts.by(*ANNA).at(NOW), "Ben", "none")
    assert not may_reset(ben, "Anna", [rivers])  # no member at all


def test_giving_a_role_to_an_account_does_not_let_an_organiser_set_its_password(
    rivers: Campaign, accounts: Accounts
) -> None:
    stranger = add_account(accounts.at(NOW), "Ben", PASSWORD)
    give_role(rivers, accounts.by(*ANNA).at(NOW), "Ben", "assessor")
    assert not may_reset(stranger, "Anna", [rivers])


def test_an_account_that_there_was_before_an_invitation_is_not_reset_by_who_invited_it(
    rivers: Campaign, accounts: Accounts
) -> None:
    stranger = add_account(accounts.at(NOW), "Ben", PASSWORD)
    token = invite(rivers, accounts.by(*ANNA).at(NOW), Invitation("assessor"))
    accept(rivers, accounts.at(NOW), token, stranger)
    assert not may_reset(get_account(accounts, "Ben"), "Anna", [rivers])


def test_an_account_is_reset_by_who_invited_it_and_by_no_other_organiser(
    rivers: Campaign, accounts: Accounts
) -> None:
    give_role(rivers, accounts.by(*ANNA).at(NOW), "Olga", "organiser")
    ben = invited(rivers, accounts, "Ben", by=("Olga", ""))
    assert may_reset(ben, "Olga", [rivers])
    assert not may_reset(ben, "Anna", [rivers])


def test_who_is_called_like_a_user_of_the_system_invited_nobody_at_the_terminal(
    rivers: Campaign, accounts: Accounts
) -> None:
    at_the_terminal = "Anna", TERMINAL
    ben = invited(rivers, accounts, "Ben", by=at_the_terminal)
    assert not may_reset(ben, "Anna", [rivers])
    token = make_reset(accounts.by(*ANNA).at(NOW), "Ben")
    give_role(rivers, accounts.by(*at_the_terminal).at(NOW), "Ben", "adjudicator")
    with pytest.raises(LinkGone):
        reset_password(accounts.at(NOW), token, "another long one")


def test_who_was_let_set_a_password_cannot_set_it_once_the_account_can_do_more(
    rivers: Campaign, accounts: Accounts, tmp_path: Path
) -> None:
    add_account(accounts.at(NOW), "Ben", PASSWORD)
    give_role(rivers, accounts.by(*ANNA).at(NOW), "Ben", "assessor")
    token = make_reset(accounts.by(*ANNA).at(NOW), "Ben")
    give_role(rivers, accounts.by(*ANNA).at(NOW), "Ben", "adjudicator")
    assert links.find_link(accounts.at(NOW), token, "reset")  # the same organiser knows what they do
    with create_campaign(tmp_path / "lakes.db") as lakes:
        give_role(lakes, accounts.by("Olga", "").at(NOW), "Ben", "organiser")
    with pytest.raises(LinkGone):
        reset_password(accounts.at(NOW), token, "another long one")
    token = make_reset(accounts.by(*ANNA).at(NOW), "Ben")
    set_makes_campaigns(accounts.at(NOW), "Ben", makes=True)
    with pytest.raises(LinkGone):
        reset_password(accounts.at(NOW), token, "another long one")


def test_who_is_no_organiser_any_more_sets_no_password(rivers: Campaign, accounts: Accounts) -> None:
    add_account(accounts.at(NOW), "Ben", PASSWORD)
    give_role(rivers, accounts.by(*ANNA).at(NOW), "Ben", "assessor")
    token = make_reset(accounts.by(*ANNA).at(NOW), "Ben")
    give_role(rivers, accounts.by("root").at(NOW), "Anna", "none")
    with pytest.raises(LinkGone):
        reset_password(accounts.at(NOW), token, "another long one")


def test_a_name_that_has_a_role_in_a_campaign_that_is_not_offered_here_is_not_free(
    rivers: Campaign, accounts: Accounts, tmp_path: Path
) -> None:
    with create_campaign(tmp_path / "lakes.db") as lakes:
        give_role(lakes, accounts.by(*ANNA).at(NOW), "Olga", "organiser")
    token = invite(rivers, accounts.by(*ANNA).at(NOW), Invitation("assessor"))
    with refused(AccountError):
        come(rivers, accounts, token, "olga")


def test_an_invitation_is_into_one_campaign_and_none_of_its_name_before_or_after(
    rivers: Campaign, accounts: Accounts
) -> None:
    token = invite(rivers, accounts.by(*ANNA).at(NOW), Invitation("organiser"))
    rivers.close()
    earlier = rivers.path.rename(rivers.path.with_name("aside"))
    with new_campaign(rivers.path, title="Rivers again", organiser="Olga", actor="Olga", now=NOW) as later:
        with pytest.raises(LinkGone):
            come(later, accounts, token, "Ben")
        assert invitations_into(accounts, later) == []
        give_role(
            later, accounts.by("Olga", "").at(NOW), "Anna", "assessor"
        )  # withdraws none of the earlier one
    earlier.replace(rivers.path)
    with open_campaign(rivers.path) as restored:
        assert come(restored, accounts, token, "Ben") == "Ben"
