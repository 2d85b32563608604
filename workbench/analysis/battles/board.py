"""The leaderboard of battles beside that of a measure, and how far they agree."""

from __future__ import annotations

from typing import Annotated, Literal, NamedTuple

import numpy as np

from workbench.analysis.battles import report as reports
from workbench.analysis.battles.strengths import DRAWS, RunStrength
from workbench.analysis.comparing.leaderboards import merits_by_topic, ranks_of, tau_draws
from workbench.analysis.comparing.scores import Scored, averaged, scores_of
from workbench.analysis.registry import ANALYSES, MeasureName, Values, analysis
from workbench.campaign.battles import battles as battles_of
from workbench.core.about import DOCUMENT_PAIRS, DOCUMENTS, PAIRS
from workbench.core.battles import Battle
from workbench.core.errors import CampaignError
from workbench.core.parameters import Limits
from workbench.core.results import AS_TEXT, FLAT, Column
from workbench.core.seed import SEED
from workbench.formats.tables.sheets import Sheet, sheet_of
from workbench.jobs.processes import OnStep, reported
from workbench.methods.measures import BoundMeasure, parse_measure
from workbench.methods.statistics.arrays import FloatArray
from workbench.methods.statistics.intervals import Interval
from workbench.methods.statistics.rank_correlation import tau_ap_b, tau_b
from workbench.scoring.board.labelling import kind_of
from workbench.scoring.board.table import usual_measures
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import runs, topics
from workbench.storage.campaign.collection.question_topics import topic_of
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
        shared: how many of them have a strength and a score.
        tau, tau_ap: Kendall's tau_b, and AP correlation corrected for ties, between the boards of these; None where
            they are not defined.
        tau_draws: where tau is in 95 % of the draws of topics, which is no confidence interval; None where there are
            none.
        battles: what battles say; None where they do not compare runs.
        reason: why not; "" where they do.
    """

    seq: int
    question: str
    measure: Annotated[BoundMeasure, AS_TEXT]
    runs: tuple[OnBoards, ...]
    shared: int
    tau: float | None
    tau_ap: float | None
    tau_draws: Interval | None
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
    return [measure for each in _leaderboards(campaign) for measure in usual_measures(each)]


def _leaderboards(campaign: Campaign) -> list[Campaign]:
    """The campaign by relevance and by each question about answers, where something is judged."""
    asked = settings.read(campaign.asking("")).questions
    names = ["", *(each.name for each in asked if each.about not in (DOCUMENTS, *PAIRS))]
    return [by for by in map(campaign.asking, names) if topics.judged(by)]


def _scored(campaign: Campaign, measure: str) -> Scored:
    """A measure by the first of the leaderboards that have such ones, under the ids of the topics themselves."""
    kind = parse_measure(measure).measure.of
    by = next((each for each in _leaderboards(campaign) if kind_of(each) == kind), campaign.asking(""))
    found = averaged(scores_of(by, measure))
    return found._replace(topic_ids=tuple(topic_of(campaign, each) for each in found.topic_ids))


def _usual(campaign: Campaign) -> Values:
    measures = measures_of(campaign)
    return {"measure": measures[0]} if measures else {}


def _is_large(campaign: Campaign, values: Values) -> bool:
    return len(runs.in_force(campaign)) > MANY_RUNS


def as_sheet(found: BattleBoard) -> Sheet:
    """A row for each run."""
    return sheet_of(OnBoards, found.runs, COLUMNS, {"score": str(found.measure)})


@analysis("battles", called="Battles", sheet=as_sheet, is_large=_is_large, usual=_usual)
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
    nothing = BattleBoard(seq, name, scored.measure, (), 0, None, None, None, None, "")
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
    strength = {each.run: each.strength for each in report.strengths.runs if each.strength is not None}
    tags = [tag for tag in scored.tags if tag in strength]
    here, strengths = scored.of_runs(tags), np.array([strength[tag] for tag in tags], np.float64)
    both = zip(ranks_of(strengths), ranks_of(here.merits), strict=True)
    ranks, scores = (
        dict(zip(tags, both, strict=True)),
        dict(zip(scored.tags, scored.means.tolist(), strict=True)),
    )
    tau, rows = tau_b(here.merits, strengths), []
    for each in report.strengths.runs:
        own, other = ranks.get(each.run, (0, None))
        moved = None if tau is None or other is None else other - own
        rows.append(OnBoards(each, scores.get(each.run), other, moved))
    return board._replace(
        runs=tuple(rows),
        shared=len(tags),
        tau=tau,
        tau_ap=tau_ap_b(here.merits, strengths),
        tau_draws=_tau_draws(report, here, strengths) if len(tags) > 1 else None,
    )


def _tau_draws(report: reports.BattleReport, scored: Scored, strengths: FloatArray) -> Interval | None:
    """The middle of tau_b where the topics that have battles and scores are drawn again for both boards."""
    changes, place = report.strengths.changes, {topic: row for row, topic in enumerate(scored.topic_ids)}
    rows = [row for row, topic in enumerate(changes.topics) if topic in place]
    by_topic = changes.values[rows][:, [changes.runs.index(tag) for tag in scored.tags]]
    if not len(rows) or not np.isfinite(by_topic).all():
        return None
    scores = merits_by_topic(scored)[[place[changes.topics[row]] for row in rows]]
    by_battles = strengths + len(rows) * (by_topic - by_topic.mean(axis=0))
    return tau_draws(scores, by_battles, DRAWS, np.random.default_rng(SEED))
