"""Norming sessions: open one, show its grades, close it, and see how much it changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from workbench.cli.campaigns import Opened, say
from workbench.cli.options import Group, argument, option
from workbench.cli.tables import format_option, write_sheet
from workbench.core.wording import counted

if TYPE_CHECKING:
    from workbench.analysis.norming import Outcome
    from workbench.storage.campaign import Campaign


@click.group(cls=Group)
def norming() -> None:
    """Norming sessions: all assessors judge the same documents independently, then discuss the grades.

    Grades of a session do not count in qrels, unless it is closed with --count.

    Example:
      workbench judging norming open robust 303
      workbench judging norming reveal robust
      workbench judging norming show robust
      workbench judging norming close robust
    """


@norming.command("open")
def open_session(
    campaign: Opened,
    topic: str = argument(),
    documents: tuple[str, ...] = argument("[DOCUMENT]..."),
    number: int = option("The size of the random sample.", default=10, least=1),
    seed: int = option("Random seed of the sample.", default=0),
) -> None:
    """Open a session over documents of a topic: those named, or a random sample.

    Example:
      workbench judging norming open robust 303
      workbench judging norming open robust 303 FT911-3 FT911-9
    """
    from workbench.analysis.norming import open_norming

    session = open_norming(campaign, topic, documents, number=number, seed=seed)
    what = counted(len(session.documents), "document")
    say(f"Norming session {session.norming} is open: {what} of topic {topic}, the same for all assessors.")


@norming.command("reveal")
def reveal_session(campaign: Opened) -> None:
    """Reveal all grades of the open session to its assessors; this cannot be undone.

    Example:
      workbench judging norming reveal robust
    """
    from workbench.analysis.norming import reveal_norming

    session = reveal_norming(campaign)
    say(f"The grades of norming session {session.norming} are revealed; assessors may now change theirs.")


@norming.command("close")
def close_session(
    campaign: Opened,
    count: bool = option("Count final grades, for pairs that their assessor has not judged."),
) -> None:
    """Close the open session; its grades do not count unless --count is given.

    Example:
      workbench judging norming close robust
    """
    from workbench.analysis.norming import close_norming

    session = close_norming(campaign, counts=count)
    what = "count, for pairs that their assessor has not judged" if count else "do not count"
    say(f"Norming session {session.norming} is closed; its grades {what}.")


@norming.command("show")
def show_session(campaign: Opened, number: int | None = argument(), kind: str = format_option) -> None:
    """Show a session, by default the newest: who has finished, and agreement before and after the discussion.

    Example:
      workbench judging norming show robust
      workbench judging norming show robust 1 --format csv
    """
    from workbench.analysis.norming import newest_session, outcome_of
    from workbench.campaign.assessing import session_of

    session = newest_session(campaign) if number is None else session_of(campaign, number)
    if session is None:
        say("There are no norming sessions. Open one: workbench judging norming open CAMPAIGN TOPIC")
        if kind == "json":
            click.echo("null")
        return
    _show(campaign, outcome_of(campaign, session), kind)


def _show(campaign: Campaign, found: Outcome, kind: str) -> None:
    from workbench.analysis import norming

    session = found.session
    more = [norming.who_said_what, norming.before_and_after] if found.rows else []
    write_sheet(
        kind,
        norming.who_said_what(found),
        found,
        shown=[each(found) for each in (norming.who_is_done, *more)],
    )
    state = (
        "closed" if not session.is_open else "open" if session.revealed is None else "open, grades revealed"
    )
    documents = counted(len(session.documents), "document")
    say(
        f"Norming session {session.norming} of {campaign.name}, topic {session.topic_id}, {documents}: {state}."
    )
