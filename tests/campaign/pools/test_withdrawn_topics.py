"""Adaptive and sampled pools while a topic is withdrawn: nothing is chosen or counted there, and all comes back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import NOW, SMALL_GRADES, write_run
from tests.found_wrong import wrong
from tests.judged_pairs import judge_as
from workbench.campaign import assessing
from workbench.campaign.content_changes import restore_topics, withdraw_topics
from workbench.campaign.ingest import add_documents, add_runs, add_topics
from workbench.campaign.new_campaign import new_campaign
from workbench.campaign.pools.choosing import choose_next
from workbench.campaign.pools.making import add_pool
from workbench.methods.pooling import STRATEGIES
from workbench.release.bundle.importing import import_bundle
from workbench.release.bundle.writing import BundleOptions, save_bundle
from workbench.scoring.board import score_campaign
from workbench.scoring.board.live import Board
from workbench.scoring.board.past_boards import board_history_of
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.collection import choices, pools
from workbench.storage.campaign.log import log

RUNS = {
    "a": {"1": "d1 d2 d3 d4 d5 d6", "2": "d1 d2 d3 d8"},
    "b": {"1": "d7 d8 d1 d9 d2 d3", "2": "d4 d5 d1 d9"},
    "c": {"1": "d6 d9 d4 d7 d1 d8", "2": "d5 d6 d7 d2"},
}
RELEVANT = {"1": {"d7", "d9", "d8", "d3"}, "2": {"d5", "d1"}}
ADAPTIVE = [name for name, one in STRATEGIES.items() if one.kind == "adaptive"]
SAMPLED: dict[str, dict[str, Any]] = {
    "uniform": {"depth": 6, "percent": 60.0},
    "pps": {"depth": 6, "percent": 60.0},
    "strata": {"strata": "1:100%,2-6:50%"},
}
ESTIMATES = ["statP@4", "statAP"]


@pytest.fixture
def unpooled(tmp_path: Path) -> Iterator[Campaign]:
    """Two topics, three runs, every text, no pool."""
    (tmp_path / "topics.tsv").write_text("1\tfrozen rivers\n2\twarm lakes\n", encoding="utf-8")
    texts = [json.dumps({"id": f"d{number}", "text": f"The text of {number}."}) for number in range(1, 10)]
    (tmp_path / "documents.jsonl").write_text("\n".join(texts) + "\n", encoding="utf-8")
    files = [write_run(tmp_path / f"{tag}.run", tag, rankings) for tag, rankings in RUNS.items()]
    with new_campaign(tmp_path / "live.db", title="Live", grades=SMALL_GRADES, actor="Olga", now=NOW) as made:
        add_topics(made.by("Olga", NOW), [str(tmp_path / "topics.tsv")])
        add_runs(made.by("Olga", NOW), files)
        add_documents(made.by("Olga", NOW), [str(tmp_path / "documents.jsonl")], keep_all=True)
        yield made


def waiting(campaign: Campaign, topic_id: str) -> list[str]:
    if topic_id not in pools.pooled_by_topic(campaign):
        return []
    return [item.document_id for item in assessing.queue(campaign, topic_id, "Ann") if item.state == "open"]


def judge_all(campaign: Campaign, most: int = 100) -> None:
    """Judge what waits, a document at a time, and let the pools choose after each, until nothing waits."""
    for _ in range(most):
        choose_next(campaign)
        open_pairs = [(topic_id, each) for topic_id in "12" for each in waiting(campaign, topic_id)]
        if not open_pairs:
            return
        topic_id, document_id = open_pairs[0]
        judge_as(campaign, "Ann", topic_id, document_id, int(document_id in RELEVANT[topic_id]))


def chosen(campaign: Campaign, topic_id: str) -> list[str]:
    found = [choice for choice in choices.all_choices(campaign) if choice.topic_id == topic_id]
    return [document_id for choice in found for document_id, _, _ in choice.pairs]


@pytest.mark.parametrize(
    ("strategy", "more"),
    [
        *(
            pytest.param(name, {}, marks=[] if name in {"cal", "hedge"} else pytest.mark.slow)
            for name in ADAPTIVE
        ),
        ("hedge", {"spread": "by-need"}),
        ("separate", {"spread": "by-score", "pairs": "open"}),
    ],
)
def test_an_adaptive_pool_chooses_nothing_for_a_withdrawn_topic_and_goes_on_when_it_is_back(
    unpooled: Campaign, strategy: str, more: dict[str, str], tmp_path: Path
) -> None:
    add_pool(unpooled.by("Olga"), strategy=strategy, depth=6, batch=1, budget=12, **more)
    judge_all(unpooled, most=2)
    before, rows = chosen(unpooled, "1"), score_campaign(unpooled, ["P@2", "AP"]).rows
    head = log.newest_seq(unpooled)
    withdraw_topics(unpooled.by("Olga"), ["1"])
    judge_all(unpooled)
    assert chosen(unpooled, "1") == before, "nothing was chosen there"
    assert chosen(unpooled, "2")
    assert waiting(unpooled, "2") == []
    assert wrong(unpooled) == []
    assert score_campaign(unpooled.at(head), ["P@2", "AP"]).rows == rows
    restore_topics(unpooled.by("Olga"), ["1"])
    judge_all(unpooled)
    assert more or len(chosen(unpooled, "1")) > len(before), "unless the other topic used the budget"
    assert sum(pools.pooled_by_topic(unpooled).values()) <= 12
    assert wrong(unpooled) == []
    board = Board()
    assert board.table(unpooled, ["AP"]).rows == score_campaign(unpooled, ["AP"]).rows
    saved = save_bundle(unpooled, tmp_path / "live.zip", options=BundleOptions(runs=True))
    import_bundle(str(saved.path), tmp_path / "again.db", actor="Olga")
    with open_campaign(tmp_path / "again.db") as again:
        assert score_campaign(again, ["AP"]).rows == score_campaign(unpooled, ["AP"]).rows


@pytest.mark.parametrize("strategy", SAMPLED)
def test_estimates_of_a_sample_leave_a_withdrawn_topic_out_and_have_it_back_as_it_was(
    unpooled: Campaign, strategy: str
) -> None:
    add_pool(unpooled.by("Olga"), strategy=strategy, seed=3, **SAMPLED[strategy])
    judge_all(unpooled)
    whole, head = score_campaign(unpooled, ESTIMATES), log.newest_seq(unpooled)
    board = Board()
    assert board.table(unpooled, ESTIMATES).rows == whole.rows
    withdraw_topics(unpooled.by("Olga"), ["1"])
    alone = score_campaign(unpooled, ESTIMATES)
    assert (alone.topics, whole.topics) == (1, 2)
    assert board.table(unpooled, ESTIMATES).rows == alone.rows
    assert score_campaign(unpooled.at(head), ESTIMATES).rows == whole.rows
    assert wrong(unpooled) == []
    restore_topics(unpooled.by("Olga"), ["1"])
    assert board.table(unpooled, ESTIMATES).rows == score_campaign(unpooled, ESTIMATES).rows == whole.rows
    for seq in range(head - 2, log.newest_seq(unpooled) + 1):
        then = board_history_of(unpooled).table(unpooled, ESTIMATES, seq)
        assert then.rows == score_campaign(unpooled.at(seq), ESTIMATES).rows
    assert wrong(unpooled) == []
