"""Comparisons as short tables, in an interactive session and in notebooks."""

from __future__ import annotations

from workbench.analysis.comparing.runs import Comparison
from workbench.analysis.comparing.sheets import sheet_of_runs
from workbench.core.wording import counted
from workbench.formats.tables.frames import short_html, short_text


class ShownComparison(Comparison):
    """A comparison that shows itself as the table of `workbench compare`."""

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
