"""Our measures and those of pytrec_eval-terrier and ir-measures: the same to the last bit, or known to differ.

Every measure that these libraries have is compared on random rankings, or is known to differ, with a case that
shows it: docs/audits/differences_of_peers.md. For ranx, cwl_eval and pyndeval see test_peers_slow.py.
"""

from __future__ import annotations

import math
import re
import shutil
import subprocess
from pathlib import Path

import ir_measures
import numpy as np
import pytest
import pytrec_eval
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.at_length import at_length
from tests.methods.measures.comparing import Case, Ours, cases, nested, ours
from tests.sentences import refused
from workbench import evaluate
from workbench.core.errors import UnknownName
from workbench.methods.measures import mean_over_topics, parse_measure, parse_measures

# From Python 3.12 on.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:ir_measures.*")

CUTOFFS = (1, 2, 3, 5, 10, 1000)
LEVELS = ",".join(f"{tenth / 10:.2f}" for tenth in range(11))
PARAMETERS = {family: ",".join(map(str, CUTOFFS)) for family in ("P", "recall", "ndcg_cut", "map_cut")} | {
    "relative_P": "1,3,10",
    "success": "1,2,10",
    "iprec_at_recall": f"{LEVELS},0.05,0.35,0.65",
    "Rprec_mult": "0.01,0.02,0.20,0.30,0.35,1.00,1.70,2.00,5.00",
}

# What pytrec_eval has and gives as something else for a topic.
MEANINGLESS = {"runid", "relstring"}
LOGARITHMS = {"gm_map", "gm_bpref"}


def of_pytrec_eval(case: Case, names: set[str], rel: int = 1, **flags: bool) -> dict[str, dict[str, float]]:
    evaluator = pytrec_eval.RelevanceEvaluator(nested(case.qrels), names, rel, **flags)
    return evaluator.evaluate(nested(case.run))


def of_ir_measures(case: Case, *names: str) -> dict[tuple[str, str], float]:
    """Values by measure and topic, for the topics of the qrels."""
    measures = [ir_measures.parse_measure(name) for name in names]
    qrels = [ir_measures.Qrel(*line) for line in case.qrels]
    run = [ir_measures.ScoredDoc(*line) for line in case.run]
    return {
        (str(each.measure), each.query_id): each.value for each in ir_measures.iter_calc(measures, qrels, run)
    }


def ours_by_name(case: Case, *names: str) -> dict[tuple[str, str], float]:
    values = Ours(case)
    return {(name, topic): value for name in names for topic, value in values(name).items()}


def test_the_page_of_differences_names_tests_that_exist() -> None:
    here = Path(__file__)
    page = (here.parents[3] / "docs" / "audits" / "differences_of_peers.md").read_text(encoding="utf-8")
    named = re.findall(r"`(test_\w+)`( °)?", page)
    files = {"": here, " °": here.with_name("test_peers_slow.py")}
    texts = {mark: file.read_text(encoding="utf-8") for mark, file in files.items()}
    assert len(named) > 30
    assert [name for name, mark in named if f"def {name}(" not in texts[mark]] == []


# --- pytrec_eval-terrier ---


@settings(max_examples=at_length(160, 14))
@given(case=cases(), rel=st.sampled_from([1, 2, 3]))
def test_all_measures_of_pytrec_eval_are_ours_to_the_last_bit(case: Case, rel: int) -> None:
    asked = {
        f"{name}.{PARAMETERS[name]}" if name in PARAMETERS else name
        for name in pytrec_eval.supported_measures
    }
    theirs, values_of = of_pytrec_eval(case.sound, asked, rel), Ours(case.sound)
    assume(theirs)
    names = {name for values in theirs.values() for name in values} - MEANINGLESS - LOGARITHMS
    assert len(names) > len(asked - MEANINGLESS - LOGARITHMS)
    for name in sorted(names):
        values = values_of(name, rel, rounding="up")
        assert (name, {topic: values[topic] for topic in theirs}) == (
            name,
            {topic: theirs[topic][name] for topic in theirs},
        )


@pytest.mark.parametrize("name", ["set_F.2", "set_F.0.25"])
@given(case=cases())
def test_the_number_after_set_f_is_what_it_is_to_pytrec_eval(name: str, case: Case) -> None:
    values_of, theirs = ours(case.sound, name), of_pytrec_eval(case.sound, {name})
    assume(theirs)
    assert {topic: list(values.values()) for topic, values in theirs.items()} == {
        topic: [values_of[topic]] for topic in theirs
    }


