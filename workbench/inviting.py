"""Letting people in: roles given and taken, invitations into a campaign, and links for a new password.

The file of accounts and a campaign are two files. Where both change, the campaign is written first, and the account's
side follows in the transaction that was open before. Whoever is interrupted between the two comes again by the same
link; a new account then needs another name, since the first one stands in the campaign.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from itertools import chain
from typing import NamedTuple

from workbench.accounts import (
    TERMINAL,
    Account,
    AccountError,
    Accounts,
    By,
    acts,
    clean_name,
    get_account,
    links,
    name_key,
)
from workbench.accounts.acts import put_act
from workbench.accounts.links import INVITATION, RESET, Link
from workbench.accounts.people import hash_password, put_account, put_password
from workbench.assigning import changing
from workbench.campaign import Campaign, assignments, log, members
from workbench.campaign.members import JUDGES, NO_ROLE, PARTICIPANT, ROLES
from workbench.errors import CampaignError, UnknownName

LONGEST_DAYS = 90
USUAL_DAYS = 14
RESET_LIFETIME = timedelta(days=2)
LONGEST_TEAM = 200
LONGEST_NOTE = 200


class Invitation(NamedTuple):
    """What somebody is invited to: a role, a participant's team, topics to judge, and for how many days it holds.

    `note` says in the inviter's words whom it is meant for; nobody else reads it.
    """

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
    keep_organiser: bool = True,
    by: By,
    now: datetime,
) -> None:
    """Give somebody a role in a campaign ('none' takes it away), in the campaign's log and in the record of acts.

    Who loses the role of organiser leaves no open links behind. Raises UnknownName for another role,
    CampaignError for a participant without a team and a team of somebody else, and for taking the last organiser's
    role while `keep_organiser`.
    """
    check_role(role, team)
    with accounts.write():
        with campaign.write():
            if keep_organiser:
                _keep_an_organiser(campaign, name, role)
            members.put(campaign, name, role, team=team, actor=by.actor, now=now)
        _note_role(accounts, campaign, name, role, team, by, now)
        if role != "organiser":
            mine = links.links_made_by(accounts, name)
            gone = [link.link for link in mine if link.kind == RESET or is_into(link, campaign)]
            links.withdraw_links(accounts, gone, now=now)


def note_first_organiser(accounts: Accounts, campaign: Campaign, name: str, *, by: By, now: datetime) -> None:
    """Write into the record of acts that somebody is organiser of a campaign that they have just made."""
    with accounts.write():
        _note_role(accounts, campaign, name, "organiser", "", by, now)


def check_role(role: str, team: str) -> None:
    """UnknownName for a role that there is not; CampaignError for a participant without a team, or a team elsewhere."""
    if role not in (*ROLES, NO_ROLE):
        message = f"there is no role {role!r}; there is: {', '.join(ROLES)}, {NO_ROLE}"
        raise UnknownName(message)
    if role == PARTICIPANT and not team:
        message = "a participant sees the runs of a team: say which one"
        raise CampaignError(message)
    if team and role != PARTICIPANT:
        message = f"only participants have a team, and {role} is none"
        raise CampaignError(message)
    if len(team) > LONGEST_TEAM or not team.isprintable():
        message = f"the name of a team has at most {LONGEST_TEAM} characters, and none that are invisible"
        raise CampaignError(message)


def invite(campaign: Campaign, accounts: Accounts, invitation: Invitation, *, by: By, now: datetime) -> str:
    """Make an invitation; returns the token of its link, which is kept nowhere.

    Raises UnknownName, NotThere and CampaignError for what nobody can be invited to.
    """
    _check_invitation(campaign, invitation)
    with accounts.write():
        token = links.put_link(
            accounts,
            INVITATION,
            name=invitation.note,
            campaign=campaign.name,
            log=log.mark(campaign),
            role=invitation.role,
            team=invitation.team,
            topics=invitation.topics,
            made_by=by.actor,
            at_terminal=by.at_terminal,
            expires=now + timedelta(days=invitation.days),
            now=now,
        )
        put_act(accounts, acts.INVITATION_MADE, "", by=by, detail=_words(campaign.name, invitation), now=now)
    return token


def is_into(link: Link, campaign: Campaign) -> bool:
    """Whether a link invites into this very campaign; an earlier or later one of the same name has another log."""
    return (link.campaign, link.log) == (campaign.name, log.mark(campaign))


def invitations_into(accounts: Accounts, campaign: Campaign) -> list[Link]:
    """The invitations into a campaign, the newest first."""
    return links.links_into(accounts, campaign.name, log.mark(campaign))


def _check_invitation(campaign: Campaign, invitation: Invitation) -> None:
    check_role(invitation.role, invitation.team)
    if invitation.role == NO_ROLE:
        raise UnknownName("an invitation gives a role")
    if not 1 <= invitation.days <= LONGEST_DAYS:
        message = f"an invitation holds for 1 to {LONGEST_DAYS} days, not {invitation.days}"
        raise CampaignError(message)
    if invitation.topics and invitation.role not in JUDGES:
        message = f"topics are for people who judge, and {invitation.role} is none of them"
        raise CampaignError(message)
    if len(invitation.note) > LONGEST_NOTE:
        message = f"whom it is for may have at most {LONGEST_NOTE} characters"
        raise CampaignError(message)
    changing.check_topics(campaign, invitation.topics)
    _check_nobodys(campaign, invitation.topics)


def _check_nobodys(campaign: Campaign, topic_ids: Iterable[str]) -> None:
    """CampaignError for a topic that somebody has already: the invitation would promise what it cannot give."""
    for row in assignments.all_assignments(campaign):
        if row.part == assignments.WHOLE and row.topic_id in topic_ids:
            message = (
                f"topic {row.topic_id} is assigned to {row.assessor} already; leave it out of the invitation, "
                "or take it from them first"
            )
            raise CampaignError(message)


def accept_as_new(
    campaign: Campaign,
    accounts: Accounts,
    token: str,
    name: str,
    password: str,
    *,
    others: Iterable[Campaign],
    address: str = "",
    now: datetime,
) -> Account:
    """Make an account by an invitation, and give it the role; the link is used up.

    `others` are all campaigns of the server: a name that stands in one of them belongs to somebody, whose roles and
    judgments nobody gets by choosing the name. Raises LinkGone and AccountError.
    """
    link = links.find_link(accounts, token, INVITATION, now=now)
    clean = clean_name(name)
    password_hash = hash_password(password)
    _check_free(accounts, clean, [campaign, *others])
    by = By(clean, address)
    with accounts.write():
        put_account(accounts, clean, password_hash, invited_by=link.maker, now=now, by=by)
        _use_invitation(campaign, accounts, token, clean, by=by, now=now)
    return get_account(accounts, clean)


def accept(
    campaign: Campaign, accounts: Accounts, token: str, account: Account, *, address: str = "", now: datetime
) -> None:
    """Take a role by an invitation under an account that there is; the link is used up.

    Raises LinkGone, and CampaignError for somebody who has another role in the campaign, or is of another team.
    """
    with accounts.write():
        _use_invitation(campaign, accounts, token, account.name, by=By(account.name, address), now=now)


def _use_invitation(
    campaign: Campaign, accounts: Accounts, token: str, name: str, *, by: By, now: datetime
) -> None:
    link = links.use_link(accounts, token, INVITATION, name=name, now=now)
    if not is_into(link, campaign):
        raise links.LinkGone
    with campaign.write():
        has, team = members.role_of(campaign, name), members.team_of(campaign, name)
        if has not in (None, link.role) or team not in ("", link.team):
            message = f"{name} is {has} of {campaign.name} already; an organiser can change that"
            raise CampaignError(message)
        members.put(campaign, name, link.role, team=link.team, actor=link.made_by, now=now)
        _give_topics(campaign, link, name, now)
    put_act(accounts, acts.INVITATION_USED, name, by=by, detail=campaign.name, now=now)
    _note_role(accounts, campaign, name, link.role, link.team, _maker(link), now)


def _give_topics(campaign: Campaign, link: Link, name: str, now: datetime) -> None:
    """The invitation's topics that are still nobody's: an old link takes no topic from somebody who judges it."""
    taken = {
        row.topic_id
        for row in assignments.all_assignments(campaign)
        if row.part == assignments.WHOLE or row.assessor == name
    }
    free = [topic_id for topic_id in link.topics if topic_id not in taken]
    if free:
        asked = [(topic_id, assignments.WHOLE, name) for topic_id in free]
        replaced = {(topic_id, assignments.WHOLE) for topic_id in free}
        changing.put_checked(campaign, replaced, asked, actor=link.made_by, now=now)


def withdraw(accounts: Accounts, link: Link, *, by: By, now: datetime) -> None:
    """Make a link useless; a used one stays as it is."""
    with accounts.write():
        links.withdraw_links(accounts, [link.link], now=now)
        whom = link.name if link.kind == RESET else ""  # a note on an invitation is nobody's name
        put_act(accounts, acts.LINK_WITHDRAWN, whom, by=by, detail=link.kind, now=now)


def make_reset(accounts: Accounts, name: str, *, by: By, now: datetime) -> str:
    """Make a link by which a person sets a new password, in place of earlier ones; returns its token.

    Raises AccountError for an unknown name, and for an account that is shut.
    """
    account = get_account(accounts, name)
    if account.disabled:
        message = f"{account.name}: this account is shut; open it first with: workbench user enable"
        raise AccountError(message)
    with accounts.write():
        links.withdraw_links(
            accounts, [link.link for link in links.resets_of(accounts, account.name)], now=now
        )
        token = links.put_link(
            accounts,
            RESET,
            name=account.name,
            made_by=by.actor,
            at_terminal=by.at_terminal,
            expires=now + RESET_LIFETIME,
            now=now,
        )
        put_act(accounts, acts.RESET_MADE, account.name, by=by, now=now)
    return token


def reset_password(
    accounts: Accounts, token: str, password: str, *, address: str = "", now: datetime
) -> Account:
    """Set a password by a link, which ends the person's sessions everywhere; raises LinkGone and AccountError."""
    name = links.find_link(accounts, token, RESET, now=now).name
    password_hash = hash_password(password)
    with accounts.write():
        if get_account(accounts, name).disabled:
            raise links.LinkGone
        links.use_link(accounts, token, RESET, name=name, now=now)
        put_password(accounts, name, password_hash, acts.PASSWORD_RESET, by=By(name, address), now=now)
    return get_account(accounts, name)


