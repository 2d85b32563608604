"""Comparisons as sheets of rows and columns, and as short tables in interactive sessions and notebooks."""

from __future__ import annotations

import numpy as np

from workbench.analysis.comparing.all_pairs import AllPairs
from workbench.analysis.comparing.runs import Comparison, RunDifference
from workbench.core.results import Column
from workbench.core.wording import counted
from workbench.formats.tables.frames import short_html, short_text
from workbench.formats.tables.sheets import Cell, Sheet

RUNS = (
    Column("Run", "run", "text"),
    Column("Mean", "mean", "score"),
    Column("Difference", "difference", "signed"),
    Column("95% low", "interval_low", "signed"),
    Column("95% high", "interval_high", "signed"),
    Column("Wins", "wins", "count"),
    Column("Ties", "ties", "count"),
    Column("Losses", "losses", "count"),
    Column("t p", "p_t", "p"),
    Column("Holm p", "p_holm", "p"),
    Column("Random. p", "p_randomisation", "p"),
    Column("Wilcoxon p", "p_wilcoxon", "p"),
    Column("Sign p", "p_sign", "p"),
    Column("d_z", "effect_size", "size"),
)


def sheet_of_runs(comparison: Comparison) -> Sheet:
    """The baseline, and each run against it."""
    empty = (None,) * (len(RUNS) - 2)
    baseline = (comparison.baseline, float(comparison.means[0]), *empty)
    return Sheet(RUNS, (baseline, *map(_row_of_run, comparison.differences)))


def _row_of_run(found: RunDifference) -> tuple[Cell, ...]:
    low, high = found.interval or (None, None)
    counts = found.wins, found.ties, found.losses
    tests = (found.randomisation.p_value, found.wilcoxon.p_value, found.sign.p_value)
    head = found.run, found.mean, found.difference, low, high
    return (*head, *counts, found.t.p_value, found.holm, *tests, found.effect_size)


def sheet_of_groups(found: AllPairs) -> Sheet:
    """The runs, best first, with their groups; p-values against the best, and against the baseline if there is one."""
    columns = [
        Column("Run", "run", "text"),
        Column("Mean", "mean", "score"),
        Column("Group", "group", "text"),
        Column("p to best", "p_to_best", "p"),
    ]
    cells: list[list[Cell]] = [
        [tag, float(found.means[run]), found.letters[run], float(found.to_the_best[run])]
        for run, tag in enumerate(found.tags)
    ]
    if found.max_t is not None:
        columns.append(Column(f"max-T p to {found.baseline}", "p_max_t", "p"))
        for run, row in enumerate(cells):
            row.append(None if found.tags[run] == found.baseline else float(found.max_t[run]))
    return Sheet(tuple(columns), tuple(map(tuple, cells)))


PAIRS = (
    Column("Run", "run", "text"),
    Column("Other", "other", "text"),
    Column("Difference", "difference", "signed"),
    Column("Random. Tukey p", "p_randomised_tukey", "p"),
    Column("t p", "p_t", "p"),
    Column("Holm p", "p_holm", "p"),
    Column("BH p", "p_benjamini_hochberg", "p"),
)


def sheet_of_pairs(found: AllPairs) -> Sheet:
    """One row for each pair of runs, the better one first."""
    matrices = found.randomised_tukey, found.paired_t, found.holm, found.benjamini_hochberg
    first, second = np.triu_indices(len(found.tags), 1)
    differences = (found.means[first] - found.means[second]).tolist()
    columns = [matrix[first, second].tolist() for matrix in matrices]
    names = [[found.tags[run] for run in side] for side in (first, second)]
    return Sheet(PAIRS, tuple(zip(*names, differences, *columns, strict=True)))


class ShownComparison(Comparison):
    """A comparison that shows itself as the table of `workbench analyse compare`."""

    __slots__ = ()

    def __repr__(self) -> str:
        return short_text(sheet_of_runs(self), self._heading())

    def _repr_html_(self) -> str:
        return short_html(sheet_of_runs(self), self._heading())

    def _heading(self) -> str:
        return f"{self.measure} on {counted(len(self.topic_ids), 'topic')}, against {self.baseline}"


def shown(comparison: Comparison) -> ShownComparison:
    """The same comparison, which shows itself."""
    return ShownComparison(*comparison)