@settings(max_examples=at_length(160, 14))
@given(case=cases())
def test_lists_without_unjudged_documents_are_those_of_pytrec_eval(case: Case) -> None:
    names = set("map ndcg P.1,5 recall.5 Rprec recip_rank set_P set_map 11pt_avg success.1".split())
    values_of = Ours(case.sound)
    theirs = of_pytrec_eval(case.sound, names, judged_docs_only_flag=True)
    assume(theirs)
    for topic, values in theirs.items():
        assert len(values) == 11
        for name, value in values.items():
            measure = judged_only(str(parse_measure(name)))
            # Where nothing judged was retrieved, the reference divides 0 by 0 at recall 0.
            expected = 0.0 if math.isnan(value) else value
            assert (name, values_of(measure, rounding="up")[topic]) == (name, expected)


@given(case=cases())
def test_geometric_means_are_handed_out_as_logarithms_by_pytrec_eval(case: Case) -> None:
    values_of, theirs = Ours(case.sound), of_pytrec_eval(case.sound, LOGARITHMS)
    assume(theirs)
    for topic, values in theirs.items():
        for name, plain in (("gm_map", "map"), ("gm_bpref", "bpref")):
            value = values_of(plain)[topic]
            assert (values_of(name)[topic], math.log(max(value, 1e-5))) == (value, values[name])


def test_pytrec_eval_keeps_scores_in_32_bits() -> None:
    case = Case([("1", "a", 1.00000001), ("1", "b", 1.0)], [("1", "a", 1)])
    assert of_pytrec_eval(case, {"recip_rank"})["1"]["recip_rank"] == 1 / 2
    assert ours(case, "RR")["1"] == 1.0


def test_pytrec_eval_cuts_recall_levels_as_version_9_did() -> None:
    # 4 relevant: recall 0.3 is reached with trunc(0.3 * 4 + 0.9) = 2 of them in version 9, round(1.2) = 1 in 10.
    case = ranked("axbyc", relevant="abcd")
    assert of_pytrec_eval(case, {"iprec_at_recall.0.30"})["1"]["iprec_at_recall_0.30"] == 2 / 3
    assert ours(case, "iprec_at_recall.0.30")["1"] == 1.0


def test_pytrec_eval_does_not_add_topics_up_from_left_to_right() -> None:
    # 0.1 ten times: 0.1 + 0.1 ... ends below 1, as in trec_eval; numpy adds in pairs.
    assert pytrec_eval.compute_aggregated_measure("P_10", [0.1] * 10) == 1.0 / 10
    assert mean_over_topics(np.full((10, 1), 0.1)).tolist() == [0.9999999999999999 / 10]


# --- ir-measures ---

EQUAL = (
    "AP AP@3 AP(rel=2) P@1 P@5 P(rel=2)@3 RR RR(rel=2) Rprec Rprec(rel=2) R@1 R@5 R(rel=2)@5 nDCG nDCG@3 nDCG@10 "
    "Bpref Bpref(rel=2) infAP infAP(rel=3) SetP SetP(rel=2) SetR SetR(rel=2) SetF SetF(rel=2) SetAP SetAP(rel=2) "
    "SetRelP Success@1 Success@5 Success(rel=2)@2 NumRet NumRet(rel=1) NumRet(rel=2) NumRelRet NumRelRet(rel=2) NumRel "
    "P(judged_only=True)@5 AP(judged_only=True) AP(judged_only=True)@5 RR(judged_only=True) nDCG(judged_only=True) "
    "Rprec(judged_only=True) R(judged_only=True)@5 Success(judged_only=True)@1 SetP(judged_only=True)"
).split()

WITH_CASES = {"Accuracy", "Compat", "ERR", "IPrec", "Judged", "NumQ"}
WITH_SLOW_CASES = {
    "RBP", "INST", "INSQ", "alpha_DCG", "alpha_nDCG", "ERR_IA", "nERR_IA", "NRBP", "nNRBP", "P_IA", "AP_IA", "StRecall",
}  # fmt: skip
NOT_OFFERED = {"BPM", "SDCG", "NERR8", "NERR9", "NERR10", "NERR11"}


