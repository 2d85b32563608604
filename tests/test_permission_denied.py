"""An ordinary user before files of somebody else: a sentence with the path and the way out, and never a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.sentences import says
from tests.stories import Program

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="gives up the rights of root"),
]


class Said(NamedTuple):
    """How a command ended, and all that it said."""

    status: int
    text: str


Ask = Callable[..., Said]

READING = (
    "topics mine",
    "runs mine",
    "score mine",
    "audit mine",
    "export qrels mine",
    "bundle mine -o open/b.zip",
)
WRITING = ("pool mine --depth 1", "withdraw mine a", "add qrels mine more.txt", "add runs mine b.run")
MAKING = ("new other", "backup mine", "restore copy.db mine")
ACCOUNTS = ("user list", "user backup open/accounts.db", "serve --no-open --port 0")


@pytest.fixture
def folder() -> Iterator[Path]:
    """An instance of root with a campaign, files to add, a backup, and a folder that is open to all."""
    with tempfile.TemporaryDirectory() as made:  # pytest's own folders are shut to other users
        Path(made).chmod(0o755)
        fill(Path(made))
        yield Path(made)


def fill(folder: Path) -> None:
    program = Program(folder)
    for tag in ("a", "b"):
        (folder / f"{tag}.run").write_text(f"1 Q0 d1 1 2 {tag}\n1 Q0 d2 2 1 {tag}\n")
    (folder / "more.txt").write_text("1 0 d2 0\n")
    program.run("new", "mine")
    program.run("add", "runs", "mine", "a.run")
    program.run("pool", "mine", "--depth", "2")
    program.run("backup", "mine", "copy.db")
    (folder / "copy.db").chmod(0o644)
    (folder / "open").mkdir()
    (folder / "open").chmod(0o777)


@pytest.fixture(scope="module")
def nobody() -> Iterator[Callable[[Path, tuple[str, ...]], Said]]:
    """Runs commands in a folder as an ordinary user."""
    process = subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name("as_nobody.py"))],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None

    def ask(folder: Path, words: tuple[str, ...]) -> Said:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps([str(folder), words]) + "\n")
        process.stdin.flush()
        return Said(*json.loads(process.stdout.readline()))

    yield ask
    process.stdin.close()
    process.stdout.close()
    process.wait(timeout=60)


@pytest.fixture
def ask(folder: Path, nobody: Callable[[Path, tuple[str, ...]], Said]) -> Ask:
    """Runs a command in the folder as an ordinary user."""
    return lambda *words: nobody(folder, words)


def test_every_kind_of_command_names_the_path_its_owner_and_the_way_out(folder: Path, ask: Ask) -> None:
    instance = folder / "instance"
    for mode, barrier in ((0o700, instance), (0o755, instance / "mine.db")):
        instance.chmod(mode)
        for line in (*READING, *WRITING, *MAKING, *ACCOUNTS):
            refused = ask(*line.split())
            assert refused.status == 1, (line, refused.text)
            assert "Traceback" not in refused.text, (line, refused.text)
            assert says(refused.text), line
            assert str(folder) in refused.text
        assert str(barrier) in ask("score", "mine").text
    (instance / "mine.db").chmod(0o644)
    refused = ask("score", "mine")
    assert says(refused.text)
    assert f"{instance / 'mine.db'} belongs to root" in refused.text


def test_what_an_ordinary_user_may_read_in_a_folder_of_theirs_is_read_and_not_changed(
    folder: Path, ask: Ask
) -> None:
    instance = folder / "instance"
    instance.chmod(0o777)
    (instance / "mine.db").chmod(0o644)
    for line in READING:
        done = ask(*line.split())
        assert done.status == 0, (line, done.text)
    for line in WRITING:
        refused = ask(*line.split())
        assert (refused.status, "Traceback" in refused.text) == (1, False), (line, refused.text)
        assert f"{instance / 'mine.db'} belongs to root" in refused.text


def test_a_file_to_add_that_may_not_be_read_is_named(folder: Path, ask: Ask) -> None:
    (folder / "b.run").chmod(0o600)
    refused = ask("check", "b.run")
    assert refused.status == 1
    assert says(refused.text)
