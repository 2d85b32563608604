"""Labels of models as this workbench writes them: JSON lines with judges and answers, in the order of the log.

A line is `{"judge": {...}}`, which declares a version of a judge, or an answer of the judge before it with the number
of its `batch`: what was stored together has one number.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from workbench.core.errors import InputError, Problem
from workbench.core.model_answers import Judge, ModelAnswer, answer_of, judge_of
from workbench.formats.tables.json_text import json_line
from workbench.formats.text.content import name_of, stream_of
from workbench.formats.text.json_values import json_texts
from workbench.formats.text.lines import STOP_AFTER


class Step(NamedTuple):
    """A judge that is declared, or answers that were stored together, with the lines of a file."""

    judge: Judge | None
    answers: list[ModelAnswer]
    lines: list[int]


def exported_lines(steps: Iterable[Step]) -> Iterator[str]:
    """The lines of judges and answers."""
    for number, (judge, answers, _) in enumerate(steps):
        if judge is not None:
            yield json_line({"judge": judge.content})
        yield from (json_line({"batch": number, **answer._asdict()}) for answer in answers)


def read_exported(path: str | Path) -> list[Step]:
    """The judges and answers of such a file; InputError with all that is wrong."""
    file, problems = name_of(path), list[Problem]()
    found = list[tuple[int | None, Any, int]]()
    with stream_of(path) as stream:
        for line, _, text in json_texts(stream, file):
            try:
                found.append((*_read(json.loads(text)), line))
            except (AttributeError, TypeError, ValueError, LookupError) as error:
                message = f"no judge and no answer ({error}); export the labels again"
                problems.append(Problem(file, line, message))
            if len(problems) >= STOP_AFTER:
                break
    if not problems and not (found and isinstance(found[0][1], Judge)):
        problems.append(Problem(file, 1, "the file does not begin with a judge; export the labels again"))
    if problems:
        raise InputError(problems)
    steps = list[Step]()
    for batch, rows in groupby(found, key=lambda each: each[0]):
        listed = list(rows)
        if batch is None:
            steps += (Step(judge, [], [line]) for _, judge, line in listed)
        else:
            steps.append(Step(None, [answer for _, answer, _ in listed], [line for *_, line in listed]))
    return steps


def _read(content: dict[str, Any]) -> tuple[int | None, Judge | ModelAnswer]:
    if "judge" in content:
        return None, judge_of(content["judge"])
    return int(content.pop("batch")), answer_of(content)
