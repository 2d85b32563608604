"""Measures of a sample from files: by the command line and by the library."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import workbench as wb
from tests.sentences import refused, says
from workbench.cli import main
from workbench.core.errors import InputError, UnknownName
from workbench.jobs.cluster import Workers
from workbench.scoring.evaluation.on_cluster import evaluate_on
from workbench.scoring.evaluation.selection import DEFAULT_PROFILE, choose

SAMPLE = """\
1 0 d1 1 1
1 0 d2 1 0
1 0 d3 1 0
1 0 d4 1 2
1 0 d5 2 -1
1 0 d6 2 0
1 0 d7 2 1
1 0 d8 2 -1
1 0 d10 2 0
1 0 d11 2 1
1 0 d12 2 -1
1 0 d13 2 -1
"""
PRELS = "1 d1 1 1 1\n1 d3 1 1 .5\n1 d6 1 1 .25\n1 d11 1 1 .5\n1 d2 0 1 1\n1 d9 0 1 .25\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "sample.txt").write_text(SAMPLE)
    (tmp_path / "prels.txt").write_text(PRELS)
    (tmp_path / "qrels.txt").write_text("1 0 d1 1\n")
    run = "".join(f"1 Q0 d{rank} {rank} {20 - rank} alpha\n" for rank in range(1, 11))
    (tmp_path / "alpha.run").write_text(run)
    return tmp_path


def printed(folder: Path, *given: str, exit_code: int = 0) -> str:
    words = [str(folder / word) if word.endswith((".txt", ".run")) else word for word in given]
    result = CliRunner().invoke(main, ["eval", *words], catch_exceptions=False)
    assert result.exit_code == exit_code, result.output
    return " ".join(result.output.split())


def test_strata_or_probabilities_are_read_where_a_measure_needs_them(folder: Path) -> None:
    measures = ("-m", "xinfAP", "-m", "infNDCG", "-m", "infP@10", "-m", "infNumRelRet", "-m", "infNumRel")
    text = printed(folder, *measures, "sample.txt", "alpha.run")
    assert text == (
        "xinfAP all 0.3929 infNDCG all 0.5615 infP@10 all 0.3667 infNumRelRet all 3.6667 infNumRel all 6.0000"
    )
    measures = ("-m", "statAP", "-m", "statP@5", "-m", "statP@10", "-m", "statNumRel")
    text = printed(folder, *measures, "prels.txt", "alpha.run")
    assert text == "statAP all 0.5556 statP@5 all 0.6000 statP@10 all 0.7000 statNumRel all 9.0000"
    text = printed(folder, "-m", "statP@10", "-m", "P@10", "-m", "num_rel", "sample.txt", "alpha.run")
    assert text == "num_rel all 4 statP@10 all 0.4000 P@10 all 0.3000"
    cut = printed(folder, "-M", "4", "-m", "infNumRelRet", "sample.txt", "alpha.run")
    assert cut == "infNumRelRet all 2.0000"


@pytest.mark.parametrize(
    "given",
    [
        "-m xinfAP prels.txt", "-m xinfAP -m infAP sample.txt", "-m xinfAP -m alpha_nDCG@5 sample.txt",
        "-J -m statAP sample.txt", "-m statAP qrels.txt",
    ],
)  # fmt: skip
def test_what_the_judgments_do_not_allow_is_refused(folder: Path, given: str) -> None:
    words = [str(folder / word) if word.endswith(".txt") else word for word in given.split()]
    result = CliRunner().invoke(main, ["eval", *words, str(folder / "alpha.run")])
    assert result.exit_code != 0
    assert says(" ".join(result.output.split()))


def test_what_does_not_go_together_is_refused_before_other_processes_are_asked(tmp_path: Path) -> None:
    requested = choose(["xinfAP", "infAP"], DEFAULT_PROFILE, {})
    with refused(UnknownName):
        evaluate_on(Workers(None, 1), tmp_path / "missing", [], requested)
    with refused(InputError):
        evaluate_on(Workers(None, 1), "-", ["a.run", "-"], [])


def test_the_library_takes_the_file_of_a_sample_and_no_judgments_in_memory(folder: Path) -> None:
    scores = wb.evaluate(folder / "sample.txt", folder / "alpha.run", ["xinfAP", "statP@10"])
    assert scores.mean["alpha"]["xinfAP"] == pytest.approx(0.39285786)
    assert scores.mean["alpha"]["statP@10"] == pytest.approx(0.4)
    with refused(InputError):
        wb.evaluate({"1": {"d1": 1}}, folder / "alpha.run", ["xinfAP"])
    with pytest.raises(UnknownName, match="ask for xinfAP"):
        wb.evaluate(folder / "sample.txt", folder / "alpha.run", ["xinfAP", "infAP"])


@pytest.mark.parametrize(("profile", "value"), [("trec_eval-10", 1.0), ("trec_eval-9", 0.0)])
def test_scores_of_a_sample_are_compared_in_the_precision_of_the_profile(
    folder: Path, profile: str, value: float
) -> None:
    """As 32-bit floats the two scores are equal, and the higher id comes first: d2, which is not relevant."""
    (folder / "alpha.run").write_text("1 Q0 d1 1 2.00000001 alpha\n1 Q0 d2 2 2 alpha\n")
    scores = wb.evaluate(folder / "sample.txt", folder / "alpha.run", ["statP@1"], profile=profile)
    assert scores.mean["alpha"]["statP@1"] == value