@settings(max_examples=at_length(160, 14))
@given(case=cases())
def test_the_measures_of_ir_measures_have_the_same_names_and_values_here(case: Case) -> None:
    values_of = Ours(case.sound.common)
    # Not in one call: measures of judged documents alone change others.
    theirs = of_ir_measures(case.sound.common, *(name for name in EQUAL if "judged" not in name))
    theirs |= of_ir_measures(case.sound.common, *(name for name in EQUAL if "judged" in name))
    for name in EQUAL:
        values = values_of(name.replace("True", "true"))
        found = str(ir_measures.parse_measure(name))
        assert (name, values) == (name, {topic: theirs[found, topic] for topic in values})


@settings(max_examples=at_length(80, 8))
@given(
    case=cases(grades=st.sampled_from([0, 0, 1, 2, 3])),
    gains=st.sampled_from(["1:10,2:1", "0:1,1:2,2:5,3:9"]),
)
def test_whole_numbers_as_gains_mean_the_same_to_ir_measures(case: Case, gains: str) -> None:
    for name in (f"nDCG(gains={{{gains}}})", f"nDCG(gains={{{gains}}})@5"):
        theirs = of_ir_measures(case.common, name)
        found = str(ir_measures.parse_measure(name))
        assert {(found, topic): value for topic, value in ours(case.common, name).items()} == theirs


@given(case=cases())
def test_without_ties_reciprocal_ranks_with_a_cutoff_equal_those_of_ir_measures(case: Case) -> None:
    names = ("RR@1", "RR@3", "RR(rel=2)@3")
    theirs = of_ir_measures(case.untied.common, *names)
    assert theirs == ours_by_name(case.untied.common, *names)


@given(case=cases())
def test_without_ties_the_judged_share_equals_that_of_ir_measures(case: Case) -> None:
    names = ("Judged", "Judged@1", "Judged@5")
    assert of_ir_measures(case.untied.common, *names) == ours_by_name(case.untied.common, *names)


def test_ir_measures_orders_ties_by_measure() -> None:
    # Of two equal scores RR takes b first, as trec_eval does; RR@2 and Judged@1 take a first.
    case = Case([("1", "a", 1.0), ("1", "b", 1.0)], [("1", "a", 1)])
    names = ("RR", "RR@2", "Judged@1")
    assert of_ir_measures(case, *names) == {("RR", "1"): 1 / 2, ("RR@2", "1"): 1.0, ("Judged@1", "1"): 1.0}
    assert ours_by_name(case, *names) == {("RR", "1"): 1 / 2, ("RR@2", "1"): 1 / 2, ("Judged@1", "1"): 0.0}


def test_ir_measures_cuts_recall_levels_as_version_9_did() -> None:
    case = ranked("axbyc", relevant="abcd")
    assert of_ir_measures(case, "IPrec@0.3") == {("IPrec@0.3", "1"): 2 / 3}
    assert ours(case, "IPrec@0.3")["1"] == 1.0
    assert ours(case, "IPrec@0.3", rounding="up")["1"] == 2 / 3


def test_what_ir_measures_calls_beta_is_its_square() -> None:
    # P = 1/3, R = 1/2. F = (1 + b^2) P R / (b^2 P + R), with 2 for b^2 and for b.
    case = ranked("axy", relevant="ab")
    assert of_ir_measures(case, "SetF(beta=2.0)")["SetF(beta=2.0)", "1"] == pytest.approx(
        (3 / 6) / (2 / 3 + 1 / 2)
    )
    assert ours(case, "SetF(beta=2)")["1"] == pytest.approx((5 / 6) / (4 / 3 + 1 / 2))
    assert ours(case, "SetF(beta_squared=2)")["1"] == pytest.approx((3 / 6) / (2 / 3 + 1 / 2))


def test_ir_measures_does_not_count_judged_topics_that_the_run_lacks() -> None:
    case = Case([("1", "a", 1.0)], [("1", "a", 1), ("2", "a", 1)])
    theirs = of_ir_measures(case, "NumQ", "NumRel", "AP")
    # Yet AP is averaged over both.
    assert theirs == {
        ("NumQ", "1"): 1, ("NumRel", "1"): 1, ("AP", "1"): 1.0,
        ("NumQ", "2"): 0, ("NumRel", "2"): 0, ("AP", "2"): 0.0,
    }  # fmt: skip
    evaluation = evaluate(nested(case.qrels), nested(case.run), ["NumQ", "NumRel", "AP"])
    assert evaluation.mean["run"] == {"NumQ": 2, "NumRel": 2, "AP": 0.5}


