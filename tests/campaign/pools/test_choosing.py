"""Adaptive pools choose their next documents as judgments arrive; the log alone says what was chosen, and why."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.conftest import NOW, SMALL_GRADES, write_run
from tests.found_wrong import wrong
from tests.judged_pairs import judge_as
from tests.sentences import refused, says
from workbench.analysis.run_profiles.contribution import brought
from workbench.campaign import assessing
from workbench.campaign.assigning import changing
from workbench.campaign.content_changes import withdraw_runs
from workbench.campaign.ingest import add_documents, add_runs, add_topics
from workbench.campaign.new_campaign import new_campaign
from workbench.campaign.pools import choosing
from workbench.campaign.pools.candidates import Candidates
from workbench.campaign.pools.choosing import Chooser, choose_for, choose_next
from workbench.campaign.pools.making import add_pool
from workbench.campaign.pools.plan import plan_pool
from workbench.campaign.pools.pool_job import retire_pool
from workbench.core.errors import UnknownName
from workbench.methods.pooling import STRATEGIES
from workbench.methods.pooling.adaptive import adaptive_sequence
from workbench.release.bundle.importing import import_bundle
from workbench.release.bundle.writing import BundleOptions, save_bundle
from workbench.scoring.board.live import Board, board_of
from workbench.scoring.board.past_boards import board_history_of
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.collection import choices, documents, pools
from workbench.storage.campaign.log import log

RUNS = {
    "a": {"1": "d1 d2 d3 d4 d5 d6", "2": "d1 d2 d3"},
    "b": {"1": "d7 d8 d1 d9 d2 d3", "2": "d4 d5 d1"},
    "c": {"1": "d6 d9 d4 d7 d1 d8", "2": "d5 d6 d7"},
}
RELEVANT = {"1": {"d7", "d9", "d8", "d3"}, "2": {"d5"}}
"""Topic 1 has nine candidates to depth 6, topic 2 has seven."""

ADAPTIVE = [name for name, one in STRATEGIES.items() if one.kind == "adaptive"]


@pytest.fixture(scope="module")
def unpooled_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign with the three runs and every text, and no pool."""
    folder = tmp_path_factory.mktemp("unpooled")
    (folder / "topics.tsv").write_text("1\tfrozen rivers\n2\twarm lakes\n", encoding="utf-8")
    texts = [json.dumps({"id": f"d{number}", "text": f"The text of {number}."}) for number in range(1, 10)]
    (folder / "documents.jsonl").write_text("\n".join(texts) + "\n", encoding="utf-8")
    files = [write_run(folder / f"{tag}.run", tag, rankings) for tag, rankings in RUNS.items()]
    path = folder / "unpooled.db"
    with new_campaign(path, title="Live", grades=SMALL_GRADES, actor="Olga", now=NOW) as campaign:
        add_topics(campaign.by("Olga", NOW), [str(folder / "topics.tsv")])
        add_runs(campaign.by("Olga", NOW), files)
        add_documents(campaign.by("Olga", NOW), [str(folder / "documents.jsonl")], keep_all=True)
    return path


@pytest.fixture
def unpooled(unpooled_file: Path, tmp_path: Path) -> Iterator[Campaign]:
    path = tmp_path / "live.db"
    shutil.copyfile(unpooled_file, path)
    with open_campaign(path) as campaign:
        yield campaign


def pool(campaign: Campaign, strategy: str = "hedge", **parameters: Any) -> pools.StoredPool:
    return add_pool(campaign.by("Olga"), **{"strategy": strategy, "depth": 6, **parameters}).pool


def in_order(campaign: Campaign, topic_id: str) -> list[str]:
    """What was chosen for a topic, in the order of the log."""
    return [
        document_id
        for choice in choices.all_choices(campaign)
        if choice.topic_id == topic_id
        for document_id, _, _ in choice.pairs
    ]


def _raising(error: BaseException) -> Callable[..., None]:
    def function(*_: object, **__: object) -> None:
        raise error

    return function


def waiting(campaign: Campaign, topic_id: str, assessor: str = "Ann") -> list[str]:
    return [
        item.document_id for item in assessing.queue(campaign, topic_id, assessor) if item.state == "open"
    ]


