from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from tests.fixture_types import AppendJudgment
from tests.methods.bounds.conftest import differences_reached, topics
from tests.sentences import says
from workbench.analysis.trust import witness as module
from workbench.analysis.trust.bounds import score_in_detail
from workbench.analysis.trust.certain_history import certain_over_log
from workbench.analysis.trust.certain_pairs import certain_pairs
from workbench.analysis.trust.witness import way_to_swap, witness
from workbench.campaign.ingest import add_runs
from workbench.campaign.pools.making import add_pool
from workbench.core.errors import UnknownName
from workbench.methods.bounds import TopicRuns
from workbench.methods.bounds.pairs import SMALLEST
from workbench.methods.bounds.registry import differences
from workbench.methods.measures import parse_measure
from workbench.storage.campaign import Campaign, create_campaign
from workbench.storage.campaign.organising import settings as campaign_settings

TWO_RUNS = {
    "one": "1 Q0 a 1 5 one\n1 Q0 b 2 4 one\n1 Q0 c 3 3 one\n2 Q0 e 1 5 one\n2 Q0 f 2 4 one\n",
    "two": "1 Q0 d 1 5 two\n1 Q0 c 2 4 two\n1 Q0 b 3 3 two\n2 Q0 g 1 5 two\n2 Q0 e 2 4 two\n",
}


@pytest.fixture
def pooled(campaign: Campaign, tmp_path: Path) -> Campaign:
    """Two more runs, all of whose documents are pooled."""
    for tag, text in TWO_RUNS.items():
        (tmp_path / f"{tag}.run").write_text(text)
    add_runs(campaign.by("org"), [str(tmp_path / f"{tag}.run") for tag in TWO_RUNS])
    add_pool(campaign.by("org"), depth=3)
    return campaign


@pytest.mark.parametrize(
    "measure", ["P@1", "P@2", "RBP(p=0.8)", "DCG@3", "nDCG@3", "nDCG", "R@2", "RR", "Success@1", "AP"]
)
def test_a_witness_when_judged_so_swaps_the_pair(
    pooled: Campaign, judge: AppendJudgment, measure: str
) -> None:
    judge(pooled, "1", "a", 1)
    judge(pooled, "2", "f", 0)
    found = witness(pooled, "one", "two", measure)
    assert (found.ahead, found.behind) == ("one", "two")
    assert found.documents
    for document in found.documents:
        judge(pooled, document.topic_id, document.document_id, document.grade)
    after = certain_pairs(pooled, measure, runs=["one", "two"])
    assert after.tags == ("two", "one")
    assert found.after == pytest.approx(-after.rows()[0].difference, abs=1e-12)


def test_a_witness_of_a_measure_that_adds_up_has_the_fewest_documents(
    pooled: Campaign, judge: AppendJudgment
) -> None:
    judge(pooled, "1", "a", 1)
    # One document alone makes up for a; g and d together overtake.
    found = witness(pooled, "one", "two", "P@1")
    assert [(each.topic_id, each.document_id, each.grade) for each in found.documents] == [
        ("1", "d", 1),
        ("2", "g", 1),
    ]
    assert (found.difference, found.after) == (0.5, -0.5)
    assert [(each.rank_behind, each.rank_ahead) for each in found.documents] == [(1, None), (1, None)]
    assert says(found.sentence())


@pytest.mark.parametrize("measure", ["P@1", "RR", "AP"])
def test_a_pair_that_is_certain_has_no_witness(pooled: Campaign, judge: AppendJudgment, measure: str) -> None:
    for topic, document in [("1", "a"), ("2", "e")]:
        judge(pooled, topic, document, 1)
    for topic, document in [("1", "d"), ("1", "c"), ("1", "b"), ("2", "g"), ("2", "f")]:
        judge(pooled, topic, document, 0)
    found = witness(pooled, "two", "one", measure)
    assert (found.ahead, found.after, found.documents) == ("one", None, ())
    assert says(found.sentence())


def test_a_witness_is_of_two_runs(pooled: Campaign) -> None:
    with pytest.raises(UnknownName, match="'one' was named twice"):
        witness(pooled, "one", "one")


def test_the_history_counts_the_certain_pairs_of_each_row(pooled: Campaign, judge: AppendJudgment) -> None:
    assert certain_over_log(pooled) == []
    for topic, document, grade in [("1", "a", 1), ("2", "e", 1), ("1", "d", 0), ("2", "g", 0), ("2", "a", 0)]:
        last = judge(pooled, topic, document, grade)
    points = certain_over_log(pooled, "P@1")
    assert [point.judged for point in points] == [1, 2, 3, 4, 5]
    assert all(point.pairs == 6 for point in points)
    shares = [point.share for point in points]
    assert shares == sorted(shares)
    now = certain_pairs(pooled, "P@1")
    assert (points[-1].seq, points[-1].share) == (last, 1 - now.number("open") / 6)
    assert shares[0] < shares[-1]


