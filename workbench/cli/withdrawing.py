"""Taking runs out of a campaign and putting them back, and saying so where it matters."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from workbench.cli.campaigns import actor, campaign_argument, counted, open_named, say

if TYPE_CHECKING:
    from workbench.campaign import Campaign


@click.command()
@campaign_argument
@click.argument("tags", nargs=-1, required=True, metavar="RUN...")
@click.option("--restore", is_flag=True, help="Put the runs back.")
@click.option("--reason", default="", help="Why, for the log.")
def withdraw(path: Path, tags: tuple[str, ...], restore: bool, reason: str) -> None:
    """Take runs out of the leaderboard and of pools to come, or put them back.

    A withdrawn run stays in the file, and can be exported by its name. What was pooled from it stays pooled, with its
    judgments. Scores as of an earlier row of the log still have the run.

    \b
    Example:
      workbench withdraw robust bm25-broken --reason "indexed the wrong collection"
      workbench withdraw robust bm25-broken --restore
    """
    from workbench.withdrawing import restore_runs, withdraw_runs

    with open_named(path) as campaign:
        change = restore_runs if restore else withdraw_runs
        changed = change(campaign, tags, reason=reason, actor=actor())
        said = "restored" if restore else "withdrawn; what was pooled from them stays pooled"
        if len(changed) == 1:
            said = said.replace("them", "it")
        say(f"{counted(len(changed), 'run')} {said}.")


def say_withdrawn(campaign: Campaign, what: str, as_of: int | None = None) -> None:
    """Name the runs that are out as of a place in the log, if there are any, and what that means here."""
    from workbench.ingest.naming import listed
    from workbench.withdrawing import withdrawn_tags

    out = withdrawn_tags(campaign, as_of)
    if out:
        are = "is" if len(out) == 1 else "are"
        say(f"{counted(len(out), 'run')} {are} withdrawn ({listed(out)}): {what}.")
