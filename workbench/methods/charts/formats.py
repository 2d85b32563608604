"""The formats in which a chart can be saved; all are made on this machine, without a network."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import NamedTuple

from workbench.core.extras import needed
from workbench.formats.tables.csv_cells import csv_lines
from workbench.methods.charts.chart import Chart
from workbench.methods.charts.style import UNJUDGED

PIXELS_PER_UNIT = 2
"""Pictures of pixels are made for fine screens and for print."""


class Format(NamedTuple):
    """A format: its media type, the function that writes a chart in it, and whether an engine has to draw it."""

    media_type: str
    write: Callable[[Chart], bytes]
    is_drawn: bool = True


def write_svg(chart: Chart) -> bytes:
    """The chart as SVG."""
    return _svg(chart).encode()


def write_png(chart: Chart) -> bytes:
    """The chart as PNG on white."""
    drawn = _svg(chart, background="white")
    import vl_convert

    return bytes(vl_convert.svg_to_png(drawn, scale=PIXELS_PER_UNIT))


def write_pdf(chart: Chart) -> bytes:
    """The chart as PDF, one page of its size."""
    drawn = _svg(chart)
    import vl_convert

    return bytes(vl_convert.svg_to_pdf(drawn))


def write_csv(chart: Chart) -> bytes:
    """The chart's rows, with a first line of the columns' names."""
    columns = list(dict.fromkeys(name for row in chart.rows for name in row))
    cells = ([row.get(name) for name in columns] for row in chart.rows)
    return "".join(csv_lines([columns, *cells])).encode()


def write_json(chart: Chart) -> bytes:
    """The specification in Vega-Lite, rows and all."""
    return json.dumps(chart.spec, ensure_ascii=False, allow_nan=False).encode()


FORMATS = {
    "svg": Format("image/svg+xml", write_svg),
    "png": Format("image/png", write_png),
    "pdf": Format("application/pdf", write_pdf),
    "csv": Format("text/csv; charset=utf-8", write_csv, is_drawn=False),
    "json": Format("application/json", write_json, is_drawn=False),
}
"""By the ending of the file."""


HATCHED = """<defs><pattern id="unjudged" width="4" height="4" patternUnits="userSpaceOnUse" \
patternTransform="rotate(45)"><rect width="4" height="4" fill="{ground}"/><rect width="1.2" height="4" \
fill="{lines}"/></pattern></defs>"""
GROUND = "#f4f4f1"
"""Between the lines of what is unjudged."""

HATCHES = HATCHED.format(ground=GROUND, lines=UNJUDGED)


def _svg(chart: Chart, **changes: object) -> str:
    with needed():
        import vl_convert

    drawn = str(vl_convert.vegalite_to_svg({**chart.spec, **changes}))
    filled = f'fill="{UNJUDGED}"'
    if filled not in drawn:
        return drawn
    end = drawn.index(">", drawn.index("<svg")) + 1
    return drawn[:end] + HATCHES + drawn[end:].replace(filled, 'fill="url(#unjudged)"')