def test_a_witness_leaves_out_what_is_not_needed_unless_it_is_long(
    pooled: Campaign, judge: AppendJudgment, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge(pooled, "1", "a", 1)
    judge(pooled, "2", "g", 1)
    # Each run has 1.0 on one topic, so they are level. On topic 1 d and c together do the most for two; with d alone,
    # at rank 1 as a is of the other, both have 1/2 there, and two has 1 of topic 2.
    found = witness(pooled, "one", "two", "AP")
    assert [(each.topic_id, each.document_id, each.grade) for each in found.documents] == [("1", "d", 1)]
    assert (found.difference, found.after) == pytest.approx((0.0, -0.5), abs=1e-12)
    monkeypatch.setattr(module, "LEFT_OUT_ONE_BY_ONE", 1)
    assert {each.document_id for each in witness(pooled, "one", "two", "AP").documents} == {"c", "d"}


GAINED = """
RBP(p=0.5,gains={0:0.6,1:1,2:0.2,3:1}) DCG(gains={0:2,1:0,2:3})@3 CG(gains={0:-1,2:5}) nDCG(gains={0:0.5,1:1})@3
""".split()
BINARY = "P@2 RBP(p=0.8) R@3 RR Success@2 AP P(rel=0)@2 R(rel=0)@3 RR(rel=0) AP(rel=0)".split()


@pytest.mark.parametrize("least", [0, -2])
@pytest.mark.parametrize("name", GAINED + BINARY)
@settings(max_examples=15)
@given(topic=topics())
def test_a_witness_is_one_of_all_ways_to_judge_and_is_found_where_there_is_one(
    name: str, least: int, topic: TopicRuns
) -> None:
    measure = parse_measure(name)
    kind = differences(measure, top_grade=2, least_grade=least)
    possible = sorted({least, 0, 1, 2})
    rest = topic.completed(topic.waiting, np.full(len(topic.waiting), kind.rest, np.int16))
    behind, ahead = np.argsort(measure(rest.judged), kind="stable").tolist()
    pair = topic.of_runs([behind, ahead])
    lead, after, way = way_to_swap(kind, {0: pair})
    grades = np.full(len(topic.label), kind.rest, np.int16)
    for document, grade in way.get(0, {}).items():
        grades[document] = grade
    assert {kind.rest, *grades[topic.waiting].tolist()} <= set(possible)
    first, second = measure(pair.completed(pair.waiting, grades[pair.waiting]).judged)
    assert lead >= 0
    assert after == pytest.approx(second - first, abs=1e-12)
    if kind.reached:
        most = differences_reached(measure, pair, possible)[:, 0, 1].max()
        assert (after < -SMALLEST) == (most > SMALLEST)


@pytest.fixture
def zero_gains(tmp_path: Path, judge: AppendJudgment) -> Iterator[Campaign]:
    """Run A has c, run B has d and then b, which alone is judged: it is relevant."""
    with create_campaign(tmp_path / "zero.db") as campaign:
        for tag, documents in (("A", "c"), ("B", "db")):
            lines = [f"1 Q0 {each} 1 {9 - at} {tag}\n" for at, each in enumerate(documents)]
            (tmp_path / tag).write_text("".join(lines))
        add_runs(campaign.by("org"), [str(tmp_path / tag) for tag in "AB"])
        add_pool(campaign.by("org"), depth=2)
        judge(campaign, "1", "b", 1)
        yield campaign


ZERO_GAINS = "RBP(p=0.5,gains={0:0.6,1:1})"


def test_what_the_grade_0_gains_is_part_of_a_witness(zero_gains: Campaign) -> None:
    # If c is relevant as well and d is not, B has .5 x .6 + .25 and A .5.
    assert certain_pairs(zero_gains, ZERO_GAINS).rows()[0].state == "certain"
    found = witness(zero_gains, "A", "B", ZERO_GAINS)
    assert (found.behind, found.documents, found.difference) == ("A", (), pytest.approx(0.25))


@pytest.mark.parametrize("by", ["scale", "judgment"])
def test_where_a_grade_below_0_is_possible_it_swaps_runs_that_0_keeps_in_order(
    zero_gains: Campaign, judge: AppendJudgment, by: str
) -> None:
    if by == "scale":
        with zero_gains.write():
            campaign_settings.change(zero_gains.by("org"), {"grades": [[-1, "spam"], [0, "no"], [1, "yes"]]})
    else:
        judge(zero_gains, "1", "another", -1)
    # At best for A, c is relevant and d spam: .5 to .25. At best for B it is the other way round: .75 to 0.
    (pair,) = certain_pairs(zero_gains, ZERO_GAINS, runs=["A", "B"]).rows()
    assert pair == ("B", "A", pytest.approx(0.25), pytest.approx(-0.25), pytest.approx(0.75), "open")
    (detail,) = score_in_detail(zero_gains, [ZERO_GAINS]).measures
    assert detail.bounds is not None
    assert detail.bounds.lower.tolist() == pytest.approx([0, 0.25])
    assert detail.bounds.upper.tolist() == pytest.approx([0.5, 0.75])
    found = witness(zero_gains, "A", "B", ZERO_GAINS)
    assert [(each.document_id, each.grade) for each in found.documents] == [("d", -1)]
    judge(zero_gains, "1", "d", -1)
    judge(zero_gains, "1", "c", 0)
    (detail,) = score_in_detail(zero_gains, [ZERO_GAINS]).measures
    assert detail.summary.tolist() == pytest.approx([0.3, 0.25])
    assert found.after == pytest.approx(0.25 - 0.3)
