"""Lists of topic-document pairs, one a line: topic and document, or the four columns of qrels.

Separated, encoded, commented and compressed as in `workbench.formats.qrels`. Each pair stands once. Of qrels the grades
have to be right, and are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.core.errors import InputError
from workbench.formats.qrels import QrelsFile, qrels_table, qrels_warnings
from workbench.formats.row_forms import lines_with_source
from workbench.formats.text.content import Content
from workbench.formats.text.lines import Row, problems_of, rows_of
from workbench.formats.text.rows import PLAIN, FirstLines, wrong_columns

if TYPE_CHECKING:
    from workbench.formats.text.columns import Table

COLUMNS = ("topic_id", "document_id")


def read_pairs(path: str | Path) -> QrelsFile:
    """Read and check a list of pairs; `-` is standard input. The frame has topic_id and document_id alone.

    Raises `InputError` with all that is wrong with it.
    """
    content, source = lines_with_source(path, is_run=False)
    first = next(rows_of(content.data), None)
    is_qrels = first is not None and len(first.columns) == len(PLAIN.columns)
    table = qrels_table(content) if is_qrels else _pairs_table(content)
    warnings = tuple(qrels_warnings(content, table.layout)) if is_qrels else ()
    return QrelsFile(content.file, source, table.frame.select(COLUMNS), warnings, table.layout)


def _pairs_table(content: Content) -> Table:
    from workbench.formats.text.columns import slow_columns

    first_lines = FirstLines()

    def check(row: Row) -> Iterator[str]:
        wrong = wrong_columns(row, len(COLUMNS), "a list of pairs has two (topic document), or four as qrels")
        if message := wrong or first_lines.repeated(row.line, row.columns[0], row.columns[1]):
            yield message

    if problems := problems_of(content, check, "pairs"):
        raise InputError(problems)
    return slow_columns(content.data, COLUMNS)
