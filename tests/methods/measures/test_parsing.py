from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.sentences import refused
from workbench.core.errors import UnknownName
from workbench.methods.measures import MEASURES, parse_measure, parse_measures
from workbench.methods.measures.reference_names import NICKNAMES, TEXTS


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("AP", "AP"), ("AP@10", "AP@10"), ("AP(rel=1)", "AP"), ("AP(rel=2)", "AP(rel=2)"), ("P@5", "P@5"),
        ("P(rel=2)@5", "P(rel=2)@5"), (" P( rel = 2 )@5 ", "P(rel=2)@5"), ("P(rel=2,cutoff=5)", "P(rel=2)@5"),
        ("R@100", "R@100"), ("nDCG", "nDCG"), ("nDCG@10", "nDCG@10"), ("RR", "RR"), ("RR@10", "RR@10"),
        ("Rprec", "Rprec"), ("Bpref", "Bpref"), ("RBP", "RBP(p=0.8)"), ("RBP(p=0.80)", "RBP(p=0.8)"),
        ("RBP(p=0.5,rel=2)", "RBP(p=0.5,rel=2)"), ("Judged", "Judged"), ("Judged@10", "Judged@10"),
        ("NumRelRet", "NumRelRet"), ("MAP", "AP"), ("NDCG@20", "nDCG@20"), ("MRR@10", "RR@10"),
        ("RPrec", "Rprec"), ("BPref", "Bpref"), ("map", "AP"), ("map_cut.10", "AP@10"),
        ("map_cut_10", "AP@10"), ("P.10", "P@10"), ("P_10", "P@10"), ("recall.100", "R@100"),
        ("recall_100", "R@100"), ("ndcg", "nDCG"), ("ndcg_cut.10", "nDCG@10"), ("ndcg_cut_10", "nDCG@10"),
        ("recip_rank", "RR"), ("bpref", "Bpref"), ("num_ret", "NumRet"), ("num_rel", "NumRel"),
        ("num_rel_ret", "NumRelRet"), ("num_q", "NumQ"), ("NumRet(rel=2)", "NumRelRet(rel=2)"),
        ("NumRet( judged_only=true, rel = 1 )", "NumRelRet(judged_only=true)"),
        ("NumRet(judged_only=true)", "NumRet(judged_only=true)"),
    ],
)  # fmt: skip
def test_both_notations_are_read(written: str, canonical: str) -> None:
    assert str(parse_measure(written)) == canonical
    assert parse_measure(canonical) == parse_measure(written)


@pytest.mark.parametrize(
    ("written", "printed"),
    [
        ("AP", "map"), ("AP(rel=2)", "map"), ("AP@10", "map_cut_10"), ("P@5", "P_5"), ("R@5", "recall_5"),
        ("nDCG", "ndcg"), ("nDCG@1000", "ndcg_cut_1000"), ("RR", "recip_rank"), ("RR@10", None),
        ("RBP", None), ("Judged@10", None), ("NumQ", "num_q"),
    ],
)  # fmt: skip
def test_a_measure_knows_its_name_in_the_reference_program(written: str, printed: str | None) -> None:
    assert parse_measure(written).trec_eval == printed


@pytest.mark.parametrize(("family", "first"), [("P", "P@5"), ("recall", "R@5"), ("map_cut", "AP@5")])
def test_a_bare_family_names_the_standard_cutoffs(family: str, first: str) -> None:
    measures = parse_measures(family)
    assert (str(measures[0]), len(measures)) == (first, 9)