def judge_one(campaign: Campaign, topic_id: str, assessor: str = "Ann") -> str:
    """Judge the first waiting document by RELEVANT, and let the pools choose."""
    document_id = waiting(campaign, topic_id, assessor)[0]
    judge_as(campaign, assessor, topic_id, document_id, int(document_id in RELEVANT[topic_id]))
    choose_next(campaign)
    return document_id


def judge_all(campaign: Campaign) -> None:
    for topic_id in ("1", "2"):
        while waiting(campaign, topic_id):
            judge_one(campaign, topic_id)


@pytest.mark.parametrize("name", ADAPTIVE)
@pytest.mark.parametrize("burn_in", [0, 1])
def test_judged_one_by_one_a_pool_is_what_a_simulation_of_it_judges(
    unpooled: Campaign, name: str, burn_in: int
) -> None:
    made = pool(unpooled, name, batch=1, burn_in=burn_in, budget=6, per_topic=True)
    candidates = Candidates(made)
    own = {
        each: value for each, value in candidates.parameters.items() if each in {"rate", "seed", "beta", "p"}
    }
    expected = {}
    for topic_id in ("1", "2"):
        table = candidates.table(unpooled, topic_id)
        assert table is not None
        labels = np.array([each in RELEVANT[topic_id] for each in table.document_id])
        entry = STRATEGIES[name].order
        assert entry is not None
        grows = STRATEGIES[name].grows
        places = adaptive_sequence(entry, table, labels, budget=6, burn_in=burn_in, grows=grows, **own)
        expected[topic_id] = [table.document_id[place] for place in places]
    at_first = {
        topic_id: set(pools.pooled_of_topic(unpooled.at(made.seq), topic_id)) for topic_id in expected
    }
    judge_all(unpooled)
    for topic_id, sequence in expected.items():
        begun = len(at_first[topic_id])
        assert at_first[topic_id] == set(sequence[:begun])
        # The burn-in is judged in another order here than there, which some orders notice.
        if name != "mtf" or not begun:
            assert in_order(unpooled, topic_id) == sequence[begun:]
    assert pools.pooled_by_topic(unpooled) == {"1": 6, "2": 6}
    assert wrong(unpooled) == []


def test_a_restart_and_a_second_server_choose_the_same(unpooled: Campaign) -> None:
    pool(unpooled, batch=2)
    for topic_id in ("1", "2", "1"):
        document_id = waiting(unpooled, topic_id)[0]
        judge_as(unpooled, "Ann", topic_id, document_id, int(document_id in RELEVANT[topic_id]))
        with open_campaign(unpooled.path) as other:
            assert Chooser().next(other) == Chooser().next(unpooled)
        choose_next(unpooled)


def test_a_pool_whose_making_was_killed_before_its_first_choices_makes_them_later(
    unpooled: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        pass

    def killed(campaign: Campaign, **_: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr("workbench.campaign.pools.making.choose_next", killed)
        with pytest.raises(Killed):
            pool(unpooled, batch=2)
    assert len(pools.all_pools(unpooled)) == 1
    assert wrong(unpooled) == []
    choose_next(unpooled)
    assert pools.pooled_by_topic(unpooled) == {"1": 2, "2": 2}
    assert wrong(unpooled) == []


def test_a_choice_that_is_killed_before_it_is_stored_is_made_again(unpooled: Campaign) -> None:
    class Killed(BaseException):
        pass

    with pytest.MonkeyPatch.context() as patch, pytest.raises(Killed):
        patch.setattr("workbench.campaign.pools.making.choose_next", lambda campaign, **_: [])
        pool(unpooled, batch=1)
        patch.setattr(choices, "put_choice", _raising(Killed()))
        choose_next(unpooled)
    assert choices.all_choices(unpooled) == []
    assert len(choose_next(unpooled)) == 2


def test_of_two_servers_that_choose_at_once_one_stores(unpooled: Campaign) -> None:
    pool(unpooled, batch=1)
    judge_as(unpooled, "Ann", "1", waiting(unpooled, "1")[0], 1)
    with open_campaign(unpooled.path) as other:
        chosen: list[int] = []
        before = Chooser.next

        def late(chooser: Chooser, campaign: Campaign) -> list[choices.Choice]:
            found = before(chooser, campaign)
            if not chosen:
                chosen.append(1)
                chosen.append(len(choose_next(other)))
            return found

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Chooser, "next", late)
            assert choose_next(unpooled) == []
    assert chosen[1] == 1
    assert choose_next(unpooled) == []
    assert pools.pooled_by_topic(unpooled) == {"1": 2, "2": 1}
    assert wrong(unpooled) == []


def test_a_pool_made_in_between_does_not_keep_a_topic_waiting(unpooled: Campaign) -> None:
    pool(unpooled, batch=1)
    judge_as(unpooled, "Ann", "1", waiting(unpooled, "1")[0], 1)
    before = Chooser.next

    def late(chooser: Chooser, campaign: Campaign) -> list[choices.Choice]:
        found = before(chooser, campaign)
        if len(pools.all_pools(campaign)) == 1:
            add_pool(campaign.by("Olga"), strategy="list", pairs=["2 d3"])
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Chooser, "next", late)
        choose_next(unpooled)
    assert len(waiting(unpooled, "1")) == 1
    assert wrong(unpooled) == []


