"""The numbers of auto-judge-evaluate, where it is installed: AUTO_JUDGE_EVALUATE names its program.

Kendall's tau is tau_b there. Files have the same runs and topics; what differs by rule is in docs/use/models.md.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
from pathlib import Path

import pytest

from workbench.analysis.judges.boards import Asked, Submission
from workbench.analysis.judges.comparison import compared
from workbench.formats.leaderboards import read_leaderboard

pytestmark = pytest.mark.slow

COEFFICIENTS = {"kendall": "tau_b", "pearson": "pearson", "spearman": "spearman", "tauap_b": "tau_ap"}


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    found = os.environ.get("AUTO_JUDGE_EVALUATE") or shutil.which("auto-judge-evaluate")
    if not found:
        pytest.skip(
            "auto-judge-evaluate is not installed: pip install autojudge-evaluate in an environment of its own"
        )
    # It loads a list of stop words when it starts, which no correlation needs.
    words = tmp_path / "nltk" / "corpora" / "stopwords" / "english"
    words.parent.mkdir(parents=True)
    words.write_text("the\n")
    (tmp_path / "nltk" / "tokenizers" / "punkt").mkdir(parents=True)
    monkeypatch.setenv("NLTK_DATA", str(tmp_path / "nltk"))
    return found


def write(file: Path, seed: int, steps: int) -> None:
    """Scores of 14 runs on 9 topics, and of all topics; in steps of a power of 2, so that some tie exactly."""
    chance, lines = random.Random(seed), []
    for run in range(14):
        values = [round((run / 14 + chance.gauss(0, 0.3)) * steps) / steps for _ in range(9)]
        scores = {**{f"t{topic}": value for topic, value in enumerate(values)}, "all": sum(values) / 9}
        lines += [f"r{run:02}\t{topic}\tM\t{value}\n" for topic, value in scores.items()]
    file.write_text("".join(lines))


@pytest.mark.parametrize("steps", [16, 1])
def test_every_coefficient_is_the_same(steps: int, program: str, tmp_path: Path) -> None:
    names = ("truth", "one", "two")
    for seed, name in enumerate(names):
        write(tmp_path / name, seed, steps)
    words = [program, "meta-evaluate", "--truth-leaderboard", "truth", "--truth-format", "ir_measures"]
    words += ["--eval-format", "ir_measures", "-i", "one", "-i", "two", "--output", "found.jsonl"]
    words += [word for name in COEFFICIENTS for word in ("--correlation", name)]
    subprocess.run(words, cwd=tmp_path, check=True, capture_output=True)
    theirs = [json.loads(line) for line in (tmp_path / "found.jsonl").read_text().splitlines()]
    truth, *judges = (Submission(name, read_leaderboard(tmp_path / name, "ir_measures")) for name in names)
    ours = compared("leaderboards", [truth], judges, Asked(resamples=0)).boards
    for their, our in zip(theirs, ours, strict=True):
        assert their["Judge"] == our.judge
        assert [their[name] for name in COEFFICIENTS] == pytest.approx(
            [getattr(our, name) for name in COEFFICIENTS.values()], abs=1e-9
        )
