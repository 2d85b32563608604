"""The people of a campaign: who has which role, whom one invites, and whether participants see their scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from flask import Blueprint, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from workbench import inviting
from workbench.accounts import Account, AccountError, Accounts, AccountsUnavailable, find_account
from workbench.campaign import Campaign, members, runs, settings, topics
from workbench.errors import CampaignError, CampaignUnavailable, NotThere, UnknownName
from workbench.inviting import Invitation
from workbench.setting_up import open_scores
from workbench.web import sessions
from workbench.web.access import ROLES, all_campaigns, allow_in_campaign
from workbench.web.account import sentence
from workbench.web.connections import connections

WITHOUT_ACCOUNTS = (
    "This server has no accounts, so nobody can be invited. Make one in the terminal, and start the server again: "
    "workbench user add NAME --organiser"
)
REFUSALS = (AccountError, CampaignError, NotThere, UnknownName)
SAID = {
    "role": "The role is changed.",
    "withdrawn": "The invitation is withdrawn.",
    "scores": "Participants see their scores from now on.",
    "no-scores": "Participants do not see scores any more.",
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
def role(campaign: str) -> ResponseReturnValue:
    """Give an account a role, change it, or take it away."""
    accounts = connections().accounts()
    name = request.form.get("name", "")
    try:
        inviting.give_role(
            g.campaign,
            accounts,
            _known(accounts, name),
            request.form.get("role", ""),
            team=_words("team"),
            by=sessions.by_viewer(),
            now=_now(),
        )
    except REFUSALS as error:
        return _refused(error)
    return _done("role")


@blueprint.post("/c/<campaign>/people/invitation")
@allow_in_campaign("organiser")
def invite(campaign: str) -> ResponseReturnValue:
    """Make an invitation; its link stands in the answer to this request and nowhere else."""
    if g.viewer.local:
        return _page(problem=WITHOUT_ACCOUNTS), 409
    try:
        token = inviting.invite(
            g.campaign, connections().accounts(), _asked(), by=sessions.by_viewer(), now=_now()
        )
    except REFUSALS as error:
        return _refused(error)
    address = url_for("invitations.invitation", token=token, _external=True)
    return _page(link=address, link_is="The invitation"), 201


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
def reset(campaign: str) -> ResponseReturnValue:
    """Make a link by which a member sets a new password; only for those whom this organiser invited and who work for
    no one else.
    """
    accounts = connections().accounts()
    account = find_account(accounts, request.form.get("name", ""))
    if account is None or not _may_reset(account, all_campaigns()):
        message = (
            "you can make this link only for an account that came by your own invitation and has never had a role in "
            "another organiser's campaign; for every other one the administrator makes it in the server's terminal: "
            "workbench user reset NAME"
        )
        return _refused(CampaignError(message))
    token = inviting.make_reset(accounts, account.name, by=sessions.by_viewer(), now=_now())
    address = url_for("invitations.reset", token=token, _external=True)
    return _page(link=address, link_is=f"The new password of {account.name}"), 201


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
        return "Nobody is a member of this campaign yet."
    numbers = Counter(roles.values())
    told = [f"{numbers[role]:,} {role}{'' if numbers[role] == 1 else 's'}" for role in ROLES if numbers[role]]
    listed = told[0] if len(told) == 1 else f"{', '.join(told[:-1])} and {told[-1]}"
    return f"{listed} {'works' if len(roles) == 1 else 'work'} in this campaign."


def _page(*, said: str = "", problem: str = "", link: str = "", link_is: str = "") -> str:
    accounts, now = connections().accounts(), _now()
    roles = members.all_members(g.campaign)
    return render_template(
        "people/page.html",
        name=g.campaign.name,
        settings=settings.read(g.campaign),
        lead=lead(roles),
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
        form=request.form,
    )


def _rows(accounts: Accounts, roles: dict[str, str]) -> list[Row]:
    teams, campaigns = members.teams(g.campaign), all_campaigns()
    found = []
    for name, has in sorted(roles.items(), key=lambda entry: (ROLES.index(entry[1]), entry[0].casefold())):
        account = find_account(accounts, name)
        state = "none yet" if account is None else "shut" if account.disabled else ""
        found.append(Row(name, has, teams.get(name, ""), state, _may_reset(account, campaigns)))
    return found


def _may_reset(account: Account | None, campaigns: Sequence[Campaign] | None) -> bool:
    if account is None or campaigns is None or g.viewer.local:
        return False
    return inviting.may_reset(account, g.account, campaigns)


def _known(accounts: Accounts, name: str) -> str:
    """The stored name of an account or a member; NotThere for anybody else."""
    if (account := find_account(accounts, name)) is not None:
        return account.name
    if name in members.all_members(g.campaign):
        return name
    message = f"nobody has an account of the name {name!r}; invite the person by a link"
    raise NotThere(message)


def _asked() -> Invitation:
    days = request.form.get("days", "")
    return Invitation(
        role=request.form.get("role", ""),
        team=_words("team"),
        topics=tuple(dict.fromkeys(request.form.get("topics", "").replace(",", " ").split())),
        days=int(days) if days.isascii() and days.isdigit() and len(days) < 5 else 0,
        note=_words("note"),
    )


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
