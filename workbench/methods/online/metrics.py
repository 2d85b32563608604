"""Metrics of clicks, each the mean of what it is of a list."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from workbench.core.impressions import Impression

CUTOFF = 10
"""The usual k, and that of the summaries in campaigns."""


class Metric(NamedTuple):
    """A metric: its words, what it is of a list with the cutoff k (None: the list does not count), and its best end."""

    words: str
    of_list: Callable[[Impression, int], float | None]
    lowest_is_best: bool = False
    highest: float = 1.0


def _first_rank(seen: Impression) -> float:
    """The rank of the highest click; infinite without one."""
    clicked = set(seen.clicked)
    return next((rank for rank, each in enumerate(seen.shown, start=1) if each in clicked), float("inf"))


METRICS: Mapping[str, Metric] = MappingProxyType(
    {
        "CTR@1": Metric("lists with a click on the first document", lambda seen, k: _first_rank(seen) <= 1),
        "CTR@k": Metric(
            "lists with a click on one of the first k documents", lambda seen, k: _first_rank(seen) <= k
        ),
        "RR": Metric(
            "reciprocal rank of the highest click, 0 without one", lambda seen, k: 1 / _first_rank(seen)
        ),
        "clicks": Metric(
            "clicked documents of a list", lambda seen, k: len(set(seen.clicked)), highest=float("inf")
        ),
        "abandonment": Metric("lists without a click", lambda seen, k: not seen.clicked, True),
        "seconds": Metric(
            "seconds to the first click, of lists with one",
            lambda seen, k: seen.seconds[0] if seen.seconds else None,
            True,
            float("inf"),
        ),
    }
)
"""The metrics by their names."""


def metrics_at(cutoff: int) -> dict[str, Metric]:
    """The metrics by their names with a cutoff; with 1 there is one CTR."""
    return {name.replace("@k", f"@{cutoff}"): metric for name, metric in METRICS.items()}


USUAL: Mapping[str, Metric] = MappingProxyType(metrics_at(CUTOFF))
"""The same with the usual cutoff."""
