"""Times of queries by run: mean, percentiles with intervals, and the longest."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, NamedTuple

import numpy as np

from workbench.core.results import Column
from workbench.formats.run_costs import Times
from workbench.methods.costs import percentile

SHARES = {"p50": 0.5, "p90": 0.9, "p95": 0.95, "p99": 0.99}


class Latency(NamedTuple):
    """One number of the times of a run.

    Attributes:
        run: its tag.
        queries: how many times there are.
        figure: mean, p50, p90, p95, p99 or max.
        seconds: its value.
        interval_from, interval_to: a 95 % interval of a percentile, whatever the distribution; None where there are too
            few times, and of the mean and the longest.
    """

    run: Annotated[str, Column("Run", "run")]
    queries: int
    figure: str
    seconds: Annotated[float, Column("Seconds", kind="quantity")]
    interval_from: Annotated[float | None, Column("95 % from", kind="quantity")] = None
    interval_to: Annotated[float | None, Column("to", kind="quantity")] = None


def latencies(times: Times) -> Iterator[Latency]:
    """The numbers of each run."""
    for run, seconds in times.items():
        number = len(seconds)
        yield Latency(run, number, "mean", float(np.mean(seconds)))
        for name, share in SHARES.items():
            yield Latency(run, number, name, *percentile(seconds, share))
        yield Latency(run, number, "max", max(seconds))
