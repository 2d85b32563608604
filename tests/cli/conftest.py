"""The command line, run in a folder of its own that holds the campaign `small` and files to add."""

from __future__ import annotations

import csv
import shlex
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.fixture_types import Fails, Rows, Workbench
from workbench.cli import main
from workbench.storage.campaign import Campaign, open_campaign


@pytest.fixture
def folder(small_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory: `instance/small.db`, and its topics, documents and runs as files."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("WORKBENCH_INSTANCE", raising=False)
    (tmp_path / "instance").mkdir()
    shutil.copy(small_file, "instance/small.db")
    for name in ("topics.tsv", "documents.jsonl", "alpha.run", "beta.run"):
        shutil.copy(small_file.with_name(name), name)
    return tmp_path


@pytest.fixture
def workbench(folder: Path) -> Workbench:
    """Run a command in that folder, the first text split as a shell would; an exception fails the test."""

    def run(command: str = "", *words: str, given: str | bytes | None = None) -> Result:
        words = (*shlex.split(command), *words)
        return CliRunner().invoke(main, words, input=given, catch_exceptions=False)

    return run


@pytest.fixture
def done(workbench: Workbench) -> Workbench:
    """Run a command that must succeed."""

    def run(command: str = "", *words: str, given: str | bytes | None = None) -> Result:
        result = workbench(command, *words, given=given)
        assert result.exit_code == 0, result.output
        return result

    return run


@pytest.fixture
def fails(workbench: Workbench) -> Fails:
    """What a command says that must be refused, and that prints nothing else; of wrong usage the error alone."""

    def run(command: str = "", *words: str, given: str | bytes | None = None, status: int = 1) -> str:
        result = workbench(command, *words, given=given)
        assert (result.exit_code, result.stdout) == (status, "")
        return result.stderr.rpartition("\nError: ")[2] if status == 2 else result.stderr

    return run


@pytest.fixture
def rows(done: Workbench) -> Rows:
    """The rows that a command prints as CSV."""

    def read(command: str, *words: str) -> list[dict[str, str]]:
        return list(csv.DictReader(done(command, *words, "--format", "csv").stdout.splitlines()))

    return read


@pytest.fixture
def campaign(folder: Path) -> Iterator[Campaign]:
    with open_campaign(folder / "instance" / "small.db") as opened:
        yield opened


@pytest.fixture
def state(folder: Path) -> Callable[[str], bytes]:
    """Everything a campaign holds, as the hash of its log and the bytes of its pages."""

    def read(name: str = "small") -> bytes:
        with open_campaign(folder / "instance" / f"{name}.db") as opened:
            return "\n".join(opened.db.conn.iterdump()).encode()

    return read
