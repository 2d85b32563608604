"""Which runs are better in the pool judged whole: certain, decided at a risk, or open.

The pool judged whole is what was judged before the first draw and all documents of the order. Certain is what no
judgment can change; decided is what evidence from the draws says, wrong with at most the probability alpha for each
pair however often one looks (see methods/statistics/betting.py); the rest is open. Both speak of these topics and these
assessors.
"""

from __future__ import annotations

from typing import Annotated, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.analysis.trust.drawn import Drawn, drawn
from workbench.core.errors import CampaignError
from workbench.core.ranking import FloatArray
from workbench.core.results import AS_TEXT, HIDDEN, Column
from workbench.methods.bounds.pairs import Pairs
from workbench.methods.measures import BoundMeasure
from workbench.methods.statistics.betting import Evidence, evidence
from workbench.storage.campaign import Campaign

ALPHA = 0.05
MOST_RUNS = 200
"""Of more runs only this many are compared, the best by what is judged: time grows with the square of their number."""
LOOKS = 12
"""The history of decisions is shown for this many numbers of draws."""

State = Literal["certain", "decided", "open", "tied for certain"]


class Decision(NamedTuple):
    """What is known of two runs of the pool judged whole.

    Attributes:
        run_a, run_b: tags, the run with the higher estimate first.
        difference: of their means, as estimated from the draws.
        lower, upper: what it can still be, whatever the documents that wait turn out to be.
        state: what is known.
        better: which run is better, or where it is decided not worse; "" where that is open, or they are tied.
        risk: the smallest alpha at which it is decided; 0 where it is certain.
        together: whether it is decided together with all other pairs: that any such decision is wrong has at most the
            probability alpha (Bonferroni).
        in_list: whether it is in the list of which on average at most the share alpha is wrong (e-BH), as of now.
    """

    run_a: Annotated[str, Column("Run A")]
    run_b: Annotated[str, Column("Run B")]
    difference: Annotated[float, Column(kind="signed")]
    lower: Annotated[float, Column(kind="signed")]
    upper: Annotated[float, Column(kind="signed")]
    state: State
    better: str
    risk: float
    together: Annotated[bool, Column("All pairs")]
    in_list: Annotated[bool, Column("In the list")]


class Look(NamedTuple):
    """How many pairs were decided, or certain, after a number of draws."""

    drawn: int
    decided: int


class Decisions(NamedTuple):
    """What is decided about all pairs of runs.

    Attributes:
        order: what was drawn.
        seq: the row of the log that it is as of.
        measure: by which runs are compared.
        alpha: the risk of each decision that it is wrong.
        pools: those that were drawn in the order.
        other_orders: pools that were drawn in other orders, each with its own risk.
        topics: how many topics a mean is over.
        documents: all documents of the order.
        pooled: how many of the first are pooled.
        drawn: how many of the first are judged: evidence is from these.
        judged: all that are judged, those behind a gap included.
        elsewhere: pairs of other pools, which are not of the order.
        left_out: runs that are not compared, since there are more than MOST_RUNS.
        likely: how many pairs are likely to be known after as many documents again; a guess.
        history: how it came about.
        pairs: all pairs of runs, of the runs that are best by the estimates first.
    """

    order: Annotated[Drawn, HIDDEN]
    seq: int
    measure: Annotated[BoundMeasure, AS_TEXT]
    alpha: float
    pools: tuple[int, ...]
    other_orders: tuple[int, ...]
    topics: int
    documents: int
    pooled: int
    drawn: int
    judged: int
    elsewhere: int
    left_out: tuple[str, ...]
    likely: int
    history: tuple[Look, ...]
    pairs: tuple[Decision, ...]

    def number(self, *states: State) -> int:
        """How many pairs are in these states."""
        return sum(pair.state in states for pair in self.pairs)


def require_risk(alpha: float) -> None:
    """CampaignError for a risk that is not above 0 and below 1."""
    if not 0 < alpha < 1:
        raise CampaignError(f"alpha is {alpha}; it must be above 0 and below 1, such as 0.05")


def decide(
    campaign: Campaign, name: str | None = None, *, alpha: float = ALPHA, judge: str = ""
) -> Decisions | None:
    """What is known of each pair of runs; None where no pool was drawn in an order. Arguments and errors as `drawn`.

    `alpha` is the risk of each pair, above 0 and below 1; CampaignError for another.
    """
    require_risk(alpha)
    found = drawn(campaign, name, judge)
    return None if found is None else _decided(found, alpha)


