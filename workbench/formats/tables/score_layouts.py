"""Scores as other programs read them, one score a line, in layouts that are declared here for all commands.

Several have four columns, so no file shows which one it has: the user names it. The columns are those of
auto-judge-base (leaderboard.py), for `argue` of argue-viz's file of scores, and for `ir_measures-cli` what that program
prints of a run with `-q` (ir_measures/__main__.py); what it prints without, two columns, is read too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from workbench.core.errors import WorkbenchError
from workbench.core.wording import listed

OVERALL = "all"
"""Stands in the place of a topic where a score is of all topics together."""


class Score(NamedTuple):
    """One value of a run; `topic` is None where it is of all topics together."""

    run: str
    topic: str | None
    measure: str
    value: float


class Layout(NamedTuple):
    """How a score is written.

    Attributes:
        columns: the fields of a Score in their order, each with its name in this layout.
        separator: what stands between columns; "" for a JSON object a line.
        has_head: whether the first line names the columns.
        number: how a value is written between separators.
    """

    columns: Mapping[str, str]
    separator: str = "\t"
    has_head: bool = False
    number: Callable[[float], str] = str

    def names(self, score: Score) -> list[str]:
        """The run, the topic and the measure, as far as there are columns for them."""
        cells = {**score._asdict(), "topic": OVERALL if score.topic is None else score.topic}
        return [cells[field] for field in self.columns if field != "value"]

    def line(self, score: Score) -> str:
        """One line, with all digits of the value, which is its last column."""
        names = self.names(score)
        if self.separator:
            return self.separator.join([*names, self.number(score.value)]) + "\n"
        import json  # eval knows the layouts, and does not need it

        return json.dumps(dict(zip(self.columns.values(), [*names, score.value], strict=True))) + "\n"


def _in_order(fields: str, names: str = "") -> Mapping[str, str]:
    return MappingProxyType(dict(zip(fields.split(), (names or fields).split(), strict=True)))


LAYOUTS: Mapping[str, Layout] = MappingProxyType(
    {
        "ir_measures": Layout(_in_order("run topic measure value")),
        "ir_measures-cli": Layout(_in_order("topic measure value")),
        "tot": Layout(_in_order("run measure topic value")),
        "rag4reports": Layout(_in_order("topic run measure value")),
        "trec_eval": Layout(_in_order("measure topic value")),
        "jsonl": Layout(_in_order("run topic measure value", "run_id topic_id measure value"), separator=""),
        "argue": Layout(
            _in_order("run topic measure value", "run_id request_id metric value"),
            has_head=True,
            number=lambda value: str(float(value)),
        ),
    }
)

READ: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        **{name: tuple(layout.columns) for name, layout in LAYOUTS.items()},
        "ranking": ("topic", "q0", "run", "rank", "value", "measure"),
    }
)
"""The columns of each layout that is read (`formats.leaderboards`)."""


def score_lines(scores: Iterable[Score], name: str) -> Iterator[str]:
    """The lines of a layout, by its name.

    Raises WorkbenchError where the layout has no place for the names of several runs, a topic is called as all topics
    together are, or a name has a blank, at which programs split the lines.
    """
    layout, scores = LAYOUTS[name], tuple(scores)
    tags = tuple(dict.fromkeys(score.run for score in scores))
    if "run" not in layout.columns and len(tags) > 1:
        others = listed([other for other, each in LAYOUTS.items() if "run" in each.columns])
        message = f"the layout {name} does not name runs, and there are {len(tags):,} ({listed(tags)})"
        raise WorkbenchError(f"{message}; choose a layout that does: {others}")
    if layout.has_head:
        yield layout.separator.join(layout.columns.values()) + "\n"
    for score in scores:
        if score.topic == OVERALL:
            message = f"run {score.run} has a topic called {OVERALL}, as all topics together are called"
            raise WorkbenchError(f"{message}; rename the topic")
        if layout.separator and (odd := [text for text in layout.names(score) if text.split() != [text]]):
            message = f"{odd[0]!r} has a blank, at which programs split the lines of the layout {name}"
            raise WorkbenchError(f"{message}; choose jsonl, or another name")
        yield layout.line(score)
