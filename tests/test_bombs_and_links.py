"""Small files that unpack to large ones, and archives that point elsewhere: neither fills a disk nor leads anywhere."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import lzma
import tarfile
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.sentences import says
from workbench.campaign.uploads import Report, Sent, receive
from workbench.formats.documents.in_folders import files_in
from workbench.formats.text.compression import zstd
from workbench.release.archive import CHECKSUMS, unpack_archive
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log.log import head

MEGABYTE = 1_000_000
PACK: dict[str, Callable[[bytes], bytes]] = {
    "gzip": lambda data: gzip.compress(data, 1),
    "bzip2": lambda data: bz2.compress(data, 1),
    "xz": lambda data: lzma.compress(data, preset=0),
    "zstandard": zstd().compress,
}


def sent(campaign: Campaign, folder: Path, kind: str, content: bytes) -> Report:
    path = folder / "sent"
    path.write_bytes(content)
    (report,) = receive(campaign.by("Olga"), kind, [Sent(path, "sent")], expanded=10 * MEGABYTE)
    return report


@pytest.mark.parametrize("pack", PACK.values(), ids=PACK)
def test_a_bomb_is_refused_without_being_unpacked(
    small: Campaign, tmp_path: Path, pack: Callable[[bytes], bytes]
) -> None:
    bomb = pack(bytes(15 * MEGABYTE))
    assert len(bomb) < MEGABYTE / 5
    before = head(small)
    tracemalloc.start()
    report = sent(small, tmp_path, "runs", bomb)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert says(report.problems[0].message)
    assert most < 5 * MEGABYTE
    assert head(small) == before


@pytest.mark.parametrize("pack", PACK.values(), ids=PACK)
@pytest.mark.parametrize("between", [b"", b"\0", b"\0" * 70_000], ids=["nothing", "NUL", "many NUL"])
def test_a_bomb_behind_a_small_member_is_measured_by_what_reads_it(
    small: Campaign, tmp_path: Path, pack: Callable[[bytes], bytes], between: bytes
) -> None:
    harmless = pack(b"1 Q0 d1 1 2.5 t\n")
    report = sent(small, tmp_path, "runs", harmless + between + pack(b"\n" * 15 * MEGABYTE))
    assert says(report.problems[0].message)


def test_one_chunk_of_zstandard_is_never_in_memory_as_a_whole(small: Campaign, tmp_path: Path) -> None:
    bomb = zstd().compress(bytes(300 * MEGABYTE))
    assert len(bomb) < 10_000
    tracemalloc.start()
    report = sent(small, tmp_path, "documents", bomb)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert not report.added
    assert most < 5 * MEGABYTE


@pytest.mark.parametrize("pack", PACK.values(), ids=PACK)
def test_the_files_of_one_request_are_measured_together(
    small: Campaign, tmp_path: Path, pack: Callable[[bytes], bytes]
) -> None:
    files = []
    for number in range(4):
        line = b"1 Q0 d1 1 2.5 t%d\n" % number
        files.append(Sent(tmp_path / str(number), f"t{number}"))
        files[-1].path.write_bytes(pack(line + b"\n" * 400_000))
    reports = list(receive(small.by("Olga"), "runs", files, expanded=MEGABYTE))
    assert [report.added for report in reports] == [True, True, False, False]
    assert says(reports[2].problems[0].message)
    assert says(reports[3].problems[0].message)


def test_a_file_that_asks_for_gigabytes_of_memory_gets_none(small: Campaign, tmp_path: Path) -> None:
    packed = bytearray(lzma.compress(b"1 Q0 d1 1 2.5 t\n"))
    end = 12 + (packed[12] + 1) * 4  # of the header of the first block, which ends with its checksum
    assert packed[14:16] == b"\x21\x01"
    packed[16] = 40  # a dictionary of 4 GB
    packed[end - 4 : end] = zlib.crc32(packed[12 : end - 4]).to_bytes(4, "little")
    report = sent(small, tmp_path, "runs", bytes(packed))
    assert "Memory usage limit exceeded" in report.problems[0].message


def tar_with_a_way_out() -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        link = tarfile.TarInfo("documents")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc"
        archive.addfile(link)
        archive.addfile(tarfile.TarInfo("../outside.txt"))
    return stream.getvalue()


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["tar", "tar.gz"])
def test_a_tar_archive_is_not_unpacked_at_all(
    small: Campaign, tmp_path: Path, pack: Callable[[bytes], bytes]
) -> None:
    report = sent(small, tmp_path, "documents", pack(tar_with_a_way_out()))
    assert not report.added
    assert {path.name for path in tmp_path.rglob("*") if not path.name.startswith("small.db")} == {"sent"}


def test_a_link_in_a_bundle_becomes_a_file_and_leads_nowhere(tmp_path: Path) -> None:
    target, path = tmp_path / "in", tmp_path / "evil.zip"
    target.mkdir()
    with zipfile.ZipFile(path, "w") as archive:
        link = zipfile.ZipInfo("x/link.txt")
        link.create_system, link.external_attr = 3, 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
        archive.writestr(f"x/{CHECKSUMS}", f"{hashlib.sha256(b'/etc/passwd').hexdigest()}  link.txt\n")
    unpacked = unpack_archive(path, target)["link.txt"]
    assert not unpacked.is_symlink()
    assert unpacked.read_text() == "/etc/passwd"


def test_links_to_folders_in_a_folder_of_documents_are_not_followed(tmp_path: Path) -> None:
    outside, folder = tmp_path / "outside", tmp_path / "documents"
    for made in (outside, folder):
        made.mkdir()
    (outside / "secret.txt").write_text("secret")
    (folder / "a.txt").write_text("open")
    (folder / "away").symlink_to(outside)
    (folder / "round").symlink_to(folder)
    assert [path.name for path in files_in(folder)] == ["a.txt"]


def packed_records(number: int, size: int) -> bytes:
    """A WARC file of pages that are packed inside their HTTP responses, each of so many bytes."""
    body = gzip.compress(b"<p>" + b"ice " * (size // 4))
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n" + body
    return b"".join(
        b"WARC/1.0\r\nWARC-Type: response\r\nWARC-TREC-ID: p%d\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n"
        % (place, len(http), http)
        for place in range(number)
    )


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])
def test_pages_packed_inside_a_warc_file_count_as_what_they_hold(
    small: Campaign, tmp_path: Path, pack: Callable[[bytes], bytes]
) -> None:
    assert sent(small, tmp_path, "documents", pack(packed_records(4, 2 * MEGABYTE))).added
    report = sent(small, tmp_path, "documents", pack(packed_records(6, 2 * MEGABYTE)))
    assert not report.added
    assert says(report.problems[0].message)


def test_a_page_packed_inside_a_warc_file_is_refused_at_its_bound_in_memory(
    small: Campaign, tmp_path: Path
) -> None:
    bomb = packed_records(1, 80 * MEGABYTE)
    tracemalloc.start()
    report = sent(small, tmp_path, "documents", bomb)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert not report.added
    assert most < 200 * MEGABYTE