def _decided(found: Drawn, alpha: float) -> Decisions:
    runs = len(found.tags)
    best = np.argsort(-found.sums.judged, kind="stable")
    kept = np.sort(best[:MOST_RUNS])
    seen = _evidence(found, kept, len(found.gain))
    bounds = _bounds(found, kept)
    together = seen.decided_together(alpha, runs * (runs - 1) // 2)
    listed = seen.discovered(alpha, runs * (runs - 1) // 2)
    risk = np.exp(-seen.highest)
    estimate = np.clip(seen.difference / max(1, found.topics), bounds.lower, bounds.upper)
    # Estimates need not be in one order: a run's place is by the mean of its differences.
    order = np.argsort(-estimate.mean(axis=1), kind="stable").tolist()
    tags = [found.tags[run] for run in kept]
    pairs = []
    for place, one in enumerate(order):
        for other in order[place + 1 :]:
            a, b = (one, other) if estimate[one, other] >= 0 else (other, one)
            state, better = _state(bounds, risk, alpha, a, b)
            pairs.append(
                Decision(
                    tags[a],
                    tags[b],
                    float(estimate[a, b]),
                    float(bounds.lower[a, b]),
                    float(bounds.upper[a, b]),
                    state,
                    "" if better is None else tags[better],
                    0.0 if state in ("certain", "tied for certain") else float(min(risk[a, b], risk[b, a])),
                    state != "open" and (state != "decided" or bool(together[a, b] or together[b, a])),
                    state != "open" and (state != "decided" or bool(listed[a, b] or listed[b, a])),
                )
            )
    left_out = tuple(found.tags[run] for run in best[MOST_RUNS:].tolist())
    soon = seen.likely_decided(alpha, min(len(found.gain), len(found.pairs) - len(found.gain)))
    likely = soon | soon.T | bounds.certain | bounds.tied
    return Decisions(
        order=found,
        seq=found.head.seq,
        measure=found.measure,
        alpha=alpha,
        pools=found.series.numbers,
        other_orders=found.series.others,
        topics=found.topics,
        documents=len(found.pairs),
        pooled=found.pooled,
        drawn=len(found.gain),
        judged=found.judged,
        elsewhere=found.elsewhere,
        left_out=left_out,
        likely=int(np.triu(likely, 1).sum()),
        history=_history(found, kept, alpha, pairs),
        pairs=tuple(pairs),
    )


def _state(bounds: Pairs, risk: FloatArray, alpha: float, a: int, b: int) -> tuple[State, int | None]:
    """What is known of a pair, and which run is better."""
    known = bounds.state(a, b)
    if known == "certain":
        return "certain", a if bounds.lower[a, b] > 0 else b
    if known == "tied for certain":
        return known, None
    if min(risk[a, b], risk[b, a]) <= alpha:
        return "decided", a if risk[a, b] <= risk[b, a] else b
    return "open", None


def _evidence(found: Drawn, runs: NDArray[np.intp], number: int) -> Evidence:
    """The evidence after `number` draws, for these runs; a judge's labels, where there is one, count as known until a
    person's come in their place, so that each draw adds what the two differ by.
    """
    return evidence(
        found.sums.drawn[runs, :number],
        found.gain[:number] - found.said[:number],
        found.size[:number],
        found.left[:number],
        known=(found.sums.known + found.sums.said)[runs],
        worst=found.most * found.sums.worst,
    )


def _bounds(found: Drawn, runs: NDArray[np.intp]) -> Pairs:
    """What the differences of means can still be: a document counts by the difference of its two weights."""
    judged, waiting = found.sums.judged[runs], found.sums.waiting[runs]
    shared = found.sums.shared[np.ix_(runs, runs)]
    topics = max(1, found.topics)
    difference = judged[:, None] - judged
    highest = difference + found.most * (waiting[:, None] - shared)
    np.fill_diagonal(highest, 0.0)
    return Pairs(difference / topics, -highest.T / topics, highest / topics)


def _history(found: Drawn, runs: NDArray[np.intp], alpha: float, pairs: list[Decision]) -> tuple[Look, ...]:
    """How many pairs were decided after some numbers of draws; at last with those that are certain."""
    number = len(found.gain)
    if not number or len(runs) < 2:
        return ()
    at = sorted({int(each) for each in np.linspace(0, number, LOOKS + 1)[1:-1]} - {0, number})
    above = np.triu_indices(len(runs), 1)
    looks = []
    for each in at:
        decided = _evidence(found, runs, each).decided(alpha)
        looks.append(Look(each, int((decided | decided.T)[above].sum())))
    return (*looks, Look(number, sum(pair.state != "open" for pair in pairs)))
