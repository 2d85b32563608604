"""Lists of topic-document pairs, one a line: topic and document, or the four columns of qrels.

Separated, encoded, commented and compressed as in `workbench.formats.qrels`. Each pair stands once. Of qrels the grades
have to be right, and are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.core.errors import InputError
from workbench.core.wording import counted
from workbench.formats.qrels import QrelsFile, qrels_table, qrels_warnings
from workbench.formats.row_forms import qrels_with_source
from workbench.formats.text.content import Content
from workbench.formats.text.lines import Row, not_utf8, problems_of, rows_of, shown
from workbench.formats.text.rows import PLAIN, FirstLines, long_word

if TYPE_CHECKING:
    from workbench.formats.text.columns import Table

COLUMNS = ("topic_id", "document_id")


class PairList(QrelsFile):
    """Pairs as they are in their file: as a QrelsFile, but the frame has topic_id and document_id alone."""


def read_pairs(path: str | Path) -> PairList:
    """Read and check a list of pairs; `-` is standard input. Raises `InputError` with all that is wrong with it."""
    content, source = qrels_with_source(path)
    first = next(rows_of(content.data), None)
    is_qrels = first is not None and len(first.columns) == len(PLAIN.columns)
    table = qrels_table(content) if is_qrels else _pairs_table(content)
    warnings = tuple(qrels_warnings(content, table.layout)) if is_qrels else ()
    return PairList(content.file, source, table.frame.select(COLUMNS), warnings, table.layout)


def _pairs_table(content: Content) -> Table:
    from workbench.formats.text.columns import slow_columns

    if problems := problems_of(content, _PairRows().check, "pairs"):
        raise InputError(problems)
    return slow_columns(content.data, COLUMNS)


class _PairRows:
    """Checks the rows of one list, in order: columns, encoding, repeated documents."""

    def __init__(self) -> None:
        self._first_lines = FirstLines()

    def check(self, row: Row) -> Iterator[str]:
        """What is wrong with the next row."""
        if len(row.columns) != len(COLUMNS):
            width, text = counted(len(row.columns), "column"), shown(b" ".join(row.columns))
            yield (
                f"{width}, but a list of pairs has two (topic document), or four as qrels: {text}; correct the line"
            )
            return
        if (message := not_utf8(row, len(COLUMNS)) or long_word(row.columns)) is not None:
            yield message
            return
        topic_id, document_id = row.columns
        repeated = self._first_lines.repeated(row._replace(columns=[topic_id, b"0", document_id]))
        yield from filter(None, [repeated])
