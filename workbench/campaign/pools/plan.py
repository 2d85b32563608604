"""The plan of a pool: its size at every depth, topic by topic and run by run, before it is made."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.campaign.pools.candidates import refuse_without_texts
from workbench.campaign.pools.listing import ListedCounts, listed_counts, pairs_of_cells, pairs_without_runs
from workbench.campaign.pools.making import Asked, asked_for, drawn_on
from workbench.campaign.pools.material import Material
from workbench.campaign.pools.refusals import Growth, why_refused
from workbench.core.natural_order import natural
from workbench.core.ranking import IntArray
from workbench.core.results import FLAT, HIDDEN, Column, shown
from workbench.formats.tables.sheets import Sheet, sheet_of
from workbench.methods.pooling import STRATEGIES, Strategy, in_words
from workbench.methods.pooling.frames import Precision, expected_precision
from workbench.methods.pooling.outlook import Outlook, Pooling, outlook_of
from workbench.methods.pooling.reach import pairs_by_depth, pairs_by_topic
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import runs

USUAL_DEPTHS = (1, 5, 10, 20, 30, 50, 100, 200, 500, 1000)
MORE_RANKS = 10
"""How much deeper a pool is whose cost is shown beside the one asked for."""


class DepthPlan(NamedTuple):
    """A pool (`depth` is None where its strategy has none): its pairs, those not pooled yet, those that an assessor has
    judged, and what is then to be judged in the whole campaign.
    """

    depth: int | None
    pairs: int
    new: int
    judged: int
    to_judge: int


class PoolTopic(NamedTuple):
    """One topic: the pool's pairs, those of them not pooled yet, and what is pooled as things stand.

    Of all that is pooled then, `judged` are the judged pairs and `to_judge` the others; `waiting` are
    those of the latter that are pooled as things stand.
    """

    topic_id: Annotated[str, Column("Topic", "topic")]
    pairs: int
    new: int
    before: int
    judged: int
    to_judge: int
    waiting: int


class RunPlan(NamedTuple):
    """One run that is drawn on: the pool's pairs that it has as far down as the strategy looks, those that no other run
    has down to there, and those of the latter that are not pooled yet.
    """

    tag: Annotated[str, Column("Run", "run")]
    team: str
    brings: Annotated[int, Column("Pairs", "pairs")]
    alone: Annotated[int, Column("From this run only")]
    new: int


class OtherRun(NamedTuple):
    """A run that is not drawn on, and how many pairs more the pool would have with it; None if only making it tells."""

    tag: str
    team: str
    adds: int | None


class PoolPlan(NamedTuple):
    """What a pool would hold.

    `pairs`, `new`, `judged` and `to_judge` are those of `DepthPlan`, int64 (longest ranking + 1,), by depth from 0, of
    pools to that depth over the same runs; empty, and `depth` None, for a strategy that does not know them. The other
    fields are of the pool as it was asked for. `candidates` are all pairs of its runs by depth from 0. `before` and
    `waiting` are all pairs that the campaign has pooled, and those of them that no assessor has judged. `refused` says
    why making it would be refused, "" where it would not.
    """

    strategy: str
    parameters: Annotated[dict[str, Any], HIDDEN]
    depth: Annotated[int | None, HIDDEN]
    tags: Annotated[tuple[str, ...], Column(name="runs")]
    at_depth: Annotated[DepthPlan, FLAT]
    by_topic: tuple[PoolTopic, ...]
    by_run: tuple[RunPlan, ...]
    others: tuple[OtherRun, ...]
    pairs: Annotated[IntArray, HIDDEN]
    new: Annotated[IntArray, HIDDEN]
    judged: Annotated[IntArray, HIDDEN]
    to_judge: Annotated[IntArray, HIDDEN]
    candidates: Annotated[IntArray, HIDDEN]
    before: int
    waiting: int
    precision: Annotated[Precision | None, HIDDEN] = None
    refused: str = ""

    @property
    @shown(Column(name="by_depth"))
    def by_depth(self) -> tuple[DepthPlan, ...]:
        """The pool to the usual depths, the one asked for, and MORE_RANKS deeper; none deeper than the runs but the one
        asked for and the first that takes all they have. Empty for a strategy without a depth.
        """
        if self.depth is None:
            return ()
        wanted = sorted({*USUAL_DEPTHS, self.depth, self.depth + MORE_RANKS, self.deepest} - {0})
        return tuple(self.at(depth) for depth in wanted if depth <= self.deepest or depth == self.depth)

    @property
    def choice_words(self) -> str:
        """How an adaptive pool comes to its pairs, in a sentence; "" for all others."""
        strategy = STRATEGIES.find(self.strategy)
        if strategy.kind != "adaptive":
            return ""
        shown = "the pairs were chosen by best rank" if strategy.uses_texts else "no document were relevant"
        return (
            "The pairs are chosen while they are judged: their number is planned here, and the judgments decide which "
            f"they are. Runs and topics are shown as if {shown}."
        )

    @property
    def precision_words(self) -> str:
        """How precise estimates from the sample will be, in a sentence; "" for a pool that is no sample."""
        if self.precision is None:
            return ""
        at_10, rbp = (
            f"± {low:.3f}" if f"{low:.3f}" == f"{high:.3f}" else f"± {low:.3f} to ± {high:.3f}"
            for low, high in self.precision
        )
        return (
            "If 10 % to 50 % of the documents near the top are relevant, estimates of a run’s mean are within "
            f"{at_10} for P@10 and {rbp} for RBP(p=0.8) (95 %)."
        )

    @property
    def total(self) -> int:
        """All pairs of the pool."""
        return self.at_depth.pairs

    @property
    @shown(Column(name="pooled_already"))
    def pooled_already(self) -> int:
        """Its pairs that the campaign has pooled."""
        return self.at_depth.pairs - self.at_depth.new

    @property
    def growth(self) -> Growth:
        """How much larger it makes the campaign's pools."""
        return Growth(self.before, self.at_depth.new)

    @property
    def how(self) -> str:
        """How its pairs are chosen: `to depth 20`, or `by random (a budget of 9 pairs, seed 7)`."""
        if self.depth is not None:
            return f"to depth {self.depth:,}"
        words = in_words(self.strategy, self.parameters)
        return f"by {self.strategy}" + (f" ({words})" if words else "")

    @property
    def deepest(self) -> int:
        """The length of the longest ranking: a deeper pool has nothing more. -1 where there is no depth."""
        return len(self.pairs) - 1

    def at(self, depth: int) -> DepthPlan:
        """The pool to another depth over the same runs."""
        place = min(depth, self.deepest)
        curves = (self.pairs, self.new, self.judged, self.to_judge)
        return DepthPlan(depth, *(int(curve[place]) for curve in curves))


