"""The page Webhooks: the addresses that are told of events, what was sent to them, and a form for another one."""

from __future__ import annotations

from flask import g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from workbench.core.errors import CampaignError, UnknownName
from workbench.people.accounts.webhooks import messages
from workbench.release.webhooks import events
from workbench.release.webhooks.sending import secret_of
from workbench.storage.campaign.log.log import mark
from workbench.web.access.rules import ORGANISERS, Pages
from workbench.web.accounts.reauthentication import confirmed
from workbench.web.requests.connections import accounts

blueprint = Pages("webhooks", __name__)

SHOWN = 50
"""Messages on the page."""


@blueprint.get("/c/<campaign>/settings/webhooks", allow=ORGANISERS)
def page(campaign: str) -> str:
    """The webhooks, and their newest messages with every try."""
    return _page()


@blueprint.post("/c/<campaign>/settings/webhooks", allow=ORGANISERS)
@confirmed
def change(campaign: str) -> ResponseReturnValue:
    """Add a webhook, whose secret is in the answer and nowhere else; or `do=try` or `do=remove` that of a `number`."""
    try:
        if (do := request.form.get("do")) == "add":
            url = request.form.get("url", "").strip()
            made = events.add_webhook(g.campaign, accounts(), url, request.form.getlist("event"))
            return _page(secret=secret_of(accounts(), made)), 201
        change = events.remove_webhook if do == "remove" else events.try_webhook
        change(g.campaign, accounts(), request.form.get("number", 0, type=int))
    except (CampaignError, UnknownName) as error:
        return _page(str(error)), 422
    return redirect(url_for(".page", campaign=campaign), 303)


def _page(problem: str = "", secret: str = "") -> str:
    return render_template(
        "setup/settings/webhooks.html",
        problem=problem,
        secret=secret,
        events=events.EVENTS,
        webhooks=events.active(g.campaign, accounts()),
        messages=messages(accounts(), mark(g.campaign), SHOWN),
    )
