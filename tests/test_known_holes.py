"""CI asks for known holes of what is pinned: one that is known fails it, and it says when nothing was checked."""

from __future__ import annotations

import importlib.util
import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from tests.conftest import ROOT

PATH = ROOT / ".ci" / "known_holes.py"
HOLE = {"id": "PYSEC-1", "aliases": ["CVE-1"], "fix_versions": ["3.2"]}
Answers = Callable[..., None]


@pytest.fixture
def script(tmp_path: Path) -> ModuleType:
    if not PATH.exists():
        pytest.skip("no checkout")
    spec = importlib.util.spec_from_file_location("known_holes", PATH)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.LAST = tmp_path / "known_holes.json"
    return module


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> Answers:
    """Let pip-audit say this of every package that it is asked for."""

    def say(said: dict[str, object] | None) -> None:
        def run(words: list[str], **_: object) -> subprocess.CompletedProcess[str]:
            package = {"name": "flask", "version": "3.1"} | (said or {})
            text = "" if said is None else json.dumps({"dependencies": [package]})
            return subprocess.CompletedProcess(words, 1, stdout=text)

        monkeypatch.setattr(subprocess, "run", run)

    return say


@pytest.mark.parametrize(
    ("said", "status", "words"),
    [
        ({"vulns": []}, 0, "1 of "),
        ({"vulns": [HOLE]}, 1, "flask 3.1: PYSEC-1, repaired in 3.2"),
        ({"skip_reason": "not found"}, 3, "NOTHING WAS CHECKED, and never was"),
        (None, 3, "NOTHING WAS CHECKED, and never was"),
    ],
)
def test_a_hole_that_is_known_fails_and_so_does_a_service_that_does_not_answer(
    script: ModuleType,
    answers: Answers,
    capsys: pytest.CaptureFixture[str],
    said: dict[str, object] | None,
    status: int,
    words: str,
) -> None:
    answers(said)
    assert script.main() == status
    assert words in capsys.readouterr().out


def test_when_nothing_can_be_checked_the_last_check_is_named(
    script: ModuleType, answers: Answers, capsys: pytest.CaptureFixture[str]
) -> None:
    answers({"vulns": []})
    assert script.main() == 0
    note = json.loads(script.LAST.read_text())
    assert (note["packages"], note["holes"]) == (1, [])
    answers(None)
    assert script.main() == 3
    assert f"last on {note['checked_on']} (1 packages, 0 holes)" in capsys.readouterr().out
