"""The people of a campaign: roles, invitations, and whether participants see their scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from flask import Blueprint, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from workbench.core.errors import CampaignError, CampaignUnavailable, NotThere, UnknownName
from workbench.core.wording import counted
from workbench.judging.members import inviting, offering, password_links
from workbench.judging.members.inviting import Invitation
from workbench.judging.members.searchers import candidates, let_search
from workbench.setup.new_campaign import MOST_TEAMS, choose_least_teams, open_scores
from workbench.storage.accounts import Account, AccountError, Accounts, AccountsUnavailable, find_account
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import runs, settings, topics
from workbench.storage.campaign.people import members
from workbench.web.access import sessions
from workbench.web.access.rules import ROLES, all_campaigns, allow_in_campaign
from workbench.web.accounts.account import sentence
from workbench.web.accounts.reauthentication import confirmed
from workbench.web.requests.connections import connections

WITHOUT_ACCOUNTS = (
    "This server has no accounts, so members cannot be invited. Create an account in the terminal and restart the "
    "server: "
    "workbench user add NAME --organiser"
)
REFUSALS = (AccountError, CampaignError, NotThere, UnknownName)
SAID = {
    "role": "Role changed.",
    "offered": (
        "Role offered. If the account exists, its owner sees the offer on their account page and becomes a member "
        "by accepting it."
    ),
    "withdrawn": "Invitation withdrawn.",
    "scores": "Participants can now see their scores.",
    "searchers": "Who may search is changed.",
    "least-teams": "Minimum number of teams changed.",
    "no-scores": "Participants can no longer see scores.",
}

blueprint = Blueprint("people", __name__)


class Row(NamedTuple):
    """A member: name, role, a participant's team, the state of the account in words, and whether one may reset it."""

    name: str
    role: str
    team: str
    account: str
    may_reset: bool


@blueprint.get("/c/<campaign>/people")
@allow_in_campaign("organiser")
def page(campaign: str) -> str:
    """The members with their roles, and the invitations."""
    return _page(said=SAID.get(request.args.get("done", ""), ""))


@blueprint.post("/c/<campaign>/people/role")
@allow_in_campaign("organiser")
@confirmed
def role(campaign: str) -> ResponseReturnValue:
    """Change the role of a member, or take it away."""
    try:
        inviting.give_role(
            g.campaign,
            connections().accounts(),
            _member(request.form.get("name", "")),
            request.form.get("role", ""),
            team=_words("team"),
            by=sessions.by_viewer(),
            now=_now(),
        )
    except REFUSALS as error:
        return _refused(error)
    return _done("role")


@blueprint.post("/c/<campaign>/people/offer")
@allow_in_campaign("organiser")
@confirmed
def offer(campaign: str) -> ResponseReturnValue:
    """Offer a role to the account of a name; the answer is the same where there is none."""
    if g.viewer.local:
        return _page(problem=WITHOUT_ACCOUNTS), 409
    try:
        offering.offer_role(
            g.campaign,
            connections().accounts(),
            request.form.get("name", ""),
            request.form.get("role", ""),
            team=_words("team"),
            by=sessions.by_viewer(),
            now=_now(),
        )
    except REFUSALS as error:
        return _refused(error)
    return _done("offered")


@blueprint.post("/c/<campaign>/people/invitation")
@allow_in_campaign("organiser")
@confirmed
def invite(campaign: str) -> ResponseReturnValue:
    """Make an invitation; its link stands in the answer to this request and nowhere else."""
    if g.viewer.local:
        return _page(problem=WITHOUT_ACCOUNTS), 409
    try:
        token = inviting.invite(
            g.campaign, connections().accounts(), _read_invitation(), by=sessions.by_viewer(), now=_now()
        )
    except REFUSALS as error:
        return _refused(error)
    address = url_for("invitations.invitation", token=token, _external=True)
    return _page(link=address, link_is="Invitation link"), 201


@blueprint.post("/c/<campaign>/people/withdraw")
@allow_in_campaign("organiser")
def withdraw(campaign: str) -> ResponseReturnValue:
    """Withdraw an invitation into this campaign."""
    accounts, number = connections().accounts(), request.form.get("link", "")
    for link in inviting.invitations_into(accounts, g.campaign):
        if str(link.link) == number:
            inviting.withdraw(accounts, link, by=sessions.by_viewer(), now=_now())
            return _done("withdrawn")
    return _refused(NotThere("there is no such invitation"))


@blueprint.post("/c/<campaign>/people/reset")
@allow_in_campaign("organiser")
@confirmed
def reset(campaign: str) -> ResponseReturnValue:
    """Make a link by which a member sets a new password; only for members that this organiser invited and who work for
    no one else.
    """
    accounts = connections().accounts()
    account = find_account(accounts, request.form.get("name", ""))
    if account is None or not _may_reset(accounts, account, all_campaigns()):
        message = (
            "you can create a reset link only for an account that joined by your own invitation and that no other "
            "organiser has given or offered a role; for other accounts the administrator creates it in the server's "
            "terminal: "
            "workbench user reset NAME"
        )
        return _refused(CampaignError(message))
    try:
        token = password_links.make_reset(accounts, account.name, by=sessions.by_viewer(), now=_now())
    except REFUSALS as error:
        return _refused(error)
    address = url_for("invitations.reset", token=token, _external=True)
    return _page(link=address, link_is=f"Reset link for {account.name}"), 201


