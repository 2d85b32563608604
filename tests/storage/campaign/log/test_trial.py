"""A campaign shows that it can be written, by a row that is never kept and that no saver waits for."""

from __future__ import annotations

import threading
import time

import pytest

from tests.waiting import wait_until
from workbench.core.errors import CampaignUnavailable, NotACampaign
from workbench.release.audit.checks import audit
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.log import log
from workbench.storage.campaign.log.trial import was_written


def test_a_trial_leaves_nothing_behind(small: Campaign) -> None:
    head = log.head(small)
    beside = small.path.with_name(f"{small.path.name}-wal")
    with small.write():
        small.db.execute("UPDATE topic SET title = title")
    before = beside.read_bytes()
    assert was_written(small)
    assert beside.read_bytes() == before
    assert log.head(small) == head
    assert "trial" not in small.db.table_names()
    assert not any(finding.wrong for finding in audit(small))


def test_a_trial_waits_for_no_other_thread_and_no_other_process(small: Campaign) -> None:
    with open_campaign(small.path) as other:
        with other.write():
            assert not was_written(small)
            assert not was_written(other)
            assert not small.write_queue.acquire(0)  # the turn is still the writer's
        other.db.conn.execute("BEGIN IMMEDIATE")  # without a turn, as another process would
        began = time.perf_counter()
        assert not was_written(small)
        assert time.perf_counter() - began < small.patience / 2
        other.db.conn.execute("ROLLBACK")
    assert was_written(small)
    assert small.db.execute("PRAGMA busy_timeout").fetchone() == (30_000,)


def test_a_file_that_takes_no_writes_and_one_that_is_damaged_are_said(small: Campaign) -> None:
    small.db.execute("PRAGMA query_only = ON")
    with pytest.raises(CampaignUnavailable):
        was_written(small)
    small.db.execute("PRAGMA query_only = OFF")
    assert was_written(small)
    small.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    small.path.write_bytes(b"\xff" * small.path.stat().st_size)
    with open_campaign_anew(small) as again, pytest.raises(NotACampaign):
        was_written(again)


def open_campaign_anew(campaign: Campaign) -> Campaign:
    """The same campaign by a connection that has read nothing yet."""
    from sqlite_utils import Database

    return Campaign(campaign.path, Database(str(campaign.path)))


def test_how_long_the_first_writer_has_waited_is_known(small: Campaign) -> None:
    assert small.write_queue.waiting() == (0, 0.0)
    assert small.write_queue.acquire(0)
    thread = threading.Thread(target=lambda: small.write_queue.acquire(60) and small.write_queue.release())
    thread.start()
    wait_until(lambda: small.write_queue.waiting()[0])
    number, first = small.write_queue.waiting()
    time.sleep(0.01)
    assert (number, small.write_queue.waiting()[1] >= first + 0.01) == (1, True)
    small.write_queue.release()
    thread.join()
    assert small.write_queue.waiting() == (0, 0.0)
