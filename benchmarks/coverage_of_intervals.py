"""How often the intervals that the workbench offers hold what they are about, where the truth is known.

    .venv/bin/python benchmarks/coverage_of_intervals.py [REPETITIONS]

Topics (or pairs of judgments) are drawn from a population whose mean (or agreement) is known, and the share of draws
whose interval holds it is counted; "95 %" should be .95. Populations of scores are those of real runs on the 100 topics
of Robust 2003 (with WORKBENCH_TEST_DATA set), drawn with replacement, and of distributions with a skew or many
zeros. Where an interval is refused the draw does not count, and the share of refusals is in brackets. The functions are
the workbench's own; percentile and BCa bootstrap are beside them to compare with, and come from here.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

import numpy as np
from data import machine
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from workbench.campaign.assigning.drawing import draw
from workbench.methods.statistics.agreement import (
    Coefficient,
    cohen_kappa,
    gwet_ac,
    krippendorff_alpha,
    overlap,
    raw_agreement,
)
from workbench.methods.statistics.intervals import resampled_means, t_intervals
from workbench.methods.statistics.rank_correlation import tau_b, tau_b_of_each
from workbench.methods.statistics.ratings import Ratings, ratings_of

FloatArray = NDArray[np.float64]
Pair = tuple[FloatArray, FloatArray]
Judge = Callable[[int, np.random.Generator], NDArray[np.int64]]

SEED = 5
TOPICS = (2, 3, 5, 10, 25, 50, 100)
PAIRS = (10, 20, 50, 100, 300)
RESAMPLES = 500
EPSILON = 1e-9


class Coverage(NamedTuple):
    """The share of intervals that hold the truth, of how many, and the share of draws that gave none."""

    share: float
    of: int
    refused: float

    def __str__(self) -> str:
        return "–" if not self.of else f"{self.share:.2f}" + f" ({self.refused:.2f})" * (self.refused > 0.005)


def covered(intervals: FloatArray, truth: float) -> Coverage:
    """Of intervals, float64 (n, 2), nan where there is none."""
    there = np.isfinite(intervals[:, 0])
    low, high = intervals[there].T
    hits = (low <= truth + EPSILON) & (truth - EPSILON <= high)
    return Coverage(float(hits.mean()) if len(hits) else 0.0, len(hits), float(1 - there.mean()))


def skewed() -> dict[str, FloatArray]:
    """Distributions of scores between 0 and 1, a million draws each."""
    rng = np.random.default_rng(SEED)
    draws = 1_000_000
    zeros = rng.beta(0.8, 2, draws) * (rng.random(draws) > 0.4)
    seldom = rng.random(draws) * (rng.random(draws) < 0.2)
    return {
        "beta(.5, 2)": rng.beta(0.5, 2, draws),
        "40 % zeros": zeros,
        "P@1 of .15": (rng.random(draws) < 0.15) * 1.0,
        "difference, gaussian": np.clip(rng.normal(0.03, 0.16, draws), -1, 1),
        "difference, 80 % ties": seldom,
    }


def of_robust(scores: Mapping[str, FloatArray]) -> dict[str, FloatArray]:
    """Scores of a run in the middle and of the last one, and differences of the best and the one in the middle."""
    order = np.argsort(-scores["AP"].mean(axis=0))
    best, middle, last = order[0], order[len(order) // 2], order[-1]
    found = {f"{name}, middle run": table[:, middle] for name, table in scores.items()}
    found["AP, last run"] = scores["AP"][:, last]
    return found | {
        f"{name}, difference": table[:, best] - table[:, middle] for name, table in scores.items()
    }


def robust_scores() -> dict[str, FloatArray]:
    """AP, P@10, nDCG@10 and RR of the 17 runs by topic, float64 (100, 17)."""
    from data import robust_qrels, robust_runs

    import workbench as wb
    from workbench.analysis.comparing.scores import scores_of_evaluation

    names = ["AP", "P@10", "nDCG@10", "RR"]
    found = wb.evaluate(robust_qrels(), robust_runs(), names).evaluation
    return {name: scores_of_evaluation(found, name).values for name in names}


def coverage_of_t(population: FloatArray, topics: int, repetitions: int, seed: int = SEED) -> Coverage:
    """Of the interval on the board and of Compare."""
    drawn = np.random.default_rng(seed).choice(population, size=(topics, repetitions))
    lowest = -1.0 if population.min() < 0 else 0.0
    return covered(t_intervals(drawn, lowest=lowest, highest=1), float(population.mean()))


def coverage_of_bootstrap(population: FloatArray, topics: int, repetitions: int) -> tuple[Coverage, Coverage]:
    """Of percentiles and BCa, which the workbench does not offer for means."""
    rng = np.random.default_rng(SEED)
    percentile, corrected = [], []
    for _ in range(repetitions):
        row = rng.choice(population, size=topics)
        if np.ptp(row) <= EPSILON:
            percentile.append((np.nan, np.nan))
            corrected.append((np.nan, np.nan))
            continue
        means = resampled_means(row[:, None], resamples=RESAMPLES, rng=rng)[:, 0]
        percentile.append(tuple(np.quantile(means, [0.025, 0.975])))
        corrected.append(tuple(np.quantile(means, _bca(row, means))))
    truth = float(population.mean())
    return covered(np.array(percentile), truth), covered(np.array(corrected), truth)


def _bca(row: FloatArray, means: FloatArray) -> FloatArray:
    """The two shares that BCa looks up instead of .025 and .975 (Efron 1987)."""
    below = ((means < row.mean()).mean() + (means <= row.mean()).mean()) / 2
    bias = ndtri(np.clip(below, 1 / RESAMPLES, 1 - 1 / RESAMPLES))
    apart = row - row.mean()  # the mean less the one without a topic, up to a factor
    skew = (apart**3).sum() / (6 * (apart**2).sum() ** 1.5)
    reach = bias + ndtri([0.025, 0.975])
    return np.asarray(ndtr(bias + reach / (1 - skew * reach)), np.float64)


def coverage_of_tau(boards: Pair, topics: int, repetitions: int) -> tuple[Coverage, float]:
    """Of the middle 95 % of the draws, and the mean of tau over samples of so many topics."""
    rng = np.random.default_rng(SEED)
    truth = tau_b(*(table.mean(axis=0) for table in boards)) or 0.0
    found, taus = [], []
    for _ in range(repetitions):
        chosen = rng.integers(0, len(boards[0]), topics)
        tables = [table[chosen] for table in boards]
        means = resampled_means(np.hstack(tables), resamples=RESAMPLES, rng=rng)
        found.append(np.quantile(tau_b_of_each(*np.hsplit(means, 2)), [0.025, 0.975]))
        taus.append(tau_b(*(table.mean(axis=0) for table in tables)) or 0.0)
    return covered(np.array(found), truth), float(np.mean(taus))


def drawn_boards(runs: int, apart: float, shared: float) -> Pair:
    """Two leaderboards of runs whose qualities lie `apart`, and whose noise on a topic is correlated by `shared`."""
    rng = np.random.default_rng(SEED)
    topics = 4_000
    quality, topic = rng.normal(0, apart, runs), rng.normal(0, 1, (topics, 1))
    noise = rng.normal(0, 1, (2, topics, runs))
    other = 0.95 * quality + 0.3 * rng.normal(0, apart, runs)
    second = shared * noise[0] + np.sqrt(1 - shared**2) * noise[1]
    one, two = (1 / (1 + np.exp(-each)) for each in (topic + quality + noise[0], topic + other + second))
    return one, two


def boards_of(scores: Mapping[str, FloatArray]) -> dict[str, Pair]:
    """Two leaderboards of the real runs, and such as are drawn."""
    return {
        "AP and nDCG@10": (scores["AP"], scores["nDCG@10"]),
        "AP and P@10": (scores["AP"], scores["P@10"]),
        "50 drawn runs": drawn_boards(50, 0.4, 0.7),
        "17 drawn runs, close": drawn_boards(17, 0.05, 0.95),
    }


def of_relevance(share: float, hit: float, false_alarm: float, assessors: int = 2) -> Judge:
    """Assessors who find a relevant document, of which there is this share, and one that is not, so often."""

    def judged(pairs: int, rng: np.random.Generator) -> NDArray[np.int64]:
        relevant = rng.random(pairs) < share
        chance = np.where(relevant, hit, false_alarm)[:, None]
        return (rng.random((pairs, assessors)) < chance).astype(np.int64)

    return judged


def of_grades(pairs: int, rng: np.random.Generator, assessors: int = 2) -> NDArray[np.int64]:
    """Four grades, of which half are 0, with noise."""
    true = np.digitize(rng.normal(0, 1, pairs), [0.2, 0.9, 1.5])[:, None]
    return np.clip(np.rint(true + rng.normal(0, 0.7, (pairs, assessors))), 0, 3).astype(np.int64)


ASSESSORS: dict[str, tuple[Judge, int]] = {
    "2 assessors, 5 % relevant": (of_relevance(0.05, 0.75, 0.03), 2),
    "2 assessors, 20 % relevant": (of_relevance(0.2, 0.85, 0.08), 2),
    "2 assessors, 50 % relevant": (of_relevance(0.5, 0.93, 0.07), 2),
    "4 assessors, 30 % relevant": (of_relevance(0.3, 0.85, 0.1, 4), 2),
    "2 assessors, 4 grades": (of_grades, 4),
    "5 assessors, 4 grades": (lambda pairs, rng: of_grades(pairs, rng, 5), 4),
}

COEFFICIENTS: dict[str, Callable[[Ratings, FloatArray | None], Coefficient]] = {
    "raw": raw_agreement,
    "overlap": lambda ratings, draws: overlap(ratings, 1, draws),
    "kappa": lambda ratings, draws: cohen_kappa(ratings, draws=draws),
    "weighted kappa": lambda ratings, draws: cohen_kappa(ratings, "quadratic", draws),
    "alpha": lambda ratings, draws: krippendorff_alpha(ratings, draws=draws),
    "ordinal alpha": lambda ratings, draws: krippendorff_alpha(ratings, "ordinal", draws),
    "AC1": lambda ratings, draws: gwet_ac(ratings, draws=draws),
}


def coverage_of_agreement(
    judge: Judge, categories: int, pairs: int, repetitions: int, names: Iterable[str] = COEFFICIENTS
) -> dict[str, Coverage]:
    """Of the coefficients' intervals over pairs drawn again; the truth is that of 200,000 pairs."""
    rng = np.random.default_rng(SEED)
    whole = ratings_of(judge(200_000, rng), categories)
    truth = {name: COEFFICIENTS[name](whole, None).value for name in names}
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in names}
    for _ in range(repetitions):
        ratings = ratings_of(judge(pairs, rng), categories)
        draws = ratings.resampled(RESAMPLES, rng)
        for name, told in found.items():
            told.append(COEFFICIENTS[name](ratings, draws).interval or (np.nan, np.nan))
    return {
        name: covered(np.array(told), truth[name] or 0.0)
        for name, told in found.items()
        if truth[name] is not None
    }


