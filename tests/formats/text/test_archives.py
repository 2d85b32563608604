"""Archives of runs: what is in them is read a piece at a time, and nothing that they say is believed."""

from __future__ import annotations

import io
import tarfile
import tracemalloc
import zipfile
from pathlib import Path

import pytest

from tests.archives import locked, renamed, tar_of, tarred, zipped, zipped_link, zipped_twice
from tests.sentences import refused
from workbench.core.errors import InputError, Problem
from workbench.formats.text import archives
from workbench.formats.text.archives import archive_kind, unpack_runs
from workbench.formats.text.compression import zstd

FILES = {
    "runs/a.run": b"1 Q0 d1 1 2.5 a\n" * 9_000,
    "runs/b.run": b"",
    "./c.txt.gz": b"\x1f\x8bno gzip",
    "README.txt": b"ours",
    "runs/.DS_Store": b"Bud1",
    "__MACOSX/runs/._a.run": b"Mac OS X",
    "paper": b"%PDF-1.7",
}
PACKED = {
    "zip": zipped(FILES),
    "zip without compression": zipped(FILES, zipfile.ZIP_STORED),
    "tar": tarred(FILES),
    "tar.gz": tarred(FILES, "gz"),
    "tar.xz": tarred(FILES, "xz"),
    "tar.bz2": tarred(FILES, "bz2"),
    "tar.zst": zstd().compress(tarred(FILES)),
}


def stored(folder: Path, data: bytes) -> Path:
    path = folder / "sent"
    path.write_bytes(data)
    return path


def refuses(folder: Path, data: bytes, *values: str) -> None:
    """The archive is refused as recorded, and no file of it is anywhere but in the folder for it."""
    with refused(InputError, *values):
        unpack_runs(stored(folder, data), "x.zip", folder / "in")
    assert {path.name for path in folder.iterdir()} == {"sent", "in"}


@pytest.mark.parametrize("kind", PACKED)
def test_an_archive_has_the_files_that_were_packed_and_what_is_no_run_is_passed_over(
    tmp_path: Path, kind: str
) -> None:
    path = stored(tmp_path, PACKED[kind])
    assert archive_kind(path) == kind[:3]
    unpacked = unpack_runs(path, "x.zip", tmp_path / "in")
    found = {name: Path(file).read_bytes() for file, name in unpacked.files.items()}
    wanted = ("runs/a.run", "runs/b.run", "./c.txt.gz")
    assert found == {f"x.zip/{name.removeprefix('./')}": FILES[name] for name in wanted}
    passed = "README.txt, runs/.DS_Store, __MACOSX/runs/._a.run, paper"
    assert unpacked.notes == (
        Problem("x.zip", None, f"passed over in this archive, since they are no runs: {passed}"),
    )


@pytest.mark.parametrize("content", [b"", b"1 Q0 d1 1 2.5 a\n", b"PK", bytes(2_000), b"\x1f\x8bno gzip"])
def test_another_file_is_no_archive_whatever_it_is_called(tmp_path: Path, content: bytes) -> None:
    assert archive_kind(stored(tmp_path, content)) == ""
    assert archive_kind(tmp_path) == archive_kind(tmp_path / "none") == ""


