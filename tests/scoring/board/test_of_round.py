"""A round is scored by its own runs, on whole rankings or on the residual collection; scores by hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sentences import refused, says
from tests.three_rounds import CHANGED, ROUNDS, judge, three_rounds
from workbench.campaign.rounds import find_round, open_round, seen_by_name
from workbench.core.errors import CampaignError
from workbench.core.ranking import UNJUDGED, Rankings, starts_of
from workbench.methods.measures.sampled_rankings import SampleLabels
from workbench.release.export import export_qrels
from workbench.scoring.board import board_of, load_scoring, score_campaign
from workbench.scoring.board.of_round import NO_ESTIMATES, narrowed, round_words
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import runs
from workbench.storage.campaign.log import log


@pytest.fixture
def covid(tmp_path: Path) -> Iterator[Campaign]:
    with three_rounds(tmp_path) as campaign:
        yield campaign


def of(campaign: Campaign, name: str) -> Campaign:
    return seen_by_name(campaign, name)


def scores(campaign: Campaign, *names: str) -> dict[str, list[float]]:
    return {
        row.tag: [round(value, 4) for value in row.values] for row in score_campaign(campaign, names).rows
    }


def rankings(campaign: Campaign) -> dict[str, dict[str, str]]:
    """The rankings that are scored, as the data writes them; topics that a run lacks are left out."""
    scoring = narrowed(campaign, load_scoring(campaign))
    found: dict[str, dict[str, str]] = {}
    for row in range(len(scoring.rankings)):
        one = scoring.rankings.rows_between(row, row + 1)
        topic_id = scoring.topic_ids[int(one.topic[0])]
        vocabulary = runs.vocabulary(campaign, topic_id)
        ids = " ".join(vocabulary[number] for number in one.document.tolist())
        if ids:
            found.setdefault(scoring.tags[int(one.run[0])], {})[topic_id] = ids
    return found


@pytest.mark.parametrize("name", list(ROUNDS))
def test_the_residual_rankings_are_those_without_what_was_judged_before(covid: Campaign, name: str) -> None:
    assert rankings(of(covid, f"{name}-residual")) == ROUNDS[name].residual
    for whole in (name, f"{name}-own"):
        assert rankings(of(covid, whole)) == ROUNDS[name].runs


def test_residual_scores_are_those_by_hand(covid: Campaign) -> None:
    # a2: topic 1 n1 at 1 and n2 at 3 of 2 relevant, topic 2 d5 at 1 of 1, topic 3 n1 at 1 of 1.
    # b2: topic 1 n2 at 2 of 2 relevant, topic 2 nothing, topic 3 n1 at 2 of 1.
    assert scores(of(covid, "2-residual"), "AP", "P@2", "num_rel") == {
        "a2": [round(((1 + 2 / 3) / 2 + 1 + 1) / 3, 4), round((1 / 2 + 1 / 2 + 1 / 2) / 3, 4), 4],
        "b2": [round(((1 / 2) / 2 + 0 + 1 / 2) / 3, 4), round((1 / 2 + 0 + 1 / 2) / 3, 4), 4],
    }
    # c3: topic 1 z2 at 2 of 1, topic 2 z3 at 1 of 1, topic 3 has a judged document and none relevant.
    assert scores(of(covid, "3-residual"), "AP") == {"c3": [round((1 / 2 + 1 + 0) / 3, 4)]}


def test_without_what_was_judged_before_nothing_is_estimated_from_a_sample(covid: Campaign) -> None:
    seen, whole = of(covid, "2-residual"), load_scoring(covid)
    cells = len(whole.labels.label)
    sample = SampleLabels(
        whole.labels.topic_start,
        np.zeros(cells, np.int64),
        whole.labels.label,
        np.ones(cells),
        np.ones(cells, np.bool_),
        has_strata=True,
    )
    for drawn, words, why in (
        (None, "", ""),
        (sample, "", NO_ESTIMATES),
        (None, "the pools were drawn in two ways", NO_ESTIMATES),
    ):
        scoring = replace(whole, sample=drawn, why_no_sample=words)
        assert narrowed(seen, scoring).why_no_sample == why


def test_whole_rankings_are_scored_up_to_the_end_of_the_round_and_the_first_has_no_earlier_one(
    covid: Campaign,
) -> None:
    # Topic 1 has d1, n1 and n2, topic 2 d6 and d5, topic 3 n1.
    assert scores(of(covid, "2"), "AP") == {
        "a2": [round(((1 + 1 + 3 / 5) / 3 + 1 + 1) / 3, 4)],
        "b2": [round(((1 / 2 + 2 / 3) / 3 + 0 + 1 / 2) / 3, 4)],
    }
    whole, residual, own = (score_campaign(of(covid, f"1{each}")) for each in ("", "-residual", "-own"))
    assert whole == residual == own
    assert [row.tag for row in whole.rows] == ["a1", "b1"]


def test_by_its_own_judgments_whole_rankings_are_scored_by_what_was_first_judged_in_the_round(
    covid: Campaign,
) -> None:
    # Topic 1 has n1 and n2, topic 2 d5, topic 3 n1; what round 1 judged is not judged here, and keeps its rank.
    assert scores(of(covid, "2-own"), "AP", "num_rel") == {
        "a2": [round(((1 / 2 + 2 / 5) / 2 + 1 / 2 + 1) / 3, 4), 4],
        "b2": [round(((1 / 3) / 2 + 0 + 1 / 2) / 3, 4), 4],
    }
    # d2 was judged in round 1, so that its new grade is none of round 3: z2 at 6, z3 at 2, and nothing relevant.
    assert scores(of(covid, "3-own"), "AP") == {"c3": [round((1 / 6 + 1 / 2 + 0) / 3, 4)]}


def test_a_round_that_is_over_keeps_its_scores_and_has_none_before_it_begins(covid: Campaign) -> None:
    before = score_campaign(of(covid, "2-residual"))
    judge(covid, {("1", "n1"): 0, ("3", "d1"): 1})
    assert score_campaign(of(covid, "2-residual")) == before
    assert before.seq == find_round(covid, "2").last
    later = scores(of(covid.at(log.newest_seq(covid)), "2-residual"), "P@1")
    assert later["a2"] == [round((0 + 1 + 1) / 3, 4)]
    with refused(CampaignError):
        of(covid.at(3), "2")


def test_a_changed_grade_of_an_earlier_round_is_not_of_the_residual_collection(covid: Campaign) -> None:
    seen = of(covid, "3-residual")
    scoring = narrowed(seen, load_scoring(seen))
    topic, number = scoring.topic_ids.index(CHANGED[0]), scoring.numbers[CHANGED[0]][CHANGED[1]]
    assert scoring.labels.of_topic(topic).label[number] == UNJUDGED
    assert CHANGED in scoring.taken_out
    assert scores(seen, "num_rel") == {"c3": [2]}


@pytest.mark.parametrize("name", ["3", "3-residual", "3-own"])
def test_the_board_of_the_open_round_follows_the_log(covid: Campaign, name: str) -> None:
    seen = of(covid, name)
    board = board_of(seen)
    assert board is board_of(seen)
    names = ["AP", "P@1", "num_rel", "Judged@10"]
    for changes in ({}, {("3", "z1"): 1}, {CHANGED: 0}, {("1", "z1"): 1, ("2", "d6"): 0}):
        if changes:
            judge(covid, changes)
        assert board.table(seen, names) == score_campaign(seen, names)
    assert board.table(seen, ["P@1"]).rows[0].values == ({"3": 2 / 3, "3-residual": 1.0, "3-own": 0.0}[name],)
    assert [row.tag for row in board_of(covid).table(covid, ["AP"]).rows] == ["a1", "b1", "a2", "b2", "c3"]


def test_the_qrels_of_a_round_are_what_was_first_judged_in_it(covid: Campaign) -> None:
    for name, data in ROUNDS.items():
        found = export_qrels(covid, of_round=find_round(covid, name)).qrels
        assert {tuple(line[:2]): line.grade for line in found} == {
            pair: grade for pair, grade in data.grades.items() if (name, pair) != ("3", CHANGED)
        }
    together = export_qrels(covid.at(find_round(covid, "3").last)).qrels
    assert len(together) == sum(len(data.grades) for data in ROUNDS.values()) - 1
    assert {tuple(line[:2]): line.grade for line in together}[CHANGED] == 1


def test_a_round_without_runs_has_no_rows_and_what_is_scored_is_said(covid: Campaign) -> None:
    for name in ("3", "3-residual", "3-own"):
        assert says(round_words(of(covid, name), 1), "Round 3")
    open_round(covid.by("org"), "4")
    for name in ("4", "4-residual", "4-own"):
        seen = of(covid, name)
        assert board_of(seen).table(seen).rows == score_campaign(seen).rows == ()


@given(
    st.lists(st.permutations(list(range(8))).map(lambda order: order[:5]), min_size=1, max_size=4),
    st.sets(st.integers(0, 7)),
)
def test_a_residual_ranking_is_the_ranking_minus_what_is_taken_out(
    rows: list[list[int]], out: set[int]
) -> None:
    lengths = np.array([len(row) for row in rows], np.int64)
    documents = np.array([number for row in rows for number in row], np.uint32)
    run = np.arange(len(rows), dtype=np.int32)
    score = documents.astype(np.float64)
    whole = Rankings(starts_of(lengths), documents, run, np.zeros_like(run), score)
    kept = whole.where(~np.isin(documents, list(out)))
    assert [kept.rows_between(row, row + 1).document.tolist() for row in range(len(rows))] == [
        [number for number in row if number not in out] for row in rows
    ]
    assert kept.score is not None
    assert kept.score.tolist() == kept.document.tolist()
