"""Labels of models as lines of columns: qrels, the six columns of TREC RAG 2025, and qrels of AutoJudge.

Qrels are topic, 0, document, grade, between blanks or tabs. RAG 2025 has topic, Q0, segment, grade, confidence (0 to 1)
and the name of the labels, and looks like a run: column 4 of a run is a rank. AutoJudge also writes True and False.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from workbench.core.errors import InputError, Problem
from workbench.core.model_answers import ModelAnswer
from workbench.formats.qrels import qrels_table, qrels_warnings
from workbench.formats.row_forms import lines_of
from workbench.formats.text.content import Content
from workbench.formats.text.guesses import is_number
from workbench.formats.text.lines import Row, rows_of, shown
from workbench.formats.text.rows import wrong_columns
from workbench.formats.text.sources import load_with_source

RAG25 = "topic Q0 segment grade confidence name"
WHOLE = re.compile(rb"[+-]?[0-9]{1,9}")


class LabelFile(NamedTuple):
    """What models answered by a file: its name, the answers, the line of each, and what is odd without being wrong."""

    file: str
    answers: Sequence[ModelAnswer]
    lines: Sequence[int]
    warnings: tuple[Problem, ...] = ()


def read_labels(path: str | Path) -> LabelFile:
    """Read qrels, also as CSV, JSON or parquet. Raises InputError with all that is wrong with them."""
    return _of_qrels(lines_of(path, is_run=False))


def read_autojudge(path: str | Path) -> LabelFile:
    """Read qrels of AutoJudge; errors as there."""
    content, _ = load_with_source(path)
    numbers = re.sub(rb"(?m)(?<=[ \t])True(?=[ \t\r]*$)", b"1", content.data)
    return _of_qrels(content._replace(data=re.sub(rb"(?m)(?<=[ \t])False(?=[ \t\r]*$)", b"0", numbers)))


def read_rag25(path: str | Path) -> LabelFile:
    """Read labels in the form of TREC RAG 2025; each answer has its whole line as its raw text, with the confidence.

    Raises InputError with all that is wrong, also where the file has labels of several names.
    """
    content, _ = load_with_source(path)
    rows = list(rows_of(content.data))
    problems = [Problem(content.file, row.line, wrong) for row in rows if (wrong := _wrong(row))]
    names = {row.columns[5]: row.line for row in reversed(rows) if len(row.columns) == 6}
    if len(names) > 1 and not problems:
        first, second, *_ = reversed(names)
        message = f"the labels are of {shown(second)}, those before of {shown(first)}; add each with a judge of its own"
        problems.append(Problem(content.file, names[second], message))
    if problems:
        raise InputError(problems)
    lines = [b""] * (1 + content.data.count(b"\n"))
    for row in rows:
        lines[row.line - 1] = b" ".join(row.columns[:4])
    found = _of_qrels(content._replace(data=b"\n".join(lines)))
    raw = [row.text.decode() for row in rows]
    answers = [answer._replace(raw=text) for answer, text in zip(found.answers, raw, strict=True)]
    return found._replace(answers=answers)


def _wrong(row: Row) -> str | None:
    """What keeps a line from being a label of six columns."""
    if message := wrong_columns(row, 6, f"labels of this form have six ({RAG25})"):
        return message
    grade, confidence = row.columns[3:5]
    if not WHOLE.fullmatch(grade):
        return f"column 4, {shown(grade)}, is not a grade; write a whole number such as 2"
    if not is_number(confidence) or not 0 <= float(confidence) <= 1:
        return (
            f"column 5, {shown(confidence)}, is not a confidence from 0 to 1; in a run it is a score: "
            "is the file a run (workbench add runs)?"
        )
    return None


def _of_qrels(content: Content) -> LabelFile:
    table = qrels_table(content)
    rows = table.frame.select("topic_id", "document_id", "grade").iter_rows()
    answers = [ModelAnswer(topic_id, document_id, grade=grade) for topic_id, document_id, grade in rows]
    warnings = tuple(qrels_warnings(content, table.layout))
    return LabelFile(content.file, answers, list(map(table.layout.line_of, range(len(answers)))), warnings)
