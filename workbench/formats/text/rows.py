"""The problems of one row of a run or of qrels, as messages; also those that involve earlier lines."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from workbench.core.findings import Wrong
from workbench.core.ranking import HIGHEST_GRADE, LOWEST_GRADE
from workbench.core.wording import counted
from workbench.formats.text.guesses import is_number, is_whole_number
from workbench.formats.text.lenient_numbers import atof, atol
from workbench.formats.text.lines import LONGEST_ID, Comment, Row, not_utf8, shown, too_long

RUN_SHAPE = "topic Q0 document rank score tag"


class QrelsForm(NamedTuple):
    """What the four columns of qrels hold; the second one may tell subtopics apart.

    `columns` are their names as columns of a frame, `shape` is how messages name them.
    """

    columns: tuple[str, ...]
    shape: str

    @property
    def by_subtopic(self) -> bool:
        """Whether a document is judged for each subtopic, so that a pair may stand once for each."""
        return "subtopic_id" in self.columns


PLAIN = QrelsForm(("topic_id", "iteration", "document_id", "grade"), "topic 0 document grade")
BY_SUBTOPIC = QrelsForm(("topic_id", "subtopic_id", "document_id", "grade"), "topic subtopic document grade")


WHOLE_WITH_POINT = re.compile(rb"([+-]?[0-9]+)\.0*")
"""A whole number as programs write it that know numbers with a point alone."""


def blank_in_an_id(row: Row, width: int) -> str | None:
    """The message for an id with a blank in it, in a line that has `width` columns when it is split at tabs.

    Of a run also in a line without tabs, where the words of the id push rank, score and tag to the right.
    """
    cells = [cell.strip() for cell in row.text.split(b"\t")]
    columns, value = row.columns, b""
    if len(cells) == width:
        value = next((cell for cell in (cells[0], cells[2]) if len(cell.split()) > 1), b"")
    elif width == 6 < len(columns) and not is_whole_number(columns[3]):
        shifted = is_whole_number(columns[-3]) and is_number(columns[-2])
        value = b" ".join(columns[2:-3]) if shifted else b""
    if not value:
        return None
    name = "topic" if value == cells[0] else "document"
    way_out = f"write it without, such as {shown(b'_'.join(value.split()))}, in all files"
    return f"the {name} id {shown(value)} holds a blank, which ends a column; {way_out}"


def long_word(values: Sequence[bytes]) -> str | None:
    """The message for the first of some columns that is too long, if there is one; they are UTF-8."""
    for number, value in enumerate(values, start=1):
        if len(value) > LONGEST_ID and len(text := value.decode()) > LONGEST_ID:
            return f"column {number}, {shown(text)}, {too_long(text)}"
    return None


def wrong_columns(row: Row, width: int, expected: str) -> str | None:
    """The message for a row of another width, or with a column that is not UTF-8 or too long."""
    if len(row.columns) != width:
        columns, text = counted(len(row.columns), "column"), shown(b" ".join(row.columns))
        return f"{columns}, but {expected}: {text}; correct the line"
    return not_utf8(row, width) or long_word(row.columns)


class FirstLines:
    """The line on which each pair of topic and document was first seen, or each triple with the subtopic."""

    def __init__(self) -> None:
        self._lines: dict[bytes, dict[bytes, int]] = {}
        self._values: dict[int, float] = {}

    def repeated(
        self,
        line: int,
        topic_id: bytes,
        document_id: bytes,
        subtopic: bytes | None = None,
        value: float | None = None,
    ) -> str | None:
        """The message for a pair (or triple) seen before; a new one is remembered.

        With a `value`, the score or grade, a pair that has the same value again is no repetition.
        """
        # No column has a blank in it.
        among = topic_id if subtopic is None else topic_id + b" " + subtopic
        first = self._lines.setdefault(among, {}).setdefault(document_id, line)
        if value is not None and self._values.setdefault(first, value) == value:
            return None
        if first == line:
            return None
        place = f"in topic {shown(topic_id)}"
        if subtopic is not None:
            place = f"for subtopic {shown(subtopic)} of topic {shown(topic_id)}"
        pair = f"document {shown(document_id)} is listed twice {place}"
        return f"{pair}, first at line {first}; keep one of the two lines"


class RunRows:
    """Checks the rows of one run, in order: columns, encoding, score, tag, repeated documents.

    With `drops` a row whose score is wrong is as if it were not there, so that its document may be listed again. With
    `once` lines that say the same of a document are one.
    """

    def __init__(self, *, lenient: bool = False, drops: bool = False, once: bool = False) -> None:
        self._lenient, self._drops, self._once = lenient, drops, once
        self._first_lines = FirstLines()
        self._tags: dict[bytes, int] = {}

    def check(self, row: Row) -> Iterator[Wrong]:
        """What is wrong with the next row."""
        if not self._lenient and (with_blank := blank_in_an_id(row, 6)) is not None:
            yield Wrong("identifier", with_blank)
            return
        width = len(row.columns)
        if width < 6:
            text = shown(b" ".join(row.columns))
            message = (
                f"{counted(width, 'column')}, but a run has six ({RUN_SHAPE}): {text}; add what is missing"
            )
            yield Wrong("columns", message)
            return
        if (other_encoding := not_utf8(row, 6)) is not None:
            yield Wrong("encoding", other_encoding)
            return
        if (long := long_word(row.columns[:6])) is not None:
            yield Wrong("identifier", long)
            return
        if not (
            is_number(row.columns[4]) or (self._lenient and not math.isnan(atof(row.columns[4].decode())))
        ):
            yield Wrong("score", self._bad_score(row.columns[4], is_first=not self._tags))
            if self._drops or self._once:
                return
        if (other_tag := self._other_tag(row)) is not None:
            yield Wrong("tag", other_tag)
        score = None  # by which lines say the same, as this mode reads it
        if self._once:
            score = atof(row.columns[4].decode()) if self._lenient else float(row.columns[4])
        if repeated := self._first_lines.repeated(row.line, row.columns[0], row.columns[2], value=score):
            yield Wrong("duplicate", repeated)

    def _bad_score(self, score: bytes, *, is_first: bool) -> str:
        if score.lower().lstrip(b"+-") == b"nan" or self._lenient:
            return f"score {shown(score)} gives the document no place; write a number or leave the line out"
        if is_number(score.replace(b",", b".", 1)):
            return f"score {shown(score)} is not a number; write {score.decode().replace(',', '.')}"
        names = ", or remove this line if it names the columns" if is_first else ""
        return f"score {shown(score)} is not a number; write it like 12.5 or 1e-5{names}"

    def _other_tag(self, row: Row) -> str | None:
        """The message for a tag that differs from the first one; said once for each such tag."""
        tag = row.columns[5]
        if self._lenient:
            return None
        if self._tags.setdefault(tag, row.line) != row.line or len(self._tags) == 1:
            return None
        first, line = next(iter(self._tags.items()))
        differs = f"tag {shown(tag)} differs from tag {shown(first)} at line {line}"
        return f"{differs}; a run has one tag, so make them equal or make two files"


class QrelsRows:
    """Checks the rows of one qrels file, in order: columns, encoding, grade, repeated documents."""

    def __init__(self, *, lenient: bool = False, form: QrelsForm = PLAIN, once: bool = False) -> None:
        self._lenient, self._once, self._form = lenient, once, form
        self._first_lines = FirstLines()
        self._seen_any = False

    def check(self, row: Row) -> Iterator[str]:
        """What is wrong with the next row."""
        is_first, self._seen_any = not self._seen_any, True
        message = blank_in_an_id(row, 4) or wrong_columns(row, 4, f"qrels have four ({self._form.shape})")
        if message is not None:
            yield message
            return
        topic_id, second, document_id, grade = row.columns
        grade = b"%d" % atol(grade.decode()) if self._lenient else grade
        if wrong := bad_grade(grade, is_first=is_first):
            yield wrong
            if self._once:
                return
        subtopic = second if self._form.by_subtopic else None
        value = float(grade) if self._once else None
        if repeated := self._first_lines.repeated(row.line, topic_id, document_id, subtopic, value):
            yield repeated


def bad_grade(grade: bytes, *, is_first: bool) -> str | None:
    """The message for a grade that is not a whole number of reasonable size."""
    if (whole := WHOLE_WITH_POINT.fullmatch(grade)) is not None:
        grade = whole[1]
    if is_whole_number(grade):
        # The length first: Python does not convert integers of thousands of digits.
        if len(grade.lstrip(b"+-0")) <= 5 and LOWEST_GRADE <= int(grade) <= HIGHEST_GRADE:
            return None
        return (
            f"grade {shown(grade)} is beyond {LOWEST_GRADE} to {HIGHEST_GRADE}; is it in the fourth column?"
        )
    if is_number(grade):
        return (
            f"grade {shown(grade)} is not a whole number; write whole ones, such as 0, 1 and 2 for 0, 0.5 and 1, "
            "and say in a measure what each is worth: nDCG(gains={1:0.5,2:1})"
        )
    names = ", or remove this line if it names the columns" if is_first else ""
    return f"grade {shown(grade)} is not a whole number; write it like 0 or 2{names}"


def row_in_a_comment(comment: Comment, columns: int, number_in: int) -> str | None:
    """The warning for a comment that may be meant as a row of a topic whose id begins with '#'."""
    values = comment.text.encode().split()
    if len(values) < columns or values[0] == b"#" or not is_number(values[number_in]):
        return None
    return (
        f"read as a comment, since it begins with '#': {shown(comment.text)}; "
        "if '#' belongs to the topic id, rename the topic"
    )
