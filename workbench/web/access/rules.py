"""Who may do what: every view declares its rule, and a view without one is closed to all.

    @blueprint.get("/c/<campaign>/board", allow=ORGANISERS)
    def board(campaign: str) -> str: ...

Before a view runs, `g.account` is the name of the person (None when signed out), and under `/c/<campaign>/`
`g.campaign` is the open campaign, `g.role` the person's role in it, `g.team` their team as a participant, and
`g.member` the name that it shows them by.
A person who is not a member of a campaign gets the same answer as for a campaign that does not exist.
"""

from __future__ import annotations

import hmac
import logging
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, cast
from urllib.parse import unquote

from flask import Blueprint, Flask, abort, current_app, g, request
from werkzeug.exceptions import Forbidden, NotFound, TooManyRequests, Unauthorized

from workbench.core.errors import CampaignError, CampaignUnavailable, UnknownName, UnusableCampaign
from workbench.core.records import PAGE, TOKEN
from workbench.core.wording import translatable
from workbench.people.accounts import AccountsUnavailable, security_log
from workbench.people.accounts.guesses import Throttle, network_of
from workbench.people.members.searchers import may_search
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection.question_topics import question_of
from workbench.storage.campaign.file.connection import explain_failures
from workbench.storage.campaign.log.log import mark
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.people import members
from workbench.storage.instance import monitor_token
from workbench.web.access.second_factor import SecondFactorNeeded, check_organiser
from workbench.web.access.sessions import Viewer, bearer, is_of_program, viewer
from workbench.web.requests.answers import wants_json
from workbench.web.requests.connections import accounts, connections
from workbench.web.requests.form_fields import reading_fields
from workbench.web.requests.languages import gettext

ROLES = members.ROLES
JUDGES = members.JUDGES
BOARD_READERS = members.BOARD_READERS
ORGANISERS, PARTICIPANTS = ("organiser",), ("participant",)
NO_SUCH_CAMPAIGN = translatable("There is no such campaign here, or you are not a member of it.")

NOT_MAKING = (
    "New campaigns can be created here by accounts that have this permission (workbench user allow NAME) and by "
    "organisers of a campaign on this server, if the server offers its whole instance folder. In a terminal: "
    "workbench new CAMPAIGN."
)

NO_SEARCHER = translatable(
    "Organisers can search, and assessors with that permission; an organiser gives it on the page People."
)
NO_ACCOUNT = translatable(
    "You are signed in without an account, so there is no account to see or change. To see what is stored about a "
    "name, use a terminal: workbench member export CAMPAIGN NAME."
)
NOT_A_MONITOR = "This is for monitors that show the token of this server: docs/run/operating.md."

MOST_REFUSALS, WITHIN = 20, 3600.0
"""How many refusals of one person from one network the security log has within this many seconds."""

MOST_REQUESTS = 600
"""How many requests with one token are answered within a minute, by each process."""

SIGN_IN_INSTEAD = "For anything else sign in with your password."
LONGEST_NAME = 64

logger = logging.getLogger("workbench.web")

View = TypeVar("View", bound=Callable[..., Any])


@dataclass(frozen=True)
class Rule:
    """Who may use a view. `roles` is None outside campaigns, else the roles that may; `makes` says that the view
    makes campaigns, which `may_make_campaigns` decides; `monitors` that it is for monitors, see `is_monitor`;
    `searches` that of these roles only those may who may search; `account` that it is about one's own account.
    """

    public: bool = False
    roles: tuple[str, ...] | None = None
    makes: bool = False
    monitors: bool = False
    searches: bool = False
    account: bool = False

    @property
    def in_english(self) -> bool:
        """Whether its pages are English in every language: those of organisers and observers are not translated yet."""
        if self.roles is None:
            return self.makes or self.monitors
        return not {"assessor", "participant"} & set(self.roles)


PUBLIC = Rule(public=True)
SIGNED_IN = Rule()
ACCOUNTS = Rule(account=True)
MAKERS = Rule(makes=True)
MONITORS = Rule(monitors=True)
SEARCHERS = Rule(roles=JUDGES, searches=True)


class SignedOut(Unauthorized):
    """The view is for people who are signed in."""

    description = translatable("You are signed out. Sign in to continue.")


class UnknownToken(Unauthorized):
    """The request carries a token that does not hold."""

    description = translatable(
        "This token is unknown, was revoked, or has expired. Make a new one on the page Account."
    )


class OtherAccount(Unauthorized):
    """The page was opened by another account than the one that is signed in now."""

    description = translatable(
        "Another account is signed in here now. Sign in with the account that opened this page."
    )


