"""A judge against people, and the leaderboards under both, as commands, pages, files and the API ask for them."""

from __future__ import annotations

from typing import Annotated

from workbench.analysis.between_assessors.coefficients import is_large
from workbench.analysis.models.against_people import Figure, JudgeQuality, against_people
from workbench.analysis.models.boards import BoardView, JudgeBoards, JudgedRun, On, boards_under
from workbench.analysis.registry import ANALYSES, MeasureName, Values, analysis
from workbench.core.parameters import Limits
from workbench.formats.tables.sheets import Sheet, sheet_of
from workbench.jobs.processes import OnStep
from workbench.storage.campaign import Campaign

JudgeName = Annotated[str, Limits("The judge; that with most labels by default")]


def _is_large(campaign: Campaign, values: Values) -> bool:
    return is_large(campaign)


def sheet_of_figures(found: JudgeQuality) -> Sheet:
    """A row for each number."""
    return sheet_of(Figure, found.figures)


def for_people(found: JudgeQuality) -> Sheet:
    """The same without topics, of which there may be hundreds."""
    return sheet_of(Figure, [each for each in found.figures if each.part != "topic"])


def sheet_of_views(found: JudgeBoards) -> Sheet:
    """A row for all runs, and one without the judge's family."""
    return sheet_of(BoardView, found.views)


def sheet_of_runs(found: JudgeBoards) -> Sheet:
    """A row for each run."""
    return sheet_of(JudgedRun, found.runs)


@analysis(
    "judge-quality",
    called="A judge against people",
    sheet=sheet_of_figures,
    people=for_people,
    is_large=_is_large,
)
def judge_quality(campaign: Campaign, on_step: OnStep, *, judge: JudgeName | None = None) -> JudgeQuality:
    """How a judge's labels compare with people's, with topics as the sample: agreement, errors, near duplicates."""
    return against_people(campaign, judge)


@analysis("judge-boards", called="Leaderboards under a judge", sheet=sheet_of_runs, is_large=_is_large)
def judge_boards(
    campaign: Campaign,
    on_step: OnStep,
    *,
    judge: JudgeName | None = None,
    measure: MeasureName = "AP",
    on: Annotated[On, Limits("The pairs that both labelled, or all labels of each side")] = "shared",
    family: Annotated[
        str, Limits("The judge's family, as descriptions of runs name it; by default as declared")
    ]
    | None = None,
    permutations: Annotated[int, Limits("Number of permutations", least=100, most=10_000)] = 1000,
) -> JudgeBoards:
    """The leaderboard under people's labels and under a judge's: its order, its top, and significant pairs."""
    return boards_under(
        campaign, judge, measure, on=on, family=family, permutations=permutations, on_step=on_step
    )


QUALITY, BOARDS = ANALYSES["judge-quality"], ANALYSES["judge-boards"]
