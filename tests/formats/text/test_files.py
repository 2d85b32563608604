from __future__ import annotations

import gzip
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.sentences import refused
from workbench.core.errors import InputError
from workbench.formats.text.files import open_input, read_bytes

TEXT = b"1 Q0 a 1 2.0 t\n"


@pytest.fixture
def packed(tmp_path: Path) -> Path:
    path = tmp_path / "no-suffix"
    path.write_bytes(gzip.compress(TEXT))
    return path


@pytest.mark.parametrize("read", [open_input, read_bytes])
def test_standard_input_that_is_closed_is_a_clear_error(
    monkeypatch: pytest.MonkeyPatch, read: Callable[[str], object]
) -> None:
    monkeypatch.setattr("sys.stdin", None)
    with refused(InputError):
        read("-")


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read everything")
def test_a_file_that_may_not_be_read_is_named(packed: Path) -> None:
    packed.chmod(0)
    with pytest.raises(InputError, match="check its permissions"):
        read_bytes(packed)
