"""Disks that are full or may not be written to: said in words, nothing half there, and all goes on with room again."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.savers import Savers, make_campaign, savers_of
from tests.sentences import says
from tests.stories import PROGRAM, Program
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.log import log

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="limits of another process are Linux's"),
]

UNLIMITED = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
SERVE = ["serve", "--host", "127.0.0.1", "--port", "0", "--no-open"]


def test_saves_on_a_full_disk_are_refused_for_now_and_stored_once_there_is_room(tmp_path: Path) -> None:
    program, path = Program(tmp_path), make_campaign(tmp_path)
    with (
        program.serving(*SERVE, complains=True) as server,
        savers_of(path, server.port) as savers,
        holding_the_log(path),
    ):
        save_each(savers, 20)
        full = path.with_name("rivers.db-wal").stat().st_size
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (full, resource.RLIM_INFINITY))
        assert_no_room(savers)
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, UNLIMITED)
        save_each(savers, 1)
    assert_said_in_words(program)
    assert savers.check(path) == len(savers.acknowledged())
    program.run("audit", "rivers")


def test_a_small_disk_that_fills_up_loses_nothing(small_disk: Path) -> None:
    program, path = Program(small_disk), make_campaign(small_disk)
    with (
        program.serving(*SERVE, complains=True) as server,
        savers_of(path, server.port) as savers,
        holding_the_log(path),
    ):
        save_each(savers, 5)
        filler = small_disk / "filler"
        fill(filler)
        assert_no_room(savers)
        filler.unlink()
        save_each(savers, 1)
    assert "Traceback" not in program.complaints
    assert savers.check(path) == len(savers.acknowledged())
    program.run("audit", "rivers")


@pytest.mark.parametrize("kind", ["documents", "runs"])
def test_an_import_on_a_full_disk_changes_nothing(tmp_path: Path, kind: str) -> None:
    program, path = Program(tmp_path), make_campaign(tmp_path)
    file = {"documents": many_documents, "runs": a_large_run}[kind](tmp_path)
    with open_campaign(path) as campaign:
        before = log.head(campaign)
    words = ["add", kind, "rivers", file, *(["--all"] if kind == "documents" else [])]
    command = ["prlimit", "--fsize=1500000", PROGRAM, *words]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=180, check=False)
    assert (done.returncode, says(done.stderr), "Traceback" in done.stderr) == (1, True, False)
    with open_campaign(path) as campaign:
        assert log.head(campaign) == before
    program.run("audit", "rivers")
    program.run(*words)
    program.run("audit", "rivers")


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Path]:
    """A folder with the campaign `rivers`, outside the instance."""
    folder = tmp_path / "shelf"
    folder.mkdir()
    make_campaign(tmp_path).rename(folder / "rivers.db")
    yield folder
    folder.chmod(0o755)


def test_a_read_only_file_can_be_read_and_is_judged_by_the_same_server_once_it_can_be_written(
    shelf: Path,
) -> None:
    program, path = Program(shelf.parent), shelf / "rivers.db"
    content = path.read_bytes()
    path.chmod(0o444)
    with (
        program.serving(*SERVE, str(path), before=not_above_files(), complains=True) as server,
        savers_of(path, server.port) as savers,
    ):
        assert_no_room(savers)
        assert path.read_bytes() == content
        path.chmod(0o644)
        saver = savers.savers[0]
        saver.client.save(
            next(iter(saver.sent.values()))
        )  # the one that finds the file in trouble for the last time
        save_each(savers, 1)
    assert_said_in_words(program)
    assert savers.check(path) == len(savers.acknowledged())
    program.run("audit", path)


def not_above_files() -> list[str]:
    """What takes root's right to write to read-only files away from a program; others have it not."""
    return (
        ["setpriv", "--bounding-set=-dac_override", "--inh-caps=-dac_override"] if os.geteuid() == 0 else []
    )


@contextmanager
def holding_the_log(path: Path) -> Iterator[None]:
    """Somebody has the campaign open, so that a server in trouble makes no room by folding the log into the file."""
    with open_campaign(path) as campaign:
        log.head(campaign)
        yield


def save_each(savers: Savers, number: int) -> None:
    """Each saves so many judgments; what waited before is stored too."""
    for saver in savers.savers:
        saver.client.hang_up()
        for judgment in saver.sent.values():
            if judgment["uuid"] not in saver.acknowledged:
                saver.acknowledged[judgment["uuid"]] = stored(saver.client.save(judgment))
        for _ in range(number):
            place, judgment = saver.next_judgment()
            saver.seqs[place] = saver.acknowledged[judgment["uuid"]] = stored(saver.client.save(judgment))


def stored(answer: object) -> int:
    status, body, _ = answer  # type: ignore[misc]
    assert status == 201, answer
    return int(body["stored"]["seq"])


def assert_no_room(savers: Savers) -> None:
    """Nobody can save, everybody can read."""
    for saver in savers.savers:
        answer = saver.client.save(saver.next_judgment()[1])
        assert (answer.status, answer.headers["Retry-After"]) == (503, "5"), answer
        assert saver.client.ask("GET", "/c/rivers/judge?topic=1").status == 200


def assert_said_in_words(program: Program) -> None:
    assert "is the disk full, or the file or its folder read-only?" in program.complaints
    assert "Traceback" not in program.complaints


def fill(file: Path) -> None:
    """Take all the room there is."""
    with file.open("wb", buffering=0) as filler:
        for size in (100_000, 1_000, 1):
            try:
                while filler.write(b"x" * size) == size:
                    pass
            except OSError:
                continue


def many_documents(folder: Path) -> Path:
    """Texts for pooled documents, and so many others that all of them need several megabytes."""
    lines = (f'{{"document_id": "n{n:06}", "text": "{n} {"cold water " * 400}"}}\n' for n in range(1_500))
    (folder / "documents.jsonl").write_text("".join(lines))
    return folder / "documents.jsonl"


def a_large_run(folder: Path) -> Path:
    """A run that needs more than a megabyte in the campaign."""
    lines = (f"{topic} Q0 m{place:06} 0 {-place} beta\n" for topic in "12" for place in range(100_000))
    (folder / "beta.run").write_text("".join(lines))
    return folder / "beta.run"
