"""The leaderboard of battles beside that of a measure, and how far they agree."""

from __future__ import annotations

from itertools import compress
from typing import Annotated, Literal, NamedTuple

import numpy as np

from workbench.analysis.battles import report as reports
from workbench.analysis.battles.strengths import DRAWS, RunStrength, Strengths
from workbench.analysis.comparing.leaderboards import Agreement, Leaderboard, two_leaderboards
from workbench.analysis.comparing.scores import Scored, averaged, scores_of
from workbench.analysis.registry import ANALYSES, MeasureName, Values, analysis
from workbench.campaign.battles import battles as battles_of
from workbench.core.about import DOCUMENT_PAIRS, DOCUMENTS, PAIRS
from workbench.core.battles import Battle
from workbench.core.errors import CampaignError
from workbench.core.parameters import Limits
from workbench.core.results import AS_TEXT, FLAT, Column
from workbench.formats.tables.sheets import sheet_of
from workbench.jobs.processes import OnStep, reported
from workbench.methods.measures import BoundMeasure, parse_measure
from workbench.scoring.board.labelling import kind_of
from workbench.scoring.board.table import usual_measures
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import runs, topics
from workbench.storage.campaign.collection.question_topics import about, topic_of
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings

NO_QUESTION = "no question asks which of two answers, or two lists of results, is better"
MANY_RUNS = 60
"""With more, leaving out topics may take seconds."""
COLUMNS = (
    *("run", "strength", "low", "high", "battles", "best_rank", "worst_rank"),
    *("score", "score_rank", "moved"),
)

OfQuestion = Annotated[str, Limits("The question about pairs")]
By = Annotated[Literal["all", "person", "model", "agent"], Limits("Whose battles count")]
Precision = Annotated[float | None, Limits("Say how many battles make every strength ± this", least=0.001)]
WithPosition = Annotated[bool, Limits("Fit an effect of the left side")]
Criterion = Annotated[str, Limits("The winner by this criterion")]


class OnBoards(NamedTuple):
    """A run by battles and by a measure.

    Attributes:
        score: by the measure; None for a run without one.
        score_rank: among the runs that have a strength and a score; equal ones share the better rank.
        moved: how many ranks higher it is by battles; negative is lower; None where tau is not defined.
    """

    by_battles: Annotated[RunStrength, FLAT]
    score: Annotated[float | None, Column(kind="score")]
    score_rank: Annotated[int | None, Column("Rank by score")]
    moved: int | None


class BattleBoard(NamedTuple):
    """Runs by battles and by a measure, as of row `seq` of the log.

    Attributes:
        seq: the row of the log.
        question: whose answers the battles are; "" without any.
        measure: what the other board goes by.
        runs: those with battles, the strongest first.
        agreement: how far both agree on the runs that have a strength and a score; None without battles.
        battles: what battles say; None where they do not compare runs.
        reason: why not; "" where they do.
    """

    seq: int
    question: str
    measure: Annotated[BoundMeasure, AS_TEXT]
    runs: tuple[OnBoards, ...]
    agreement: Agreement | None
    battles: reports.BattleReport | None
    reason: str


def questions_of(campaign: Campaign) -> list[str]:
    """The questions whose answers are battles of runs."""
    asked = settings.read(campaign.asking("")).questions
    return [each.name for each in asked if each.about in PAIRS and each.about != DOCUMENT_PAIRS]


def asked_of(campaign: Campaign, question: str = "") -> list[Battle]:
    """The battles of a question, by default of the first; CampaignError where none asks for battles of runs."""
    if not (name := question or next(iter(questions_of(campaign)), "")):
        raise CampaignError(NO_QUESTION)
    return battles_of(campaign, name)


def measures_of(campaign: Campaign) -> list[str]:
    """The usual measures of the leaderboards that have judgments, those of relevance first."""
    return [measure for each in leaderboards(campaign) for measure in usual_measures(each)]


def usual_of_boards(campaign: Campaign) -> Values:
    """The first of them, as a default; AP where nothing is judged."""
    return {"measure": next(iter(measures_of(campaign)), "AP")}


