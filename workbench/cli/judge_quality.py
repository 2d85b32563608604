"""A judge, which is a model, measured against people, and what its labels do to the leaderboard."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import click

from workbench.cli.analyses import write_answer
from workbench.cli.campaigns import Seen, measure_option, say
from workbench.cli.comparing import seed_option
from workbench.cli.exporting import output_option, write
from workbench.cli.options import command, option
from workbench.cli.tables import format_option_of, write_sheet
from workbench.core.wording import counted

if TYPE_CHECKING:
    from workbench.analysis.models.against_people import JudgeQuality
    from workbench.analysis.models.boards import JudgeBoards


@command()
def judge_quality(
    campaign: Seen,
    judge: str | None = option("The judge.  [default: that with most labels]", metavar="NAME"),
    measure: str | None = measure_option(
        "Show what the judge's labels do to the leaderboard by this measure.", None
    ),
    on: Literal["shared", "all"] = option(
        "With -m: the pairs that people and the judge labelled, or all labels of each side.", default="shared"
    ),
    family: str | None = option(
        "With -m: mark runs whose description names this family of models, and show the result without them, too.  "
        "[default: as the judge is declared]",
        metavar="NAME",
    ),
    kind: str = format_option_of("table", "csv", "json", "latex"),
) -> None:
    """Compare a judge's labels with people's, and the leaderboards under both.

    A judge is a model whose labels are in the campaign; people's labels were given here or imported. Agreement,
    errors in both directions, by grade, topic, assessor and on near duplicates, with intervals over topics, each with
    the share of simulations in which such intervals held. In two classes phi, Matthews' coefficient and tau are one
    number.

    With -m: how much the order of runs agrees, also at the top, and how many pairs of runs that differ significantly
    are kept, lost, gained or reversed (randomised Tukey HSD at .05).

    Example:
      workbench judging judge-quality robust
      workbench judging judge-quality robust --judge umbrela --format csv > umbrela.csv
      workbench judging judge-quality robust -m nDCG@10 --family gpt-4
    """
    from workbench.analysis.models.against_people import QUALITY
    from workbench.analysis.models.boards import BOARDS, BoardView
    from workbench.formats.tables.sheets import sheet_of

    if measure is None:
        if family is not None or on != "shared":
            raise click.UsageError("--family and --on are about the leaderboards; add -m MEASURE")
        say(*_remarks(write_answer(QUALITY, campaign, kind, judge=judge)))
        return
    found = write_answer(BOARDS, campaign, kind, judge=judge, measure=measure, on=on, family=family)
    if kind == "table" and found.views:
        write_sheet(kind, sheet_of(BoardView, found.views), found)
    say(*_remarks_on_boards(found))


@command()
def corrected(
    campaign: Seen,
    judge: str | None = option("The judge.  [default: that with most labels]", metavar="NAME"),
    measure: str = measure_option("P, RBP, DCG or CG, which are unbiased, or nDCG or AP.", "P@10"),
    kind: str = format_option_of("table", "csv", "json", "latex"),
) -> None:
    """Show scores from a judge's labels, corrected by people's labels of a sample.

    The judge labels all candidates of a sample (pool by pps-by-model, by-model, pps, strata or uniform), people what
    was drawn. The estimates of P, RBP, DCG and CG are right on average, however wrong the judge is. How much it counts
    follows from the other topics: nothing, where people's labels alone are better.

    Labels that the judge gave after people had begun with a topic's sample are left out. Topics count once all that
    was drawn of them is judged. An interval is called 95 % where simulations found it to be.

    Example:
      workbench pool robust --strategy pps --depth 100 --budget 10%
      workbench analyse corrected robust --judge umbrela -m P@10
      workbench analyse corrected robust --judge umbrela -m nDCG@10 --format csv > corrected.csv
    """
    from workbench.analysis.models.estimates import CORRECTED, sentences

    found = write_answer(CORRECTED, campaign, kind, judge=judge, measure=measure)
    say(*sentences(found))


def _remarks(found: JudgeQuality) -> list[str]:
    from workbench.analysis.models.against_people import NO_JUDGE

    if not found.judge:
        return [NO_JUDGE]
    others = ", ".join(name for name in found.judges if name != found.judge)
    answers, held = counted(found.answers, "answer"), found.held("all pairs")
    remarks = (
        f"{found.judge}: {counted(found.labels, 'label')}, {found.pairs:,} of them on pairs that people labelled, in "
        f"{counted(found.topics, 'topic')}, as of log row {found.seq}.",
        found.weighted and "Drawn pairs are weighted by 1 / π: an estimate for all candidates.",
        held and f"Intervals over topics held in {held} of simulations.",
        "No interval where fewer than five topics have such pairs. Each topic: --format csv.",
        found.answers and f"{found.failed:,} of {answers} failed and give no label.",
        others and f"Other judges, with --judge: {others}.",
        "What its labels do to the leaderboard: add -m MEASURE.",
    )
    return [str(each) for each in remarks if each]


def _remarks_on_boards(found: JudgeBoards) -> list[str]:
    from workbench.analysis.models.against_people import NO_JUDGE

    if not found.judge:
        return [NO_JUDGE]
    if not found.views:
        return [f"No topic has {found.measure} by people's labels and by those of {found.judge}."]
    family = f"{counted(len(found.marked), 'run')} of the family {found.family}" if found.family else "no run"
    return [
        f"{found.measure} on {counted(found.topics, 'topic')} under people's labels and under {found.judge}'s, as of "
        f"log row {found.seq}; marked: {family}.",
        "A score from labels of a model alone is not checked by people.",
    ]


@command()
def probe(
    campaign: Seen,
    output: str = output_option,
    each: int = option("Number of documents of each kind for a topic.", default=3, least=1, most=100),
    seed: int = seed_option,
) -> None:
    """Write documents without sense that repeat each topic's words, for judges that are run elsewhere.

    A judge should call all of them worthless. Half are common words of the collection alone: labels above 0 of
    these show a judge that is generous, the difference between both one that is fooled by the words of the query.

    The documents follow from the campaign, their number and the seed, are in the form that UMBRELA reads, and come into
    no pool, qrels or leaderboard. What a judge made of them is added like its labels, is none, and is shown by
    judge-quality. A judge that is asked here gets them by judge-by-model --probe.

    Example:
      workbench judging probe robust -o probe.jsonl
      workbench add model-labels robust probe.qrels --form qrels --judge umbrela
      workbench judging judge-quality robust --judge umbrela
    """
    from workbench.campaign.asking_models.probe import probe_documents, probe_lines
    from workbench.formats.tables.json_text import json_line

    made = probe_documents(campaign, each=each, seed=seed)
    write(output, map(json_line, probe_lines(campaign, made)))
