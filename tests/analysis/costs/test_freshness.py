"""How recent what runs find is follows from a field of the documents; what has no date is said."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from tests.conftest import ROOT, write_run
from tests.sentences import refused, says
from workbench.analysis.costs.freshness import FRESHNESS, Freshnesses, freshness_of, sentences
from workbench.campaign.ingest import add_documents, add_qrels, add_runs, add_topics
from workbench.campaign.submissions.correcting import Correction, correct_runs
from workbench.core.errors import UnknownName
from workbench.methods.costs import found_within
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
    day = "" if on is None else on.isoformat()
    return freshness_of(campaign, on_step=lambda *step: None, field=field, on=day, within=3, cutoff=4)


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
    found = asked(dated, field="published")
    assert says(found.reason, "published") and (found.runs, found.teams) == ((), ())
    with refused(UnknownName, "May"):
        freshness_of(dated, on_step=lambda *step: None, on="May")


def test_the_share_found_after_so_many_days_is_that_of_kaplan_and_meier() -> None:
    # Found after 2, 2 and 6 days; not found within 3 and within 9.
    after, share = found_within(np.array([2.0, 2, 6, 3, 9]), np.array([True, True, True, False, False]))
    assert after.tolist() == [2, 6]
    assert share.tolist() == pytest.approx([2 / 5, 1 - 3 / 5 * 1 / 2])
    assert [len(each) for each in found_within(np.array([3.0]), np.array([False]))] == [0, 0]


INDEXED = {"monday": 40, "tuesday": 30, "alone": 35, "friday": 0}
"""How many days before today the index of a run was made; all but alone are of one team."""
NEW = {"soon": 33, "slow": 33, "never": 10, "before": 50, "odd": 20}
"""How many days before today a document is dated. Tuesday has soon after 3 days, Friday has slow after 33."""


@pytest.fixture
def over_time(tmp_path: Path) -> Iterator[Campaign]:
    today = datetime.now(UTC).date()
    texts = [
        {"id": name, "text": name, "day": (today - timedelta(days=days)).isoformat()}
        for name, days in NEW.items()
    ]
    (tmp_path / "documents.jsonl").write_text("".join(json.dumps(each) + "\n" for each in texts))
    (tmp_path / "topics.tsv").write_text("1\tx\n")
    (tmp_path / "qrels").write_text("".join(f"1 0 {name} 1\n" for name in NEW))
    found = {"monday": "before", "tuesday": "soon before odd", "alone": "before", "friday": "before slow"}
    files = [write_run(tmp_path / f"{tag}.run", tag, {"1": rows}) for tag, rows in found.items()]
    with create_campaign(tmp_path / "over.db") as campaign:
        by_olga = campaign.by("Olga")
        add_topics(by_olga, [str(tmp_path / "topics.tsv")])
        add_documents(by_olga, [str(tmp_path / "documents.jsonl")], keep_all=True)
        add_runs(by_olga, [file for file in files if "alone" not in file], team="week")
        add_runs(by_olga, [file for file in files if "alone" in file])
        add_qrels(by_olga, [str(tmp_path / "qrels")])
        ages = {tag: Correction(costs={"index_age": float(days)}) for tag, days in INDEXED.items()}
        correct_runs(by_olga, ages)
        yield campaign


def test_new_documents_are_found_after_the_days_by_hand_and_the_field_is_found(over_time: Campaign) -> None:
    found = FRESHNESS.answer(over_time, {"within": 5})
    alone, week = found.teams
    assert (found.field, alone.team, alone.new, alone.median) == ("day", "alone", 0, None)
    # soon, slow and never; before is older than the first run, and odd was found 10 days before its date.
    assert (week.team, week.runs, week.new, week.found, found.early) == ("week", 3, 3, 2, 1)
    # A third after 3 days; never is looked for during 10 days, so slow is the last: all after 33.
    assert (week.soon, week.median) == (pytest.approx(1 / 3), 33)
    assert FRESHNESS.answer(over_time, {"within": 34}).teams[1].soon is None
    assert says(sentences(found)[-1], "1 ")


@pytest.mark.slow
def test_intervals_of_recent_shares_hold_as_documented(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    import coverage_of_freshness as benchmark  # type: ignore[import-not-found]

    for number, world in enumerate(product(benchmark.MEANS, benchmark.SPREADS, benchmark.TOPICS)):
        hits, shown = benchmark.held(np.random.default_rng(number), *world, 400)
        assert shown < 100 or hits >= 0.9 * shown, world
