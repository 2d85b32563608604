"""Metrics of clicks, each the ratio of two sums over lists."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from workbench.core.impressions import Impression

Part = Callable[[Impression, int], tuple[float, float]]
"""What a list adds to both sums; the number is the cutoff k."""


class Metric(NamedTuple):
    """A metric: what it is, its part, whether less is better, and the largest value."""

    words: str
    part: Part
    lowest_is_best: bool = False
    highest: float = 1.0


def _at(seen: Impression, cutoff: int) -> float:
    return float(not set(seen.clicked).isdisjoint(seen.shown[:cutoff]))


def _reciprocal(seen: Impression) -> float:
    return 1 / (1 + min(map(seen.shown.index, seen.clicked))) if seen.clicked else 0.0


METRICS: Mapping[str, Metric] = MappingProxyType(
    {
        "CTR@1": Metric("lists with a click on the first document", lambda seen, k: (_at(seen, 1), 1.0)),
        "CTR@k": Metric(
            "lists with a click on one of the first k documents", lambda seen, k: (_at(seen, k), 1.0)
        ),
        "RR": Metric(
            "reciprocal rank of the highest click, 0 without one", lambda seen, k: (_reciprocal(seen), 1.0)
        ),
        "clicks": Metric(
            "clicked documents of a list",
            lambda seen, k: (float(len(set(seen.clicked))), 1.0),
            highest=float("inf"),
        ),
        "abandonment": Metric("lists without a click", lambda seen, k: (float(not seen.clicked), 1.0), True),
        "seconds": Metric(
            "seconds to the first click, of lists with one",
            lambda seen, k: (seen.seconds[0], 1.0) if seen.seconds else (0.0, 0.0),
            True,
            float("inf"),
        ),
    }
)
"""The metrics by their names."""


def called(metric: str, cutoff: int) -> str:
    """A metric's name with its cutoff."""
    return metric.replace("@k", f"@{cutoff}")
