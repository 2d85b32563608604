"""What is certain of pairs of runs, whatever the rest of the pool turns out to be."""

from __future__ import annotations

from pathlib import Path

import click

from workbench.cli.campaigns import as_of_option, campaign_argument, open_named, row_as_of, say, steps
from workbench.cli.rounds import say_rounds
from workbench.cli.tables import format_option_of, write_results


@click.command()
@campaign_argument
@click.argument("tags", metavar="[RUN]...", nargs=-1)
@click.option(
    "-m",
    "--measure",
    default="RBP(p=0.8)",
    show_default=True,
    metavar="MEASURE",
    help="The measure: P, RBP, CG, DCG, nDCG, R, RR, Success or AP.",
)
@as_of_option
@click.option(
    "--witness", nargs=2, metavar="RUN RUN", help="Show the documents that would swap these two runs."
)
@click.option("--history", is_flag=True, help="Show how many pairs were certain after rows of the log.")
@format_option_of("table", "csv", "json", full_precision=True)
def certain(
    path: Path,
    tags: tuple[str, ...],
    measure: str,
    moment: str | None,
    witness: tuple[str, str] | None,
    history: bool,
    kind: str,
) -> None:
    """Show which pairs of runs are certain, whatever the rest of the pool turns out to be.

    For each pair of these runs (default: of all) the difference of their means over all pooled topics, and the lowest
    and the highest value it can have once every pooled document is judged. A pair is certain if its better run is
    known, tied for certain if the two stay level, else open. Bounds are exact; those of AP are outer bounds.

    \b
    Example:
      workbench certain robust
      workbench certain robust -m P@10 mine yours theirs
      workbench certain robust -m nDCG@10 --format csv > pairs.csv
      workbench certain robust --witness mine yours
      workbench certain robust --as-of 1200
      workbench certain robust --history --format csv
    """
    from workbench.analysis.trust import certain_tables as tables
    from workbench.analysis.trust.certain_history import CertaintyPoint, certainty_over_log
    from workbench.analysis.trust.certain_pairs import PairState, certain_pairs
    from workbench.analysis.trust.witness import Deciding
    from workbench.analysis.trust.witness import witness as find_witness

    if sum((bool(tags), witness is not None, history)) > 1:
        message = "use one of --witness, --history and names of runs at a time"
        raise click.UsageError(message)
    with open_named(path) as campaign:
        as_of = row_as_of(campaign, moment)
        say_rounds(campaign, as_of, kind=kind)
        if witness is not None:
            swap = find_witness(campaign, *witness, measure, as_of=as_of)
            write_results(kind, Deciding, swap.documents, swap)
            say(swap.sentence())
        elif history:
            with steps("Rows of the log") as on_step:
                points = certainty_over_log(campaign, measure, as_of=as_of, on_step=on_step)
            write_results(kind, CertaintyPoint, points)
        else:
            with steps("All pairs") as on_step:
                found = certain_pairs(campaign, measure, runs=tags, as_of=as_of, on_step=on_step)
            write_results(kind, PairState, found.rows(), tables.certain_list(found))
            for note in (tables.certain_sentence(found), *tables.notes_on_certain(found)):
                say(note)
