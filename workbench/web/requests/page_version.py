"""Pages that were opened before the server was updated.

Every page knows the edition that made it, a mark of all that pages are made of, and every answer names the edition of
the server: where the two differ the page says so, and reloads at a moment that loses nothing (static/page_version.js).

What a page sends has a number besides, its form. A judgment waits in a browser in the form of the page that made it and
may be sent by a newer page, so released forms are understood from OLDEST_FORM on: new fields are optional, old ones
keep their meaning. A page of another form is refused by a word of its own, and keeps what it has to say until it is
reloaded.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path

from flask import Flask, Response, current_app, request

from workbench.web.requests.answers import refusal
from workbench.web.requests.form_values import natural_number

FORM = 1
"""What pages of this version send, counted from 1; scripts that are no pages name none."""

OLDEST_FORM = 1
"""The oldest form that this version understands."""

EDITION_HEADER = "X-Workbench-Edition"
FORM_HEADER = "X-Workbench-Form"
REASON = "other version"


def init_app(app: Flask) -> None:
    """Name the edition in pages and answers, and refuse pages that this server does not understand."""
    edition = edition_of(str(app.template_folder), str(app.static_folder))
    app.config.update(EDITION=edition, FORM=FORM, OLDEST_FORM=OLDEST_FORM)
    app.before_request(check)

    @app.after_request
    def name_edition(response: Response) -> Response:
        if request.endpoint != "static":
            response.headers[EDITION_HEADER] = app.config["EDITION"]
        return response


@cache
def edition_of(*folders: str) -> str:
    """A mark of the files in these folders and of the code that answers pages; another one after every update."""
    mark = sha256()
    for folder in (*folders, str(Path(__file__).resolve().parents[1])):
        for path in sorted(Path(folder).rglob("*.*")):
            if path.is_file() and "__pycache__" not in path.parts:
                mark.update(f"{path.relative_to(folder)}\0".encode())
                mark.update(sha256(path.read_bytes()).digest())
    return mark.hexdigest()[:12]


def check() -> Response | None:
    """The refusal of a request whose form is not among those that this server understands; None for all others."""
    form = request.headers.get(FORM_HEADER)
    if form is None:
        return None
    number = natural_number(form) or 0
    if current_app.config["OLDEST_FORM"] <= number <= current_app.config["FORM"]:
        return None
    than = "older" if number < current_app.config["OLDEST_FORM"] else "newer"
    message = (
        f"This page is {than} than the server and does not work with it. Reload it: unsent data is kept."
    )
    return refusal(409, REASON, message)
