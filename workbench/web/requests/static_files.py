"""Files that pages load, at addresses that name the edition of the server: browsers keep them and never ask again.

An address such as `/static/EDITION/judging/judge.js` is another one after every update, also for the modules that a
module imports, whose addresses are relative to its own. A page of an earlier edition that is loading while the server
is replaced gets the file as it is now, and keeps none of it. Pages that load many files name a bundle (bundles.py).
"""

from __future__ import annotations

import json
import mimetypes
import re
from functools import cache, wraps
from pathlib import Path, PurePosixPath
from posixpath import normpath, relpath
from typing import Any

from flask import Flask, Response, make_response, request, url_for
from werkzeug.security import safe_join

from workbench.web.requests.catalogues import ENGLISH, LANGUAGES, script

NAME = re.compile(r"(.+)\.bundle(\.js|\.js\.map|\.css)")
MESSAGES = re.compile(r"messages\.([a-z]{2})\.js")
IMPORT = re.compile(r"""^import (\{[^}]*\}|\* as \w+) from "(\.{1,2}/[^"]+)";""", re.MULTILINE)
EXPORT = re.compile(r"^export ((?:async )?(?:function|class|const)) (\w+)", re.MULTILINE)
COMMENT = re.compile(r"^[ \t]*(?://.*|/\*(?:(?!\*/).|\n)*\*/[ \t]*)$", re.MULTILINE)
SHEET = re.compile(r'^@import "([^"]+)";\n', re.MULTILINE)
TYPES = {".js": "text/javascript", ".js.map": "application/json", ".css": "text/css"}


def bundle_name(filename: str) -> str:
    """The name of the bundle of a script or a sheet."""
    stem, dot, suffix = filename.rpartition(".")
    return f"{stem}.bundle{dot}{suffix}"


def bundle(folder: str, filename: str) -> tuple[str, str] | None:
    """The text of a bundle, or of a language's messages, and its media type; None for a name that none has."""
    if (messages := MESSAGES.fullmatch(filename)) and messages[1] in LANGUAGES.keys() - {ENGLISH}:
        return script(messages[1]), TYPES[".js"]
    match = NAME.fullmatch(filename)
    if match is None:
        return None
    stem, suffix = match.groups()
    source = stem + suffix.removesuffix(".map")
    path = safe_join(folder, source)
    if path is None or not Path(path).is_file():
        return None
    return MADE[suffix](folder, source), TYPES[suffix]


@cache
def modules(folder: str, filename: str) -> tuple[str, ...]:
    """What a script imports, directly or by others, and the script itself, each after all that it imports."""
    found: dict[str, None] = {}

    def visit(name: str) -> None:
        for _, imported in IMPORT.findall(_read(folder, name)):
            if (path := _beside(name, imported)) not in found:
                visit(path)
        found[name] = None

    visit(filename)
    return tuple(found)


@cache
def _script(folder: str, entry: str) -> str:
    wrapped = "\n".join(_wrapped(name, _read(folder, name)) for name in modules(folder, entry))
    return f"{wrapped}\n//# sourceMappingURL={PurePosixPath(bundle_name(entry)).name}.map\n"


def _wrapped(name: str, text: str) -> str:
    """A module as one constant, which holds what it exports; its lines stay where they are, after the first one."""
    exported = ", ".join(found for _, found in EXPORT.findall(text))

    def from_constant(match: re.Match[str]) -> str:
        wanted, path = match.groups()
        taken = wanted.removeprefix("* as ").replace(" as ", ": ")
        return f"const {taken} = {_constant(_beside(name, path))};"

    lines = EXPORT.sub(r"\1 \2", IMPORT.sub(from_constant, _without_comments(text)))
    return f"const {_constant(name)} = (() => {{\n{lines}\nreturn {{ {exported} }};\n}})();"


@cache
def _source_map(folder: str, entry: str) -> str:
    sections, line = [], 1
    for name in modules(folder, entry):
        count = _read(folder, name).count("\n") + 1
        source = relpath(name, str(PurePosixPath(entry).parent))
        # A line of the bundle is a line of the file: the first at its beginning, each next one line further.
        mappings = ";".join(["AAAA", *(count - 1) * ["AACA"]])
        lines = {"version": 3, "sources": [source], "names": [], "mappings": mappings}
        sections.append({"offset": {"line": line, "column": 0}, "map": lines})
        line += count + 3
    return json.dumps({"version": 3, "sections": sections})


@cache
def _sheet(folder: str, name: str) -> str:
    text = SHEET.sub(lambda match: _sheet(folder, _beside(name, match[1])), _read(folder, name))
    return _without_comments(text)


MADE = {".js": _script, ".js.map": _source_map, ".css": _sheet}


def _without_comments(text: str) -> str:
    return COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), text)


def _constant(name: str) -> str:
    return "$" + re.sub(r"\W", "_", name.removesuffix(".js"))


def _beside(name: str, imported: str) -> str:
    return normpath(str(PurePosixPath(name).parent / imported))


def _read(folder: str, name: str) -> str:
    return Path(folder, name).read_text(encoding="utf-8")


IMMUTABLE = "public, max-age=31536000, immutable"
EDITION = re.compile(r"([0-9a-f]{12})/(.+)", re.DOTALL)


def init_app(app: Flask) -> None:
    """Give static files their addresses, and templates `bundle`, see `bundle_url`."""
    mimetypes.add_type("application/speculationrules+json", ".speculationrules")
    app.add_template_global(bundle_url, "bundle")
    send = app.view_functions["static"]

    @app.url_defaults
    def name_edition(endpoint: str, values: dict[str, Any]) -> None:
        if endpoint == "static":
            values["filename"] = f"{app.config['EDITION']}/{values['filename']}"

    @wraps(send)
    def static(filename: str) -> Response:
        found = EDITION.fullmatch(filename)
        name = filename if found is None else found[2]
        made = bundle(str(app.static_folder), name)
        response = make_response(send(filename=name)) if made is None else _made(*made)
        if found is not None and found[1] == app.config["EDITION"]:
            response.headers["Cache-Control"] = IMMUTABLE
        return response

    app.view_functions["static"] = static


def bundle_url(filename: str) -> str:
    """The address of a script or a sheet with all that it imports."""
    return url_for("static", filename=bundle_name(filename))


def _made(text: str, mimetype: str) -> Response:
    response = Response(text, mimetype=mimetype)
    response.headers["Cache-Control"] = "no-cache"
    response.add_etag()
    response.make_conditional(request)
    return response
