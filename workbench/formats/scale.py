"""The scale of grades as an organiser writes it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from workbench.core.errors import WorkbenchError
from workbench.core.records import Grade
from workbench.core.wording import counted

GRADE = re.compile(r"\s*+([+-]?[0-9]{1,9})\s*+:([^|:]*+)(?:\|(.*))?", re.DOTALL)
AT_END = re.compile(r"(?<![\s,])[\s,]+$")
"""Blanks and commas behind a name or a guideline."""
NUMBER = re.compile(r"[+-]?[0-9]{1,9}")
HIGHEST, MOST_WEIGHTS = 1000, 101


class ScaleError(WorkbenchError):
    """A scale of grades makes no sense; the message says why (which is `why` alone), and shows one that does."""

    def __init__(self, why: str, like: str = "0:Not relevant,1:Relevant,2:Highly relevant") -> None:
        self.why = why
        super().__init__(f'{why}; write it like "{like}"')


def parse_scale(text: str, relevant_from: int) -> tuple[Grade, ...]:
    """The grades of `NUMBER:NAME[|GUIDELINE],...` in ascending order.

    Raises ScaleError when a part is no grade, a number or name stands twice, fewer than two grades remain, no
    grade is relevant (at least `relevant_from`), or none is not.
    """
    return checked_scale(parse_grades(text), relevant_from)


def parse_grades(text: str) -> list[Grade]:
    """The grades of `NUMBER:NAME[|GUIDELINE],...` as they stand; ScaleError when a part is no grade."""
    # A comma starts the next grade only where a number and a colon follow: guidelines may have commas.
    return [_grade(part) for part in re.split(r",(?=\s*[+-]?[0-9]+\s*:)", text)]


def parse_map(text: str) -> dict[int, int]:
    """The new grade of each old one in `OLD=NEW,...`; ScaleError for a part that is none, or an old grade named twice.

    >>> parse_map("1=2,2=1,0")
    {1: 2, 2: 1, 0: 0}
    """
    found: dict[int, int] = {}
    for part in filter(str.strip, text.split(",")):
        old, _, new = map(str.strip, (part if "=" in part else f"{part}={part}").partition("="))
        if not (NUMBER.fullmatch(old) and NUMBER.fullmatch(new)) or int(old) in found:
            raise ScaleError(
                f"{part.strip()!r} in {text!r} maps no grade, or one a second time; a map is like 1=2,2=1"
            )
        found[int(old)] = int(new)
    return found


def parse_weights(text: str) -> list[Grade]:
    """A grade for each whole number from LEAST to MOST of `LEAST..MOST`; ScaleError for what is not that."""
    ends = [int(end) for end in map(str.strip, text.split("..")) if NUMBER.fullmatch(end)]
    if len(ends) != 2 or not 0 < ends[1] - ends[0] < MOST_WEIGHTS or max(map(abs, ends)) > HIGHEST:
        raise ScaleError(
            f"{text.strip()!r} is not from one whole number to another, at most {MOST_WEIGHTS}", "0..10"
        )
    return [Grade(number, str(number)) for number in range(ends[0], ends[1] + 1)]


def grades_by_number(counts: Sequence[tuple[int, int]]) -> tuple[Grade, ...]:
    """The grades of so many labels, named by these; `counts` are pairs (number from which on, grade), ascending."""
    found = [Grade(counts[-1][1], f"{counts[-1][0]} or more labels")]
    for (least, grade), (end, _) in pairwise(counts):
        found.append(
            Grade(grade, f"{least} to {end - 1} labels" if least < end - 1 else counted(least, "label"))
        )
    return tuple(sorted(found))


def written_scale(grades: Sequence[Grade]) -> str:
    """A scale as people read it and, unless a name or a guideline has `|`, `:` or a line's end, as it is parsed."""
    return ", ".join(f"{number}:{name}" + (f"|{line}" if line else "") for number, name, line in grades)


def scale_of(rows: Sequence[tuple[str, str, str]], relevant_from: int) -> tuple[Grade, ...]:
    """The grades of rows of number, name and guideline, as a form has them; rows without number and name are empty.

    Raises ScaleError as `parse_scale` does.
    """
    return checked_scale(grades_of(rows), relevant_from)


def grades_of(rows: Sequence[tuple[str, str, str]]) -> list[Grade]:
    """The same grades as they stand; ScaleError where a row is no grade."""
    return [
        _checked(number, " ".join(name.split()), " ".join(guideline.split()))
        for number, name, guideline in rows
        if number.strip() or name.strip()
    ]


def checked_scale(grades: Sequence[Grade], relevant_from: int) -> tuple[Grade, ...]:
    """Grades in ascending order; ScaleError when they make no scale, see `parse_scale`."""
    numbers = [grade.grade for grade in grades]
    columns: list[tuple[str, list[int] | list[str]]] = [
        ("number", numbers),
        ("name", [g.name for g in grades]),
    ]
    for what, values in columns:
        twice = next((value for value, count in Counter(values).items() if count > 1), None)
        if twice is not None:
            raise ScaleError(f"the {what} {twice!r} stands twice in the scale")
    check_relevance(numbers, relevant_from)
    return tuple(sorted(grades))


def check_relevance(numbers: Sequence[int], relevant_from: int) -> None:
    """Raise ScaleError when `relevant_from` does not divide the grades into relevant ones and others."""
    if relevant_from < 1:
        raise ScaleError(
            f"relevant from {relevant_from} would make 0 or special grades relevant; use at least 1"
        )
    if len(numbers) < 2:
        raise ScaleError("a scale has at least two grades")
    if max(numbers) < relevant_from:
        raise ScaleError(f"no grade is relevant: all are below {relevant_from}")
    if min(numbers) >= relevant_from:
        raise ScaleError(
            f"every grade is relevant: all are at least {relevant_from}, so let relevance begin higher, "
            f"with --relevant-from {sorted(numbers)[1]}, or add a lower grade"
        )


def _grade(part: str) -> Grade:
    match = GRADE.fullmatch(part)
    name, guideline = (
        (AT_END.sub("", (text or "").lstrip()) for text in match.group(2, 3)) if match else ("", "")
    )
    if match is None or not name:
        raise ScaleError(f"{part.strip()!r} is no grade")
    return _checked(match[1], name, guideline)


def _checked(number: str, name: str, guideline: str) -> Grade:
    if not NUMBER.fullmatch(number.strip()) or not name:
        raise ScaleError(f"{f'{number.strip()}:{name}'!r} is no grade")
    grade = int(number)
    if abs(grade) > HIGHEST:
        raise ScaleError(f"grade {grade} is out of range (-{HIGHEST} to {HIGHEST})")
    return Grade(grade, name, guideline)
