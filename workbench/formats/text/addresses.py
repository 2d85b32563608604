"""Files that are named by an address, such as `s3://bucket/bm25.run.gz` or `https://host/qrels.txt`, read by fsspec.

The id of a collection, such as `irds:cranfield`, is an address too: of its documents as a stream, of its topics or its
qrels else.

What is shown of an address has no user name, no password and no query, since keys and signatures stand there; and
of what a library says about a failure nothing is repeated, for the same reason.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.formats.text.unreadable import Unreadable

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

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
NEEDED = "addresses are read by fsspec; install it: pip install 'relevance-workbench[distributed]'"


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
    if path.startswith(COLLECTION):
        from workbench.formats.text.ir_datasets_ids import qrels_lines, topic_lines

        lines = topic_lines if topics else qrels_lines
        return b"".join(lines(path.removeprefix(COLLECTION)))
    with _explained(path):
        filesystem, inside = _found(path)
        data: bytes = filesystem.cat_file(inside)
        if not data and filesystem.isdir(inside):
            raise IsADirectoryError
        return data


class AtAddress(io.RawIOBase):
    """The bytes that stand at an address, as they are stored, from the first to the last.

    `failed` turns an `Unreadable` into what is raised, here and while it is read. A file that ends before its length
    as its store gives it is one.
    """

    def __init__(self, path: str, failed: Callable[[Unreadable], Exception]) -> None:
        self._path, self._failed = path, failed
        self._stored: Any = None
        self._read = 0
        with self._told():
            self._stored = _opened(path)

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        """Fill the whole buffer with the next bytes, and say how many; fewer, or 0, at the end."""
        target = memoryview(buffer).cast("B")
        filled = 0
        with self._told():
            while filled < len(target) and (data := self._stored.read(len(target) - filled)):
                target[filled : filled + len(data)] = data
                filled += len(data)
            self._read += filled
            if filled < len(target):
                _complete(self._read, self._stored)
        return filled

    def close(self) -> None:
        """Let the file go."""
        if not self.closed and self._stored is not None:
            self._stored.close()
        super().close()

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
        from workbench.formats.text.generated import GeneratedFile
        from workbench.formats.text.ir_datasets_ids import document_lines

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
    try:
        from aiohttp import ClientTimeout
    except ModuleNotFoundError:
        raise Unreadable(NEEDED) from None
    return ClientTimeout(total=None, sock_connect=SILENCE, sock_read=SILENCE)


def _found(path: str, **options: Any) -> tuple[Any, str]:
    try:
        from fsspec.core import url_to_fs
    except ModuleNotFoundError:
        raise Unreadable(NEEDED) from None
    import logging

    for library in TALKATIVE:
        logging.getLogger(library).setLevel(logging.CRITICAL + 1)
    filesystem, inside = url_to_fs(path, **options)
    return filesystem, inside


@contextmanager
def _explained(path: str) -> Iterator[None]:
    """Any failure as `Unreadable`. Libraries of object stores raise classes of their own, which have no common base."""
    scheme = path.partition("://")[0]
    try:
        yield
    except Unreadable:
        raise
    except FileNotFoundError:
        raise Unreadable("this file does not exist; check the address") from None
    except IsADirectoryError:
        raise Unreadable("this is a folder; name the files in it, or write /* at its end") from None
    except ImportError as error:  # the message names the package
        message = f"{scheme}:// needs a package of its own, and it is not installed: {error}"
        raise Unreadable(message) from None
    except Exception as error:  # noqa: BLE001  (see above)
        raise Unreadable(_reason(error, scheme)) from None


def _reason(error: Exception, scheme: str) -> str:
    name = type(error).__name__
    status = getattr(error, "status" if hasattr(error, "status") else "code", None)
    if isinstance(error, PermissionError) or status in DENIED or "Credential" in name:
        return (
            f"access is denied, or there are no credentials for {scheme}://; give them as its library takes them, "
            "in the environment or a file, on every machine that reads"
        )
    if isinstance(error, ValueError) and str(error).startswith("Protocol not known"):
        return f"{scheme}:// is no kind of address that fsspec knows; check it"
    return f"it cannot be read ({name}); check the address, and that its server answers"
