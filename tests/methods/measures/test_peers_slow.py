"""Our measures and those of ranx, cwl_eval and pyndeval, which `make test-slow` installs: equal, or known to differ.

ranx would compile itself for a minute and is interpreted here, in a process of its own: the same source gives the same
values. Only how it sorts differs then, which is asked of a process that compiles.
docs/audits/differences_of_peers.md lists the known differences one by one.
"""

from __future__ import annotations

import importlib
import importlib.util
import math
import os
import subprocess
import sys
import warnings
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context
from types import ModuleType
from typing import Any

import ir_measures
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.at_length import at_length
from tests.conftest import skip_or_fail
from tests.methods.measures.comparing import Case, Ours, cases, nested, ours, words
from tests.methods.measures.subtopic_rows import one_row
from workbench.methods.measures import parse_measure

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::DeprecationWarning:ir_measures.*"),  # from Python 3.12 on
]

# Sums in another order, and numpy's log2.
CLOSE = {"rel": 1e-12, "abs": 1e-12}

Lines = dict[str, dict[str, Any]]
"""Scores or grades by topic, then by document."""

three_letters = words.filter(lambda word: len(word) == 3)
no_negatives = st.sampled_from([0, 0, 1, 2, 3])


def installed(name: str) -> ModuleType:
    """The library; on a developer's machine without it the test is skipped."""
    if os.environ.get("CI") == "true":
        return importlib.import_module(name)
    module: ModuleType = pytest.importorskip(name, reason="make test-slow installs it")
    return module


# --- ranx ---

OF_RANX = {
    "hits": "NumRelRet", "hit_rate@1": "Success@1", "hit_rate@5": "Success@5", "precision": "SetP",
    "precision@1": "P@1", "precision@30": "P@30", "precision@3-l2": "P(rel=2)@3", "recall": "SetR",
    "recall@5": "R@5", "recall@5-l3": "R(rel=3)@5", "f1": "SetF", "r-precision": "Rprec",
    "r-precision-l2": "Rprec(rel=2)", "mrr": "RR", "mrr@3": "RR@3", "mrr-l2": "RR(rel=2)", "map": "AP",
    "map@3": "AP@3", "map-l2": "AP(rel=2)", "dcg": "DCG", "dcg@3": "DCG@3", "dcg_burges": "DCG(gains=exp)",
    "ndcg": "nDCG", "ndcg@1": "nDCG@1", "ndcg@5": "nDCG@5", "ndcg_burges": "nDCG(gains=exp)",
    "ndcg_burges@5": "nDCG(gains=exp)@5",
}  # fmt: skip


def interpret() -> None:
    """What begins the other process: numba decides when it is imported whether it compiles."""
    os.environ["NUMBA_DISABLE_JIT"] = "1"
    warnings.simplefilter("ignore")  # compiled, ranx divides by 0 in silence


def evaluated(run: Lines, qrels: Lines, names: list[str]) -> dict[str, dict[str, float]]:
    ranx = importlib.import_module("ranx")
    scored = ranx.Run(run)
    ranx.evaluate(ranx.Qrels(qrels), scored, names)
    return {name: dict(values) for name, values in scored.scores.items()}


@cache
def other_process() -> ProcessPoolExecutor:
    return ProcessPoolExecutor(1, get_context("spawn"), interpret)


@pytest.fixture(scope="module", autouse=True)
def _ended() -> Iterator[None]:
    yield
    if other_process.cache_info().currsize:
        other_process().shutdown()
        other_process.cache_clear()


def needs_ranx() -> None:
    if importlib.util.find_spec("ranx") is None:
        skip_or_fail("ranx is not installed: make test-slow")


def of_ranx(case: Case, *names: str) -> dict[str, dict[str, float]]:
    """Values by measure, then by topic."""
    needs_ranx()
    return other_process().submit(evaluated, nested(case.run), nested(case.qrels), list(names)).result()