class Sampled(NamedTuple):
    """How pairs are drawn for a second judgment, from 2,000 pairs of a population."""

    judge: Judge
    categories: int
    stratify: str
    allocate: str


STRATA = {
    "relevant or not, by grade, equal": Sampled(of_relevance(0.2, 0.85, 0.05), 2, "grade", "equal"),
    "5 % relevant, by grade, equal": Sampled(of_relevance(0.07, 0.8, 0.02), 2, "grade", "equal"),
    "4 grades, by grade, equal": Sampled(of_grades, 4, "grade", "equal"),
    "4 grades, by grade": Sampled(of_grades, 4, "grade", "proportional"),
    "4 grades, by topic": Sampled(of_grades, 4, "topic", "proportional"),
    "4 grades, by topic, equal": Sampled(of_grades, 4, "topic", "equal"),
}
OF_STRATA = ("raw", "AC1", "kappa", "weighted kappa", "alpha", "ordinal alpha", "overlap")
SIZES = (60, 100, 200)


def coverage_of_strata(kind: Sampled, pairs: int, repetitions: int, seed: int = SEED) -> dict[str, Coverage]:
    """Of the intervals of weighted pairs drawn by stratum, 40 topics of unequal length; the truth as above."""
    rng = np.random.default_rng(seed)
    whole = ratings_of(kind.judge(200_000, rng), kind.categories)
    truth = {name: COEFFICIENTS[name](whole, None).value or 0.0 for name in OF_STRATA}
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in OF_STRATA}
    for _ in range(repetitions):
        labels = kind.judge(2000, rng)
        stratum = (
            labels[:, 0] if kind.stratify == "grade" else rng.choice(40, 2000, p=rng.dirichlet([1.5] * 40))
        )
        frame = {(str(name), str(place)): str(name) for place, name in enumerate(stratum.tolist())}
        drawn = draw(frame, pairs / 2000, int(rng.integers(1 << 30)), kind.allocate)
        ratings = ratings_of(
            labels[[int(each.document_id) for each in drawn]],
            kind.categories,
            weights=[1 / each.inclusion_probability for each in drawn],
            strata=[int(each.stratum) for each in drawn],
        )
        draws = ratings.resampled(RESAMPLES, rng)
        for name, told in found.items():
            told.append(COEFFICIENTS[name](ratings, draws).interval or (np.nan, np.nan))
    return {name: covered(np.array(told), truth[name]) for name, told in found.items()}


