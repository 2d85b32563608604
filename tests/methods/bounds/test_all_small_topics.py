"""Each two rankings of up to four documents in every state of judging, all ways to go on by grades from -1 to 1."""

from __future__ import annotations

from itertools import combinations_with_replacement, permutations

import numpy as np
import pytest

from tests.methods.bounds.conftest import completions, topic_of
from workbench.core.ranking import POOLED
from workbench.methods.bounds.registry import differences
from workbench.methods.measures import parse_measure
from workbench.methods.measures.registry import bind

RANKINGS = [order for length in range(5) for order in permutations(range(4), length)]
STATES = list(combinations_with_replacement((POOLED, -1, 0, 1), 4))
"""Which document has which label does not matter, since all rankings are there."""

NAMES = """
RBP(p=0.5,gains={0:0.6,1:1}) RBP(p=0.5,gains={0:1,1:0.25}) DCG(gains={0:0.6,1:1})@3 CG(gains={0:2,1:0.5})@2
CG(gains={0:-1,1:1}) nDCG(gains={0:0.5,1:1}) nDCG(gains={0:3,1:1})@2 nDCG@3 P(rel=0)@2 R(rel=0)@2 RR(rel=0) RR
""".split()


@pytest.mark.parametrize("name", NAMES)
def test_no_way_to_go_on_passes_a_bound_and_some_way_reaches_it(name: str) -> None:
    measure, grades = parse_measure(name), (-1, 0, 1)
    kind = differences(measure, top_grade=1, least_grade=-1)
    assert kind.exact
    for labels in STATES:
        topic = topic_of(RANKINGS, labels)
        values = np.array([measure(each.judged) for each in completions(topic, grades)])
        reached = (values[:, :, None] - values[:, None, :]).max(axis=0)
        assert np.abs(reached - kind.highest(topic)).max() <= 1e-12
        if not measure.measure.has_bounds:
            continue
        possible = {"top_grade": 1, "least_grade": -1} if "gains" in measure.parameters else {}
        for side, extremes in (("lower", values.min(axis=0)), ("upper", values.max(axis=0))):
            bound = bind(measure.measure, {**dict(measure.values), **possible, "bound": side})
            assert np.abs(bound(topic.judged) - extremes).max() <= 1e-12
