from __future__ import annotations

from math import exp, log, log2

import numpy as np
import pytest

from tests.fixture_types import MakeJudged
from workbench.core.ranking import POOLED, UNJUDGED
from workbench.methods.measures import over_topics, parse_measure, parse_measures

# Documents d1 to d10 as retrieved, d11 and d12 not; d3 and d8 are pooled, d5 and d9 are not. R = 4, N = 4.
RANKED = [1, 0, POOLED, 1, UNJUDGED, 0, 1, POOLED, UNJUDGED, 0]
OTHERS = [1, 0]


def value(judge: MakeJudged, name: str, ranked: list[int], others: list[int]) -> float:
    (found,) = parse_measure(name)(judge(ranked, others)).tolist()
    return float(found)


def test_gm_bpref_is_a_geometric_mean_and_unjudged_is_divided_by_the_cutoff(judge: MakeJudged) -> None:
    measure = parse_measure("gm_bpref")
    judged = judge([([1], []), ([0, 1], [1]), ([0], [1])])
    values = measure(judged)
    assert (str(measure), measure.trec_eval) == ("Bpref(mean=geometric)", "gm_bpref")
    assert values.tolist() == [1.0, (1 - 1 / 1) / 2, 0.0]
    (mean,) = over_topics(measure, np.array([[1.0], [0.25], [0.0]]), judged.labels).tolist()
    assert mean == pytest.approx(exp((log(1) + log(0.25) + log(0.00001)) / 3), rel=1e-14)
    assert value(judge, "Unjudged@20", RANKED, OTHERS) == 4 / 20
    assert value(judge, "Unjudged@5", RANKED, OTHERS) == 2 / 5
    ranked = [1, -1, -2, 0, UNJUDGED]
    assert value(judge, "Judged@5", ranked, []) == 4 / 5
    assert value(judge, "Unjudged@5", ranked, []) == 3 / 5


def test_unj_is_asked_for_at_three_cutoffs() -> None:
    assert [str(each) for each in parse_measures("unj")] == ["Unjudged@5", "Unjudged@10", "Unjudged@20"]
    assert parse_measure("unj.7").trec_eval == "unj_7"


def test_on_condensed_lists_documents_below_unjudged_ones_move_up(judge: MakeJudged) -> None:
    # What is left is 1 0 1 0 1 0.
    expected = {
        "AP(judged_only=true)": (1 / 1 + 2 / 3 + 3 / 5) / 4,
        "P(judged_only=true)@5": 3 / 5,
        "nDCG(judged_only=true)@5": (1 / log2(2) + 1 / log2(4) + 1 / log2(6))
        / (1 / log2(2) + 1 / log2(3) + 1 / log2(4) + 1 / log2(5)),
    }
    found = {name: value(judge, name, RANKED, OTHERS) for name in expected}
    assert found == expected
    assert [round(each, 4) for each in found.values()] == [0.5667, 0.6, 0.7366]
