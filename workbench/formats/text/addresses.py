"""Files that are named by an address, such as `s3://bucket/bm25.run.gz` or `https://host/qrels.txt`, read by fsspec.

The id of a collection of ir_datasets, such as `irds:cranfield`, is an address too: of its documents as a stream, of its
topics or its qrels else. ir_datasets downloads what is not in its folder (IR_DATASETS_HOME), or says where to get it.
Here documents and topics become JSON lines, and qrels the lines of a TREC file, so that all are checked and read as
files are.

What is shown of an address has no user name, no password and no query, since keys and signatures stand there; and
of what a library says about a failure nothing is repeated, for the same reason.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import Any

from workbench.core.extras import NotInstalled, needed
from workbench.core.wording import none_such
from workbench.formats.text.encoding import declared_encoding, decode
from workbench.formats.text.streams import ByteStream

COLLECTION = "irds:"
"""How the id of a collection of ir_datasets begins."""

ADDRESS = re.compile(rf"[A-Za-z][A-Za-z0-9+.-]+://|{COLLECTION}")
"""How an address begins; a drive letter of Windows is none."""

SECRETS = r"(?s)(?<=://)[^/@]*@|\?.*"
"""What is not shown of an address. Compiled, as the pattern below, where an address is met: most calls meet none."""
HIDDEN = "..."
PATTERN = r"\*|\["
DENIED = (401, 403)
TALKATIVE = ("fsspec", "gcsfs", "google")
"""What libraries log with that say more of a failure than may be shown, before they raise it."""
SILENCE = 60
"""Seconds without a byte after which a web server is given up; a long file may take any time."""
TEXTS = frozenset(("text", "body", "contents", "abstract", "html"))
"""Fields that are a document's text wherever documents are read."""
LEFT_OUT = frozenset(("http_headers", "marked_up_doc"))
"""The same text once more with its tags, and what a web server said around it."""
LONGEST_REASON, LONGEST_NAME = 200, 120
LINES_AT_ONCE = 200


class Unreadable(Exception):
    """What stands at an address cannot be read; the message says why, and what to do, without any secret."""


def is_address(path: str | Path) -> bool:
    """Whether a name is an address and not a path of this machine."""
    return isinstance(path, str) and ADDRESS.match(path) is not None


def without_secrets(path: str | Path) -> str:
    """A path as it is; of an address what may be shown."""
    if not is_address(path):
        return str(path)
    parts = str(path).split("::")
    return "::".join(
        re.sub(SECRETS, lambda found: HIDDEN + "@" * (found[0][0] != "?"), part) for part in parts
    )


def is_made_of_records(path: str) -> bool:
    """Whether the bytes at an address are made from records while they are read, in whatever order these come."""
    return path.startswith(COLLECTION)


def name_at(path: str) -> str:
    """The name of the file at an address: `d.jsonl` of `https://host/a/d.jsonl?key=1` and of `zip://d.jsonl::s3://b/a.zip`."""
    if is_made_of_records(path):
        return "documents.jsonl"
    return path.split("::")[0].split("?")[0].rstrip("/").rpartition("/")[2]


def holds_secrets(path: str) -> bool:
    """Whether what may be shown of an address is not enough to read it."""
    return HIDDEN in without_secrets(path)


def read_address(path: str, *, topics: bool = False) -> bytes:
    """The bytes that stand at an address, as they are stored. `Unreadable` if they cannot be had in full.

    The id of a collection means its qrels, or its topics.
    """
    with _explained(path):
        if is_made_of_records(path):
            return b"".join((topic_lines if topics else qrels_lines)(path.removeprefix(COLLECTION)))
        filesystem, inside = _found(path)
        data: bytes = filesystem.cat_file(inside)
        if not data and filesystem.isdir(inside):
            raise IsADirectoryError
        return data


