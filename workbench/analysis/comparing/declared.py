"""Comparisons of runs as pages, files, figures and the API ask for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

import numpy as np

from workbench.analysis.comparing.all_pairs import AllPairs, pairs_of
from workbench.analysis.comparing.planning import TOPICS, Needed, TopicPlan, plan_topics
from workbench.analysis.comparing.runs import Comparison, chosen, compare
from workbench.analysis.comparing.scores import Scored, scores_of
from workbench.analysis.comparing.sheets import sheet_of_groups, sheet_of_pairs, sheet_of_runs
from workbench.analysis.registry import ANALYSES, MeasureName, analysis
from workbench.core.errors import CampaignError, UnknownName
from workbench.core.parameters import Limits
from workbench.core.seed import SEED
from workbench.formats.tables.sheets import sheet_of
from workbench.jobs.processes import OnStep
from workbench.methods.statistics.all_pairs import max_t
from workbench.storage.campaign import Campaign

MOST_RUNS = 5
STEPS = (1_000, 2_000, 5_000, 10_000)
"""Numbers of permutations that are offered."""
CELLS = 8_000_000
"""The default number of shuffled scores: a part of a second."""

DIFFERENCES = (0.01, 0.015, 0.02, 0.03, 0.04, 0.05, 0.06, 0.08, 0.1, 0.125, 0.15, 0.2)

Run = Annotated[str, Limits("The run that the others are compared with")]


@analysis("comparison", called="Comparing runs", sheet=sheet_of_runs)
def comparison(
    campaign: Campaign,
    on_step: OnStep,
    *,
    run: Annotated[Sequence[str], Limits("Two to five runs; the two best by default")] = (),
    baseline: Run | None = None,
    measure: MeasureName = "AP",
) -> Comparison:
    """Two to five runs on the same topics, each against the first of them."""
    scored = scores_of(campaign, measure)
    tags = list(dict.fromkeys([*([] if baseline is None else [baseline]), *run]))
    if len(tags) > MOST_RUNS:
        message = f"at most {MOST_RUNS} runs can be compared at once, not {len(tags)}; all pairs has them all"
        raise UnknownName(message)
    if len(tags) == 1:
        raise UnknownName(f"choose a second run to compare {tags[0]} with")
    return compare(scored.of_runs(chosen(tags or _best_two(scored))))


def _best_two(scored: Scored) -> list[str]:
    """The two runs at the top, the best one last."""
    merits = scored.merits
    return [scored.tags[place] for place in np.argsort(-merits, kind="stable")[:2][::-1]]


@analysis("pairs", called="All pairs of runs", sheet=sheet_of_pairs, people=sheet_of_groups)
def every_pair(
    campaign: Campaign,
    on_step: OnStep,
    *,
    measure: MeasureName = "AP",
    baseline: Run | None = None,
    permutations: Annotated[
        int,
        Limits("Number of permutations; what takes a part of a second by default", least=1, most=STEPS[-1]),
    ]
    | None = None,
    seed: Annotated[int, Limits("Random seed", least=0)] = SEED,
) -> AllPairs:
    """All pairs of runs, corrected for their number, and all runs against a baseline."""
    scored = scores_of(campaign, measure)
    if not scored.values.size:
        message = (
            f"nothing is judged in {campaign.name}, or no run takes part, so there are no pairs to compare"
        )
        raise CampaignError(message)
    if baseline is None:
        return pairs_of(scored, permutations=permutations or affordable(scored), seed=seed)
    scored.column(baseline)
    asked = {"measure": measure, "permutations": permutations, "seed": seed}
    pairs: AllPairs = PAIRS.answer(campaign, asked)
    rng, column = np.random.default_rng(pairs.seed), pairs.tags.index(baseline)
    by_chance = max_t(pairs.values, column, permutations=pairs.permutations, rng=rng)
    return replace(pairs, baseline=baseline, max_t=by_chance)


def affordable(scored: Scored) -> int:
    """The largest of STEPS that shuffles at most CELLS scores; at least the first."""
    return max((step for step in STEPS if step * scored.values.size <= CELLS), default=STEPS[0])


@analysis("plan", called="Number of topics", sheet=lambda found: sheet_of(Needed, found.needed))
def topics_needed(
    campaign: Campaign,
    on_step: OnStep,
    *,
    measure: MeasureName = "AP",
    difference: Annotated[float, Limits("The difference to detect", least=0.0001, most=1000)] = 0.05,
    power: Annotated[float, Limits("The chance to detect it", above=0, below=1)] = 0.8,
) -> TopicPlan:
    """How many topics show which difference, by how much the runs vary over topics; the one asked for comes first."""
    scored = scores_of(campaign, measure)
    differences = dict.fromkeys([difference, *DIFFERENCES])
    topics = dict.fromkeys([len(scored.topic_ids), *TOPICS])
    return plan_topics(scored, differences=list(differences), topics=list(topics), power=power)


COMPARISON, PAIRS, PLAN = (ANALYSES[name] for name in ("comparison", "pairs", "plan"))
