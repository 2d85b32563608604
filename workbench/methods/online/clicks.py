"""Metrics of clicks by run, and the differences of the groups of an A/B test."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Annotated, NamedTuple

import numpy as np

from workbench.core.errors import InputError, NotThere, Problem
from workbench.core.impressions import Impression
from workbench.core.results import FLAT, HIDDEN, Column
from workbench.core.wording import none_such
from workbench.methods.online.metrics import CUTOFF, metrics_at
from workbench.methods.online.ratios import Estimate, difference, even_split, ratio
from workbench.methods.online.units import Unit, Units, default_unit, refuse, units_of
from workbench.methods.statistics.intervals import Interval
from workbench.methods.statistics.paired import holm_of_tested


class ClickMetric(NamedTuple):
    """A metric of one run.

    Attributes:
        run: its tag, or the group; "" where the log names none.
        value: None where it is not defined.
        interval: of 95 %, by the delta method; None where nothing can be claimed.
        units: how many users, sessions or topics it rests on.
        lists: how many lists.
        note: why there is no interval.
        ratio: the value with its standard error.
    """

    run: str
    metric: str
    value: float | None
    interval: Annotated[Interval | None, FLAT]
    units: int
    lists: int
    note: str
    ratio: Annotated[Estimate, HIDDEN]


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


def click_metrics(
    seen: Sequence[Impression], *, cutoff: int = CUTOFF, by: Unit | None = None
) -> ClickMetrics:
    """The metrics of clicks of each run, in the order of the log.

    InputError: a list whose documents are not in the log, or without its unit.
    """
    message = "shown is missing; write the ids of the documents of the list, by rank"
    refuse((each, "" if each.shown else message) for each in seen)
    units = units_of(seen, by)
    lists = defaultdict[str, list[Impression]](list)
    rows, numbers = defaultdict[str, list[int]](list), defaultdict[str, dict[str, int]](dict)
    for each, unit in zip(seen, units.ids, strict=True):
        lists[each.run].append(each)
        rows[each.run].append(numbers[each.run].setdefault(unit, len(numbers[each.run])))
    found = list[ClickMetric]()
    for run, of in lists.items():
        count = len(numbers[run])
        for name, metric in metrics_at(cutoff).items():
            each_list = np.array([metric.of_list(each, cutoff) for each in of], np.float64)
            weights = np.nan_to_num(each_list), np.isfinite(each_list)
            sums = ratio(*(np.bincount(rows[run], each, count).astype(np.float64) for each in weights))
            interval = sums.interval(lowest=0.0, highest=metric.highest)
            found.append(ClickMetric(run, name, sums.value, interval, count, len(of), sums.note, sums))
    return ClickMetrics(units.of, tuple(found))


def ab_test(seen: Sequence[Impression], *, baseline: str = "", cutoff: int = CUTOFF) -> ABTest:
    """Each group of a log against the baseline, by default the first group.

    Raises:
        InputError: a list without a group or a user, a user in two groups, or one group alone.
        NotThere: no group is called like the baseline.
    """
    by: Unit = "session" if default_unit(seen) == "session" else "user"
    _require_groups(seen, units_of(seen, by))
    groups = defaultdict[str, list[ClickMetric]](list)
    for each in click_metrics(seen, cutoff=cutoff, by=by).metrics:
        groups[each.run].append(each)
    if baseline and baseline not in groups:
        raise NotThere(none_such("group", baseline, list(groups)))
    base = baseline or next(iter(groups))
    rows = [
        (each, other, difference(each.ratio, other.ratio))
        for run, metrics in groups.items()
        if run != base
        for each, other in zip(metrics, groups[base], strict=True)
    ]
    corrected = holm_of_tested(test.p for _, _, test in rows)
    differences = (
        GroupDifference(
            *(each.run, base, each.metric, each.value, other.value),
            *(test.value, test.interval(), test.p, p_holm, test.note),
        )
        for (each, other, test), p_holm in zip(rows, corrected, strict=True)
    )
    sizes = tuple(metrics[0].units for metrics in groups.values())
    return ABTest(by, Split(tuple(groups), sizes, even_split(sizes)), tuple(differences))


def _require_groups(seen: Sequence[Impression], units: Units) -> None:
    first: dict[str, Impression] = {}

    def message(each: Impression, unit: str) -> str:
        before = first.setdefault(unit, each)
        if not each.run:
            return "run is missing; write the run or group of the list"
        if not before.run or before.run == each.run:
            return ""
        return (
            f"{units.of} {unit!r} is in group {each.run!r}, and in {before.run!r} at {before.file}:{before.line}; "
            f"take this {units.of} out of the log"
        )

    refuse((each, message(each, unit)) for each, unit in zip(seen, units.ids, strict=True))
    if len({each.run for each in seen}) < 2:
        alone = f"all lists are of {seen[0].run!r}; add the log of another group"
        raise InputError([Problem(seen[0].file, None, alone)])
