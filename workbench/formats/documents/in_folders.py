"""A folder of documents: each file a document or a collection, in the order of their paths.

The id of a file that is one document is its path in the folder, with `/`, without the suffixes that say how it is
stored (`news/a.html.gz` is `news/a`); with them where two files would share an id (`a.txt` and `a.html`).
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from workbench.core.errors import InputError, Problem
from workbench.formats.documents.fields import USUAL, FieldNames
from workbench.formats.documents.kinds import (
    IMAGE,
    WITH_IMAGES,
    DocumentsFormat,
    Unreadable,
    documents_format,
    stem_of,
)
from workbench.formats.documents.open_file import open_with_start

NAMES_SHOWN = 3


class Member(NamedTuple):
    """A file to read: where it is, what it is, and its document's id if it is a single document."""

    path: Path
    format: DocumentsFormat
    document_id: str = ""


class Folder(NamedTuple):
    """The files of a folder: those to read, those that are passed over, with the reason of each, and the images that
    belong to its pages, which are read with them.
    """

    members: tuple[Member, ...]
    passed_over: tuple[tuple[Path, str], ...]
    images: tuple[Path, ...] = ()


def survey(folder: Path, choice: FieldNames = USUAL) -> Folder:
    """Look at the start of every file in a folder and the folders in it; hidden ones are left out.

    Images are documents, unless the folder has HTML or Markdown pages: then they are the pages'.

    Raises `InputError` naming the files that should be documents and cannot be read (PDF, Word, empty tables).
    """
    found: list[tuple[Path, DocumentsFormat]] = []
    passed_over, problems = [], []
    for path in files_in(folder):
        stream, start = open_with_start(path)
        stream.close()
        kind = documents_format(path.name, start, choice, in_folder=True)
        if isinstance(kind, DocumentsFormat):
            found.append((path, kind))
        elif kind.passed_over:
            passed_over.append((path, kind.reason))
        else:
            problems.append(Problem(str(path), None, kind.reason))
    if problems:
        raise InputError(problems)
    if not found:
        raise InputError([Problem(str(folder), None, _nothing_in(passed_over))])
    images = [path for path, kind in found if kind is IMAGE]
    if images and any(kind in WITH_IMAGES for _, kind in found):
        found = [(path, kind) for path, kind in found if kind is not IMAGE]
        return Folder(tuple(_members(folder, found)), tuple(passed_over), tuple(images))
    return Folder(tuple(_members(folder, found)), tuple(passed_over))


def files_in(folder: Path) -> Iterator[Path]:
    """All files of a folder and its subfolders, in the order of their paths; links to folders are not followed."""
    paths = []
    for parent, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        paths += [Path(parent, name) for name in names if not name.startswith(".")]
    yield from sorted(paths, key=lambda path: path.relative_to(folder).parts)


def passed_over_message(passed_over: tuple[tuple[Path, str], ...], folder: Path) -> str:
    """One sentence about the files of a folder that are not read."""
    names = [path.relative_to(folder).as_posix() for path, _ in passed_over[:NAMES_SHOWN]]
    more = ", ..." if len(passed_over) > NAMES_SHOWN else ""
    if len(passed_over) == 1:
        return f"1 file that holds no documents was skipped: {names[0]}"
    return f"{len(passed_over):,} files that hold no documents were skipped: {', '.join(names)}{more}"


def _nothing_in(passed_over: list[tuple[Path, str]]) -> str:
    if passed_over:
        path, reason = passed_over[0]
        return f"no documents in this folder; {path.name}: {reason}"
    return "the folder is empty; name one with .txt, .html or .md files, or with collections"


def _members(folder: Path, found: list[tuple[Path, DocumentsFormat]]) -> Iterator[Member]:
    names = {path: path.relative_to(folder).as_posix() for path, kind in found if kind.single}
    shared = Counter(stem_of(name) for name in names.values())
    for path, kind in found:
        name = names.get(path, "")
        yield Member(path, kind, stem_of(name) if name and shared[stem_of(name)] == 1 else name)


def mixture(folder: Folder) -> str | None:
    """A warning for a folder that has single documents beside collections: one sort is often not meant."""
    sorts = {member.format.single for member in folder.members}
    if len(sorts) == 1:
        return None
    return f"single documents and collections in one folder, all of them read: {kinds_of(folder)}"


def kinds_of(folder: Folder) -> str:
    """The formats in a folder as a phrase, most frequent first."""
    counts = Counter(member.format.name for member in folder.members)
    return ", ".join(f"{count} × {name}" for name, count in counts.most_common())


def single_file(path: str | Path, start: bytes, choice: FieldNames = USUAL) -> Member | Unreadable:
    """A file that was named itself, as a member of nothing; its document's id is its stem."""
    kind = documents_format(Path(path).name, start, choice)
    if isinstance(kind, Unreadable):
        return kind
    return Member(Path(path), kind, stem_of(Path(path).name) if kind.single else "")
