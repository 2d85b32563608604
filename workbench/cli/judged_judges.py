"""Judges against truths: their leaderboards or their labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from workbench.analysis.judges import BANKS, LABELS, LEADERBOARDS, Of
from workbench.cli.campaigns import instance_option, open_named, path_of, progress, say
from workbench.cli.options import argument, command, option
from workbench.cli.run_codes import by_codes
from workbench.cli.tables import format_option_of, write_sheet
from workbench.core.seed import SEED
from workbench.formats.tables.score_layouts import READ

if TYPE_CHECKING:
    from workbench.analysis.judges.comparison import Judges

LAYOUTS = {**dict.fromkeys(READ, LEADERBOARDS), "qrels": LABELS, "workbench": LABELS, "nuggets": BANKS}
"""What a file of each layout holds."""


class Asked(NamedTuple):
    """What judges are compared with, and how."""

    files: tuple[str, ...] = argument("[JUDGE...]")
    truths: tuple[str, ...] = option("What is taken for true; may be repeated.", "--truth")
    layout: str | None = option("What the judges' files are.", type=click.Choice(tuple(LAYOUTS)))
    truth_layout: str | None = option(
        "What the truths' files are.  [default: as the judges']", type=click.Choice(tuple(LAYOUTS))
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
    of: Of | None = option("What of the campaign's judges.  [default: labels]")
    codes: bool = option("Codes in the place of the judges' names.")
    code_table: str = option("With files: where their codes are kept.", default="codes.csv", metavar="FILE")
    instance: str | None = instance_option

    def check(self) -> Of:
        """What is compared; a usage error for files without a truth or layout, and for truths of another kind."""
        needed = (self.files, self.truths, self.layout)
        if any(needed) if self.campaign else not all(needed) or self.of:
            raise click.UsageError("name files, --truth and --layout, or a --campaign with --of")
        if self.campaign is not None and len(self.truth_measures) > 1:
            raise click.UsageError("name one --truth-measure of a campaign")
        of, of_truth = (LAYOUTS[each or "qrels"] for each in (self.layout, self.truth_layout or self.layout))
        if of != of_truth:
            raise click.UsageError(f"{of} are compared with {of}, not with {of_truth}")
        return self.of or of


@command("judges")
def judges(asked: Asked, kind: str = format_option_of("table", "csv", "json", "latex")) -> None:
    """Compare judges with truths: leaderboards, labels or nuggets.

    Of leaderboards, for the runs and topics that both have: Kendall's tau, AP correlation, Pearson and Spearman of the
    means, with the middle 95 % of draws of topics (no confidence interval), tau by topic with an interval of 95 %, and
    how many significant pairs of runs (paired t, Holm, .05) the judge keeps, loses, reverses and adds. Every measure of
    a truth meets every measure of a judge. A folder is one leaderboard.

    Of labels, for the pairs that both have: kappa, alpha, precision, recall, F1 and Jaccard, over all and as a mean of
    topics with Student's t interval; of the layout workbench (export model-labels) also tokens and money for a label.
    Of nuggets the words shared with the nearest. csv and json have all columns.

    With --campaign its judges, those of teams too, against its people. --codes replaces names by three letters and two
    digits, of files kept in a table for the organiser alone.

    Example:
      workbench judges judges/*.eval.txt --truth truth.eval.txt --layout ir_measures --best 10
      workbench judges boards/*.run --truth truth.run --layout ranking --page judges.html
      workbench judges labels/*.qrels --truth qrels.txt --layout qrels --format csv > judges.csv
      workbench judges banks/*.jsonl --truth bank.jsonl --layout nuggets --codes --code-table mine.csv
      workbench judges --campaign robust --of leaderboards --truth-measure nDCG@10 --codes --page judges.html
    """
    from workbench.analysis.judges.comparison import remarks_on, sheet_for_people, sheet_of_judges

    of = asked.check()
    with progress("Comparing judges", len(asked.files)) as advance:
        found = _of_campaign(asked) if asked.campaign else _of_files(asked, of, lambda: advance(1))
    shown, remarks = sheet_for_people(found), remarks_on(found)
    write_sheet(kind, sheet_of_judges(found) if kind == "csv" else shown, found)
    if asked.page is not None:
        from workbench.formats.text.writing import write_atomically
        from workbench.release.judges_page import judges_page

        write_atomically(asked.page, [judges_page(shown, remarks)])
    say(*remarks)


def _of_campaign(asked: Asked) -> Judges:
    from workbench.analysis.models.every_judge import EVERY_JUDGE

    given = {"of": asked.of, "best": asked.best, "measure": "".join(asked.truth_measures)}
    with open_named(path_of(asked.campaign or "", asked.instance)) as campaign:
        values = {name: value for name, value in given.items() if value}
        found: Judges = EVERY_JUDGE.answer(by_codes(campaign, asked.codes), values)
    return found


def _of_files(asked: Asked, of: Of, on_judge: Callable[[], None]) -> Judges:
    from workbench.analysis.judges import boards, comparison
    from workbench.campaign.run_codes import codes_in_table

    judges = _each(asked.files, asked.layout or "")
    truths = _each(asked.truths, asked.truth_layout or asked.layout or "")
    if asked.codes:
        given = list(judges)
        codes = codes_in_table(asked.code_table, [each.name for each in given])
        judges = iter(comparison.under_codes(given, codes, whole=asked.layout == "ranking"))
    how = asked.truth_measures, asked.measures, asked.best, asked.resamples, asked.seed, asked.relevant_from
    return comparison.compared(of, truths, judges, boards.Asked(*how), on_judge=on_judge)


def _each(files: Sequence[str], layout: str) -> Iterator[Any]:
    return (each for file, name in names_of(files).items() for each in _read(file, name, layout))


def _read(file: str, name: str, layout: str) -> list[Any]:
    """What a file holds of its judges; of the layout `workbench` it names them."""
    from workbench.analysis.judges import banks, boards, labels
    from workbench.formats.answers.bank_forms import read_banks
    from workbench.formats.answers.banks import nugget_rows
    from workbench.formats.leaderboards import read_leaderboard
    from workbench.formats.qrels import read_qrels

    match layout:
        case "qrels":
            return [labels.Labels(name, read_qrels(file).frame)]
        case "workbench":
            return labels.labels_in(file)
        case "nuggets":
            return [banks.Nuggets(name, nugget_rows(read_banks(file).banks))]
    return [boards.Submission(name, read_leaderboard(file, layout))]


def names_of(files: Sequence[str]) -> dict[str, str]:
    """What each file is called: its name, or its path where another has the same name."""
    number = Counter(Path(file).name for file in dict.fromkeys(files))
    return {file: Path(file).name if number[Path(file).name] == 1 else file for file in files}