class Pages(Blueprint):
    """A blueprint whose routes say who may use their views: `allow` is a rule, or the roles in the campaign."""

    def add_url_rule(  # type: ignore[override]
        self, address: str, endpoint: str | None, view: Any, *, allow: Rule | tuple[str, ...], **more: Any
    ) -> None:
        """Register a view with its rule; `does` has what its forms do, where they say so in a field `do`."""
        view = allowing(allow)(reading_fields(view))
        view.does = more.pop("does", None)
        super().add_url_rule(address, endpoint, view, **more)


def allowing(who: Rule | tuple[str, ...]) -> Callable[[View], View]:
    """Declare who may use a view, by a rule or by the roles in its campaign."""
    if not isinstance(who, Rule):
        if not who or set(who) - set(ROLES):
            raise ValueError(f"roles of a campaign are {', '.join(ROLES)}; got {who}")
        who = Rule(roles=who)

    def declare(view: View) -> View:
        view.access_rule = who  # type: ignore[attr-defined]
        return view

    return declare


def rule_of(app: Flask, endpoint: str) -> Rule | None:
    """The rule an endpoint's view declares; None when it declares none."""
    rule = getattr(app.view_functions[endpoint], "access_rule", None)
    return rule if isinstance(rule, Rule) else None


def my_campaigns() -> list[tuple[Campaign, str]]:
    """The campaigns of this server in which the person of this request has a role, with the role, by name."""
    found = []
    for campaign in open_campaigns():
        with left_out(campaign.path):
            role = None if g.viewer is None else member_of(campaign, g.viewer).role
            found += [] if role is None else [(campaign, role)]
    return found


def open_campaigns() -> list[Campaign]:
    """The campaigns that this server can serve, by name; the log says which are left out, and why."""
    found = []
    for name in sorted(connections().paths()):
        with left_out(name):
            campaign = connections().campaign(name)
            found += [] if campaign is None else [campaign]
    return found


def all_campaigns() -> list[Campaign] | None:
    """Every campaign in which an account may have a role; None when this server cannot ask all of them now."""
    found, held = open_campaigns(), connections()
    is_complete = len(found) == len(held.paths()) and not held.missing()
    return found if held.offers_all() and is_complete else None


@contextmanager
def left_out(path: Path | str) -> Iterator[None]:
    """A campaign that cannot be read is left out of a list, and the log says why."""
    try:
        with explain_failures(path):
            yield
    except (CampaignError, UnusableCampaign) as error:
        logger.error("a campaign is left out: %s", error)


def member_of(campaign: Campaign, who: Viewer) -> members.Viewer:
    """A viewer in a campaign; local people are organisers of all of them.

    A program has the role of its token, in the campaign of that token alone and for as long as the person may do the
    work of that role there.
    """
    found = members.viewer(campaign, who.name)
    if who.token is not None:
        holds = who.token.log == mark(campaign) and who.token.role in members.roles_within(found.role)
        return found._replace(role=who.token.role if holds else None)
    return found._replace(role="organiser") if who.local else found


def may_make_campaigns() -> bool:
    """Whether the person of this request may make a campaign here.

    On a server that offers its whole instance folder: visitors of a demo, accounts that were allowed to in the terminal
    or made by its link, and organisers of any of its campaigns. An account alone does not do, since a campaign fills
    the server's disk. A server that was started with a list of campaigns would not offer a new one.
    """
    if g.viewer is None or connections().folder is None:
        return False
    if g.viewer.local or g.viewer.makes_campaigns:
        return True
    return any(role == "organiser" for _, role in my_campaigns())


def is_monitor() -> bool:
    """Whether the request may see how the server is: it carries the token of the instance's file `monitor_token`.

    An address proves nothing: behind a proxy or through a tunnel every request comes from this machine.
    """
    right = monitor_token(Path(current_app.instance_path))
    return hmac.compare_digest(bearer().encode(), right.encode())


def init_app(app: Flask) -> None:
    """Check every request against the rule of its view, and settle the connections after it."""
    allowing(PUBLIC)(app.view_functions["static"])
    app.extensions["workbench_refused_access"] = Throttle(MOST_REFUSALS, WITHIN)
    app.extensions["workbench_token_requests"] = Throttle(MOST_REQUESTS, 60.0)
    app.before_request(check)
    app.teardown_request(_settle)
    app.add_template_global(role_name)


def role_name(role: str) -> str:
    """A role in the language of this request."""
    return gettext(role) if role in ROLES else role