def test_ir_measures_mixes_plain_gains_with_given_ones() -> None:
    case = Case(
        [("1", "a", 3.0), ("1", "c", 2.0), ("1", "b", 1.0)], [("1", "a", 1), ("1", "b", 2), ("1", "c", 0)]
    )
    plain, given = "nDCG@3", "nDCG(gains={1:10,2:1})@3"
    # With gains 1 and 2: (1 + 2 / 2) / (2 + 1 / log2(3)); with 10 and 1: (10 + 1 / 2) / (10 + 1 / log2(3)).
    of_plain = (1 + 2 / 2) / (2 + 1 / math.log2(3))
    of_given = (10 + 1 / 2) / (10 + 1 / math.log2(3))
    measures = [ir_measures.parse_measure(given), ir_measures.parse_measure(plain)]
    qrels = [ir_measures.Qrel(*line) for line in case.qrels]
    evaluator = ir_measures.pytrec_eval.evaluator(measures, qrels)
    theirs = {
        str(each.measure): each.value
        for each in evaluator.iter_calc([ir_measures.ScoredDoc(*line) for line in case.run])
    }
    assert theirs == {given: 0.0, plain: pytest.approx(of_given)}
    assert ours(case, plain)["1"] == pytest.approx(of_plain)
    assert ours(case, given)["1"] == pytest.approx(of_given)


def test_ir_measures_counts_judged_documents_alone_once_another_measure_does() -> None:
    measures = [ir_measures.parse_measure("P(judged_only=True)@5"), ir_measures.NumRet]
    evaluator = ir_measures.pytrec_eval.evaluator(measures, [ir_measures.Qrel("1", "a", 1)])
    run = [ir_measures.ScoredDoc("1", "a", 2.0), ir_measures.ScoredDoc("1", "x", 1.0)]
    theirs = {str(each.measure): each.value for each in evaluator.iter_calc(run)}
    assert theirs == {"P(judged_only=True)@5": 1 / 5, "NumRet": 1}
    assert ours(ranked("ax", relevant="a"), "NumRet")["1"] == 2


def test_accuracy_of_ir_measures_is_another_measure() -> None:
    # Theirs: of the pairs of a relevant and another document retrieved, how many stand right: a before c, not b.
    case = ranked("bac", relevant="a")
    assert of_ir_measures(case, "Accuracy") == {("Accuracy", "1"): 1 / 2}
    # Ours: of 10 documents, a retrieved and 7 left out are rightly so.
    assert ours(case, "Accuracy(collection=10)")["1"] == 8 / 10


def test_rbp_of_ir_measures_must_be_told_what_is_relevant() -> None:
    case = ranked("a", relevant="a")
    with pytest.raises(ValueError, match="Unsupported"):
        of_ir_measures(case, "RBP")
    assert ours(case, "RBP")["1"] == pytest.approx(0.2)


@pytest.mark.parametrize("name", sorted(NOT_OFFERED))
def test_what_is_not_offered_is_said_to_be_unknown(name: str) -> None:
    with refused(UnknownName):
        parse_measure(name)


def test_every_measure_of_ir_measures_is_compared_or_known_to_differ() -> None:
    compared = {ir_measures.parse_measure(name).NAME for name in EQUAL}
    names = {each.NAME for each in ir_measures.measures.registry.values()}
    assert names - compared == WITH_CASES | WITH_SLOW_CASES | NOT_OFFERED


@pytest.mark.parametrize("name", sorted(set(ir_measures.measures.registry) - NOT_OFFERED))
def test_every_name_of_ir_measures_is_understood(name: str) -> None:
    # Some lack a parameter, or have a default for it there.
    try:
        parse_measures(name)
    except UnknownName as reason:
        assert "there is no measure" not in str(reason)


# --- gdeval, which ir-measures calls for ERR and for exponential gains ---

needs_perl = pytest.mark.skipif(shutil.which("perl") is None, reason="gdeval is written in Perl")


