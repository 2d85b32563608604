"""The people of a campaign: roles, invitations, and whether participants see their scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Annotated, Any, Literal, NamedTuple

from flask import g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from workbench.campaign.assigning import handing_over
from workbench.campaign.new_campaign import MOST_TEAMS, choose_least_teams, open_scores
from workbench.core.errors import AlreadyDone, CampaignError, InputError, NotThere, UnknownName
from workbench.core.natural_order import natural
from workbench.core.parameters import Limits
from workbench.core.wording import capital, counted
from workbench.formats.people_lists import write_links
from workbench.formats.text.content import content_of
from workbench.people.accounts import Account, AccountError, find_account
from workbench.people.accounts.links import Link
from workbench.people.accounts.tokens import revoke, tokens
from workbench.people.members import inviting, offering, password_links
from workbench.people.members.inviting import Invitation
from workbench.people.members.inviting_many import invite_many
from workbench.people.members.searchers import candidates, let_search
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import runs, topics
from workbench.storage.campaign.collection.rounds import named_teams
from workbench.storage.campaign.log.log import mark
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.people import members
from workbench.web.access.rules import JUDGES, ORGANISERS, ROLES, Pages, all_campaigns
from workbench.web.accounts.reauthentication import PASSWORD, confirmed
from workbench.web.accounts.sign_in import sentence
from workbench.web.requests.answers import attached, say
from workbench.web.requests.connections import accounts
from workbench.web.requests.form_fields import Count, SentFile, ShortName, Text, Ticked
from workbench.web.requests.lists import Column, Listing, one_of, request_list
from workbench.web.requests.successors import successors

WITHOUT_ACCOUNTS = (
    "The demo has no accounts, so members cannot be invited. Serve the campaign: workbench serve"
)
OFFERED = (
    "Role offered. If the account exists, its owner sees the offer on their account page and becomes a member by "
    "accepting it."
)


class Member(NamedTuple):
    """A member: name, role, and a participant's team."""

    name: str
    role: str
    team: str


class Invited(NamedTuple):
    """An invitation or an offer, and its state in a word."""

    link: Link
    state: str


MEMBERS = Listing[Member](
    noun="member",
    columns=(
        Column("name", "Name", lambda member: natural(member.name.casefold())),
        Column("role", "Role", lambda member: ROLES.index(member.role)),
        Column("team", "Team", lambda member: natural(member.team.casefold()) if member.team else None),
    ),
    filters=(one_of("role", "Role", ROLES, lambda member: member.role),),
    text=lambda member: f"{member.name} {member.team}",
    looks_in="Name or team",
    ident=lambda member: member.name,
    order="role",
)
STATES = ("open", "offered", "used", "accepted", "expired", "withdrawn")
INVITATIONS = Listing[Invited](
    noun="invitation",
    columns=(
        Column("for", "For", lambda each: natural(each.link.name.casefold()) if each.link.name else None),
        Column("role", "Role", lambda each: (each.link.role, natural(each.link.team))),
        Column("created", "Created", lambda each: each.link.link, numeric=True),
        Column("expires", "Expires", lambda each: each.link.expires_at, numeric=True),
        Column("state", "State", lambda each: each.state),
    ),
    filters=(one_of("state", "State", STATES, lambda each: each.state),),
    text=lambda each: f"{each.link.name} {each.link.role} {each.link.team} {each.link.used_by or ''}",
    looks_in="Name, role or team",
    ident=lambda each: str(each.link.link),
    order="-created",
    prefix="invitation-",
)

Role = Annotated[str, Limits("a role", choices=ROLES)]

blueprint = Pages("people", __name__)


@blueprint.errorhandler(AccountError)
@blueprint.errorhandler(CampaignError)
@blueprint.errorhandler(InputError)
@blueprint.errorhandler(NotThere)
@blueprint.errorhandler(UnknownName)
def refused(error: Exception) -> ResponseReturnValue:
    """The page, with what is wrong with the form that was sent."""
    return _page(problem=sentence(error)), 400


@blueprint.get("/c/<campaign>/people", allow=ORGANISERS)
def page(campaign: str) -> str:
    """The members with their roles, and the invitations."""
    return _page()


