"""Files named by addresses: what is shown of them, and what is said where they cannot be read."""

from __future__ import annotations

import io
import logging
import sys
from collections.abc import Generator
from fnmatch import fnmatch
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.sentences import refused, says
from workbench.core.errors import InputError
from workbench.formats.text.addresses import (
    LINES_AT_ONCE,
    AtAddress,
    GeneratedFile,
    Unreadable,
    holds_secrets,
    matching,
    name_at,
    read_address,
    without_secrets,
)
from workbench.formats.text.content import expanded, load


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("s3://bucket/runs/a.gz", "s3://bucket/runs/a.gz"),
        ("https://anna:geheim@host/q.txt", "https://...@host/q.txt"),
        ("https://host/q.txt?X-Amz-Signature=abc&X-Amz-Credential=key", "https://host/q.txt..."),
        ("s3://KEY:SECRET@bucket/a", "s3://...@bucket/a"),
        ("zip://a.run::https://anna:geheim@host/z.zip?t=1", "zip://a.run::https://...@host/z.zip..."),
        ("runs/what?.run", "runs/what?.run"),
        ("a@b.run", "a@b.run"),
    ],
)
def test_no_secret_of_an_address_is_shown(address: str, shown: str) -> None:
    assert without_secrets(address) == shown
    assert holds_secrets(address) == ("..." in shown)


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("https://anna:geheim@host/a/d.jsonl.zst?key=1/2", "d.jsonl.zst"),
        ("zip://in/d.jsonl::https://host/all.zip?t=1", "d.jsonl"),
        ("s3://bucket/d.parquet", "d.parquet"),
        ("s3://bucket/folder/", "folder"),
        ("irds:cranfield", "documents.jsonl"),
    ],
)
def test_the_name_of_a_file_at_an_address_has_nothing_else_of_it(address: str, name: str) -> None:
    assert name_at(address) == name


def test_without_its_library_an_address_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fsspec.core", None)
    with refused(InputError):
        load("https://host/q.txt")


class Stored(io.BytesIO):
    """A file of a store, which hands out at most two bytes at once."""

    size: int | None = None

    def read(self, size: int | None = -1, /) -> bytes:
        assert size
        return super().read(min(size, 2))


class Store:
    """A file system as fsspec has them, in memory; `asked` says how it was made and what was opened.

    `host` is what of an address is no part of the names in it.
    """

    host = ""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, **files: bytes) -> None:
        self.files = files
        self.asked: list[Any] = []
        self.fails: Exception | None = None
        self.size: int | None = None
        self.opened: list[Stored] = []
        monkeypatch.setitem(sys.modules, "fsspec.core", SimpleNamespace(url_to_fs=self.url_to_fs))
        monkeypatch.setitem(sys.modules, "aiohttp", SimpleNamespace(ClientTimeout=dict))

    def url_to_fs(self, address: str, **options: Any) -> tuple[Store, str]:
        self.asked.append(options)
        return self, address.partition("://")[2].removeprefix(self.host)

    def cat_file(self, name: str) -> bytes:
        if self.fails:
            raise self.fails
        return self.files[name]

    def open(self, name: str, mode: str, **options: Any) -> Stored:
        self.asked.append((name, mode, options))
        stored = Stored(self.cat_file(name))
        stored.size = self.size
        self.opened.append(stored)
        return stored

    def glob(self, pattern: str) -> list[str]:
        return [] if self.fails else [name for name in self.files if fnmatch(name, pattern)]

    def ls(self, folder: str) -> list[str]:
        self.asked.append(folder)
        if self.fails:
            raise self.fails
        return [name for name in self.files if name.startswith(folder)]

    def isdir(self, name: str) -> bool:
        return any(each.startswith(f"{name}/") for each in self.files)

    def unstrip_protocol(self, name: str) -> str:
        return f"mem://{name}"


def read(address: str) -> bytes:
    """What stands at an address, in pieces of five bytes."""
    with AtAddress(address, RuntimeError) as stream:
        return b"".join(iter(lambda: stream.read(5) or b"", b""))


def test_a_web_server_is_asked_once_and_may_be_silent_for_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(monkeypatch, a=b"0123")
    assert read("HTTPS://a") == b"0123"
    timeout = {"total": None, "sock_connect": 60, "sock_read": 60}
    assert store.asked == [{"client_kwargs": {"timeout": timeout}}, ("a", "rb", {"block_size": 0})]
    monkeypatch.setitem(sys.modules, "aiohttp", None)
    with refused(RuntimeError):
        read("https://a")


@pytest.mark.parametrize("size", [None, 11, 12])
def test_a_file_that_has_its_length_is_whole(monkeypatch: pytest.MonkeyPatch, size: int | None) -> None:
    Store(monkeypatch, a=b"0123456789ab").size = size
    assert read("mem://a") == b"0123456789ab"


def test_a_file_that_ends_before_its_length_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    Store(monkeypatch, a=b"0123456789ab").size = 1234
    with refused(RuntimeError):
        read("mem://a")


def test_a_pattern_is_what_matches_it_in_the_order_of_the_characters(monkeypatch: pytest.MonkeyPatch) -> None:
    Store(monkeypatch, **{"b.run": b"", "a.run": b"", "a.txt": b""})
    assert expanded(["mem://*.run", "x.run", "mem://[a].txt", "mem://z"]) == [
        *("mem://a.run", "mem://b.run", "x.run", "mem://a.txt", "mem://z")
    ]
    for unlisted in ("http://h/*", "https://h/*"):
        assert matching(unlisted) == [unlisted]
    with pytest.raises(InputError) as told:
        expanded(["mem://x*", "mem://a.run", "mem://y*?key=1"])
    assert says("\n".join([str(problem) for problem in told.value.problems]))


