"""A server with one campaign and four people, behind Flask's client.

Anna is organiser of the campaign `robust`, Ben its assessor; Carla has an account and no role; nobody else does.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from workbench.accounts import add_account, get_account, open_accounts
from workbench.campaign import create_campaign, members
from workbench.web import create_app

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
PASSWORDS = {"Anna": "anna's password", "Ben": "ben's password", "Carla": "carla's password"}
ROLES = {"Anna": "organiser", "Ben": "assessor"}

MakeApp = Callable[..., Flask]
SignIn = Callable[[Flask, str | None], FlaskClient]
TokenOf = Callable[..., str]


@pytest.fixture(scope="session")
def prepared_instance(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("instance")
    with open_accounts(folder) as accounts:
        for name, password in PASSWORDS.items():
            add_account(accounts, name, password, now=NOW)
    with create_campaign(folder / "robust.db") as campaign, campaign.write():
        for name, role in ROLES.items():
            members.put(campaign, name, role, actor="Anna", now=NOW)
    return folder


@pytest.fixture
def instance(prepared_instance: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(prepared_instance, tmp_path / "instance"))


@pytest.fixture
def make_app(instance: Path, request: pytest.FixtureRequest) -> MakeApp:
    """`create_app` over the instance, closed at the end; failures become answers, as on a real server."""

    def make(**options: object) -> Flask:
        app = create_app(instance, **options)  # type: ignore[arg-type]
        request.addfinalizer(app.extensions["workbench_connections"].close)
        return app

    return make


@pytest.fixture
def app(make_app: MakeApp) -> Flask:
    return make_app()


@pytest.fixture
def client_of(instance: Path) -> SignIn:
    """A client of an app with somebody's session, or with nobody's."""

    def sign_in(app: Flask, name: str | None) -> FlaskClient:
        client = app.test_client()
        if name is not None:
            with open_accounts(instance) as accounts:
                account = get_account(accounts, name)
            with client.session_transaction() as session:
                session.permanent = True
                session.update(name=account.name, mark=account.mark)
        return client

    return sign_in


@pytest.fixture
def token_of() -> TokenOf:
    """The CSRF token of a client's session, as its next page would carry it."""

    def ask(client: FlaskClient, base_url: str | None = None) -> str:
        return str(client.get("/session", base_url=base_url).get_json()["csrf_token"])

    return ask
