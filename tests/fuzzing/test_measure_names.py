"""Names of measures as nobody should write them: they are understood and can be computed, or are refused in words."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
from hypothesis import strategies as st

from tests.fuzzing.mutations import mutated
from tests.fuzzing.running import NUMBERS, feed, few_or_many
from workbench.core.errors import WorkbenchError
from workbench.library import evaluate
from workbench.methods.measures import MEASURES, parse_measure, parse_named
from workbench.methods.measures.reference_names import NICKNAMES

QRELS = {"1": {"d1": 1, "d2": 0, "d3": 2}, "2": {"d1": 0, "d9": 1}}
RUN = {"1": {"d1": 3.0, "d2": 2.0, "d4": 1.0}, "2": {"d5": 1.0}}

GOOD = [
    *("nDCG@10", "AP(rel=2)", "P(rel=2)@5", "RBP(p=0.8)", "ERR@20", "AP(mean=geometric)", "P_10", "official"),
    *("nDCG(dcg='exp-log2')@10", "alpha_nDCG@20", "Bpref", "R(cutoff=10)", "INST(T=1.5)", "infAP", "F(beta=0.5)"),
    *("ndcg_cut.10", "P.5,10", "map", "iprec_at_recall.0.1,.5", "ndcg.1=3.5,2=9.0", "utility.1,-1,0,0"),
    *("rbp_resid.0.9", "set_F.0.5", "Rprec_mult.0.2", "ndcg_cut_10", "all_trec", "nDCG(gains={0:0,1:1,2:3})@5"),
]  # fmt: skip
NAMES = [*MEASURES, *(name.family for entry in MEASURES.values() for name in entry.trec_eval), *NICKNAMES]
PARAMETERS = sorted({parameter.name for entry in MEASURES.values() for parameter in entry.parameters})
VALUES = [
    *("1", "0", "-1", "0.5", "1.0", "1e3", "1e400", "-1e-400", "nan", "inf", "-inf", "9" * 25, "9" * 5000, "٣", ""),
    *("geometric", "linear", "exp", "true", "False", "{0:0,1:1}", "{", "}", "{1:}", "{1:1,1:2}", "'", '"', "=", "@"),
    *("2147483648", "100000000", "0x1", "+5", " 7 ", "½", "None", "1,2", "\x00", "\ud800", "\U0001f600"),
]  # fmt: skip
WORDS = [word.encode("utf-8", "surrogatepass") for word in [*NAMES, *PARAMETERS, *VALUES, *"@.,_()= "]]

written = st.builds(
    lambda name, inside, after: f"{name}{inside}{after}",
    st.sampled_from(NAMES),
    st.lists(st.tuples(st.sampled_from(PARAMETERS), st.sampled_from(VALUES)).map("=".join), max_size=3).map(
        lambda parts: f"({','.join(parts)})" if parts else ""
    ),
    st.sampled_from(["", *(f"{mark}{value}" for mark in "@._" for value in VALUES)]),
)
broken = mutated([name.encode() for name in GOOD], words=WORDS).map(
    lambda data: data.decode("utf-8", "surrogateescape")
)
names = written | broken | st.text(max_size=12)


def understood_or_refused(name: str) -> None:
    try:
        found = parse_named(name)
    except WorkbenchError as error:
        assert str(error)
        return
    for each in found:
        assert parse_measure(str(each.measure)) == each.measure


def computed_or_refused(name: str) -> None:
    try:
        scores = evaluate(QRELS, RUN, [name])
    except WorkbenchError as error:
        assert str(error)
        return
    assert all(
        not math.isinf(value) or value < 0
        for value in scores.mean["run"].values()
        if isinstance(value, float)
    )


@few_or_many
@pytest.mark.parametrize(
    ("check", "number"), [(understood_or_refused, "measure"), (computed_or_refused, "score")]
)
def test_a_measure_is_understood_and_computed_or_refused_with_a_reason(
    check: Callable[[str], None], number: str, many: bool
) -> None:
    feed(names, check, NUMBERS[number].some(many))