def leaderboards(campaign: Campaign) -> list[Campaign]:
    """The campaign by relevance and by each question about answers, where something is judged; by a question that it is
    seen by, unless that is about pairs, alone.
    """
    if (seen := _with_scores(campaign)).question:
        return [seen]
    asked = settings.read(seen).questions
    names = ["", *(each.name for each in asked if each.about not in (DOCUMENTS, *PAIRS))]
    return [by for by in map(seen.asking, names) if topics.judged(by)]


def board_of(campaign: Campaign, measure: str) -> Campaign:
    """The first of the leaderboards that have such measures."""
    kind = parse_measure(measure).measure.of
    boards = (each for each in leaderboards(campaign) if kind_of(each) == kind)
    return next(boards, _with_scores(campaign))


def _with_scores(campaign: Campaign) -> Campaign:
    return campaign.asking("") if about(campaign) in PAIRS else campaign


def _scored(campaign: Campaign, measure: str) -> Scored:
    """A measure by its leaderboard, under the ids of the topics themselves."""
    found = averaged(scores_of(board_of(campaign, measure), measure))
    return found._replace(topic_ids=tuple(topic_of(campaign, each) for each in found.topic_ids))


@analysis(
    "battles",
    called="Battles",
    sheet=lambda found: sheet_of(OnBoards, found.runs, COLUMNS, {"score": str(found.measure)}),
    is_large=lambda campaign, values: len(runs.in_force(campaign)) > MANY_RUNS,
    usual=usual_of_boards,
)
def battle_board(
    campaign: Campaign,
    on_step: OnStep,
    *,
    pairs: OfQuestion = "",
    by: By = "all",
    criterion: Criterion = "",
    position: WithPosition = True,
    precision: Precision = None,
    measure: MeasureName = "AP",
) -> BattleBoard:
    """Runs by the battles of a question about pairs, by default the first, beside a measure's leaderboard."""
    scored = _scored(campaign, measure)
    name = pairs or next(iter(questions_of(campaign)), "")
    seq = log.head(campaign).seq if campaign.as_of is None else campaign.as_of
    nothing = BattleBoard(seq, name, scored.measure, (), None, None, "")
    try:
        battles, classes = asked_of(campaign, name), () if by == "all" else (by,)
        with reported(on_step):
            report = reports.report(
                battles, position=position, classes=classes, criterion=criterion, precision=precision
            )
    except CampaignError as error:
        return nothing._replace(reason=str(error))
    return _compared(nothing._replace(battles=report), report, scored)


BATTLES = ANALYSES["battles"]


def _compared(board: BattleBoard, report: reports.BattleReport, scored: Scored) -> BattleBoard:
    """The board with the scores of its runs, and how far they agree."""
    by_battles = Leaderboard("battles", _scored_by_battles(report.strengths, scored))
    by_measure = Leaderboard(str(scored.measure), scored.of_topics(report.strengths.changes.topics))
    found = two_leaderboards(by_measure, by_battles, resamples=DRAWS)
    places, rows = {each.run: each for each in found.positions}, []
    scores = dict(zip(scored.tags, scored.means.tolist(), strict=True))
    for each in report.strengths.runs:
        place = places.get(each.run)
        moved = place.moved if place and found.tau_b is not None else None
        rows.append(OnBoards(each, scores.get(each.run), place and place.rank, moved))
    return board._replace(runs=tuple(rows), agreement=found)


def _scored_by_battles(found: Strengths, beside: Scored) -> Scored:
    """Strengths as scores on the topics of others, turned round where less of these is better.

    What a topic adds is what the strengths lose without it: to the first order strengths are the means of these values.
    """
    strength, sign = {each.run: each.strength for each in found.runs}, beside.measure.sign
    means = sign * np.array([strength[run] for run in found.changes.runs], np.float64)
    shared = [topic in beside.topic_ids for topic in found.changes.topics]
    lost = found.changes.values[shared]
    values = means + sign * len(lost) * (lost - lost.sum(axis=0) / max(len(lost), 1))
    topic_ids = tuple(compress(found.changes.topics, shared)) if np.isfinite(values).all() else ()
    return Scored(beside.seq, beside.measure, topic_ids, found.changes.runs, values, means)
