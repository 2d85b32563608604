"""Taking runs out of a campaign and putting them back, and saying so where it matters."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from workbench.cli.campaigns import Opened, say
from workbench.cli.options import argument, declared_options, option
from workbench.core.wording import counted

if TYPE_CHECKING:
    from workbench.storage.campaign import Campaign


class Change(NamedTuple):
    """What to withdraw, restore or delete."""

    names: tuple[str, ...] = argument("RUN|TOPIC|DOCUMENT...", required=True)
    topics: bool = option("The names are topics, not runs.")
    documents: bool = option("The names are documents; with --delete.")
    restore: bool = option("Restore what is withdrawn.")
    delete: bool = option("Delete topics or documents that nothing refers to, such as a header line.")
    reason: str = option("The reason, for the log.", default="")


@click.command()
@declared_options
def withdraw(campaign: Opened, change: Change) -> None:
    """Withdraw runs, or topics, from the leaderboard and from pools, or restore them.

    A withdrawn run remains in the file and can be exported by name. Pairs pooled from it remain pooled, with their
    judgments. A withdrawn topic leaves scores, qrels, pools and assignments; its judgments remain in the log, and with
    --restore everything is as before. Scores as of an earlier log row include what was withdrawn later.

    Topics and documents that no run, pool or judgment refers to can be deleted. Adding their file again brings them
    back.

    \b
    Example:
      workbench task withdraw robust bm25-broken --reason "indexed the wrong collection"
      workbench task withdraw robust bm25-broken --restore
      workbench task withdraw robust --topics 312 --reason "nothing in the collection"
      workbench task withdraw robust --topics qid --delete
      workbench task withdraw robust --documents docno --delete --reason "the header line of docs.tsv"
    """
    from workbench.campaign.content_changes import (
        delete_documents,
        delete_topics,
        restore_runs,
        restore_topics,
        withdraw_runs,
        withdraw_topics,
    )

    if change.topics and change.documents:
        raise click.UsageError("choose one of --topics and --documents")
    if change.delete and (change.restore or not (change.topics or change.documents)):
        raise click.UsageError(
            "--delete is for topics (--topics) or documents (--documents), and not with --restore"
        )
    if change.documents and not change.delete:
        raise click.UsageError("documents are not withdrawn; --delete deletes those that nothing refers to")
    by: dict[str, Any] = {"reason": change.reason}
    if not (change.topics or change.documents):
        changed = (restore_runs if change.restore else withdraw_runs)(campaign, change.names, **by)
        them = "it" if len(changed) == 1 else "them"
        said = "restored" if change.restore else f"withdrawn; pairs pooled from {them} remain pooled"
        say(f"{counted(len(changed), 'run')} {said}.")
        return
    put: Callable[..., int]
    if change.documents:
        put, said = delete_documents, "deleted"
    elif change.delete:
        put, said = delete_topics, "deleted"
    elif change.restore:
        put, said = restore_topics, "restored, with pairs and labels"
    else:
        put, said = withdraw_topics, "withdrawn; judgments remain in the log"
    seq = put(campaign, change.names, **by)
    number = counted(len(set(change.names)), "document" if change.documents else "topic")
    say(f"{number} {said} (log row {seq}).")


def say_withdrawn(campaign: Campaign, what: str) -> None:
    """Name the runs that are out as of a place in the log, if there are any, and what that means here."""
    from workbench.campaign.content_changes import withdrawn_tags
    from workbench.core.wording import listed

    out = withdrawn_tags(campaign)
    if out:
        are = "is" if len(out) == 1 else "are"
        say(f"{counted(len(out), 'run')} {are} withdrawn ({listed(out)}): {what}.")
