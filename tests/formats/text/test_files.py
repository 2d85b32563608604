from __future__ import annotations

import gzip
import hashlib
import io
import os
import re
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest

from workbench.core.errors import InputError
from workbench.core.records import Source
from workbench.formats.text.files import (
    Digest,
    describe,
    open_input,
    read_bytes,
    read_with_source,
    write_atomically,
)

TEXT = b"1 Q0 a 1 2.0 t\n"


class Console:
    """Standard input or output that holds bytes."""

    def __init__(self, data: bytes = b"") -> None:
        self.buffer = io.BytesIO(data)


@pytest.fixture
def packed(tmp_path: Path) -> Path:
    path = tmp_path / "no-suffix"
    path.write_bytes(gzip.compress(TEXT))
    return path


def test_a_file_is_opened_decompressed_whatever_its_name(packed: Path) -> None:
    with open_input(packed) as stream:
        assert stream.readline() == TEXT
        assert stream.read() == b""
    assert read_bytes(packed) == TEXT


def test_a_plain_file_is_opened_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "misnamed.gz"
    path.write_bytes(TEXT)
    with open_input(str(path)) as stream:
        assert stream.read() == TEXT


def test_an_empty_file_is_opened_and_holds_nothing(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    with open_input(tmp_path / "empty") as stream:
        assert stream.read() == b""


@pytest.mark.parametrize("data", [TEXT, gzip.compress(TEXT, mtime=0)])
def test_a_dash_is_standard_input_and_stays_open(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    console = Console(data)
    monkeypatch.setattr("sys.stdin", console)
    with open_input("-") as stream:
        assert stream.read() == TEXT
    assert not console.buffer.closed
    monkeypatch.setattr("sys.stdin", Console(data))
    text, source = read_with_source("-")
    assert text == TEXT
    assert source == ("-", len(data), hashlib.sha256(data).hexdigest())


@pytest.mark.parametrize("read", [open_input, read_bytes])
def test_standard_input_that_is_closed_is_a_clear_error(
    monkeypatch: pytest.MonkeyPatch, read: Callable[[str], object]
) -> None:
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(InputError, match="-: standard input is closed; name a file instead"):
        read("-")


def test_a_source_is_the_file_as_stored(packed: Path) -> None:
    stored = packed.read_bytes()
    expected = (str(packed), len(stored), hashlib.sha256(stored).hexdigest())
    assert describe(packed) == expected
    assert read_with_source(packed)[1] == expected


@pytest.mark.parametrize("read", [open_input, read_bytes, describe])
def test_a_missing_file_and_a_folder_are_named(tmp_path: Path, read: object) -> None:
    assert callable(read)
    with pytest.raises(InputError, match=f"^{re.escape(str(tmp_path))}/gone: this file does not exist"):
        read(tmp_path / "gone")
    with pytest.raises(InputError, match=f"^{re.escape(str(tmp_path))}: this is a folder"):
        read(tmp_path)


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read everything")
def test_a_file_that_may_not_be_read_is_named(packed: Path) -> None:
    packed.chmod(0)
    with pytest.raises(InputError, match="check its permissions"):
        read_bytes(packed)


def test_standard_input_cannot_be_described() -> None:
    with pytest.raises(InputError, match="standard input can be read only once"):
        describe("-")


def test_a_damaged_file_is_named_when_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "cut.gz"
    path.write_bytes(gzip.compress(TEXT * 100)[:-4])
    message = f"^{re.escape(str(path))}: the gzip data ends too early; copy or download the file again$"
    with pytest.raises(InputError, match=message):
        read_bytes(path)
    with open_input(path) as stream, pytest.raises(InputError, match=message):
        stream.read()


def test_a_file_is_written_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "out.qrels"
    write_atomically(path, ["1 0 a ", b"1\n", "1 0 é 0\n"])
    assert path.read_bytes() == b"1 0 a 1\n1 0 \xc3\xa9 0\n"
    assert [entry.name for entry in tmp_path.iterdir()] == ["out.qrels"]


@pytest.mark.parametrize("is_sure", [True, False])
def test_what_is_not_sure_replaces_no_file_and_is_not_printed(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes], is_sure: bool
) -> None:
    def sure() -> None:
        if not is_sure:
            raise LookupError

    path = tmp_path / "qrels.txt"
    path.write_text("before")
    for target in (path, "-"):
        with nullcontext() if is_sure else pytest.raises(LookupError):
            write_atomically(target, ["after"], sure)
    assert path.read_text() == ("after" if is_sure else "before")
    assert capfdbinary.readouterr().out == (b"after" if is_sure else b"")


def test_a_failure_while_writing_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "out.qrels"
    path.write_text("old")

    def chunks() -> Iterator[str]:
        yield "new"
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write_atomically(path, chunks())
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["out.qrels"]


def test_a_new_file_has_ordinary_permissions_and_an_old_one_keeps_its_own(tmp_path: Path) -> None:
    new, old, plain = tmp_path / "new", tmp_path / "old", tmp_path / "plain"
    plain.touch()
    old.touch(mode=0o640)
    for path in (new, old):
        write_atomically(path, ["x"])
    assert new.stat().st_mode == plain.stat().st_mode
    assert old.stat().st_mode & 0o777 == 0o640


def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "release").write_text("old")
    (tmp_path / "link").symlink_to("release")
    write_atomically(tmp_path / "link", ["new"])
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "release").read_text() == "new"


def test_a_device_is_written_to_and_not_replaced() -> None:
    write_atomically("/dev/null", ["x"])
    assert not Path("/dev/null").is_file()


def test_a_dash_is_standard_output(monkeypatch: pytest.MonkeyPatch) -> None:
    console = Console()
    monkeypatch.setattr("sys.stdout", console)
    write_atomically("-", ["a", b"b"])
    assert console.buffer.getvalue() == b"ab"


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match=f"the folder {re.escape(str(tmp_path))}/gone does not exist; create it first"
    ):
        write_atomically(tmp_path / "gone" / "out", ["x"])


def test_a_digest_is_of_all_that_was_read_so_far() -> None:
    digest = Digest()
    for piece in (b"", b"1 Q0 a", b" 1 2.0 t\n"):
        digest.update(memoryview(piece))
    assert digest.source("a.run") == Source("a.run", len(TEXT), hashlib.sha256(TEXT).hexdigest())
