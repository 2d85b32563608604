"""Taking runs out of a campaign and putting them back, and saying so where it matters."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from workbench.cli.campaigns import actor, campaign_argument, open_named, say
from workbench.core.wording import counted

if TYPE_CHECKING:
    from workbench.storage.campaign import Campaign


@click.command()
@campaign_argument
@click.argument("tags", nargs=-1, required=True, metavar="RUN...")
@click.option("--restore", is_flag=True, help="Restore withdrawn runs.")
@click.option("--reason", default="", help="The reason, for the log.")
def withdraw(path: Path, tags: tuple[str, ...], restore: bool, reason: str) -> None:
    """Withdraw runs from the leaderboard and from future pools, or restore them.

    A withdrawn run remains in the file and can be exported by name. Pairs pooled from it remain pooled, with their
    judgments. Scores as of an earlier log row include the run.

    \b
    Example:
      workbench withdraw robust bm25-broken --reason "indexed the wrong collection"
      workbench withdraw robust bm25-broken --restore
    """
    from workbench.setup.withdrawing import restore_runs, withdraw_runs

    with open_named(path) as campaign:
        change = restore_runs if restore else withdraw_runs
        changed = change(campaign, tags, reason=reason, actor=actor())
        said = "restored" if restore else "withdrawn; pairs pooled from them remain pooled"
        if len(changed) == 1:
            said = said.replace("them", "it")
        say(f"{counted(len(changed), 'run')} {said}.")


def say_withdrawn(campaign: Campaign, what: str, as_of: int | None = None) -> None:
    """Name the runs that are out as of a place in the log, if there are any, and what that means here."""
    from workbench.core.wording import listed
    from workbench.setup.withdrawing import withdrawn_tags

    out = withdrawn_tags(campaign, as_of)
    if out:
        are = "is" if len(out) == 1 else "are"
        say(f"{counted(len(out), 'run')} {are} withdrawn ({listed(out)}): {what}.")
