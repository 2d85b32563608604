"""Comparisons as JSON: every number with all its digits, and what would be needed to find it again."""

from __future__ import annotations

from typing import Any

from workbench.analysis.comparing.all_pairs import AllPairs
from workbench.analysis.comparing.documents import TopicDifference
from workbench.analysis.comparing.leaderboards import Agreement
from workbench.analysis.comparing.planning import TopicPlan
from workbench.analysis.comparing.runs import Comparison, RunDifference
from workbench.methods.measures.judged import FloatArray
from workbench.methods.statistics.paired import PairedTest


def runs_content(comparison: Comparison) -> dict[str, Any]:
    """A comparison of runs, with the score of each on every topic."""
    scores = dict(zip(comparison.tags, comparison.values.T, strict=True))
    return {
        "as_of": comparison.seq,
        "measure": str(comparison.measure),
        "topics": len(comparison.topic_ids),
        "seed": comparison.seed,
        "permutations": comparison.permutations,
        "baseline": comparison.baseline,
        "means": dict(zip(comparison.tags, comparison.means.tolist(), strict=True)),
        "differences": [_difference(found) for found in comparison.differences],
        "per_topic": {tag: _by_topic(comparison, values) for tag, values in scores.items()},
    }


def _difference(found: RunDifference) -> dict[str, Any]:
    return {
        "run": found.run,
        "difference": found.difference,
        "interval": None if found.interval is None else list(found.interval),
        "why_none": found.why_none,
        "wins": found.wins,
        "ties": found.ties,
        "losses": found.losses,
        "effect_size": found.effect_size,
        "tests": [_test(test) for test in found.tests],
        "p_holm": found.holm,
    }


def _test(test: PairedTest) -> dict[str, Any]:
    return test._asdict()


def _by_topic(comparison: Comparison, values: FloatArray) -> dict[str, float]:
    return dict(zip(comparison.topic_ids, values.tolist(), strict=True))


def pairs_content(found: AllPairs) -> dict[str, Any]:
    """All pairs: runs best first, p-values as matrices in that order."""
    return {
        "as_of": found.seq,
        "measure": str(found.measure),
        "topics": found.topics,
        "seed": found.seed,
        "permutations": found.permutations,
        "alpha": found.alpha,
        "runs": list(found.tags),
        "means": found.means.tolist(),
        "groups": list(found.letters),
        "p_to_the_best": found.to_the_best.tolist(),
        "p_randomised_tukey": found.randomised_tukey.tolist(),
        "p_t": found.paired_t.tolist(),
        "p_holm": found.holm.tolist(),
        "p_benjamini_hochberg": found.benjamini_hochberg.tolist(),
        "baseline": found.baseline,
        "p_max_t": None if found.max_t is None else found.max_t.tolist(),
    }


def agreement_content(agreement: Agreement) -> dict[str, Any]:
    """Two leaderboards: the coefficients, and where each run stands."""
    draws, overlap = agreement.tau_b_draws, agreement.rbo
    return agreement._asdict() | {
        "tau_b_draws": None if draws is None else list(draws),
        "rbo": None if overlap is None else overlap._asdict(),
        "positions": [position._asdict() for position in agreement.positions],
    }


def plan_content(plan: TopicPlan) -> dict[str, Any]:
    """Sizes of topic sets."""
    return plan._asdict() | {
        "measure": str(plan.measure),
        "needed": [needed._asdict() for needed in plan.needed],
        "detected": [detected._asdict() for detected in plan.detected],
    }


def documents_content(found: TopicDifference) -> dict[str, Any]:
    """The documents that make the difference on a topic."""
    return found._asdict() | {
        "measure": str(found.measure),
        "difference": found.difference,
        "judged": [each._asdict() for each in found.judged],
        "unjudged": [each._asdict() for each in found.unjudged],
    }
