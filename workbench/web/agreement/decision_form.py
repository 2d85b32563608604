"""What the forms of adjudication say, read field by field; a form that is not ours is answered with 422."""

from __future__ import annotations

from typing import Any, get_args

from flask import abort, request

from workbench.analysis.adjudication.deciding import Decision
from workbench.core.records import Judgment
from workbench.core.values import UUID, Declared, declared
from workbench.core.values import text as text_of

LONGEST_NUMBER = 18
LONGEST_READ = 1_000_000
"""Characters of a reason that are read: one that is longer than may be stored comes back with the page."""


def decision(*, overrules: bool = False) -> Decision:
    """The adjudication in a form, or what it overrules; one that is not ours is answered with 422."""
    seconds = request.form.get("seconds", "")
    proof = {
        field.name: _shown(field)
        for field in declared(Judgment)
        if field.given.part in ("unit", "shown")
        and field.name != "left"  # adjudicators see things in byte order
    }
    given = Judgment(
        **proof,
        uuid=uuid(),
        grade=number("grade"),
        replaces=number("replaces") if request.form.get("replaces") else None,
        active_seconds=float(seconds)
        if seconds.isascii() and seconds.isdecimal() and len(seconds) < 8
        else None,
        comment=text("comment", LONGEST_READ) if request.form.get("comment") else "",
        input="key" if request.form.get("input") == "key" else "button",
    )
    return Decision(given, number("newest"), overrules)


def _shown(field: Declared) -> Any:
    """A field of the pair, or of the proof of what was shown; the form has the names of the file's columns."""
    return number(field.column) if int in (field.type, *get_args(field.type)) else text(field.column)


def text(field: str, longest: int = 4_000) -> str:
    """A text of the form, of at most `longest` characters."""
    try:
        found: str = text_of(longest).read(request.form.get(field))
        return found.replace("\r\n", "\n")
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
    try:
        return str(UUID.read(request.form.get("uuid")))
    except ValueError as error:
        abort(422, f"uuid: {error}")
