"""A few mistakes are human; then one has to wait."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from workbench.people.accounts import guesses
from workbench.people.accounts.guesses import Throttle, neighbourhood_of, network_of


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_after_five_failures_the_sixth_has_to_wait_until_the_first_is_old() -> None:
    clock = Clock()
    attempts = Throttle(5, 300, clock=clock)
    assert [attempts.attempt("anna") for _ in range(5)] == [0.0] * 5
    clock.now += 100
    assert attempts.attempt("anna") == 200.0
    clock.now += 200
    assert attempts.attempt("anna") == 0.0


def test_who_has_one_ipv6_address_has_its_whole_network() -> None:
    assert network_of("2001:db8:1:2:3:4:5:6") == network_of("2001:db8:1:2:ffff::1") == "2001:db8:1:2::"
    assert network_of("2001:db8:1:3::1") != network_of("2001:db8:1:2::1")
    assert network_of("::ffff:192.0.2.7") == network_of("192.0.2.7") == "192.0.2.7"
    assert (network_of("fe80::1%eth0"), network_of(None), network_of("a socket")) == (
        "fe80::",
        "",
        "a socket",
    )


def test_each_name_and_address_has_its_own_count() -> None:
    attempts = Throttle(1, 300, clock=Clock())
    assert attempts.attempt(("anna", "10.0.0.1")) == 0.0
    assert attempts.attempt(("anna", "10.0.0.2")) == 0.0
    assert attempts.attempt(("anna", "10.0.0.1")) > 0


def test_a_right_password_forgives() -> None:
    attempts = Throttle(1, 300, clock=Clock())
    attempts.attempt("anna")
    attempts.forgive("anna")
    assert attempts.attempt("anna") == 0.0


def test_many_at_once_are_not_more_than_many_in_a_row() -> None:
    attempts = Throttle(5, 300, clock=Clock())
    with ThreadPoolExecutor(8) as threads:
        waits = list(threads.map(lambda _: attempts.attempt("anna"), range(40)))
    assert waits.count(0.0) == 5


def test_one_attempt_is_taken_back_and_the_others_count() -> None:
    attempts = Throttle(2, 300, clock=Clock())
    assert [attempts.attempt("anna"), attempts.attempt("anna")] == [0.0, 0.0]
    attempts.take_back("anna")
    assert attempts.attempt("anna") == 0.0
    assert attempts.attempt("anna") > 0


def test_of_many_keys_the_longest_unused_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guesses, "MOST_KEYS", 3)
    attempts = Throttle(5, 300, clock=Clock())
    for key in ("a", "b", "c", "a", "d"):
        attempts.attempt(key)
    assert list(attempts._failures) == ["c", "a", "d"]


def test_what_one_owner_can_have_whole_is_a_neighbourhood() -> None:
    assert neighbourhood_of("192.0.2.7") == neighbourhood_of("::ffff:192.0.2.200") == "192.0.2.0"
    assert neighbourhood_of("2001:db8:1:2::3") == neighbourhood_of("2001:db8:1:ffff::1") == "2001:db8:1::"
    assert neighbourhood_of("a socket") == "a socket"
    assert len(network_of("x" * 1_000_000)) == 64
