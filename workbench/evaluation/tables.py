"""An evaluation as text that other programs read; a registry, so that the command line only names a format."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from workbench.evaluation.evaluate import Evaluation, Scores
from workbench.evaluation.reference_output import OVERALL, lines_of_run
from workbench.formats.csv_cells import csv_lines
from workbench.formats.score_tables import Column, Row, latex_lines

Rendering = Callable[[Evaluation, bool, bool], Iterator[str]]
"""`rendering(evaluation, per_topic, summary)`: lines of text."""

RENDERINGS: dict[str, Rendering] = {}


def rendering(name: str) -> Callable[[Rendering], Rendering]:
    """Put a function that turns an evaluation into lines of text into the registry."""

    def register(function: Rendering) -> Rendering:
        RENDERINGS[name] = function
        return function

    return register


def columns_of(evaluation: Evaluation) -> list[Column]:
    """One column per measure; what is words, such as `runid`, has none."""
    return [
        Column(scores.asked.name, _is_whole(evaluation, scores), measure.best)
        for scores in evaluation.scores.values()
        if (measure := scores.asked.measure) is not None
    ]


def rows_of(evaluation: Evaluation, per_topic: bool, summary: bool) -> Iterator[Row]:
    """Run after run: its topics, then its summary, as far as these are asked for."""
    for run in range(len(evaluation.tags)):
        if per_topic:
            for topic in np.flatnonzero(evaluation.listed[:, run]).tolist():
                yield _topic_row(evaluation, run, topic)
        if summary:
            values = [_value(evaluation, each, each.overall[run]) for each in evaluation.scores.values()]
            yield Row(evaluation.tags[run], tuple(values))


def _topic_row(evaluation: Evaluation, run: int, topic: int) -> Row:
    values = [
        _value(evaluation, each, each.by_topic[topic, run]) if each.asked.has_topics else None
        for each in evaluation.scores.values()
    ]
    return Row(evaluation.tags[run], tuple(values), evaluation.topic_ids[topic])


def _value(evaluation: Evaluation, scores: Scores, value: float) -> float:
    return int(value) if _is_whole(evaluation, scores) else float(value)


def _is_whole(evaluation: Evaluation, scores: Scores) -> bool:
    measure = scores.asked.measure
    return measure is not None and measure.is_count and not evaluation.has_zscores


@rendering("trec")
def as_trec(evaluation: Evaluation, per_topic: bool, summary: bool) -> Iterator[str]:
    """The reference program's lines, run after run; of several runs each begins with its `runid`."""
    is_named = len(evaluation.tags) == 1 or any(asked.name == "runid" for asked in evaluation.asked)
    for run, tag in enumerate(evaluation.tags):
        if not is_named:
            yield f"{'runid':<22}\t{OVERALL}\t{tag}\n"
        yield from lines_of_run(evaluation, run, per_topic=per_topic, summary=summary)


@rendering("csv")
def as_csv(evaluation: Evaluation, per_topic: bool, summary: bool) -> Iterator[str]:
    """CSV with all digits: `run`, with topics also `topic` (`all` for the summary), and the measures."""
    heads = ["run", *(["topic"] if per_topic else []), *(column.name for column in columns_of(evaluation))]
    return csv_lines(
        [
            heads,
            *(
                [row.tag, *([row.topic_id or "all"] if per_topic else []), *row.values]
                for row in rows_of(evaluation, per_topic, summary)
            ),
        ]
    )


@rendering("json")
def as_json(evaluation: Evaluation, per_topic: bool, summary: bool) -> Iterator[str]:
    """JSON with all digits: for each run its scores, and with topics those of each topic."""
    names = [column.name for column in columns_of(evaluation)]
    runs: list[dict[str, Any]] = [{"run": tag} for tag in evaluation.tags]
    for run, content in enumerate(runs):
        if summary:
            content["scores"] = {
                each.asked.name: _value(evaluation, each, each.overall[run])
                for each in evaluation.scores.values()
            }
        if per_topic:
            content["topics"] = {
                row.topic_id: _named(names, row)
                for row in (
                    _topic_row(evaluation, run, topic)
                    for topic in np.flatnonzero(evaluation.listed[:, run]).tolist()
                )
            }
    yield json.dumps({"runs": runs}, ensure_ascii=False, indent=2) + "\n"


def _named(names: list[str], row: Row) -> dict[str, float]:
    return {name: value for name, value in zip(names, row.values, strict=True) if value is not None}


@rendering("latex")
def as_latex(evaluation: Evaluation, per_topic: bool, summary: bool) -> Iterator[str]:
    """A LaTeX tabular with the rules of booktabs, the best value of each measure in bold."""
    return latex_lines(columns_of(evaluation), list(rows_of(evaluation, per_topic, summary)))
