"""Taking runs out of a campaign and putting them back, and saying so where it matters."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import click

from workbench.cli.campaigns import Opened, say
from workbench.cli.options import argument, command, option
from workbench.core.wording import counted

if TYPE_CHECKING:
    from workbench.storage.campaign import Campaign


class Change(NamedTuple):
    """What to withdraw, restore or delete."""

    names: tuple[str, ...] = argument("[RUN|TOPIC|DOCUMENT|JUDGE]...")
    topics: bool = option("The names are topics, not runs.")
    judges: bool = option("The names are judges that teams submitted.")
    documents: bool = option("The names are documents; with --delete.")
    restore: bool = option("Restore what is withdrawn.")
    delete: bool = option("Delete topics or documents that nothing refers to, such as a header line.")
    unused: bool = option(
        "With --delete: those of the names, or of all, that nothing refers to; others stay."
    )
    dry_run: bool = option("With --delete: show what would go, and what stays and why; change nothing.")
    reason: str = option("The reason, for the log.", default="")


@command()
def withdraw(campaign: Opened, change: Change) -> None:
    """Withdraw runs, topics, or judges that teams submitted, or restore them.

    A withdrawn run remains in the file and can be exported by name. Pairs pooled from it remain pooled, with their
    judgments. A withdrawn topic leaves scores, qrels, pools and assignments; its judgments remain in the log, and with
    --restore everything is as before. Scores as of an earlier log row include what was withdrawn later. A withdrawn
    judge is compared with nobody; its labels still count where the rule lets labels of models count.

    Topics and documents that no run, pool or judgment refers to can be deleted. Adding their file again brings them
    back.

    Example:
      workbench task withdraw robust bm25-broken --reason "indexed the wrong collection"
      workbench task withdraw robust bm25-broken --restore
      workbench task withdraw robust --topics 312 --reason "nothing in the collection"
      workbench task withdraw robust --judges Delft/gpt-4 --reason "sent by mistake"
      workbench task withdraw robust --topics qid --delete
      workbench task withdraw robust --topics --delete --unused --dry-run
      workbench task withdraw robust --documents docno --delete --reason "the header line of docs.tsv"
    """
    from workbench.campaign import content_changes
    from workbench.campaign.deleting import Unused, delete_unused

    _refuse_usage(change)
    if change.delete:
        kind, strict = "topic" if change.topics else "document", not change.unused
        asked = Unused(kind, change.names or None, (), change.reason, strict, change.dry_run)
        say(f"{delete_unused(campaign, asked)}.")
    elif change.judges:
        from workbench.campaign.submissions.judges import change_judges

        number = change_judges(campaign, change.names, back=change.restore, reason=change.reason)
        say(f"{counted(number, 'judge')} {'restored' if change.restore else 'withdrawn'}.")
    elif change.topics:
        put = content_changes.restore_topics if change.restore else content_changes.withdraw_topics
        seq = put(campaign, change.names, reason=change.reason)
        said = (
            "restored, with pairs and labels" if change.restore else "withdrawn; judgments remain in the log"
        )
        say(f"{counted(len(set(change.names)), 'topic')} {said} (log row {seq}).")
    else:
        of_runs = content_changes.restore_runs if change.restore else content_changes.withdraw_runs
        changed = of_runs(campaign, change.names, reason=change.reason)
        them = "it" if len(changed) == 1 else "them"
        said = "restored" if change.restore else f"withdrawn; pairs pooled from {them} remain pooled"
        say(f"{counted(len(changed), 'run')} {said}.")


def _refuse_usage(change: Change) -> None:
    if change.topics + change.documents + change.judges > 1:
        raise click.UsageError("choose one of --topics, --documents and --judges")
    if change.delete and (change.restore or not (change.topics or change.documents)):
        raise click.UsageError("--delete is for --topics or --documents, and not with --restore")
    if change.documents and not change.delete:
        raise click.UsageError("documents are not withdrawn; --delete deletes those that nothing refers to")
    if (change.unused or change.dry_run) and not change.delete:
        raise click.UsageError("--unused and --dry-run go with --delete")
    if not (change.names or change.unused):
        raise click.UsageError("name what is meant; with --delete --unused all are")


def say_withdrawn(campaign: Campaign, what: str) -> None:
    """Name the runs that are out as of a place in the log, if there are any, and what that means here."""
    from workbench.campaign.content_changes import withdrawn_tags
    from workbench.core.wording import listed

    out = withdrawn_tags(campaign)
    if out:
        are = "is" if len(out) == 1 else "are"
        say(f"{counted(len(out), 'run')} {are} withdrawn ({listed(out)}): {what}.")