def test_by_need_the_budget_goes_where_relevant_documents_are_found(unpooled: Campaign) -> None:
    pool(unpooled, batch=1, budget=10, spread="by-need", minimum=2)
    while any(waiting(unpooled, topic_id) for topic_id in ("1", "2")):
        for topic_id in ("1", "2"):
            for document_id in waiting(unpooled, topic_id):
                judge_as(unpooled, "Ann", topic_id, document_id, int(topic_id == "1"))
                choose_next(unpooled)
    pooled = pools.pooled_by_topic(unpooled)
    assert sum(pooled.values()) == 10
    assert pooled["1"] > pooled["2"] >= 2
    assert wrong(unpooled) == []


def test_what_earlier_pools_have_counts_in_the_budget_and_is_not_chosen_again(unpooled: Campaign) -> None:
    add_pool(unpooled.by("Olga"), depth=1)
    assert pools.pooled_by_topic(unpooled) == {"1": 3, "2": 3}
    pool(unpooled, budget=4, per_topic=True)
    judge_all(unpooled)
    assert pools.pooled_by_topic(unpooled) == {"1": 4, "2": 4}
    assert wrong(unpooled) == []


def test_a_closed_topic_gets_no_more_until_it_is_opened_again(unpooled: Campaign) -> None:
    pool(unpooled, batch=1)
    judge_as(unpooled, "Ann", "1", waiting(unpooled, "1")[0], 1)
    changing.close(unpooled.by("Olga"), ["1"])
    assert choose_next(unpooled) == []
    changing.reopen(unpooled.by("Olga"), ["1"])
    assert [choice.topic_id for choice in choose_next(unpooled)] == ["1"]


def test_with_all_runs_withdrawn_nothing_more_is_chosen(unpooled: Campaign) -> None:
    pool(unpooled, batch=1)
    for tag in RUNS:
        withdraw_runs(unpooled.by("Olga"), [tag], reason="broken")
    judge_all(unpooled)
    assert pools.pooled_by_topic(unpooled) == {"1": 1, "2": 1}


def test_a_campaign_without_texts_is_not_pooled_whole(small: Campaign) -> None:
    retire_pool(small.by("Olga"), 1)
    with small.write():
        small.db.conn.execute("UPDATE document SET text = NULL, text_hash = NULL, source = NULL")
    add_pool(small.by("Olga"), strategy="hedge", depth=3, batch=1)
    while choose_next(small):
        pass
    assert pools.pooled_by_topic(small)["1"] == 4
    assert pools.pooled_by_topic(small)["10"] == 1


def test_every_candidate_has_a_row_so_that_its_text_is_there_when_it_is_chosen(unpooled: Campaign) -> None:
    with unpooled.write():
        unpooled.db.conn.execute("DELETE FROM document")
    pool(unpooled, batch=1)
    assert documents.all_without_text(unpooled) == [f"d{number}" for number in range(1, 10)]


@pytest.mark.parametrize(
    "parameters",
    [
        {"minimum": 2, "budget": 8},
        {"minimum": 5, "spread": "by-need", "budget": 8},
        {"budget": 100},
        {"batch": 0},
        {"spread": "wide"},
        {"spread": "by-score"},
    ],
)
def test_what_cannot_be_is_refused_and_not_made(unpooled: Campaign, parameters: dict[str, Any]) -> None:
    before = log.head(unpooled)
    with refused(UnknownName):
        pool(unpooled, **parameters)
    with refused(UnknownName):
        plan_pool(unpooled, strategy="hedge", depth=6, **parameters)
    assert log.head(unpooled) == before


