"""The demo's documents: the documentation strings of Python's own standard library, as installed.

The source files are parsed, never imported: nothing of them runs, and what the process has loaded stays as it was.
"""

from __future__ import annotations

import ast
import sysconfig
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from workbench.core.errors import NotThere
from workbench.core.records import Document

# Tests, bundled third parties, data that only looks like a module, and Windows' twin of os.path.
SKIPPED = frozenset(
    "__pycache__ _bundled dist-packages encodings idlelib lib2to3 lib-dynload ntpath.py pydoc_data site-packages "
    "test tests turtledemo".split()
)
# The readable halves of modules that are compiled elsewhere, under the names that people import.
PUBLIC_NAMES = {
    "_collections_abc": "collections.abc",
    "_pydatetime": "datetime",
    "_pydecimal": "decimal",
    "_pyio": "io",
    "posixpath": "os.path",
}

Definition = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


class Source(NamedTuple):
    """A file of the library: the name its module is imported by, and where it is."""

    module: str
    path: Path


def standard_library() -> Path:
    """The folder of the standard library that this Python runs with."""
    return Path(sysconfig.get_paths()["stdlib"])


def read_standard_library(folder: Path | None = None) -> Iterator[Document]:
    """Every documented public module, class, function and method, in order of module name, then of the file.

    A document's id is its dotted name (`collections.OrderedDict.move_to_end`), its title the name within the module,
    its text the line that defines it and the documentation string. Of several definitions of one name the first
    documented one counts. Raises NotThere when the folder holds no source files (some distributions leave only
    compiled ones).
    """
    folder = folder or standard_library()
    seen: set[str] = set()
    for source in _sources(folder):
        for document in _documents(source):
            if document.document_id not in seen:
                seen.add(document.document_id)
                yield document
    if not seen:
        raise NotThere(
            f"{folder} holds no documented Python source: install the standard library's source files"
        )


def _sources(folder: Path) -> list[Source]:
    found = (Source(_module(path.relative_to(folder)), path) for path in folder.rglob("*.py"))
    public = (source for source in found if not _is_hidden(source.module))
    # A compiled module's own thin file comes before its readable half: both may describe the module itself.
    return sorted(public, key=lambda source: (source.module, source.path.name.startswith("_"), source.path))


def _module(path: Path) -> str:
    parts = path.with_suffix("").parts
    if SKIPPED.intersection(path.parts) or not all(part.isidentifier() for part in parts):
        return ""
    name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
    return PUBLIC_NAMES.get(name, name)


def _is_hidden(name: str) -> bool:
    return not name or any(part.startswith("_") for part in name.split("."))


def _documents(source: Source) -> Iterator[Document]:
    try:
        with warnings.catch_warnings():
            # Old spellings in other people's files are not ours to report.
            warnings.simplefilter("ignore")
            tree = ast.parse(source.path.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return
    text = ast.get_docstring(tree)
    if text:
        yield _document(source.module, "", "module", f"import {source.module}", text)
    yield from _members(tree, source.module)


def _members(parent: ast.AST, module: str, inside: str = "") -> Iterator[Document]:
    for node in ast.iter_child_nodes(parent):
        if isinstance(node, ast.If | ast.Try):
            yield from _members(node, module, inside)
        elif isinstance(node, Definition) and not node.name.startswith("_"):
            name = f"{inside}.{node.name}" if inside else node.name
            text = ast.get_docstring(node)
            if text:
                yield _document(module, name, _kind(node, inside), _signature(node), text)
            if isinstance(node, ast.ClassDef):
                yield from _members(node, module, name)


def _kind(node: Definition, inside: str) -> str:
    if isinstance(node, ast.ClassDef):
        return "class"
    return "method" if inside else "function"


def _signature(node: Definition) -> str:
    if isinstance(node, ast.ClassDef):
        bases = ", ".join(ast.unparse(base) for base in [*node.bases, *node.keywords])
        return f"class {node.name}({bases})" if bases else f"class {node.name}"
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    word = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
    return f"{word} {node.name}({ast.unparse(node.args)}){returns}"


def _document(module: str, name: str, kind: str, signature: str, text: str) -> Document:
    return Document(
        document_id=f"{module}.{name}" if name else module,
        title=name or module,
        text=f"{signature}\n\n{text}",
        fields={"kind": kind, "module": module},
    )
