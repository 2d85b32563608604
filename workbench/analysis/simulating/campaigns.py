"""A campaign simulated on as it is judged so far, as the command, the page, figures and the API ask for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, NamedTuple

import numpy as np

from workbench.analysis.registry import ANALYSES, MeasureName, Values, analysis
from workbench.analysis.simulating.collection import Collection, only, pooled_collection
from workbench.analysis.simulating.selection import SelectedStrategy, named_strategies, read_budgets
from workbench.analysis.simulating.sheets import rows_sheet
from workbench.analysis.simulating.simulate import Simulated
from workbench.analysis.simulating.whole import Part, Simulation, simulations_of
from workbench.campaign.pools.candidates import TextTables, refuse_without_texts
from workbench.core.errors import CampaignError
from workbench.core.parameters import Limits
from workbench.core.ranking import UNJUDGED, IntArray, Labels, Names, Rankings, starts_of
from workbench.core.results import FLAT
from workbench.jobs.processes import OnStep, counting
from workbench.methods.measures import parse_measure
from workbench.methods.pooling import Strategy
from workbench.scoring.board.loading import Scoring, load_scoring
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import runs
from workbench.storage.campaign.collection.rankings import load_rankings


def collection_from_campaign(campaign: Campaign, depth: int) -> tuple[Collection, Scoring]:
    """The runs of all rounds that contribute to pools, with the campaign's labels as they are now; and its scoring.

    The candidates are the first `depth` documents of each ranking, those of them alone that are pooled or judged: the
    rankings close up where others stand. Topics without a judgment are left out.

    Raises:
        CampaignError: no run contributes, nothing is judged, or no run has a pooled document of a judged topic.
    """
    with campaign.snapshot():
        scoring = load_scoring(campaign)
        stored = load_rankings(campaign, with_scores=True, with_names=True)
    indices = [index for index, run in enumerate(stored.runs) if run.record.contributes]
    topics = np.flatnonzero(scoring.num_judged > 0)
    if not len(topics):
        raise CampaignError(
            f"nothing is judged in {campaign.name} yet; simulate on an old collection: "
            "workbench pooling simulate QRELS RUN..."
        )
    if not indices:
        raise CampaignError(
            f"{campaign.name} has no runs that contribute to pools; add some: "
            f"workbench add runs {campaign.command_name} FILE..."
        )
    labels = _labels(scoring, topics)
    rankings = _renumbered(stored.rankings, np.array(indices, np.int64), topics)
    source = only(rankings.to_depth(depth), labels, labels.label > UNJUDGED)
    found = pooled_collection(rankings, source, labels, len(indices), depth)
    if not found.pooled:
        message = f"no run has a pooled or judged document among its first {depth} of a topic that is judged"
        raise CampaignError(message)
    return found, scoring


def with_texts(campaign: Campaign, collection: Collection, strategy: Strategy) -> Collection:
    """The collection with the texts of its campaign where a strategy goes by them; they are read when it is replayed.

    CampaignError: too few of the candidates have a text.
    """
    if not strategy.uses_texts:
        return collection
    document_ids = sorted({each for table in collection.tables for each in table.document_id})
    refuse_without_texts(campaign, strategy, document_ids)
    texts = TextTables()
    return collection._replace(with_texts=lambda table: texts.with_texts(campaign, table, document_ids, ()))


def _labels(scoring: Scoring, topics: IntArray) -> Labels:
    """The labels of some topics alone."""
    parts = [scoring.labels.of_topic(topic).label for topic in topics.tolist()]
    return Labels(starts_of(np.array([len(part) for part in parts], np.int64)), np.concatenate(parts))


def _renumbered(rankings: Rankings, runs: IntArray, topics: IntArray) -> Rankings:
    """The rankings of these runs and topics, which then count from 0."""
    rows = np.flatnonzero(np.isin(rankings.run, runs) & np.isin(rankings.topic, topics))
    found, names = rankings.select(rows), rankings.names
    if names is not None:
        names = Names(
            [names.topic_ids[topic] for topic in topics.tolist()],
            names.document_ids,
            [names.tags[run] for run in runs.tolist()],
        )
    return replace(
        found,
        run=np.searchsorted(runs, found.run).astype(np.int32),
        topic=np.searchsorted(topics, found.topic).astype(np.int32),
        names=names,
    )


FIRST = ("depth", "rrf", "hedge", "pps")
LINES = 100_000
"""Candidates times replays, from which on it may take seconds."""

Strategies = Annotated[
    Sequence[str],
    Limits("strategies, with parameters as in rbp-c(p=0.95); several in one text with semicolons"),
]
Depth = Annotated[int, Limits("how many documents at the top of each ranking are candidates", least=1)]
Budget = Annotated[str, Limits("shares of each topic's pool, as in 5%,10%,20%")]
Seeds = Annotated[int, Limits("how often random strategies are replayed", least=1, most=1000)]


class CampaignSimulation(NamedTuple):
    """A simulation as of a row of a campaign's log, and the measure of its leaderboards."""

    seq: int
    measure: str
    found: Annotated[Simulation, FLAT]


