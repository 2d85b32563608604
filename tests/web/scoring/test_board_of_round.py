"""The leaderboard of one round: its own runs, on whole rankings or without what was judged before."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.sentences import says
from tests.three_rounds import judge, three_rounds
from workbench.analysis.trust.certain_pairs import certain_pairs
from workbench.analysis.trust.intervals import intervals_of
from workbench.campaign.pools.making import add_pool
from workbench.campaign.rounds import find_round, seen_by_name
from workbench.scoring.board import score_campaign
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.collection.rounds import JUDGED
from workbench.storage.campaign.log import log
from workbench.storage.campaign.people import members


@pytest.fixture
def covid(instance: Path) -> Iterator[Campaign]:
    with three_rounds(instance) as campaign:
        with campaign.write():
            members.put(campaign.by("Anna"), "Anna", "organiser")
        add_pool(campaign.by("Anna"), depth=3)
    with open_campaign(instance / "covid.db") as campaign:
        yield campaign


pytestmark = pytest.mark.usefixtures("covid")


def board(client: FlaskClient, query: str) -> Any:
    return client.get(f"/c/covid/api/board?m=AP&m=P@1&{query}").get_json()


def values(told: Any) -> dict[str, list[float]]:
    return {row["run"]: [cell["value"] for cell in row["cells"]] for row in told["rows"]}


@pytest.mark.parametrize("name", ["1", "2", "3"])
@pytest.mark.parametrize("judged", ["", "-residual", "-own"])
def test_it_has_the_digits_of_the_engine(anna: FlaskClient, covid: Campaign, name: str, judged: str) -> None:
    table = score_campaign(seen_by_name(covid, name + judged), ["AP", "P@1"])
    told = board(anna, f"round={name}{judged}")
    assert values(told) == {row.tag: list(row.values) for row in table.rows}
    assert told["seq"] == table.seq
    if name == "2":
        assert f"{table.topics} topics" in told["sentence"]


def test_the_page_offers_rounds_and_says_which_it_shows(anna: FlaskClient, covid: Campaign) -> None:
    text = anna.get("/c/covid/board?m=AP&round=2-residual&intervals=yes").text
    switch = text.partition('<nav class="over-rounds"')[2].partition("</nav>")[0]
    chosen = re.findall(r'aria-current="true">([^<]*)<', switch)
    assert chosen == ["2", JUDGED["residual"]]
    assert re.findall(r"round=([\w-]*)", switch) == ["1", "2", "3", "all", "2", "2-residual", "2-own"]
    assert says(text)
    assert 'data-run="a2"' in text
    assert 'data-run="a1"' not in text
    assert "ranking-stability" not in text
    assert "round=2-residual" in text.partition("<thead")[2].partition("</thead")[0]


def test_the_open_round_follows_the_log_and_one_that_is_over_does_not(
    anna: FlaskClient, covid: Campaign
) -> None:
    over, before = board(anna, "round=2-residual"), board(anna, "round=3-residual")
    judge(covid, {("3", "z1"): 1, ("1", "n1"): 0})
    after = board(anna, "round=3-residual")
    assert values(before)["c3"][1] == pytest.approx(1 / 3)
    assert values(after)["c3"][1] == pytest.approx(2 / 3)
    assert values(board(anna, "round=2-residual")) == values(over)
    late = board(anna, f"round=2-residual&as-of={log.newest_seq(covid)}")
    assert values(late)["a2"] != values(over)["a2"]


def test_how_sure_it_is_is_of_its_own_runs(anna: FlaskClient, covid: Campaign) -> None:
    found = intervals_of(seen_by_name(covid, "2-residual"), ["AP"])
    told = anna.get("/c/covid/api/board/intervals?m=AP&round=2-residual").get_json()
    assert set(told["rows"]) == set(found.tags) == {"a2", "b2"}
    assert told["seq"] == found.head.seq


def test_rows_and_rounds_that_do_not_exist_are_refused(anna: FlaskClient) -> None:
    assert anna.get("/c/covid/board?round=7").status_code == 404
    assert anna.get("/c/covid/api/board?round=2-else").status_code == 404
    early = anna.get("/c/covid/api/board?round=2&as-of=3")
    assert early.status_code == 422
    assert says(early.get_json()["message"])
    assert says(anna.get("/c/covid/board?round=2&as-of=3").text)


def test_without_a_round_it_is_that_of_the_open_one_and_all_together_can_be_seen(
    anna: FlaskClient, covid: Campaign
) -> None:
    assert values(board(anna, "")).keys() == {"c3"}
    assert values(board(anna, "round=all")).keys() == {"a1", "b1", "a2", "b2", "c3"}
    last = find_round(covid, "2").last
    assert values(board(anna, f"as-of={last}")).keys() == {"a2", "b2"}


def test_without_what_was_judged_before_it_other_pairs_are_certain_and_it_says_so(
    anna: FlaskClient, covid: Campaign
) -> None:
    seen = seen_by_name(covid, "2-residual")
    found = certain_pairs(seen, "P@1")
    assert set(found.tags) == {row.tag for row in score_campaign(seen, ["P@1"]).rows}
    told = anna.get("/c/covid/api/board/intervals?m=P@1&round=2-residual").get_json()["certain"]
    assert says(told["text"])
    assert "round=2-residual" in told["address"]
