"""A real server with the judging page open, and people without an account who try to stop it."""

from __future__ import annotations

import statistics
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest

from tests.conftest import ROOT
from workbench.people.accounts import add_account, open_accounts

pytestmark = pytest.mark.slow

PUPILS = [f"pupil{number:02d}" for number in range(16)]
"""More than the four that may ask for a hash without a queue, and than the eight threads that pages have."""

SECONDS = 4.0
SLOWER = 20
"""How many times as long as alone the page may take in the middle: 40 guessing connections made it 50 to 700 before."""


@pytest.fixture(scope="module")
def floods() -> Iterator[Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "benchmarks"))
        import floods  # type: ignore[import-not-found]

        yield floods
    sys.modules.pop("floods")


@pytest.fixture(scope="module")
def server(floods: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    instance = tmp_path_factory.mktemp("instance")
    floods.prepare_page(instance)
    with open_accounts(instance) as accounts:
        for name in PUPILS:
            add_account(accounts, name, floods.PASSWORD)
    with floods.serving(instance) as (_, address):
        yield floods.port_of(address)


def test_a_classroom_behind_one_address_signs_in_at_nine(floods: Any, server: int) -> None:
    """All at once; eight have a mistake in the password first, more than the five after which a name has to wait."""
    start = threading.Barrier(len(PUPILS))

    def come_in(number: int) -> list[int]:
        with floods.Stranger(server) as client:
            start.wait()
            wrong = [client.sign_in(PUPILS[number], "a mistake")] if number % 2 == 0 else []
            return [*wrong, client.sign_in(PUPILS[number], floods.PASSWORD)]

    with ThreadPoolExecutor(len(PUPILS)) as threads:
        answers = list(threads.map(come_in, range(len(PUPILS))))
    assert answers == [[401, 200] if number % 2 == 0 else [200] for number in range(len(PUPILS))]


def test_forty_connections_that_guess_new_names_do_not_slow_the_judging_page(
    floods: Any, server: int
) -> None:
    with floods.Stranger(server) as client:
        assert client.sign_in(floods.NAME, floods.PASSWORD) == 200
        alone = floods.page_times(client, SECONDS / 2)
        with floods.going_on(partial(floods.guessing, server, 40)) as answers:
            times = floods.page_times(client, SECONDS)
    assert statistics.median(times) < SLOWER * statistics.median(alone)
    assert answers["401"] <= 100
    assert set(answers) <= {"401", "429", "no answer"}  # some hang up when it takes a minute


def test_a_first_sign_in_is_checked_before_the_guesses_of_twelve_networks_that_came_earlier(
    floods: Any, server: int
) -> None:
    if sys.platform != "linux":
        pytest.skip("other systems have one loopback address")
    ended: list[str] = []
    one_ended = threading.Event()

    def send(name: str, password: str, network: int) -> None:
        with floods.Stranger(server, network) as client:
            answer = client.sign_in(name, password)
        ended.append("the guess" if answer == 401 else "the sign-in")
        one_ended.set()

    with ThreadPoolExecutor(13) as threads:
        for network in range(1, 13):
            threads.submit(send, "nobody", "a guess of a password", network)
        assert one_ended.wait(floods.TIMEOUT)
        threads.submit(send, floods.NAME, floods.PASSWORD, 13)
    assert ended.index("the sign-in") <= 6
