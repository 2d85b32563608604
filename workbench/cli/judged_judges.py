"""Judges against truths: their leaderboards or their labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from workbench.cli.campaigns import instance_option, open_named, path_of, progress, say
from workbench.cli.options import argument, command, option
from workbench.cli.run_codes import by_codes, codes_option
from workbench.cli.tables import format_option_of, write_sheet
from workbench.core.seed import SEED
from workbench.formats.tables.score_layouts import READ

if TYPE_CHECKING:
    from workbench.analysis.judges.boards import JudgedBoards
    from workbench.analysis.judges.labels import JudgedQrels
    from workbench.analysis.models.every_judge import CampaignJudges
    from workbench.formats.tables.sheets import Sheet

QRELS = "qrels"
LAYOUTS = (*READ, QRELS)
INTERVALS = "Low and high: Student's t interval of the mean over topics, at the level .95."


class Asked(NamedTuple):
    """What judges are compared with, and how."""

    files: tuple[str, ...] = argument("[JUDGE...]")
    truths: tuple[str, ...] = option("What is taken for true; may be repeated.", "--truth")
    layout: str | None = option("What the judges' files are.", type=click.Choice(LAYOUTS))
    truth_layout: str | None = option(
        "What the truths' files are.  [default: as the judges']", type=click.Choice(LAYOUTS)
    )
    measures: tuple[str, ...] = option(
        "Only this measure of the judges; may be repeated.", "-m", "--measure", metavar="NAME"
    )
    truth_measures: tuple[str, ...] = option(
        "Only this measure of the truths; may be repeated.", "--truth-measure", metavar="NAME"
    )
    best: tuple[int, ...] = option(
        "Also among the K best runs by the truth; may be repeated.",
        "--best",
        type=click.IntRange(2),
        metavar="K",
    )
    relevant_from: int = option("The smallest relevant grade of qrels.", default=1, least=1)
    resamples: int = option(
        "How often topics are drawn again; 0: never.", default=1000, least=0, most=100_000
    )
    seed: int = option("Random seed: the same seed gives the same values.", default=SEED, least=0)
    page: str | None = option("Write the table as an HTML page too, to be published.", metavar="FILE")

    campaign: str | None = option("Compare this campaign's judges with its people, in the place of files.")
    codes: bool = codes_option
    instance: str | None = instance_option

    def check(self) -> None:
        """A usage error for files without a truth or layout, and for qrels against leaderboards."""
        needed = (self.files, self.truths, self.layout)
        if any(needed) if self.campaign else not all(needed):
            raise click.UsageError("name files, --truth and --layout, or a --campaign alone")
        if (self.layout == QRELS) != ((self.truth_layout or self.layout) == QRELS):
            raise click.UsageError("qrels are compared with qrels, and leaderboards with leaderboards")


@command("judges")
def judges(asked: Asked, kind: str = format_option_of("table", "csv", "json", "latex")) -> None:
    """Compare many judges with one or more truths: leaderboards of runs, or qrels.

    Of leaderboards, for the runs and topics that both have: Kendall's tau, AP correlation, Pearson and Spearman of the
    means, where they lie in 95 % of the draws when topics are drawn again (no confidence interval), tau by topic with
    an interval of 95 %, and how many significant pairs of runs (paired t, Holm, .05) the judge keeps, loses, reverses
    and adds. Every measure of a truth meets every measure of a judge. A folder is one leaderboard.

    Of qrels, for the pairs that both have a grade of: kappa, alpha, precision, recall, F1 and Jaccard, over all pairs,
    and as a mean of topics with Student's t interval. csv and json have all columns. With --campaign the
    labels of its judges, those of teams too, with the tokens and money that a label took where answers say it.

    Example:
      workbench judges judges/*.eval.txt --truth truth.eval.txt --layout ir_measures --best 10
      workbench judges a.tot b.tot --truth truth/ --layout tot --truth-layout trec_eval -m score
      workbench judges boards/*.run --truth truth.run --layout ranking --page judges.html
      workbench judges labels/*.qrels --truth qrels.txt --layout qrels --format csv > judges.csv
      workbench judges --campaign robust --codes --page judges.html
    """
    asked.check()
    compare = _of_campaign if asked.campaign else _labels if asked.layout == QRELS else _boards
    with progress("Comparing judges", len(asked.files)) as advance:
        found, whole, shown = compare(asked, lambda: advance(1))
    write_sheet(kind, whole if kind == "csv" else shown, found)
    remarks = _remarks(asked)
    if asked.page is not None:
        from workbench.formats.text.writing import write_atomically
        from workbench.release.judges_page import judges_page

        write_atomically(asked.page, [judges_page(shown, remarks)])
    say(*remarks)


Found = tuple["JudgedBoards | JudgedQrels | CampaignJudges", "Sheet", "Sheet"]


def _of_campaign(asked: Asked, on_judge: Callable[[], None]) -> Found:
    from workbench.analysis.models.every_judge import EVERY_JUDGE

    with open_named(path_of(asked.campaign or "", asked.instance)) as campaign:
        found = EVERY_JUDGE.answer(by_codes(campaign, asked.codes), {})
    return found, EVERY_JUDGE.sheet(found), EVERY_JUDGE.for_people(found)


def _boards(asked: Asked, on_judge: Callable[[], None]) -> Found:
    from workbench.analysis.judges import boards
    from workbench.formats.leaderboards import read_leaderboard
    from workbench.formats.tables.sheets import sheet_of

    wanted = boards.Asked(asked.truth_measures, asked.measures, asked.best, asked.resamples, asked.seed)

    def read(files: Sequence[str], layout: str | None) -> Iterator[boards.Submission]:
        named = names_of(files).items()
        return (boards.Submission(name, read_leaderboard(file, layout or "")) for file, name in named)

    truths = tuple(read(asked.truths, asked.truth_layout or asked.layout))
    found = boards.judged_boards(truths, read(asked.files, asked.layout), wanted, on_judge)
    kind = boards.JudgedBoard
    return found, sheet_of(kind, found.boards), sheet_of(kind, found.boards, boards.SHOWN)


def _labels(asked: Asked, on_judge: Callable[[], None]) -> Found:
    from workbench.analysis.judges import labels
    from workbench.formats.qrels import read_qrels
    from workbench.formats.tables.sheets import sheet_of

    truths, judges = (
        (labels.Labels(name, read_qrels(file).frame) for file, name in names_of(files).items())
        for files in (asked.truths, asked.files)
    )
    found = labels.judged_labels(tuple(truths), judges, asked.relevant_from, on_judge)
    return found, sheet_of(labels.JudgedLabels, found.labels), labels.sheet_for_people(found.labels)


def names_of(files: Sequence[str]) -> dict[str, str]:
    """What each file is called: its name, or its path where another has the same name."""
    number = Counter(Path(file).name for file in dict.fromkeys(files))
    return {file: Path(file).name if number[Path(file).name] == 1 else file for file in files}


def _remarks(asked: Asked) -> list[str]:
    if asked.layout in (None, QRELS):
        return [INTERVALS]
    by_topic = "τ_b by topic: 95 % interval of the mean over topics (Student's t)."
    if not asked.resamples:
        return [by_topic]
    draws = f"low and high in 95 % of {asked.resamples:,} draws of topics (seed {asked.seed}), no confidence interval"
    return [f"τ_b and τ_AP: {draws}. {by_topic}"]