@blueprint.post("/c/<campaign>/people/role", allow=ORGANISERS)
@confirmed
def role(
    campaign: str, *, name: Text, role: Text, team: ShortName = "", topics: Text = ""
) -> ResponseReturnValue:
    """Change the role of a member, or remove them; who is to judge no longer hands over their work first."""
    if name not in members.all_members(g.campaign):  # whether or not there is an account of the name
        raise NotThere(
            f"{name} is not a member of {g.campaign.name}; offer the role instead, or invite the person by a link"
        )
    if role not in JUDGES and not topics and handing_over.work_of(g.campaign, name):
        asked: dict[str, Any] = {"from": name, "role": role, "team": team or None}
        return redirect(url_for("assignments.hand_over", campaign=campaign, **asked), 303)
    taking_over = successors()._replace(person=name) if topics == "hand over" else None
    said = inviting.give_role(g.campaign, accounts(), name, role, team=team, successors=taking_over)
    return _done(f"Role changed. {capital(said)}." if said else "Role changed.")


@blueprint.post("/c/<campaign>/people/offer", allow=ORGANISERS)
@confirmed
def offer(campaign: str, *, role: Role, name: Text, team: ShortName = "") -> ResponseReturnValue:
    """Offer a role to the account of a name; the answer is the same where there is none."""
    if g.viewer.local:
        return _page(problem=WITHOUT_ACCOUNTS), 409
    offering.offer_role(g.campaign, accounts(), Invitation(role, team, note=name))
    return _done(OFFERED)


@blueprint.post("/c/<campaign>/people/invitation", allow=ORGANISERS)
@confirmed
def invite(
    campaign: str, *, role: Role, days: Count, team: ShortName = "", topics: Text = "", note: ShortName = ""
) -> ResponseReturnValue:
    """Make an invitation; its link is in the answer to this request and nowhere else."""
    if g.viewer.local:
        return _page(problem=WITHOUT_ACCOUNTS), 409
    topic_ids = tuple(dict.fromkeys(topics.replace(",", " ").split()))
    wanted = Invitation(role, team, topic_ids, days, note)
    token = inviting.invite(g.campaign, accounts(), wanted)
    address = url_for("invitations.invitation", token=token, _external=True)
    return _page(link=address, link_is="Invitation link"), 201


@blueprint.post("/c/<campaign>/people/withdraw", allow=ORGANISERS)
def withdraw(campaign: str, *, link: Ticked = ()) -> ResponseReturnValue:
    """Withdraw invitations into this campaign; used ones stay as they are."""
    every = all_invitations()
    chosen = set(INVITATIONS.chosen(every, request.form, link))
    there = [each.link for each in every if str(each.link.link) in chosen]
    if len(there) < len(chosen):
        raise NotThere("there is no such invitation")
    still_open = [each for each in there if each.is_open(accounts().now)]
    if not still_open:
        raise AlreadyDone("none of these invitations is still open")
    inviting.withdraw(accounts(), *still_open)
    return _done("Withdrawn: these invitations are no longer valid.", INVITATIONS)


@blueprint.post("/c/<campaign>/people/list", allow=ORGANISERS)
@confirmed
def invite_list(
    campaign: str, *, role: Role, days: Count, team: ShortName = "", list_: SentFile | None = None
) -> ResponseReturnValue:
    """Make an invitation for each row of a list; the answer is the list with the links, which stand nowhere else."""
    if g.viewer.local:
        return _page(problem=WITHOUT_ACCOUNTS), 409
    if list_ is None or not list_.filename:
        again = "choose the list again: files are not kept while you confirm your password"
        raise CampaignError(again if PASSWORD in request.form else "choose a list first, a CSV file")
    made = invite_many(
        g.campaign, accounts(), content_of(list_.filename, list_.read()), Invitation(role, team, days=days)
    )
    linked = ((row, url_for("invitations.invitation", token=token, _external=True)) for row, token in made)
    name = f"{campaign}-invitations.csv"
    return attached("".join(write_links(linked)), name, "text/csv; charset=utf-8"), 201


@blueprint.post("/c/<campaign>/people/reset", allow=ORGANISERS)
@confirmed
def reset(campaign: str, *, name: Text) -> ResponseReturnValue:
    """Make a link for a new password; only for members this organiser invited who work for no other organiser."""
    account = find_account(accounts(), name)
    if account is None or not _may_reset(account, all_campaigns()):
        raise CampaignError(
            "you can create a reset link only for an account that joined through your own invitation and to which no "
            "other organiser has given or offered a role; for other accounts the administrator creates it in the "
            "server's terminal: workbench user reset NAME"
        )
    token = password_links.make_reset(accounts(), account.name)
    address = url_for("invitations.reset", token=token, _external=True)
    return _page(link=address, link_is=f"Reset link for {account.name}"), 201


@blueprint.post("/c/<campaign>/people/least-teams", allow=ORGANISERS)
def least_teams(campaign: str, *, least: Count) -> ResponseReturnValue:
    """Say from how many teams on participants see the median and the best of all runs."""
    choose_least_teams(g.campaign, least)
    return _done("Minimum number of teams changed.")


