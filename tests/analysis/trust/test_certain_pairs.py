from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fixture_types import AppendJudgment
from tests.sentences import refused, says
from workbench.analysis.figures.trust import all_certain_pairs
from workbench.analysis.trust import certain_pairs as module
from workbench.analysis.trust.certain_pairs import PairsFollower, PairsRequest, certain_pairs
from workbench.analysis.trust.next_documents import next_documents
from workbench.analysis.trust.sentences import notes_on_certain
from workbench.campaign.content_changes import withdraw_runs
from workbench.campaign.ingest import add_qrels, add_runs
from workbench.campaign.pools.making import add_pool
from workbench.core.errors import UnknownName
from workbench.core.records import Topic
from workbench.storage.campaign import Campaign, create_campaign
from workbench.storage.campaign.collection import topics

# Of topic 1 bm25 has a and b among its first two, dense d and a; of topic 2 bm25 has a and d, dense nothing.


def test_a_pair_is_open_until_what_is_open_cannot_swap_it(campaign: Campaign, judge: AppendJudgment) -> None:
    judge(campaign, "1", "a", 1)
    found = certain_pairs(campaign, "P@2")
    # Open are b (+1/2) and d (-1/2) of topic 1, a and d (+1/2 each) of topic 2; the mean is over two topics.
    assert found.rows() == [("bm25", "dense", 0.0, -1 / 4, 3 / 4, "open")]
    judge(campaign, "1", "d", 0)
    seq = judge(campaign, "2", "a", 1)
    found = certain_pairs(campaign, "P@2")
    assert [pair.state for pair in found.rows()] == ["certain"]
    assert (found.n_topics, found.n_waiting, found.head.seq) == (2, 2, seq)
    withdraw_runs(campaign.by("org"), ["dense"])
    with refused(UnknownName):
        all_certain_pairs(certain_pairs(campaign, "P@2"))


@pytest.mark.parametrize("measure", ["P@2", "RBP(p=0.5)", "nDCG@2", "AP"])
def test_what_follows_the_log_is_what_is_found_as_of_the_row(
    campaign: Campaign, judge: AppendJudgment, measure: str
) -> None:
    rows = []
    for topic, document, grade in [("1", "a", 1), ("1", "d", 0), ("2", "d", 1), ("1", "d", 1), ("2", "a", 0)]:
        seq = judge(campaign, topic, document, grade)
        rows.append((seq, certain_pairs(campaign, measure)))
    for seq, live in rows:
        past = PairsFollower().answer(campaign.at(seq), PairsRequest(measure))
        assert (past.tags, past.n_topics, past.n_waiting) == (live.tags, live.n_topics, live.n_waiting)
        for one, same in zip(past.pairs, live.pairs, strict=True):
            assert one == pytest.approx(same, abs=1e-12)


def test_what_another_process_summed_up_is_not_taken_over_once_other_grades_are_possible(
    campaign: Campaign, judge: AppendJudgment
) -> None:
    request = PairsRequest("nDCG(gains={0:0.5,1:1})@2")
    judge(campaign, "1", "a", 1)
    _, _, sums = PairsFollower().sums(campaign, request)
    stored = sums.to_store()
    judge(campaign, "2", "d", -1)
    follower = PairsFollower()
    follower.keep(campaign, request, stored)
    fresh = certain_pairs(campaign, request.measure)
    for one, same in zip(follower.answer(campaign, request).pairs, fresh.pairs, strict=True):
        assert one == pytest.approx(same, abs=1e-12)


def test_runs_added_and_withdrawn_are_as_of_their_row(
    campaign: Campaign, judge: AppendJudgment, tmp_path: Path
) -> None:
    before = judge(campaign, "1", "a", 1)
    (tmp_path / "late.run").write_text("1 Q0 z 1 1 late\n2 Q0 d 1 1 late\n")
    add_runs(campaign.by("org"), [str(tmp_path / "late.run")])
    assert len(certain_pairs(campaign, "P@2").tags) == 3
    add_pool(campaign.by("org"), depth=1)
    withdraw_runs(campaign.by("org"), ["dense"])
    assert set(certain_pairs(campaign, "P@2").tags) == {"bm25", "late"}
    assert set(certain_pairs(campaign.at(before), "P@2").tags) == {"bm25", "dense"}


