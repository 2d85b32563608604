"""A campaign simulated on as it is judged so far: with parameters that have limits, also in a worker process."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from workbench.analysis.simulating.from_campaign import collection_from_campaign, with_texts
from workbench.analysis.simulating.plan import Choice, Plan, Wanted, wanted_of
from workbench.analysis.simulating.selection import SelectedStrategy, named_strategies, read_budgets
from workbench.analysis.simulating.simulate import Simulated
from workbench.analysis.simulating.whole import Part, Simulation, simulations_of
from workbench.core.parameters import Limits
from workbench.core.results import content
from workbench.jobs.processes import OnStep, counting
from workbench.methods.measures import parse_measure
from workbench.storage.campaign import Campaign, open_campaign

Depth = Annotated[int, Limits("how many documents at the top of each ranking are candidates", least=1)]
Budget = Annotated[str, Limits("shares of each topic's pool, as in 5%,10%,20%")]
Seeds = Annotated[int, Limits("how often random strategies are replayed", least=1, most=1000)]
Measure = Annotated[str, Limits("the measure of the leaderboard")]
Precision = Annotated[
    float | None, Limits("the difference between two runs that a plan has to show; none without it", above=0)
]
Pace = Annotated[
    float | None, Limits("judgments of one person in an hour, for the plan; else as measured", above=0)
]
Rate = Annotated[float | None, Limits("what an hour of judging costs, for the plan", least=0)]


class CampaignSimulation(NamedTuple):
    """A simulation as of a row of a campaign's log."""

    seq: int
    found: Simulation


def simulate_campaign(
    campaign: Campaign,
    names: Sequence[str],
    on_strategy: Callable[[str], None] | None = None,
    /,
    *,
    depth: Depth = 100,
    budget: Budget = "5%,10%,20%",
    seeds: Seeds = 5,
    measure: Measure = "AP",
    precision: Precision = None,
    pace: Pace = None,
    rate_per_hour: Rate = None,
) -> CampaignSimulation:
    """Replay the named strategies on the judgments so far; without names all that can be.

    Raises:
        CampaignError: as `collection_from_campaign`, or too few texts for a strategy that goes by them.
        UnknownName: a strategy, a budget or a measure cannot be read, or the plan cannot be made.
    """
    selected, budgets = named_strategies(names, depth, has_texts=True), read_budgets(budget)
    parse_measure(measure)
    wanted = None if precision is None else wanted_of(campaign, precision, per_hour=pace, rate=rate_per_hour)
    seq, part = part_from_campaign(campaign, "", selected, depth, measure, wanted)
    (found,) = simulations_of([part], selected, budgets, seeds=seeds, on_strategy=on_strategy)
    return CampaignSimulation(seq, found)


def part_from_campaign(
    campaign: Campaign,
    name: str,
    selected: Sequence[SelectedStrategy],
    depth: int,
    measure: str,
    wanted: Wanted | None,
) -> tuple[int, Part]:
    """The row of the log, and a campaign as of it to simulate the selected strategies on, while it is open.

    Raises:
        CampaignError: as `simulate_campaign`.
    """
    collection, relevant_from, seq = collection_from_campaign(campaign, depth)
    for one in selected:
        collection = with_texts(campaign, collection, one.strategy)
    bound = parse_measure(measure, defaults={"rel": relevant_from})
    return seq, Part(name, collection, bound, wanted)


def simulate_file(
    path: Path, names: Sequence[str], parameters: Mapping[str, Any], *, on_step: OnStep
) -> CampaignSimulation:
    """What `simulate_campaign` gives of the campaign at `path`, for a worker process."""
    total = len(named_strategies(names, parameters["depth"], has_texts=True))
    more = counting(on_step, "Replaying strategies", total)
    with open_campaign(path) as campaign:
        return simulate_campaign(campaign, names, lambda _: more(1), **parameters)


def as_content(found: Simulation) -> dict[str, Any]:
    """A simulation as JSON values, without its replays; `from_content` reads it."""
    return {"rows": content(found.rows), "verdict": list(found.verdict), "plan": content(found.plan)}


def from_content(values: Mapping[str, Any]) -> Simulation:
    """The simulation that `as_content` wrote."""
    plan = values["plan"]
    return Simulation(
        tuple(Simulated(**row) for row in values["rows"]),
        tuple(values["verdict"]),
        plan
        and Plan(plan["topics"], tuple(Choice(**each) for each in plan["choices"]), tuple(plan["words"])),
    )