@settings(max_examples=30)
@given(case=cases(ids=three_letters))
def test_without_ties_the_measures_of_ranx_are_ours(case: Case) -> None:
    untied = case.untied.common
    assume(untied.run)
    theirs, values_of = of_ranx(untied, *OF_RANX), Ours(untied)
    for name, measure in OF_RANX.items():
        assert (name, theirs[name]) == (name, pytest.approx(values_of(measure), **CLOSE))


@settings(max_examples=30)
@given(case=cases(ids=three_letters, grades=st.sampled_from([0, 1])), p=st.sampled_from([0.5, 0.8, 0.95]))
def test_rbp_of_ranx_is_ours_where_grades_are_0_and_1(case: Case, p: float) -> None:
    untied = case.untied.common
    assume(untied.run)
    theirs = of_ranx(untied, f"rbp.{p:.2f}".replace("0.", ""))
    assert list(theirs.values()) == [pytest.approx(ours(untied, f"RBP(p={p})"), **CLOSE)]


@settings(max_examples=30)
@given(case=cases(ids=three_letters, grades=no_negatives))
def test_bpref_of_ranx_is_ours_where_a_document_was_judged_relevant_and_one_not(case: Case) -> None:
    untied = case.untied.common
    grades = {topic: set(documents.values()) for topic, documents in nested(untied.qrels).items()}
    topics = [topic for topic, given in grades.items() if min(given) == 0 < max(given)]
    assume(topics)
    # Each topic alone: where one has no relevant document, others that ranx computes with it get 0.
    for topic in topics:
        one = untied.of(topic)
        assert of_ranx(one, "bpref")["bpref"] == {topic: pytest.approx(ours(one, "Bpref")[topic], **CLOSE)}


def in_ranks(*documents: str, **grades: int) -> Case:
    run = [("001", document, float(-rank)) for rank, document in enumerate(documents)]
    return Case(run, [("001", document, grade) for document, grade in grades.items()])


ORDER_OF_TIES = """
import numpy
from ranx.data_structures.common import typed_list_argosrt
for number in (15, 40):
    print(*typed_list_argosrt(-numpy.ones(number)))
"""
"""What ranx sorts the documents of a topic by, compiled without the rest of it."""


def test_ranx_leaves_ties_as_they_come_or_mixes_them() -> None:
    # Up to 15 documents equal scores stay in their order, of 40 none knows which comes first.
    needs_ranx()
    words = [sys.executable, "-W", "ignore", "-c", ORDER_OF_TIES]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    few, many = (list(map(int, line.split())) for line in done.stdout.splitlines())
    assert few == list(range(15))
    assert sorted(many) == list(range(40))
    assert many not in (sorted(many), sorted(many)[::-1])
    case = Case([("001", "d_1", 1.0), ("001", "d_2", 1.0)], [("001", "d_1", 1)])
    assert of_ranx(case, "mrr")["mrr"]["001"] == 1.0
    assert ours(case, "RR")["001"] == 1 / 2


def test_bpref_of_ranx_is_no_number_without_a_judged_non_relevant_document() -> None:
    case = in_ranks("d_1", d_1=1)
    assert math.isnan(of_ranx(case, "bpref")["bpref"]["001"])
    assert ours(case, "Bpref")["001"] == 1.0


def test_bpref_of_ranx_takes_negative_grades_for_non_relevant() -> None:
    case = in_ranks("d_1", "d_2", d_1=-1, d_2=1)
    assert of_ranx(case, "bpref")["bpref"]["001"] == 0.0
    assert ours(case, "Bpref")["001"] == 1.0


def test_rbp_of_ranx_may_be_above_1() -> None:
    # (1 - 0.5) (3 + 3 * 0.5)
    case = in_ranks("d_1", "d_2", d_1=3, d_2=3)
    assert of_ranx(case, "rbp.5")["rbp.5"]["001"] == 2.25
    assert ours(case, "RBP(p=0.5)")["001"] == 0.5 * (1 + 0.5)


