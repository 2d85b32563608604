"""Campaign files with damage of every kind: opened and worked with, or refused in words and left as they are."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner
from hypothesis import strategies as st

from tests.fuzzing.running import NUMBERS, feed, few_or_many
from workbench.cli import main
from workbench.core.errors import WorkbenchError
from workbench.storage.campaign import open_campaign

SIZE_OF_HEADER = 100
PAGE = 4096


class Damage(NamedTuple):
    """Bytes `start` to `end` of a file are replaced; all from there on where `end` is None."""

    start: int
    end: int | None
    by: bytes


@st.composite
def damages(draw: st.DrawFn, size: int) -> Damage:
    """Damage where it hurts: in the header, at the beginning of a page, anywhere, or all from somewhere on."""
    kind = draw(st.sampled_from(["header", "header", "page", "anywhere", "end"]))
    by = draw(st.binary(max_size=8))
    if kind == "header":
        start = draw(st.integers(0, SIZE_OF_HEADER - 1))
    elif kind == "page":
        start = draw(st.integers(0, size // PAGE - 1)) * PAGE + draw(st.integers(0, 40))
    else:
        start = draw(st.integers(0, size - 1))
    return Damage(start, None if kind == "end" else start + len(by), by)


def damaged(good: bytes, found: Sequence[Damage]) -> bytes:
    data = bytearray(good)
    for start, end, by in found:
        data[start:end] = by
    return bytes(data)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "folder"
    made.mkdir()
    return made


def written(folder: Path, data: bytes) -> Path:
    """The only file in the folder, with these bytes."""
    for beside in folder.iterdir():
        beside.unlink()
    (folder / "broken.db").write_bytes(data)
    return folder / "broken.db"


@few_or_many
def test_a_damaged_campaign_file_is_opened_or_refused_with_a_reason(
    small_file: Path, folder: Path, many: bool
) -> None:
    whole = small_file.read_bytes()

    def check(found: list[Damage]) -> None:
        path = written(folder, broken := damaged(whole, found))
        try:
            open_campaign(path).close()
        except WorkbenchError as error:
            assert str(error).startswith(str(path))
            assert path.read_bytes() == broken

    feed(st.lists(damages(len(whole)), min_size=1, max_size=4), check, NUMBERS["campaign file"].some(many))


COMMANDS = """
score|audit|topics|runs|agreement|conflicts|pool --depth 3|export qrels|export judgments|export pool
""".strip().split("|")


@pytest.mark.slow
def test_a_command_on_a_damaged_campaign_file_does_its_work_or_says_why_not(
    small_judged: Path, folder: Path
) -> None:
    whole = small_judged.read_bytes()

    def check(broken: tuple[list[Damage], str]) -> None:
        found, command = broken
        said = CliRunner().invoke(main, [*command.split(), str(written(folder, damaged(whole, found)))])
        if said.exception is not None and not isinstance(said.exception, SystemExit):
            raise said.exception
        assert said.exit_code in {0, 1}

    found = st.lists(damages(len(whole)), min_size=1, max_size=4)
    feed(
        st.tuples(found, st.sampled_from(COMMANDS)),
        check,
        NUMBERS["command on a campaign file"].some(many=True),
    )
