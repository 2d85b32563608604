"""Hashes of passwords are calculated in one place, few at a time."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.sentences import refused
from tests.waiting import wait_until
from workbench.people.accounts import passwords
from workbench.people.accounts.passwords import HashesBusy, check_password_hash, generate_password_hash

PACKAGE = Path(passwords.__file__).parents[2]


def test_two_are_calculated_two_wait_and_a_fifth_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    release, running = threading.Event(), threading.Semaphore(0)

    def hold(stored: str, password: str) -> bool:
        running.release()
        return release.wait(60)

    monkeypatch.setattr("werkzeug.security.check_password_hash", hold)
    with ThreadPoolExecutor(4) as threads:
        held = [threads.submit(check_password_hash, "a hash", "the river is deep") for _ in range(4)]
        assert running.acquire(timeout=60)
        assert running.acquire(timeout=60)
        wait_until(lambda: passwords.slots._waiting == 2)
        with refused(HashesBusy):
            generate_password_hash("the river is deep")
        assert not running.acquire(blocking=False)
        release.set()
        assert all(each.result(60) for each in held)
    assert check_password_hash("a hash", "the river is deep")


def test_a_turn_ends_when_what_it_was_for_fails() -> None:
    for _ in range(5):
        with pytest.raises(ValueError, match="Invalid hash method"):
            generate_password_hash("the river is deep", method="none")


def test_no_other_module_hashes_passwords() -> None:
    words = ("import werkzeug.security", "scrypt(", "pbkdf2")
    found = {path.name for path in PACKAGE.rglob("*.py") if any(word in path.read_text() for word in words)}
    assert found == {"passwords.py"}
