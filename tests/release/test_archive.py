"""Archives are the same bytes for the same content, and what one says is never believed."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Mapping
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


def test_what_was_written_can_be_unpacked(tmp_path: Path, folder: Path) -> None:
    with (tmp_path / "x.zip").open("wb") as stream:
        write_archive(stream, "x", {"a.txt": lambda: ["one\n"], "b/é.txt": lambda: [b"two\n"]})
    found = unpack_archive(tmp_path / "x.zip", folder)
    assert {name: path.read_text() for name, path in found.items()} == {"a.txt": "one\n", "b/é.txt": "two\n"}
    assert all(path.parent == folder for path in found.values())


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


def test_a_changed_file_is_refused(tmp_path: Path, folder: Path) -> None:
    path = written(tmp_path / "x.zip", {"qrels.txt": b"1 0 d1 1\n"}, {"qrels.txt": b"1 0 d1 0\n"})
    with pytest.raises(InputError, match=r"^\S+\.zip: qrels.txt is not what SHA256SUMS says"):
        unpack_archive(path, folder)


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


def test_one_file_alone_has_a_limit_too(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "LARGEST_ENTRY", 1_000)
    with pytest.raises(InputError, match=r"^\S+\.zip: x/a unpacks to more"):
        unpack_archive(written(tmp_path / "x.zip", {"a": bytes(2_000)}), folder)


def test_too_many_files_are_refused(tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MOST_ENTRIES", 3)
    path = written(tmp_path / "x.zip", {str(number): b"" for number in range(3)})
    with refused(InputError):
        unpack_archive(path, folder)


def test_an_entry_that_stands_twice_is_refused(tmp_path: Path, folder: Path) -> None:
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w") as target, pytest.warns(UserWarning, match="Duplicate name"):
        target.writestr("x/a", "one")
        target.writestr("x/a", "two")
    with refused(InputError):
        unpack_archive(path, folder)


@pytest.mark.parametrize("content", [b"", b"no archive at all", b"PK\x03\x04 and nothing more"])
def test_what_is_no_archive_is_refused_with_a_reason(tmp_path: Path, folder: Path, content: bytes) -> None:
    path = tmp_path / "x.zip"
    path.write_bytes(content)
    with refused(InputError):
        unpack_archive(path, folder)


def test_a_name_that_is_no_text_is_refused_with_a_reason(tmp_path: Path, folder: Path) -> None:
    path = written(tmp_path / "x.zip", {"é.txt": b"x"})
    path.write_bytes(path.read_bytes().replace("é".encode(), b"\xc3\xc3"))
    with refused(InputError):
        unpack_archive(path, folder)


@pytest.mark.parametrize("method", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_a_method_of_which_a_little_unpacks_to_much_at_once_is_refused(
    tmp_path: Path, folder: Path, method: int
) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w", method) as target:
        target.writestr(f"x/{CHECKSUMS}", "0" * 1000)
    with refused(InputError):
        unpack_archive(tmp_path / "x.zip", folder)


def test_damaged_data_is_refused_with_a_reason(tmp_path: Path, folder: Path) -> None:
    path = written(tmp_path / "x.zip", {"a": b"0" * 1000})
    raw = bytearray(path.read_bytes())
    raw[30 + len("x/a")] = 0xFF  # behind the header of the first entry, and its name: no kind of block is 3
    path.write_bytes(raw)
    with refused(InputError):
        unpack_archive(path, folder)


def test_an_archive_whose_files_are_only_stored_can_be_unpacked(tmp_path: Path, folder: Path) -> None:
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w") as target:
        target.writestr("x/a", "text")
        target.writestr(f"x/{CHECKSUMS}", f"{hashlib.sha256(b'text').hexdigest()}  a\n")
    assert unpack_archive(path, folder)["a"].read_bytes() == b"text"


def test_a_file_that_is_missing_is_said_to_be_missing(tmp_path: Path, folder: Path) -> None:
    with refused(InputError):
        unpack_archive(tmp_path / "none.zip", folder)


def test_an_archive_without_checksums_is_no_bundle(tmp_path: Path, folder: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as target:
        target.writestr("x/a", "one")
    with pytest.raises(InputError, match=r"^\S+\.zip: it holds no SHA256SUMS"):
        unpack_archive(tmp_path / "x.zip", folder)


def test_an_archive_of_two_folders_is_none_of_ours(tmp_path: Path, folder: Path) -> None:
    path = written(tmp_path / "two.zip", {"a.txt": b"x"})
    with zipfile.ZipFile(path, "a") as more:
        more.writestr("y/b.txt", "z")
    with refused(InputError):
        unpack_archive(path, folder)


def test_a_file_of_many_lines_is_written_in_pieces_and_is_the_same(tmp_path: Path, folder: Path) -> None:
    lines = [f"{number:06d}\n" for number in range(30_000)]
    with (tmp_path / "x.zip").open("wb") as stream:
        write_archive(stream, "x", {"a.txt": lambda: lines, "b.txt": list})
    found = unpack_archive(tmp_path / "x.zip", folder)
    assert found["a.txt"].read_text() == "".join(lines)
    assert found["b.txt"].read_text() == ""
