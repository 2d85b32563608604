"""An evaluation as text that other programs read; a registry, so that the command line only names a format."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from workbench.core.registry import Registry
from workbench.core.results import Column
from workbench.formats.tables.sheets import Sheet, with_best
from workbench.methods.measures.parsing import sources
from workbench.scoring.evaluation.evaluate import Evaluation, Scores, over_common_topics
from workbench.scoring.evaluation.reference_output import OVERALL, lines_of_run

Rendering = Callable[[Evaluation, bool, bool], Iterator[str]]
"""`rendering(evaluation, per_topic, summary)`: lines of text."""

RENDERINGS: Registry[Rendering] = Registry("format", "formats")
rendering = RENDERINGS.register


class Row(NamedTuple):
    """One run's values, one for each column; None where there is none. `topic_id` is '' for all topics."""

    tag: str
    values: tuple[float | None, ...]
    topic_id: str = ""


def columns_of(evaluation: Evaluation) -> list[Column]:
    """One column per measure; what is words, such as `runid`, has none."""
    return [
        Column(
            scores.requested.name,
            scores.requested.name,
            "count" if _is_whole(evaluation, scores) else "value",
            measure.best,
        )
        for scores in evaluation.scores.values()
        if (measure := scores.requested.measure) is not None
    ]


def rows_of(evaluation: Evaluation, per_topic: bool, summary: bool) -> Iterator[Row]:
    """Run after run: its topics, then its summary, as far as these are asked for."""
    for run in range(len(evaluation.tags)):
        if per_topic:
            yield from _topic_rows(evaluation, run)
        if summary:
            values = [_value(evaluation, each, each.overall[run]) for each in evaluation.scores.values()]
            yield Row(evaluation.tags[run], tuple(values))


def sheet_of(evaluation: Evaluation, per_topic: bool, summary: bool, *, topic_column: bool) -> Sheet:
    """The rows of `rows_of`, the best run of each topic and of all marked: of all over the topics that all runs have.

    Topics are in a column of their own, where the summary is `all`, or else after the names of the runs.
    """
    heads = [Column("Run", "run", "text"), *([Column("Topic", "topic", "text")] if topic_column else [])]
    rows = list(rows_of(evaluation, per_topic, summary))
    named: list[tuple[str, ...]] = [
        (row.tag, row.topic_id or "all") if topic_column else (f"{row.tag} {row.topic_id}".rstrip(),)
        for row in rows
    ]
    cells = [(*names, *row.values) for row, names in zip(rows, named, strict=True)]
    common = [over_common_topics(evaluation, each) for each in evaluation.scores.values()]
    merits = iter(np.reshape(common, (-1, len(evaluation.tags))).T.tolist())
    compared = [
        (
            *names,
            *(
                row.values
                if row.topic_id
                else (None if math.isnan(value) else value for value in next(merits))
            ),
        )
        for row, names in zip(rows, named, strict=True)
    ]
    marked = with_best([*heads, *columns_of(evaluation)], compared, [row.topic_id for row in rows])
    return marked._replace(rows=tuple(cells))


def _topic_rows(evaluation: Evaluation, run: int) -> Iterator[Row]:
    for topic in np.flatnonzero(evaluation.listed[:, run]).tolist():
        values = [
            _value(evaluation, each, each.by_topic[topic, run]) if each.requested.has_topics else None
            for each in evaluation.scores.values()
        ]
        yield Row(evaluation.tags[run], tuple(values), evaluation.topic_ids[topic])


def _value(evaluation: Evaluation, scores: Scores, value: float) -> float:
    return int(value) if _is_whole(evaluation, scores) else float(value)


def _is_whole(evaluation: Evaluation, scores: Scores) -> bool:
    measure = scores.requested.measure
    return measure is not None and measure.is_count and not evaluation.has_zscores


@rendering("trec")
def as_trec(evaluation: Evaluation, per_topic: bool, summary: bool) -> Iterator[str]:
    """The reference program's lines, run after run; of several runs each begins with its `runid`."""
    is_named = len(evaluation.tags) == 1 or any(
        requested.name == "runid" for requested in evaluation.requested
    )
    for run, tag in enumerate(evaluation.tags):
        if not is_named:
            yield f"{'runid':<22}\t{OVERALL}\t{tag}\n"
        yield from lines_of_run(evaluation, run, per_topic=per_topic, summary=summary)


@rendering("csv")
def as_csv(evaluation: Evaluation, per_topic: bool, summary: bool) -> Iterator[str]:
    """CSV with all digits: `run`, with topics also `topic` (`all` for the summary), and the measures."""
    from workbench.formats.tables import csv_cells

    return csv_cells.as_csv(sheet_of(evaluation, per_topic, summary, topic_column=per_topic))


@rendering("json")
def as_json(evaluation: Evaluation, per_topic: bool, summary: bool) -> Iterator[str]:
    """JSON with all digits: for each run its scores, and with topics those of each topic."""
    from workbench.formats.tables.json_text import json_text

    names = [column.name for column in columns_of(evaluation)]
    runs: list[dict[str, Any]] = [{"run": tag} for tag in evaluation.tags]
    for run, content in enumerate(runs):
        if summary:
            content["scores"] = {
                each.requested.name: _value(evaluation, each, each.overall[run])
                for each in evaluation.scores.values()
            }
        if per_topic:
            content["topics"] = {
                row.topic_id: {
                    name: value for name, value in zip(names, row.values, strict=True) if value is not None
                }
                for row in _topic_rows(evaluation, run)
            }
    found = sources(each.measure for each in evaluation.requested if each.measure is not None)
    yield json_text({"runs": runs, **({"plugins": found} if found else {})}, allow_nan=True)


@rendering("latex")
def as_latex(evaluation: Evaluation, per_topic: bool, summary: bool) -> Iterator[str]:
    """A LaTeX tabular with the rules of booktabs, the best value of each measure in bold."""
    from workbench.formats.tables import latex

    has_topics = per_topic and bool(evaluation.listed.any())
    return latex.as_latex(sheet_of(evaluation, per_topic, summary, topic_column=has_topics))
