"""Readers of further kinds of files, by suffix: what they find becomes JSON lines before others read the file.

    @reader(".cards")
    def cards(data: bytes, name: str) -> Iterator[dict[str, Any]]: ...

So one reader is for topics, documents, runs, qrels and answers alike: each takes the fields of its kind in JSON lines.
Files that the workbench reads itself never come here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from workbench.core.errors import InputError, Problem
from workbench.core.plugins import PluginFailed
from workbench.core.registry import Entry, Registry
from workbench.formats.text.addresses import without_secrets

OWN = frozenset(
    ".bz2 .bgz .csv .eml .gz .htm .html .jl .json .jsonl .mbox .md .ndjson .parquet .pdf .prels .qrels .run .sgml "
    ".tab .tar .trec .tsv .txt .warc .wet .xhtml .xml .xz .zip .zst".split()
)
"""Suffixes that no reader can have."""

COMPRESSED = (".gz", ".bgz", ".xz", ".bz2", ".zst")


@dataclass(frozen=True, eq=False)
class Reader(Entry):
    """A reader: `function(data, name)` gives the records in a file's decompressed bytes; `name` is the file's without
    its suffixes.
    """

    function: Callable[[bytes, str], Iterable[Mapping[str, Any]]]


READERS = Registry("reader of", "readers", Reader, Iterable)


def reader(suffix: str) -> Callable[[Any], Any]:
    """Put a function into the registry that reads files of this suffix; ValueError for one of OWN."""
    if suffix in OWN or not suffix.startswith(".") or suffix != suffix.lower():
        message = f"a reader cannot have the suffix {suffix!r}; name one in lower case, such as .cards"
        raise ValueError(message)
    return READERS.register(suffix)


def has_reader(path: str | Path) -> bool:
    """Whether a reader of this registry reads files of such a name."""
    return _bare(path).suffix.lower() not in OWN | {""} and _bare(path).suffix.lower() in READERS


def as_json_lines(path: str | Path, data: bytes) -> bytes:
    """The decompressed bytes of a file, as JSON lines where a reader has its suffix; InputError where that fails."""
    if not has_reader(path):
        return data
    name = _bare(path)
    try:
        records = READERS[name.suffix.lower()].function(data, name.stem)
        return b"".join(json.dumps(dict(record)).encode() + b"\n" for record in records)
    except (PluginFailed, TypeError, ValueError) as error:
        raise InputError([Problem(without_secrets(path), None, str(error))]) from error


def _bare(path: str | Path) -> PurePosixPath:
    """The file's name without the suffix of its compression."""
    name = PurePosixPath(Path(path).name)
    return name.with_suffix("") if name.suffix.lower() in COMPRESSED else name