def test_a_relevance_level_takes_gains_away_in_ranx() -> None:
    # With level 2 the document of grade 1 is worth nothing: 2 / log2(3) of 2.
    case = in_ranks("d_1", "d_2", d_1=1, d_2=2)
    assert of_ranx(case, "ndcg-l2")["ndcg-l2"]["001"] == pytest.approx(1 / math.log2(3))
    assert ours(case, "nDCG", rel=2)["001"] == pytest.approx((1 + 2 / math.log2(3)) / (2 + 1 / math.log2(3)))


def test_f1_of_ranx_with_a_cutoff_divides_by_it_what_was_never_retrieved() -> None:
    # 1 of 1 retrieved, R = 1, k = 3: P@3 = 1/3, R@3 = 1. There is no such measure here; SetF is 1.
    case = in_ranks("d_1", d_1=1)
    assert of_ranx(case, "f1@3")["f1@3"]["001"] == pytest.approx(2 * (1 / 3) / (1 / 3 + 1))
    assert ours(case, "SetF")["001"] == 1.0


def test_ranx_refuses_topics_that_only_one_side_has() -> None:
    case = Case([("001", "d_1", 1.0), ("002", "d_1", 1.0)], [("001", "d_1", 1)])
    with pytest.raises(AssertionError):
        of_ranx(case, "mrr")
    assert ours(case, "RR") == {"001": 1.0, "002": 0.0}


# --- cwl_eval, which ir-measures calls for RBP and user models ---


def of_cwl(case: Case, *names: str) -> dict[str, dict[str, float]]:
    """Values by measure, then by topic."""
    installed("cwl")
    measures = [ir_measures.parse_measure(name) for name in names]
    qrels = [ir_measures.Qrel(*line) for line in case.qrels]
    evaluator = ir_measures.cwl_eval.evaluator(measures, qrels)
    found: dict[str, dict[str, float]] = {}
    for each in evaluator.iter_calc([ir_measures.ScoredDoc(*line) for line in case.run]):
        found.setdefault(str(each.measure), {})[each.query_id] = float(each.value)
    return found


@settings(max_examples=30)
@given(case=cases())
def test_without_ties_rbp_and_precision_of_cwl_eval_are_ours(case: Case) -> None:
    untied = case.untied.common
    names = ("RBP(rel=1)", "RBP(rel=2)", "RBP(rel=1, p=0.95)", "P(rel=1)@5", "RR(rel=1)")
    for name in names:
        theirs = of_cwl(untied, name)
        assert list(theirs.values()) in ([], [pytest.approx(ours(untied, name.replace(" ", "")), **CLOSE)])


USER_MODELS = [
    ("INSQ(T={}, max_rel=1)", "INSQ(T={})", {1: 1.0, 2: 1.0}),
    ("INST(T={}, max_rel=1)", "INST(T={})", {1: 1.0, 2: 1.0}),
    ("INSQ(T={}, max_rel=2)", "INSQ(T={},gains={{1:0.5,2:1}})", {1: 0.5, 2: 1.0}),
    ("INST(T={}, max_rel=2)", "INST(T={},gains={{1:0.5,2:1}})", {1: 0.5, 2: 1.0}),
]


def share_of_1000_ranks(gains: list[float], wanted: float, hurries: bool) -> float:
    """How much of the weights of INST (or INSQ) stands on the first 1000 ranks; the others go on for ever."""
    weights, so_far = [1.0], 0.0
    for rank in range(1, 1000):
        so_far += gains[rank - 1] if hurries and rank <= len(gains) else 0.0
        reach = rank + 2 * wanted - so_far
        weights.append(weights[-1] * ((reach - 1) / reach) ** 2)
    # From here on nothing is found, and the weights are those of 1 / (rank + a)^2.
    beyond = 999 + 2 * wanted - so_far
    tail = weights[-1] * beyond**2 * float(importlib.import_module("scipy.special").polygamma(1, beyond + 1))
    return sum(weights) / (sum(weights) + tail)


