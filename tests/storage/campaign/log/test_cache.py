"""A value of a campaign is computed once for a row of its log, and keeps nobody else waiting."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from math import inf
from pathlib import Path
from threading import Event, Semaphore
from time import monotonic
from typing import Any

import pytest

from workbench.campaign.new_campaign import new_campaign
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.log import cache as cache_module
from workbench.storage.campaign.log import log
from workbench.storage.campaign.log.cache import (
    Cache,
    Followers,
    bound_values,
    forget_unused,
    keep_within_bound,
)

LONG = 30.0
"""Seconds after which something that hangs is given up."""


class Computation:
    """Stops in the middle until it may go on, and counts how often it began."""

    def __init__(self) -> None:
        self.begun, self.may_end, self.number = Semaphore(0), Event(), 0

    def __call__(self) -> int:
        self.number += 1
        self.begun.release()
        assert self.may_end.wait(LONG)
        return self.number

    def wait_until_it_runs(self) -> None:
        assert self.begun.acquire(timeout=LONG)


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Callable[[str], Campaign]]:
    """Makes or opens a campaign in a folder; all are closed afterwards."""
    with ExitStack() as closing:

        def make(name: str) -> Campaign:
            path = tmp_path / f"{name}.db"
            if not path.exists():
                with new_campaign(path, title=name, actor="Olga") as campaign:
                    write(campaign)  # from then on readers do not keep writers waiting
            return closing.enter_context(open_campaign(path))

        yield make


@pytest.fixture
def rivers(made: Callable[[str], Campaign]) -> Campaign:
    return made("rivers")


@pytest.fixture
def threads() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(8) as pool:
        yield pool


@pytest.fixture
def bound() -> Iterator[Callable[[float], None]]:
    """Bounds what all caches hold, until the end of the test."""
    for holder in list(cache_module._holders):  # what earlier tests have left
        holder.clear()
    yield bound_values
    bound_values(inf)


def write(campaign: Campaign) -> log.Head:
    """Let the log go on by a row; gives that row."""
    with campaign.write():
        log.append_event(campaign.by("Olga"), "note", {})
    return log.head(campaign)


def never() -> Any:
    pytest.fail("computed again")


def held(cache: Cache[Any]) -> list[tuple[int, Any]]:
    """Row and question of each value, the one not used for longest first."""
    in_order = sorted(cache._held.values(), key=lambda value: value.used)
    return [(value.seq, value.key.key) for value in in_order]


def test_a_value_is_computed_once_until_the_log_goes_on(rivers: Campaign) -> None:
    cache: Cache[str] = Cache()
    assert cache.now(rivers, "AP", lambda: "first") == "first"
    assert cache.now(rivers, "AP", never) == "first"
    assert cache.now(rivers, "P@10", lambda: "other question") == "other question"
    nothing: Cache[None] = Cache()
    assert [nothing.now(rivers, "AP", compute) for compute in (lambda: None, never)] == [None, None]
    write(rivers)
    assert cache.now(rivers, "AP", lambda: "second") == "second"
    assert cache.now(rivers, "AP", never) == "second"


def test_the_value_of_an_earlier_row_stays_true_when_the_log_goes_on(rivers: Campaign) -> None:
    cache: Cache[str] = Cache()
    then = log.head(rivers)
    assert cache.now(rivers, "AP", lambda: "then") == "then"
    write(rivers)
    assert cache.now(rivers, "AP", lambda: "now") == "now"
    assert cache.now(rivers.at(then.seq), "AP", never) == "then"
    assert cache.known(rivers, then, "AP") == "then"
    assert cache.known(rivers, then, "P@10") is None


def test_the_newest_value_is_given_with_its_row(rivers: Campaign) -> None:
    cache: Cache[str] = Cache()
    assert cache.newest(rivers, "AP") is None
    heads = [log.head(rivers), write(rivers), write(rivers)]
    cache.at(rivers, heads[1], "AP", lambda: "second")
    cache.at(rivers, heads[0], "AP", lambda: "first")
    cache.at(rivers, heads[2], "P@10", lambda: "other question")
    assert cache.newest(rivers, "AP") == (heads[1], "second")


def test_all_who_ask_for_the_same_wait_for_one_computation(
    made: Callable[[str], Campaign], threads: ThreadPoolExecutor
) -> None:
    cache: Cache[int] = Cache()
    compute = Computation()
    asked = Semaphore(0)

    def ask(campaign: Campaign) -> int:
        asked.release()
        return cache.now(campaign, "AP", compute)

    answers = [threads.submit(ask, made("rivers")) for _ in range(8)]
    for _ in answers:
        assert asked.acquire(timeout=LONG)
    compute.wait_until_it_runs()
    compute.may_end.set()
    assert [answer.result(LONG) for answer in answers] == [1] * 8
    assert compute.number == 1


def test_another_campaign_and_another_question_do_not_wait(
    made: Callable[[str], Campaign], threads: ThreadPoolExecutor
) -> None:
    cache: Cache[Any] = Cache()
    slow = Computation()
    first = threads.submit(cache.now, made("rivers"), "AP", slow)
    slow.wait_until_it_runs()
    others = {"AP": made("lakes"), "P@10": made("rivers")}
    answers = [threads.submit(cache.now, other, asked, lambda: "done") for asked, other in others.items()]
    assert [answer.result(LONG) for answer in answers] == ["done", "done"]
    assert not first.done()
    slow.may_end.set()
    assert first.result(LONG) == 1


def test_an_error_is_not_cached_and_those_who_wait_compute_themselves(
    made: Callable[[str], Campaign], threads: ThreadPoolExecutor
) -> None:
    cache: Cache[int] = Cache()
    compute = Computation()

    def fail() -> int:
        compute()
        raise ValueError(compute.number)

    failing = [threads.submit(cache.now, made("rivers"), "AP", fail) for _ in range(2)]
    compute.wait_until_it_runs()
    waiting = threads.submit(cache.now, made("rivers"), "P@10", lambda: 7)
    compute.may_end.set()
    errors = [answer.exception(LONG) for answer in failing]
    assert sorted(str(error) for error in errors) == ["1", "2"]
    assert waiting.result(LONG) == 7
    assert cache.now(made("rivers"), "AP", lambda: 3) == 3


def test_a_log_that_goes_on_meanwhile_is_not_answered_with_the_value_of_before(
    made: Callable[[str], Campaign], threads: ThreadPoolExecutor
) -> None:
    cache: Cache[Any] = Cache()
    slow, rivers = Computation(), made("rivers")
    before = threads.submit(cache.now, made("rivers"), "AP", slow)
    slow.wait_until_it_runs()
    write(rivers)
    assert cache.now(rivers, "AP", lambda: "new") == "new"
    slow.may_end.set()
    assert before.result(LONG) == 1
    assert cache.now(rivers, "AP", never) == "new"
    newest = cache.newest(rivers, "AP")
    assert newest is not None
    assert newest[1] == "new"


def test_of_one_campaign_the_least_recently_used_goes_first(rivers: Campaign) -> None:
    cache: Cache[str] = Cache(of_one=3)
    for question in ("a", "b", "c", "a", "d"):
        cache.now(rivers, question, lambda: "")
    assert [question for _, question in held(cache)] == ["c", "a", "d"]


def test_values_as_of_older_rows_go_before_those_of_the_newest(rivers: Campaign) -> None:
    cache: Cache[str] = Cache(of_one=3)
    first = log.head(rivers)
    cache.now(rivers, "old", lambda: "")
    second = write(rivers)
    for question in ("a", "b"):
        cache.now(rivers, question, lambda: "")
    cache.at(rivers, first, "old", never)
    cache.now(rivers, "c", lambda: "")
    assert held(cache) == [(second.seq, "a"), (second.seq, "b"), (second.seq, "c")]


def test_of_all_campaigns_no_more_than_so_many_values_are_held(made: Callable[[str], Campaign]) -> None:
    cache: Cache[int] = Cache(of_one=2, in_all=3)
    for number in range(6):
        for question in ("a", "b"):
            cache.now(made(f"campaign{number}"), question, lambda: 0)
            assert len(cache) <= 3
    assert [key.file.path.stem for key in cache._held] == ["campaign4", "campaign5", "campaign5"]


def test_another_file_in_the_place_of_one_has_none_of_its_values(
    made: Callable[[str], Campaign], tmp_path: Path
) -> None:
    cache: Cache[str] = Cache()
    cache.now(made("rivers"), "AP", lambda: "old")
    made("rivers").close()
    shutil.copyfile(tmp_path / "rivers.db", tmp_path / "copy.db")
    (tmp_path / "copy.db").replace(tmp_path / "rivers.db")
    replaced = made("rivers")
    assert cache.now(replaced, "AP", lambda: "new") == "new"
    assert len(cache) == 1


def test_a_value_that_needs_itself_is_an_error_and_does_not_hang(rivers: Campaign) -> None:
    cache: Cache[int] = Cache()

    def compute() -> int:
        return cache.now(rivers, "AP", compute) + 1

    with pytest.raises(RecursionError):
        cache.now(rivers, "AP", compute)


def test_a_replaced_file_has_a_new_follower_and_the_old_one_is_forgotten(
    made: Callable[[str], Campaign], tmp_path: Path
) -> None:
    followers: Followers[list[int]] = Followers(list)
    old = followers.of(made("rivers"))
    assert followers.of(made("rivers")) is old
    assert followers.of(made("lakes")) is not old
    made("rivers").close()
    shutil.copyfile(tmp_path / "rivers.db", tmp_path / "copy.db")
    (tmp_path / "copy.db").replace(tmp_path / "rivers.db")
    assert followers.of(made("rivers")) is not old
    assert len(followers) == 2


def test_what_a_campaign_has_not_used_since_then_is_forgotten_and_made_again(
    made: Callable[[str], Campaign],
) -> None:
    rivers, lakes = made("rivers"), made("lakes")
    unused, used = Cache[str](), Cache[str]()
    followers: Followers[list[int]] = Followers(list)
    for cache in (unused, used):
        for campaign in (rivers, lakes):
            cache.now(campaign, "AP", lambda: "before")
    of_rivers, of_lakes = followers.of(rivers), followers.of(lakes)
    between = monotonic()
    used.now(rivers, "AP", lambda: "after")
    forget_unused(rivers.file, since=between)
    assert unused.now(rivers, "AP", lambda: "after") == "after"
    assert used.now(rivers, "AP", lambda: "after") == "before"
    assert {cache.now(lakes, "AP", lambda: "after") for cache in (unused, used)} == {"before"}
    assert followers.of(rivers) is not of_rivers
    assert followers.of(lakes) is of_lakes


Bound = Callable[[float], None]
"""As the fixture of this name."""

BIG = 1_000_000


def big() -> bytes:
    return bytes(BIG)


def test_above_the_bound_the_least_recently_used_of_all_caches_goes_at_once(
    made: Callable[[str], Campaign], bound: Bound
) -> None:
    first, second = Cache[bytes](), Cache[bytes]()
    bound(2.5 * BIG)
    first.now(made("rivers"), "a", big)
    second.now(made("lakes"), "b", big)
    first.now(made("rivers"), "a", never)
    first.now(made("lakes"), "c", big)
    assert (len(first), len(second)) == (2, 0)


def test_a_value_larger_than_the_bound_is_given_and_stays_until_another_is_used(
    rivers: Campaign, bound: Bound
) -> None:
    cache: Cache[bytes] = Cache()
    bound(BIG / 2)
    cache.now(rivers, "small", lambda: b"small")
    for compute in (big, never):
        assert cache.now(rivers, "large", compute) == bytes(BIG)
    assert len(cache) == 1
    cache.now(rivers, "small", lambda: b"small")
    assert [question for _, question in held(cache)] == ["small"]


def test_what_followers_have_grown_to_counts_and_a_dropped_one_is_made_again(
    made: Callable[[str], Campaign], bound: Bound
) -> None:
    followers: Followers[list[bytes]] = Followers(list)
    cache: Cache[bytes] = Cache()
    bound(2.5 * BIG)
    of_rivers = followers.of(made("rivers"))
    of_rivers += [bytes(BIG), bytes(BIG)]
    cache.now(made("lakes"), "AP", big)
    assert (len(followers), len(cache)) == (0, 1)
    assert followers.of(made("rivers")) == []
    assert len(of_rivers) == 2


def test_a_follower_that_grows_for_long_is_measured_again_and_an_idle_one_ever_less(
    made: Callable[[str], Campaign], bound: Bound, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, measured = [1000.0], list[float]()
    monkeypatch.setattr(cache_module, "monotonic", lambda: clock[0])

    def noted(value: object, **_: object) -> int:
        if isinstance(value, list):
            measured.append(clock[0])
        return 0

    monkeypatch.setattr(cache_module, "size_of", noted)
    bound(BIG)
    followers: Followers[list[bytes]] = Followers(list)
    followers.of(made("rivers"))
    for _ in range(2000):
        clock[0] += 0.25
        keep_within_bound()
    assert [each - 1000 for each in measured] == [0.25, 1.25, 2.5, 5, 10, 20, 40, 80, 160, 320]
    clock[0] += 1
    followers.of(made("rivers"))
    keep_within_bound()
    assert measured[-1] == clock[0]


def test_a_cache_in_a_follower_counts_by_itself(rivers: Campaign, bound: Bound) -> None:
    followers: Followers[list[Cache[bytes]]] = Followers(list)
    cache: Cache[bytes] = Cache()
    followers.of(rivers).append(cache)
    cache.now(rivers, "AP", big)
    bound(1.5 * BIG)
    assert (len(followers), len(cache)) == (1, 1)


def test_answers_are_right_however_little_is_held(
    made: Callable[[str], Campaign], threads: ThreadPoolExecutor, bound: Bound
) -> None:
    caches = [Cache[str](), Cache[str](of_one=1)]
    followers: Followers[list[bytes]] = Followers(list)
    bound(1)

    def ask(campaign: Campaign) -> list[str]:
        name, answers = campaign.path.stem, list[tuple[str, str]]()
        for question in ("a", "b", "c") * 10:
            followers.of(campaign).append(big())
            for number, cache in enumerate(caches):
                answer = f"{name} {question} {number}"
                answers.append((cache.now(campaign, question, lambda answer=answer: answer), answer))
        return [found for found, right in answers if found != right]

    campaigns = [made(name) for name in ("rivers", "lakes", "rivers", "lakes")]
    assert list(threads.map(ask, campaigns)) == [[]] * 4
    keep_within_bound()
    assert sum(map(len, (followers, *caches))) == 1
