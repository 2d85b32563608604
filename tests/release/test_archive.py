"""Archives are the same bytes for the same content, and what one says is never believed."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from tests.sentences import refused, says
from workbench.core.errors import InputError
from workbench.release import archive
from workbench.release.archive import CHECKSUMS, unpack_archive, write_archive

Files = Mapping[str, bytes]


def written(path: Path, files: Files, sums: Mapping[str, bytes] | None = None, folder: str = "x/") -> Path:
    """An archive whose checksums are those of `sums`, which are its own files unless told."""
    lines = [f"{hashlib.sha256(data).hexdigest()}  {name}" for name, data in (sums or files).items()]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as target:
        for name, data in files.items():
            target.writestr(f"{folder}{name}", data)
        target.writestr(f"{folder}{CHECKSUMS}", "\n".join(lines))
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "in").mkdir()
    return tmp_path / "in"


def test_the_order_in_which_files_are_given_does_not_matter() -> None:
    made = []
    for names in (["b.txt", "a.txt", "é.txt"], ["é.txt", "a.txt", "b.txt"]):
        stream = io.BytesIO()
        write_archive(stream, "x", {name: lambda name=name: [name, b"\n"] for name in names})  # type: ignore[misc]
        made.append(stream.getvalue())
    assert made[0] == made[1]


@pytest.mark.parametrize(
    "name",
    ["../outside.txt", "/etc/passwd", "a/../../outside.txt", "a\\..\\outside.txt", "./a.txt", "a//b.txt"],
)
def test_a_name_that_leads_out_of_the_folder_is_refused(tmp_path: Path, folder: Path, name: str) -> None:
    path = written(tmp_path / "evil.zip", {name: b"x"})
    with refused(InputError):
        unpack_archive(path, folder)
    assert list(folder.iterdir()) == []
    assert {found.name for found in tmp_path.iterdir()} == {"evil.zip", "in"}


def test_a_file_that_is_not_listed_or_not_there_is_refused(tmp_path: Path, folder: Path) -> None:
    path = written(tmp_path / "x.zip", {"a": b"", "more": b""}, {"a": b"", "less": b""})
    with pytest.raises(InputError) as raised:
        unpack_archive(path, folder)
    assert says("\n".join([problem.message for problem in raised.value.problems]))


def test_nothing_expands_without_limit(tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "LARGEST_ARCHIVE", 1_000_000)
    path = written(tmp_path / "bomb.zip", {"a": bytes(600_000), "b": bytes(600_000)})
    assert path.stat().st_size < 3_000
    with refused(InputError):
        unpack_archive(path, folder)
    assert sum(found.stat().st_size for found in folder.iterdir()) <= 1_000_000


def test_an_entry_that_stands_twice_is_refused(tmp_path: Path, folder: Path) -> None:
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w") as target, pytest.warns(UserWarning, match="Duplicate name"):
        target.writestr("x/a", "one")
        target.writestr("x/a", "two")
    with refused(InputError):
        unpack_archive(path, folder)


def of_two_folders(path: Path) -> None:
    with zipfile.ZipFile(written(path, {"a.txt": b"x"}), "a") as more:
        more.writestr("y/b.txt", "z")


def without_checksums(path: Path) -> None:
    with zipfile.ZipFile(path, "w") as target:
        target.writestr("x/a", "one")


def changed(path: Path, files: Files, before: bytes, after: bytes) -> None:
    data = written(path, files).read_bytes()
    assert before in data
    path.write_bytes(data.replace(before, after))


NO_BLOCK = len("x/a") + 30  # behind the header of the first entry, and its name: no kind of block is 3
BROKEN: dict[str, Callable[[Path], object]] = {
    "empty": lambda path: path.write_bytes(b""),
    "text": lambda path: path.write_bytes(b"no archive at all"),
    "start": lambda path: path.write_bytes(b"PK\x03\x04 and nothing more"),
    "missing": lambda path: None,
    "two folders": of_two_folders,
    "no checksums": without_checksums,
    "another file": lambda path: written(path, {"a": b"1 0 d1 1\n"}, {"a": b"1 0 d1 0\n"}),
    "no text": lambda path: changed(path, {"é.txt": b"x"}, "é".encode(), b"\xc3\xc3"),
    "damaged": lambda path: (
        data := bytearray(written(path, {"a": b"0" * 1000}).read_bytes()),
        data.__setitem__(NO_BLOCK, 0xFF),
        path.write_bytes(data),
    ),
    "too large": lambda path: written(path, {"a": bytes(2_000)}),
    "too many": lambda path: written(path, {str(number): b"" for number in range(5)}),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_no_archive_of_ours_is_refused_with_a_reason(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(archive, "LARGEST_ENTRY", 1_000)
    monkeypatch.setattr(archive, "MOST_ENTRIES", 5)
    BROKEN[name](tmp_path / "x.zip")
    with refused(InputError, "x.zip"):
        unpack_archive(tmp_path / "x.zip", folder)


@pytest.mark.parametrize("method", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_a_method_of_which_a_little_unpacks_to_much_at_once_is_refused(
    tmp_path: Path, folder: Path, method: int
) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w", method) as target:
        target.writestr(f"x/{CHECKSUMS}", "0" * 1000)
    with refused(InputError):
        unpack_archive(tmp_path / "x.zip", folder)


def test_a_file_of_many_lines_is_written_in_pieces_and_is_the_same(tmp_path: Path, folder: Path) -> None:
    lines = [f"{number:06d}\n" for number in range(30_000)]
    with (tmp_path / "x.zip").open("wb") as stream:
        write_archive(stream, "x", {"a.txt": lambda: lines, "b/é.txt": lambda: [b"two\n"], "c.txt": list})
    found = unpack_archive(tmp_path / "x.zip", folder)
    assert {name: path.read_text() for name, path in found.items()} == {
        "a.txt": "".join(lines),
        "b/é.txt": "two\n",
        "c.txt": "",
    }
    assert all(path.parent == folder for path in found.values())
    stored = tmp_path / "stored.zip"
    with zipfile.ZipFile(stored, "w") as target:
        target.writestr("x/a", "text")
        target.writestr(f"x/{CHECKSUMS}", f"{hashlib.sha256(b'text').hexdigest()}  a\n")
    assert unpack_archive(stored, folder)["a"].read_bytes() == b"text"