def may_reset(account: Account, who: str, campaigns: Sequence[Campaign]) -> bool:
    """Whether `who` may make a link for a new password of an account: whoever sets the password can act under the name.

    So the account must have come by an invitation of `who`, have a role in campaigns of which `who` is organiser and
    never have had one elsewhere, be organiser of none, and have no right to make campaigns. A role alone does not do:
    organisers give it to accounts of others. For everybody else there is the server's terminal.
    """
    if account.invited_by != who or account.name == who or account.makes_campaigns or account.disabled:
        return False
    known = [campaign for campaign in campaigns if members.was_member(campaign, account.name)]
    theirs = {members.role_of(campaign, account.name) for campaign in known} - {None}
    mine = {members.role_of(campaign, who) for campaign in known}
    return bool(theirs) and "organiser" not in theirs and mine == {"organiser"}


def _check_free(accounts: Accounts, name: str, campaigns: Iterable[Campaign]) -> None:
    """The record knows of roles in campaigns too that this server does not offer, or cannot read now."""
    used = chain(acts.given_roles(accounts), *(members.names_used(campaign) for campaign in campaigns))
    key = name_key(name)
    if any(name_key(each) == key for each in used):
        message = f"{name}: this name stands in a campaign already; choose another"
        raise AccountError(message)


def _keep_an_organiser(campaign: Campaign, name: str, role: str) -> None:
    roles = members.all_members(campaign)
    others = [other for other, has in roles.items() if has == "organiser" and other != name]
    if role != "organiser" and roles.get(name) == "organiser" and not others:
        message = f"{name} is the only organiser of {campaign.name}; make somebody else organiser first"
        raise CampaignError(message)


def _note_role(
    accounts: Accounts, campaign: Campaign, name: str, role: str, team: str, by: By, now: datetime
) -> None:
    act = acts.ROLE_TAKEN if role == NO_ROLE else acts.ROLE_GIVEN
    detail = campaign.name if role == NO_ROLE else _words(campaign.name, Invitation(role, team))
    put_act(accounts, act, name, by=by, detail=detail, now=now)
    if role != NO_ROLE:
        links.withdraw_resets_by_others(accounts, name, by, now=now)


def _maker(link: Link) -> By:
    """Who made a link; from which network address does not stand in it."""
    return TERMINAL._replace(actor=link.made_by) if link.at_terminal else By(link.made_by)


def _words(campaign: str, invitation: Invitation) -> str:
    team = f" of team {invitation.team}" if invitation.team else ""
    return f"{invitation.role}{team} in {campaign}"
