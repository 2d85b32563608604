"""Letting people in: roles given and taken, invitations into a campaign, and links for a new password.

The file of accounts and a campaign are two files. Where both change, the campaign is written first, and the account's
side follows in the transaction that was open before. After an interruption between the two, the invitee opens the same
link; a new account then needs another name, since the first one is in the campaign.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from itertools import chain
from typing import NamedTuple

from workbench.campaign.assigning import Successors, changing, handing_over
from workbench.core.errors import CampaignError, UnknownName
from workbench.core.normal_forms import is_printable
from workbench.core.wording import message_with, none_such
from workbench.core.wording import translatable as _
from workbench.people.accounts import (
    TERMINAL,
    Account,
    AccountError,
    Accounts,
    clean_name,
    find_account,
    get_account,
    links,
    list_accounts,
    name_key,
    security_log,
)
from workbench.people.accounts.identities import Identity, put_identity
from workbench.people.accounts.links import INVITATION, RESET, Link, NewLink
from workbench.people.accounts.passwords import hash_password
from workbench.people.accounts.people import put_account
from workbench.people.accounts.security_log import log_event
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning import assignments
from workbench.storage.campaign.collection import topic_withdrawals
from workbench.storage.campaign.log import log
from workbench.storage.campaign.people import members
from workbench.storage.campaign.people.members import JUDGES, NO_ROLE, PARTICIPANT, ROLES

LONGEST_DAYS = 90
USUAL_DAYS = 14
LONGEST_TEAM = 200
LONGEST_NOTE = 200
MOST_TAKEN = 5
"""How many names that are taken can be tried with one invitation: each answer says that a name is on this server."""

MOST_TAKEN_OF_MAKER = 25
"""How many with all invitations of one maker within TAKEN_WINDOW; every further link would be five further tries."""

TAKEN_WINDOW = timedelta(days=1)


HAS_ROLE = _("%(name)s is %(role)s of %(campaign)s already; an organiser can change that")


class NameTaken(AccountError):
    """The name belongs to an account or is in a campaign; which of them is not said."""

    def __init__(self, name: str) -> None:
        super().__init__(
            message_with("%(name)s: this name is taken; choose another, or sign in if it is yours", name=name)
        )


class TooManyNames(AccountError):
    """Too many taken names were tried: this one is not looked up."""

    def __init__(self) -> None:
        super().__init__(
            message_with(
                "too many taken names were tried; if you have an account here, sign in with it, else ask the "
                "organiser for another link, or try again tomorrow"
            )
        )


class Invitation(NamedTuple):
    """An invitation: role, team, topics, lifetime in days, and a `note` on who it is for, for organisers alone."""

    role: str
    team: str = ""
    topics: tuple[str, ...] = ()
    days: int = USUAL_DAYS
    note: str = ""


def give_role(
    campaign: Campaign,
    accounts: Accounts,
    name: str,
    role: str,
    *,
    team: str = "",
    successors: Successors | None = None,
) -> str:
    """Set the role of an account in a campaign ('none' removes it), in the campaign's log and the security log.

    An organiser who loses the role leaves no open links behind. What waits for the member stays theirs, or is handed
    over to `successors` in the same transaction; then returns what was handed over, as text. Raises as `check_role` and
    `hand_over` do, and CampaignError for removing the last organiser's role elsewhere than at the terminal.
    """
    check_role(role, team)
    with accounts.write():
        _note_role(accounts, name, role, role_detail(campaign.name, role, team))
        if role != "organiser":
            mine = links.links_made_by(accounts, name)
            gone = [link for link in mine if link.kind == RESET or is_into(link, campaign)]
            links.withdraw_links(accounts, gone)
        # At the end, so that both files are committed one after the other with nothing between.
        changed = campaign.by(accounts.actor, accounts.moment)
        with campaign.write():
            if not accounts.at_terminal and role != "organiser":
                keep_an_organiser(campaign, name)
            members.put(changed, name, role, team=team)
            return handing_over.hand_over(changed, successors).words if successors else ""


def disabled_members(campaign: Campaign, accounts: Accounts) -> frozenset[str]:
    """The people whose accounts are disabled, by the names that the campaign shows."""
    shut = [account.name for account in list_accounts(accounts) if account.disabled]
    return frozenset(members.viewer(campaign, name).name for name in shut)


def note_first_organiser(accounts: Accounts, campaign: Campaign, name: str) -> None:
    """Record in the security log that the creator of a new campaign is its organiser."""
    with accounts.write():
        _note_role(accounts, name, "organiser", role_detail(campaign.name, "organiser"))


def check_role(role: str, team: str) -> None:
    """UnknownName for a role that there is not; CampaignError for a participant without a team, or a team elsewhere."""
    if role not in (*ROLES, NO_ROLE):
        raise UnknownName(none_such("role", role, [*ROLES, NO_ROLE], shown=len(ROLES) + 1))
    if role == PARTICIPANT and not team:
        raise CampaignError("a participant sees the runs of a team: say which one")
    if team and role != PARTICIPANT:
        raise CampaignError(f"only participants have a team, not members with the role {role}")
    if len(team) > LONGEST_TEAM or not is_printable(team):
        message = f"the name of a team has at most {LONGEST_TEAM} characters, and none that are invisible"
        raise CampaignError(message)


def invite(campaign: Campaign, accounts: Accounts, invitation: Invitation) -> str:
    """Make an invitation; returns its link's token, kept nowhere. UnknownName, NotThere, CampaignError as checked."""
    check_offered(invitation)
    changing.check_topics(campaign, invitation.topics)
    assigned = assigned_topics(campaign)
    for topic_id in invitation.topics:
        if topic_id in assigned:
            raise CampaignError(
                f"topic {topic_id} is assigned to {assigned[topic_id]} already; leave it out of the invitation, "
                "or take it from them first"
            )
    with accounts.write():
        return put_invitation(campaign, accounts, invitation)


