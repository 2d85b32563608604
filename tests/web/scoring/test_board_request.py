"""What an address asks of a board: measures, rows, and what the menu offers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask, g
from werkzeug.exceptions import NotFound

from workbench.methods.measures import MEASURES, parse_measure
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.log.log import newest_seq
from workbench.web.scoring import board_request
from workbench.web.scoring.board_request import (
    Shown,
    choices,
    is_offered,
    kept,
    known,
    read_request,
    read_shown,
)
from workbench.web.scoring.board_view import Row

ROWS = [Row(run, team, None, ()) for run, team in (("bm25", "Ice"), ("dense", "Ice"), ("Bm25-rrf", "Snow"))]


@pytest.fixture
def campaign(small: Path) -> Iterator[Campaign]:
    with open_campaign(small) as opened:
        yield opened


@pytest.mark.parametrize(
    ("shown", "places"),
    [
        (Shown(), [1, 2, 3]),
        (Shown(text="BM25"), [1, 3]),
        (Shown(text="bm25 ice"), [1]),
        (Shown(team="Ice"), [1, 2]),
        (Shown(text="dense", team="Snow"), []),
        (Shown(ticked=("dense",)), [1, 2, 3]),
        (Shown(ticked=("dense",), only_ticked=True), [2]),
        (Shown(ticked=("dense",), only_ticked=True, team="Snow"), []),
    ],
)
def test_the_rows_that_are_left_keep_their_places_on_the_board(shown: Shown, places: list[int]) -> None:
    assert [place for place, _ in shown.of(ROWS)] == places


@pytest.mark.parametrize(
    ("query", "shown", "said"),
    [
        ("", Shown(), {}),
        ("q=+ice+&team=A", Shown(text="ice", team="A"), {"q": "ice", "team": "A"}),
        (
            "run=a&run=b&run=a&only=1",
            Shown(ticked=("a", "b"), only_ticked=True),
            {"run": ["a", "b"], "only": "yes"},
        ),
        ("rows=all", Shown(every=True), {"rows": "all"}),
        ("rows=50", Shown(), {}),
        ("by=team&intervals=1", Shown(), {"by": "team", "intervals": "yes"}),
        ("topics=finished", Shown(), {"topics": "finished"}),
        ("topics=some&by=run", Shown(), {}),
    ],
)
def test_an_address_says_what_is_shown_and_links_say_it_again(
    app: Flask, campaign: Campaign, query: str, shown: Shown, said: dict[str, object]
) -> None:
    with app.test_request_context(f"/c/small/board?{query}"):
        g.campaign = campaign
        assert read_shown() == shown
        links = kept(read_request(), shown)
    assert {name: value for name, value in links.items() if value is not None} == said


def test_measures_and_the_row_are_those_of_the_address(app: Flask, campaign: Campaign) -> None:
    newest = newest_seq(campaign)
    with app.test_request_context(f"/c/small/board?m=+AP+&m=&m=RR&as-of={newest - 1}"):
        g.campaign = campaign
        found = read_request()
    assert (found.names, found.as_of, found.wrong) == (("AP", "RR"), newest - 1, "")
    with app.test_request_context("/c/small/board?as-of=never"):
        g.campaign = campaign
        found = read_request()
    assert (found.as_of, "never" in found.wrong, found.names) == (None, True, board_request.SHOWN_MEASURES)


@pytest.mark.parametrize("part", ["9", "1-else"])
def test_a_round_that_is_not_there_is_not_there(app: Flask, campaign: Campaign, part: str) -> None:
    with app.test_request_context(f"/c/small/board?round={part}"), pytest.raises(NotFound):
        g.campaign = campaign
        read_request()


def test_the_menu_offers_every_measure_that_needs_neither_subtopics_nor_more_than_a_cutoff() -> None:
    offered = {parse_measure(choice.name).name for choice in choices([])}
    assert offered == {name for name, entry in MEASURES.items() if is_offered(entry)}
    assert {"AP", "P", "nDCG", "RBP"} <= offered
    assert "alpha_nDCG" not in offered
    names = [choice.name for choice in choices(["P@7", "AP"])]
    assert len(names) == len(set(names))
    assert names[-1] == "P@7"
    assert [choice.name for choice in choices(["P@7", "AP"]) if choice.chosen] == ["AP", "P@7"]


def test_what_does_not_exist_or_needs_subtopics_is_handed_back() -> None:
    assert known(["AP", "nonsense", "P(rel=2)@5", "alpha_nDCG@10"]) == (
        ["AP", "P(rel=2)@5"],
        ["nonsense", "alpha_nDCG@10"],
    )


def test_a_menu_that_was_made_before_reads_no_name_again(monkeypatch: pytest.MonkeyPatch) -> None:
    first = choices(["P@7"])
    monkeypatch.setattr("workbench.methods.measures.parsing.bind", None)
    assert choices(["P@7"]) == first
    with pytest.raises(TypeError):
        choices(["P@8"])
