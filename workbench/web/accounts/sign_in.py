"""Coming in and going out: by password, or by the demo's start button.

On a server that started without accounts the link in its terminal makes the first one, as long as there is none.
"""

from __future__ import annotations

import hmac
import logging
import threading
from dataclasses import dataclass, field
from typing import Any, cast

from flask import Flask, current_app, g, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_wtf.csrf import generate_csrf  # type: ignore[import-untyped]

from workbench.core.wording import ENDS, message_with, translatable
from workbench.people.accounts import (
    Account,
    AccountError,
    AccountsUnavailable,
    add_account,
    find_account,
    has_accounts,
    security_log,
)
from workbench.people.accounts.guesses import RECORDED, Throttle, TooManyGuesses, network_of
from workbench.people.accounts.passwords import problem_with
from workbench.people.members.inviting import note_first_organiser
from workbench.storage.campaign.people import members
from workbench.web.access import kept_forms, passwords, second_factor, sessions
from workbench.web.access.errors import error_answer
from workbench.web.access.passwords import checks_passwords, verify
from workbench.web.access.providers import providers_here
from workbench.web.access.rules import PUBLIC, Pages, SignedOut, UnknownToken, open_campaigns
from workbench.web.requests.allowed_hosts import SAFE_METHODS
from workbench.web.requests.answers import refusal, wants_json
from workbench.web.requests.connections import accounts
from workbench.web.requests.languages import gettext, in_language

WRONG = translatable("The user name or password is wrong.")
DIFFERENT = message_with("The two new passwords do not match.")
GUEST = "guest"
PASSWORD, LINK = "password", "link"
"""How one signs in: by password; where there is no account yet, the terminal's link makes one."""

LONGEST_TYPED = 1_000
"""A longer name belongs to no account, and attempts with it are not counted by name."""

blueprint = Pages("sign_in", __name__)
logger = logging.getLogger("workbench.web")


@dataclass(frozen=True)
class StartLink:
    """The link that the terminal shows on a server without accounts; the lock is held while it makes the first one."""

    token: str
    lock: threading.Lock = field(default_factory=threading.Lock)

    def fits(self, token: str) -> bool:
        """Whether this is the link's token, and there is no account yet."""
        right = hmac.compare_digest(self.token.encode(), token.encode())
        return right and not has_accounts(accounts())


def init_app(app: Flask, *, sign_in_token: str | None, demo: bool) -> None:
    """Register the views and what they remember: the link, the demo switch and the count of attempts."""
    app.config["DEMO"] = demo
    app.extensions["workbench_start_link"] = StartLink(sign_in_token) if sign_in_token else None
    passwords.init_app(app)
    app.extensions["workbench_recorded"] = Throttle(RECORDED)
    kept_forms.init_app(app)
    app.register_blueprint(blueprint)
    app.register_error_handler(SignedOut, ask_to_sign_in)


def local_path(target: str | None) -> str:
    """`target` if it is a path on this server, else the first page: signing in never leads to another site."""
    home = url_for("campaigns.index")
    if not target or not target.startswith("/") or target.startswith("//"):
        return home
    # Browsers read a backslash as a slash, and leave out tabs and line ends.
    if "\\" in target or any(character <= " " or character == "\x7f" for character in target):
        return home
    return target


def ask_to_sign_in(error: SignedOut) -> ResponseReturnValue:
    """The answer to a signed-out request: the sign-in page for people, 401 for scripts."""
    message = gettext(str(error.description))
    if wants_json():
        return error_answer(401, message=message)
    here = request.full_path.rstrip("?") if request.method in SAFE_METHODS else None
    if current_app.config["DEMO"] and here is not None:
        return _start_page(next_page=here)
    if _way() == PASSWORD and kept_forms.keep():
        return sign_in_page(request.full_path.rstrip("?"), message=message), 401
    return redirect(url_for("sign_in.sign_in", next=here))


@blueprint.get("/sign-in", allow=PUBLIC)
def sign_in() -> ResponseReturnValue:
    """The page that asks for a name and a password, or says where the link is."""
    target = local_path(request.args.get("next"))
    if g.account is not None:
        return redirect(target)
    if current_app.config["DEMO"]:
        return _start_page(next_page=target)
    if _way() == LINK:
        return render_template("accounts/sign_in/terminal.html", used=False)
    return sign_in_page(target)


