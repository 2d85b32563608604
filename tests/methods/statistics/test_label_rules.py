"""Rules that make one grade of several."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.conftest import ROOT
from tests.document_tables import table
from workbench.methods.statistics.dawid_skene import majority, median, most_lenient, strictest

RULES = (majority, median, strictest, most_lenient)


@pytest.mark.parametrize(
    ("grades", "expected"),
    [
        ([2], (2, 2, 2, 2)),
        ([0, 2, 2], (2, 2, 0, 2)),
        ([0, 1, 2, 2], (2, 1, 0, 2)),
        ([2, 0], (0, 0, 0, 2)),
        ([0, 0, 1, 2, 3], (0, 1, 0, 3)),
        ([-2, 1, 1], (1, 1, -2, 1)),
    ],
)
def test_majority_median_strictest_and_most_lenient(grades: list[int], expected: tuple[int, ...]) -> None:
    assert tuple(rule(grades) for rule in RULES) == expected


@given(st.lists(st.integers(-2, 4), min_size=1), st.sampled_from(RULES))
def test_a_rule_gives_a_grade_that_an_assessor_gave_in_whatever_order(
    grades: list[int], rule: Callable[[list[int]], int]
) -> None:
    assert rule(grades) in grades
    assert rule(grades) == rule(sorted(grades))


@pytest.mark.slow
@pytest.mark.data
def test_the_rules_of_two_are_as_documented(
    data_folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Real labels to the last digit; simulated ones with a tenth of the pairs, to three standard errors of 0.15."""
    monkeypatch.setattr(sys, "path", [str(ROOT / "benchmarks"), *sys.path])
    import rules_of_two  # type: ignore[import-not-found]

    def printed() -> dict[str, float]:
        lines = re.findall(r"^  (\w[\w ]*?)  .*? ([-+][\d.]+) points", capsys.readouterr().out, re.MULTILINE)
        return {name: float(points) for name, points in lines}

    rules_of_two.simulate("mixed", "mixed", 1_000_000)
    alike = printed()
    rules_of_two.simulate("strict", "lenient", 1_000_000)
    apart = printed()
    folder = data_folder / "agreement"
    rules_of_two.of_files((folder / "qrels.rag25.test.txt", folder / "qrels.rag25.test-umbrela2.txt"))
    real = printed()
    for names, cells in table("rule", "alike", "strict, then lenient", "RAG 2025").items():
        points = [float(cell.replace("−", "-") or "nan") for cell in cells]
        for name in names.removesuffix(", half of the differences settled").split(", "):
            assert [alike[name], apart[name]] == pytest.approx(points[:2], abs=0.5), name
            assert real[name] == points[2] or name == "adjudicated first", name
