"""Lines of blank-separated columns, one at a time: the slow reading, which knows where everything stands.

The grammar, for runs and qrels alike. A line ends in LF or CR LF. Columns are separated by any number of
blanks, tabs, vertical tabs and form feeds; no other character separates, so a no-break space or U+0085 is part
of an identifier. Blank lines are passed over. A line whose first character (after blanks) is '#' is a comment;
so no topic id can begin with '#' (unless `comments` is false: then it is a row). Everything is UTF-8; a byte
order mark may start the file.

What an identifier must be, so that lines of runs and qrels can name it, is said here too.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

from workbench.core.errors import NOTE, Problem
from workbench.formats.text.commands import command
from workbench.formats.text.content import BYTE_ORDER_MARK, Content
from workbench.formats.text.files import refused

ROW_SHOWN = 80
STOP_AFTER = 1000
"""Reading stops after this many problems in one file."""


class Row(NamedTuple):
    """One line that is neither blank nor a comment: its number in the file, its text, its columns, undecoded."""

    line: int
    text: bytes
    columns: list[bytes]


class Comment(NamedTuple):
    """One comment line with its number in the file; the text begins with '#'."""

    line: int
    text: str


class Layout(NamedTuple):
    """Where the rows of a file stand: the lines that hold none (blank lines, comments), and the comments.

    `rows_before[i]` is how many rows are before the i-th line without a row; ascending.
    """

    rows_before: tuple[int, ...] = ()
    comments: tuple[Comment, ...] = ()

    def line_of(self, row: int) -> int:
        """The number, from 1, of the line that holds row `row`, from 0."""
        return row + 1 + bisect_right(self.rows_before, row)

    def keeping(self, kept: Sequence[bool]) -> Layout:
        """Where the rows stand that are kept, when the lines of the others count as lines without a row."""
        before = [0, *accumulate(kept)]
        dropped = (before[row] for row, is_kept in enumerate(kept) if not is_kept)
        rows_before = sorted([*(before[row] for row in self.rows_before), *dropped])
        return self._replace(rows_before=tuple(rows_before))

    @property
    def header(self) -> str:
        """All comment lines, joined by line feeds."""
        return "\n".join(comment.text for comment in self.comments)


def rows_of(data: bytes, *, comments: bool = True) -> Iterator[Row]:
    """Every row of a file, in order; also a comment with a carriage return in it, which may hide a row."""
    for line, raw in enumerate(data.split(b"\n"), start=1):
        text = raw.strip()  # of bytes, like split(): ASCII whitespace only
        if text and (not (comments and text.startswith(b"#")) or b"\r" in text):
            yield Row(line, text, text.split())


def layout_of(data: bytes, *, comments: bool = True) -> Layout:
    """Where the rows of a file stand."""
    rows_before, found, rows = [], [], 0
    for line, text in enumerate(data.split(b"\n"), start=1):
        stripped = text.strip()
        if stripped and not (comments and stripped.startswith(b"#")):
            rows += 1
            continue
        rows_before.append(rows)
        if stripped:
            found.append(Comment(line, stripped.decode(errors="replace")))
    return Layout(tuple(rows_before), tuple(found))


def problems_of(
    content: Content, check: Callable[[Row], Iterator[str]], kind: str, *, comments: bool = True
) -> list[Problem]:
    """Everything that is wrong with a file of rows, in the order of its lines.

    `check` says what is wrong with one row beyond what holds for all files; `kind` is the file's kind, for the
    message about a file without rows.
    """
    problems: list[Problem] = []
    row = None
    for row in rows_of(content.data, comments=comments):
        found = misplaced_bytes(row)
        messages = check(row) if found is None else iter([found])
        problems.extend(Problem(content.file, row.line, message) for message in messages)
        if len(problems) >= STOP_AFTER:
            message = f"reading stopped after {STOP_AFTER} problems"
            problems.append(Problem(content.file, row.line, message, NOTE))
            break
    if row is None:
        problems.append(
            Problem(content.file, None, f"there is no line of {kind} in it, only blanks or comments")
        )
    return problems


def guessed(content: Content, problems: list[Problem], guess: Callable[[bytes], str | None]) -> list[Problem]:
    """The problems, or a single one that says what the file looks like, when already its first row is wrong."""
    first = next(rows_of(content.data), None)
    if not problems or first is None or problems[0].line != first.line or misplaced_bytes(first):
        return problems
    message = guess(content.data)
    return problems if message is None else [Problem(content.file, first.line, message)]


def misplaced_bytes(row: Row) -> str | None:
    """What makes the columns of a row unreliable, whatever they mean."""
    if b"\r" in row.text:
        return f"a carriage return inside the line; make line ends of them: {command('line ends')}"
    if row.text.startswith(BYTE_ORDER_MARK):
        return "a byte order mark inside the file (were files joined?); remove its three bytes, EF BB BF"
    return None


def not_utf8(row: Row, columns: int) -> str | None:
    """The message about the first column that is not UTF-8, if there is one among these."""
    for number, value in enumerate(row.columns[:columns], start=1):
        try:
            value.decode()
        except UnicodeDecodeError:
            way_out = f"convert the file, from windows-1252 for example: {command('windows-1252')}"
            return f"column {number}, {shown(value)}, is not UTF-8; {way_out}"
    return None


def shown(value: bytes | str) -> str:
    """A value in quotation marks, cut to a readable length, with nothing in it that a terminal obeys."""
    text = value.decode(errors="backslashreplace") if isinstance(value, bytes) else value
    return repr(text if len(text) <= ROW_SHOWN else text[: ROW_SHOWN - 1] + "…").replace("\\\\", "\\")


BLANKS = frozenset(" \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f")
NOT_IN_A_WORD = " \t\n\r\v\f\0"
LONGEST_ID = 500
"""Characters of an id of a topic or document, and of the tag of a run."""

NOT_ONE_WORD = re.compile(rf"[{NOT_IN_A_WORD}]|\A\Z")


def identifier_problem(what: str, identifier: str) -> str | None:
    """What is wrong with the id of a `what` (topic, document), or None.

    A no-break space or another script's space is part of an id, as it is in runs.
    """
    if len(identifier) > LONGEST_ID:
        return f"the {what} id {shown(identifier)} {too_long(identifier)}"
    if identifier.isascii() and identifier.isprintable() and " " not in identifier:
        return None  # as nearly all are, found in a third of the time
    if not BLANKS.isdisjoint(identifier):
        return f"the {what} id {shown(identifier)} holds blanks; runs and qrels cannot name it: change it"
    try:
        identifier.encode()
    except UnicodeEncodeError:
        return f"the {what} id {identifier!a} is not valid text; rename it in UTF-8"
    if "\0" not in identifier:
        return None
    return f"the {what} id {shown(identifier)} holds a NUL character: change it"


def too_long(word: str) -> str:
    """What is wrong with an id or a tag of too many characters, after its name."""
    return f"has {len(word):,} characters; an id and a tag have at most {LONGEST_ID}: shorten it"


def one_word(path: str | Path, identifier: str) -> str:
    """An identifier that stays one column when it is written; else an `InputError`."""
    if NOT_ONE_WORD.search(identifier):
        raise refused(path, f"identifier {identifier!r} cannot be a column: it is empty or has a blank in it")
    return identifier


def one_word_each(path: str | Path, identifiers: Sequence[str]) -> Sequence[str]:
    """The same identifiers, of which each stays one column; else an `InputError` for the first that does not."""
    # One look for each character at all of them together takes a fiftieth of the time of one at each identifier.
    together = "".join(identifiers)
    if not all(identifiers) or any(character in together for character in NOT_IN_A_WORD):
        for identifier in identifiers:
            one_word(path, identifier)
    return identifiers


def topic_word(path: str | Path, topic_id: str) -> str:
    """A topic id that can start a line; else an `InputError`."""
    if topic_id.startswith(("#", "\ufeff")):
        raise refused(path, f"topic id {topic_id!r} cannot start a line: it would be read as a comment")
    return one_word(path, topic_id)
