"""What a chart is: a specification without data, and its rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.methods.charts.style import CONFIG, DARK, INK_2

if TYPE_CHECKING:
    import altair

Row = Mapping[str, str | int | float | bool | None]
"""One mark of a chart, by the names of its columns."""


class Chart(NamedTuple):
    """A chart: the name of its file, what it shows in a sentence, its specification, and its rows.

    `spec` is Vega-Lite with the rows inside, as every renderer takes it; `rows` are the same rows, for a table.
    """

    name: str
    title: str
    spec: dict[str, Any]
    rows: Sequence[Row]


def chart_of(name: str, title: str, drawing: altair.TopLevelMixin, rows: Sequence[Row]) -> Chart:
    """The chart that Altair's `drawing` makes of these rows; it refers to them as the data called "rows".

    The title is no part of the picture: the page and the paper around it say what it shows. Colours are those of
    paper; what a dark page takes instead goes along as `usermeta`.
    """
    spec = drawing.to_dict(validate=False)
    spec["config"] = CONFIG
    spec["description"] = title
    spec["usermeta"] = {"dark": dict(DARK)}
    spec["datasets"] = {**spec.get("datasets", {}), "rows": [dict(row) for row in rows]}
    return Chart(name, title, spec, rows)


def noted(chart: Chart, note: str) -> Chart:
    """The chart with a note in the picture, above it, and in its title; with "" as it is."""
    if not note:
        return chart
    title = {"text": note, "anchor": "start", "fontSize": 11, "fontWeight": "normal", "color": INK_2}
    spec = {**chart.spec, "title": title, "description": f"{chart.title} ({note})"}
    return chart._replace(title=f"{chart.title}. {note.removesuffix('.')}", spec=spec)


def load_library() -> None:
    """Load the library that charts are made with, which takes longer than making one."""
    import altair  # noqa: F401


def field(name: str) -> str:
    """A column's name as Vega-Lite takes it, which reads . and [ ] in a name as a path into an object."""
    return name.translate({ord(sign): "\\" + sign for sign in ".[]"})
