"""The files of an evaluation: qrels and runs, read at once and checked line by line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from workbench.core.errors import Problem
from workbench.formats.qrels import highest_grades, qrels_table, qrels_warnings, subtopic_qrels_warnings
from workbench.formats.row_forms import lines_of
from workbench.formats.runs import run_table, run_warnings
from workbench.formats.samples import sampled_qrels_table
from workbench.formats.text.content import Content, load
from workbench.formats.text.parse_mode import STRICT, ParseMode
from workbench.formats.text.rows import BY_SUBTOPIC
from workbench.scoring.evaluation.at_once import File, read_at_once
from workbench.scoring.evaluation.selection import Judgments

if TYPE_CHECKING:
    from polars import DataFrame

    from workbench.formats.text.columns import Table


class QrelsLines(NamedTuple):
    """Judgments: the name of their file as given, topic_id and document_id (String) and grade (Int64), warnings.

    Where they were read with subtopics, `subtopics` has them with the column subtopic_id (String) besides, and
    `frame` has the highest grade of each document. Where they were read as a sample, `sample` has stratum or
    probability besides.
    """

    file: str
    frame: DataFrame
    warnings: tuple[Problem, ...]
    subtopics: DataFrame | None = None
    sample: DataFrame | None = None


class RunLines(NamedTuple):
    """A run: the name of its file as given, its tag, topic_id, document_id (String) and score (Float64), warnings.

    Each pair of topic and document stands once, the lines in the order of the file.
    """

    file: str
    tag: str
    frame: DataFrame
    warnings: tuple[Problem, ...]


class EvaluationFiles(NamedTuple):
    """The judgments, and the runs in the order in which they were named."""

    qrels: QrelsLines
    runs: tuple[RunLines, ...]


def read_evaluation(
    qrels_path: File,
    run_paths: Sequence[File],
    parse_mode: ParseMode = STRICT,
    judgments: Judgments = "plain",
) -> EvaluationFiles:
    """Read and check qrels and runs; one of the files may be `-`, standard input.

    InputError has all that is wrong with
    any of the files.
    """

    def read_qrels(path: File) -> QrelsLines:
        if judgments == "plain":
            return qrels_lines(lines_of(path, parse_mode, is_run=False), parse_mode)
        content = load(path, parse_mode.encoding)
        if judgments == "of a sample":
            table = sampled_qrels_table(content, parse_mode)
            return _lines(content, table)._replace(sample=table.frame)
        table = qrels_table(content, parse_mode, BY_SUBTOPIC)
        warnings = tuple(subtopic_qrels_warnings(content, table))
        return QrelsLines(content.file, highest_grades(table.frame), warnings, table.frame)

    def read_run(path: File) -> RunLines:
        return run_lines(lines_of(path, parse_mode, is_run=True), parse_mode)

    qrels, runs = read_at_once(qrels_path, run_paths, read_qrels, read_run)
    return EvaluationFiles(qrels, tuple(runs))


def qrels_lines(content: Content, parse_mode: ParseMode) -> QrelsLines:
    """The judgments in the text of a file, as in `read_evaluation`."""
    return _lines(content, qrels_table(content, parse_mode))


def _lines(content: Content, table: Table) -> QrelsLines:
    frame = table.frame.select("topic_id", "document_id", "grade")
    return QrelsLines(content.file, frame, tuple(qrels_warnings(content, table.layout)))


def run_lines(content: Content, parse_mode: ParseMode) -> RunLines:
    """The run in the text of a file, as in `read_evaluation`."""
    table = run_table(content, parse_mode, ranks=False)
    frame = table.frame.select("topic_id", "document_id", "score")
    # All tags are equal unless reading is lenient: then the last one counts, as in the reference program.
    return RunLines(content.file, table.frame["tag"][-1], frame, tuple(run_warnings(content, table)))
