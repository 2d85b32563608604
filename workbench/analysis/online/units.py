"""Users, sessions or topics as the sample: what intervals and tests of a log are about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Literal, NamedTuple

from workbench.core.errors import InputError, Problem
from workbench.core.impressions import Impression

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


def units_of(seen: Sequence[Impression], by: Unit | None = None) -> Units:
    """The units of a log: by default users where they are recorded, else sessions, else topics.

    InputError: some lists have none.
    """
    if by is None:
        there: list[Unit] = [unit for unit in FIELDS if any(getattr(each, FIELDS[unit]) for each in seen)]
        by = there[0] if there else "topic"
    ids = tuple(getattr(each, FIELDS[by]) for each in seen)
    name = "topic_id" if by == "topic" else f"{by}_id"
    message = (
        f"{name} is missing, and each {by} is a unit of the sample; complete it, or name another unit (--by)"
    )
    if problems := [
        Problem(each.file, each.line, message) for each, id_ in zip(seen, ids, strict=True) if not id_
    ]:
        raise InputError(problems)
    return Units(by, ids)
