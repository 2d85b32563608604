"""The pages of the second factor: the code at sign-in, setting it up, recovery codes, and doing without it again."""

from __future__ import annotations

import segno
from flask import current_app, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from workbench.core.wording import translatable
from workbench.people.accounts import AccountError, second_factor
from workbench.web.access import sessions
from workbench.web.access.errors import error_answer
from workbench.web.access.rules import ACCOUNTS, PUBLIC, Pages, my_campaigns
from workbench.web.access.second_factor import ASKED, CODE, LATE, code_problem, half
from workbench.web.accounts.reauthentication import confirmed
from workbench.web.accounts.sign_in import come_in, local_path, sentence, sign_in_page
from workbench.web.requests.connections import accounts
from workbench.web.requests.languages import gettext

REQUIRED = translatable("Organisers need a second factor on this server; it can be replaced but not removed.")

blueprint = Pages("second_factor", __name__)


@blueprint.get("/sign-in/code", allow=PUBLIC)
def ask() -> ResponseReturnValue:
    """The page that asks for the code, once the password was right."""
    target = local_path(request.args.get("next"))
    if half() is None:
        return redirect(url_for("sign_in.sign_in", next=target))
    return _ask(target)


@blueprint.post("/sign-in/code", allow=PUBLIC)
def prove() -> ResponseReturnValue:
    """Sign in with the code."""
    account, target = half(), local_path(request.form.get("next"))
    if account is None:
        return sign_in_page(target, message=gettext(LATE)), 401
    if problem := code_problem(account.name, request.form.get(CODE, "")):
        return _ask(target, gettext(problem)), 401
    return come_in(account, target)


@blueprint.get("/account/second-factor", allow=ACCOUNTS)
@confirmed
def page() -> ResponseReturnValue:
    """The way to a second factor: a picture for an app, and the field for its first code."""
    return _page(second_factor.new_secret(), local_path(request.args.get("next")))


@blueprint.post("/account/second-factor", allow=ACCOUNTS)
@confirmed
def set_up() -> ResponseReturnValue:
    """Take the secret into use once its first code is right; the answer shows the recovery codes, once."""
    secret, target = request.form.get("secret", ""), local_path(request.form.get("next"))
    code = request.form.get(CODE, "")
    try:
        codes = second_factor.set_second_factor(accounts(), g.account, secret, code)
    except AccountError as error:
        return _page(
            secret if second_factor.is_secret(secret) else second_factor.new_secret(), target, sentence(error)
        ), 400
    return _codes(codes, target), 201


@blueprint.post("/account/second-factor/recovery", allow=ACCOUNTS)
@confirmed
def recovery() -> ResponseReturnValue:
    """New recovery codes in the place of those that there were."""
    if not second_factor.has_second_factor(accounts(), g.account):
        return error_answer(409, message=gettext("Recovery codes need a second factor; set one up first."))
    codes = second_factor.new_recovery_codes(accounts(), g.account)
    return _codes(codes, url_for("account.page")), 201


@blueprint.post("/account/second-factor/remove", allow=ACCOUNTS)
@confirmed
def remove() -> ResponseReturnValue:
    """Sign in by the password alone; every session ends, this one too. Without one nothing happens."""
    if is_required():
        return error_answer(409, message=gettext(REQUIRED))
    if not second_factor.remove_second_factor(accounts(), g.account):
        return redirect(url_for("account.page"), 303)
    sessions.end()
    return redirect(url_for("sign_in.sign_in"), 303)


@blueprint.app_template_global("second_factor_required")
def is_required() -> bool:
    """Whether the person of this request has to have a second factor here."""
    if not current_app.config["SECOND_FACTOR_REQUIRED"] or g.viewer.local:
        return False
    return bool(g.viewer.makes_campaigns or any(role == "organiser" for _, role in my_campaigns()))


def _ask(target: str, message: str = "") -> str:
    return render_template("accounts/sign_in/code.html", target=target, asked=gettext(ASKED), message=message)


def _page(secret: str, target: str, message: str = "") -> str:
    picture = segno.make(second_factor.address_of(secret, g.account), error="m").svg_inline(
        scale=5, border=4, light="#fff"
    )
    return render_template(
        "accounts/account/second_factor.html",
        secret=secret,
        spelt=" ".join(secret[start : start + 4] for start in range(0, len(secret), 4)),
        picture=picture,
        target=target,
        has=second_factor.has_second_factor(accounts(), g.account),
        message=message,
    )


def _codes(codes: list[str], target: str) -> str:
    return render_template("accounts/account/recovery_codes.html", codes=codes, target=target)
