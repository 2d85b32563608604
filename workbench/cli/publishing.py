"""What organisers publish: the release bundle and its import, and sheets of results for teams."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

import click

from workbench.cli.campaigns import Seen, Then, actor, instance_option, path_of, say, steps, warn_of_network
from workbench.cli.exporting import WrittenScores, output_option, say_layers, write
from workbench.cli.options import FOLDER, argument, command, option
from workbench.cli.run_codes import by_codes, codes_option
from workbench.cli.scoring import coverage_words, measures_option
from workbench.cli.tables import format_option_of, layout_option
from workbench.cli.withdrawing import say_withdrawn
from workbench.core.wording import counted

if TYPE_CHECKING:
    from workbench.release.export import Export


def commands_of_plugins() -> dict[str, click.Command]:
    """The commands of the exports that plugins add, by name."""
    from workbench.release.export import EXPORTS

    return {name: _command_of(name, entry) for name, entry in EXPORTS.of_plugins().items()}


def _command_of(name: str, entry: Export) -> click.Command:
    def put(campaign: Then, output: str = output_option) -> None:
        write(output, entry.lines(campaign))

    put.__doc__ = f"{entry.words}\n\nExample:\n  workbench export {name} robust -o robust.{entry.ending}"
    return command(name)(put)


class Release(NamedTuple):
    """What to release, and where to write it."""

    output: Path | None = option("The archive to write.  [default: CAMPAIGN-SEQ.zip]", "-o")
    runs: bool = option("Include the runs, so that the bundle can be scored again.")
    comments: bool = option("Include the assessors' comments.")
    names: Literal["pseudonyms", "names"] = option("How assessors are named.", default="pseudonyms")
    codes: bool = codes_option


@command()
def bundle(campaign: Then, asked: Release) -> None:
    """Write a release bundle: everything that a campaign publishes, in one ZIP archive.

    Qrels, pool, judgments under pseudonyms, topics, guidelines, settings, tables of runs and scores, checksums, a
    datasheet to complete, CITATION.cff and a README. The same log row gives the same bytes.

    Example:
      workbench release bundle robust
      workbench release bundle robust --runs -o robust-2003.zip
    """
    from workbench.release.bundle.writing import BundleOptions, save_bundle

    with steps("Release bundle") as on_step:
        options = BundleOptions(runs=asked.runs, comments=asked.comments, names=asked.names)
        saved = save_bundle(by_codes(campaign, asked.codes), asked.output, options=options, on_step=on_step)
    head = saved.facts.head
    say(f"Wrote {saved.path}, as of log row {head.seq} (hash {head.hash.hex()[:16]}).")
    if waiting := sum(saved.facts.waiting.values()):
        say(f"{counted(waiting, 'pooled pair')} without a grade: they count as not relevant.")
    say("Before you publish it, complete DATASHEET.md and CITATION.cff with what only you know.")


@command("import-bundle")
def import_bundle(
    campaign: str = argument(), file: Path = argument("BUNDLE"), instance: str | None = instance_option
) -> None:
    """Create a campaign from a release bundle, and check that it gives the same scores.

    Every file is first checked against the bundle's checksums.

    Example:
      workbench release import-bundle robust-again robust-1480.zip
    """
    from workbench.core.records import COMMAND
    from workbench.release.bundle.importing import import_bundle
    from workbench.storage.instance import instance_folder

    path = path_of(campaign, instance)
    if path.parent == Path(instance or "instance"):
        instance_folder(instance)
    warn_of_network(path)
    with steps("Import of a release bundle") as on_step:
        restored = import_bundle(file, path, actor=actor(), through=COMMAND, on_step=on_step)
    say(
        f"Made {path}: {counted(restored.topics, 'topic')}, {counted(restored.runs, 'run')}, "
        f"{counted(restored.pairs, 'pooled pair')}, {counted(restored.judgments, 'judgment')}."
    )
    if restored.not_there:
        say(
            f"{counted(len(restored.not_there), 'run')} listed but not in the bundle, so not in the campaign."
        )
    if restored.same_scores:
        say("The leaderboard equals the bundle's, digit for digit.")
    elif restored.same_scores is not None:
        say("The leaderboard DIFFERS from the bundle's: compare versions.json with yours.")


class Sheets(NamedTuple):
    """Which sheets to write, and where."""

    teams: tuple[str, ...] = option("Only this team; may be repeated.  [default: all]", "--team")
    output: Path = option(
        "The output folder, created if missing.", "-o", default=Path("reports"), type=FOLDER
    )
    least_teams: int | None = option(
        "The smallest number of teams for which median, best and place are shown. "
        "[default: the campaign's setting, at first 5]",
        least=1,
    )
    measures: tuple[str, ...] = measures_option
    codes: bool = codes_option


@command()
def report(
    campaign: Seen,
    asked: Sheets,
    kind: str = format_option_of("pdf", "html", says="PDF, or a self-contained HTML file"),
) -> None:
    """Write a team sheet of results for each team.

    It has the means of each of the team's runs, and the score on every topic against the median and best of all runs.
    Scores by topic are of the first measure. If fewer teams than --least-teams have runs, median, best and place are
    omitted: with two teams, the best of all is the other's.

    Example:
      workbench release report robust
      workbench release report robust --team "Team A" --format html -o sheets
    """
    from workbench.release.team_sheets.rendering import write_sheets

    with steps("Team sheets") as on_step:
        written = write_sheets(
            by_codes(campaign, asked.codes),
            asked.output,
            kind,
            teams=asked.teams or None,
            measures=asked.measures or None,
            least_teams=asked.least_teams,
            on_step=on_step,
        )
    for file in written:
        click.echo(str(file))
    say(f"{counted(len(written), 'sheet')} written.")


@command("scores")
def scores(campaign: Seen, asked: WrittenScores, layout: str | None = layout_option) -> None:
    """Export the scores of all runs as CSV, in full precision.

    With --layout they are also by topic, and the topic all is all of them together, as in workbench eval-answers.

    Example:
      workbench export scores robust -m AP -m nDCG@10 -o scores.csv
      workbench export scores robust -m AP --layout ir_measures -o robust.eval.txt
    """
    from workbench.formats.tables.score_layouts import score_lines
    from workbench.release.tables import each_score, scores_of
    from workbench.scoring.board import score_campaign
    from workbench.scoring.board.table import as_csv, ordered

    campaign = by_codes(campaign, asked.codes)
    if layout is None:
        table = ordered(score_campaign(campaign, asked.measures or None), asked.sort)
        lines = as_csv(table)
    else:
        found = scores_of(campaign, asked.measures or None, sort=asked.sort)
        table, lines = found.board, score_lines(each_score(found), layout)
    write(asked.output, lines)
    say(coverage_words(table))
    say_layers(campaign)
    say_withdrawn(campaign, "such runs have no scores")


@command("topic-scores")
def topic_scores(campaign: Seen, asked: WrittenScores) -> None:
    """Export the score of every run on every judged topic as CSV, in full precision.

    Example:
      workbench export topic-scores robust -m AP -m nDCG@10 -o topic-scores.csv
    """
    from workbench.release.tables import scores_of, topic_scores_csv

    scores = scores_of(by_codes(campaign, asked.codes), asked.measures or None, sort=asked.sort)
    write(asked.output, topic_scores_csv(scores))
    say_layers(campaign)


@command("latex")
def latex(
    campaign: Seen,
    asked: WrittenScores,
    tags: tuple[str, ...] = option("A run to compare, the first is the baseline; may be repeated.", "--run"),
) -> None:
    """Export a LaTeX table (booktabs) with significance markers.

    The leaderboard: the best run of each measure in bold, a dagger on runs significantly worse (max-T over all
    pairs). With --run: these runs against the first, on one measure: differences with stars (paired t, Holm),
    intervals, topics won and lost.

    Example:
      workbench export latex robust -m AP -m nDCG@10 -o board.tex
      workbench export latex robust -m AP --run bm25 --run bm25-rm3 -o comparison.tex
    """
    from workbench.analysis.comparing.runs import compare_runs
    from workbench.campaign.rounds import require_one_round
    from workbench.release.latex import board_latex, comparison_latex
    from workbench.release.tables import scores_of

    if tags and len(asked.measures) > 1:
        raise click.UsageError("runs are compared on one measure; give -m once with --run")
    if tags and asked.sort:
        raise click.UsageError("runs that are compared keep the order of --run; leave out --sort")
    require_one_round(campaign, "A LaTeX table")
    campaign = by_codes(campaign, asked.codes)
    if tags:
        measure = asked.measures[0] if asked.measures else "AP"
        lines = comparison_latex(compare_runs(campaign, tags, measure=measure))
    else:
        lines = board_latex(scores_of(campaign, asked.measures or None, sort=asked.sort))
    write(asked.output, lines)
    say_layers(campaign)


@command("beir")
def export_beir(
    campaign: Then, folder: str = option("The folder to write.", "-o", "--output", required=True)
) -> None:
    """Export stored texts, topics and qrels as a folder of BEIR: corpus.jsonl, queries.jsonl, qrels/test.tsv.

    A topic's query is its title; its other fields, and those of documents, are metadata. Special grades are left out.
    The three files come in again with add documents, add topics and add qrels.

    Example:
      workbench export beir robust -o robust/
    """
    from workbench.release.beir import write_beir

    written = write_beir(campaign, Path(folder))
    left_out = f", {counted(written.left_out, 'special grade')} left out" if written.left_out else ""
    say(f"{counted(written.written, 'judgment')} written{left_out}.")