@pytest.mark.parametrize("error", [PermissionError("KEY"), ConnectionError("KEY"), FileNotFoundError("KEY")])
def test_a_folder_that_cannot_be_listed_says_why(monkeypatch: pytest.MonkeyPatch, error: OSError) -> None:
    store = Store(monkeypatch)
    store.fails = error
    with refused(Unreadable):
        matching("mem://r/s*/*.run")
    assert store.asked[1:] == ["r"]


def test_a_folder_is_named_as_one_and_not_as_an_empty_file(monkeypatch: pytest.MonkeyPatch) -> None:
    Store(monkeypatch, **{"r": b"", "r/a.run": b"1", "empty": b""})
    with refused(Unreadable):
        read_address("mem://r")
    assert read_address("mem://empty") == b""
    monkeypatch.setattr(Stored, "details", {"type": "directory"}, raising=False)
    with refused(RuntimeError):
        read("mem://r")


def test_what_a_library_logs_of_a_failure_is_not_shown(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    store = Store(monkeypatch, a=b"1")

    def cat_file(name: str) -> bytes:
        for library in ("fsspec.prefetcher", "gcsfs", "google.auth._default"):
            logging.getLogger(library).error("KEY")
        raise OSError

    monkeypatch.setattr(store, "cat_file", cat_file)
    with pytest.raises(Unreadable):
        read_address("mem://a")
    assert caplog.text == ""


class NoCredentialsError(Exception):
    """As the library of an object store names it."""


class Denied(Exception):
    """As a web server answers."""

    def __init__(self, status: int) -> None:
        self.status = status


class HttpError(Exception):
    """As Google's store answers."""

    def __init__(self, code: int) -> None:
        self.code = code


@pytest.mark.parametrize(
    "error",
    [
        FileNotFoundError("KEY"),
        IsADirectoryError("KEY"),
        ImportError("install s3fs"),
        Unreadable("too long"),
        PermissionError("KEY"),
        NoCredentialsError("KEY"),
        Denied(401),
        Denied(403),
        HttpError(401),
        HttpError(501),
        Denied(402),
        ValueError("Protocol not known: mem"),
        ValueError("KEY"),
        OSError("Protocol not known"),
    ],
)
def test_what_a_library_says_is_not_repeated_and_the_way_out_is_said(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    Store(monkeypatch).fails = error
    with refused(Unreadable) as told:
        read_address("mem://a?key=1")
    with pytest.raises(RuntimeError) as told_of_stream:
        read("mem://a")
    assert str(told_of_stream.value) == str(told.value)
    assert "KEY" not in str(told.value)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scheme", "path"), [("http", "missing"), ("http", "denied"), ("http", "cut"), ("gopher", "a")]
)
def test_failures_are_sentences_without_what_the_address_holds(web: str, scheme: str, path: str) -> None:
    with pytest.raises(InputError) as error:
        load(f"{scheme}://anna:geheim@{web}/{path}?key=abc123")
    assert says(str(error.value).replace(web, "HOST"), f"{scheme}://...@HOST/{path}...: ")
    assert not any(secret in repr(error.value) for secret in ("geheim", "abc123"))
    assert error.value.__suppress_context__


@pytest.mark.slow
def test_what_stands_at_an_address_is_read_as_the_file_is(web: str, tmp_path: Path) -> None:
    (tmp_path / "a.run").write_text("1 Q0 d1 0 1 t\n")
    (tmp_path / "b.run").write_text("1 Q0 d1 0 1 t\n")
    assert load(f"http://{web}/a.run").data == b"1 Q0 d1 0 1 t\n"
    found = matching(f"file://{tmp_path}/*.run")
    assert found == [f"file://{tmp_path}/a.run", f"file://{tmp_path}/b.run"]
    (tmp_path / "b.run").unlink()  # gone between the listing and the reading
    with refused(InputError):
        load(found[1])
    with refused(Unreadable):
        matching(f"file://{tmp_path}/*.gz")


def numbered(count: int, made: list[int]) -> Generator[bytes]:
    try:
        for number in range(count):
            made.append(number)
            yield b"%d\n" % number
    finally:
        made.append(-1)


def test_the_bytes_are_those_of_the_lines_in_pieces_of_at_most_the_size_asked_for() -> None:
    lines = GeneratedFile(numbered(2 * LINES_AT_ONCE + 1, []))
    pieces = []
    while piece := bytes(lines.read(7)):
        pieces.append(piece)
    assert b"".join(pieces) == b"".join(numbered(2 * LINES_AT_ONCE + 1, []))
    assert max(len(piece) for piece in pieces) == 7
    assert bytes(lines.read(7)) == b""


def test_what_makes_the_lines_ends_as_the_file_is_closed() -> None:
    made: list[int] = []
    lines = GeneratedFile(numbered(10 * LINES_AT_ONCE, made))
    lines.read(4)
    lines.close()
    assert made[-1] == -1


def test_what_a_store_has_is_read_at_once_or_in_pieces_that_are_filled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = Store(monkeypatch, a=b"0123456789ab")
    assert read_address("mem://a") == b"0123456789ab"
    with AtAddress("mem://a", RuntimeError) as stream:
        assert stream.readable()
        assert [stream.read(5) for _ in range(4)] == [b"01234", b"56789", b"ab", b""]
    assert store.opened[0].closed
    assert store.asked == [{}, {}, ("a", "rb", {})]
