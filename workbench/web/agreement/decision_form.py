"""What the forms of adjudication say, read field by field; a form that is not ours is answered with 422."""

from __future__ import annotations

from flask import abort, request

from workbench.analysis.adjudication import Decision
from workbench.web.judging.submissions import UUID, read_text

LONGEST_NUMBER = 18
LONGEST_READ = 1_000_000
"""Characters of a reason that are read: one that is longer than may be stored comes back with the page."""


def decision(*, overrules: bool = False) -> Decision:
    """The adjudication in a form, or what it overrules; one that is not ours is answered with 422."""
    seconds = request.form.get("seconds", "")
    return Decision(
        uuid=uuid(),
        topic_id=text("topic"),
        document_id=text("document"),
        pool=number("pool"),
        text_hash=text("text_hash"),
        topic_version=number("topic_version"),
        guideline_version=number("guideline_version"),
        newest=number("newest"),
        grade=number("grade"),
        replaces=number("replaces") if request.form.get("replaces") else None,
        active_seconds=float(seconds)
        if seconds.isascii() and seconds.isdecimal() and len(seconds) < 8
        else None,
        comment=text("comment", LONGEST_READ) if request.form.get("comment") else "",
        overrules=overrules,
        input="key" if request.form.get("input") == "key" else "button",
    )


def text(field: str, longest: int = 4_000) -> str:
    """A text of the form, of at most `longest` characters."""
    try:
        return read_text(request.form.get(field), longest).replace("\r\n", "\n")
    except ValueError as error:
        abort(422, f"{field}: {error}")


def number(field: str) -> int:
    """An integer of the form."""
    return integer(request.form.get(field, ""), field)


def integer(found: str, field: str) -> int:
    """An integer that a form or an address has in a field."""
    digits = found.removeprefix("-")
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= LONGEST_NUMBER):
        abort(422, f"{field}: an integer is expected")
    return int(found)


def uuid() -> str:
    """The UUID under which the form is stored once."""
    found = request.form.get("uuid", "").lower()
    if not UUID.fullmatch(found):
        abort(422, "uuid: a UUID is expected")
    return found