class AtAddress(ByteStream):
    """The bytes that stand at an address, as they are stored, from the first to the last.

    `failed` turns an `Unreadable` into what is raised, here and while it is read. A file that ends before its length
    as its store gives it is one.
    """

    def __init__(self, path: str, failed: Callable[[Unreadable], Exception]) -> None:
        self._path, self._failed = path, failed
        self._read = 0
        with self._told():
            self._stream: Any = _opened(path)

    def next_bytes(self, most: int) -> bytearray:
        """The next bytes, as many as are wanted; fewer, or none, at the end."""
        found = bytearray()
        with self._told():
            while len(found) < most and (data := self._stream.read(most - len(found))):
                found += data
            self._read += len(found)
            if len(found) < most:
                _complete(self._read, self._stream)
        return found

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            with _explained(self._path):
                yield
        except Unreadable as error:
            raise self._failed(error) from None


def matching(path: str) -> list[str]:
    """The addresses that an address with `*` or `[` stands for, in the order of their characters; others stay.

    What matches is what is there now: a file that is gone when it is read is an error then.
    """
    if not is_address(path) or not re.search(PATTERN, path) or path.lower().startswith("http"):
        return [path]
    with _explained(path):
        filesystem, inside = _found(path)
        names: list[str] = []
        with suppress(FileNotFoundError):
            names = sorted(filesystem.glob(inside))
            if not names:  # as in a folder that cannot be listed, of which only `ls` says why
                filesystem.ls(re.split(PATTERN, inside)[0].rpartition("/")[0])
    if not names:
        raise Unreadable("no file has such an address; check it")
    before, pattern, behind = path.rpartition(inside)  # host and user stand before it
    return [before + name + behind if pattern else filesystem.unstrip_protocol(name) for name in names]


def _opened(path: str) -> Any:
    """What has `read` and `close`, as files of fsspec have. Of a web server it is one answer, however long it takes."""
    if is_made_of_records(path):
        return GeneratedFile(document_lines(path.removeprefix(COLLECTION)))
    if path.lower().startswith("http"):
        filesystem, inside = _found(path, client_kwargs={"timeout": _silence()})
        return filesystem.open(inside, "rb", block_size=0)
    filesystem, inside = _found(path)
    stored = filesystem.open(inside, "rb")
    if (getattr(stored, "details", None) or {}).get("type") == "directory":
        raise IsADirectoryError
    return stored


def _complete(read: int, stored: Any) -> None:
    """`Unreadable` if fewer bytes were read than the store says there are."""
    size = getattr(stored, "size", None)
    if size is not None and read < size:
        raise Unreadable(f"it ends after {read:,} of {size:,} bytes; read it again")


def _silence() -> Any:
    with needed():
        from aiohttp import ClientTimeout
    return ClientTimeout(total=None, sock_connect=SILENCE, sock_read=SILENCE)


def _found(path: str, **options: Any) -> tuple[Any, str]:
    with needed():
        from fsspec.core import url_to_fs
    import logging

    for library in TALKATIVE:
        logging.getLogger(library).setLevel(logging.CRITICAL + 1)
    filesystem, inside = url_to_fs(path, **options)
    return filesystem, inside


@contextmanager
def _explained(path: str) -> Iterator[None]:
    """Any failure as `Unreadable`. Libraries of object stores raise classes of their own, which have no common base."""
    try:
        yield
    except Unreadable:
        raise
    except NotInstalled as error:
        raise Unreadable(str(error)) from None
    except Exception as error:  # noqa: BLE001  (see above)
        reason = _reason_of_collection(error) if is_made_of_records(path) else _reason(error, path)
        raise Unreadable(reason) from None


def _reason_of_collection(error: Exception) -> str:
    reason = next(iter(str(error).splitlines()), "")[:LONGEST_REASON]
    return f"ir_datasets reports: {reason or type(error).__name__}; see https://ir-datasets.com for this id"