@needs_perl
@pytest.mark.parametrize("seed", range(3))
def test_err_and_exponential_gains_equal_gdeval_to_its_five_digits(seed: int) -> None:
    # Its topics are numbers, its highest grade is 4; many scores are equal.
    random = np.random.default_rng(seed)
    pairs = [(str(topic), f"d{number}") for topic in range(1, 30) for number in range(40)]
    run = [(*pair, float(random.integers(8))) for pair in pairs if random.random() < 0.6]
    qrels = [(*pair, int(random.integers(-1, 5))) for pair in pairs if random.random() < 0.5]
    for cutoff in (1, 5, 20):
        theirs = of_ir_measures(Case(run, qrels), f"ERR@{cutoff}", f"nDCG(dcg='exp-log2')@{cutoff}")
        err, ndcg = (
            ours(Case(run, qrels), f"ERR(max_grade=4)@{cutoff}"),
            ours(Case(run, qrels), f"nDCG(gains=exp)@{cutoff}"),
        )
        assert len(err) == len(ndcg) == 29
        for topic in err:
            assert err[topic] == pytest.approx(theirs[f"ERR@{cutoff}", topic], abs=0.51e-5)
            assert ndcg[topic] == pytest.approx(theirs[f"nDCG(dcg='exp-log2')@{cutoff}", topic], abs=0.51e-5)


@needs_perl
def test_gdeval_rounds_and_takes_4_for_the_highest_grade() -> None:
    case = Case([("1", "a", 1.0)], [("1", "a", 3)])
    assert of_ir_measures(case, "ERR@1") == {("ERR@1", "1"): 0.4375}
    assert ours(case, "ERR(max_grade=3)@1")["1"] == 7 / 8
    third = ranked("xa", relevant="a")
    assert of_ir_measures(third, "nDCG(dcg='exp-log2')@2").popitem()[1] == 0.63093
    assert ours(third, "nDCG(gains=exp)@2")["1"] == 1 / math.log2(3)


@needs_perl
def test_gdeval_takes_neither_topics_that_are_words_nor_grades_above_4() -> None:
    for case in (Case([("q", "a", 1.0)], [("q", "a", 1)]), Case([("1", "a", 1.0)], [("1", "a", 5)])):
        with pytest.raises(subprocess.CalledProcessError):
            of_ir_measures(case, "ERR@1")
        assert ours(case, "ERR(max_grade=5)@1").popitem()[1] > 0


@needs_perl
def test_gdeval_cuts_topics_off_at_the_last_hyphen() -> None:
    case = Case([("a-1", "d", 1.0)], [("a-1", "d", 1)])
    assert of_ir_measures(case, "ERR@1") == {("ERR@1", "1"): 0.0625, ("ERR@1", "a-1"): 0.0}
    assert ours(case, "ERR(max_grade=4)@1") == {"a-1": 1 / 16}


def ranked(documents: str, relevant: str) -> Case:
    """Topic 1 with documents of one letter in this order, and its relevant documents."""
    run = [("1", document, float(-rank)) for rank, document in enumerate(documents)]
    return Case(run, [("1", document, 1) for document in relevant])


def judged_only(name: str) -> str:
    """The measure's name with the modifier that takes unjudged documents out."""
    head, at, cutoff = name.partition("@")
    inside = "judged_only=true"
    return f"{head[:-1]},{inside}){at}{cutoff}" if head.endswith(")") else f"{head}({inside}){at}{cutoff}"


@pytest.mark.parametrize("p", [0.5, 0.95])
def test_compatibility_is_that_of_ir_measures_where_the_ranking_is_long(p: float) -> None:
    grades = [2, 0, 3, 1, 2, 2, -1, 1]
    missed = [1, 3]
    qrels = {"1": {f"d{place}": grade for place, grade in enumerate([*grades, *missed])}}
    depth = 800  # their sums end with the ranking
    run = {
        "1": {
            (f"d{place}" if place < len(grades) else f"x{place}"): float(depth - place)
            for place in range(depth)
        }
    }
    (theirs,) = ir_measures.iter_calc([ir_measures.Compat(p=p)], qrels, run)
    found = evaluate(qrels, run, [f"Compat(p={p})"])
    assert list(found.mean["run"].values()) == pytest.approx([theirs.value], abs=1e-12)