def put_invitation(
    campaign: Campaign, accounts: Accounts, invitation: Invitation, *, account: str | None = None
) -> str:
    """Make a checked invitation, or an offer to an account, inside the open write transaction; its link's token."""
    role, team, topics, days, note = invitation
    link = NewLink(INVITATION, note, campaign.name, log.mark(campaign), role, team, topics, account)
    token = links.put_link(accounts, link, timedelta(days=days))
    act = security_log.INVITATION_MADE if account is None else security_log.ROLE_OFFERED
    log_event(accounts, act, account or "", detail=role_detail(campaign.name, role, team))
    return token


def is_into(link: Link, campaign: Campaign) -> bool:
    """Whether a link invites into this very campaign; an earlier or later one of the same name has another log."""
    return (link.campaign, link.log) == (campaign.name, log.mark(campaign))


def invitations_into(accounts: Accounts, campaign: Campaign) -> list[Link]:
    """The invitations into a campaign, the newest first."""
    return links.links_into(accounts, campaign.name, log.mark(campaign))


def check_offered(invitation: Invitation) -> None:
    """UnknownName and CampaignError for what an invitation cannot offer, whatever the campaign has."""
    check_role(invitation.role, invitation.team)
    if invitation.role == NO_ROLE:
        raise UnknownName("an invitation gives a role")
    if not 1 <= invitation.days <= LONGEST_DAYS:
        raise CampaignError(f"an invitation holds for 1 to {LONGEST_DAYS} days, not {invitation.days}")
    if invitation.topics and invitation.role not in JUDGES:
        raise CampaignError(f"topics are for people who judge, which the role {invitation.role} does not")
    if len(invitation.note) > LONGEST_NOTE:
        raise CampaignError(f"the note may have at most {LONGEST_NOTE} characters; shorten it")


def assigned_topics(campaign: Campaign) -> dict[str, str]:
    """The topics that are assigned as a whole, each with its assessor: an invitation could not assign them."""
    rows = assignments.all_assignments(campaign)
    return {row.topic_id: row.assessor for row in rows if row.part == assignments.WHOLE}