def check() -> None:
    """Let the request pass, or end it: signed out, not allowed, or no such campaign."""
    g.viewer = viewer()
    g.account = None if g.viewer is None else g.viewer.name
    g.member = g.account
    g.campaign, g.role = None, None
    if request.endpoint is None:  # no such address: Flask says so
        return
    rule = rule_of(current_app, request.endpoint)
    if rule is None:
        abort(403)
    g.in_english = rule.in_english
    if rule.monitors and not is_monitor():
        abort(401 if g.viewer is None else 403, NOT_A_MONITOR)
    _check_program(rule)
    if g.viewer is None and not rule.public and not rule.monitors:
        raise SignedOut
    if rule.account and g.viewer.local:
        abort(409, gettext(NO_ACCOUNT))
    # A page says in whose name it was opened: what one person judged is never stored under another's name.
    opened_by = request.headers.get("X-Account")
    if opened_by is not None and unquote(opened_by) != g.account:
        raise OtherAccount
    try:
        if rule.makes:
            if not may_make_campaigns():
                abort(403, NOT_MAKING)
            check_organiser()
        if rule.roles is not None:
            _enter_campaign(rule.roles)
        if rule.searches and not may_search(g.campaign, g.member, g.role):
            abort(403, gettext(NO_SEARCHER))
    except SecondFactorNeeded:
        raise
    except (Forbidden, NotFound):
        _record_refused_access()
        raise


def _check_program(rule: Rule) -> None:
    """Of a request with a token: the token holds, is for a campaign, and is not used too often."""
    if not is_of_program() or (g.viewer is None and (rule.public or rule.monitors)):
        return
    if g.viewer is None:
        raise UnknownToken
    if rule.roles is None and not rule.public:
        abort(403, f"This token is for the campaign {g.viewer.token.campaign} alone. {SIGN_IN_INSTEAD}")
    counted = cast("Throttle", current_app.extensions["workbench_token_requests"])
    if wait := counted.attempt(g.viewer.token.token):
        message = f"More than {MOST_REQUESTS} requests with this token in a minute."
        raise TooManyRequests(message, retry_after=int(wait) + 1)


def _enter_campaign(roles: tuple[str, ...]) -> None:
    campaign = connections().campaign((request.view_args or {})["campaign"])
    member = None if campaign is None else member_of(campaign, g.viewer)
    if campaign is None or member is None or (role := member.role) is None:
        _check_none_is_missing()
        abort(404, gettext(NO_SUCH_CAMPAIGN))
    if role not in roles:
        abort(403)
    if role == "organiser":
        check_organiser()
    through = PAGE if g.viewer.token is None else TOKEN
    asked = _asking(campaign.by(member.name, through=through))
    g.campaign, g.role, g.member, g.team = asked, role, member.name, member.team
    if member.id != member.name:  # else the first judgment gives them an id
        g.campaign.ids = {member.name: member.id}
    if request.method in ("GET", "HEAD"):
        g.reading = ExitStack()
        g.reading.enter_context(campaign.reading_once())
    if not wants_json():
        g.simulated = settings.read(campaign).assessors_simulated


def _asking(campaign: Campaign) -> Campaign:
    """The campaign by the question of this request's address, or that which the topic there is about."""
    name = request.args.get("question") or question_of(campaign, request.args.get("topic", ""))
    try:
        return settings.asking(campaign, name) if name else campaign
    except UnknownName as error:
        abort(404, str(error))


def _check_none_is_missing() -> None:
    """While the file of a campaign is gone, a page of it is to keep its judgments and try again: no 404 then.

    The roles in it are gone with the file, so every address of a campaign in which the person has no role is answered
    alike, and the answer does not tell which campaigns there are.
    """
    if missing := connections().missing():
        message = f"{', '.join(map(str, missing.values()))}: gone while it is served; put the file back"
        raise CampaignUnavailable(message)


def _settle(_: BaseException | None) -> None:
    if "reading" in g:
        g.reading.close()
    if g.get("campaign") is not None:
        g.campaign.ids = {}
    connections().settle()


def _record_refused_access() -> None:
    """Write down that the person of this request asked for what their role does not allow.

    A campaign that does not exist is written down like one of others: the time of the answer tells nothing.
    """
    if g.viewer is None or g.viewer.local:
        return
    counted = cast("Throttle", current_app.extensions["workbench_refused_access"])
    if counted.attempt((g.account, network_of(request.remote_addr))):
        return
    campaign = str((request.view_args or {}).get("campaign", ""))[:LONGEST_NAME]
    detail = f"{request.method} {request.url_rule}{f' in {campaign}' if campaign else ''}"
    try:
        security_log.record(accounts(), security_log.ACCESS_REFUSED, g.account, detail=detail)
    except AccountsUnavailable as error:
        logger.error("a refused access is not recorded: %s", error)
