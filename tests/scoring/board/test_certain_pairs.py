from __future__ import annotations

from pathlib import Path

import pytest

from tests.fixture_types import AppendJudgment
from workbench.core.errors import UnknownName
from workbench.scoring.board import certain_pairs as module
from workbench.scoring.board.certain_pairs import CertaintyFollower, certain_pairs
from workbench.setup.ingest import add_runs
from workbench.setup.pools.making import add_pool
from workbench.setup.withdrawing import withdraw_runs
from workbench.storage.campaign import Campaign

# Of topic 1 bm25 has a and b among its first two, dense d and a; of topic 2 bm25 has a and d, dense nothing.


def test_documents_of_both_runs_cancel_and_missing_topics_count_0(
    campaign: Campaign, judge: AppendJudgment
) -> None:
    judge(campaign, "1", "a", 1)
    (pair,) = certain_pairs(campaign, "P@2").rows()
    # Open are b (+1/2) and d (-1/2) of topic 1, a and d (+1/2 each) of topic 2; the mean is over two topics.
    assert pair == ("bm25", "dense", 0.0, -1 / 4, 3 / 4, "open")


def test_a_pair_becomes_certain_when_what_is_open_cannot_swap_it(
    campaign: Campaign, judge: AppendJudgment
) -> None:
    judge(campaign, "1", "d", 0)
    assert certain_pairs(campaign, "P@2").number("open") == 1
    seq = judge(campaign, "2", "a", 1)
    found = certain_pairs(campaign, "P@2")
    assert [pair.state for pair in found.rows()] == ["certain"]
    assert (found.n_topics, found.n_waiting, found.head.seq) == (2, 3, seq)
    assert found.pairs.share_certain() == 1.0


@pytest.mark.parametrize("measure", ["P@2", "RBP(p=0.5)", "nDCG@2", "AP"])
def test_what_follows_the_log_is_what_is_found_as_of_the_row(
    campaign: Campaign, judge: AppendJudgment, measure: str
) -> None:
    rows = []
    for topic, document, grade in [("1", "a", 1), ("1", "d", 0), ("2", "d", 1), ("1", "d", 1), ("2", "a", 0)]:
        seq = judge(campaign, topic, document, grade)
        rows.append((seq, certain_pairs(campaign, measure)))
    for seq, live in rows:
        past = CertaintyFollower().answer(campaign, measure, (), seq)
        assert (past.tags, past.n_topics, past.n_waiting) == (live.tags, live.n_topics, live.n_waiting)
        for one, same in zip(past.pairs, live.pairs, strict=True):
            assert one == pytest.approx(same, abs=1e-12)


def test_runs_added_and_withdrawn_are_as_of_their_row(
    campaign: Campaign, judge: AppendJudgment, tmp_path: Path
) -> None:
    before = judge(campaign, "1", "a", 1)
    (tmp_path / "late.run").write_text("1 Q0 z 1 1 late\n2 Q0 d 1 1 late\n")
    add_runs(campaign, [str(tmp_path / "late.run")], actor="org")
    assert len(certain_pairs(campaign, "P@2").tags) == 3
    add_pool(campaign, depth=1, actor="org")
    withdraw_runs(campaign, ["dense"], actor="org")
    assert set(certain_pairs(campaign, "P@2").tags) == {"bm25", "late"}
    assert set(certain_pairs(campaign, "P@2", as_of=before).tags) == {"bm25", "dense"}


def test_named_runs_are_compared_alone(campaign: Campaign, judge: AppendJudgment) -> None:
    judge(campaign, "1", "a", 1)
    assert certain_pairs(campaign, "P@2", runs=["dense"]).tags == ("dense",)
    assert certain_pairs(campaign, "P@2", runs=["dense"]).rows() == []
    with pytest.raises(UnknownName, match="no run 'lost' takes part; these do: bm25, dense"):
        certain_pairs(campaign, runs=["lost"])


def test_what_would_take_too_long_is_left_out_and_named(
    campaign: Campaign, judge: AppendJudgment, tmp_path: Path
) -> None:
    (tmp_path / "third.run").write_text("1 Q0 a 1 1 third\n")
    add_runs(campaign, [str(tmp_path / "third.run")], actor="org")
    judge(campaign, "1", "a", 1)
    judge(campaign, "2", "d", 1)
    judge(campaign, "1", "d", 0)
    found = certain_pairs(campaign, "P@2", most_steps=1)
    assert (found.tags, found.left_out) == (("bm25", "dense"), ("third",))
    whole = certain_pairs(campaign, "P@2", runs=["bm25", "dense"])
    assert found.rows() == whole.rows()


def test_before_anything_is_pooled_there_is_nothing_to_compare(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = certain_pairs(campaign, "P@2", as_of=1)
    assert (found.tags, found.n_topics, found.rows()) == ((), 0, [])
    assert certain_pairs(campaign).measure.name + "(p=0.8)" == module.DEFAULT_MEASURE
