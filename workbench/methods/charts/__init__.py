"""Charts: a Vega-Lite specification made with Altair, the rows it shows, and the formats it can be saved in.

Nothing here knows a campaign: a function takes rows and returns a `Chart`.
"""

from __future__ import annotations

from workbench.methods.charts.chart import Chart, Row, load_library
from workbench.methods.charts.formats import FORMATS, Format

__all__ = ["FORMATS", "Chart", "Format", "Row", "load_library"]
