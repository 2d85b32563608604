"""A table of scores as text that other programs read; a registry, so that the command line only names a format."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from workbench.formats import score_tables
from workbench.formats.csv_cells import csv_lines
from workbench.formats.score_tables import Column, Row
from workbench.measures import BoundMeasure
from workbench.scoring.table import ScoreTable

Rendering = Callable[[ScoreTable], Iterator[str]]

RENDERINGS: dict[str, Rendering] = {}


def rendering(name: str) -> Callable[[Rendering], Rendering]:
    """Put a function that turns a table into lines of text into the registry."""

    def register(function: Rendering) -> Rendering:
        RENDERINGS[name] = function
        return function

    return register


def printed(measure: BoundMeasure, value: float) -> str:
    """A value as people read it: counts whole, everything else with four digits."""
    return score_tables.printed(value, _column(measure))


def printer(measure: BoundMeasure) -> Callable[[float], str]:
    """`printed` for many values of one measure."""
    column = _column(measure)
    return lambda value: score_tables.printed(value, column)


def best_values(table: ScoreTable) -> list[float | None]:
    """For each measure the best value, None where none is, or where all runs have the same."""
    return score_tables.best_values(_columns(table), _rows(table))


@rendering("csv")
def as_csv(table: ScoreTable) -> Iterator[str]:
    """CSV: `run` and the measures as they were asked for, with all digits."""
    return csv_lines([("run", *table.names), *((row.tag, *row.values) for row in table.rows)])


@rendering("trec")
def as_trec(table: ScoreTable) -> Iterator[str]:
    """The reference program's lines, run after run, each beginning with its `runid`."""
    for row in table.rows:
        yield f"{'runid':<22}\tall\t{row.tag}\n"
        for measure, value in zip(table.measures, row.values, strict=True):
            number = f"{value:.0f}" if measure.is_count else f"{value:6.4f}"
            yield f"{measure.trec_eval or measure!s:<22}\tall\t{number}\n"


@rendering("json")
def as_json(table: ScoreTable) -> Iterator[str]:
    """JSON: the point of the log, how much is judged, and for each run its values with all digits."""
    runs = [
        {"run": row.tag, "team": row.team, "scores": dict(zip(table.names, row.values, strict=True))}
        for row in table.rows
    ]
    head = {"seq": table.seq, "hash": table.head.hash.hex()}
    topics = {**table.topic_counts._asdict(), "only_finished": table.only_finished}
    content = {
        "as_of": head,
        "topics": table.topics,
        "topic_counts": topics,
        "judgments": table.judgments,
        "runs": runs,
    }
    yield json.dumps(content, ensure_ascii=False, indent=2) + "\n"


@rendering("latex")
def as_latex(table: ScoreTable) -> Iterator[str]:
    """A LaTeX tabular with the rules of booktabs, the best value of each measure in bold."""
    return score_tables.latex_lines(_columns(table), _rows(table))


def _column(measure: BoundMeasure) -> Column:
    return Column(str(measure), measure.is_count, measure.best)


def _columns(table: ScoreTable) -> list[Column]:
    return [_column(measure) for measure in table.measures]


def _rows(table: ScoreTable) -> list[Row]:
    return [Row(row.tag, row.values) for row in table.rows]