def strata(repetitions: int) -> None:
    """The table of weighted samples."""
    row("drawn for a second judgment", (f"{name}, {' / '.join(map(str, SIZES))}" for name in OF_STRATA))
    for name, kind in STRATA.items():
        by_size = [coverage_of_strata(kind, pairs, repetitions) for pairs in SIZES]
        row(name, (" / ".join(str(found[coefficient]) for found in by_size) for coefficient in OF_STRATA))


def row(name: str, cells: Iterable[object]) -> None:
    """A line of a table in Markdown."""
    print(f"| {name} | {' | '.join(map(str, cells))} |", flush=True)


def means(populations: Mapping[str, FloatArray], repetitions: int) -> None:
    """The tables of means: what is offered, and what is not."""
    row("mean over topics: t", TOPICS)
    for name, population in populations.items():
        row(name, (coverage_of_t(population, topics, 20 * repetitions) for topics in TOPICS))
    row("not offered: percentiles / BCa", TOPICS)
    for name, population in populations.items():
        pairs = (coverage_of_bootstrap(population, topics, repetitions) for topics in TOPICS)
        row(name, (f"{one.share:.2f} / {two.share:.2f}" for one, two in pairs))


def main(repetitions: int) -> None:
    print(machine())
    strata(repetitions)
    scores = robust_scores()
    means(of_robust(scores) | skewed(), repetitions)
    row("tau_b: 95 % of the draws (mean of tau)", TOPICS[2:])
    for name, both in boards_of(scores).items():
        found = [coverage_of_tau(both, topics, repetitions) for topics in TOPICS[2:]]
        truth = tau_b(*(table.mean(axis=0) for table in both)) or 0.0
        row(f"{name}, tau {truth:.2f}", (f"{coverage} ({mean:.2f})" for coverage, mean in found))
    for name, (judge, categories) in ASSESSORS.items():
        row(name, PAIRS)
        of_two = (
            {"weighted kappa", "ordinal alpha"} if categories == 2 else set()
        )  # the same as without weights
        names = [name for name in COEFFICIENTS if name not in of_two]
        by_pairs = [coverage_of_agreement(judge, categories, pairs, repetitions, names) for pairs in PAIRS]
        for coefficient in by_pairs[0]:
            row(coefficient, (found[coefficient] for found in by_pairs))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
