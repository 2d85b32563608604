"""Files that pages load, at addresses that name the edition of the server: browsers keep them and never ask again.

An address such as `/static/EDITION/judging/judge.js` is another one after every update, also for the modules that a
module imports, whose addresses are relative to its own. A page of an earlier edition that is loading while the server
is replaced gets the file as it is now, and keeps none of it.
"""

from __future__ import annotations

import mimetypes
import re
from collections.abc import Callable
from functools import cache, wraps
from pathlib import Path, PurePosixPath
from posixpath import normpath
from typing import Any

from flask import Flask, Response, make_response

IMMUTABLE = "public, max-age=31536000, immutable"
EDITION = re.compile(r"([0-9a-f]{12})/(.+)", re.DOTALL)
IMPORT = re.compile(r"""^(?:import|export)\s(?:[^;"']*\sfrom\s)?["'](\.{1,2}/[^"']+)["'];""", re.MULTILINE)


def init_app(app: Flask) -> None:
    """Give static files their addresses, and templates `modules`: what a script imports."""
    mimetypes.add_type("application/speculationrules+json", ".speculationrules")
    app.url_defaults(_name_edition(app))
    app.view_functions["static"] = _by_edition(app, app.view_functions["static"])
    app.add_template_global(lambda filename: modules(str(app.static_folder), filename), "modules")


@cache
def modules(folder: str, filename: str) -> tuple[str, ...]:
    """What a script in the folder of static files imports, directly or by others, in the order it is found."""
    found = [filename]
    for name in found:  # which grows meanwhile
        text = Path(folder, name).read_text(encoding="utf-8")
        for imported in IMPORT.findall(text):
            path = normpath(str(PurePosixPath(name).parent / imported))
            if path not in found:
                found.append(path)
    return tuple(found[1:])


def _name_edition(app: Flask) -> Callable[[str, dict[str, Any]], None]:
    def name_edition(endpoint: str, values: dict[str, Any]) -> None:
        if endpoint == "static":
            values["filename"] = f"{app.config['EDITION']}/{values['filename']}"

    return name_edition


def _by_edition(app: Flask, send: Callable[..., Any]) -> Callable[..., Response]:
    @wraps(send)
    def static(filename: str) -> Response:
        found = EDITION.fullmatch(filename)
        if found is None:
            return make_response(send(filename=filename))
        response = make_response(send(filename=found[2]))
        if found[1] == app.config["EDITION"]:
            response.headers["Cache-Control"] = IMMUTABLE
        return response

    return static
