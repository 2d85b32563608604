"""The replay of TREC-COVID's rounds: the made task comes out to the digit, and a wrong number is named."""

import sys
from pathlib import Path

import pytest

from tests.made_covid import write_made_task

sys.path.insert(0, str(Path(__file__).parent.parent / "benchmarks"))
import trec_covid


def test_the_made_task_has_the_scores_that_plain_python_gives(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("WORKBENCH_TREC_COVID", raising=False)
    status = trec_covid.main()
    said = capsys.readouterr().out.splitlines()
    assert (status, said) == (
        0,
        [
            "A made task of 3 rounds",
            "round 1: 12 of 12 cells are the official ones",
            "round 2: 12 of 12 cells are the official ones",
            "round 3: 6 of 6 cells are the official ones",
        ],
    )


def test_a_cell_that_differs_and_a_run_that_is_missing_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_made_task(tmp_path)
    table = folder / "round3" / "results.md"
    table.write_text(
        table.read_text().replace("P_5\t\tall\t0.0667", "P_5\t\tall\t0.0668") + "#### none\n map all 0.1\n"
    )
    monkeypatch.setenv("WORKBENCH_TREC_COVID", str(folder))
    assert trec_covid.main() == 1
    said = capsys.readouterr().out
    assert "round 2: 12 of 12" in said
    assert "round 3: 5 of 7" in said
    assert "none map: no such run, officially 0.1000" in said