@pytest.mark.parametrize(("theirs", "measure", "worth"), USER_MODELS)
@settings(max_examples=20)
@given(case=cases(grades=st.sampled_from([-1, 0, 1, 2])), wanted=st.sampled_from([1.0, 2.0, 3.5]))
def test_user_models_of_cwl_eval_are_ours_cut_at_1000_ranks(
    theirs: str, measure: str, worth: dict[int, float], case: Case, wanted: float
) -> None:
    untied = case.untied.common
    assume(untied.run)
    grades = nested(untied.qrels)
    values = of_cwl(untied, theirs.format(wanted)).popitem()[1]
    found = ours(untied, measure.format(wanted))
    assert set(found) == set(grades)
    for topic, value in found.items():
        gains = [
            worth.get(grades[topic].get(document, 0), 0.0) for of, document, _ in untied.run if of == topic
        ]
        share = share_of_1000_ranks(gains, wanted, "INST" in measure)
        assert value == pytest.approx(values[topic] * share, rel=1e-11)


def test_cwl_eval_orders_ties_as_they_come() -> None:
    case = Case([("1", "a", 1.0), ("1", "b", 1.0)], [("1", "a", 1)])
    other = Case(case.run[::-1], case.qrels)
    for given_case, value in ((case, 0.2), (other, 0.2 * 0.8)):
        assert of_cwl(given_case, "RBP(rel=1)")["RBP(rel=1)"]["1"] == pytest.approx(value)
        assert ours(given_case, "RBP(rel=1)")["1"] == pytest.approx(0.2 * 0.8)


def test_cwl_eval_looks_at_1000_ranks_and_scales_what_they_weigh_to_1() -> None:
    # Rank 2 with p = 0.999: 0.001 * 0.999 of a whole of 1 - 0.999^1000 = 0.632.
    case = Case([("1", "x", 2.0), ("1", "a", 1.0)], [("1", "a", 1)])
    theirs = of_cwl(case, "RBP(rel=1, p=0.999)").popitem()[1]["1"]
    assert theirs == pytest.approx(0.001 * 0.999 / (1 - 0.999**1000))
    assert ours(case, "RBP(p=0.999)")["1"] == pytest.approx(0.001 * 0.999)


def test_average_precision_of_cwl_eval_divides_by_what_was_retrieved() -> None:
    # Ranks 1 and 3 of 4 relevant: (1 + 2/3) / 2, and / 4.
    case = Case([("1", d, -float(rank)) for rank, d in enumerate("axb")], [("1", d, 1) for d in "abcd"])
    assert of_cwl(case, "AP(rel=1)").popitem()[1]["1"] == pytest.approx((1 + 2 / 3) / 2)
    assert ours(case, "AP")["1"] == pytest.approx((1 + 2 / 3) / 4)


# --- pyndeval, which ir-measures calls for diversity ---

OF_PYNDEVAL = {
    "alpha-DCG": "alpha_DCG(alpha={alpha},rel={rel})@{cutoff}",
    "alpha-nDCG": "alpha_nDCG(alpha={alpha},rel={rel})@{cutoff}",
    "ERR-IA": "ERR_IA(alpha={alpha},rel={rel})@{cutoff}",
    "nERR-IA": "nERR_IA(alpha={alpha},rel={rel})@{cutoff}", "P-IA": "P_IA(rel={rel})@{cutoff}",
    "strec": "StRecall(rel={rel})@{cutoff}", "NRBP": "NRBP(alpha={alpha},beta={beta},rel={rel})",
    "nNRBP": "nNRBP(alpha={alpha},beta={beta},rel={rel})", "MAP-IA": "AP_IA(rel={rel})",
}  # fmt: skip
Subtopics = dict[str, dict[str, int]]


