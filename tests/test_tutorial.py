"""The tutorial is executed from an empty folder, and prints what it shows."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

PAGE = ROOT / "docs" / "use" / "tutorial.md"
BLOCK = re.compile(r"^```(sh|text)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def printed(text: str) -> list[str]:
    """The lines of a text, without blanks at their ends."""
    return [line.rstrip() for line in text.strip("\n").splitlines()]


@pytest.mark.slow
def test_the_tutorial_prints_what_it_shows(tmp_path: Path) -> None:
    environment = os.environ | {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "COLUMNS": "250",
    }
    environment.pop("WORKBENCH_INSTANCE", None)
    compared = 0
    output = ""
    for kind, block in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        if kind == "text":
            assert printed(output) == printed(block)
            compared += 1
        else:
            done = subprocess.run(
                ["bash", "-e", "-c", block],
                cwd=tmp_path,
                env=environment,
                capture_output=True,
                text=True,
                check=False,
            )
            assert done.returncode == 0, done.stderr
            output = done.stdout
    assert compared == 6
    assert (tmp_path / "rivers.zip").is_file()