def plan_pool(
    campaign: Campaign,
    *,
    strategy: str = "depth",
    ties: str = "descending",
    tags: Sequence[str] | None = None,
    residual: bool = False,
    **parameters: Any,
) -> PoolPlan:
    """What a pool would hold, without making it; arguments and errors as in `setup.pools.making.add_pool`."""
    with campaign.snapshot():
        asked = asked_for(campaign, strategy, ties, tags, residual, parameters)
        drawn = drawn_on(campaign, asked, ties)
        material = drawn.planner.material(campaign, ties, asked.needed, drawn.indices, asked.record.residual)
        stored = material.stored
        pooling = Pooling(stored.rankings, len(stored.runs), drawn.indices, material.starts, material.reach)
        outlook = outlook_of(asked.strategy, asked.record.parameters, pooling)
        if asked.strategy.uses_texts and not campaign.question:  # units of answers have texts
            reached = drawn.reached(asked, runs.vocabularies(campaign))
            refuse_without_texts(campaign, asked.strategy, reached, recorded=True)
        listed = _listed(campaign, asked, material, outlook)
        refused = why_refused(campaign, asked.record._replace(runs=drawn.tags))
    return _plan(asked, material, pooling, outlook, listed, refused)


def _listed(campaign: Campaign, asked: Asked, material: Material, outlook: Outlook) -> ListedCounts:
    topic_ids, names = material.stored.topic_ids, material.stored.rankings.names
    is_listed = asked.strategy.listed is not None
    of_runs = pairs_of_cells(outlook.chosen, material.starts, names) if is_listed and names else []
    others = pairs_without_runs(asked.strategy, asked.record.parameters, of_runs, topic_ids)
    return listed_counts(campaign, others, topic_ids)


def _precision(strategy: Strategy, parameters: dict[str, Any], pooling: Pooling) -> Precision | None:
    if strategy.frame is None:
        return None
    rankings = pooling.rankings.of_runs(pooling.drawn_on)
    return expected_precision(strategy.frame(rankings, **parameters), rankings)


