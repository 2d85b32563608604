"""Files of means and standard deviations, by which scores become distances from what runs usually reach."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from workbench.core.errors import InputError, Problem
from workbench.core.wording import counted
from workbench.formats.text.content import load

COLUMNS = 4


class Usual(NamedTuple):
    """What runs usually reach: the mean and the standard deviation of one measure for one topic."""

    mean: float
    deviation: float


Zscores = Mapping[tuple[str, str], Usual]
"""(topic id, name of the measure as the reference program prints it) -> what is usual there."""


def read_zscores(path: str | Path) -> Zscores:
    """Read lines of topic, measure, mean and standard deviation; `-` is standard input.

    Raises:
        InputError: lines of another form, and pairs that are there twice.
    """
    content = load(path)
    found: dict[tuple[str, str], Usual] = {}
    problems: list[Problem] = []
    text = content.data.decode("utf-8", "replace").removeprefix("\ufeff")
    for number, line in enumerate(text.split("\n"), start=1):
        words = line.split()
        if not words:
            continue
        try:
            topic_id, name, usual = _read(words)
        except ValueError as reason:
            problems.append(Problem(content.file, number, str(reason)))
            continue
        if (topic_id, name) in found:
            problems.append(Problem(content.file, number, f"{name} of topic {topic_id} is given twice"))
        found[topic_id, name] = usual
    if problems:
        raise InputError(problems)
    return found


def _read(words: list[str]) -> tuple[str, str, Usual]:
    if len(words) != COLUMNS:
        raise ValueError(
            f"{counted(len(words), 'column')}; there must be four: topic, measure, mean, standard deviation"
        )
    try:
        numbers = [float(word) for word in words[2:]]
    except ValueError:
        numbers = [math.nan]
    if not all(map(math.isfinite, numbers)):
        raise ValueError(f"{words[2]!r} and {words[3]!r} must be two numbers: mean and standard deviation")
    return words[0], words[1], Usual(*numbers)
