"""What can be said of pairs of runs, as pages, programs and figures ask for it: bounds, their history, and the answer.

Sums of pairs follow the log; all else is cached for the row of the log.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NamedTuple

from workbench.analysis.registry import ANALYSES, Left, Values, analysis
from workbench.analysis.trust.certain_history import (
    CertainHistory,
    CertainPoint,
    certain_over_log,
    steps_of_history,
)
from workbench.analysis.trust.certain_pairs import (
    DEFAULT_MEASURE,
    CertainPairs,
    PairsFollower,
    PairsRequest,
    PairState,
    certain_pairs,
    pairs_follower,
)
from workbench.analysis.trust.decisions import ALPHA, Decision, Decisions, decide, require_risk
from workbench.analysis.trust.drawn import series_of
from workbench.analysis.trust.found import TopicFound, found_of
from workbench.analysis.trust.recommendation import Decided, Recommendation, recommendation
from workbench.analysis.trust.witness import Deciding, Witness, witness
from workbench.core.errors import CampaignError, UnknownName
from workbench.core.parameters import Limits
from workbench.core.results import HIDDEN
from workbench.formats.tables.sheets import sheet_of
from workbench.jobs.processes import OnStep
from workbench.methods.measures import parse_measure
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import runs
from workbench.storage.campaign.log import log

LINES = 500_000
"""This many ranked documents of all runs, and the order of drawing takes seconds."""
IN_REQUEST = 3e8
"""Up to this many steps of arithmetic are done while a page waits: some tenths of a second."""
IN_A_JOB = 6e11
"""About this many are done in a job: ten minutes. Beyond that the runs of the lowest means are left out."""
IN_A_HISTORY = 6e10
"""This many for all points of the history of certain pairs together."""
LISTED_RUNS = 200
"""The pairs of this many runs are listed where none are named."""
FOR_ALL_PAIRS = 3_600
"""Seconds of a job."""

Bounded = Annotated[
    str,
    Limits(
        "A measure whose differences have bounds; where pools are of a random order, that of the order by default"
    ),
]
Alpha = Annotated[float, Limits("The risk of each decision that it is wrong", above=0, below=1)]


class Stopping(NamedTuple):
    """Whether judging can stop, and what was drawn at random that says so.

    Attributes:
        recommendation: the answer.
        decisions: about pairs of runs; None where no pool was drawn in a random order, or it says nothing.
        topics: what each can still have; None where no part of a pool was drawn uniformly.
        certain: the bounds of all pairs.
        refused: why an order says nothing of this measure, or any more; "" otherwise.
    """

    recommendation: Recommendation
    decisions: Decisions | None
    topics: tuple[TopicFound, ...] | None
    certain: Annotated[CertainPairs, HIDDEN]
    refused: Annotated[str, HIDDEN] = ""

    @property
    def seq(self) -> int:
        """The row of the log that it is as of."""
        return self.recommendation.seq


def pairs_take_long(campaign: Campaign, request: PairsRequest) -> bool:
    """Whether `certain_pairs` and `next_documents` may have to compute for seconds first."""
    return pairs_follower(campaign).steps(campaign, request) > IN_REQUEST


def pairs_soon(campaign: Campaign, request: PairsRequest) -> CertainPairs | None:
    """The pairs of some runs where they are found at once, else None; what is kept of all runs stays kept."""
    if pairs_take_long(campaign, request):
        return None
    return PairsFollower().answer(campaign, request)


def decided_in(campaign: Campaign, measure: str, alpha: float, judge: str | None = None) -> Decided:
    """What draws say; CampaignError for a risk that is none."""
    require_risk(alpha)
    decisions, refused = None, ""
    topics = found_of(campaign, alpha=alpha)
    try:
        decisions = decide(campaign, measure, alpha=alpha, judge=judge or "")
    except (CampaignError, UnknownName) as error:
        refused = str(error)
    return Decided(decisions, refused, None if topics is None else tuple(topics))


def _request(values: Values) -> PairsRequest:
    return PairsRequest(values["measure"], tuple(values.get("run", ())), most_steps=IN_A_JOB)


def _usual(campaign: Campaign) -> Values:
    """The measure that the newest random order was drawn for."""
    series = series_of(campaign)
    return {} if series is None else {"measure": str(series.record.parameters["measure"])}


def _pairs_are_slow(campaign: Campaign, values: Values) -> bool:
    return pairs_take_long(campaign, _request(values))


def _answer_is_slow(campaign: Campaign, values: Values) -> bool:
    lines = sum(run.record.lines for run in runs.in_force(campaign))
    return lines > LINES or _pairs_are_slow(campaign, values)


SUMS = Left(
    lambda campaign, values: pairs_follower(campaign).give(campaign, _request(values)),
    lambda campaign, values, given: pairs_follower(campaign).keep(campaign, _request(values), given),
)


@analysis(
    "certain",
    called="Certain pairs",
    sheet=lambda found: sheet_of(PairState, found.rows()),
    is_large=_pairs_are_slow,
    usual=_usual,
    left=SUMS,
    seconds=FOR_ALL_PAIRS,
)
def certain(
    campaign: Campaign,
    on_step: OnStep,
    *,
    measure: Bounded = DEFAULT_MEASURE,
    run: Annotated[Sequence[str], Limits("Runs; all by default")] = (),
) -> CertainPairs:
    """Bounds of the difference of each pair of runs, and whether it is certain; of the best 200 runs."""
    request = _request({"measure": measure, "run": run})
    return certain_pairs(campaign, **request._asdict(), on_step=on_step).listing(LISTED_RUNS)


@analysis(
    "history",
    called="Certain pairs over time",
    sheet=lambda found: sheet_of(CertainPoint, found.points),
    is_large=lambda campaign, values: steps_of_history(campaign, values["measure"]) > IN_REQUEST,
    usual=_usual,
    seconds=FOR_ALL_PAIRS,
)
def history(campaign: Campaign, on_step: OnStep, *, measure: Bounded = DEFAULT_MEASURE) -> CertainHistory:
    """How many pairs were certain after rows of the log."""
    seq = log.head(campaign).seq
    points = certain_over_log(campaign.at(seq), measure, most_steps=IN_A_HISTORY, on_step=on_step)
    return CertainHistory(seq, parse_measure(measure), tuple(points))


@analysis(
    "swap",
    called="What would swap a pair",
    sheet=lambda found: sheet_of(Deciding, found.documents),
    usual=_usual,
)
def swap(
    campaign: Campaign,
    on_step: OnStep,
    *,
    measure: Bounded = DEFAULT_MEASURE,
    one: Annotated[str, Limits("A run")],
    two: Annotated[str, Limits("The other run")],
) -> Witness:
    """The documents that would swap two runs."""
    return witness(campaign, one, two, measure)


@analysis(
    "stop",
    called="Can we stop",
    sheet=lambda found: sheet_of(Decision, found.decisions.pairs if found.decisions else ()),
    is_large=_answer_is_slow,
    usual=_usual,
    left=SUMS,
    seconds=FOR_ALL_PAIRS,
)
def stop(
    campaign: Campaign,
    on_step: OnStep,
    *,
    measure: Bounded = DEFAULT_MEASURE,
    alpha: Alpha = ALPHA,
    judge: Annotated[str, Limits("A model whose labels decisions start from")] | None = None,
) -> Stopping:
    """Whether judging can stop: the answer, and what a random order decides for each pair of runs."""
    request = _request({"measure": measure})
    pairs = certain_pairs(campaign, **request._asdict(), on_step=on_step)
    decided = decided_in(campaign, measure, alpha, judge)
    answer = recommendation(pairs, decided, alpha, campaign.command_name)
    return Stopping(answer, decided.decisions, decided.topics, pairs, decided.refused)


CERTAIN, HISTORY, SWAP, STOP = (ANALYSES[name] for name in ("certain", "history", "swap", "stop"))
