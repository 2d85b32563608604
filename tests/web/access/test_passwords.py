"""How many passwords may be wrong, by network and by name, before the next one is not looked at."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.sentences import says
from workbench.people.accounts import guesses as counting
from workbench.people.accounts.guesses import OF_NAME, OF_NEIGHBOURHOOD, OF_NETWORK, Guesses, TooManyGuesses
from workbench.people.accounts.passwords import HashesBusy
from workbench.web.access.passwords import verify

SCHOOL = "192.0.2.1"
SignIn = Callable[[str], TestResponse]


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def sign_in(app: Flask, token_of: Callable[[FlaskClient], str]) -> SignIn:
    def post(name: str) -> TestResponse:
        client = app.test_client()
        form = {"name": name, "password": "anna's password", "csrf_token": token_of(client)}
        return client.post("/sign-in", data=form)

    return post


@pytest.fixture
def guesses() -> Guesses:
    return Guesses(clock=Clock())


def are_looked_at(guesses: Guesses, tries: list[tuple[str, str]]) -> int:
    """How many wrong passwords of these names and addresses are looked at."""
    looked_at = 0
    for name, address in tries:
        try:
            guesses.begin(name, address)
            looked_at += 1
        except TooManyGuesses:
            pass
    return looked_at


def test_with_a_new_name_each_time_a_network_has_a_hundred_guesses(guesses: Guesses) -> None:
    tries = [(f"name {number}", SCHOOL) for number in range(150)]
    assert are_looked_at(guesses, tries) == OF_NETWORK == 100
    with pytest.raises(TooManyGuesses, match="from your network"):
        guesses.begin("anna", SCHOOL)
    guesses.begin("anna", "198.51.100.1")


def test_with_a_new_address_each_time_a_wider_network_has_four_hundred(guesses: Guesses) -> None:
    tries = [(f"name {number}", f"2001:db8:7:{number:x}::1") for number in range(500)]
    assert are_looked_at(guesses, tries) == OF_NEIGHBOURHOOD == 400


def test_with_a_new_network_each_time_a_name_has_a_hundred_guesses_an_hour(guesses: Guesses) -> None:
    tries = [("Anna", f"10.{number}.0.1") for number in range(200)]
    assert are_looked_at(guesses, tries) == OF_NAME == 100


def test_who_signed_in_from_a_network_is_not_kept_out_by_those_who_guess_elsewhere(guesses: Guesses) -> None:
    guesses.was_right(guesses.begin("Anna", SCHOOL))
    assert are_looked_at(guesses, [("Anna", f"10.{number}.0.1") for number in range(200)]) == OF_NAME
    guesses.begin("anna", SCHOOL)
    with pytest.raises(TooManyGuesses, match="with this name"):
        guesses.begin("Anna", "198.51.100.1")


def test_a_right_password_takes_back_its_own_attempt_and_no_other_of_the_network(guesses: Guesses) -> None:
    tries = [(f"name {number}", SCHOOL) for number in range(60)]
    assert are_looked_at(guesses, tries) == 60
    for _ in range(100):
        guesses.was_right(guesses.begin("Anna", SCHOOL))
    assert are_looked_at(guesses, [(f"other {number}", SCHOOL) for number in range(60)]) == 40


def test_an_attempt_that_is_not_looked_at_counts_nowhere(guesses: Guesses) -> None:
    for _ in range(50):
        are_looked_at(guesses, [("Anna", SCHOOL)])
    assert are_looked_at(guesses, [(f"name {number}", SCHOOL) for number in range(100)]) == 95


def test_who_is_signed_in_gets_five_tries_wherever_they_come_from(guesses: Guesses) -> None:
    for number in range(5):
        guesses.begin("Anna", f"10.{number}.0.1", signed_in=True)
    with pytest.raises(TooManyGuesses, match="with this name"):
        guesses.begin("Anna", "10.9.0.1", signed_in=True)


def test_memory_is_bounded_whatever_names_and_addresses_come(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "MOST_KEYS", 100)
    guesses = Guesses()
    tries = [(f"name {number}", f"10.0.{number >> 8}.{number & 255}") for number in range(400)]
    assert are_looked_at(guesses, tries) == len(tries)
    for counter in (guesses._networks, guesses._pairs, guesses._names):
        assert len(counter._failures) == 100


def test_a_password_that_could_not_be_checked_is_no_wrong_one(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise HashesBusy

    monkeypatch.setattr("workbench.web.access.passwords.check_password", fail)
    for _ in range(10):
        with app.test_request_context("/sign-in", method="POST"), pytest.raises(HashesBusy):
            verify("Anna", "anna's password")
    monkeypatch.undo()
    with app.test_request_context("/sign-in", method="POST"):
        assert verify("Anna", "anna's password") is not None


def test_who_comes_while_too_many_passwords_are_checked_is_asked_to_come_again(
    sign_in: SignIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise HashesBusy

    monkeypatch.setattr("workbench.web.access.passwords.check_password", fail)
    answer = sign_in("Anna")
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
    assert says(answer.text)


@pytest.mark.parametrize("who", ["Anna", "somebody else"])
def test_a_network_that_has_to_wait_gets_the_same_words_for_names_that_exist_or_not(
    app: Flask, sign_in: SignIn, who: str
) -> None:
    guesses = app.extensions["workbench_guesses"]
    for number in range(OF_NETWORK):
        guesses.begin(f"name {number}", "127.0.0.1")
    answer = sign_in(who)
    assert answer.status_code == 429
    assert f" {answer.headers['Retry-After']} " in answer.text
    assert who not in answer.text


def test_of_those_whose_password_was_right_the_ones_that_came_last_are_remembered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(counting, "MOST_KEYS", 2)
    guesses = Guesses()
    pairs = {name: guesses.begin(name, SCHOOL) for name in ("Anna", "Ben", "Carla")}
    for name in ("Anna", "Ben", "Anna", "Carla"):
        guesses.was_right(pairs[name])
    assert list(guesses._known) == [pairs["Anna"].pair, pairs["Carla"].pair]


def test_the_wait_is_said_in_whole_seconds_after_which_the_next_attempt_is_looked_at() -> None:
    clock = Clock()
    guesses = Guesses(clock=clock)
    for _ in range(5):
        guesses.begin("Anna", SCHOOL)
    with pytest.raises(TooManyGuesses) as error:
        guesses.begin("Anna", SCHOOL)
    assert says(str(error.value), 301)
    clock.now += error.value.seconds
    guesses.begin("Anna", SCHOOL)
