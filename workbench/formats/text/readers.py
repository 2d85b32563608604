"""Readers of further kinds of files, by suffix: what they find becomes JSON lines before others read the file.

    @reader(".cards")
    def cards(data: bytes, name: str) -> Iterator[dict[str, Any]]: ...

So one reader is for topics, documents, runs, qrels and answers alike: each takes the fields of its kind in JSON lines.
`data` are decompressed, `name` is without suffixes. Files that the workbench reads itself never come here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path, PurePosixPath
from typing import Any

from workbench.core.errors import InputError, Problem
from workbench.core.plugins import PluginFailed
from workbench.core.registry import Entry, Registry
from workbench.formats.text.addresses import without_secrets

COMPRESSED = (".gz", ".bgz", ".xz", ".bz2", ".zst")
OWN = (
    *("", *COMPRESSED),
    *".csv .eml .htm .html .jl .json .jsonl .mbox .md .ndjson .parquet .pdf .prels .qrels .run .sgml .tab".split(),
    *".tar .trec .tsv .txt .warc .wet .xhtml .xml .zip".split(),
)
"""Suffixes that no reader can have."""

READERS = Registry("reader of", "readers", Entry, Iterable)


def reader(suffix: str) -> Callable[[Any], Any]:
    """Put a function into the registry that reads files of this suffix; ValueError for one of OWN."""
    if suffix in OWN or not suffix.startswith(".") or suffix != suffix.lower():
        message = f"a reader cannot have the suffix {suffix!r}; name one in lower case, such as .cards"
        raise ValueError(message)
    return READERS.register(suffix)


def has_reader(path: str | Path) -> bool:
    """Whether a reader of this registry reads files of such a name."""
    suffix = _bare(path).suffix.lower()
    return suffix not in OWN and suffix in READERS


def as_json_lines(path: str | Path, data: bytes) -> bytes:
    """The decompressed bytes of a file, as JSON lines where a reader has its suffix; InputError where that fails."""
    if not has_reader(path):
        return data
    import json  # which files that the workbench reads itself do without

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
