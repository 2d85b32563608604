"""Estimates in a campaign whose pool is a sample."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.sentences import refused
from workbench.campaign.content_changes import withdraw_runs
from workbench.campaign.ingest import add_runs, add_topics
from workbench.campaign.new_campaign import new_campaign
from workbench.campaign.pools.making import add_pool
from workbench.campaign.pools.pool_job import retire_pool
from workbench.core.errors import UnknownName
from workbench.core.model_answers import Judge as ModelJudge
from workbench.core.model_answers import ModelAnswer
from workbench.methods.measures import parse_measure
from workbench.scoring.board import Board, load_scoring, sample_design, score_campaign
from workbench.scoring.board.past_boards import board_history_of
from workbench.scoring.board.sample_design import estimator_of
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.collection import pools
from workbench.storage.campaign.log.cache import Cache
from workbench.storage.campaign.models import answers, judges

Judge = Callable[..., int]
WriteRun = Callable[[Path, str, dict[str, str]], str]

RUNS = {
    "alpha": {"1": "a b c d e f g h", "2": "p q r s"},
    "beta": {"1": "b a i j k l", "2": "q p t u"},
    "gamma": {"1": "c m n o", "2": "v p"},
}
RELEVANT = {("1", each) for each in "abdijmg"} | {("2", each) for each in "pqv"}
MEASURES = ["statP@4", "statAP", "xinfAP", "infNumRel", "infNDCG", "statPVariance@4"]
STRATA = "1:100%,2-3:60%,4-8:40%"


@pytest.fixture
def sampled(tmp_path: Path, written_run: WriteRun) -> Iterator[Campaign]:
    """Two topics and three runs; nothing is pooled."""
    (tmp_path / "topics.tsv").write_text("1\tfrozen rivers\n2\twarm lakes\n")
    files = [written_run(tmp_path / f"{tag}.run", tag, rankings) for tag, rankings in RUNS.items()]
    with new_campaign(tmp_path / "sampled.db", title="Sampled", actor="Olga") as campaign:
        add_topics(campaign.by("Olga"), [str(tmp_path / "topics.tsv")])
        add_runs(campaign.by("Olga"), files)
        yield campaign


def pooled(campaign: Campaign) -> list[tuple[str, str]]:
    return pools.all_pairs(campaign)


def judge_all(campaign: Campaign, judge: Judge, pairs: list[tuple[str, str]]) -> None:
    for pair in pairs:
        judge(campaign, *pair, int(pair in RELEVANT))


def scores(campaign: Campaign, names: list[str] = MEASURES) -> dict[str, tuple[float, ...]]:
    return {row.tag: row.values for row in score_campaign(campaign, names).rows}


def test_a_pool_of_strata_tells_how_many_candidates_each_had(sampled: Campaign, judge: Judge) -> None:
    add_pool(sampled.by("Olga"), strategy="strata", strata=STRATA, seed=1)
    judge_all(sampled, judge, pooled(sampled))
    sample = load_scoring(sampled).sample
    assert sample is not None
    # Best ranks of topic 1: a b c | m i n | d e f g h j k l o, of topic 2: p q v | r t | s u.
    assert sample.size.tolist() == [[3, 3, 9], [3, 2, 2]]
    assert sample.judged.tolist() == [[3, 2, 4], [3, 1, 1]]
    relevant = {
        (pair.pooled.topic_id, pair.pooled.document_id) for pair in pools.pooled_pairs(sampled)
    } & RELEVANT
    by_hand = sum(
        1 / pair.pooled.inclusion_probability
        for pair in pools.pooled_pairs(sampled)
        if pair.pooled[:2] in relevant
    )
    assert scores(sampled, ["statNumRel"])["alpha"][0] == pytest.approx(by_hand / 2)


def test_runs_and_pools_that_come_or_go_later_change_no_estimate_and_a_copy_has_the_same(
    sampled: Campaign, judge: Judge, tmp_path: Path, written_run: WriteRun
) -> None:
    add_pool(sampled.by("Olga"), strategy="strata", strata=STRATA, seed=1)
    judge_all(sampled, judge, pooled(sampled))
    before = scores(sampled)
    made = add_pool(sampled.by("Olga"), depth=8)
    judge_all(sampled, judge, pooled(sampled))
    assert made.pool.pairs > 0
    assert scores(sampled) == before
    late = written_run(tmp_path / "delta.run", "delta", {"1": "a zz b", "2": "aa p"})
    add_runs(sampled.by("Olga"), [late])
    after = scores(sampled)
    assert {tag: after[tag] for tag in before} == before
    assert after["delta"][0] > 0
    withdraw_runs(sampled.by("Olga"), ["gamma", "delta"], reason="broken")
    assert scores(sampled) == {tag: before[tag] for tag in ("alpha", "beta")}
    sampled.close()
    shutil.copyfile(sampled.path, tmp_path / "copy.db")
    with open_campaign(tmp_path / "copy.db") as copy:
        assert scores(copy) == {tag: before[tag] for tag in ("alpha", "beta")}


def test_what_a_pool_brought_in_before_the_sample_is_judged_whole(sampled: Campaign, judge: Judge) -> None:
    add_pool(sampled.by("Olga"), depth=1)
    add_pool(sampled.by("Olga"), strategy="strata", strata="1-3:60%,4-8:40%", seed=1)
    judge_all(sampled, judge, pooled(sampled))
    sample = load_scoring(sampled).sample
    assert sample is not None
    assert sample.size.tolist() == [[3, 3, 9], [3, 2, 2]]
    assert sample.judged[:, 0].tolist() == [3, 3]
    whole = sample.stratum == 0
    assert set(sample.chance[whole].tolist()) == {1.0}


def test_the_live_board_and_the_past_say_what_the_campaign_scores(sampled: Campaign, judge: Judge) -> None:
    add_pool(sampled.by("Olga"), strategy="pps", depth=8, percent=60.0, seed=1)
    board, names = Board(), ["statP@4", "statAP", "statRBP(p=0.8)", "statPVariance@4"]
    tables = []
    for pair in pooled(sampled):
        judge_all(sampled, judge, [pair])
        tables.append(board.table(sampled, names))
        assert tables[-1] == score_campaign(sampled, names)
    assert len({table.rows for table in tables}) > 3
    for table in tables:
        assert board_history_of(sampled).table(sampled, names, table.seq) == table


def test_topics_that_were_judged_together_are_estimated_together(sampled: Campaign, judge: Judge) -> None:
    add_pool(sampled.by("Olga"), strategy="pps", depth=8, percent=60.0, seed=1)
    board, names = Board(), ["statP@4", "statAP", "statRBP(p=0.8)"]
    pairs = pooled(sampled)
    assert len({topic_id for topic_id, _ in pairs}) > 1
    for half in (pairs[::2], pairs[1::2]):
        board.table(sampled, names)
        judge_all(sampled, judge, half)
        assert board.table(sampled, names) == score_campaign(sampled, names)


def test_before_the_sample_was_drawn_nothing_is_estimated(sampled: Campaign, judge: Judge) -> None:
    add_pool(sampled.by("Olga"), depth=1)
    judge_all(sampled, judge, pooled(sampled))
    then = score_campaign(sampled, ["AP"]).seq
    add_pool(sampled.by("Olga"), strategy="strata", strata=STRATA, seed=1)
    assert score_campaign(sampled, ["statAP"]).rows
    with refused(UnknownName):
        board_history_of(sampled).table(sampled, ["statAP"], then)
    with refused(UnknownName):
        score_campaign(sampled.at(then), ["statAP"])


SAMPLE = {"strategy": "strata", "strata": STRATA, "seed": 1}
PPS = {"strategy": "pps", "depth": 8, "percent": 60.0, "seed": 1}


@pytest.mark.parametrize(
    ("made", "measures"),
    [
        ([PPS], ["infAP", "xinfAP"]),
        ([{"depth": 2}], ["xinfAP"]),
        ([{"strategy": "hedge", "depth": 3}, SAMPLE], ["infAP", "xinfAP", "statP@5"]),
    ],
    ids=["by probabilities", "not sampled", "after an adaptive order"],
)
def test_an_estimate_that_the_pools_do_not_allow_is_refused(
    sampled: Campaign, made: list[dict[str, Any]], measures: list[str]
) -> None:
    for pool in made:
        add_pool(sampled.by("Olga"), **pool)
    for measure in measures:
        with refused(UnknownName):
            score_campaign(sampled, [measure])
    assert score_campaign(sampled, ["AP"] if "infAP" in measures else ["infAP"]).rows


def test_a_pool_taken_back_before_it_was_judged_changes_no_estimate_and_one_that_was_ends_it(
    sampled: Campaign, judge: Judge
) -> None:
    mistaken = add_pool(sampled.by("Olga"), depth=2).pool
    retire_pool(sampled.by("Olga"), mistaken.pool)
    sample = add_pool(sampled.by("Olga"), strategy="strata", strata=STRATA, seed=3).pool
    judge_all(sampled, judge, pooled(sampled))
    before = scores(sampled)
    labelled = add_pool(sampled.by("Olga"), depth=8).pool.pool
    pair = next(each.pooled for each in pools.pooled_pairs(sampled) if each.pool == labelled)
    with sampled.write():  # what a model says of it does not count as judged
        judges.put_judge(sampled.by("Olga"), ModelJudge("gpt"))
        answers.put_answers(
            sampled.by("Olga"), "gpt", [ModelAnswer(pair.topic_id, pair.document_id, grade=1)]
        )
    retire_pool(sampled.by("Olga"), labelled, reason="labelled")
    assert scores(sampled) == before
    retire_pool(sampled.by("Olga"), sample.pool, reason="the wrong strata")
    add_pool(sampled.by("Olga"), strategy="strata", strata=STRATA, seed=4)
    with refused(UnknownName):
        scores(sampled)


def test_without_a_sample_rankings_are_joined_with_none(sampled: Campaign) -> None:
    with refused(ValueError):
        load_scoring(sampled).sampled(0, 1)


def test_a_sample_of_runs_that_are_not_there_has_no_design(
    sampled: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_pool(sampled.by("Olga"), strategy="strata", strata=STRATA, seed=1)
    there = sample_design.runs.all_runs(sampled)
    tags = ", ".join(sorted(run.record.tag for run in there))
    for found, said in (
        ([], f"pool 1 was drawn from runs that this file does not have ({tags})"),
        (there, "pool 1 cannot be reconstructed: no such parameter"),
    ):
        monkeypatch.setattr(sample_design.runs, "all_runs", lambda campaign, found=found: found)
        monkeypatch.setattr(sample_design, "frame_of", fails)
        monkeypatch.setattr(sample_design, "_designs", Cache(of_one=4))
        assert sample_design.design_of(sampled).why_none == said


def fails(*_: object) -> None:
    raise UnknownName("no such parameter")


@pytest.mark.parametrize(
    ("measure", "by_strata", "by_probabilities"),
    [
        ("AP", "xinfAP", "statAP"), ("AP(rel=2)", "xinfAP(rel=2)", "statAP(rel=2)"),
        ("P@5", "statP@5", "statP@5"), ("P(rel=2)@5", "statP(rel=2)@5", "statP(rel=2)@5"),
        ("RBP(p=0.5)", "statRBP(p=0.5)", "statRBP(p=0.5)"), ("DCG", "statDCG", "statDCG"),
        ("DCG@7", "statDCG@7", "statDCG@7"), ("nDCG", "infNDCG", None), ("AP@5", None, None),
        ("nDCG@5", None, None), ("DCG(base=3)", None, None), ("DCG(gains=exp)", None, None),
        ("RBP(p=0.5)@5", None, None), ("RR", None, None), ("AP(mean=geometric)", None, None),
    ],
)  # fmt: skip
def test_a_score_is_estimated_by_what_estimates_it(
    measure: str, by_strata: str | None, by_probabilities: str | None
) -> None:
    for has_strata, name in ((True, by_strata), (False, by_probabilities)):
        expected = None if name is None else parse_measure(name)
        assert estimator_of(parse_measure(measure), has_strata=has_strata) == expected
