"""Adding labels: qrels and samples, with what they change shown before and after."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import click

from workbench.cli.adding import files_argument
from workbench.cli.campaigns import Opened, say, show_warnings
from workbench.cli.options import argument, command, option
from workbench.cli.repair_options import changes_option, encoding_option, repairs_of_qrels, show_repaired
from workbench.core.wording import counted

if TYPE_CHECKING:
    from workbench.campaign.ingest import AddedQrels
    from workbench.formats.run_repairs import Repairs


class Labels(NamedTuple):
    """The files of labels, whose they are, and how they are read."""

    files: tuple[str, ...] = files_argument
    assessor: str | None = option("The assessor's name: a person or a group.  [default: imported]")
    names: bool = option("Call people as files of other tools do, not by the assessor's name and a number.")
    dry_run: bool = option("Show what the import would change, and change nothing.")
    yes: bool = option("Change current labels without confirmation.")
    repairs: Repairs = repairs_of_qrels
    shows_changes: bool = changes_option
    encoding: str = encoding_option


@command("qrels")
def add_qrels(campaign: Opened, asked: Labels) -> None:
    """Import external labels (four columns: topic, 0, document, grade; or CSV, JSON, parquet); all of them or none.

    Files may be addresses, ids of ir_datasets such as irds:cranfield, or judgments of other tools, which are known by
    their content: books and ratings of Quepid (JSON, CSV), tasks of Label Studio, records of Argilla. Their people
    become imported-1, imported-2 and so on, comments are kept, and what is not the campaign's is refused.

    The log marks them as imports; labels of a model are added with workbench add model-labels. Pairs outside the pool
    count too. By default an imported label counts only where no assessor gave a grade: see workbench judging rule. If
    the import changes current labels, the command lists them, and on a terminal it asks for confirmation.

    Example:
      workbench add qrels robust qrels.robust03.txt --assessor NIST
      workbench add qrels shop book.json --assessor quepid
    """
    from workbench.campaign.ingest import add_qrels
    from workbench.campaign.ingest.qrels import read_all
    from workbench.formats.text.parse_mode import ParseMode
    from workbench.storage.campaign.grades import rows_over_time

    add = partial(
        add_qrels,
        campaign,
        read_all(
            asked.files, asked.repairs, ParseMode(encoding=asked.encoding)
        ),  # once: standard input cannot be read again
        assessor=asked.assessor,
        repairs=asked.repairs,
        names=asked.names,
    )
    if asked.dry_run:
        trial = add(dry_run=True)
        show_warnings(trial.warnings)
        show_repaired(trial.repaired, each_line=asked.shows_changes)
        show_trial(trial, campaign.command_name)
        return
    if rows_over_time.first_judgment(campaign) is not None:  # else there is no label that could change
        show_changes(add(dry_run=True), ask=not asked.yes)
    added = add()
    show_warnings(added.warnings)
    show_repaired(added.repaired, each_line=asked.shows_changes)
    show_result(added, campaign.command_name)


@command("sample")
def add_sample(
    campaign: Opened,
    file: str = argument(),
    assessor: str | None = option("The assessor's name for its judgments.  [default: imported]"),
    dry_run: bool = option("Show what the import would change, and change nothing."),
    yes: bool = option("Change current labels, and grow the pool, without confirmation."),
) -> None:
    """Import a sample that was drawn elsewhere, with its judgments; all of it or nothing.

    FILE is what workbench export sample writes: sampling qrels (topic 0 document stratum grade, -1 where it was not
    drawn), prels (topic document grade method probability), or the csv of all candidates. Its candidates become a pool
    with strata and inclusion probabilities, from which xinfAP, infNDCG, statAP and their kind estimate what they
    estimate from the file; its grades become judgments as those of add qrels do.

    Example:
      workbench add sample robust sample.qrels.txt --assessor NIST
      workbench add sample robust prels.txt --dry-run
    """
    from workbench.campaign.pools.refusals import MuchLarger
    from workbench.campaign.sample_import import add_sample, sample_words
    from workbench.formats.samples import read_sample
    from workbench.storage.campaign.grades import rows_over_time

    sample = read_sample(file)  # once: standard input cannot be read again
    take = partial(add_sample, campaign, sample, assessor=assessor)
    if dry_run:
        trial = take(dry_run=True)
        show_warnings(trial.warnings)
        show_trial(trial.qrels, campaign.command_name)
        say(sample_words(trial, would=True))
        return
    if rows_over_time.first_judgment(campaign) is not None:  # else there is no label that could change
        show_changes(take(dry_run=True).qrels, ask=not yes)
    try:
        added = take(much_larger=yes)
    except MuchLarger as error:
        click.confirm(f"{error}. Import it? (--yes answers this)", abort=True, err=True)
        added = take()
    show_warnings(added.warnings)
    say(sample_words(added))
    show_result(added.qrels, campaign.command_name)


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
            f"workbench judging rule {name} shows what --imports gaps would change."
        )


def _list(added: AddedQrels) -> None:
    for label in added.changed[:MOST_SHOWN]:
        say(f"  topic {label.topic_id}, document {label.document_id}: {label.before} becomes {label.after}")
    if len(added.changed) > MOST_SHOWN:
        say(f"  and {len(added.changed) - MOST_SHOWN:,} more")