def accept_as_new(
    campaign: Campaign,
    accounts: Accounts,
    token: str,
    name: str,
    proof: str | Identity,
    *,
    others: Iterable[Campaign],
) -> Account:
    """Make an account by an invitation, and give it the role; the link is used up.

    `proof` is its password, or the sign-in at a provider that it is connected with, without a password then.

    `others` are all campaigns of the server: a name that is in one of them belongs to a person, whose roles and
    judgments no invitee gets by choosing the name. Raises LinkGone, NameTaken, TooManyNames for more names that are
    taken than MOST_TAKEN, and AccountError.
    """
    links.find_link(accounts, token, INVITATION)
    clean = clean_name(name)
    password_hash = hash_password(proof, clean) if isinstance(proof, str) else ""
    # The record knows of campaigns too that this server does not offer or read.
    used = chain(security_log.given_roles(accounts), *map(members.names_used, [campaign, *others]))
    is_used = name_key(clean) in map(name_key, used)
    with accounts.write():
        link = links.find_link(accounts, token, INVITATION)
        since = accounts.now - TAKEN_WINDOW
        tried = links.taken_names_since(accounts, link.maker, since) if link.maker else 0
        if link.taken_names >= MOST_TAKEN or tried >= MOST_TAKEN_OF_MAKER:
            raise TooManyNames
        is_free = not is_used and find_account(accounts, clean) is None
        if is_free:
            put_account(accounts.by(clean), clean, password_hash, invited_by=link.maker)
            if isinstance(proof, Identity):
                put_identity(accounts.by(clean), clean, proof)
            use_invitation(campaign, accounts, link, clean)
        else:
            links.count_taken_name(accounts, link)
            log_event(accounts.by(""), security_log.TAKEN_NAME_TRIED, "", detail=campaign.name)
    if not is_free:
        raise NameTaken(clean)
    return get_account(accounts, clean)


def accept(campaign: Campaign, accounts: Accounts, token: str, account: Account) -> None:
    """Take a role by an invitation under an account that there is; the link is used up.

    Raises LinkGone, and CampaignError for an account with another role in the campaign, or of another team.
    """
    with accounts.write():
        link = links.find_link(accounts, token, INVITATION)
        use_invitation(campaign, accounts, link, account.name)


def use_invitation(campaign: Campaign, accounts: Accounts, link: Link, name: str) -> None:
    """Give the role and the topics of an invitation, inside the open write transaction in which it was found open.

    Raises LinkGone for an invitation into another campaign, CampaignError as `accept` does.
    """
    if not is_into(link, campaign):
        raise links.LinkGone
    links.put_used(accounts, link, name=name)
    with campaign.write():
        has, team = members.role_of(campaign, name), members.team_of(campaign, name)
        if has not in (None, link.role) or team not in ("", link.team):
            raise CampaignError(message_with(HAS_ROLE, name=name, role=has, campaign=campaign.name))
        given = campaign.by(link.made_by, accounts.moment)
        members.put(given, name, link.role, team=link.team)
        _give_topics(given, link, name)
    log_event(accounts.by(name), security_log.INVITATION_USED, name, detail=campaign.name)
    maker = accounts.by(link.made_by, TERMINAL if link.at_terminal else "")
    _note_role(maker, name, link.role, role_detail(campaign.name, link.role, link.team))


def _give_topics(campaign: Campaign, link: Link, name: str) -> None:
    """The invitation's topics that are still unassigned and not withdrawn: an old link takes no topic away."""
    taken = {
        row.topic_id
        for row in assignments.all_assignments(campaign)
        if row.part == assignments.WHOLE or row.assessor == name
    }
    gone = taken | topic_withdrawals.withdrawn(campaign).keys()
    free = [topic_id for topic_id in link.topics if topic_id not in gone]
    if free:
        assigned = [(topic_id, assignments.WHOLE, name) for topic_id in free]
        replaced = {(topic_id, assignments.WHOLE) for topic_id in free}
        changing.put_checked(campaign, replaced, assigned)


def withdraw(accounts: Accounts, *given: Link) -> None:
    """Make links and offers useless, all of them or none; a used one stays as it is."""
    with accounts.write():
        links.withdraw_links(accounts, given)
        for link in given:
            # A note on an invitation is not an account's name.
            recipient = link.name if link.kind == RESET else link.account or ""
            log_event(accounts, security_log.LINK_WITHDRAWN, recipient, detail=link.kind)


def keep_an_organiser(campaign: Campaign, name: str) -> None:
    """CampaignError where a person is the only organiser."""
    roles = members.all_members(campaign)
    if [other for other, has in roles.items() if has == "organiser"] == [name]:
        message = f"{name} is the only organiser of {campaign.name}; appoint another organiser first"
        raise CampaignError(message)


def _note_role(accounts: Accounts, name: str, role: str, detail: str) -> None:
    act = security_log.ROLE_TAKEN if role == NO_ROLE else security_log.ROLE_GIVEN
    log_event(accounts, act, name, detail=detail)
    if role != NO_ROLE:
        links.withdraw_resets_by_others(accounts, name)


def role_detail(campaign: str, role: str, team: str = "") -> str:
    """A role in a campaign as the security log has it; the campaign alone where a role is taken away."""
    if role == NO_ROLE:
        return campaign
    return f"{role}{f' of team {team}' if team else ''} in {campaign}"