@blueprint.post("/c/<campaign>/people/least-teams")
@allow_in_campaign("organiser")
def least_teams(campaign: str) -> ResponseReturnValue:
    """Say from how many teams on participants see the median and the best of all runs."""
    try:
        choose_least_teams(g.campaign, _number("least"), actor=g.account)
    except REFUSALS as error:
        return _refused(error)
    return _done("least-teams")


@blueprint.post("/c/<campaign>/people/searchers")
@allow_in_campaign("organiser")
def searchers(campaign: str) -> ResponseReturnValue:
    """Let the assessors that are ticked search the texts and pool what they find, and no others."""
    try:
        let_search(g.campaign, request.form.getlist("name"), actor=g.account)
    except REFUSALS as error:
        return _refused(error)
    return _done("searchers")


@blueprint.post("/c/<campaign>/people/scores")
@allow_in_campaign("organiser")
def scores(campaign: str) -> ResponseReturnValue:
    """Let participants see the scores of their runs, or not any more."""
    is_open = request.form.get("open") == "yes"
    open_scores(g.campaign, is_open, actor=g.account)
    return _done("scores" if is_open else "no-scores")


def lead(roles: dict[str, str]) -> str:
    """Who works in the campaign, in a sentence."""
    if not roles:
        return "This campaign has no members yet."
    numbers = Counter(roles.values())
    counts = [counted(numbers[role], role) for role in ROLES if numbers[role]]
    listed = counts[0] if len(counts) == 1 else f"{', '.join(counts[:-1])} and {counts[-1]}"
    return f"{listed} {'works' if len(roles) == 1 else 'work'} in this campaign."


def _page(*, said: str = "", problem: str = "", link: str = "", link_is: str = "") -> str:
    accounts, now = connections().accounts(), _now()
    roles = members.all_members(g.campaign)
    return render_template(
        "accounts/people/page.html",
        name=g.campaign.name,
        settings=settings.read(g.campaign),
        lead=lead(roles),
        judges=candidates(g.campaign),
        rows=_rows(accounts, roles),
        roles=ROLES,
        teams=sorted({run.record.team for run in runs.all_runs(g.campaign)} - {""}),
        topics=len(topics.topic_ids(g.campaign)),
        invitations=[(each, each.state(now)) for each in inviting.invitations_into(accounts, g.campaign)],
        without_accounts=WITHOUT_ACCOUNTS if g.viewer.local else "",
        said=said,
        problem=problem,
        link=link,
        link_is=link_is,
        days=inviting.USUAL_DAYS,
        most_days=inviting.LONGEST_DAYS,
        most_teams=MOST_TEAMS,
        team_count=len(runs.named_teams(g.campaign)),
        form=request.form,
    )


def _rows(accounts: Accounts, roles: dict[str, str]) -> list[Row]:
    teams, campaigns = members.teams(g.campaign), all_campaigns()
    found = []
    for name, has in sorted(roles.items(), key=lambda entry: (ROLES.index(entry[1]), entry[0].casefold())):
        account = find_account(accounts, name)
        state = "none yet" if account is None else "shut" if account.disabled else ""
        found.append(Row(name, has, teams.get(name, ""), state, _may_reset(accounts, account, campaigns)))
    return found


def _may_reset(accounts: Accounts, account: Account | None, campaigns: Sequence[Campaign] | None) -> bool:
    if account is None or campaigns is None or g.viewer.local:
        return False
    may = password_links.may_reset(account, g.account, campaigns)
    return may and not password_links.is_offered_by_others(accounts, account, g.account, now=_now())


def _member(name: str) -> str:
    """A member's name; NotThere for any other name, whether or not there is an account of the name."""
    if name in members.all_members(g.campaign):
        return name
    message = (
        f"{name} is no member of {g.campaign.name}; offer the role instead, or invite the person by a link"
    )
    raise NotThere(message)


def _read_invitation() -> Invitation:
    return Invitation(
        role=request.form.get("role", ""),
        team=_words("team"),
        topics=tuple(dict.fromkeys(request.form.get("topics", "").replace(",", " ").split())),
        days=_number("days"),
        note=_words("note"),
    )


def _number(field: str) -> int:
    typed = request.form.get(field, "")
    return int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 5 else 0


def _words(field: str) -> str:
    return " ".join(request.form.get(field, "").split())


def _refused(error: Exception) -> ResponseReturnValue:
    if isinstance(error, AccountsUnavailable | CampaignUnavailable):
        raise error
    return _page(problem=sentence(error)), 400


def _done(what: str) -> ResponseReturnValue:
    return redirect(url_for(".page", campaign=g.campaign.name, done=what), 303)


def _now() -> datetime:
    return datetime.now(UTC)
