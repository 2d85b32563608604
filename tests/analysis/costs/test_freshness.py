"""How recent what runs find is follows from a field of the documents; what has no date is said."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from tests.conftest import ROOT, write_run
from tests.sentences import refused, says
from workbench.analysis.costs.freshness import Freshnesses, freshness_of, sentences
from workbench.campaign.ingest import add_documents, add_runs, add_topics
from workbench.core.errors import CampaignError
from workbench.storage.campaign import Campaign, create_campaign

DATES = {
    "new": "2026-03-01",
    "week": "2026-02-22T10:00:00Z",
    "old": "2025-03-01",
    "later": "2999-01-01",
    "odd": "May",
}
TOPICS = range(1, 26)


@pytest.fixture
def dated(tmp_path: Path) -> Iterator[Campaign]:
    """25 topics: fresh has a new document at the top of all but 4 of them, stale an old one before a new one."""
    texts = [{"id": name, "text": name, "date": day} for name, day in DATES.items()] + [
        {"id": "bare", "text": "x"}
    ]
    (tmp_path / "documents.jsonl").write_text("".join(json.dumps(each) + "\n" for each in texts))
    (tmp_path / "topics.tsv").write_text("".join(f"{number}\tx\n" for number in TOPICS))
    fresh = {str(number): "old week bare" if number > 21 else "new week bare" for number in TOPICS}
    stale = {str(number): "old new odd later" for number in TOPICS}
    with create_campaign(tmp_path / "dated.db") as campaign:
        by_olga = campaign.by("Olga")
        add_topics(by_olga, [str(tmp_path / "topics.tsv")])
        add_documents(by_olga, [str(tmp_path / "documents.jsonl")], keep_all=True)
        runs = {"fresh": fresh, "stale": stale, "none": {"1": "bare"}}
        add_runs(by_olga, [write_run(tmp_path / f"{tag}.run", tag, rows) for tag, rows in runs.items()])
        yield campaign


def asked(campaign: Campaign, on: date | None = date(2026, 3, 1), field: str = "date") -> Freshnesses:
    return freshness_of(campaign, field=field, on=on, within=3, cutoff=4)


def test_shares_ranks_and_ages_are_those_by_hand(dated: Campaign) -> None:
    found = asked(dated)
    stale, fresh, none = found.runs
    assert (fresh.run, fresh.topics, fresh.dated) == ("fresh", 25, pytest.approx(2 / 3))
    # Of 25 topics 21 have 1 recent of 2, with ages 0 and 7; 4 have none, with ages 365 and 7.
    expected = (21 / 25 / 2, 21 / 25, (21 * 3.5 + 4 * 186) / 25)
    assert (fresh.recent, fresh.first_recent, fresh.age) == pytest.approx(expected)
    assert fresh.interval_from is not None and fresh.interval_from < 0.42
    # No topic differs, so there is nothing to have an interval by.
    assert stale[1:] == (25, 0.5, 0.5, None, None, 0.5, 182.5)
    assert none == ("none", 0, 0.0, None, None, None, None, None)
    assert all(says(text) for text in sentences(found))


def test_without_a_day_ages_count_from_that_of_the_newest_run_and_later_dates_are_none(
    dated: Campaign,
) -> None:
    found = asked(dated, None)
    assert found.on < "2999" and found.later == 1


def test_a_field_without_dates_is_refused_with_the_way_out(dated: Campaign) -> None:
    with refused(CampaignError, "published"):
        asked(dated, field="published")


@pytest.mark.slow
def test_intervals_of_recent_shares_hold_as_documented(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    import coverage_of_freshness as benchmark  # type: ignore[import-not-found]

    for number, world in enumerate(product(benchmark.MEANS, benchmark.SPREADS, benchmark.TOPICS)):
        hits, shown = benchmark.held(np.random.default_rng(number), *world, 400)
        assert shown < 100 or hits >= 0.9 * shown, world
