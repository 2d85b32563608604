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
@click.argument("names", nargs=-1, required=True, metavar="RUN|TOPIC|DOCUMENT...")
@click.option("--topics", "are_topics", is_flag=True, help="The names are topics, not runs.")
@click.option("--documents", "are_documents", is_flag=True, help="The names are documents; with --delete.")
@click.option("--restore", is_flag=True, help="Restore what is withdrawn.")
@click.option(
    "--delete",
    is_flag=True,
    help="Delete topics or documents that nothing refers to, such as a header line.",
)
@click.option("--reason", default="", help="The reason, for the log.")
def withdraw(
    path: Path,
    names: tuple[str, ...],
    are_topics: bool,
    are_documents: bool,
    restore: bool,
    delete: bool,
    reason: str,
) -> None:
    """Withdraw runs, or topics, from the leaderboard and from pools, or restore them.

    A withdrawn run remains in the file and can be exported by name. Pairs pooled from it remain pooled, with their
    judgments. A withdrawn topic leaves scores, qrels, pools and assignments; its judgments remain in the log, and with
    --restore everything is as before. Scores as of an earlier log row include what was withdrawn later.

    Topics and documents that no run, pool or judgment refers to can be deleted. Adding their file again brings them
    back.

    \b
    Example:
      workbench withdraw robust bm25-broken --reason "indexed the wrong collection"
      workbench withdraw robust bm25-broken --restore
      workbench withdraw robust --topics 312 --reason "nothing in the collection"
      workbench withdraw robust --topics qid --delete
      workbench withdraw robust --documents docno --delete --reason "the header line of docs.tsv"
    """
    if are_topics and are_documents:
        raise click.UsageError("choose one of --topics and --documents")
    if delete and (restore or not (are_topics or are_documents)):
        raise click.UsageError(
            "--delete is for topics (--topics) or documents (--documents), and not with --restore"
        )
    if are_documents:
        if not delete:
            raise click.UsageError(
                "documents are not withdrawn; --delete deletes those that nothing refers to"
            )
        _delete_documents(path, names, reason)
        return
    if are_topics:
        _withdraw_topics(path, names, restore, delete, reason)
        return
    from workbench.campaign.withdrawing import restore_runs, withdraw_runs

    with open_named(path) as campaign:
        change = restore_runs if restore else withdraw_runs
        changed = change(campaign, names, reason=reason, actor=actor())
        said = "restored" if restore else "withdrawn; pairs pooled from them remain pooled"
        if len(changed) == 1:
            said = said.replace("them", "it")
        say(f"{counted(len(changed), 'run')} {said}.")


def _withdraw_topics(path: Path, names: tuple[str, ...], restore: bool, delete: bool, reason: str) -> None:
    from workbench.campaign.topic_changes import delete_topics, restore_topics, withdraw_topics

    with open_named(path) as campaign:
        if delete:
            seq = delete_topics(campaign, names, reason=reason, actor=actor())
        else:
            change = restore_topics if restore else withdraw_topics
            seq = change(campaign, names, reason=reason, actor=actor())
    number = len(dict.fromkeys(names))
    said = "restored, with pairs and labels" if restore else "withdrawn; judgments remain in the log"
    said = "deleted" if delete else said
    say(f"{counted(number, 'topic')} {said} (log row {seq}).")


def _delete_documents(path: Path, names: tuple[str, ...], reason: str) -> None:
    from workbench.campaign.deleting_documents import delete_documents

    with open_named(path) as campaign:
        seq = delete_documents(campaign, names, reason=reason, actor=actor())
    say(f"{counted(len(dict.fromkeys(names)), 'document')} deleted (log row {seq}).")


def say_withdrawn(campaign: Campaign, what: str, as_of: int | None = None) -> None:
    """Name the runs that are out as of a place in the log, if there are any, and what that means here."""
    from workbench.campaign.withdrawing import withdrawn_tags
    from workbench.core.wording import listed

    out = withdrawn_tags(campaign, as_of)
    if out:
        are = "is" if len(out) == 1 else "are"
        say(f"{counted(len(out), 'run')} {are} withdrawn ({listed(out)}): {what}.")
