from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.sentences import refused
from workbench.core.errors import InputError
from workbench.formats.text.writing import write_atomically


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
    console = SimpleNamespace(buffer=io.BytesIO())
    monkeypatch.setattr("sys.stdout", console)
    write_atomically("-", ["a", b"b"])
    assert console.buffer.getvalue() == b"ab"


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with refused(InputError):
        write_atomically(tmp_path / "gone" / "out", ["x"])
