from __future__ import annotations

import re
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


MEANS = """
ndgc@10: nDCG@10, ndcg@10: nDCG@10, nDcG@10: nDCG@10, NDcg(gains=exp)@10: nDCG(gains=exp)@10, ndcg_at_10: nDCG@10
NDCG10: nDCG@10, ndcg_cut@10: nDCG@10, precision@5: P@5, precision: P, p@5: P@5, map@10: AP@10, map_10: AP@10
AP.10: AP@10, recall@100: R@100, mrr@10: RR@10, recip_rank@10: RR@10, hit_rate@1: Success@1, hits: Success
r-precision: Rprec, bpref@10: Bpref, rbp(p=0.5): RBP(p=0.5), mapp: map, ndcg_cutt: ndcg_cut
"""


@pytest.mark.parametrize(
    ("written", "meant"), [each.split(": ") for each in re.split(", |\n", MEANS.strip())]
)
def test_a_name_that_is_nearly_one_is_answered_with_that(written: str, meant: str) -> None:
    with pytest.raises(UnknownName, match=f"did you mean {re.escape(meant)}"):
        parse_measures(written)


@pytest.mark.parametrize(
    "written",
    [
        "zzz", "", "@10", "map_10", "AP.10", "P@", "P@x", "P@2.5", "P@0", "P_0", "ndcg.1=3,-1=2", "P.5,x", "P@-5",
        "R(rel=2)", "Bpref@10", "NumQ(rel=1)", "RBP(q=1)", "RBP(p=1)", "RBP(p=0)", "RBP(p=nan)", "RBP(p=x)", "RBP(0.8)",
        "AP(rel=-1)", "nDCG@9223372036854775808", "PRES@9223372036854775808", "RR(rel=32768,bound=lower)",
        "utility.-1e308,0,0,0", "CG(gains={1:1e308})", "P(rel=2,rel=1)@5", "P(cutoff=10)@5", "P@5(rel=2)", "nDCG@10@20",
        "AP(", "ndcg.1=x", "rbp.p=x", "AP(rel=1.5)",
    ],
)  # fmt: skip
def test_a_name_that_means_nothing_is_refused_with_the_way_out(written: str) -> None:
    with refused(UnknownName):
        parse_measures(written)


def test_a_name_is_one_measure_which_is_read_once() -> None:
    with pytest.raises(UnknownName, match=r"'P' names 9 measures \(P@5, P@10, P@15"):
        parse_measure("P")
    assert len({parse_measure(name) for name in ("AP", "map", "MAP", "AP(rel=1)")}) == 1
    assert parse_measure("P(rel=2)@37") is parse_measure("P(rel=2)@37")
    assert parse_measure("P@37", defaults={"rel": 2}) is parse_measure(" P@37", defaults={"rel": 2})
    assert str(parse_measure("P@37")) == "P@37"


def test_what_the_page_says_of_names_that_are_wrong_is_said() -> None:
    page = Path(__file__).resolve().parents[3] / "docs" / "use" / "measures.md"
    shown = (
        page.read_text(encoding="utf-8").partition("Messages suggest the nearest names")[2].split("```")[1]
    )
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
