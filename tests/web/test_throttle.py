"""A few mistakes are human; then one has to wait."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from workbench.web import throttle
from workbench.web.throttle import Throttle, network_of


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


def test_waiting_is_not_made_longer_by_asking() -> None:
    clock = Clock()
    attempts = Throttle(1, 300, clock=clock)
    attempts.attempt("anna")
    for _ in range(10):
        clock.now += 10
        assert attempts.attempt("anna") > 0
    clock.now += 200
    assert attempts.attempt("anna") == 0.0


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


def test_old_keys_are_forgotten(monkeypatch) -> None:
    monkeypatch.setattr(throttle, "MOST_KEYS", 10)
    clock = Clock()
    attempts = Throttle(5, 300, clock=clock)
    for number in range(10):
        attempts.attempt(number)
    clock.now += 301
    attempts.attempt("new")
    assert list(attempts._failures) == ["new"]
