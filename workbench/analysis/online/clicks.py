"""Metrics of clicks by run, and the differences of the groups of an A/B test."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NamedTuple

import numpy as np

from workbench.analysis.online.units import Unit, Units, units_of
from workbench.core.errors import InputError, NotThere, Problem
from workbench.core.impressions import Impression
from workbench.core.results import FLAT, Column
from workbench.core.wording import none_such
from workbench.methods.online.metrics import METRICS, called
from workbench.methods.online.ratios import Ratio, difference, even_split, ratio
from workbench.methods.statistics.intervals import Interval
from workbench.methods.statistics.paired import holm


class ClickMetric(NamedTuple):
    """A metric of one run.

    Attributes:
        run: its tag, or the group; "" where the log names none.
        value: None where it is not defined.
        interval: of 95 %, by the delta method; None where nothing can be claimed.
        units: how many users, sessions or topics it rests on.
        lists: how many lists.
        note: why there is no interval.
    """

    run: str
    metric: str
    value: float | None
    interval: Annotated[Interval | None, FLAT]
    units: int
    lists: int
    note: str


class ClickMetrics(NamedTuple):
    """The metrics of all runs of a log; `unit` is what the sample is."""

    unit: Unit
    metrics: tuple[ClickMetric, ...]


class GroupDifference(NamedTuple):
    """A metric in a group of an A/B test minus that in the baseline.

    Attributes:
        run: the group.
        baseline: the group that it is compared with.
        value: of the group.
        baseline_value: of the baseline.
        difference: value minus baseline_value.
        interval: of 95 %, of the difference; None where nothing can be claimed.
        p: of Welch's test with variances by the delta method, two-sided.
        p_holm: corrected for all tests of the table.
        note: why there is no test.
    """

    run: str
    baseline: str
    metric: str
    value: float | None
    baseline_value: float | None
    difference: Annotated[float | None, Column(kind="signed")]
    interval: Annotated[Interval | None, FLAT, Column("Difference", "difference")]
    p: Annotated[float | None, Column("p", kind="p")]
    p_holm: Annotated[float | None, Column("p (Holm)", kind="p")]
    note: str


class Split(NamedTuple):
    """How many users or sessions each group has; `p` is of an even split, small where one group has too many."""

    groups: tuple[str, ...]
    units: tuple[int, ...]
    p: float


class ABTest(NamedTuple):
    """The outcome of an A/B test; `unit` is what the sample is."""

    unit: Unit
    split: Split
    differences: tuple[GroupDifference, ...]


class RunRatios(NamedTuple):
    """The metrics of a run as ratios, by their names."""

    units: int
    lists: int
    ratios: dict[str, Ratio]


def ratios_by_run(seen: Sequence[Impression], units: Units, cutoff: int) -> dict[str, RunRatios]:
    """The metrics of each run of a log, in the order of the log."""
    by_run: dict[str, list[int]] = {}
    for place, each in enumerate(seen):
        by_run.setdefault(each.run, []).append(place)
    return {run: _ratios(seen, units, places, cutoff) for run, places in by_run.items()}


def _ratios(seen: Sequence[Impression], units: Units, places: Sequence[int], cutoff: int) -> RunRatios:
    numbers: dict[str, int] = {}
    rows = [numbers.setdefault(units.ids[place], len(numbers)) for place in places]
    found = {}
    for name, metric in METRICS.items():
        parts, wholes = np.array([metric.part(seen[place], cutoff) for place in places]).T
        sums = (np.bincount(rows, each, len(numbers)).astype(np.float64) for each in (parts, wholes))
        found[called(name, cutoff)] = ratio(*sums)
    return RunRatios(len(numbers), len(places), found)


def click_metrics(seen: Sequence[Impression], *, cutoff: int = 10, by: Unit | None = None) -> ClickMetrics:
    """The metrics of clicks of each run. InputError: a list whose documents are not in the log, or without its unit."""
    _require_documents(seen)
    units = units_of(seen, by)
    highest = {called(name, cutoff): metric.highest for name, metric in METRICS.items()}
    found = (
        ClickMetric(
            run,
            name,
            each.value,
            each.interval(lowest=0.0, highest=highest[name]),
            of.units,
            of.lists,
            each.note,
        )
        for run, of in ratios_by_run(seen, units, cutoff).items()
        for name, each in of.ratios.items()
    )
    return ClickMetrics(units.of, tuple(found))


def _require_documents(seen: Sequence[Impression]) -> None:
    message = "shown is missing; write the ids of the documents of the list, by rank"
    if problems := [Problem(each.file, each.line, message) for each in seen if not each.shown]:
        raise InputError(problems)


def ab_test(seen: Sequence[Impression], *, baseline: str = "", cutoff: int = 10) -> ABTest:
    """Each group of a log against the baseline, by default the first group.

    Raises:
        InputError: a list without a group or a user, a user in two groups, or one group alone.
        NotThere: no group is called like the baseline.
    """
    _require_documents(seen)
    units = units_of(seen, "session" if seen[0].session and not seen[0].user else "user")
    _require_groups(seen, units)
    found = ratios_by_run(seen, units, cutoff)
    if baseline and baseline not in found:
        raise NotThere(none_such("group", baseline, list(found)))
    base = baseline or next(iter(found))
    rows = [
        (run, name, each, found[base].ratios[name], difference(each, found[base].ratios[name]))
        for run, of in found.items()
        if run != base
        for name, each in of.ratios.items()
    ]
    tested = [row[-1].p for row in rows if row[-1].p is not None]
    corrected = iter(holm(tested).tolist())
    sizes = [of.units for of in found.values()]
    return ABTest(
        units.of,
        Split(tuple(found), tuple(sizes), even_split(sizes)),
        tuple(
            GroupDifference(
                *(run, base, name, each.value, other.value, test.value, test.interval, test.p),
                None if test.p is None else next(corrected),
                test.note,
            )
            for run, name, each, other, test in rows
        ),
    )


def _require_groups(seen: Sequence[Impression], units: Units) -> None:
    problems, first = list[Problem](), dict[str, Impression]()
    for each, unit in zip(seen, units.ids, strict=True):
        before = first.setdefault(unit, each)
        if not each.run:
            problems.append(
                Problem(each.file, each.line, "run is missing; write the run or group of the list")
            )
        elif before.run and before.run != each.run:
            message = (
                f"{units.of} {unit!r} is in group {each.run!r}, and in {before.run!r} at {before.place}; "
                f"take this {units.of} out of the log"
            )
            problems.append(Problem(each.file, each.line, message))
    if not problems and len({each.run for each in seen}) < 2:
        problems.append(
            Problem(seen[0].file, None, f"all lists are of {seen[0].run!r}; add the log of another group")
        )
    if problems:
        raise InputError(problems)
