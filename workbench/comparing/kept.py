"""All pairs of runs, kept in memory: pages and figures of the same moment share one test, which takes its time."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from threading import Lock

import numpy as np

from workbench.campaign import Campaign, log
from workbench.comparing.all_pairs import AllPairs, pairs_of
from workbench.comparing.scores import SEED, Scored, scores_of
from workbench.statistics.all_pairs import max_t

KEPT = 16
STEPS = (1_000, 2_000, 5_000, 10_000)
"""Numbers of permutations that are offered."""
CELLS = 8_000_000
"""How many scores are shuffled where nobody says how often: a part of a second."""

Key = tuple[str, log.Head, str, int, int]

_kept: OrderedDict[Key, AllPairs] = OrderedDict()
_lock = Lock()


def kept_pairs(
    campaign: Campaign,
    measure: str = "AP",
    *,
    baseline: str | None = None,
    permutations: int | None = None,
    seed: int = SEED,
    as_of: int | None = None,
) -> AllPairs:
    """All pairs of runs; the same values as `all_pairs`, computed once for each row of the log.

    Args:
        campaign: an open campaign.
        measure: one measure in either notation.
        baseline: also compare all with this run by max-T.
        permutations: their number B, at most the last of STEPS; None for what takes a part of a second.
        seed: of the random procedures.
        as_of: a row of the log; None for now.

    Raises:
        NotThere: there is no such run to be the baseline.
        UnknownName: a measure that does not exist.
    """
    with campaign.snapshot():
        head, scored = log.head_at(campaign, as_of), scores_of(campaign, measure, as_of=as_of)
    asked = affordable(scored) if permutations is None else min(max(permutations, 1), STEPS[-1])
    key = (str(campaign.path.resolve()), head, str(scored.measure), asked, seed)
    with _lock:  # two who ask at once wait for one test
        if key not in _kept:
            _kept[key] = pairs_of(scored, permutations=asked, seed=seed)
        _kept.move_to_end(key)
        while len(_kept) > KEPT:
            _kept.popitem(last=False)
        pairs = _kept[key]
    return pairs if baseline is None else _against(pairs, scored.tags[scored.column(baseline)])


def affordable(scored: Scored) -> int:
    """The largest of STEPS that shuffles at most CELLS scores; at least the first."""
    return max((step for step in STEPS if step * scored.values.size <= CELLS), default=STEPS[0])


def _against(pairs: AllPairs, baseline: str) -> AllPairs:
    rng = np.random.default_rng(pairs.seed)
    column = pairs.tags.index(baseline)
    by_chance = max_t(pairs.values, column, permutations=pairs.permutations, rng=rng)
    return replace(pairs, baseline=baseline, max_t=by_chance)