@blueprint.post("/sign-in", allow=PUBLIC)
@checks_passwords
def prove() -> ResponseReturnValue:
    """Check name and password; one sentence for every way to be wrong."""
    name, target = request.form.get("name", "")[:LONGEST_TYPED], local_path(request.form.get("next"))
    try:
        account = verify(name, request.form.get("password", ""))
    except TooManyGuesses as error:
        record_refusal(name, security_log.SIGN_IN_THROTTLED)
        if wants_json():
            raise
        headers = {"Retry-After": str(error.seconds)}
        return sign_in_page(target, message=in_language(error)), 429, headers
    if account is None:
        record_refusal(name, security_log.SIGN_IN_REFUSED)
        if wants_json():
            return error_answer(401, reason="wrong", message=gettext(WRONG))
        return sign_in_page(target, name=name, message=gettext(WRONG)), 401
    if second_factor.wants_code(account):
        if not wants_json():
            return second_factor.begin_half(account, _after_sign_in(account, target))
        code = request.form.get(second_factor.CODE, "")
        if problem := second_factor.code_problem(account.name, code) if code else second_factor.ASKED:
            return error_answer(401, reason="code", message=gettext(problem))
    return come_in(account, _after_sign_in(account, target))


def come_in(
    account: Account, target: str, detail: str = "", *, confirmed: bool = True
) -> ResponseReturnValue:
    """Begin the session of a proven account; `detail` is for the security log."""
    # Every session has its row of the security log.
    security_log.record(accounts().by(account.name), security_log.SIGNED_IN, account.name, detail=detail)
    sessions.begin(account.name, confirmed=confirmed)
    return _welcome(account.name, target)


def _after_sign_in(account: Account, target: str) -> str:
    """Where to go, or the page of the account for who needs a better password."""
    if kept_forms.kept_fields():
        return target
    if problem_with(request.form.get("password", ""), account.name) and not wants_json():
        return url_for("account.page", renew=target)
    return target


@blueprint.post("/sign-out", allow=PUBLIC)
def sign_out() -> ResponseReturnValue:
    """End the session of this browser; a copy of its cookie is worth nothing afterwards."""
    try:
        sessions.end()
        if g.account is not None and not g.viewer.local:
            security_log.record(accounts(), security_log.SIGNED_OUT, g.account)
    except AccountsUnavailable as error:  # who goes is let go, whether or not that can be written
        logger.error(
            "a sign-out is not recorded, and a copy of its cookie stays valid until it expires: %s", error
        )
    return redirect(local_path(None))


@blueprint.get("/session", allow=PUBLIC)
def session_state() -> ResponseReturnValue:
    """Who is signed in, and a token for this session's requests; 401 with a token when signed out.

    A page that was open for long asks here when its token is refused, and then sends its judgment again. In the
    answer `way` is how one signs in on this server ("password", "link" or "demo"), and `address` takes the form;
    `providers` are those that one may sign in with there. A program learns the campaign and the role of its token.
    """
    way = _way()
    address = None if way == LINK else url_for(".start_demo" if way == sessions.DEMO else ".prove")
    state: dict[str, Any] = {"csrf_token": str(generate_csrf()), "way": way, "address": address}
    state["providers"] = [each.label for each in providers_here()]
    if g.account is None and sessions.is_of_program():
        raise UnknownToken
    if g.account is None:
        return refusal(401, "signed out", gettext(SignedOut.description), **state)
    if g.viewer.token is not None:
        state |= {"campaign": g.viewer.token.campaign, "role": g.viewer.token.role}
    return jsonify(account=g.account, **state)


@blueprint.post("/start", allow=PUBLIC)
def start_demo() -> ResponseReturnValue:
    """The demo's start button; without a name the judge is called guest."""
    if not current_app.config["DEMO"]:
        return error_answer(404)
    typed, target = request.form.get("name", "").strip(), local_path(request.form.get("next"))
    try:
        name = sessions.local_name(typed or GUEST)
    except AccountError as error:
        return _start_page(next_page=target, name=typed, message=in_language(error)), 400
    sessions.begin(name, local=sessions.DEMO)
    return _welcome(name, target)


