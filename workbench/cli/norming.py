"""Norming sessions: open one, show its grades, close it, and see how much it changed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from workbench.cli.campaigns import actor, campaign_argument, counted, open_named, say
from workbench.cli.comparing import show_sheet
from workbench.cli.listing import format_option

if TYPE_CHECKING:
    from workbench.campaign import Campaign
    from workbench.norming import Outcome


@click.group()
def norming() -> None:
    """Norming: everybody judges the same few documents alone, then all grades are shown and talked about.

    What is said in a session never reaches the qrels, unless that is asked for when it is closed.

    \b
    Example:
      workbench norming open robust 303
      workbench norming reveal robust
      workbench norming show robust
      workbench norming close robust
    """


@norming.command("open")
@campaign_argument
@click.argument("topic")
@click.argument("documents", nargs=-1, metavar="[DOCUMENT]...")
@click.option("--number", type=click.IntRange(min=1), default=10, show_default=True, help="How many to draw.")
@click.option("--seed", type=int, default=0, show_default=True, help="By which they are drawn.")
def open_session(path: Path, topic: str, documents: tuple[str, ...], number: int, seed: int) -> None:
    """Open a session over documents of a topic: those named, or some drawn by chance.

    \b
    Example:
      workbench norming open robust 303
      workbench norming open robust 303 FT911-3 FT911-9
    """
    from workbench.norming import open_norming

    with open_named(path) as campaign:
        session = open_norming(campaign, topic, documents, number=number, seed=seed, actor=actor())
        what = counted(len(session.documents), "document")
        say(
            f"Norming session {session.norming} is open: {what} of topic {topic}, the same for all assessors."
        )


@norming.command("reveal")
@campaign_argument
def reveal_session(path: Path) -> None:
    """Show all grades of the open session to everybody; who said what cannot be hidden again.

    \b
    Example:
      workbench norming reveal robust
    """
    from workbench.norming import reveal_norming

    with open_named(path) as campaign:
        session = reveal_norming(campaign, actor=actor())
        say(f"Everybody sees the grades of norming session {session.norming} now, and may change theirs.")


@norming.command("close")
@campaign_argument
@click.option("--count", is_flag=True, help="Let last grades count, for pairs their assessor has not judged.")
def close_session(path: Path, count: bool) -> None:
    """End the open session; its grades count for nothing, unless that is asked for here.

    \b
    Example:
      workbench norming close robust
    """
    from workbench.norming import close_norming

    with open_named(path) as campaign:
        session = close_norming(campaign, counts=count, actor=actor())
        what = "count, for pairs that their assessor has not judged" if count else "count for nothing"
        say(f"Norming session {session.norming} is closed; its grades {what}.")


@norming.command("show")
@campaign_argument
@click.argument("number", type=int, required=False)
@format_option
def show_session(path: Path, number: int | None, kind: str) -> None:
    """A session, the newest unless one is named: who is done, and how much all agreed before and after the talk.

    \b
    Example:
      workbench norming show robust
      workbench norming show robust 1 --format csv
    """
    from workbench.judging import session_of
    from workbench.norming import newest_session, outcome_of

    with open_named(path) as campaign:
        session = newest_session(campaign) if number is None else session_of(campaign, number)
        if session is None:
            say("There has been no norming session. Open one: workbench norming open CAMPAIGN TOPIC")
            return
        _show(campaign, outcome_of(campaign, session), kind)


def _show(campaign: Campaign, found: Outcome, kind: str) -> None:
    from workbench.comparing.as_json import json_text
    from workbench.comparing.sheets import as_csv
    from workbench.norming import sheets

    session = found.session
    if kind == "json":
        click.echo(json_text(sheets.content(found)), nl=False)
    elif kind == "csv":
        click.echo("".join(as_csv(sheets.who_said_what(found))), nl=False)
    else:
        show_sheet(sheets.who_is_done(found))
        if found.rows:
            click.echo()
            show_sheet(sheets.who_said_what(found))
            click.echo()
            show_sheet(sheets.before_and_after(found))
    state = "closed" if not session.is_open else "open" if session.revealed is None else "open, grades shown"
    documents = counted(len(session.documents), "document")
    say(
        f"Norming session {session.norming} of {campaign.name}, topic {session.topic_id}, {documents}: {state}."
    )
