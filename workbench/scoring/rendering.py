"""A table of scores as text that other programs read; a registry, so that the command line only names a format."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from workbench.formats.csv_cells import csv_lines
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
    """A value as people read it: counts whole, everything else with four digits, as C's %.4f prints them."""
    return f"{value:,.0f}" if measure.is_count else f"{value:.4f}"


def best_values(table: ScoreTable) -> list[float | None]:
    """For each measure the highest value, None for counts and where there is but one run to choose from."""
    if len(table.rows) < 2:
        return [None] * len(table.measures)
    columns = zip(*(row.values for row in table.rows), strict=True)
    return [
        None if measure.is_count else max(column)
        for measure, column in zip(table.measures, columns, strict=True)
    ]


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
    content = {"as_of": head, "topics": table.topics, "judgments": table.judgments, "runs": runs}
    yield json.dumps(content, ensure_ascii=False, indent=2) + "\n"


LATEX_ESCAPES = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "&": r"\&",
        "%": r"\%",
        "$": r"\$",
        "#": r"\#",
        "_": r"\_",
        "{": r"\{",
        "}": r"\}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
    }
)


@rendering("latex")
def as_latex(table: ScoreTable) -> Iterator[str]:
    """A LaTeX tabular with the rules of booktabs, the best value of each measure in bold."""
    yield f"\\begin{{tabular}}{{l{'r' * len(table.measures)}}}\n\\toprule\n"
    yield (
        " & ".join(["Run", *(str(measure).translate(LATEX_ESCAPES) for measure in table.measures)])
        + " \\\\\n"
    )
    yield "\\midrule\n"
    best = best_values(table)
    for row in table.rows:
        cells = [
            f"\\textbf{{{printed(measure, value)}}}" if value == top else printed(measure, value)
            for measure, value, top in zip(table.measures, row.values, best, strict=True)
        ]
        yield " & ".join([row.tag.translate(LATEX_ESCAPES), *cells]) + " \\\\\n"
    yield "\\bottomrule\n\\end{tabular}\n"
