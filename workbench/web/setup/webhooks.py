"""The page Webhooks: the addresses that events go to, what was sent to them, and a form for another one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from flask import g, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from workbench.core.errors import CampaignError, UnknownName
from workbench.core.parameters import Limits
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

Url = Annotated[str, Limits("the address that messages are sent to", most=2_000)]
Events = Annotated[Sequence[str], Limits("the events to send, by name")]
Row = Annotated[int, Limits("the webhook's number", least=0)]


@blueprint.get("/c/<campaign>/settings/webhooks", allow=ORGANISERS)
def page(campaign: str, problem: str = "", secret: str = "") -> str:  # nosec B107 - none is shown
    """The webhooks, and their newest messages with every try."""
    own, sent = events.active(g.campaign, accounts()), messages(accounts(), mark(g.campaign), SHOWN)
    shown = {"problem": problem, "secret": secret, "events": events.EVENTS, "webhooks": own, "messages": sent}
    return render_template("setup/settings/webhooks.html", **shown)


@blueprint.post("/c/<campaign>/settings/webhooks", allow=ORGANISERS)
@confirmed
def change(
    campaign: str, *, do: Literal["add", "try", "remove"], url: Url = "", event: Events = (), number: Row = 0
) -> ResponseReturnValue:
    """Add a webhook, whose secret is in the answer and nowhere else; or try or remove that of a `number`."""
    try:
        if do == "add":
            made = events.add_webhook(g.campaign, accounts(), url, event)
            return page(campaign, secret=secret_of(accounts(), made)), 201
        (events.remove_webhook if do == "remove" else events.try_webhook)(g.campaign, accounts(), number)
    except (CampaignError, UnknownName) as error:
        return page(campaign, str(error)), 422
    return redirect(url_for(".page", campaign=campaign), 303)
