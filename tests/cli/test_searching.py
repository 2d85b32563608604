"""search: what it shows, and what it pools."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

from tests.fixture_types import Fails, Workbench
from tests.sentences import says
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import pools


def test_a_search_shows_what_is_found_and_changes_nothing(
    done: Workbench, state: Callable[[], bytes]
) -> None:
    before = state()
    rows = list(csv.reader(done("search small 1 text d1 --format csv").stdout.splitlines()))
    assert rows == [
        ["rank", "document_id", "title", "pooled", "judged", "excerpt"],
        ["1", "d1", "Document d1", "yes", "", "The *text* of document 1."],
    ]
    content = json.loads(done("search small 1 d3 --format json").stdout)
    assert [(each["document_id"], each["pooled"], each["judged"]) for each in content] == [
        ("d3", False, False)
    ]
    assert len(done("search small 1 text --limit 2").stdout.splitlines()) == 3
    assert state() == before


def test_documents_that_are_named_and_the_first_ones_are_pooled(done: Workbench, campaign: Campaign) -> None:
    made = done("search small 1 text --add d5 --add-first 3")
    assert says(made.stderr)
    assert [pair.pooled.document_id for pair in pools.pooled_pairs(campaign) if pair.pool == 2] == [
        "d3",
        "d5",
    ]


def test_what_is_pooled_or_was_not_found_is_refused_with_a_way_out(fails: Fails) -> None:
    assert says(fails("search small 1 text --add d1"))
    assert says(fails("search small 1 text --limit 1 --add d3"))


def test_a_search_that_finds_nothing_says_what_to_try(done: Workbench) -> None:
    nothing = done("search small 1 text heron")
    assert nothing.stdout == ""
    assert says(nothing.stderr)
    for words in (("heron",), ("heron", "crane", "--any")):
        assert "try other words. " in done("search small 1", *words).stderr


def test_a_title_sends_nothing_to_the_terminal(done: Workbench, folder: Path) -> None:
    title = "a\x1b]0;owned\x07\nb"
    (folder / "odd.jsonl").write_text(json.dumps({"id": "odd", "title": title, "text": "heron"}) + "\n")
    done("add documents small odd.jsonl --all")
    shown = done("search small 1 heron").stdout
    assert "a ]0;owned  b" in shown
    assert len(shown.splitlines()) == 2
