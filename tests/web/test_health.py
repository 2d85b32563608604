"""A monitor learns whether the server works, and nothing else."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from flask import Flask


def test_a_server_that_works_says_so_and_no_more(app: Flask) -> None:
    answer = app.test_client().get("/health")
    assert (answer.status_code, answer.get_json()) == (200, {"status": "ok"})
    assert answer.headers["Cache-Control"] == "no-store"
    assert "Set-Cookie" not in answer.headers
    assert app.test_client().head("/health").status_code == 200


def test_an_instance_that_is_gone_is_said_and_stays_gone(
    app: Flask, instance: Path, caplog: pytest.LogCaptureFixture
) -> None:
    client = app.test_client()
    assert client.get("/health").status_code == 200
    shutil.rmtree(instance)
    answer = client.get("/health")
    assert (answer.status_code, answer.get_json()) == (503, {"status": "unavailable"})
    assert not instance.exists()
    assert "not healthy" in caplog.text


@pytest.mark.parametrize("asked_before", [True, False])
def test_accounts_that_are_missing_or_damaged_are_said_and_not_made_anew(
    app: Flask, instance: Path, asked_before: bool
) -> None:
    client = app.test_client()
    if asked_before:
        assert client.get("/health").status_code == 200
    file = instance / "accounts.db"
    file.unlink()
    assert client.get("/health").status_code == 503
    assert not file.exists()
    file.write_text("no database, and longer than the header of one\n" * 200)
    assert client.get("/health").status_code == 503


def test_accounts_damaged_in_their_place_are_said(app: Flask, instance: Path) -> None:
    client = app.test_client()
    assert client.get("/health").status_code == 200
    (instance / "accounts.db").write_bytes(b"\xff" * 8192)
    assert client.get("/health").status_code == 503
