"""What a chart is: a specification without data, and its rows; and what all charts are made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.methods.charts import style

if TYPE_CHECKING:
    import altair

    alt = altair
else:

    class _Altair:
        """The library, loaded with the first chart: that takes longer than making one."""

        def __getattr__(self, name: str) -> Any:
            import altair

            return getattr(altair, name)

    alt = _Altair()

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


def marks(**size: Any) -> alt.Chart:
    """The beginning of a drawing: a mark for each row, on an area of this width and height."""
    return alt.Chart(alt.NamedData(name="rows"), **size)


def coloured(column: str, colours: Mapping[str, str], **more: Any) -> alt.Color:
    """Colours by the values of a column, in the order of the legend; without `title` the legend has none."""
    scale = alt.Scale(domain=list(colours), range=list(colours.values()))
    return alt.Color(f"{column}:N", scale=scale, **{"title": None, **more})


class Laid(NamedTuple):
    """Where topics and their values stand: few topics across, many below each other.

    `size` is that of the drawing, `topic` the channel of topics, `value` and `other` make those of values; `step` are
    the pixels for each topic.
    """

    size: dict[str, Any]
    topic: alt.X | alt.Y
    value: type[alt.X | alt.Y]
    other: type[alt.X2 | alt.Y2]
    step: float

    @property
    def across(self) -> bool:
        """Whether topics stand side by side."""
        return self.value is alt.Y


def laid(topic_ids: Sequence[str], title: str, height: int = 280) -> Laid:
    """The places of topics in this order; all of them are named, or every n-th."""
    number = len(topic_ids)
    look: dict[str, Any] = {"grid": False, "ticks": False, "domain": False, "labelOverlap": False}
    more: dict[str, Any] = {"title": title, "sort": list(topic_ids)}
    if number <= style.MOST_ACROSS:
        padding = 1 - min(0.8, number * style.WIDEST_BAR / style.WIDE)
        scale, axis = (
            alt.Scale(paddingInner=padding, paddingOuter=padding / 2),
            alt.Axis(labelAngle=-90, **look),
        )
        topic = alt.X("topic:N", scale=scale, axis=axis, **more)
        return Laid(
            {"width": style.WIDE, "height": height}, topic, alt.Y, alt.Y2, style.WIDE / max(1, number)
        )
    step = style.topic_step(number)
    named = list(topic_ids[:: style.every(step, style.TOPIC_STEP)])
    scale, axis = alt.Scale(padding=0.2 if step > 4 else 0), alt.Axis(values=named, **look)
    down = alt.Y("topic:N", scale=scale, axis=axis, **more)
    return Laid({"width": style.WIDE, "height": number * step}, down, alt.X, alt.X2, step)


def places_across(number: int, step: float, **more: Any) -> alt.Axis:
    """The axis above a matrix of so many runs: their places, or every n-th of them."""
    nth = style.every(step, 28)
    named = [place for place in range(1, number + 1) if place % nth == 0]
    return alt.Axis(values=named, orient="top", labelAngle=0, labelOverlap=False, ticks=False, **more)


def two_series(column: str, names: Sequence[str]) -> tuple[alt.Color, alt.Shape]:
    """Colours and shapes for the two values of a column, without a title."""
    shapes = alt.Scale(domain=list(names), range=["circle", "diamond"])
    colours = coloured(column, dict(zip(names, style.SERIES, strict=False)))
    return colours, alt.Shape(f"{column}:N", title=None, scale=shapes)


def tooltips(spec: str, *columns: str) -> list[alt.Tooltip]:
    """What is shown of numbers in these columns, each in the format `spec`."""
    return [alt.Tooltip(f"{column}:Q", format=spec) for column in columns]


def chart_of(
    name: str, title: str, drawing: alt.TopLevelMixin, rows: Sequence[Row], *, wide: bool = False
) -> Chart:
    """The chart that Altair's `drawing` makes of these rows; it refers to them as the data called "rows".

    The title is no part of the picture: the page and the paper around it say what it shows. Colours are those of
    paper; what a dark page takes instead goes along as `usermeta`. A page draws a `wide` one as wide as its place.
    """
    spec = drawing.to_dict(validate=False)
    spec["config"] = style.CONFIG
    spec["description"] = title
    spec["usermeta"] = {"dark": dict(style.DARK), "wide": wide}
    spec["datasets"] = {**spec.get("datasets", {}), "rows": [dict(row) for row in rows]}
    return Chart(name, title, spec, rows)


def noted(chart: Chart, note: str) -> Chart:
    """The chart with a note in the picture, above it, and in its title; with "" as it is."""
    if not note:
        return chart
    title = {"text": note, "anchor": "start", "fontSize": 11, "fontWeight": "normal", "color": style.INK_2}
    spec = {**chart.spec, "title": title, "description": f"{chart.title} ({note})"}
    return chart._replace(title=f"{chart.title}. {note.removesuffix('.')}", spec=spec)


def load_library() -> None:
    """Load the library that charts are made with."""
    _ = alt.Chart


def field(name: str) -> str:
    """A column's name as Vega-Lite takes it, which reads . and [ ] in a name as a path into an object."""
    return name.translate({ord(sign): "\\" + sign for sign in ".[]"})
