"""What an import of qrels changes, shown before and after it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from workbench.cli.campaigns import say
from workbench.core.wording import counted

if TYPE_CHECKING:
    from workbench.campaign.ingest import AddedQrels

MOST_SHOWN = 20
"""At most this many of the labels that change are listed."""


def show_trial(trial: AddedQrels, name: str) -> None:
    """Show what a dry run found."""
    say(f"Dry run: nothing is changed. {_summary(trial, 'would be imported')}")
    _show_effect(trial, name, would=True)
    _list(trial)


def show_changes(trial: AddedQrels, *, ask: bool) -> None:
    """List the current labels that an import would change, if any; on a terminal, ask for confirmation."""
    if not trial.changed:
        return
    say(f"This import changes {counted(len(trial.changed), 'current label')}:")
    _list(trial)
    if ask and sys.stdin.isatty():
        click.confirm("Import these labels?", abort=True, err=True)


def show_result(added: AddedQrels, name: str) -> None:
    """Print the effect of an import."""
    say(_summary(added, "imported"))
    _show_effect(added, name, would=False)


def _summary(added: AddedQrels, done: str) -> str:
    return (
        f"{counted(added.judgments, 'judgment')} {done} for assessor {added.assessor!r}, "
        f"{added.unchanged:,} already present; {added.outside_pool:,} on pairs outside the pool."
    )


def _show_effect(added: AddedQrels, name: str, *, would: bool) -> None:
    change, get = ("would change", "would get") if would else ("changed", "got")
    say(
        f"{counted(len(added.changed), 'current label')} {change}, "
        f"{counted(added.first_labels, 'pair')} {get} a first label; "
        f"on {counted(added.not_in_force, 'pair')} of the files another grade counts, or none."
    )
    if added.precedence.imports == 0:
        say(
            "Imported labels count like local judgments, the default when this campaign was created: "
            f"workbench rule {name} shows what --imports gaps would change."
        )
    if added.precedence.models is None and added.not_in_force:
        say(
            f"Labels of models do not count; to use them for unlabelled pairs: workbench rule {name} --models gaps"
        )


def _list(added: AddedQrels) -> None:
    for label in added.changed[:MOST_SHOWN]:
        say(f"  topic {label.topic_id}, document {label.document_id}: {label.before} becomes {label.after}")
    if len(added.changed) > MOST_SHOWN:
        say(f"  and {len(added.changed) - MOST_SHOWN:,} more")
