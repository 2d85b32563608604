"""What is read from a large campaign by two threads at once is what is read one after the other."""

from __future__ import annotations

import sqlite3
import threading

import pytest

from tests.sentences import refused
from workbench.core.errors import DamagedCampaign
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.opening import damage
from workbench.storage.campaign.opening.damage import both, forget


@pytest.fixture
def large(small: Campaign, monkeypatch: pytest.MonkeyPatch) -> Campaign:
    """A campaign that counts as large."""
    monkeypatch.setattr(damage, "LARGE", 0)
    return small


def topics_and_thread(campaign: Campaign) -> tuple[int, int]:
    (number,) = campaign.db.conn.execute("SELECT count(*) FROM topic").fetchone()
    return number, threading.get_ident()


def test_a_large_file_is_read_by_two_threads_and_the_second_connection_only_reads_and_trusts_no_schema(
    large: Campaign,
) -> None:
    (here, one), (there, other) = both(large, topics_and_thread, topics_and_thread)
    assert here == there > 0
    assert one == threading.get_ident() != other
    mine, second = both(large, lambda campaign: campaign.db, lambda campaign: campaign.db)
    assert mine is large.db is not second
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        both(large, topics_and_thread, lambda campaign: campaign.db.conn.execute("DELETE FROM topic"))

    def trusted(campaign: Campaign) -> int:
        return int(campaign.db.execute("PRAGMA trusted_schema").fetchone()[0])

    assert both(large, trusted, trusted) == (0, 0)


def test_a_small_file_is_read_by_one_thread(small: Campaign) -> None:
    assert both(small, lambda campaign: campaign, topics_and_thread) == (small, topics_and_thread(small))


def test_a_file_that_is_gone_is_read_through_the_connection_that_is_open(large: Campaign) -> None:
    large.path.unlink()
    assert both(large, lambda campaign: campaign, lambda campaign: campaign) == (large, large)


def test_an_error_here_ends_what_goes_on_there(large: Campaign) -> None:
    begun = threading.Event()

    def fail(campaign: Campaign) -> None:
        begun.wait()
        raise KeyboardInterrupt

    def count_for_minutes(campaign: Campaign) -> None:
        begun.set()
        campaign.db.conn.execute(
            "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n LIMIT 1000000000) SELECT sum(n) FROM n"
        ).fetchone()

    with pytest.raises(KeyboardInterrupt):
        both(large, fail, count_for_minutes)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE pooled SET best_rank = 9 WHERE document = 'd1'",
        "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'title TEXT', 'title BLOB')",
    ],
)
def test_damage_of_a_large_file_is_found_by_either_thread(large: Campaign, statement: str) -> None:
    large.db.conn.executescript(statement)
    large.close()
    forget(large.path)
    with refused(DamagedCampaign):
        open_campaign(large.path)
