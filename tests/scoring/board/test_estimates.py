"""Which estimate stands beside a score: one that estimates this very measure, and none where no such is known."""

from __future__ import annotations

import pytest

from workbench.methods.measures import parse_measure
from workbench.scoring.board.sample_design import estimator_of


@pytest.mark.parametrize(
    ("measure", "by_strata", "by_probabilities"),
    [
        ("AP", "xinfAP", "statAP"),
        ("AP(rel=2)", "xinfAP(rel=2)", "statAP(rel=2)"),
        ("P@5", "statP@5", "statP@5"),
        ("P(rel=2)@5", "statP(rel=2)@5", "statP(rel=2)@5"),
        ("RBP(p=0.5)", "statRBP(p=0.5)", "statRBP(p=0.5)"),
        ("DCG", "statDCG", "statDCG"),
        ("DCG@7", "statDCG@7", "statDCG@7"),
        ("nDCG", "infNDCG", None),
        ("AP@5", None, None),
        ("nDCG@5", None, None),
        ("DCG(base=3)", None, None),
        ("DCG(gains=exp)", None, None),
        ("RBP(p=0.5)@5", None, None),
        ("RR", None, None),
        ("AP(mean=geometric)", None, None),
    ],
)
def test_a_score_is_estimated_by_what_estimates_it(
    measure: str, by_strata: str | None, by_probabilities: str | None
) -> None:
    for has_strata, name in ((True, by_strata), (False, by_probabilities)):
        expected = None if name is None else parse_measure(name)
        assert estimator_of(parse_measure(measure), has_strata=has_strata) == expected
