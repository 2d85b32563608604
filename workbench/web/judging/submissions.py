"""What a browser sends with a judgment, read with suspicion: every field has one type and one range."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from flask import g, request

from workbench.campaign.assessing import (
    INPUTS,
    LONGEST_COMMENT,
    LONGEST_RATIONALE,
    LONGEST_SECONDS,
    MOST_RATIONALES,
    SCREEN_KINDS,
    Submission,
    is_moment,
)
from workbench.core.errors import JudgmentRefused, WorkbenchError
from workbench.core.records import Rationale
from workbench.storage.campaign.log import log

LONGEST_TEXT = 4_000
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")

Reader = Callable[[object], Any]


class WrongField(WorkbenchError):
    """A field of what was sent has the wrong type or value; `field` is its name."""

    def __init__(self, field: str, expected: str) -> None:
        self.field = field
        super().__init__(f"{field}: {expected}")


def sent_json() -> Any:
    """The JSON of this request; WrongField where it is nested too deeply to be read."""
    try:
        return request.get_json()
    except RecursionError:
        raise WrongField("body", "the JSON is nested too deeply") from None


def read_submission(sent: object) -> tuple[Submission, str]:
    """The submission in a decoded JSON value, and the mark of the log it was made for.

    WrongField names the first field that is missing, wrong or unknown.
    """
    fields = read_fields(sent, READERS, OPTIONAL)
    made_for = fields.pop("log")
    return Submission(**fields), made_for


def check_log(made_for: str) -> None:
    """Refuse what was made for another log than that of this request's campaign, which had the same name then."""
    if made_for != log.mark(g.campaign):
        raise JudgmentRefused(
            "another campaign", "this was judged in another campaign that had the same name"
        )


def read_fields(
    sent: object, readers: Mapping[str, Reader], optional: frozenset[str] = frozenset()
) -> dict[str, Any]:
    """The fields of a decoded JSON object, each read by its reader; those that are optional may be missing."""
    if not isinstance(sent, Mapping):
        raise WrongField("body", "a JSON object is expected")
    for field in sent:
        if field not in readers:
            raise WrongField(str(field)[:100], "this field is not known")
    known = (field for field in readers if field in sent or field not in optional)
    return {field: _read(sent, field, readers[field]) for field in known}


def _read(sent: Mapping[str, object], field: str, reader: Reader) -> Any:
    if field not in sent:
        raise WrongField(field, "this field is missing")
    try:
        return reader(sent[field])
    except ValueError as error:
        raise WrongField(field, str(error)) from None


def read_text(value: object, longest: int = LONGEST_TEXT) -> str:
    """A text of at most `longest` characters, all of them whole; ValueError says what is expected."""
    if not isinstance(value, str):
        raise ValueError("text is expected")
    if len(value) > longest:
        raise ValueError(f"at most {longest} characters are taken")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise ValueError("the text holds half a character (a lone surrogate)") from None
    return value


def _comment(value: object) -> str:
    return read_text(value, LONGEST_COMMENT)


def _uuid(value: object) -> str:
    text = read_text(value).lower()
    if not UUID.fullmatch(text):
        raise ValueError("a UUID is expected")
    return text


def _kind(value: object) -> str:
    if value not in SCREEN_KINDS:
        raise ValueError(f"one of {', '.join(SCREEN_KINDS)} is expected")
    return str(value)


def _integer(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError("an integer is expected")
    if abs(value) > log.LARGEST_INTEGER:
        raise ValueError("the integer is too large")
    return value


def _integer_or_none(value: object) -> int | None:
    return None if value is None else _integer(value)


def _seconds(value: object) -> float | None:
    if value is None:
        return None
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise ValueError("a number of seconds is expected")
    if not 0 <= value <= LONGEST_SECONDS:
        raise ValueError(f"a number of seconds from 0 to {LONGEST_SECONDS:,} is expected")
    return float(value)


def _input(value: object) -> str | None:
    if value is not None and value not in INPUTS:
        raise ValueError(f"one of {', '.join(INPUTS)} is expected")
    return None if value is None else str(value)


def _text_or_none(value: object) -> str | None:
    return None if value is None else read_text(value)


def _moment(value: object) -> str:
    text = read_text(value)
    if not is_moment(text):
        raise ValueError("a time such as 2026-03-01T12:00:00.000Z is expected")
    return text


def _rationales(value: object) -> tuple[Rationale, ...]:
    if not isinstance(value, list) or len(value) > MOST_RATIONALES:
        raise ValueError(f"a list of at most {MOST_RATIONALES} rationales is expected")
    return tuple(_rationale(sent) for sent in value)


def _rationale(sent: object) -> Rationale:
    if not isinstance(sent, Mapping) or set(sent) != set(Rationale._fields):
        raise ValueError(f"a rationale has {', '.join(Rationale._fields)}")
    field, text = read_text(sent["field"]), read_text(sent["text"], LONGEST_RATIONALE)
    return Rationale(field, _integer(sent["start"]), _integer(sent["end"]), text)


READERS: Mapping[str, Reader] = {
    "uuid": _uuid,
    "log": read_text,
    "topic_id": read_text,
    "document_id": read_text,
    "pool": _integer,
    "text_hash": read_text,
    "topic_version": _integer,
    "guideline_version": _integer,
    "kind": _kind,
    "grade": _integer_or_none,
    "replaces": _integer_or_none,
    "client_at": _moment,
    "active_seconds": _seconds,
    "comment": _comment,
    "input": _input,
    "same_as": _text_or_none,
    "rationales": _rationales,
    "norming": _integer_or_none,
}

OPTIONAL = frozenset({"input", "same_as", "rationales", "norming"})
"""Fields that a page opened before an update of the server does not send, nor one outside of norming sessions."""
