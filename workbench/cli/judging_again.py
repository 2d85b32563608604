"""Pairs that are judged again: asking for it, taking it back, and the list of the requests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import click

from workbench.cli.assigning import reason_option
from workbench.cli.campaigns import Opened, quoted, say
from workbench.cli.options import argument, command, option
from workbench.cli.tables import format_option, text_sheet, write_list
from workbench.core.wording import counted

if TYPE_CHECKING:
    from workbench.campaign.assigning import RequestRow


class Request(NamedTuple):
    """What to judge again, and who is to do it."""

    topic: str | None = argument()
    documents: tuple[str, ...] = argument("[DOCUMENT...]")
    name: str | None = option(
        "The assessor. [default: the one with the fewest pairs left]", "--by", metavar="NAME"
    )
    take_back: bool = option("Withdraw requests that are not answered yet; needs --by.")
    reason: str = reason_option


@command("again")
def again(campaign: Opened, asked: Request, kind: str = format_option) -> None:
    """Have judged documents of a topic judged again, blind, by an assessor who has not judged them.

    Each is open in the queue of that assessor, whatever topics they have. They do not see the other grades.
    Without a topic, list the requests: those that are open first, then the newest.

    Example:
      workbench assign again robust 303 FBIS3-10082 FT921-4598
      workbench assign again robust 303 FBIS3-10082 --by ben --reason "cut off in the middle"
      workbench assign again robust
    """
    from workbench.campaign.assigning import judge_again, requests_again, take_back_again

    if asked.topic is None:
        _list_requests(requests_again(campaign), kind)
        return
    if not asked.documents:
        message = "name the documents of the topic after it; without a topic the requests are listed"
        raise click.UsageError(message)
    if asked.take_back:
        if asked.name is None or len(asked.documents) > 1:
            message = "--take-back takes one document, and --by with the assessor who was to judge it"
            raise click.UsageError(message)
        take_back_again(campaign, asked.topic, asked.documents[0], asked.name, reason=asked.reason)
        say(f"{quoted(asked.name)} is not to judge it again.")
        return
    pairs = [(asked.topic, document) for document in asked.documents]
    requested = judge_again(campaign, pairs, by=asked.name, reason=asked.reason)
    for assessor, number in requested.by_assessor.items():
        say(f"{counted(number, 'document')} to be judged again by {quoted(assessor)}.")


def _list_requests(found: Sequence[RequestRow], kind: str) -> None:
    heads = ("Topic", "Document", "Assessor", "Time", "Actor", "Reason", "State")
    rows = [(*row[:-1], "open" if row.is_open else "judged") for row in found]
    write_list(kind, text_sheet(heads, rows))
    waiting = sum(row.is_open for row in found)
    say(f"{counted(len(found), 'request')} to judge again, {waiting:,} open.")