def names_of(strategies: Sequence[str]) -> list[str]:
    """The strategies that texts name, each once."""
    return list(
        dict.fromkeys(name.strip() for text in strategies for name in text.split(";") if name.strip())
    )


def _is_large(campaign: Campaign, values: Values) -> bool:
    """Whether much is replayed; what cannot be read is refused before a job begins."""
    selected = named_strategies(names_of(values["strategy"]), values["depth"], has_texts=True)
    read_budgets(values["budget"])
    replays = sum(values["seeds"] if one.by_chance else 1 for one in selected)
    records = [run.record for run in runs.in_force(campaign)]
    candidates = sum(min(record.lines, record.topics * values["depth"]) for record in records)
    return replays * candidates > LINES or any(one.strategy.uses_texts for one in selected)


def _again(content: Mapping[str, Any]) -> CampaignSimulation:
    """A simulation of its JSON, without its replays."""
    found = Simulation(tuple(Simulated(**row) for row in content["rows"]), tuple(content["verdict"]))
    return CampaignSimulation(content["seq"], content["measure"], found)


@analysis(
    "simulation",
    called="Simulation",
    sheet=lambda found: rows_sheet(found.found.rows),
    is_large=_is_large,
    again=_again,
)
def simulation(
    campaign: Campaign,
    on_step: OnStep,
    *,
    strategy: Strategies = FIRST,
    depth: Depth = 100,
    budget: Budget = "5%,10%,20%",
    seeds: Seeds = 5,
    measure: MeasureName = "AP",
) -> CampaignSimulation:
    """What pooling strategies would have found with the judgments so far, and how the leaderboard would have looked.

    Raises:
        CampaignError: as `collection_from_campaign`, or too few texts for a strategy that goes by them.
        UnknownName: a strategy, a budget or a measure cannot be read.
    """
    selected, budgets = named_strategies(names_of(strategy), depth, has_texts=True), read_budgets(budget)
    seq, part = part_from_campaign(campaign, "", selected, depth, measure)
    more = counting(on_step, "Replaying strategies", len(selected))
    (found,) = simulations_of([part], selected, budgets, seeds=seeds, on_strategy=lambda _: more(1))
    return CampaignSimulation(seq, measure, found)


SIMULATION = ANALYSES["simulation"]


def part_from_campaign(
    campaign: Campaign, name: str, selected: Sequence[SelectedStrategy], depth: int, measure: str
) -> tuple[int, Part]:
    """The row of the log, and a campaign as of it to simulate on while it is open; errors as of `simulation`."""
    collection, scoring = collection_from_campaign(campaign, depth)
    for one in selected:
        collection = with_texts(campaign, collection, one.strategy)
    bound = parse_measure(measure, defaults={"rel": scoring.relevant_from})
    return scoring.head.seq, Part(name, collection, bound)
