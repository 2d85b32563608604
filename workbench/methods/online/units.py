"""Users, sessions or topics as the sample: what intervals and tests of a log are about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from types import MappingProxyType
from typing import Literal, NamedTuple

from workbench.core.errors import InputError, Problem
from workbench.core.impressions import Impression
from workbench.formats.text.lines import STOP_AFTER

Unit = Literal["user", "session", "topic"]
FIELDS: Mapping[Unit, str] = MappingProxyType({"user": "user", "session": "session", "topic": "topic_id"})
ABOUT: Mapping[Unit, str] = MappingProxyType(
    {
        "user": "Users are the sample: intervals and tests are about other users with the queries of the log.",
        "session": "Sessions are the sample: intervals are too narrow where one user has several sessions.",
        "topic": "Topics are the sample: intervals and tests are about other topics, with users like those of the log.",
    }
)
"""What intervals and tests are about."""


class Units(NamedTuple):
    """What the sample is, and the unit of each list."""

    of: Unit
    ids: tuple[str, ...]


def default_unit(seen: Sequence[Impression]) -> Unit:
    """Users where some list has one, else sessions, else topics."""
    return next(
        (unit for unit, field in FIELDS.items() if any(getattr(each, field) for each in seen)), "topic"
    )


def units_of(seen: Sequence[Impression], by: Unit | None = None) -> Units:
    """The units of a log, by default those of `default_unit`. InputError: some lists have none."""
    by = by or default_unit(seen)
    ids = tuple(getattr(each, FIELDS[by]) for each in seen)
    message = (
        f"{by}_id is missing, and each {by} is a unit of the sample; complete it, or name another unit (--by)"
    )
    refuse((each, "" if unit else message) for each, unit in zip(seen, ids, strict=True))
    return Units(by, ids)


def refuse(messages: Iterable[tuple[Impression, str]]) -> None:
    """InputError with what is wrong with lists, up to STOP_AFTER; "" for nothing."""
    wrong = (Problem(each.file, each.line, message) for each, message in messages if message)
    if problems := list(islice(wrong, STOP_AFTER)):
        raise InputError(problems)