def _reason(error: Exception, path: str) -> str:
    if isinstance(error, FileNotFoundError):
        return "this file does not exist; check the address"
    if isinstance(error, IsADirectoryError):
        return "this is a folder; name the files in it, or write /* at its end"
    name, scheme = type(error).__name__, path.partition("://")[0]
    if isinstance(error, ImportError):  # the message names the package
        return f"{scheme}:// needs a package of its own, and it is not installed: {error}"
    status = getattr(error, "status" if hasattr(error, "status") else "code", None)
    if isinstance(error, PermissionError) or status in DENIED or "Credential" in name:
        return (
            f"access is denied, or there are no credentials for {scheme}://; give them as its library takes them, "
            "in the environment or a file, on every machine that reads"
        )
    if isinstance(error, ValueError) and str(error).startswith("Protocol not known"):
        return f"{scheme}:// is not a kind of address that fsspec knows; check it"
    return f"it cannot be read ({name}); check the address, and that its server answers"


class GeneratedFile:
    """A file of the bytes of lines, read from the start to the end."""

    def __init__(self, lines: Generator[bytes]) -> None:
        self._lines = lines
        self._rest = memoryview(b"")

    def read(self, size: int) -> memoryview:
        """The next bytes, at most this number; none at the end."""
        if not self._rest:
            self._rest = memoryview(b"".join(islice(self._lines, LINES_AT_ONCE)))
        data, self._rest = self._rest[:size], self._rest[size:]
        return data

    def close(self) -> None:
        """End what makes the lines."""
        self._lines.close()


def document_lines(name: str) -> Generator[bytes]:
    """The documents of a collection, each a JSON object on a line. `Unreadable` if it has none."""
    for document in _part(name, "docs").docs_iter():
        yield _json_line(document)


def topic_lines(name: str) -> Iterator[bytes]:
    """The queries of a collection, each a JSON object on a line; errors as above."""
    return map(_json_line, _part(name, "queries").queries_iter())


def qrels_lines(name: str) -> Generator[bytes]:
    """The judgments of a collection as lines of four columns, the second its subtopic or 0; errors as above."""
    for judged in _part(name, "qrels").qrels_iter():
        subtopic = getattr(judged, "subtopic_id", 0) or 0
        yield f"{judged.query_id} {subtopic} {judged.doc_id} {judged.relevance}\n".encode()


def _part(name: str, part: str) -> Any:
    """The collection of this id, if it has documents (`docs`), `queries` or `qrels`."""
    with needed():
        import ir_datasets
    try:
        collection = ir_datasets.load(name)
    except KeyError:
        known = sorted(ir_datasets.registry)
        raise Unreadable(none_such("collection", name, known, of="ir_datasets", shown=5)) from None
    if not collection.has(part):
        what = {"docs": "documents", "queries": "topics", "qrels": "qrels"}[part]
        raise Unreadable(f"this collection has no {what} in ir_datasets; name a larger or smaller part of it")
    return collection


def _json_line(document: Any) -> bytes:
    import json  # which what has no such address does without

    record = {name: _plain(value) for name, value in document._asdict().items() if name not in LEFT_OUT}
    if "body_content_type" in record:
        record["media_type"] = record.pop("body_content_type")
    if not any(record.get(name) for name in TEXTS) and hasattr(document, "default_text"):
        record["text"] = document.default_text()
    return json.dumps(record, ensure_ascii=False).encode(errors="replace") + b"\n"


def _plain(value: Any) -> Any:
    """A value as JSON has it: named tuples as objects, bytes as text in the encoding that they declare."""
    if isinstance(value, bytes):
        return decode(value, declared_encoding(value)).text
    if hasattr(value, "_asdict"):
        return {name: _plain(inner) for name, inner in value._asdict().items()}
    if isinstance(value, dict):
        return {str(name): _plain(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    return value if value is None or isinstance(value, str | int | float) else str(value)


def clean_name(given: str | None) -> str:
    """A name without folders, control characters and excess length, to be shown; 'file' where none is left.

    It is no address: what is recorded under one is read from there again.
    """
    last = re.split(r"[/\\]", given or "")[-1]
    readable = "".join(character for character in last if character.isprintable()).strip()
    name = readable if len(readable) <= LONGEST_NAME else readable[:40] + "…" + readable[40 - LONGEST_NAME :]
    if is_address(name):
        name = name.replace(":", "_", 1)
    return "file" if name in {"", ".", "..", "-"} else name
