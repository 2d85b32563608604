"""Stopping with a guarantee."""

from __future__ import annotations

from pathlib import Path

import click

from workbench.cli.campaigns import as_of_option, campaign_argument, open_named, row_as_of, say
from workbench.cli.rounds import say_rounds
from workbench.cli.tables import format_option_of, write_results
from workbench.core.errors import CampaignError


@click.command()
@campaign_argument
@click.option(
    "-m",
    "--measure",
    metavar="MEASURE",
    help="The measure: P, RBP, CG or DCG. [default: the one that the order was drawn for]",
)
@click.option(
    "--alpha", type=float, default=0.05, show_default=True, help="The risk of each decision that it is wrong."
)
@as_of_option
@click.option("--topics", is_flag=True, help="Show how many relevant documents each topic can still have.")
@format_option_of("table", "csv", "json", full_precision=True)
def stop(path: Path, measure: str | None, alpha: float, moment: str | None, topics: bool, kind: str) -> None:
    """Show what judgments decide about the whole pool, at which risk: can judging stop?

    Of a pool of strategy sequential-pps each pair of runs is certain, decided or open. Decided means: with all of the
    order judged, the better run would not be worse. Each such decision is wrong with at most the risk alpha, however
    often you look. It is a statement about this pool and these assessors, not about other topics.

    Of a pool of strategy uniform or strata: how many relevant documents each topic can still have (--topics).

    \b
    Example:
      workbench pool robust --strategy sequential-pps --depth 100 --budget 1000
      workbench stop robust
      workbench stop robust -m P@10 --alpha .01
      workbench stop robust --format csv > decisions.csv
      workbench stop robust --topics
    """
    from workbench.analysis.trust import Decision, TopicFound, decide, found_of, report

    with open_named(path) as campaign:
        as_of = row_as_of(campaign, moment)
        say_rounds(campaign, as_of)
        decisions = decide(campaign, measure, alpha=alpha, as_of=as_of)
        found = found_of(campaign, alpha=alpha, as_of=as_of)
        if topics or (decisions is None and found is not None):
            if found is None:
                message = (
                    f"no part of {campaign.name}’s pools was drawn uniformly at random; draw one: workbench pool "
                    f"{campaign.command_name} --strategy uniform --depth 100 --set whole=10 --budget 10%"
                )
                raise CampaignError(message)
            write_results(kind, TopicFound, found, report.stopping(None, found))
            say(report.found_summary(found, alpha))
            return
        if decisions is None:
            message = (
                f"no pool of {campaign.name} was drawn in a random order, so nothing is decided about what is not "
                f"judged; draw one: workbench pool {campaign.command_name} --strategy sequential-pps --depth 100 "
                "--budget 1000"
            )
            raise CampaignError(message)
        write_results(kind, Decision, decisions.pairs, report.stopping(decisions, found))
        say(report.summary(decisions))
        for note in report.notes(decisions, campaign.command_name):
            say(note)
