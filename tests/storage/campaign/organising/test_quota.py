"""A campaign's quota bounds what added files bring in, is known by the log, and refuses no judgment."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.fixture_types import JudgeAs
from tests.sentences import says
from workbench.campaign.ingest import add_documents, add_qrels, add_runs, add_topics
from workbench.campaign.ingest.qrels import read_all
from workbench.campaign.uploads import Sent, receive
from workbench.core.errors import QuotaExceeded
from workbench.release.audit.checks import audit
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.organising.quota import MEGABYTE, check_quota, set_quota, space


def large_documents(folder: Path) -> Path:
    """Two megabytes of texts."""
    lines = (json.dumps({"id": f"n{n}", "text": f"{n} " + "cold water " * 1_000}) + "\n" for n in range(200))
    path = folder / "large.jsonl"
    path.write_text("".join(lines))
    return path


def full(campaign: Campaign) -> None:
    """Leave the campaign no room for anything more."""
    set_quota(campaign.by("root"), 1)


def test_the_space_is_that_of_the_file_without_what_is_free_in_it(small: Campaign) -> None:
    used, quota = space(small)
    small.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    (free,) = small.db.execute("PRAGMA freelist_count").fetchone()
    (size,) = small.db.execute("PRAGMA page_size").fetchone()
    assert (used, quota) == (small.path.stat().st_size - free * size, 0)
    with small.write():
        small.db.conn.execute("CREATE TABLE scratch AS SELECT zeroblob(100000) AS content")
        assert space(small).used > used + 90_000
        small.db.conn.execute("DROP TABLE scratch")
        assert space(small).used <= used + 4_096


def test_a_quota_is_set_and_taken_away_in_the_log_and_once(small: Campaign) -> None:
    before = settings.read(small)
    set_quota(small.by("root"), 5 * MEGABYTE)
    set_quota(small.by("root"), 5 * MEGABYTE)
    assert settings.read(small) == before, "it is none of assessors"
    assert space(small).quota == 5 * MEGABYTE
    set_quota(small.by("root"), 0)
    assert space(small).quota == 0
    told = [event.content for event in log.events(small, "settings") if "quota" in event.content]
    assert told == [{"quota": 5 * MEGABYTE}, {"quota": 0}]
    assert [finding.wrong for finding in audit(small) if finding.wrong] == []


def test_a_file_that_would_pass_the_quota_adds_nothing_and_is_told_the_sizes_and_the_way_out(
    small: Campaign, tmp_path: Path
) -> None:
    set_quota(small.by("root"), MEGABYTE)
    before, used = log.head(small), space(small).used
    sent = Sent(large_documents(tmp_path), "large.jsonl")
    (report,) = receive(small.by("Olga"), "documents", [sent], expanded=10 * MEGABYTE)
    assert (report.added, report.sentence) == (False, "not added")
    (problem,) = report.problems
    assert says(problem.message)
    assert says(problem.message)
    assert (log.head(small), space(small).used) == (before, used)
    set_quota(small.by("root"), 5 * MEGABYTE)
    (report,) = receive(small.by("Olga"), "documents", [sent], expanded=10 * MEGABYTE)
    assert report.added
    assert MEGABYTE < space(small).used < 5 * MEGABYTE


@pytest.mark.parametrize("kind", ["topics", "documents", "runs", "qrels"])
def test_no_kind_of_file_passes_a_quota(
    small: Campaign, tmp_path: Path, written_run: Callable[..., str], kind: str
) -> None:
    full(small)
    files = {
        "topics": ("11\tgreen hills\n", add_topics),
        "documents": ('{"id": "d9", "text": "It flows."}\n', add_documents),
        "runs": ("1 Q0 d1 1 2.5 gamma\n", add_runs),
        "qrels": ("1 0 d2 1\n", lambda campaign, paths: add_qrels(campaign, read_all(paths))),
    }
    content, add = files[kind]
    path = tmp_path / ("new.jsonl" if kind == "documents" else "new.txt")
    path.write_text(content)
    before = log.head(small)
    with pytest.raises(QuotaExceeded, match=r"workbench campaign quota \S+/small.db MB"):
        add(small.by("Olga"), [str(path)])
    assert log.head(small) == before


def test_a_judgment_is_stored_however_full_the_campaign_is(small: Campaign, judging_as: JudgeAs) -> None:
    full(small)
    assert not judging_as(small, "Ben", "1", "d1", 2).repeated
    with small.write(keep=False), pytest.raises(QuotaExceeded):
        check_quota(small)