def test_a_default_grade_of_relevance_is_taken_where_the_name_tells_none() -> None:
    assert str(parse_measure("AP", defaults={"rel": 2})) == "AP(rel=2)"
    assert str(parse_measure("P_5", defaults={"rel": 2})) == "P(rel=2)@5"
    assert str(parse_measure("AP(rel=1)", defaults={"rel": 2})) == "AP"
    assert str(parse_measure("nDCG@10", defaults={"rel": 2})) == "nDCG@10"
    assert str(parse_measure("NumQ", defaults={"rel": 2})) == "NumQ"


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("ndgc@10", "did you mean nDCG@10"), ("ndcg@10", "did you mean nDCG@10"),
        ("nDcG@10", "did you mean nDCG@10"), ("NDcg(gains=exp)@10", "did you mean nDCG(gains=exp)@10"),
        ("ndcg_at_10", "did you mean nDCG@10"), ("NDCG10", "did you mean nDCG@10"),
        ("ndcg_cut@10", "did you mean nDCG@10"), ("precision@5", "did you mean P@5"),
        ("precision", "did you mean P"), ("p@5", "did you mean P@5"), ("map@10", "did you mean AP@10"),
        ("map_10", "did you mean AP@10"), ("AP.10", "did you mean AP@10"),
        ("recall@100", "did you mean R@100"), ("mrr@10", "did you mean RR@10"),
        ("recip_rank@10", "did you mean RR@10"), ("hit_rate@1", "did you mean Success@1"),
        ("hits", "did you mean Success"), ("r-precision", "did you mean Rprec"), ("f1", "did you mean SetF"),
        ("bpref@10", "did you mean Bpref"), ("rbp(p=0.5)", "did you mean RBP(p=0.5)"),
        ("mapp", "did you mean map"), ("zzz", "there is no measure 'zzz'"), ("", "there is no measure ''"),
        ("@10", "there is no measure '@10'"), ("map_10", "there is no measure 'map_10'"),
        ("AP.10", "there is no measure 'AP.10'"), ("P@", "cutoff is ''; it must be a whole number"),
        ("P@x", "cutoff is 'x'; it must be a whole number"),
        ("P@2.5", "cutoff is '2.5'; it must be a whole number"),
        ("P@0", "cutoff is 0; it must be at least 1"), ("P_0", "cutoff is 0; it must be at least 1"),
        ("ndcg_cutt", "there is no measure 'ndcg_cutt'; did you mean ndcg_cut"),
        ("ndcg.1=3,-1=2", "'-1=2' is not a grade from 0 on, named once, and its gain, as in 1=3"),
        ("P.5,x", "cutoff is 'x'; it must be a whole number"),
        ("P@-5", "cutoff is -5; it must be at least 1"), ("R(rel=2)", "R needs a cutoff, as in R@10"),
        ("Bpref@10", "Bpref has no parameter 'cutoff' (it has: rel)"),
        ("NumQ(rel=1)", "NumQ has no parameter 'rel' (it has: none)"),
        ("RBP(q=1)", "RBP has no parameter 'q'"), ("RBP(p=1)", "p is 1.0; it must be above 0 and below 1"),
        ("RBP(p=0)", "p is 0.0; it must be above 0 and below 1"),
        ("RBP(p=nan)", "p is nan; it must be above 0 and below 1"),
        ("RBP(p=x)", "p is 'x'; it must be a number"),
        ("RBP(0.8)", "'0.8' is not a parameter; write name=value"),
        ("AP(rel=-1)", "rel is -1; it must be at least 0"),
        ("nDCG@9223372036854775808", "which is too large; give at most 1e+15"),
        ("PRES@9223372036854775808", "which is too large; give at most 1e+15"),
        ("RR(rel=32768,bound=lower)", "bound gives grades, and none is above 32767"),
        ("utility.-1e308,0,0,0", "a is -1e+308, which is too large; give at most 1e+15"),
        ("CG(gains={1:1e308})", "gains is '{1:1e308}'; it must be linear, exp, or a table"),
        ("P(rel=2,rel=1)@5", "rel is given twice"), ("P(cutoff=10)@5", "cutoff is given twice"),
        ("P@5(rel=2)", "first (name=value,...), then @cutoff, as in P(rel=2)@5"),
        ("nDCG@10@20", "'nDCG@10@20' is not how a measure is written"),
        ("AP(", "'AP(' is not how a measure is written"),
        ("ndcg.1=x", "'1=x' is not a grade from 0 on, named once, and its gain"),
        ("rbp.p=x", "p is 'x'; it must be a number, as in rbp.p=.5"),
        ("AP(rel=1.5)", "rel is '1.5'; it must be a whole number"),
    ],
)  # fmt: skip
def test_a_name_that_means_nothing_is_refused_with_the_way_out(written: str, said: str) -> None:
    with pytest.raises(UnknownName) as error:
        parse_measures(written)
    assert said in str(error.value)


def test_a_name_is_one_measure_which_is_read_once() -> None:
    with pytest.raises(UnknownName, match=r"'P' names 9 measures \(P@5, P@10, P@15"):
        parse_measure("P")
    assert len({parse_measure(name) for name in ("AP", "map", "MAP", "AP(rel=1)")}) == 1
    assert parse_measure("P(rel=2)@37") is parse_measure("P(rel=2)@37")
    assert parse_measure("P@37", defaults={"rel": 2}) is parse_measure(" P@37", defaults={"rel": 2})
    assert str(parse_measure("P@37")) == "P@37"


def test_what_the_page_says_of_names_that_are_wrong_is_said() -> None:
    page = Path(__file__).resolve().parents[3] / "docs" / "use" / "measures.md"
    shown = page.read_text(encoding="utf-8").partition("A name that does not exist")[2].split("```")[1]
    lines = shown.removeprefix("text").strip().splitlines()
    for written, said in zip(("ndcg@10", "R", "AP(k=5)", "RBP(p=1)"), lines, strict=True):
        with pytest.raises(UnknownName) as error:
            parse_measures(written)
        assert str(error.value) == said


def test_defaults_that_are_equal_and_of_another_type_are_refused_though_the_name_was_read_before() -> None:
    assert str(parse_measure("AP", defaults={"rel": 1})) == "AP"
    for wrong in (True, 1.0, [1]):
        with refused(UnknownName):
            parse_measure("AP", defaults={"rel": wrong})  # type: ignore[dict-item]


def test_a_measure_that_is_added_later_is_known_though_its_name_was_refused_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with refused(UnknownName, "Later"):
        parse_measure("Later")
    monkeypatch.setitem(MEASURES, "Later", replace(MEASURES["AP"], name="Later", aliases=(), trec_eval=()))
    assert parse_measure("Later(rel=2)").name == "Later"


@pytest.mark.parametrize("nickname", NICKNAMES)
def test_a_name_for_several_families_is_all_their_measures_without_texts(nickname: str) -> None:
    together = [str(one) for one in parse_measures(nickname)]
    apart = [
        str(one) for family in NICKNAMES[nickname] if family not in TEXTS for one in parse_measures(family)
    ]
    assert together == apart
    assert len(together) > len(NICKNAMES[nickname]) - 2
