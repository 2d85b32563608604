"""A server that is asked anything, and whose campaign somebody else watches meanwhile."""

from __future__ import annotations

import logging
import sqlite3
from pathlib import Path

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import Client, TestResponse

from tests.fuzzing.requests import Request
from workbench.people.accounts import Account, begin_session, open_accounts


class Watched:
    """A server whose failures are raised as they are, and whose campaign is watched by somebody else."""

    def __init__(self, app: Flask, path: Path, campaign: sqlite3.Connection) -> None:
        self.app, self.path = app, path
        self.failures: list[logging.LogRecord] = []
        self._campaign = campaign
        self.headers = self._by_demo()

    def sign_in_as(self, account: Account) -> None:
        """Go on as somebody with an account."""
        client = self.app.test_client()
        with open_accounts(self.path.parent) as accounts:
            token = begin_session(accounts, account.name)
        with client.session_transaction() as session:
            session.permanent = True
            session.update(token=token)
        self.headers = _sent_along(client, client.get("/session").get_json()["csrf_token"])

    def _by_demo(self) -> dict[str, str]:
        """What an organiser's browser sends with every request, who came by the demo's start button."""
        client = self.app.test_client()
        token = client.get("/session").get_json()["csrf_token"]
        answer = client.post(
            "/start", data={"name": "Olga"}, headers={"X-CSRFToken": token, "Accept": "application/json"}
        )
        return _sent_along(client, answer.get_json()["csrf_token"])

    def version(self) -> int:
        """A number that is another one once anything was written to the campaign."""
        return int(self._campaign.execute("PRAGMA data_version").fetchone()[0])

    def ask(self, request: Request) -> TestResponse:
        """The answer to a request of an organiser."""
        client = Client(self.app, use_cookies=False)
        return client.open(
            request.address,
            method=request.method,
            data=request.body,
            headers={**request.headers, **self.headers},
        )

    def check(self, request: Request) -> TestResponse:
        """Ask, and look at what became of it: no failure, and only a change that was made writes to the campaign."""
        before = self.version()
        self.failures.clear()
        answer = self.ask(request)
        answer.get_data()
        answer.close()
        for failure in self.failures:
            raise AssertionError(failure.getMessage()) from (failure.exc_info or (None, None))[1]
        assert answer.status_code < 500
        if request.method != "POST" or answer.status_code >= 400:
            assert self.version() == before
        return answer


def _sent_along(client: FlaskClient, token: str) -> dict[str, str]:
    cookie = client.get_cookie("workbench_5000")
    assert cookie is not None
    return {"Cookie": f"{cookie.key}={cookie.value}", "X-CSRFToken": token}


class Kept(logging.Handler):
    """Keeps what is logged as an error."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)
