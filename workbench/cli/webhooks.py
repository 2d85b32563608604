"""Webhooks of a campaign."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from workbench.cli.accounts import accounts_option
from workbench.cli.campaigns import Opened, say
from workbench.cli.options import command, option
from workbench.cli.serving import network_option
from workbench.cli.tables import format_option, text_sheet, write_list
from workbench.core.errors import CampaignError

if TYPE_CHECKING:
    from workbench.people.accounts import Accounts

SHOWN = 200
SENT = ("Message", "Webhook", "Event", "Row", "State", "Tried", "Status", "Milliseconds", "Error")


@command("webhooks")
def list_webhooks(
    campaign: Opened,
    add: str | None = option("Send events to this address, and print its secret.", metavar="ADDRESS"),
    event: tuple[str, ...] = option("With --add: an event; may be repeated.  [default: all]"),
    remove: int | None = option("Remove the webhook of this number.", metavar="NUMBER"),
    try_: int | None = option(
        "Send a test message to the webhook of this number.", "--try", metavar="NUMBER"
    ),
    webhook_network: tuple[Any, ...] = network_option,
    sent: bool = option("List the newest messages with each attempt."),
    kind: str = format_option,
    accounts: Accounts = accounts_option,
) -> None:
    """List the webhooks of a campaign, addresses that the server sends signed events to; or add, try or remove one.

    Events are topic.finished, pool.grew, run.submitted and pair.certain. The secret is printed once: keep the output.
    --webhook-network is for --try; the server has an option of its own.

    Example:
      workbench campaign webhooks robust --add https://example.org/hook --event topic.finished > secret.txt
      workbench campaign webhooks robust --try 1201
      workbench campaign webhooks robust --sent --format csv
      workbench campaign webhooks robust --remove 1201
    """
    from workbench.people.accounts.webhooks import messages
    from workbench.release.webhooks import events, sending
    from workbench.storage.campaign.log.log import mark

    if sum(each is not None for each in (add, remove, try_, sent or None)) > 1:
        raise click.UsageError("use one of --add, --remove, --try and --sent at a time")
    if add is not None:
        made = events.add_webhook(campaign, accounts, add, event or list(events.EVENTS))
        click.echo(sending.secret_of(accounts, made))
        say(f"Webhook {made.row} added. Its secret, above, is shown this once.")
    elif remove is not None:
        events.remove_webhook(campaign, accounts, remove)
        say(f"Webhook {remove} removed.")
    elif try_ is not None:
        test = events.try_webhook(campaign, accounts, try_)
        tried = sending.send(accounts, test, webhook_network, lambda work: work.do(lambda *step: None))
        if tried["error"]:
            raise CampaignError(f"webhook {try_}: {tried['error']}")
        say(f"Delivered: {tried['status']} after {tried['milliseconds']:,} ms.")
    elif sent:
        rows = [
            (*map(str, (each.id, each.webhook, each.event, each.row, each.state)), *map(str, tried.values()))
            for each in messages(accounts, mark(campaign), SHOWN)
            for tried in each.attempts or [dict.fromkeys(SENT[-4:], "")]
        ]
        write_list(kind, text_sheet(SENT, rows), "Nothing was sent yet.")
    else:
        own = [(str(each.row), each.url, ", ".join(each.read)) for each in events.active(campaign, accounts)]
        write_list(kind, text_sheet(("Number", "Address", "Events"), own), "No webhooks yet.")
