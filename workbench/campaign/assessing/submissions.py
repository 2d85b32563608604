"""A judgment as the page sends it, and what it may hold."""

from __future__ import annotations

import re
from datetime import datetime
from types import NoneType
from typing import NamedTuple

from workbench.core.errors import JudgmentRefused
from workbench.core.records import Rationale
from workbench.storage.campaign.log import log
from workbench.storage.campaign.log.text_bounds import (
    LONGEST_COMMENT,
    LONGEST_RATIONALE,
    LONGEST_TIME,
    MOST_RATIONALES,
)

SCREEN_KINDS = ("grade", "can't tell", "cleared")
LONGEST_SECONDS = 10_000_000
INPUTS = ("key", "button", "same")
"""Ways of input: a key, a button (mouse, finger, screen reader), or "same grade as its near duplicate"."""

MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)", re.ASCII)

_TYPES: dict[str, tuple[type, ...]] = {
    "pool": (int,),
    "topic_version": (int,),
    "guideline_version": (int,),
    "grade": (int, NoneType),
    "replaces": (int, NoneType),
    "client_at": (str, NoneType),
    "active_seconds": (int, float, NoneType),
    "input": (str, NoneType),
    "same_as": (str, NoneType),
    "rationales": (tuple,),
    "norming": (int, NoneType),
}
"""The types of a submission's fields that may be something else than text."""


class Submission(NamedTuple):
    """A judgment as the page sends it; see `core.records.Judgment` for the meaning of the fields.

    `norming` is the number of the norming session in which it is given, None outside of them.
    """

    uuid: str
    topic_id: str
    document_id: str
    pool: int
    text_hash: str
    topic_version: int
    guideline_version: int
    kind: str
    grade: int | None
    replaces: int | None
    client_at: str | None = None
    active_seconds: float | None = None
    comment: str = ""
    input: str | None = None
    same_as: str | None = None
    rationales: tuple[Rationale, ...] = ()
    norming: int | None = None


def has_lone_surrogate(text: str) -> bool:
    """Whether a lone surrogate is in a text, which no UTF-8 can hold."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def is_moment(text: str) -> bool:
    """Whether a text is a time with its zone in ISO 8601, as browsers write it: 2026-03-01T12:00:00.000Z."""
    if len(text) > LONGEST_TIME or MOMENT.fullmatch(text) is None:
        return False
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def check(submission: Submission) -> None:
    """Refuse what no judgment can be, whatever the campaign holds; JudgmentRefused as `bad value`."""
    _check_types(submission)
    _check_values(submission)


def _check_types(submission: Submission) -> None:
    """The hash of a row covers its values as they are stored, so True must not pass for 1, nor 1.0."""
    for name, value in submission._asdict().items():
        if type(value) not in _TYPES.get(name, (str,)):
            raise JudgmentRefused("bad value", f"{name} cannot be {value!r}")
        if isinstance(value, int) and abs(value) > log.LARGEST_INTEGER:
            raise JudgmentRefused("bad value", f"{name} is too large")
        if isinstance(value, str) and has_lone_surrogate(value):
            raise JudgmentRefused("bad value", f"{name} holds half a character (a lone surrogate)")


def _check_values(submission: Submission) -> None:
    if not 8 <= len(submission.uuid) <= 64:
        raise JudgmentRefused("bad value", "the uuid must have 8 to 64 characters")
    if submission.kind not in SCREEN_KINDS:
        raise JudgmentRefused("bad value", f"a judgment is one of {', '.join(SCREEN_KINDS)}")
    if (submission.grade is None) != (submission.kind != "grade"):
        raise JudgmentRefused("bad value", "send a grade with the kind 'grade', and only with that")
    if len(submission.comment) > LONGEST_COMMENT:
        raise JudgmentRefused("bad value", f"a comment may have {LONGEST_COMMENT:,} characters at most")
    if submission.input is not None and submission.input not in INPUTS:
        raise JudgmentRefused("bad value", f"a way of input is one of {', '.join(INPUTS)}")
    if submission.client_at is not None and not is_moment(submission.client_at):
        raise JudgmentRefused("bad value", "client_at is a time such as 2026-03-01T12:00:00.000Z")
    _check_rationales(submission)
    seconds = submission.active_seconds
    if seconds is not None and not 0 <= seconds <= LONGEST_SECONDS:
        raise JudgmentRefused("bad value", f"active seconds must be a number from 0 to {LONGEST_SECONDS:,}")


def _check_rationales(submission: Submission) -> None:
    if len(submission.rationales) > MOST_RATIONALES:
        raise JudgmentRefused("bad value", f"a judgment may have {MOST_RATIONALES} rationales at most")
    for rationale in submission.rationales:
        if tuple(map(type, rationale)) != (str, int, int, str) or rationale.field not in ("title", "text"):
            raise JudgmentRefused(
                "bad value", "a rationale is a field (title or text), two offsets and the text there"
            )
        if not 0 <= rationale.start < rationale.end or rationale.end - rationale.start != len(rationale.text):
            raise JudgmentRefused("bad value", "the offsets of a rationale do not fit to its text")
        if len(rationale.text) > LONGEST_RATIONALE:
            raise JudgmentRefused(
                "bad value", f"a rationale may have {LONGEST_RATIONALE:,} characters at most"
            )
        if has_lone_surrogate(rationale.text):
            raise JudgmentRefused("bad value", "a rationale holds half a character (a lone surrogate)")
