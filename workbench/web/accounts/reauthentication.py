"""The password once more, before what could be used against others: links for new passwords, roles, bundles, sessions.

A view that wants it is declared `confirmed`. A session in which the password was given lately passes. Any other gets a
page that asks for it and keeps what was being done: its form sends the fields of the refused form to the same address
once more, together with the password.
"""

from __future__ import annotations

from datetime import timedelta

from flask import Flask, current_app, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from workbench.core.wording import translatable
from workbench.people.accounts import security_log
from workbench.people.accounts.guesses import TooManyGuesses
from workbench.people.accounts.identities import has_password
from workbench.people.accounts.second_factor import has_second_factor
from workbench.people.accounts.sessions import confirm as note_confirmed
from workbench.web.access import second_factor
from workbench.web.access.passwords import checks_passwords, verify
from workbench.web.access.rules import SIGNED_IN, Pages, View
from workbench.web.accounts.sign_in import local_path, record_refusal
from workbench.web.requests.answers import refusal, wants_json
from workbench.web.requests.connections import accounts
from workbench.web.requests.languages import gettext, in_language

LASTING = timedelta(minutes=15)
PASSWORD = "confirm-password"  # noqa: S105  # nosec B105 - the name of a field
CODE = "confirm-code"
ASKED = translatable("Enter your password again to continue.")
WRONG = translatable("The password is wrong.")
NEEDS_PERSON = translatable("This needs your password, which no token stands for: sign in.")
NOT_KEPT = frozenset({"csrf_token", PASSWORD, CODE})

blueprint = Pages("reauthentication", __name__)


def confirmed(view: View) -> View:
    """Declare that a view wants the password to have been given lately in this session."""
    view.wants_confirmation = True  # type: ignore[attr-defined]
    return checks_passwords(view)


def init_app(app: Flask) -> None:
    """Look at each request once it is known who asks and that the token of its page is good."""
    app.before_request(check)


def check() -> ResponseReturnValue | None:
    """None for what may go on, else the page that asks for the password."""
    view = current_app.view_functions.get(request.endpoint or "")
    if not getattr(view, "wants_confirmation", False) or is_confirmed():
        return None
    if g.viewer.token is not None:
        return refusal(403, "confirm", gettext(NEEDS_PERSON))
    if request.method == "POST" and PASSWORD in request.form:
        return _proved()
    if wants_json():
        return refusal(403, "confirm", gettext(ASKED))
    return _page(), 403


def is_confirmed() -> bool:
    """Whether the person gave the password lately; without an account there is none to give."""
    if g.viewer is None or g.viewer.local:
        return True
    return g.viewer.session is not None and bool(g.viewer.session.is_confirmed(accounts().now, LASTING))


@blueprint.post("/account/confirm", allow=SIGNED_IN)
@checks_passwords
def confirm() -> ResponseReturnValue:
    """Take the password, and go on to the page or the download `next`."""
    target = local_path(request.form.get("next"))
    if g.viewer.local:
        return redirect(target, 303)
    refused = _proved()
    if refused is not None:
        return refused
    return render_template(
        "accounts/reauthentication/done.html", target=target, back=local_path(request.form.get("back"))
    )


def _proved() -> ResponseReturnValue | None:
    """Check the password of the form; None when it is right, which is noted in the session."""
    try:
        account = verify(g.account, request.form.get(PASSWORD, ""), signed_in=True)
    except TooManyGuesses as error:
        return _page(in_language(error)), 429
    if account is None:
        record_refusal(g.account, security_log.PASSWORD_REFUSED)
        return _page(gettext(WRONG)), 400
    if second_factor.wants_code(account) and (
        problem := second_factor.code_problem(account.name, request.form.get(CODE, ""))
    ):
        return _page(gettext(problem)), 400
    note_confirmed(accounts(), g.viewer.session)
    return None


def _page(message: str = "") -> str:
    here = request.full_path.rstrip("?")
    if request.method == "POST":
        kept = [(name, text) for name, text in request.form.items(multi=True) if name not in NOT_KEPT]
        action = here
    else:
        before, host = request.referrer or "", request.host_url  # browsers tell it pages of the same site
        back = before.removeprefix(host.rstrip("/")) if before.startswith(host) else ""
        kept, action = [("next", here), ("back", back)], url_for("reauthentication.confirm")
    return render_template(
        "accounts/reauthentication/page.html",
        action=action,
        kept=kept,
        has_password=has_password(accounts(), g.account),
        with_code=has_second_factor(accounts(), g.account),
        message=message,
    )
