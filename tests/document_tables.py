"""The tables of the documents, as they stand in Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tests.conftest import ROOT

RESULTS = "benchmarks/RESULTS.md"
NUMBER = re.compile(r"[-−+]?[\d.,]*\d( ?%| (/|and|\().*)?")


def tables(page: str) -> Iterator[list[list[str]]]:
    """The rows of each table of a page, by its path in the project, the head first; cells without marks of code.

    Times on one machine are left out: no test could hold them.
    """
    text, _, _ = (ROOT / page).read_text(encoding="utf-8").partition("\n## Times on one machine\n")
    for found in re.findall(r"(?:^\|.*\n)+", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S), re.M):
        head, _, *rows = found.splitlines()
        yield [
            [cell.strip().replace("`", "") for cell in line.strip("|").split(" | ")] for line in (head, *rows)
        ]


def rows(*head: str) -> list[list[str]]:
    """The rows of the one table of results with these columns."""
    (found,) = [rows for first, *rows in tables(RESULTS) if first == list(head)]
    return found


def table(*head: str) -> dict[str, list[str]]:
    """The same by their first cells."""
    return {row[0]: row[1:] for row in rows(*head)}


def of_numbers(table: list[list[str]]) -> bool:
    """Whether three cells of ten are numbers."""
    cells = [cell for row in table[1:] for cell in row]
    return sum(NUMBER.fullmatch(cell) is not None for cell in cells) >= 0.3 * len(cells)


def three_digits(number: float) -> str:
    """As the documents write shares."""
    return f"{number:.3f}".removeprefix("0")