@blueprint.get("/start/<token>", allow=PUBLIC)
def start_with_link(token: str) -> ResponseReturnValue:
    """The page behind the terminal's link: it asks for a name and a password, and changes nothing by itself."""
    link = start_link()
    if link is None or not link.fits(token):
        return _link_is_used()
    return _first_account_page(token)


@blueprint.post("/start/<token>", allow=PUBLIC)
@checks_passwords
def use_link(token: str) -> ResponseReturnValue:
    """Make the first account, which may make campaigns and is organiser of those that there are, and sign it in."""
    link, form = start_link(), request.form
    if link is None or not link.fits(token):
        return _link_is_used()
    try:
        password = new_password()
        with link.lock:
            if not link.fits(token):
                return _link_is_used()
            account = _first_account(form.get("name", ""), password)
    except AccountError as error:
        return _first_account_page(token, form.get("name", ""), sentence(error)), 400
    return come_in(account, local_path(None))


def _first_account(name: str, password: str) -> Account:
    account = add_account(accounts(), name, password, makes_campaigns=True)
    for campaign in open_campaigns():
        with campaign.write():
            members.put(campaign.by(account.name), account.name, "organiser")
        note_first_organiser(accounts().by(account.name), campaign, account.name)
    return account


def _first_account_page(token: str, name: str = "", message: str = "") -> str:
    return render_template("accounts/sign_in/first_account.html", token=token, name=name, message=message)


def _link_is_used() -> ResponseReturnValue:
    return render_template("accounts/sign_in/terminal.html", used=True), 410


def new_password(field: str = "password") -> str:
    """The new password in a field of the form; AccountError unless it was typed twice alike."""
    if request.form.get(field, "") != request.form.get("again", ""):
        raise AccountError(DIFFERENT)
    return request.form.get(field, "")


def sentence(error: Exception) -> str:
    """An error's message with its full stop; it may begin with a name, so its first letter stays as it is."""
    text = in_language(error)
    return text if text.endswith(ENDS) else f"{text}."


def record_refusal(name: str, act: str, reason: str = "") -> None:
    """Record an attempt to sign in as `name`, up to a number of times for each network address.

    A name without an account is not recorded: people type passwords into the wrong field. Unknown and known names are
    written and counted alike, so that the time of the answer tells nothing.
    """
    recorded = cast("Throttle", current_app.extensions["workbench_recorded"])
    if recorded.attempt(network_of(request.remote_addr)):
        return
    account = find_account(accounts(), name)
    known, detail = (account.name, "") if account else ("", "unknown name")
    security_log.record(accounts().by(""), act, known, detail=reason or detail)


def start_link() -> StartLink | None:
    """The link of this server's terminal; None on one that started with accounts."""
    return cast("StartLink | None", current_app.extensions["workbench_start_link"])


def _way() -> str:
    """How one signs in now; whether there are accounts is looked for each time, since others may make the first one."""
    if current_app.config["DEMO"]:
        return sessions.DEMO
    return PASSWORD if start_link() is None or has_accounts(accounts()) else LINK


def _welcome(name: str, target: str) -> ResponseReturnValue:
    if wants_json():
        g.pop("csrf_token", None)  # the one of the session that has just ended
        return jsonify(account=name, csrf_token=str(generate_csrf()))
    if fields := kept_forms.fields_as_typed():
        g.pop("csrf_token", None)
        return render_template("accounts/sign_in/resume.html", name=name, target=target, fields=fields)
    return redirect(target, 303)


def sign_in_page(target: str, *, name: str = "", message: str = "") -> str:
    """The page that asks for a name and a password, or offers providers."""
    return render_template("accounts/sign_in/sign_in.html", target=target, name=name, message=message)


def _start_page(*, next_page: str = "", name: str = "", message: str = "") -> str:
    return render_template("accounts/sign_in/start.html", target=next_page, name=name, message=message)
