from __future__ import annotations

import gzip
import hashlib
import io
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.sentences import refused
from workbench.core.errors import InputError
from workbench.formats.text.files import open_input, read_bytes
from workbench.formats.text.sources import describe, read_with_source

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
    with refused(InputError):
        read("-")


@pytest.mark.parametrize("read", [open_input, read_bytes, describe])
def test_a_missing_file_and_a_folder_are_named(tmp_path: Path, read: object) -> None:
    assert callable(read)
    with refused(InputError):
        read(tmp_path / "gone")
    with refused(InputError):
        read(tmp_path)


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read everything")
def test_a_file_that_may_not_be_read_is_named(packed: Path) -> None:
    packed.chmod(0)
    with pytest.raises(InputError, match="check its permissions"):
        read_bytes(packed)


def test_a_damaged_file_is_named_when_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "cut.gz"
    path.write_bytes(gzip.compress(TEXT * 100)[:-4])
    message = f"^{re.escape(str(path))}: the gzip data ends too early; copy or download the file again$"
    with pytest.raises(InputError, match=message):
        read_bytes(path)
    with open_input(path) as stream, pytest.raises(InputError, match=message):
        stream.read()
