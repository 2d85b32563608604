"""What a file looks like when it is not what was asked for, and the command that makes it so.

Consulted only after a file was found wrong: a topic id may begin with any character.
"""

from __future__ import annotations

import re
from itertools import islice, pairwise

from workbench.core.wording import counted
from workbench.formats.text.commands import command
from workbench.formats.text.lines import Row, rows_of, shown

LOOKED_AT = 10
"""How many rows a guess rests on."""

NUMBER = re.compile(rb"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)(e[+-]?[0-9]+)?|[+-]?inf(inity)?", re.IGNORECASE)
"""What a score may look like."""

WHOLE_NUMBER = re.compile(rb"[+-]?[0-9]+")
"""What a grade or a rank may look like."""

MARKUP = ((rb"<", "XML or SGML"), (rb"[\[{]", "JSON"))


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
    if rows and all(b"qid:" in row.text for row in rows):
        return f"this looks like judgments with features (learning to rank), not a run; {QRELS_FIRST}"
    width = _common_width(rows)
    if width is None or width >= 6:
        return None
    last_is_number = all(is_number(row.columns[-1]) for row in rows)
    if width == 5 and _is_qrels_of_five(rows):
        return f"5 columns: {_five_columns(rows)}"
    if width == 5 and len({row.columns[1] for row in rows}) > 1:
        columns = [row.columns for row in rows]
        if is_of_probabilities(columns):
            return f"5 columns: {_five_columns(rows)}"
        return f"5 columns, but {wanted}"
    if width == 5 and last_is_number:
        return "5 columns: the tag is missing; add one: " + command("run without tag")
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
    if _counts(rows):
        return f"this looks like topic, document, rank; make a run of it: {command('run of ranks')}"
    return f"this looks like topic, document, score; make a run of it: {command('run of scores')}"


def _counts(rows: list[Row]) -> bool:
    """Whether the third column counts the rows of each topic, from 0 or 1."""
    thirds = [row.columns[2] for row in rows]
    if not all(map(is_whole_number, thirds)) or thirds[0].lstrip(b"+") not in (b"0", b"1"):
        return False
    steps = [
        (one.columns[2], two.columns[2]) for one, two in pairwise(rows) if one.columns[0] == two.columns[0]
    ]
    return all(len(two) < 10 and int(one) + 1 == int(two) for one, two in steps)


def is_of_probabilities(rows: list[list[bytes]]) -> bool:
    """Whether rows of five columns are prels: topic, document, grade, method, probability.

    They have a probability in the last column, mostly with a point, and a grade in the third. Where both readings are
    possible, prels are taken if the second column has more than one value.
    """
    if not rows or not all(is_whole_number(row[2]) and is_whole_number(row[3]) for row in rows):
        return False
    fractions = any(not is_whole_number(row[4]) for row in rows)
    return fractions or len({row[1] for row in rows}) > 1


def _five_columns(rows: list[Row]) -> str:
    if is_of_probabilities([row.columns for row in rows]):
        return f"this looks like a sample with probabilities (statAP); for plain qrels: {command('qrels of a sample')}"
    fourths, fifths = ([is_whole_number(row.columns[place]) for row in rows] for place in (3, 4))
    if all(fourths) and all(fifths):
        return (
            "this looks like qrels with a stratum or a second grade (sample_eval, misinformation tracks); if the last "
            f"column holds the grade: {command('qrels with strata')}"
        )
    if all(fourths):
        return f"qrels have four (topic 0 document grade); take these: {command('qrels with a remark')}"
    text = shown(b" ".join(rows[0].columns))
    return f"qrels have four (topic 0 document grade), and no id holds a blank: {text}; correct the lines"


def _two_ids_and_a_grade(rows: list[Row]) -> str:
    grades = [is_number(row.columns[2]) for row in rows]
    if len(rows) > 1 and all(grades[1:]) and not grades[0]:
        return f"this looks like a table with a line of column names; make qrels of it: {command('qrels under names')}"
    if all(grades):
        return f"the second column of qrels is missing; add it: {command('qrels without zeros')}"
    text = shown(b" ".join(rows[0].columns))
    return (
        f"qrels have four (topic 0 document grade): {text}; write the grade as a whole number in the fourth"
    )
