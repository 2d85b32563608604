"""What leaves the organisers' hands: the release bundle and its import, and sheets of results for teams."""

from __future__ import annotations

from pathlib import Path

import click

from workbench.cli.campaigns import (
    actor,
    campaign_argument,
    check_as_of,
    counted,
    instance_option,
    open_named,
    path_of,
    progress,
    say,
    warn_of_network,
)
from workbench.cli.exporting import as_of_option, export, output_option
from workbench.cli.scoring import measures_option


@click.command()
@campaign_argument
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The archive to write.  [default: CAMPAIGN-SEQ.zip]",
)
@as_of_option
@click.option(
    "--runs", is_flag=True, help="With the runs themselves, so that it can be scored anew anywhere."
)
@click.option("--comments", is_flag=True, help="With what assessors wrote beside their judgments.")
@click.option(
    "--names",
    type=click.Choice(["pseudonyms", "names"]),
    default="pseudonyms",
    show_default=True,
    help="What assessors are called.",
)
def bundle(
    path: Path, output: Path | None, as_of: int | None, runs: bool, comments: bool, names: str
) -> None:
    """Write everything that a campaign publishes into one ZIP archive.

    Qrels, pool, judgments under pseudonyms, topics, guidelines, settings, tables of runs and scores, checksums, a
    datasheet to complete, CITATION.cff and a README. The same place in the log gives the same bytes.

    \b
    Example:
      workbench bundle robust
      workbench bundle robust --runs -o robust-2003.zip
    """
    from workbench.publishing.bundle import Wishes, save_bundle

    with open_named(path) as campaign, progress("Writing the bundle", None) as advance:
        check_as_of(campaign, as_of)
        wishes = Wishes(runs=runs, comments=comments, names=names)
        saved = save_bundle(campaign, output, wishes=wishes, as_of=as_of, on_file=lambda _: advance(1))
    head = saved.facts.head
    say(f"Wrote {saved.path}, as of log row {head.seq} (hash {head.hash.hex()[:16]}).")
    if waiting := sum(saved.facts.waiting.values()):
        say(f"{counted(waiting, 'pooled pair')} without a grade: they count as not relevant.")
    say("Before you publish it, complete DATASHEET.md and CITATION.cff: they say what only you know.")


@click.command("import-bundle")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.argument("campaign")
@instance_option
def import_bundle(file: Path, campaign: str, instance: str | None) -> None:
    """Make a new campaign of a release bundle, and see whether it gives the same scores.

    Every file is checked against the bundle's checksums first.

    \b
    Example:
      workbench import-bundle robust-1480.zip robust-again
    """
    from workbench.instance import instance_folder
    from workbench.publishing.restoring import import_bundle

    path = path_of(campaign, instance)
    if path.parent == Path(instance or "instance"):
        instance_folder(instance)
    warn_of_network(path)
    with progress("Importing", None) as advance:
        restored = import_bundle(file, path, actor=actor(), on_step=lambda _: advance(1))
    say(
        f"Made {path}: {counted(restored.topics, 'topic')}, {counted(restored.runs, 'run')}, "
        f"{counted(restored.pairs, 'pooled pair')}, {counted(restored.judgments, 'judgment')}."
    )
    if restored.not_there:
        say(f"{counted(len(restored.not_there), 'run')} named but not in the bundle, so not in the campaign.")
    if restored.same_scores:
        say("The board comes out as it stands in the bundle, digit for digit.")
    elif restored.same_scores is not None:
        say("The board does NOT come out as it stands in the bundle: compare versions.json with yours.")


@click.command()
@campaign_argument
@click.option("--team", "teams", multiple=True, help="Only this team; may be given again.  [default: all]")
@click.option(
    "--format",
    "kind",
    type=click.Choice(["html", "pdf"]),
    default="pdf",
    show_default=True,
    help="One HTML file that needs nothing else, or PDF.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("reports"),
    show_default=True,
    help="The folder to write them to; it is made when missing.",
)
@measures_option
@as_of_option
def report(
    path: Path, teams: tuple[str, ...], kind: str, output: Path, measures: tuple[str, ...], as_of: int | None
) -> None:
    """Write a sheet of results for each team, as evaluation campaigns send to their participants.

    For each of the team's runs its means, and its score on every topic against the median and the best of all runs.
    The first measure is told by topic.

    \b
    Example:
      workbench report robust
      workbench report robust --team "Team A" --format html -o sheets
    """
    from workbench.publishing.team_sheets import write_sheets

    with open_named(path) as campaign, progress("Writing sheets", None) as advance:
        check_as_of(campaign, as_of)
        written = write_sheets(
            campaign,
            output,
            kind,
            teams=teams or None,
            measures=measures or None,
            as_of=as_of,
            on_sheet=lambda _: advance(1),
        )
    for file in written:
        click.echo(str(file))
    say(f"{counted(len(written), 'sheet')} written.")


@export.command("topic-scores")
@campaign_argument
@output_option
@as_of_option
@measures_option
def topic_scores(path: Path, output: str, as_of: int | None, measures: tuple[str, ...]) -> None:
    """The score of every run on every judged topic as CSV, with all digits.

    \b
    Example:
      workbench export topic-scores robust -m AP -m nDCG@10 -o topic-scores.csv
    """
    from workbench.formats.files import write_atomically
    from workbench.publishing.tables import scores_of, topic_scores_csv

    with open_named(path) as campaign:
        check_as_of(campaign, as_of)
        write_atomically(output, topic_scores_csv(scores_of(campaign, measures or None, as_of=as_of)))


@export.command("latex")
@campaign_argument
@output_option
@as_of_option
@measures_option
@click.option(
    "--run", "tags", multiple=True, help="Compare these runs with the first one; give it again for each."
)
def latex(
    path: Path, output: str, as_of: int | None, measures: tuple[str, ...], tags: tuple[str, ...]
) -> None:
    """A table for a paper, in LaTeX (booktabs) with marks of significance.

    The leaderboard: the best of each measure in bold, a dagger on runs significantly worse than it (max-T over all
    pairs). With --run those runs against the first, on one measure: differences with stars (paired t, Holm),
    intervals, topics won and lost.

    \b
    Example:
      workbench export latex robust -m AP -m nDCG@10 -o board.tex
      workbench export latex robust -m AP --run bm25 --run bm25-rm3 -o comparison.tex
    """
    from workbench.comparing import compare_runs
    from workbench.formats.files import write_atomically
    from workbench.publishing.latex import board_latex, comparison_latex
    from workbench.publishing.tables import scores_of

    if tags and len(measures) > 1:
        raise click.UsageError("runs are compared on one measure; give -m once with --run")
    with open_named(path) as campaign:
        check_as_of(campaign, as_of)
        if tags:
            measure = measures[0] if measures else "AP"
            lines = comparison_latex(compare_runs(campaign, tags, measure=measure, as_of=as_of))
        else:
            lines = board_latex(scores_of(campaign, measures or None, as_of=as_of))
        write_atomically(output, lines)
