"""Qrels files: the judgments, one a line: topic, 0, document, grade.

Accepted: four columns, separated, encoded, commented and compressed as in `workbench.formats.runs`. A grade is a
whole number. Each pair of topic and document stands once. Of qrels with subtopics the second column counts too: each
triple of topic, subtopic and document stands once. Ids of subtopics are text, as all ids are; the files of the TREC Web
tracks number them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.core.errors import NOTE, InputError, Problem
from workbench.core.ranking import HIGHEST_GRADE, LOWEST_GRADE
from workbench.core.records import Source, TopicQrels
from workbench.formats.row_forms import form_notes, lines_with_source
from workbench.formats.run_repairs import Done, identical_once, with_each_document_once
from workbench.formats.text import lenient_numbers
from workbench.formats.text.commands import command
from workbench.formats.text.content import Content
from workbench.formats.text.guesses import guess_for_qrels
from workbench.formats.text.lines import Layout, guessed, one_word_each, problems_of, shown, topic_word
from workbench.formats.text.parse_mode import STRICT, ParseMode
from workbench.formats.text.rows import BY_SUBTOPIC, PLAIN, QrelsForm, QrelsRows, row_in_a_comment
from workbench.formats.text.writing import write_atomically

if TYPE_CHECKING:
    import polars as pl

    from workbench.formats.text.columns import Table


@dataclass(frozen=True, eq=False)
class QrelsFile:
    """Judgments as they are in their file.

    Attributes:
        file: its name as given.
        source: the file as stored.
        frame: columns topic_id (String), document_id (String), grade (Int64), one row a judgment, in the order of
            the file, each pair of topic and document once; for an import also assessor and comment, and of files
            of other tools line, each pair once for each assessor.
        warnings: findings that do not prevent reading.
        done: the repairs of what the caller chose to have repaired, with the lines that they changed.
    """

    file: str
    source: Source
    frame: pl.DataFrame
    warnings: tuple[Problem, ...] = ()
    layout: Layout = field(default=Layout(), repr=False)
    done: tuple[Done, ...] = ()

    def line_of(self, row: int) -> int:
        """The number of the line, from 1, on which row `row` of the frame, from 0, stands."""
        return int(self.frame["line"][row]) if "line" in self.frame.columns else self.layout.line_of(row)


def read_qrels(path: str | Path, parse_mode: ParseMode = STRICT, *, once: bool = False) -> QrelsFile:
    """Read and check qrels; `-` is standard input. Raises `InputError` with all that is wrong with them.

    With `once` lines that say the same of a pair of topic and document are taken once.
    """
    return qrels_of(*lines_with_source(path, parse_mode, is_run=False), parse_mode, once=once)


def qrels_of(
    content: Content, source: Source, parse_mode: ParseMode = STRICT, *, once: bool = False
) -> QrelsFile:
    """The same of lines that are read already, with the file as it was stored."""
    table = qrels_table(content, parse_mode, once=once)
    done: tuple[Done, ...] = ()
    if once and not identical_once(table.frame).all():
        table, repeated = with_each_document_once(table, "identical")
        done = (repeated,)
    return QrelsFile(
        file=content.file,
        source=source,
        frame=table.frame.select("topic_id", "document_id", "grade"),
        warnings=tuple(qrels_warnings(content, table.layout)),
        layout=table.layout,
        done=done,
    )


def qrels_table(
    content: Content, parse_mode: ParseMode = STRICT, form: QrelsForm = PLAIN, *, once: bool = False
) -> Table:
    """The rows of qrels, checked: the columns of their form as text, grade as Int64; `once` as in `QrelsRows`.

    Raises `InputError` with all that is wrong with the file.
    """
    from workbench.formats.text.columns import read_columns, slow_columns

    table = read_columns(content.data, form.columns, comments=parse_mode.comments)
    frame = None if table is None else checked_qrels(table, parse_mode, form)
    if table is None or frame is None:
        if problems := qrels_problems(content, parse_mode, form, once=once):
            raise InputError(problems)
        table = slow_columns(content.data, form.columns, comments=parse_mode.comments)
        frame = with_grades(table, parse_mode)
    return table._replace(frame=frame)


def qrels_problems(
    content: Content, parse_mode: ParseMode = STRICT, form: QrelsForm = PLAIN, *, once: bool = False
) -> list[Problem]:
    """Everything that is wrong with qrels, line by line; the authority on what is accepted."""
    rows = QrelsRows(lenient=parse_mode.lenient, form=form, once=once)
    problems = guessed(
        content, problems_of(content, rows.check, "qrels", comments=parse_mode.comments), guess_for_qrels
    )
    if once or not problems or form != PLAIN or qrels_problems(content, parse_mode, once=True):
        return problems
    message = f"its repeated lines are identical; take each once: {command('qrels with repeated lines')}"
    return [
        *problems,
        Problem(content.file, None, f"{message}, or add qrels with --duplicates identical", NOTE),
    ]


def with_grades(table: Table, parse_mode: ParseMode = STRICT) -> pl.DataFrame:
    """The rows with the grade as a number; null where it is none."""
    import polars as pl

    if parse_mode.lenient:
        return table.frame.with_columns(lenient_numbers.grades(table.frame["grade"]).alias("grade"))
    grades = table.frame["grade"].cast(pl.Int64, strict=False)
    if grades.null_count():
        # As WHOLE_WITH_POINT of the rows has it: 1.0 is 1.
        grades = table.frame["grade"].str.replace(r"^([+-]?[0-9]+)\.0*$", "$1").cast(pl.Int64, strict=False)
    return table.frame.with_columns(grades)


def checked_qrels(
    table: Table, parse_mode: ParseMode = STRICT, form: QrelsForm = PLAIN
) -> pl.DataFrame | None:
    """The rows with grades as numbers, or None if anything is wrong with them."""
    from workbench.formats.text.columns import has_long_words, has_repeated_pairs, has_repeated_triples

    frame = with_grades(table, parse_mode)
    grades = frame["grade"]
    if table.longer is not None or grades.null_count() or has_long_words(frame):
        return None
    if not grades.is_between(LOWEST_GRADE, HIGHEST_GRADE).all():
        return None
    is_repeated = has_repeated_triples if form.by_subtopic else has_repeated_pairs
    return None if is_repeated(frame) else frame


def qrels_warnings(content: Content, layout: Layout) -> Iterator[Problem]:
    """What is odd in the lines of qrels without being wrong."""
    yield from form_notes(content)
    for comment in layout.comments:
        if (message := row_in_a_comment(comment, columns=4, number_in=3)) is not None:
            yield Problem(content.file, comment.line, message)


def read_subtopic_qrels(path: str | Path, parse_mode: ParseMode = STRICT) -> QrelsFile:
    """Read and check qrels with subtopics; `-` is standard input. Raises `InputError` with all that is wrong with them.

    The frame has `subtopic_id` (String) too, each triple of ids once.
    """
    from workbench.formats.text.sources import load_with_source

    content, source = load_with_source(path)
    table = qrels_table(content, parse_mode, BY_SUBTOPIC)
    warnings = tuple(subtopic_qrels_warnings(content, table))
    return QrelsFile(content.file, source, table.frame, warnings, table.layout)


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


def write_qrels(
    path: str | Path, qrels: Iterable[TopicQrels], sure: Callable[[], None] | None = None
) -> None:
    """Write qrels in four columns, atomically, in the order given; `sure` as in `write_atomically`.

    A topic or document that could not be read again is an `InputError`, and nothing is written.
    """
    write_atomically(path, qrels_lines(path, qrels), sure)


def qrels_lines(path: str | Path, qrels: Iterable[TopicQrels]) -> Iterator[str]:
    """The lines of a qrels file in the order given, those of a topic together; errors as in `write_qrels`."""
    for topic_id, document_ids, grades in qrels:
        word = topic_word(path, topic_id)
        one_word_each(path, document_ids)
        rows = zip(document_ids, grades, strict=True)
        yield "".join([f"{word} 0 {document_id} {grade:d}\n" for document_id, grade in rows])
