"""A form that came after the session had ended: its fields are kept over signing in, and sent by one more press.

They travel in the pages of signing in, as hidden fields of other names, and are stored nowhere. Forms with a password
are not kept, and neither are files and what is larger than a person types.
"""

from __future__ import annotations

from flask import Flask, g, request

PREFIX = "kept."
TOKEN = "csrf_token"  # noqa: S105  # nosec B105 - the name of a field
MOST, LARGEST = 1_000, 200_000
"""Fields and bytes of a form that is kept: who is signed out can send one, and the answer has all of it."""

NEVER = frozenset({"password", "again", "now", "new", "code", "secret", "confirm-password", "confirm-code"})

Fields = list[tuple[str, str]]


def init_app(app: Flask) -> None:
    """Let templates ask for the fields."""
    app.add_template_global(kept_fields)


def keep() -> Fields:
    """Keep the fields of this refused request for the page that answers it; none for what is no plain form."""
    if request.method != "POST" or request.mimetype != "application/x-www-form-urlencoded":
        return []
    if request.content_length is None or request.content_length > LARGEST:
        return []
    fields = [(name, text) for name, text in request.form.items(multi=True) if name != TOKEN]
    is_kept = len(fields) <= MOST and not any(name in NEVER for name, _ in fields)
    g.kept = [(PREFIX + name, text) for name, text in fields] if is_kept else []
    return list(g.kept)


def kept_fields() -> Fields:
    """The fields that a page of signing in passes on, by the names that they have there."""
    if "kept" in g:
        return list(g.kept)
    found = [(name, text) for name, text in request.form.items(multi=True) if name.startswith(PREFIX)]
    return found if len(found) <= MOST else []


def fields_as_typed() -> Fields:
    """The fields that were kept, by their own names."""
    return [(name.removeprefix(PREFIX), text) for name, text in kept_fields()]
