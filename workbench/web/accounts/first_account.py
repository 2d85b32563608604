"""The page behind the link in the terminal of a server without accounts: it makes the first one."""

from __future__ import annotations

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from workbench.people.accounts import Account, AccountError, AccountsUnavailable, By, add_account
from workbench.people.members.inviting import note_first_organiser
from workbench.storage.campaign.people import members
from workbench.web.access import sessions
from workbench.web.access.passwords import checks_passwords
from workbench.web.access.rules import PUBLIC, allow, open_campaigns
from workbench.web.accounts.account import DIFFERENT, sentence
from workbench.web.accounts.sign_in import come_in, local_path, start_link
from workbench.web.requests.connections import connections

blueprint = Blueprint("first_account", __name__)


@blueprint.get("/start/<token>")
@allow(PUBLIC)
def start_with_link(token: str) -> ResponseReturnValue:
    """The page behind the terminal's link: it asks for a name and a password, and changes nothing by itself."""
    link = start_link()
    if link is None or not link.fits(token):
        return _link_is_used()
    return _first_account_page(token)


@blueprint.post("/start/<token>")
@allow(PUBLIC)
@checks_passwords
def use_link(token: str) -> ResponseReturnValue:
    """Make the first account, which may make campaigns and is organiser of those that there are, and sign it in."""
    link, form = start_link(), request.form
    if link is None or not link.fits(token):
        return _link_is_used()
    password = form.get("password", "")
    try:
        if password != form.get("again", ""):
            raise AccountError(DIFFERENT)
        with link.lock:
            if not link.fits(token):
                return _link_is_used()
            account = _first_account(form.get("name", ""), password)
    except AccountsUnavailable:
        raise
    except AccountError as error:
        return _first_account_page(token, form.get("name", ""), sentence(error)), 400
    return come_in(account, local_path(None))


def _first_account(name: str, password: str) -> Account:
    by = By(address=request.remote_addr or "")
    account = add_account(
        connections().accounts(), name, password, makes_campaigns=True, now=sessions.now(), by=by
    )
    for campaign in open_campaigns():
        with campaign.write():
            members.put(campaign, account.name, "organiser", actor=account.name)
        note_first_organiser(
            connections().accounts(),
            campaign,
            account.name,
            by=by._replace(actor=account.name),
            now=sessions.now(),
        )
    return account


def _first_account_page(token: str, name: str = "", message: str = "") -> str:
    return render_template("accounts/sign_in/first_account.html", token=token, name=name, message=message)


def _link_is_used() -> ResponseReturnValue:
    return render_template("accounts/sign_in/terminal.html", used=True), 410
