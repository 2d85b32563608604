"""What a browser sends with a judgment, read with suspicion: every field has one type and one range."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from flask import g, request

from workbench.core.errors import JudgmentRefused, WorkbenchError
from workbench.core.records import Judgment
from workbench.core.values import declared, read_integer, text
from workbench.storage.campaign.log import log

LONGEST_TEXT = 4_000

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


class Submission(NamedTuple):
    """What was sent: a judgment as far as its sender says it, the mark of the log that it was made for, and the number
    of the norming session in which it is given.
    """

    judgment: Judgment
    log: str
    norming: int | None


def read_submission(sent: object) -> Submission:
    """The submission in a decoded JSON value; WrongField names the first field that is missing, wrong or unknown."""
    fields = read_fields(sent, READERS, OPTIONAL)
    made_for, norming = fields.pop("log"), fields.pop("norming", None)
    return Submission(Judgment(**fields), made_for, norming)


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
    found: str = text(longest).read(value)
    return found


def read_number(value: object) -> int | None:
    """An integer, or None."""
    return None if value is None else read_integer(value)


SENT = tuple(field for field in declared(Judgment) if field.given.by != "log")
"""The fields of a judgment that its sender gives."""
READERS: Mapping[str, Reader] = {
    **{field.name: field.read for field in SENT},
    "log": read_text,
    "norming": read_number,
}
OPTIONAL = frozenset({"norming", *(field.name for field in SENT if field.given.by == "client, if any")})
