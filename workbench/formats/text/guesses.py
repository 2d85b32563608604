"""What a file looks like when it is not what was asked for, and the command that makes it so.

Consulted only after a file was found wrong: a topic id may begin with any character.
"""

from __future__ import annotations

import re
from itertools import islice

from workbench.core.wording import counted
from workbench.formats.text.lines import Row, rows_of

LOOKED_AT = 10
"""How many rows a guess rests on."""

NUMBER = re.compile(rb"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)(e[+-]?[0-9]+)?|[+-]?inf(inity)?", re.IGNORECASE)
"""What a score may look like."""

WHOLE_NUMBER = re.compile(rb"[+-]?[0-9]+")
"""What a grade or a rank may look like."""

MARKUP = (
    (rb"<", "XML or SGML"),
    (rb"[\[{]", "JSON"),
)


QRELS_FIRST = "in workbench eval qrels come first, then runs"
"""Said to those who mixed the two up, as one does."""


def is_number(value: bytes) -> bool:
    """Whether a score is written unambiguously: no nan, no hexadecimal, no comma."""
    return NUMBER.fullmatch(value) is not None


def is_whole_number(value: bytes) -> bool:
    """Whether a grade or a rank is a decimal integer."""
    return WHOLE_NUMBER.fullmatch(value) is not None


def guess_for_run(data: bytes) -> str | None:
    """What a file is that is no run, if its first rows agree on that; None if single rows are wrong."""
    rows = _first_rows(data)
    wanted = "a run has six columns (topic Q0 document rank score tag)"
    if (markup := _markup(data)) is not None:
        return f"this looks like {markup}; {wanted}, one document a line"
    width = _common_width(rows)
    if width is None or width >= 6:
        return None
    last_is_number = all(is_number(row.columns[-1]) for row in rows)
    if width == 5 and _is_qrels_of_five(rows):
        return f"5 columns: {_five_columns(rows)}"
    if width == 5 and last_is_number:
        return "5 columns: the tag is missing; add one: " + _awk('$1, $2, $3, $4, $5, "TAG"')
    if width == 4 and all(is_whole_number(row.columns[-1]) for row in rows):
        return f"4 columns: this looks like qrels, not a run; {QRELS_FIRST}; or: workbench add qrels CAMPAIGN FILE"
    if width == 3 and last_is_number:
        return f"3 columns: {_three_columns(rows)}"
    return _by_commas(rows, wanted) or f"{counted(width, 'column')}, but {wanted}; add what is missing"


def guess_for_qrels(data: bytes) -> str | None:
    """What a file is that is no qrels, if its first rows agree on that; None if single rows are wrong."""
    rows = _first_rows(data)
    wanted = "qrels have four columns (topic 0 document grade)"
    if (markup := _markup(data)) is not None:
        return f"this looks like {markup}; {wanted}, one judgment a line"
    width = _common_width(rows)
    if width is None or width == 4:
        return None
    if width >= 6 and all(is_number(row.columns[4]) for row in rows):
        looks = f"{width} columns: this looks like a run, not qrels"
        return f"{looks}; {QRELS_FIRST}; or: workbench add runs CAMPAIGN FILE"
    if width == 5:
        return f"5 columns: {_five_columns(rows)}"
    if width == 3:
        return f"3 columns: {_two_ids_and_a_grade(rows)}"
    return _by_commas(rows, wanted) or f"{counted(width, 'column')}, but {wanted}"


def rankings_or_judgments(data: bytes) -> str | None:
    """What to do with a run or qrels given as documents; None for anything else, and for less than two whole rows."""
    rows = _first_rows(data[: data.rfind(b"\n") + 1])
    if len(rows) < 2:
        return None
    if all(len(row.columns) >= 6 and all(map(is_number, row.columns[3:5])) for row in rows):
        return "this looks like a run, not documents; add it with: workbench add runs CAMPAIGN FILE"
    if all(len(row.columns) == 4 and all(map(is_whole_number, row.columns[1::2])) for row in rows):
        return "this looks like qrels, not documents; add it with: workbench add qrels CAMPAIGN FILE"
    return None


def _first_rows(data: bytes) -> list[Row]:
    return list(islice(rows_of(data), LOOKED_AT))


def _is_qrels_of_five(rows: list[Row]) -> bool:
    """Whether the fourth column cannot be ranks nor the fifth scores of a run that lacks its tag."""
    whole = all(is_whole_number(value) for row in rows for value in row.columns[3:])
    return whole and len(rows) > 1 and len({row.columns[3] for row in rows}) <= len(rows) // 2


def _awk(columns: str, condition: str = "") -> str:
    """A command that writes these columns of a file into a new one."""
    return f"awk '{condition}{{print {columns}}}' FILE > NEWFILE"


def _markup(data: bytes) -> str | None:
    start = data.lstrip()[:1]
    return next((name for pattern, name in MARKUP if re.match(pattern, start)), None)


def _common_width(rows: list[Row]) -> int | None:
    """The number of columns if it is the same in all rows."""
    widths = {len(row.columns) for row in rows}
    return widths.pop() if len(widths) == 1 else None


def _by_commas(rows: list[Row], wanted: str) -> str | None:
    if all(row.text.count(b",") >= 2 for row in rows):
        return f"the columns are separated by commas, but {wanted} separated by blanks or tabs"
    return None


def _three_columns(rows: list[Row]) -> str:
    thirds = [row.columns[2] for row in rows]
    if all(is_whole_number(third) for third in thirds) and int(thirds[0]) in (0, 1):
        return "this looks like topic, document, rank; make a run of it: " + _awk(
            '$1, "Q0", $2, $3, -$3, "TAG"'
        )
    return "this looks like topic, document, score; make a run of it: " + _awk(
        '$1, "Q0", $2, ++rank[$1], $3, "TAG"'
    )


def _five_columns(rows: list[Row]) -> str:
    if all(is_whole_number(row.columns[2]) and b"." in row.columns[4] for row in rows):
        return "this looks like a sample with probabilities (statAP); for plain qrels: " + _awk(
            "$1, 0, $2, $3"
        )
    if all(is_whole_number(row.columns[3]) and is_whole_number(row.columns[4]) for row in rows):
        return (
            "this looks like qrels with a stratum or a second grade (sample_eval, misinformation tracks); "
            "take the column that holds the grade, for example the last: " + _awk("$1, $2, $3, $5")
        )
    return "qrels have four (topic 0 document grade); take these: " + _awk("$1, $2, $3, $4")


def _two_ids_and_a_grade(rows: list[Row]) -> str:
    if not is_number(rows[0].columns[2]) and len(rows) > 1:
        return "this looks like a table with a line of column names; make qrels of it: " + _awk(
            "$1, 0, $2, $3", "NR > 1 "
        )
    return "the second column of qrels is missing; add it: " + _awk("$1, 0, $2, $3")
