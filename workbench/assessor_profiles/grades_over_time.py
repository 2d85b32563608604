"""Whether an assessor's grades move against those of others over time, as a test.

Only pairs that others judged too tell: by how many steps of the scale the grade is above theirs, in the order of
judging. Topics come one after another, and each has other peers, so a trend over all may come from them; the second
test, within topics alone, leaves that out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from workbench.assessor_profiles.against_peers import UNLIKELY, SharedPair
from workbench.campaign.at_work import Made
from workbench.statistics.trend import Trend, trend

ENOUGH = 10
"""With fewer pairs nothing is tested."""

SHUFFLES, FEWEST_SHUFFLES = 2000, 200
SHUFFLED = 10_000_000
"""So often values are shuffled, less often where they are more than SHUFFLED in all: a page waits for them."""

SEED = 1


class Drift(NamedTuple):
    """How the grades' distance to those of others changes from the first pair in common to the last, in steps of the
    scale: over all such pairs, and within topics alone; with the seed of the shuffles.
    """

    whole: Trend
    within: Trend
    seed: int


def drift_of(made: Sequence[Made], pairs: Sequence[SharedPair], *, seed: int = SEED) -> Drift:
    """The drift of one assessor.

    Args:
        made: the judgments on the screen in the order of the log; a pair stands where it was judged last.
        pairs: those that others judged too. A pair does not count whose grade in force is not the one of the screen.
        seed: where chance starts.
    """
    last = {(each.topic_id, each.document_id): each for each in made}
    told = [
        (last[place].seq, pair.topic_id, pair.above)
        for pair in pairs
        if (place := (pair.topic_id, pair.document_id)) in last and last[place].grade == pair.grade
    ]
    told.sort(key=lambda each: each[0])
    above, topics = [each[2] for each in told], [each[1] for each in told]
    return Drift(_tested(above, None, seed), _tested(above, topics, seed), seed)


def _tested(above: Sequence[float], topics: Sequence[str] | None, seed: int) -> Trend:
    if len(above) < ENOUGH:
        note = f"not defined: {len(above)} pairs in common were judged on the screen, and {ENOUGH} are needed"
        return Trend(None, None, len(above), note)
    number = min(SHUFFLES, max(FEWEST_SHUFFLES, SHUFFLED // len(above)))
    return trend(above, topics, permutations=number, rng=np.random.default_rng(seed))


def drift_in_words(drift: Drift) -> list[str]:
    """What the tests say, in sentences."""
    whole, within = drift.whole, drift.within
    if whole.change is None or whole.p_value is None:
        return [f"Drift against the others: {whole.note}."]
    first = (
        f"Against the others the grades move by {_steps(whole.change)} from the first to the last of {whole.n:,} "
        f"pairs in common, along a straight line: p = {_p(whole.p_value)} by shuffling their order ({whole.note}, "
        f"seed {drift.seed}). {_meaning(whole.change, whole.p_value)}"
    )
    if within.change is None or within.p_value is None:
        return [first, "Within topics alone it is not defined: no topic has two pairs that differ."]
    second = (
        f"Within topics alone, which leaves out that topics and those who share them differ: "
        f"{_steps(within.change)}, p = {_p(within.p_value)} ({within.n:,} pairs, {within.note})."
    )
    return [first, second]


def _meaning(change: float, p_value: float) -> str:
    if p_value >= UNLIKELY:
        return "That may well be chance."
    return f"Chance hardly explains that: the grades become {'more lenient' if change > 0 else 'stricter'}."


def _steps(change: float) -> str:
    return f"{change:+.2f} steps of the scale".replace("-", "−")


def _p(p_value: float) -> str:
    return "below 0.001" if p_value < 0.001 else f"{p_value:.3f}"