def _plan(
    asked: Asked, material: Material, pooling: Pooling, outlook: Outlook, listed: ListedCounts, refused: str
) -> PoolPlan:
    strategy, parameters = asked.strategy, asked.record.parameters
    chosen = outlook.chosen
    fresh = chosen & ~material.pooled
    waiting = int((material.before - material.done).sum())
    by_depth = _by_depth(material, outlook.by_depth, waiting)
    depth = parameters[strategy.down_to] if strategy.down_to and len(by_depth["pairs"]) else None
    return PoolPlan(
        strategy=strategy.name,
        parameters=parameters,
        depth=depth,
        tags=tuple(material.stored.runs[index].record.tag for index in pooling.drawn_on),
        at_depth=DepthPlan(
            depth,
            int(np.count_nonzero(chosen) + listed.pairs.sum()),
            int(np.count_nonzero(fresh) + listed.new.sum()),
            int(np.count_nonzero(chosen & material.judged) + listed.judged.sum()),
            waiting
            + int(np.count_nonzero(fresh & ~material.judged) + (listed.new - listed.new_judged).sum()),
        ),
        by_topic=_by_topic(material, chosen, listed),
        by_run=_by_run(material, pooling.drawn_on, outlook),
        others=_others(material, pooling.others, outlook.adds),
        **by_depth,
        candidates=material.sizes,
        before=int(material.before.sum()),
        waiting=waiting,
        precision=_precision(strategy, parameters, pooling),
        refused=refused,
    )


def _by_depth(material: Material, by_depth: NDArray[np.int32] | None, waiting: int) -> dict[str, IntArray]:
    if by_depth is None:
        return dict.fromkeys(("pairs", "new", "judged", "to_judge"), np.zeros(0, np.int64))
    deepest = len(material.sizes) - 1
    # The sizes over the material's own reach are kept.
    pairs = material.sizes if by_depth is material.reach.best else pairs_by_depth(by_depth, deepest)
    new = pairs - pairs_by_depth(by_depth[material.pooled], deepest)
    beyond = material.judged & ~material.pooled
    return {
        "pairs": pairs,
        "new": new,
        "judged": pairs_by_depth(by_depth[material.judged], deepest),
        "to_judge": waiting + new - pairs_by_depth(by_depth[beyond], deepest),
    }


def _by_topic(material: Material, chosen: NDArray[np.bool_], listed: ListedCounts) -> tuple[PoolTopic, ...]:
    """Every topic that the pool or an earlier one has pairs in, in byte order of the ids."""
    fresh = chosen & ~material.pooled
    new = pairs_by_topic(fresh, material.starts) + listed.new
    judged = material.done + pairs_by_topic(fresh & material.judged, material.starts) + listed.new_judged
    counts = (
        pairs_by_topic(chosen, material.starts) + listed.pairs,
        new,
        material.before,
        judged,
        material.before + new - judged,
        material.before - material.done,
    )
    rows = (
        PoolTopic(*row)
        for row in zip(material.stored.topic_ids, *(count.tolist() for count in counts), strict=True)
    )
    some = (row for row in rows if row.pairs or row.before)
    return tuple(sorted(some, key=lambda row: natural(row.topic_id)))


def _by_run(material: Material, drawn_on: Sequence[int], outlook: Outlook) -> tuple[RunPlan, ...]:
    stored, run = material.stored, outlook.run
    alone = np.bincount(run[outlook.alone], minlength=len(stored.runs))
    new = np.bincount(run[outlook.alone & ~material.pooled], minlength=len(stored.runs))
    return tuple(
        RunPlan(record.tag, record.team, int(outlook.brings[index]), int(alone[index]), int(new[index]))
        for index in drawn_on
        for record in [stored.runs[index].record]
    )


def _others(material: Material, others: Sequence[int], adds: Sequence[int] | None) -> tuple[OtherRun, ...]:
    counts: Sequence[int | None] = [None] * len(others) if adds is None else adds
    return tuple(
        OtherRun(record.tag, record.team, count)
        for index, count in zip(others, counts, strict=True)
        for record in [material.stored.runs[index].record]
    )


def sheets_of(plan: PoolPlan) -> list[Sheet]:
    """By depth where the strategy has one, by topic, and by run."""
    of_runs = sheet_of(RunPlan, plan.by_run, ("run", "pairs", "alone"), _heads(plan))
    return [*([] if plan.depth is None else [_sheet_of_depths(plan)]), sheet_of_topics(plan), of_runs]


def sheet_of_topics(plan: PoolPlan) -> Sheet:
    """The pairs of each topic."""
    return sheet_of(PoolTopic, plan.by_topic, ("topic", "pairs", "new"), _heads(plan))


def _sheet_of_depths(plan: PoolPlan) -> Sheet:
    sheet = sheet_of(DepthPlan, plan.by_depth, ("depth", "pairs", "new", "to_judge"))
    here = [place for place, row in enumerate(plan.by_depth) if row.depth == plan.depth]
    return sheet._replace(best=frozenset(product(here, range(len(sheet.columns)))))


def _heads(plan: PoolPlan) -> dict[str, str]:
    return {} if plan.depth is None else {"pairs": f"Pairs at depth {plan.depth}"}
