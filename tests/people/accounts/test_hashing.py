"""Hashes of passwords are calculated in one place, few at a time."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from workbench.people.accounts import passwords
from workbench.people.accounts.passwords import (
    HashesBusy,
    HashSlots,
    check_password_hash,
    generate_password_hash,
)

PACKAGE = Path(passwords.__file__).parents[2]


def test_at_most_two_are_calculated_two_wait_and_a_fifth_is_refused_at_once() -> None:
    slots, release, running = HashSlots(2, 2), threading.Event(), threading.Semaphore(0)

    def hold() -> None:
        with slots.slot():
            running.release()
            assert release.wait(60)

    with ThreadPoolExecutor(4) as threads:
        held = [threads.submit(hold) for _ in range(4)]
        assert running.acquire(timeout=60)
        assert running.acquire(timeout=60)
        while slots._places.acquire(blocking=False):  # until all four have come
            slots._places.release()
        with pytest.raises(HashesBusy, match="try again in a few seconds"), slots.slot():
            pass
        assert not running.acquire(blocking=False)
        release.set()
        for each in held:
            each.result(60)
    with slots.slot():
        pass


def test_a_turn_ends_when_what_it_was_for_fails() -> None:
    slots = HashSlots(1, 0)
    for _ in range(3):
        with pytest.raises(RuntimeError), slots.slot():
            raise RuntimeError


def test_every_hash_of_a_password_takes_a_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passwords, "slots", HashSlots(0, 0))
    with pytest.raises(HashesBusy):
        generate_password_hash("the river is deep")
    with pytest.raises(HashesBusy):
        check_password_hash("scrypt:2:1:1$salt$00", "the river is deep")


def test_no_other_module_hashes_passwords() -> None:
    words = ("import werkzeug.security", "scrypt(", "pbkdf2")
    found = {path.name for path in PACKAGE.rglob("*.py") if any(word in path.read_text() for word in words)}
    assert found == {"passwords.py"}
