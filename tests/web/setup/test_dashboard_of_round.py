"""The dashboard shows the open round's progress, and all rounds together at a click."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from tests.three_rounds import ROUNDS, add_round, judge
from workbench.analysis.dashboard.progress import State, state_of
from workbench.campaign.pools.making import add_pool
from workbench.campaign.rounds import open_round, part_named
from workbench.storage.campaign import Campaign, create_campaign
from workbench.storage.campaign.people import members

NOW = datetime(2026, 5, 1, tzinfo=UTC)


@pytest.fixture
def pooled(instance: Path, tmp_path: Path) -> Iterator[Campaign]:
    """Round 1 pooled to depth 2 and judged; of round 2's pool to depth 2 two pairs are judged, and one again."""
    with create_campaign(instance / "covid.db") as campaign:
        with campaign.write():
            members.put(campaign.by("Anna"), "Anna", "organiser")
        add_round(campaign, ROUNDS["1"], tmp_path)
        add_pool(campaign.by("Anna"), depth=2)
        judge(campaign, {("1", "d1"): 1, ("1", "d2"): 0, ("1", "d4"): 0, ("2", "d1"): 0, ("2", "d5"): 1})
        open_round(campaign.by("Anna"), "2")
        add_round(campaign, ROUNDS["2"], tmp_path)
        add_pool(campaign.by("Anna"), depth=2, residual=True)
        judge(campaign, {("1", "n1"): 1, ("3", "d2"): 0})
        judge(campaign, {("3", "d2"): 1, ("1", "d1"): 0})
        yield campaign


def numbers(state: State) -> dict[str, int]:
    return {name: getattr(state, name) for name in ("runs", "pooled", "judged", "graded", "relevant")}


def test_the_state_of_a_round_counts_the_pairs_of_its_pools(pooled: Campaign) -> None:
    whole, first, second = (
        numbers(state_of(pooled.of(part_named(pooled, name)), now=NOW)) for name in ("all", "1", "2")
    )
    # Residual, to depth 2: topic 1 n1, d3, n2; topic 2 n3 (d6 is of the first pool); topic 3 n1, d1, d2.
    assert second == {"runs": 2, "pooled": 7, "judged": 2, "graded": 2, "relevant": 2}
    assert first == {"runs": 2, "pooled": 6, "judged": 5, "graded": 5, "relevant": 1}
    assert whole == {name: first[name] + second[name] for name in whole}


def test_the_page_shows_the_open_round_and_the_others_at_a_click(anna: FlaskClient, pooled: Campaign) -> None:
    def lead(asked: str) -> str:
        return re.findall(r'<p class="lead">(.*?)</p>', anna.get(f"/c/covid/dashboard{asked}").text)[0]

    assert lead("").startswith("2 of 7 pooled pairs judged")
    assert lead("?round=1").startswith("5 of 6 pooled pairs judged")
    assert lead("?round=all").startswith("7 of 13 pooled pairs judged")
    switch = re.findall(r'<nav class="over-rounds".*?</nav>', anna.get("/c/covid/dashboard").text, re.DOTALL)
    assert re.findall(r'aria-current="true">(.*?)<', switch[0]) == ["2"]
    assert re.findall(r">([^<>]+)</a>", switch[0]) == ["1", "2", "all together"]
