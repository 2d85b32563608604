"""Filling a campaign, continued: add sample."""

from __future__ import annotations

from functools import partial

import click

from workbench.cli.campaigns import Opened, actor, say, show_warnings
from workbench.cli.options import argument, declared_options, option


@click.command("sample")
@declared_options
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

    \b
    Example:
      workbench add sample robust sample.qrels.txt --assessor NIST
      workbench add sample robust prels.txt --dry-run
    """
    from workbench.campaign.pools.growth import MuchLarger
    from workbench.campaign.sample_import import add_sample, sample_words
    from workbench.cli.importing import show_changes, show_result, show_trial
    from workbench.formats.samples import read_sample
    from workbench.storage.campaign.grades import rows_over_time

    sample = read_sample(file)  # once: standard input cannot be read again
    take = partial(add_sample, campaign, sample, assessor=assessor, actor=actor())
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
