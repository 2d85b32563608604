"""An ordinary user before files of somebody else: a sentence with the path and the way out, and never a traceback."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.killing import NOBODY, Commands, Done
from tests.sentences import says
from tests.stories import Program

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="gives up the rights of root"),
]

Ask = Callable[[str], Done]

READING = "topics mine|runs mine|score mine|audit mine|export qrels mine|bundle mine -o open/b.zip".split("|")
WRITING = "pool mine --depth 1|withdraw mine a|add qrels mine more.txt|add runs mine b.run".split("|")
MAKING = "new other|backup mine|restore copy.db mine".split("|")
ACCOUNTS = "user list|user backup open/accounts.db".split("|")


@pytest.fixture
def folder() -> Iterator[Path]:
    """An instance of root with a campaign, files to add, a backup, and a folder that is open to all."""
    with tempfile.TemporaryDirectory() as made:  # pytest's own folders are shut to other users
        Path(made).chmod(0o755)
        for name in ("temporary", "folder/open"):
            (Path(made) / name).mkdir(parents=True)
            (Path(made) / name).chmod(0o777)
        folder = Path(made) / "folder"
        program = Program(folder)
        for tag in ("a", "b"):
            (folder / f"{tag}.run").write_text(f"1 Q0 d1 1 2 {tag}\n1 Q0 d2 2 1 {tag}\n")
        (folder / "more.txt").write_text("1 0 d2 0\n")
        for command in ("new mine", "add runs mine a.run", "pool mine --depth 2", "backup mine copy.db"):
            program.run(*command.split())
        (folder / "copy.db").chmod(0o644)
        yield folder


@pytest.fixture(scope="module")
def commands() -> Iterator[Commands]:
    started = Commands()
    yield started
    started.end()


@pytest.fixture
def ask(folder: Path, commands: Commands) -> Ask:
    """Runs a command in the folder as an ordinary user."""
    return lambda line: commands.run(folder, line.split(), user=NOBODY)


def test_every_kind_of_command_names_the_path_its_owner_and_the_way_out(folder: Path, ask: Ask) -> None:
    instance = folder / "instance"
    for mode, barrier in ((0o700, instance), (0o755, instance / "mine.db")):
        instance.chmod(mode)
        for line in (*READING, *WRITING, *MAKING, *ACCOUNTS):
            refused = ask(line)
            assert (refused.status, "Traceback" in refused.said) == (1, False), (line, refused.said)
            assert "belongs to root" in refused.said and str(folder) in refused.said, line
        assert says(without(folder, ask("score mine").said), barrier.relative_to(folder))
    (instance / "mine.db").chmod(0o644)
    assert says(without(folder, ask("score mine").said), "instance/mine.db belongs to root")


def without(folder: Path, said: str) -> str:
    """What was said, with names in the folder."""
    return said.replace(f"{folder}/", "")


def test_what_an_ordinary_user_may_read_in_a_folder_of_theirs_is_read_and_not_changed(
    folder: Path, ask: Ask
) -> None:
    instance = folder / "instance"
    instance.chmod(0o777)
    (instance / "mine.db").chmod(0o644)
    for line in READING:
        assert ask(line).status == 0, line
    for line in WRITING:
        refused = ask(line)
        assert (refused.status, "Traceback" in refused.said) == (1, False), (line, refused.said)
        assert f"{instance / 'mine.db'} belongs to root" in refused.said


def test_a_file_to_add_that_may_not_be_read_is_named(folder: Path, ask: Ask) -> None:
    (folder / "b.run").chmod(0o600)
    refused = ask("check b.run")
    assert refused.status == 1
    assert says(refused.said, "b.run")
