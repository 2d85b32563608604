"""The engine as a provider of ir_measures: the values of trec_eval, by the names and in the calls of that library."""

from __future__ import annotations

import ir_measures
import pytest
from hypothesis import assume, given, settings
from ir_measures import AP, RR, NumQ, NumRet, P, SetF, alpha_nDCG, nDCG

from tests.at_length import at_length
from tests.methods.measures.comparing import Case, cases, nested
from workbench.ir_measures_provider import PROVIDER, WorkbenchProvider, our_measure, use

# From Python 3.12 on.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:ir_measures.*")

VERSION_9 = WorkbenchProvider("trec_eval-9")
"""That of pytrec_eval."""
REFERENCE = ir_measures.pytrec_eval
WRITTEN = ("", "(rel=2)", "@3", "@0.3", "(rel=2)@5", "(beta=2.0)", "(gains={1:10,2:1})@3")
"""What the measures are asked with, as far as they take it."""
SUBTOPICS = {"ERR_IA", "nERR_IA", "alpha_DCG", "alpha_nDCG", "NRBP", "nNRBP", "AP_IA", "P_IA", "StRecall"}
NOT_HERE = {"BPM", "SDCG", "NERR8", "NERR9", "NERR10", "NERR11"}


def written(name: str) -> list[ir_measures.Measure]:
    """The measure of the registry with all parameters of WRITTEN that it takes."""
    found = []
    for parameters in WRITTEN:
        measure = ir_measures.parse_measure(name + parameters)
        try:
            measure.validate_params()
        except AssertionError:
            continue
        found.append(measure)
    return found


ALL = {measure for name in ir_measures.measures.registry for measure in written(name)}
BOTH = sorted((each for each in ALL if REFERENCE.supports(each) and PROVIDER.supports(each)), key=str)


def test_all_measures_but_those_of_subtopics_and_a_few_are_provided() -> None:
    missing = {each.NAME for each in ALL if not PROVIDER.supports(each)}
    assert missing == SUBTOPICS | (NOT_HERE & {each.NAME for each in ALL}) | {"Accuracy"}
    assert {each for each in ALL if REFERENCE.supports(each)} == set(BOTH)
    assert len(BOTH) > 35


@settings(max_examples=at_length(100, 10))
@given(case=cases())
def test_the_values_are_those_of_trec_eval_to_the_last_bit(case: Case) -> None:
    case = case.sound.common
    assume(case.run and case.qrels)
    for measure in BOTH:
        # One at a time: pytrec_eval's provider mixes gains, and counts, of one call.
        theirs = REFERENCE.calc([measure], nested(case.qrels), nested(case.run)).per_query
        ours = VERSION_9.calc([measure], nested(case.qrels), nested(case.run)).per_query
        assert sorted(ours, key=lambda each: each.query_id) == sorted(theirs, key=lambda each: each.query_id)


def test_the_mean_is_added_up_from_left_to_right_as_trec_eval_does() -> None:
    qrels = {str(topic): {"a": 1} for topic in range(10)}
    assert PROVIDER.calc_aggregate([P @ 10], qrels, qrels) == {P @ 10: 0.9999999999999999 / 10}


def test_a_judged_topic_without_documents_counts_and_other_topics_do_not() -> None:
    found = PROVIDER.calc(
        [AP, NumQ, NumRet], {"1": {"a": 1}, "2": {"b": 1}}, {"1": {"a": 1.0}, "3": {"b": 1.0}}
    )
    assert found.aggregated == {AP: 1 / 2, NumQ: 2, NumRet: 1}
    assert {(each.query_id, each.value) for each in found.per_query if each.measure == AP} == {
        ("1", 1),
        ("2", 0),
    }
    assert PROVIDER.calc_aggregate([AP], {"1": {"a": 1}}, {}) == {AP: 0}
    assert PROVIDER.calc_aggregate([NumQ], {}, {"1": {"a": 1.0}}) == {NumQ: 0}


def test_the_meaning_is_that_of_ir_measures_where_names_differ() -> None:
    assert str(our_measure(SetF(beta=2.0))) == "SetF(beta_squared=2.0)"
    assert str(our_measure(ir_measures.ERR @ 5)) == "ERR(max_grade=4)@5"
    assert our_measure(ir_measures.Accuracy) is None
    with pytest.raises(ValueError, match="alpha_nDCG"):
        PROVIDER.calc([AP, alpha_nDCG @ 5], {"1": {"a": 1}}, {"1": {"a": 1.0}})


def test_calls_of_the_library_take_what_is_here_and_the_rest_as_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pipeline = ir_measures.DefaultPipeline
    monkeypatch.setattr(pipeline, "providers", pipeline.providers)
    tied = ([ir_measures.Qrel("1", "a", 1)], [ir_measures.ScoredDoc("1", each, 1.0) for each in "ab"])
    own = ir_measures.define_byquery(lambda qrels, run: float(len(run)), name="Length")
    asked = [RR @ 2, nDCG @ 10, own]
    before = ir_measures.calc_aggregate(asked, *tied)
    use()
    use()
    assert sum(isinstance(each, WorkbenchProvider) for each in pipeline.providers) == 1
    after = ir_measures.calc_aggregate(asked, *tied)
    # Equal scores come in descending order of the ids for all measures here, for RR@2 in ascending order there.
    assert (before[RR @ 2], after[RR @ 2]) == (1.0, 1 / 2)
    assert before[nDCG @ 10] == after[nDCG @ 10]
    assert before[own] == after[own] == 2.0
