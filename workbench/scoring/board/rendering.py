"""A table of scores as text that other programs read; a registry, so that the command line only names a format."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from workbench.core.registry import Registry
from workbench.core.results import Column
from workbench.formats.tables import csv_cells, latex, sheets
from workbench.formats.tables.json_text import json_text
from workbench.formats.tables.sheets import Cell, Sheet, with_best
from workbench.methods.measures import BoundMeasure
from workbench.scoring.board.table import ScoreTable

Rendering = Callable[[ScoreTable], Iterator[str]]

RENDERINGS: Registry[Rendering] = Registry("format", "formats")
rendering = RENDERINGS.register


def printed(measure: BoundMeasure, value: float) -> str:
    """A value as people read it: counts whole, everything else with four digits."""
    return sheets.printed(value, _kind(measure))


def printer(measure: BoundMeasure) -> Callable[[float], str]:
    """What `printed` does with the values of one measure."""
    return sheets.PRINTED[_kind(measure)]


def _kind(measure: BoundMeasure) -> str:
    return "count" if measure.is_count else "value"


def sheet_of(table: ScoreTable, *, with_teams: bool = False) -> Sheet:
    """A row for each run with its value of every measure, the best of each marked; `with_teams` with their names."""
    heads = [Column("Run", "run", "text"), *([Column("Team", "team", "text")] if with_teams else [])]
    measures = [
        Column(str(measure), name, _kind(measure), measure.best)
        for name, measure in zip(table.names, table.measures, strict=True)
    ]
    rows: list[tuple[Cell, ...]] = [
        (row.tag, *([row.team] if with_teams else []), *row.values) for row in table.rows
    ]
    return with_best([*heads, *measures], rows)


@rendering("csv")
def as_csv(table: ScoreTable) -> Iterator[str]:
    """CSV: `run` and the measures as they were asked for, with all digits."""
    return csv_cells.as_csv(sheet_of(table))


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
    yield json_text(content, allow_nan=True)


@rendering("latex")
def as_latex(table: ScoreTable) -> Iterator[str]:
    """A LaTeX tabular with the rules of booktabs, the best value of each measure in bold."""
    return latex.as_latex(sheet_of(table))