@blueprint.post("/c/<campaign>/people/searchers", allow=ORGANISERS)
def searchers(campaign: str, *, name: Ticked = (), do: Literal["let", "end"] = "let") -> ResponseReturnValue:
    """Let the members that are ticked search the texts and pool what they find, or not any more (`do=end`)."""
    has = set(settings.read(g.campaign).searchers)
    chosen = set(MEMBERS.chosen(all_members(), request.form, name))
    may = has - chosen if do == "end" else has | chosen
    let_search(g.campaign, may)
    return _done("Search permissions changed.", MEMBERS)


@blueprint.post("/c/<campaign>/people/tokens/revoke", allow=ORGANISERS)
def revoke_token(campaign: str, *, token: Count) -> ResponseReturnValue:
    """Revoke the token of a program that works in this campaign."""
    revoke(accounts(), tokens(accounts(), log=mark(g.campaign)), token)
    return _done("Token revoked.")


@blueprint.post("/c/<campaign>/people/scores", allow=ORGANISERS)
def scores(campaign: str, *, open_: bool) -> ResponseReturnValue:
    """Let participants see the scores of their runs, or not any more."""
    is_open = open_
    open_scores(g.campaign, is_open)
    return _done(f"Participants can {'now' if is_open else 'no longer'} see their scores.")


def all_members() -> list[Member]:
    """All members, the organisers first, then by role and name."""
    teams = members.teams(g.campaign)
    roles = sorted(
        members.all_members(g.campaign).items(),
        key=lambda entry: (ROLES.index(entry[1]), entry[0].casefold()),
    )
    return [Member(name, has, teams.get(name, "")) for name, has in roles]


def all_invitations() -> list[Invited]:
    """All invitations and offers into the campaign of this request, the newest first."""
    found = inviting.invitations_into(accounts(), g.campaign)
    return [Invited(link, link.state(accounts().now)) for link in found]


def lead(roles: dict[str, str]) -> str:
    """Who works in the campaign, in a sentence."""
    if not roles:
        return "This campaign has no members yet."
    numbers = Counter(roles.values())
    counts = [counted(numbers[role], role) for role in ROLES if numbers[role]]
    listed = counts[0] if len(counts) == 1 else f"{', '.join(counts[:-1])} and {counts[-1]}"
    return f"{listed} {'works' if len(roles) == 1 else 'work'} in this campaign."


def _page(*, problem: str = "", link: str = "", link_is: str = "") -> str:
    roles = members.all_members(g.campaign)
    kept = {word: request_list()[word] for word in INVITATIONS.words() if request_list().get(word)}
    found = MEMBERS.view(all_members(), request_list(), ".page", campaign=g.campaign.name, **kept)
    return render_template(
        "accounts/people/page.html",
        lead=lead(roles),
        may_search=set(settings.read(g.campaign).searchers),
        can_search=set(candidates(g.campaign)),
        members=found,
        rows=_rows(found.rows),
        roles=ROLES,
        teams=sorted({run.record.team for run in runs.all_runs(g.campaign)} - {""}),
        topics=len(topics.topic_ids(g.campaign)),
        invitations=INVITATIONS.view(
            all_invitations(), request_list(), ".page", campaign=g.campaign.name, **found.args
        ),
        tokens=tokens(accounts(), log=mark(g.campaign)),
        without_accounts=WITHOUT_ACCOUNTS if g.viewer.local else "",
        problem=problem,
        link=link,
        link_is=link_is,
        days=inviting.USUAL_DAYS,
        most_days=inviting.LONGEST_DAYS,
        most_teams=MOST_TEAMS,
        team_count=len(named_teams(g.campaign)),
        form=request.form,
    )


def _rows(shown: Sequence[Member]) -> Iterator[tuple[Member, str, bool]]:
    """The members, each with the state of the account as text, and whether one may reset it."""
    campaigns = all_campaigns()
    for member in shown:
        account = find_account(accounts(), member.name)
        state = "none yet" if account is None else "shut" if account.disabled else ""
        yield member, state, _may_reset(account, campaigns)


def _may_reset(account: Account | None, campaigns: Sequence[Campaign] | None) -> bool:
    if account is None or campaigns is None or g.viewer.local:
        return False
    may = password_links.may_reset(account, g.account, campaigns)
    return may and not password_links.is_offered_by_others(accounts(), account)


def _done(said: str, of: Listing[Any] = MEMBERS) -> ResponseReturnValue:
    say(said)
    return redirect(url_for(".page", campaign=g.campaign.name, **of.back()), 303)
