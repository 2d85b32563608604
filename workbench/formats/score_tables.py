"""Tables of scores as text: runs (and topics) down, measures across."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple


class Column(NamedTuple):
    """One measure: its name, and whether it is a count, which is written whole and has no best value."""

    name: str
    is_count: bool = False


class Row(NamedTuple):
    """One run's values, one for each column; None where there is none. `topic_id` is '' for all topics."""

    tag: str
    values: tuple[float | None, ...]
    topic_id: str = ""


def printed(value: float | None, column: Column) -> str:
    """A value as people read it: counts whole, everything else with four digits, as C's %.4f prints them."""
    if value is None:
        return ""
    return f"{value:,.0f}" if column.is_count else f"{value:.4f}"


def best_values(columns: Sequence[Column], rows: Sequence[Row]) -> list[float | None]:
    """For each column the highest value, None for counts and where there is but one run to choose from."""
    if len(rows) < 2:
        return [None] * len(columns)
    values = zip(*(row.values for row in rows), strict=True)
    return [
        None if column.is_count else max((value for value in given if value is not None), default=None)
        for column, given in zip(columns, values, strict=True)
    ]


def best_rows(columns: Sequence[Column], rows: Sequence[Row]) -> list[list[bool]]:
    """For each row, whether its values are the best of all runs on the same topic."""
    best: dict[str, list[float | None]] = {}
    for topic_id in dict.fromkeys(row.topic_id for row in rows):
        best[topic_id] = best_values(columns, [row for row in rows if row.topic_id == topic_id])
    return [
        [
            value is not None and value == top
            for value, top in zip(row.values, best[row.topic_id], strict=True)
        ]
        for row in rows
    ]


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


def latex_lines(columns: Sequence[Column], rows: Sequence[Row]) -> Iterator[str]:
    """A LaTeX tabular with the rules of booktabs, the best value of each measure in bold.

    There is a column of topics where a row has one.
    """
    has_topics = any(row.topic_id for row in rows)
    heads = ["Run", *(["Topic"] if has_topics else []), *(column.name for column in columns)]
    yield f"\\begin{{tabular}}{{{'l' * (1 + has_topics)}{'r' * len(columns)}}}\n\\toprule\n"
    yield " & ".join(head.translate(LATEX_ESCAPES) for head in heads) + " \\\\\n\\midrule\n"
    for row, is_best in zip(rows, best_rows(columns, rows), strict=True):
        numbers = [printed(value, column) for column, value in zip(columns, row.values, strict=True)]
        cells = [
            f"\\textbf{{{number}}}" if is_top else number
            for number, is_top in zip(numbers, is_best, strict=True)
        ]
        names = [row.tag, *([row.topic_id or "all"] if has_topics else [])]
        yield " & ".join([*(name.translate(LATEX_ESCAPES) for name in names), *cells]) + " \\\\\n"
    yield "\\bottomrule\n\\end{tabular}\n"
