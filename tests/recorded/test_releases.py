"""What the bundle and a team sheet of the eventful campaign say."""

from __future__ import annotations

import re
from pathlib import Path
from zipfile import ZipFile

import pytest
from click.testing import CliRunner
from lxml import html

from tests.recorded.conftest import AsRecorded
from tests.recorded.test_pages import said
from workbench import __version__
from workbench.cli import main

FILES = "CITATION.cff DATASHEET.md README.md guidelines.md runs.csv scores/board.tex".split()
TODAY = re.compile(r"\b20\d\d-\d\d-\d\d\b")


@pytest.fixture(scope="module")
def bundle(prepared_eventful: Path) -> ZipFile:
    """The bundle, with runs."""
    path = prepared_eventful.parent / "bundle.zip"
    done = CliRunner().invoke(main, ["bundle", str(prepared_eventful), "--runs", "-o", str(path)])
    assert done.exit_code == 0, done.output
    return ZipFile(path)


@pytest.mark.parametrize("name", FILES)
def test_a_file_of_the_bundle_says_what_it_said(bundle: ZipFile, as_recorded: AsRecorded, name: str) -> None:
    (inside,) = [one for one in bundle.namelist() if one.endswith(f"/{name}")]
    text = bundle.read(inside).decode().replace(__version__, "(version)")
    as_recorded(f"bundle/{name.replace('/', '_')}.txt", TODAY.sub("(day)", text))


def test_a_team_sheet_says_what_it_said(task: Path, as_recorded: AsRecorded, tmp_path: Path) -> None:
    words = ["report", str(task), "--team", "Alpha", "--format", "html", "-o", str(tmp_path)]
    done = CliRunner().invoke(main, words, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    as_recorded(
        "bundle/team_sheet.txt", said(html.fromstring((tmp_path / "Alpha.html").read_text(encoding="utf-8")))
    )
