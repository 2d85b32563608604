"""Whether judging can stop, and which pairs of runs are certain."""

from __future__ import annotations

from typing import NamedTuple

import click

from workbench.cli.campaigns import Seen, measure_option, say, steps
from workbench.cli.options import argument, command, option
from workbench.cli.tables import format_option_of, write_results
from workbench.core.errors import CampaignError


class Asked(NamedTuple):
    """Which pairs of runs to look at, and how."""

    tags: tuple[str, ...] = argument("[RUN]...")
    measure: str = measure_option("The measure: P, RBP, CG, DCG, nDCG, R, RR, Success or AP.", "RBP(p=0.8)")
    witness: tuple[str, str] | None = option(
        "Show the documents that would swap these two runs.", metavar="RUN RUN"
    )
    history: bool = option("Show how many pairs were certain after rows of the log.")


@command()
def certain(
    campaign: Seen, asked: Asked, kind: str = format_option_of("table", "csv", "json", full_precision=True)
) -> None:
    """Show which pairs of runs are certain, whatever the rest of the pool turns out to be.

    For each pair of these runs (default: of all) the difference of their means over all pooled topics, and the lowest
    and the highest value it can have once every pooled document is judged. A pair is certain if its better run is
    known, tied for certain if the two stay level, else open. Bounds are exact; those of AP are outer bounds.

    Example:
      workbench analyse certain robust
      workbench analyse certain robust -m P@10 mine yours theirs
      workbench analyse certain robust -m nDCG@10 --format csv > pairs.csv
      workbench analyse certain robust --witness mine yours
      workbench analyse certain robust --as-of 1200
      workbench analyse certain robust --history --format csv
    """
    from workbench.analysis.trust import sentences
    from workbench.analysis.trust.certain_history import CertainPoint, certain_over_log
    from workbench.analysis.trust.certain_pairs import PairState, certain_pairs
    from workbench.analysis.trust.witness import Deciding
    from workbench.analysis.trust.witness import witness as find_witness

    if sum((bool(asked.tags), asked.witness is not None, asked.history)) > 1:
        raise click.UsageError("use one of --witness, --history and names of runs at a time")
    if asked.witness is not None:
        swap = find_witness(campaign, *asked.witness, asked.measure)
        write_results(kind, Deciding, swap.documents, swap)
        say(swap.sentence())
    elif asked.history:
        with steps("Rows of the log") as on_step:
            points = certain_over_log(campaign, asked.measure, on_step=on_step)
        write_results(kind, CertainPoint, points)
    else:
        with steps("All pairs") as on_step:
            found = certain_pairs(campaign, asked.measure, runs=asked.tags, on_step=on_step)
        write_results(kind, PairState, found.rows(), found)
        say(sentences.certain_sentence(found), *sentences.notes_on_certain(found))


class Evidence(NamedTuple):
    """What may be decided, and which evidence to show."""

    measure: str | None = option(
        "The measure. [default: the one that the newest random order was drawn for, else RBP(p=0.8)]",
        "-m",
        metavar="MEASURE",
    )
    alpha: float = option("The risk of each decision that it is wrong.", default=0.05)
    judge: str | None = option(
        "A model whose labels decisions start from; the risk stays the same.", metavar="NAME"
    )
    pairs: bool = option("Show what a random order decides about each pair of runs.")
    topics: bool = option("Show how many relevant documents each topic can still have.")


@command()
def stop(
    campaign: Seen, asked: Evidence, kind: str = format_option_of("table", "csv", "json", full_precision=True)
) -> None:
    """Say whether judging can stop, and what to do next.

    Yes, if all pairs of runs are certain (see workbench analyse certain), or nothing is left to judge. Of a pool of
    strategy sequential-pps each pair is certain, decided or open (--pairs). Decided means: with all of the order
    judged, the better run would not be worse. Each such decision is wrong with at most the risk alpha, however often
    you look; P, RBP, CG and DCG can be decided. It is a statement about this pool and these assessors, not about other
    topics.

    Of a pool of strategy uniform or strata: how many relevant documents each topic can still have (--topics).

    Example:
      workbench analyse stop robust
      workbench pool robust --strategy sequential-pps --depth 100 --budget 1000
      workbench analyse stop robust -m P@10 --alpha .01
      workbench analyse stop robust --pairs --format csv > decisions.csv
      workbench analyse stop robust --topics
    """
    from workbench.analysis.trust import sentences
    from workbench.analysis.trust.decisions import Decision
    from workbench.analysis.trust.evidence import STOP, Stopping, decided_in
    from workbench.analysis.trust.found import TopicFound

    if asked.pairs and asked.topics:
        raise click.UsageError("use one of --pairs and --topics at a time")
    if kind == "csv" and not (asked.pairs or asked.topics):
        raise click.UsageError("with --format csv add --pairs or --topics")
    name = campaign.command_name
    question = STOP.question(
        campaign,
        {"alpha": asked.alpha, "judge": asked.judge} | ({"measure": asked.measure} if asked.measure else {}),
    )
    if not (asked.pairs or asked.topics):
        found = STOP.answer(campaign, question)
        if kind == "json":
            write_results(kind, Stopping, (), found)
        else:
            said = found.recommendation
            click.echo("\n".join(filter(None, (said.text, said.next, *said.limits))))
        return
    decided = decided_in(campaign, **question)
    if asked.pairs:
        if decided.decisions is None:
            raise CampaignError(
                decided.refused
                or (
                    f"no pool of {campaign.name} was drawn in a random order, so nothing is decided about what is not "
                    f"judged; draw one: workbench pool {name} --strategy sequential-pps --depth 100 --budget 1000"
                )
            )
        write_results(kind, Decision, decided.decisions.pairs, decided.decisions)
        notes = sentences.notes_on_decided(decided.decisions, name)
        say(sentences.decided_sentence(decided.decisions), *notes)
    else:
        if decided.topics is None:
            raise CampaignError(
                f"no part of {campaign.name}’s pools was drawn uniformly at random; draw one: workbench pool "
                f"{name} --strategy uniform --depth 100 --set whole=10 --budget 10%"
            )
        write_results(kind, TopicFound, decided.topics)
        say(sentences.found_summary(decided.topics, asked.alpha))
