"""The page on adding things is true: its changes work in a copy of the program, and its lines print what they show."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "build" / "extending.md"
SECTIONS = [
    "A measure",
    "A pooling strategy",
    "A figure",
    "A format",
    "A result",
    "An analysis",
    "A kind of event",
    "A field of a judgment",
    "A page",
    "A permission",
    "In a package of your own",
    "A language",
]

AT_THE_END = re.compile(r"At the end of `([^`]+)`:")
NEW_FILE = re.compile(r"A new file `([^`]+)`:")
AFTER = re.compile(r"In `([^`]+)`, after `(.+)`:")
IN_PLACE = re.compile(r"In `([^`]+)`, in the place of `(.+)`:")
BLOCK = re.compile(r"(?:^|\n)([^\n]*)\n\n```(python|html|text)\n(.*?)```", re.DOTALL)

RUN_PAGE = r"""
import doctest, sys
text = open(sys.argv[1], encoding="utf-8").read().replace("\n```", "\n\n```")
session = doctest.DocTestParser().get_doctest(text, {}, "extending.md", sys.argv[1], 0)
done = doctest.DocTestRunner(verbose=False).run(session)
print(done.attempted, done.failed)
"""


class Change(NamedTuple):
    """What the page tells to write: the sentence before the block, and the block."""

    sentence: str
    code: str

    def make(self, folder: Path) -> None:
        """Make the change in a copy of the program; ValueError where the page says nothing that can be done."""
        if found := NEW_FILE.match(self.sentence):
            file = folder / found[1]
            file.parent.mkdir(exist_ok=True)
            with file.open("x", encoding="utf-8") as new:
                new.write(self.code)
        elif found := AT_THE_END.match(self.sentence):
            with (folder / found[1]).open("a", encoding="utf-8") as old:
                old.write(self.code)
        elif found := AFTER.match(self.sentence) or IN_PLACE.match(self.sentence):
            self._put(folder / found[1], found[2], keep=bool(AFTER.match(self.sentence)))
        else:
            message = f"where does this go? {self.sentence!r}"
            raise ValueError(message)

    def _put(self, file: Path, line: str, *, keep: bool) -> None:
        lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
        place = next(number for number, each in enumerate(lines) if each.strip() == line)
        indent = re.match(" *", lines[place])
        assert indent is not None
        lines[place : place + 1] = [lines[place]] * keep + [textwrap.indent(self.code, indent[0])]
        file.write_text("".join(lines), encoding="utf-8")


def changes(page: str) -> list[Change]:
    return [Change(sentence, code) for sentence, _, code in BLOCK.findall(page)]


def copied(folder: Path) -> Path:
    for part in ("workbench", "templates", "static"):
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def run_page(folder: Path, page: Path) -> list[str]:
    """Run the page's lines in a folder: how many there were, and how many printed something else."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", RUN_PAGE, str(page)],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.slow
def test_what_the_page_adds_works(tmp_path: Path) -> None:
    page = PAGE.read_text(encoding="utf-8")
    folder = copied(tmp_path)
    for change in changes(page):
        change.make(folder)
    *wrong, last = run_page(folder, PAGE)
    attempted, failed = map(int, last.split())
    assert failed == 0, "\n".join(wrong)
    assert attempted > 20


@pytest.mark.slow
def test_without_its_changes_the_page_is_wrong(tmp_path: Path) -> None:
    *_, last = run_page(copied(tmp_path), PAGE)
    assert int(last.split()[1]) >= len(SECTIONS)


def test_the_page_shows_all_that_is_added_most_often() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert re.findall(r"^## (.+)$", page, re.MULTILINE) == SECTIONS
    assert len(changes(page)) == sum(page.count(f"\n```{kind}\n") for kind in ("python", "html", "text"))
