"""Files that pages load, at addresses that name the edition of the server: browsers keep them and never ask again.

An address such as `/static/EDITION/judging/judge.js` is another one after every update, also for the modules that a
module imports, whose addresses are relative to its own. A page of an earlier edition that is loading while the server
is replaced gets the file as it is now, and keeps none of it. Pages that load many files name a bundle (bundles.py).
"""

from __future__ import annotations

import mimetypes
import re
from collections.abc import Callable
from functools import wraps
from typing import Any

from flask import Flask, Response, make_response, request, url_for

from workbench.web.requests.bundles import bundle, bundle_name

IMMUTABLE = "public, max-age=31536000, immutable"
EDITION = re.compile(r"([0-9a-f]{12})/(.+)", re.DOTALL)


def init_app(app: Flask) -> None:
    """Give static files their addresses, and templates `bundle`, see `bundle_url`."""
    mimetypes.add_type("application/speculationrules+json", ".speculationrules")
    app.url_defaults(_name_edition(app))
    app.view_functions["static"] = _by_edition(app, app.view_functions["static"])
    app.add_template_global(bundle_url, "bundle")


def bundle_url(filename: str) -> str:
    """The address of a script or a sheet with all that it imports."""
    return url_for("static", filename=bundle_name(filename))


def _made(text: str, mimetype: str) -> Response:
    response = Response(text, mimetype=mimetype)
    response.headers["Cache-Control"] = "no-cache"
    response.add_etag()
    response.make_conditional(request)
    return response


def _name_edition(app: Flask) -> Callable[[str, dict[str, Any]], None]:
    def name_edition(endpoint: str, values: dict[str, Any]) -> None:
        if endpoint == "static":
            values["filename"] = f"{app.config['EDITION']}/{values['filename']}"

    return name_edition


def _by_edition(app: Flask, send: Callable[..., Any]) -> Callable[..., Response]:
    @wraps(send)
    def static(filename: str) -> Response:
        found = EDITION.fullmatch(filename)
        name = filename if found is None else found[2]
        made = bundle(str(app.static_folder), name)
        response = make_response(send(filename=name)) if made is None else _made(*made)
        if found is not None and found[1] == app.config["EDITION"]:
            response.headers["Cache-Control"] = IMMUTABLE
        return response

    return static