def test_named_runs_are_compared_alone(campaign: Campaign, judge: AppendJudgment) -> None:
    judge(campaign, "1", "a", 1)
    assert certain_pairs(campaign, "P@2", runs=["dense"]).tags == ("dense",)
    assert certain_pairs(campaign, "P@2", runs=["dense"]).rows() == []
    with refused(UnknownName, "lost"):
        certain_pairs(campaign, runs=["lost"])


@pytest.mark.parametrize("measure", ["P@2", "nDCG@2", "RR"])
def test_all_runs_may_be_named_in_any_order(
    campaign: Campaign, judge: AppendJudgment, tmp_path: Path, measure: str
) -> None:
    (tmp_path / "third.run").write_text("1 Q0 d 1 1 third\n2 Q0 a 1 1 third\n")
    add_runs(campaign.by("org"), [str(tmp_path / "third.run")])
    judge(campaign, "1", "a", 1)
    whole = certain_pairs(campaign, measure)
    assert whole.tags == ("bm25", "dense", "third")
    assert len(whole.rows()) == 3
    for runs in permutations(whole.tags):
        assert PairsFollower().answer(campaign, PairsRequest(measure, runs)).rows() == whole.rows()


def test_what_would_take_too_long_is_left_out_and_named(
    campaign: Campaign, judge: AppendJudgment, tmp_path: Path
) -> None:
    (tmp_path / "third.run").write_text("1 Q0 a 1 1 third\n")
    add_runs(campaign.by("org"), [str(tmp_path / "third.run")])
    judge(campaign, "1", "a", 1)
    judge(campaign, "2", "d", 1)
    judge(campaign, "1", "d", 0)
    found = certain_pairs(campaign, "P@2", most_steps=1)
    assert (found.tags, found.left_out) == (("bm25", "dense"), ("third",))
    whole = certain_pairs(campaign, "P@2", runs=["bm25", "dense"])
    assert found.rows() == whole.rows()
    assert len(notes_on_certain(whole)) == 1
    assert says(notes_on_certain(found)[-1])


def test_before_anything_is_pooled_there_is_nothing_to_compare(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = certain_pairs(campaign.at(1), "P@2")
    assert (found.tags, found.n_topics, found.rows()) == ((), 0, [])
    assert certain_pairs(campaign).measure.name + "(p=0.8)" == module.DEFAULT_MEASURE


GRADE = st.integers(0, 1)
RUN = st.permutations("abcdefgh").map(lambda run: run[:5])


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(runs=st.lists(RUN, min_size=2, max_size=4), grades=st.dictionaries(st.sampled_from("abcdefgh"), GRADE))
def test_the_documents_that_decide_most_are_those_of_the_largest_sums(
    runs: list[list[str]], grades: dict[str, int], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("deciding")
    with create_campaign(folder / "made.db") as campaign:
        with campaign.write():
            topics.put(campaign.by("org"), [Topic("1", "")], files=[])
        for number, run in enumerate(runs):
            lines = (f"1 Q0 {each} 1 {9 - rank} r{number}\n" for rank, each in enumerate(run))
            (folder / f"r{number}").write_text("".join(lines))
        add_runs(campaign.by("org"), [str(folder / f"r{number}") for number in range(len(runs))])
        add_pool(campaign.by("org"), depth=4)
        (folder / "qrels").write_text("".join(f"1 0 {each} {grade}\n" for each, grade in grades.items()))
        if grades:
            add_qrels(campaign.by("org"), [str(folder / "qrels")])
        found = next_documents(campaign, "RBP(p=0.5)", limit=3)
        open_ = [
            (row.run_a, row.run_b)
            for row in certain_pairs(campaign, "RBP(p=0.5)").rows()
            if row.state == "open"
        ]

    def weight(run: str, document: str) -> float:
        ranked = runs[int(run[1:])]
        return 0.5 ** (1 + ranked.index(document)) if document in ranked else 0.0

    pooled = {each for run in runs for each in run[:4]} - grades.keys()
    sums = {each: sum(abs(weight(a, each) - weight(b, each)) for a, b in open_) for each in pooled}
    largest = sorted((value for value in sums.values() if value > 0), reverse=True)[:3]
    assert [each.narrows for each in found] == pytest.approx(largest)
    assert [sums[each.document_id] for each in found] == pytest.approx(largest)
    for each in found:
        assert each.pairs == sum(weight(a, each.document_id) != weight(b, each.document_id) for a, b in open_)
