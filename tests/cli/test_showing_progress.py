"""Progress on a terminal: every command that reads or changes a campaign shows how far it is once it takes long.

All of them open the campaign, of which the file is checked; here each is late from its beginning, and what it
shows besides is named.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.fixture_types import JudgeAs, Workbench
from workbench.cli import campaigns
from workbench.cli.main import main
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.opening.damage import forget


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


SHOWN = {
    "quota small": "Checking the file",
    "topics small": "Checking rankings",
    "runs small": "Checking rankings",
    "score small": "Reading judgments",
    "compare small --all": "Shuffling scores over runs",
    "reuse small": "Leaving out",
    "certain small": "All pairs",
    "assessors small": "Comparing assessors",
    "export hours small -o x": "Reading times",
    "agreement small": "Agreement: Comparing grades",
    "agreement small -m P@1": "Effect of disagreement: measure P@1: Scoring by each assessor",
    "conflicts small -m P@1": "Scoring conflicts",
    "warnings small": "Counting judgments",
    "export judgments small -o x": "Writing judgments",
    "export rationales small -o x": "Reading rationales",
    "export pool small -o x": "Writing pairs",
    "export pool small --format csv -o x": "Writing pairs",
    "export qrels small -o x": "Reading labels",
    "export scores small -o x": "Reading judgments",
    "export topic-scores small -o x": "Reading judgments",
    "export latex small -o x": "Testing differences",
    "export runs small -o x": "Writing runs",
    "report small -o x": "Team sheets",
    "bundle small -o x.zip": "Release bundle",
    "backup small x.db": "Copying",
    "audit small": "Audit",
    "pool small --depth 3": "Pool by depth: each ranking to rank 3",
    "add documents small documents.jsonl": "Add documents",
    "add runs small more.run": "Reading",
}
"""What a command shows, by its call about the campaign that `judged` leaves."""


@pytest.fixture
def on_terminal(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    """What a command shows on a terminal's standard error, if each of its loops is late from its beginning."""

    def run(words: str) -> str:
        terminal = Terminal()
        forget(folder / "instance" / "small.db")  # else it was checked by another command of this process
        with monkeypatch.context() as patched:
            patched.setattr(campaigns, "LATE", -1.0)
            patched.setattr(sys, "stderr", terminal)
            main(words.split(), standalone_mode=False)
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", terminal.getvalue())

    return run


@pytest.fixture
def judged(done: Workbench, campaign: Campaign, judging_as: JudgeAs) -> None:
    """The campaign `small` with a conflict, and a run that is not in it."""
    Path("more.run").write_text("1 Q0 d1 1 3 gamma\n", encoding="utf-8")
    for name, grade in (("Ann", 2), ("Ben", 0)):
        judging_as(campaign, name, "1", "d1", grade)


@pytest.mark.parametrize(("words", "what"), SHOWN.items())
def test_a_command_that_takes_long_shows_how_far_it_is_and_what_is_left(
    on_terminal: Callable[[str], str], judged: None, words: str, what: str
) -> None:
    shown = on_terminal(words)
    assert what in shown
    assert "left:" in shown