def test_boards_plans_histories_and_contributions_follow_a_choice(unpooled: Campaign) -> None:
    pool(unpooled, batch=1)
    names = ["AP", "Judged@5"]
    for topic_id in ("1", "2", "1", "1"):
        board_of(unpooled).table(unpooled, names)
        judge_one(unpooled, topic_id)
        assert board_of(unpooled).table(unpooled, names) == Board().table(unpooled, names)
        assert plan_pool(unpooled, depth=6).before == sum(pools.pooled_by_topic(unpooled).values())
        newest = log.newest_seq(unpooled)
        history = board_history_of(unpooled).table(unpooled, names, newest)
        assert [row.values for row in history.rows] == [
            row.values for row in board_of(unpooled).table(unpooled, names).rows
        ]
    having = dict.fromkeys(RUNS, 0)
    for topic_id in ("1", "2"):
        for document_id in pools.pooled_of_topic(unpooled, topic_id):
            for tag, rankings in RUNS.items():
                having[tag] += document_id in rankings[topic_id].split()
    assert list(brought(unpooled).pooled.values()) == list(having.values())


def test_a_bundle_brings_the_choices_along(unpooled: Campaign, tmp_path: Path) -> None:
    made = pool(unpooled, batch=2, budget=10)
    for topic_id in ("1", "2", "1"):
        judge_one(unpooled, topic_id)
    retire_pool(unpooled.by("Olga"), made.pool, reason="start again")
    pool(unpooled, "mtf", batch=1, budget=14)
    judge_one(unpooled, "2")
    save_bundle(unpooled, tmp_path / "b.zip", options=BundleOptions(runs=True))
    import_bundle(tmp_path / "b.zip", tmp_path / "again.db", actor="Olga")
    with open_campaign(tmp_path / "again.db") as again:
        assert pools.pooled_pairs(again) == [
            pair._replace(choice=None) for pair in pools.pooled_pairs(unpooled)
        ]
        assert [choice[:3] for choice in choices.all_choices(again)] == [
            choice[:3] for choice in choices.all_choices(unpooled)
        ]
        assert wrong(again) == []


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM pooled WHERE choice IS NOT NULL",
        "UPDATE pooled SET best_rank = 9",
        "UPDATE pooled SET choice = NULL",
    ],
)
def test_damage_to_what_was_chosen_is_found(unpooled: Campaign, statement: str) -> None:
    pool(unpooled, batch=1)
    with unpooled.write():
        unpooled.db.conn.execute(statement)
    assert says(wrong(unpooled)[0][1][0])


def test_the_budget_goes_to_the_topic_whose_documents_decide_more(unpooled: Campaign) -> None:
    # All runs have topic 1 alike, but for what is at the end: what tells them apart is topic 2.
    withdraw_runs(unpooled.by("Olga"), list(RUNS))
    for number, (first, second) in enumerate(
        [("d1 d2 d3", "d4 d5"), ("d1 d2 d3", "d6 d7"), ("d1 d3 d2", "d8 d9")]
    ):
        path = unpooled.path.parent / f"like{number}"
        write_run(path, f"like{number}", {"1": first, "2": second})
        add_runs(unpooled.by("Olga"), [str(path)])
    pool(unpooled, "separate", pairs="open", spread="by-score", batch=1, budget=5)
    choose_next(unpooled)
    while waiting(unpooled, "2"):
        judge_one(unpooled, "2")
    assert {topic: len(in_order(unpooled, topic)) for topic in "12"} == {"1": 0, "2": 5}
    assert wrong(unpooled) == []


def test_a_worker_chooses_what_is_due_and_says_whether_there_was_anything(
    unpooled: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[set[str]] = []
    monkeypatch.setattr(choosing, "find_near_duplicates", lambda campaign, topics: looked.append(topics))
    pool(unpooled)
    assert choose_for(unpooled.path) is False
    judge_as(unpooled, "Anna", "1", choices.all_choices(unpooled)[0].pairs[0][0], 0)
    assert (choose_for(unpooled.path), looked) == (True, [{"1"}])
