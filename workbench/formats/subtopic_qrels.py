"""Qrels files with subtopics: one judgment of a document for a subtopic a line: topic, subtopic, document, grade.

As `workbench.formats.qrels` in everything, but that the second column counts: each triple of topic, subtopic and
document stands once. Ids of subtopics are text, as all ids are; the files of the TREC Web tracks number them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.core.errors import Problem
from workbench.formats.qrels import QrelsFile, qrels_table, qrels_warnings
from workbench.formats.text.content import Content
from workbench.formats.text.lines import shown
from workbench.formats.text.parse_mode import STRICT, ParseMode
from workbench.formats.text.rows import BY_SUBTOPIC
from workbench.formats.text.sources import load_with_source

if TYPE_CHECKING:
    import polars as pl

    from workbench.formats.text.columns import Table


class SubtopicQrelsFile(QrelsFile):
    """Judgments of subtopics as they are in their file.

    As a QrelsFile, but the frame has topic_id, subtopic_id, document_id (String) and grade (Int64), each
    triple of ids once.
    """


def read_subtopic_qrels(path: str | Path, parse_mode: ParseMode = STRICT) -> SubtopicQrelsFile:
    """Read and check qrels with subtopics; `-` is standard input.

    Raises `InputError` with all that is wrong with them.
    """
    content, source = load_with_source(path)
    table = subtopic_qrels_table(content, parse_mode)
    warnings = tuple(subtopic_qrels_warnings(content, table))
    return SubtopicQrelsFile(content.file, source, table.frame, warnings, table.layout)


def subtopic_qrels_table(content: Content, parse_mode: ParseMode = STRICT) -> Table:
    """The rows of qrels with subtopics, checked; errors as in `read_subtopic_qrels`."""
    return qrels_table(content, parse_mode, BY_SUBTOPIC)


def subtopic_qrels_warnings(content: Content, table: Table) -> Iterator[Problem]:
    """What is odd in the lines without being wrong."""
    yield from qrels_warnings(content, table.layout)
    subtopics = table.frame["subtopic_id"]
    if subtopics.n_unique() == 1:
        only = shown(subtopics[0])
        message = (
            f"all lines have the subtopic {only} in their second column; are these qrels with subtopics?"
        )
        yield Problem(content.file, None, message)


def highest_grades(frame: pl.DataFrame) -> pl.DataFrame:
    """Qrels without subtopics: the highest grade that a document has for any subtopic of the topic.

    So a document that is relevant to some subtopic is relevant to the topic, as ndeval.c has it (nrel).

    Args:
        frame: columns topic_id, subtopic_id, document_id, grade.

    Returns:
        columns topic_id, document_id, grade, in the order in which pairs appear first.
    """
    import polars as pl

    pairs = frame.group_by("topic_id", "document_id", maintain_order=True)
    return pairs.agg(pl.col("grade").max())