def test_folders_are_no_files(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.mkdir("runs")
        archive.writestr("runs/a.run", b"x")
    assert list(unpack_runs(tmp_path / "x.zip", "x.zip", tmp_path / "in").files.values()) == [
        "x.zip/runs/a.run"
    ]


@pytest.mark.parametrize(
    "name", ["../a.run", "/etc/passwd", "a/../../b.run", "..\\a.run", "C:\\a.run", "\\\\host\\a.run"]
)
@pytest.mark.parametrize("pack", [zipped, tarred], ids=["zip", "tar"])
def test_a_name_that_leads_out_is_refused(tmp_path: Path, name: str, pack: type) -> None:
    refuses(tmp_path, pack({"good.run": b"x", name: b"y"}))


def test_several_wrong_entries_are_named_each(tmp_path: Path) -> None:
    refuses(tmp_path, zipped({"../a": b"x", "../b": b"x", "good.run": b"x"}), "'../a'", "'../b'")


@pytest.mark.parametrize(
    "data",
    [
        tar_of(tarfile.SYMTYPE, "/etc/passwd"),
        tar_of(tarfile.LNKTYPE, "b.run"),
        tar_of(tarfile.CHRTYPE),
        tar_of(tarfile.FIFOTYPE),
        zipped_link(),
    ],
    ids=["symbolic link", "hard link", "device", "fifo", "link in zip"],
)
def test_a_link_or_device_is_refused(tmp_path: Path, data: bytes) -> None:
    refuses(tmp_path, data)


@pytest.mark.parametrize(
    "data",
    [
        zipped_twice("a.run"),
        zipped({"a.run": b"x", "./a.run": b"y"}),
        locked(),
        zipped({"a.run": b"x"}, zipfile.ZIP_LZMA),
        zipped({"b.zip": zipped({"a.run": b"x"})}),
        tarred({"b.tar.gz": tarred({"a.run": b"x"}, "gz")}),
        renamed(zipped({"aa.run": b"x"}), b"aa.run", b"\xff\xfe.run"),
        tarred({"a\nb": b"x"}),
        tarred({"a" * 301: b"x"}),
        zipped({"README": b"x"}),
        zipped({}),
    ],
    ids=[
        *("twice", "twice by another spelling", "locked", "lzma", "zip in zip", "tar in tar", "name"),
        *("name of two lines", "long name", "no run", "empty"),
    ],
)
def test_what_cannot_be_taken_is_refused_with_the_way_out(tmp_path: Path, data: bytes) -> None:
    refuses(tmp_path, data)


def test_a_name_that_is_utf8_without_saying_so_is_read_as_utf8(tmp_path: Path) -> None:
    data = renamed(zipped({"aa.run": b"x"}), b"aa.run", "é.run".encode())
    assert list(unpack_runs(stored(tmp_path, data), "x.zip", tmp_path / "in").files.values()) == [
        "x.zip/é.run"
    ]


@pytest.mark.parametrize("kind", PACKED)
@pytest.mark.parametrize("share", [0.3, 0.6, 0.95])
def test_an_archive_that_was_cut_off_is_never_taken_in_part(tmp_path: Path, kind: str, share: float) -> None:
    data = PACKED[kind][: int(len(PACKED[kind]) * share)]
    path = stored(tmp_path, data)
    if archive_kind(path):
        with pytest.raises(InputError, match=r"x\.zip: .*again"):
            unpack_runs(path, "x.zip", tmp_path / "in")


def test_a_tar_archive_that_is_broken_off_in_the_middle_does_not_end_there_in_silence(tmp_path: Path) -> None:
    data = bytearray(tarred({"a.run": b"x" * 512, "b.run": b"y" * 512}))
    data[1024:1536] = b"\x07" * 512  # the header of the second file
    refuses(tmp_path, bytes(data))


def test_ten_thousand_files_are_refused_before_they_are_written(tmp_path: Path) -> None:
    refuses(tmp_path, zipped({f"{number}.run": b"" for number in range(10_000)}))
    assert len(list((tmp_path / "in").iterdir())) == archives.MOST_FILES


@pytest.mark.parametrize("pack", [zipped, lambda files: tarred(files, "gz")], ids=["zip", "tar.gz"])
def test_a_bomb_fills_neither_disk_nor_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pack: type
) -> None:
    bomb = pack({f"{number}.run": bytes(6_000_000) for number in range(4)})
    assert len(bomb) < 100_000
    monkeypatch.setattr(archives, "LARGEST", 10_000_000)
    tracemalloc.start()
    refuses(tmp_path, bomb)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 10_000_000
    assert sum(path.stat().st_size for path in (tmp_path / "in").iterdir()) <= 10_000_000


def test_a_header_of_tar_that_asks_for_gigabytes_gets_none(tmp_path: Path) -> None:
    header = tarfile.TarInfo("PaxHeader")
    header.type, header.size = tarfile.XHDTYPE, 2 << 30
    refuses(tmp_path, header.tobuf(tarfile.PAX_FORMAT) + bytes(4_096))


def test_a_zip64_archive_is_read(tmp_path: Path) -> None:
    stream = io.BytesIO()
    with (
        zipfile.ZipFile(stream, "w") as archive,
        archive.open(zipfile.ZipInfo("a.run"), "w", force_zip64=True) as entry,
    ):
        entry.write(b"1 Q0 d1 1 2.5 a\n")
    unpacked = unpack_runs(stored(tmp_path, stream.getvalue()), "x.zip", tmp_path / "in")
    assert [Path(path).read_bytes() for path in unpacked.files] == [b"1 Q0 d1 1 2.5 a\n"]
