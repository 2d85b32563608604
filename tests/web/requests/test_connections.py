"""One connection per file and thread, and none left at the end."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from flask import Flask

from tests.sentences import refused
from workbench.core.errors import CampaignError, NotACampaign
from workbench.people.accounts import Accounts, open_accounts
from workbench.storage.campaign import create_campaign
from workbench.storage.campaign.people import members
from workbench.web.requests import connections
from workbench.web.requests.connections import Connections


@pytest.fixture
def two(tmp_path: Path) -> list[Path]:
    for name in ("a", "b"):
        create_campaign(tmp_path / f"{name}.db").close()
    return [tmp_path / "a.db", tmp_path / "b.db"]


@pytest.fixture
def held(tmp_path: Path, two: list[Path]) -> Iterator[Connections]:
    """Connections to the campaigns `a` and `b`."""
    made = Connections(tmp_path, two)
    yield made
    made.close()


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Connections]:
    """Connections to whatever campaigns there are in the folder."""
    made = Connections(tmp_path, None)
    yield made
    made.close()


def test_each_thread_has_its_own_and_keeps_it(held: Connections) -> None:
    barrier = threading.Barrier(4)

    def open_it(_: int) -> int:
        barrier.wait(60)
        assert held.campaign("a") is held.campaign("a")
        return id(held.campaign("a"))

    with ThreadPoolExecutor(4) as threads:
        assert len(set(threads.map(open_it, range(4)))) == 4
    assert held.campaign("a") is not held.campaign("b")
    assert held.accounts() is held.accounts()


def test_closing_leaves_one_file_per_campaign(held: Connections, tmp_path: Path) -> None:
    campaign = held.campaign("a")
    assert campaign is not None
    with campaign.write():
        members.put(campaign.by("Anna"), "Anna", "organiser")
    assert (tmp_path / "a.db-wal").exists()
    held.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.db", "b.db"]


def test_a_file_put_in_the_place_of_another_is_reopened(held: Connections, tmp_path: Path) -> None:
    before = held.campaign("a")
    held.settle()
    with create_campaign(tmp_path / "new.db") as new, new.write():
        members.put(new.by("Anna"), "Anna", "organiser")
    (tmp_path / "new.db").replace(tmp_path / "a.db")
    after = held.campaign("a")
    assert after is not None
    assert after is not before
    assert members.role_of(after, "Anna") == "organiser"
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        before.db.conn.execute("SELECT 1")


def test_a_file_that_was_in_trouble_is_reopened_by_every_thread(held: Connections, tmp_path: Path) -> None:
    with ThreadPoolExecutor(1) as another:
        mine, yours = held.campaign("a"), another.submit(held.campaign, "a").result()
        other_file = held.campaign("b")
        another.submit(held.settle).result()
        held.reopen(tmp_path / "a.db")
        assert held.campaign("a") is not mine
        assert another.submit(held.campaign, "a").result() is not yours
        assert held.campaign("b") is other_file
        assert held.campaign("a") is held.campaign("a")


def test_a_file_in_trouble_is_reopened_once_no_thread_has_it_open_from_before(
    held: Connections, tmp_path: Path
) -> None:
    with ThreadPoolExecutor(1) as idle, ThreadPoolExecutor(1) as busy, ThreadPoolExecutor(1) as fresh:
        for thread in (idle, busy):
            thread.submit(held.campaign, "a").result()
        idle.submit(held.settle).result()
        held.reopen(tmp_path / "a.db")
        waiting = fresh.submit(held.campaign, "a")
        with pytest.raises(TimeoutError):
            waiting.result(0.1)  # the busy one is in the middle of something
        busy.submit(held.settle).result()
        assert waiting.result(connections.PATIENCE / 2) is not None


def test_what_a_request_left_in_the_middle_is_rolled_back(held: Connections) -> None:
    campaign = held.campaign("a")
    assert campaign is not None
    campaign.db.conn.execute("BEGIN IMMEDIATE")
    held.settle()
    assert not campaign.db.conn.in_transaction


def test_what_is_not_on_offer_or_was_taken_away_is_not_there(
    empty: Connections, tmp_path: Path, two: list[Path]
) -> None:
    named = Connections(tmp_path, two[:1])
    assert (named.campaign("b"), named.campaign("../a")) == (None, None)
    assert sorted(empty.paths()) == ["a", "b"]
    assert empty.campaign("accounts") is None
    create_campaign(tmp_path / "c.db").close()
    assert empty.campaign("c") is not None
    (tmp_path / "c.db").unlink()
    assert empty.campaign("c") is None


def test_two_campaigns_of_one_name_cannot_be_served(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
    with refused(CampaignError):
        Connections(tmp_path, [tmp_path / "one" / "a.db", tmp_path / "two" / "a.db"])
    Connections(tmp_path, [tmp_path / "one" / "a.db", tmp_path / "one" / ".." / "one" / "a.db"])


def test_a_file_that_is_no_campaign_is_not_opened(empty: Connections, tmp_path: Path) -> None:
    (tmp_path / "x.db").write_text("")
    with pytest.raises(NotACampaign):
        empty.campaign("x")


def test_the_files_are_those_of_the_campaigns_and_of_the_accounts_if_there_are_any(
    held: Connections, tmp_path: Path, two: list[Path]
) -> None:
    assert held.files() == two
    held.accounts()
    assert held.files() == [*two, tmp_path / "accounts.db"]


def test_a_file_that_goes_while_it_is_opened_is_opened_again_when_there_is_one(
    empty: Connections, tmp_path: Path
) -> None:
    def open_and_lose() -> Accounts:
        accounts = open_accounts(tmp_path)
        (tmp_path / "accounts.db").unlink()
        return accounts

    lost = empty._get(tmp_path / "accounts.db", open_and_lose)
    empty.settle()
    open_accounts(tmp_path).close()
    assert empty.accounts() is not lost


def test_accounts_that_were_taken_away_are_not_those_that_were_open(
    empty: Connections, tmp_path: Path
) -> None:
    before = empty.accounts()
    (tmp_path / "accounts.db").unlink()
    assert empty.accounts() is not before
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        before.db.execute("SELECT 1")


def test_what_was_used_least_recently_is_closed_when_too_much_is_open(
    empty: Connections, tmp_path: Path
) -> None:
    for name in "abcd":
        create_campaign(tmp_path / f"{name}.db").close()
    empty.most = 2
    first = {name: empty.campaign(name) for name in "ab"}
    empty.settle()
    assert empty.campaign("a") is first["a"]
    empty.settle()
    third = empty.campaign("c")
    assert (empty.campaign("a"), empty.campaign("c")) == (first["a"], third)
    assert empty.campaign("b") is not first["b"]


def test_no_campaign_is_closed_while_a_thread_is_at_work_with_it(empty: Connections, tmp_path: Path) -> None:
    for name in "abc":
        create_campaign(tmp_path / f"{name}.db").close()
    empty.most = 1
    with ThreadPoolExecutor(1) as another:
        theirs = another.submit(empty.campaign, "a").result()
        mine = [empty.campaign(name) for name in "abc"]
        for campaign in (theirs, *mine):
            assert campaign is not None
            assert campaign.db.conn.execute("SELECT 1").fetchone() == (1,)
        another.submit(empty.settle).result()
    empty.settle()
    with empty.visiting("b") as campaign:
        assert campaign is mine[1]


def test_many_threads_that_go_through_many_campaigns_keep_few_open(
    empty: Connections, tmp_path: Path
) -> None:
    names = [f"c{number}" for number in range(8)]
    for name in names:
        create_campaign(tmp_path / f"{name}.db").close()
    empty.most = 6

    def visit(_: int) -> int:
        most = 0
        for name in names * 3:
            with empty.visiting(name) as campaign:
                assert campaign is not None
                assert members.role_of(campaign, "Anna") is None
                most = max(most, sum(len(holder.held) for holder in empty._holders))
        return most

    with ThreadPoolExecutor(4) as threads:
        assert max(threads.map(visit, range(4))) <= empty.most + 4


@pytest.mark.parametrize("address", ["terminal", "203.0.113.9", ""])
def test_no_request_is_made_at_the_terminal_whatever_address_a_proxy_passes_on(
    app: Flask, address: str
) -> None:
    with app.test_request_context(environ_base={"REMOTE_ADDR": address}):
        assert not connections.accounts().at_terminal
        assert connections.accounts().address == (address if address != "terminal" else "")