def of_pyndeval(
    run: dict[str, float], judged: Subtopics, *names: str, **parameters: float
) -> dict[str, float]:
    qrels = [
        ("1", topic, document, grade)
        for document, grades in judged.items()
        for topic, grade in sorted(grades.items())
    ]
    lines = [("1", document, score) for document, score in run.items()]
    evaluator = installed("pyndeval").RelevanceEvaluator(qrels, list(names), **parameters)
    values: dict[str, float] = evaluator.evaluate(lines)["1"]
    return values


def our_diversity(ranking: list[str], judged: Subtopics, name: str) -> float:
    (value,) = parse_measure(name)(one_row(ranking, judged)).tolist()
    return float(value)


judged_subtopics = st.dictionaries(
    words, st.dictionaries(st.sampled_from("uvw"), st.integers(-1, 2), min_size=1), min_size=1
)


@settings(max_examples=at_length(2000, 100))
@given(
    data=st.data(),
    judged=judged_subtopics,
    cutoff=st.integers(2, 20),  # at rank 1 two measures differ, see below
    rel=st.integers(1, 2),
    alpha=st.sampled_from([0.0, 0.25, 0.5, 1.0]),
    beta=st.sampled_from([0.25, 0.5, 0.875]),
)
def test_without_ties_measures_of_diversity_are_those_of_pyndeval(
    data: st.DataObject, judged: Subtopics, cutoff: int, rel: int, alpha: float, beta: float
) -> None:
    ranking = data.draw(st.lists(st.sampled_from(sorted(judged)) | words, min_size=1, unique=True))
    run = {document: float(-rank) for rank, document in enumerate(ranking)}
    names = [f"{name}@{cutoff}" if "cutoff" in ours else name for name, ours in OF_PYNDEVAL.items()]
    theirs = of_pyndeval(run, judged, *names, relevance_level=rel, alpha=alpha, beta=beta)
    for name, measure in zip(names, OF_PYNDEVAL.values(), strict=True):
        # nNRBP of a topic without relevant documents is nan there.
        value = 0.0 if math.isnan(theirs[name]) and name == "nNRBP" else theirs[name]
        found = our_diversity(ranking, judged, measure.format(alpha=alpha, beta=beta, rel=rel, cutoff=cutoff))
        assert (name, found) == (name, pytest.approx(value, **CLOSE))


def test_pyndeval_takes_equal_scores_by_ascending_ids() -> None:
    judged = {"a": {"u": 1}, "b": {"u": 0}}
    assert of_pyndeval({"a": 1.0, "b": 1.0}, judged, "P-IA@1") == {"P-IA@1": 1.0}
    assert ours(Case([("1", "a", 1.0), ("1", "b", 1.0)], [("1", "a", 1)]), "P@1") == {"1": 0.0}


@pytest.mark.parametrize(("name", "measure"), [("alpha-DCG@1", "alpha_DCG@1"), ("ERR-IA@1", "ERR_IA@1")])
def test_pyndeval_does_not_divide_at_rank_1(name: str, measure: str) -> None:
    # One document that covers one of two subtopics: 1, and 1 of the 2 that there are.
    judged = {"a": {"u": 1}, "b": {"v": 1}}
    assert of_pyndeval({"a": 1.0}, judged, name) == {name: 1.0}
    assert our_diversity(["a"], judged, measure) == 0.5


def test_pyndeval_has_no_number_where_nothing_is_relevant_and_no_cutoff_above_20() -> None:
    judged: Any = {"a": {"u": 0}}
    assert math.isnan(of_pyndeval({"a": 1.0}, judged, "nNRBP")["nNRBP"])
    assert our_diversity(["a"], judged, "nNRBP") == 0.0
    with pytest.raises(AssertionError):
        of_pyndeval({"a": 1.0}, judged, "alpha-nDCG@21")
    assert our_diversity(["a"], judged, "alpha_nDCG@21") == 0.0
