"""Sheets and tables as LaTeX, with the rules of booktabs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from workbench.formats.tables.sheets import Sheet, printed_rows

ESCAPES = str.maketrans(
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


def escaped(text: str) -> str:
    """Text with LaTeX's own characters made harmless."""
    return text.translate(ESCAPES)


def tabular(alignment: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """The lines of a tabular environment; heads and cells are LaTeX already, `alignment` is such as "lrr"."""
    yield f"\\begin{{tabular}}{{{alignment}}}\n\\toprule\n"
    yield _row(heads)
    yield "\\midrule\n"
    for row in rows:
        yield _row(row)
    yield "\\bottomrule\n\\end{tabular}\n"


def _row(cells: Sequence[str]) -> str:
    return " & ".join(cells) + " \\\\\n"


def as_latex(sheet: Sheet) -> Iterator[str]:
    """A sheet as a tabular: text on the left, numbers on the right, the best values in bold."""
    kinds = [column.kind for column in sheet.columns]
    rows = (
        [bold(cell) if (row, place) in sheet.best else cell for place, cell in enumerate(cells)]
        for row, cells in enumerate(
            [_cell(text, kind) for text, kind in zip(texts, kinds, strict=True)]
            for texts in printed_rows(sheet)
        )
    )
    alignment = "".join("l" if kind == "text" else "r" for kind in kinds)
    return tabular(alignment, [escaped(column.head) for column in sheet.columns], rows)


def bold(cell: str) -> str:
    """A cell in bold."""
    return f"\\textbf{{{cell}}}"


def _cell(text: str, kind: str) -> str:
    """Text made harmless; signs as mathematics, but of values as they are."""
    if kind == "text":
        return escaped(text)
    return f"${text}$" if kind != "value" and text[:1] in ("<", "-", "+") else text
