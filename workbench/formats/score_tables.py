"""Tables of scores as text: runs (and topics) down, measures across."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple


class Column(NamedTuple):
    """One measure: its name, whether it is written whole, and which value is the best: "highest", "lowest", "none"."""

    name: str
    is_count: bool = False
    best: str = "highest"


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


BEST: dict[str, Callable[[Iterable[float]], float]] = {"highest": max, "lowest": min}


def best_values(columns: Sequence[Column], rows: Sequence[Row]) -> list[float | None]:
    """For each column the best value, None where none is, or where all runs have the same."""
    values = zip(*(row.values for row in rows), strict=True) if rows else [()] * len(columns)
    return [_best(column, given) for column, given in zip(columns, values, strict=True)]


def _best(column: Column, values: Sequence[float | None]) -> float | None:
    told = {value for value in values if value is not None}
    return BEST[column.best](told) if column.best in BEST and len(told) > 1 else None


def best_rows(columns: Sequence[Column], rows: Sequence[Row]) -> list[list[bool]]:
    """For each row, whether its values are the best of all runs on the same topic."""
    rivals: dict[str, list[Row]] = {}
    for row in rows:
        rivals.setdefault(row.topic_id, []).append(row)
    best = {topic_id: best_values(columns, same) for topic_id, same in rivals.items()}
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
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        # At the beginning of a row they would belong to the \\ before it.
        "[": "{[}",
        "*": "{*}",
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
