"""Writers of one process queue up, and what many want to store at once is stored together."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path

import pytest

from tests.sentences import refused
from tests.waiting import wait_until
from workbench.core.errors import CampaignUnavailable
from workbench.storage.campaign import Campaign, create_campaign, open_campaign
from workbench.storage.campaign.file.write_queue import WriteQueue, group_commit, write_queue_of
from workbench.storage.campaign.log.log import append_event, events

Piece = Callable[[Campaign], int]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    create_campaign(tmp_path / "rivers.db").close()
    return tmp_path / "rivers.db"


@pytest.fixture
def campaign(path: Path) -> Iterator[Campaign]:
    with open_campaign(path) as opened:
        yield opened


def test_what_one_thread_stores_is_there_when_it_goes_on(campaign: Campaign, path: Path) -> None:
    seq = group_commit(campaign, noted("a"))
    with open_campaign(path) as other:
        assert (seq, names_in(other)) == (1, ["a"])


def test_what_comes_while_another_thread_writes_is_stored_in_its_order_a_group_in_a_transaction(
    campaign: Campaign, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    statements: list[str] = []
    assert at_once(path, [noted(name) for name in "abcd"], statements) == [1, 2, 3, 4]
    assert statements.count("COMMIT") == 1
    monkeypatch.setattr("workbench.storage.campaign.file.write_queue.LARGEST_GROUP", 2)
    statements.clear()
    assert at_once(path, [noted(name) for name in "efghi"], statements) == [5, 6, 7, 8, 9]
    assert names_in(campaign) == [*"abcdefghi"]
    assert statements.count("COMMIT") == 3


def test_a_piece_that_fails_leaves_nothing_behind_and_does_not_disturb_the_others(
    campaign: Campaign, path: Path
) -> None:
    def refused(shared: Campaign) -> int:
        noted("never")(shared)
        raise ValueError("refused")

    results = at_once(path, [noted("a"), refused, noted("c")])
    assert [str(result) for result in results] == ["1", "refused", "2"]
    assert names_in(campaign) == ["a", "c"]


def test_what_the_file_does_not_allow_is_the_failure_of_its_own_piece_alone(
    campaign: Campaign, path: Path
) -> None:
    def forbidden(shared: Campaign) -> int:
        shared.db.conn.execute("DELETE FROM event")
        return 0

    results = at_once(path, [noted("a"), forbidden, noted("c")])
    assert isinstance(results[1], sqlite3.IntegrityError)
    assert names_in(campaign) == ["a", "c"]


@pytest.mark.parametrize(
    "error",
    [
        sqlite3.OperationalError("database or disk is full"),
        sqlite3.DatabaseError("database disk image is malformed"),
    ],
)
def test_when_the_disk_or_the_file_fails_nothing_of_the_group_is_acknowledged(
    campaign: Campaign, path: Path, error: Exception
) -> None:
    def fail(shared: Campaign) -> int:
        raise error

    assert at_once(path, [noted("a"), fail, noted("c")]) == [error] * 3
    assert names_in(campaign) == []
    assert group_commit(campaign, noted("later")) == 1


def test_when_another_process_writes_for_too_long_the_writer_is_told_so(path: Path) -> None:
    with open_campaign(path, patience=0.01) as campaign, open_campaign(path, patience=0.01) as other:
        with other.write(), refused(CampaignUnavailable):
            group_commit(campaign, noted("a"))
        assert group_commit(campaign, noted("b")) == 1


def test_writers_get_their_turn_in_the_order_they_came() -> None:
    queue, order = WriteQueue(), list[int]()
    assert queue.acquire(0)

    def write(number: int) -> None:
        assert queue.acquire(60)
        order.append(number)
        queue.release()

    threads = [threading.Thread(target=write, args=(number,)) for number in range(5)]
    for number, thread in enumerate(threads, start=1):
        thread.start()
        wait_until(lambda number=number: len(queue._writers) == number)  # type: ignore[misc]
    queue.release()
    for thread in threads:
        thread.join()
    assert order == [0, 1, 2, 3, 4]
    assert queue.acquire(0)


def test_one_file_has_one_queue_and_another_file_has_another(campaign: Campaign, path: Path) -> None:
    assert campaign.write_queue is write_queue_of(path)
    assert campaign.write_queue is not write_queue_of(path.with_name("lakes.db"))


def test_a_write_inside_a_write_is_refused_at_once(campaign: Campaign) -> None:
    refusal = pytest.raises(sqlite3.OperationalError, match="within a transaction")
    with campaign.write(), refusal, campaign.write():
        pass


def noted(name: str) -> Piece:
    return lambda campaign: append_event(campaign.by("Anna"), "note", {"name": name})


def names_in(campaign: Campaign) -> list[str]:
    return [event.content["name"] for event in events(campaign, "note")]


def at_once(path: Path, pieces: Sequence[Piece], statements: list[str] | None = None) -> list[object]:
    """What comes of pieces that threads with connections of their own bring, in this order, while somebody writes."""

    def store(piece: Piece) -> int:
        with open_campaign(path) as own:
            if statements is not None:
                own.db.conn.set_trace_callback(statements.append)
            return group_commit(own, piece)

    queue, done = write_queue_of(path), list[Future[int]]()
    assert queue.acquire(0)
    with ThreadPoolExecutor(len(pieces)) as pool:
        for number, piece in enumerate(pieces, start=1):
            done.append(pool.submit(store, piece))
            wait_until(lambda number=number: len(queue._pieces) == number)  # type: ignore[misc]
        queue.release()
        wait(done)
    return [each.exception() or each.result() for each in done]
