"""The scores of runs beside what they cost, with the Pareto front.

The front is that of the observed scores: no run with at least the score costs less. Whether a step of it is more than
noise is asked by max-T over all pairs of runs, which holds for pairs that the same scores have chosen
(`methods.statistics.all_pairs.max_t_of_pairs`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated, NamedTuple

import numpy as np

from workbench.analysis.battles.board import board_of, usual_of_boards
from workbench.analysis.registry import ANALYSES, MeasureName, Values, analysis
from workbench.analysis.trust.bounds import Detail, score_in_detail
from workbench.analysis.trust.intervals import ALPHA, describe_test, interval_of, is_averaged
from workbench.core.parameters import Limits
from workbench.core.results import AS_TEXT, IN_JSON, Column
from workbench.core.run_costs import COST_FIELDS, CURRENCY, FIGURES, NO_COSTS, Costs
from workbench.core.seed import SEED
from workbench.core.wording import counted
from workbench.formats.tables.sheets import Sheet, sheet_of
from workbench.jobs.processes import OnStep
from workbench.methods.costs import Mask, pareto_front
from workbench.methods.measures import BoundMeasure
from workbench.methods.measures.judged import FloatArray
from workbench.methods.statistics.all_pairs import max_t_of_pairs, rounds_for
from workbench.methods.statistics.arrays import levels
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import run_details
from workbench.storage.campaign.collection.rounds import taking_part


class RunCost(NamedTuple):
    """A run's score and what it costs.

    Attributes:
        run: its tag.
        score: its own.
        interval_from, interval_to: the 95 % interval over topics; None without one.
        cost: in the unit of the answer; None where it is not known.
        per_cost: the score for each unit; None without a cost above 0, of what is not used up, and of a measure of
            which more is not better.
        front: whether no other run is as good on both and better on one; None without a cost, and where neither more
            nor less of the measure is better.
        p_value: of the difference to the next run of the front that costs less, the largest if several are equal there;
            None without one.
    """

    run: Annotated[str, Column("Run", "run")]
    score: Annotated[float, Column("Score", kind="score")]
    interval_from: Annotated[float | None, Column("95 % from", kind="score")]
    interval_to: Annotated[float | None, Column("to", kind="score")]
    cost: Annotated[float | None, Column("Cost", kind="quantity")]
    per_cost: Annotated[float | None, Column("Score per cost", kind="quantity")]
    front: Annotated[bool | None, Column("On the front")]
    p_value: Annotated[float | None, Column("p to the next on the front", kind="p")] = None


class CostsOfRuns(NamedTuple):
    """The runs by their costs, the best for the price first.

    Attributes:
        seq: the row of the log.
        measure: that of the scores.
        cost: the name of the figure.
        unit: of the costs.
        runs: those with a cost by it, then those without.
        known: how many runs have each figure.
        other_currency: how many runs state money in another currency; they have no cost here.
        test: that of the p-values; "" where there is none.
    """

    seq: int
    measure: Annotated[BoundMeasure, AS_TEXT]
    cost: str
    unit: str
    runs: tuple[RunCost, ...]
    known: Annotated[Mapping[str, int], IN_JSON]
    other_currency: int
    test: str

    @property
    def head(self) -> str:
        """The figure and its unit, for people."""
        return f"{COST_FIELDS[self.cost].title}{f' ({self.unit})' if self.unit else ''}"


def sentences(found: CostsOfRuns) -> list[str]:
    """What the table says, what it lacks, and how sure the front is."""
    front = [each for each in found.runs if each.front]
    without = sum(each.cost is None for each in found.runs)
    title = COST_FIELDS[found.cost].title.lower()
    of = f"{counted(len(front), 'run')} of {len(found.runs):,}"
    said = [f"{of} on the observed front of {found.measure} and {title}."]
    if found.measure.best == "none":
        said = [f"Neither more nor less of {found.measure} is better, so there is no front."]
    if without:
        said.append(f"{counted(without, 'run')} without this figure: listed, and not on the front.")
    if found.other_currency:
        others = counted(found.other_currency, "run")
        said.append(f"{others} with money in another currency than {found.unit}: state all in one.")
    if found.test:
        steps = [each.p_value for each in front if each.p_value is not None]
        noise = f"{sum(p > ALPHA for p in steps):,} of {counted(len(steps), 'step')}"
        said.append(f"{noise} of the front could be noise (p above {ALPHA}); {found.test}.")
    return said


def for_people(found: CostsOfRuns) -> Sheet:
    """A row for each run, under the names of the measure and the figure."""
    return sheet_of(RunCost, found.runs, heads={"score": str(found.measure), "cost": found.head})


Cost = Annotated[str, Limits("The figure of what runs cost", choices=FIGURES)]


def _usual(campaign: Campaign) -> Values:
    """The figure that most runs have, and the first measure of what is judged."""
    known = _known(_costs_by_tag(campaign))
    return usual_of_boards(campaign) | {"cost": max(FIGURES, key=lambda name: known[name])}


@analysis(
    "costs",
    called="Scores and costs",
    sheet=lambda found: sheet_of(RunCost, found.runs),
    people=for_people,
    usual=_usual,
)
def costs_of(
    campaign: Campaign, on_step: OnStep, *, measure: MeasureName = "AP", cost: Cost = FIGURES[0]
) -> CostsOfRuns:
    """The scores of runs beside what they cost, and which no other run beats on both."""
    details, said = score_in_detail(board_of(campaign, measure), [measure]), _costs_by_tag(campaign)
    (detail,) = details.measures
    costs = [said.get(tag, NO_COSTS) for tag in details.tags]
    unit, others = COST_FIELDS[cost].unit, 0
    if cost == "money":
        stated = Counter(str(each[CURRENCY]) for each in costs if each.get(CURRENCY))
        unit = max(stated, key=lambda each: stated[each], default="")
        others = stated.total() - stated[unit]
        costs = [each if each.get(CURRENCY) == unit else NO_COSTS for each in costs]
    rows = _rows(detail, details.tags, np.array([each.get(cost, np.nan) for each in costs], np.float64), cost)
    test = describe_test(len(rows)) if any(row.p_value is not None for row in rows) else ""
    return CostsOfRuns(details.head.seq, detail.measure, cost, unit, rows, _known(said), others, test)


COSTS = ANALYSES["costs"]


def _costs_by_tag(campaign: Campaign) -> dict[str, Costs]:
    """The costs of the runs that take part."""
    said = run_details.details(campaign)
    return {run.record.tag: said[run.run].costs for run in taking_part(campaign) if run.run in said}


def _known(said: Mapping[str, Costs]) -> dict[str, int]:
    return {name: sum(name in each for each in said.values()) for name in FIGURES}


def _rows(detail: Detail, tags: Sequence[str], costs: FloatArray, cost: str) -> tuple[RunCost, ...]:
    field, scores = COST_FIELDS[cost], detail.summary
    sign = {"highest": 1.0, "lowest": -1.0, "none": np.nan}[detail.measure.best]
    defined, merits = np.isfinite(sign * scores), np.full(len(scores), np.nan)
    merits[defined] = levels(sign * scores[defined])  # scores that differ by rounding alone are equal
    savings = costs if field.best == "highest" else -costs
    front = pareto_front(merits, savings)
    p_values = p_to_the_next(detail, front, savings)
    found, _ = interval_of(detail)
    intervals = np.full((len(tags), 2), np.nan) if found is None else found
    is_price = field.is_spent and detail.measure.best == "highest"
    with np.errstate(all="ignore"):
        per_cost = scores / (costs if is_price else np.nan)
    rows = []
    for at, tag in enumerate(tags):
        on_front = None if np.isnan(merits[at] + costs[at]) else bool(front[at])
        low, high, cost_of_run, price = map(_number, (*intervals[at], costs[at], per_cost[at]))
        score, p_value = float(scores[at]), p_values.get(at)
        rows.append(RunCost(tag, score, low, high, cost_of_run, price, on_front, p_value))
    order = np.lexsort((-merits, -savings))  # nan is last
    return tuple(rows[at] for at in order.tolist())


def p_to_the_next(
    detail: Detail, front: Mask, savings: FloatArray, *, permutations: int | None = None
) -> dict[int, float]:
    """The p-value of each run of the front to the next one that costs less, by their places.

    Of several that cost the same there, which have the same score, it must differ from each.
    """
    topics, runs = detail.values.shape
    if topics < 2 or runs < 2 or not is_averaged(detail):
        return {}
    number = permutations or rounds_for(runs)
    p = max_t_of_pairs(detail.values, permutations=number, rng=np.random.default_rng(SEED))
    found: dict[int, float] = {}
    for at in np.flatnonzero(front).tolist():
        cheaper = np.where(front & (savings > savings[at]), savings, np.inf)
        if (nearest := cheaper.min()) < np.inf:
            found[at] = float(p[at, cheaper == nearest].max())
    return found


def _number(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
