"""One script and one style sheet in the place of the many that a page is written in.

`judging/judge.bundle.js` is `judging/judge.js` with all modules that it imports, each in a function of its own, in an
order in which none is used before it ran; `x.bundle.css` is a sheet with those that it imports. Comments are left out,
lines stay lines, and a source map leads the browser's debugger to the files as they are written.
"""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path, PurePosixPath
from posixpath import normpath, relpath

from werkzeug.security import safe_join

NAME = re.compile(r"(.+)\.bundle(\.js|\.js\.map|\.css)")
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
    """The text of a bundle and its media type; None for a name that no bundle has."""
    match = NAME.fullmatch(filename)
    if match is None:
        return None
    stem, suffix = match.groups()
    source = stem + suffix.removesuffix(".map")
    path = safe_join(folder, source)
    if path is None or not Path(path).is_file():
        return None
    return _made(folder, source, suffix), TYPES[suffix]


@cache
def _made(folder: str, source: str, suffix: str) -> str:
    return {".js": _script, ".js.map": _source_map, ".css": _sheet}[suffix](folder, source)


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


def _sheet(folder: str, name: str) -> str:
    text = SHEET.sub(lambda match: _sheet(folder, _beside(name, match[1])), _read(folder, name))
    return _without_comments(text)


def _without_comments(text: str) -> str:
    return COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), text)


def _constant(name: str) -> str:
    return "$" + re.sub(r"\W", "_", name.removesuffix(".js"))


def _beside(name: str, imported: str) -> str:
    return normpath(str(PurePosixPath(name).parent / imported))


def _read(folder: str, name: str) -> str:
    return Path(folder, name).read_text(encoding="utf-8")
