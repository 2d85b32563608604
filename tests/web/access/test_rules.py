"""Every view declares who may use it; everything else is shut."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from flask import Flask, g
from flask.testing import FlaskClient

from tests.fixture_types import MakeApp, SignIn
from tests.sentences import refused, says
from workbench.core.errors import CampaignUnavailable
from workbench.storage.campaign import create_campaign, open_campaign
from workbench.storage.campaign.people import members
from workbench.web.access.rules import (
    JUDGES,
    ORGANISERS,
    PUBLIC,
    SIGNED_IN,
    Pages,
    allowing,
    member_of,
    my_campaigns,
    rule_of,
)

JSON = {"Accept": "application/json"}


@pytest.fixture
def probes(app: Flask) -> Flask:
    """The app with one view for each kind of rule, and one that declares none."""

    @app.get("/probe/public")
    @allowing(PUBLIC)
    def public() -> str:
        return f"hello {g.account}"

    @app.get("/probe/signed-in")
    @allowing(SIGNED_IN)
    def signed_in() -> str:
        return f"hello {g.account}"

    @app.get("/probe/forgotten")
    def forgotten() -> str:
        return "nobody should read this"

    @app.get("/c/<campaign>/probe/organiser")
    @allowing(ORGANISERS)
    def for_organisers(campaign: str) -> str:
        return f"{g.account} is {g.role} of {campaign}"

    @app.route("/c/<campaign>/probe/members", methods=["GET", "POST"])
    @allowing(JUDGES)
    def for_members(campaign: str) -> str:
        return f"{g.account} is {g.role} of {g.campaign.name} {campaign}"

    @app.get("/probe/mine")
    @allowing(SIGNED_IN)
    def mine() -> str:
        return ", ".join(f"{campaign.name}: {role}" for campaign, role in my_campaigns())

    return app


WHO = [None, "Carla", "Ben", "Anna"]
VERDICTS = {
    "/probe/public": (200, 200, 200, 200),
    "/probe/signed-in": (401, 200, 200, 200),
    "/probe/forgotten": (403, 403, 403, 403),
    "/c/robust/probe/organiser": (401, 404, 403, 200),
    "/c/robust/probe/members": (401, 404, 200, 200),
    "/c/missing/probe/members": (401, 404, 404, 404),
    "/c/accounts/probe/members": (401, 404, 404, 404),
    "/c/../probe/members": (401, 404, 404, 404),
    "/nowhere": (404, 404, 404, 404),
}


@pytest.mark.parametrize("path", VERDICTS)
def test_each_rule_lets_in_whom_it_names(probes: Flask, client_of: SignIn, path: str) -> None:
    answers = [client_of(probes, who).get(path, headers=JSON) for who in WHO]
    assert tuple(answer.status_code for answer in answers) == VERDICTS[path]


def test_a_stranger_cannot_tell_a_campaign_from_none(probes: Flask, client_of: SignIn) -> None:
    carla = client_of(probes, "Carla")
    there, missing = (carla.get(f"/c/{name}/probe/members") for name in ("robust", "missing"))
    assert there.status_code == missing.status_code == 404
    pages = [
        re.sub(r'(csrf-token" content|csrf_token" value)="[^"]+"', "", each.text) for each in (there, missing)
    ]
    assert pages[0] == pages[1]


@pytest.mark.parametrize("headers", [JSON, {"Content-Type": "application/json"}])
def test_signed_out_scripts_get_401_and_a_word_for_it(probes: Flask, headers: dict[str, str]) -> None:
    answer = probes.test_client().post("/c/robust/probe/members", headers=headers)
    assert answer.status_code == 401
    assert answer.get_json()["reason"] == "signed out"


def test_a_forgotten_rule_shuts_the_view_for_every_method(probes: Flask, client_of: SignIn) -> None:
    anna = client_of(probes, "Anna")
    for method in ("get", "head", "options"):
        assert getattr(anna, method)("/probe/forgotten").status_code == 403


@pytest.mark.parametrize("roles", [(), ("owner",), ("organiser", "guest")])
def test_a_rule_can_only_name_roles_that_exist(roles: tuple[str, ...]) -> None:
    with refused(ValueError):
        allowing(roles)


def test_a_page_cannot_be_registered_without_a_rule(app: Flask) -> None:
    pages = Pages("rivers", __name__)
    with pytest.raises(TypeError, match="allow"):
        pages.get("/rivers")(lambda: "the Nile")
    pages.get("/c/<campaign>/rivers", allow=("organiser", "observer"))(lambda campaign: "the Nile")
    app.register_blueprint(pages)
    rule = rule_of(app, "rivers.<lambda>")
    assert rule is not None
    assert rule.roles == ("organiser", "observer")


def test_my_campaigns_are_those_where_i_have_a_role(probes: Flask, client_of: SignIn, instance: Path) -> None:
    with create_campaign(instance / "covid.db") as covid, covid.write():
        members.put(covid.by("Carla"), "Carla", "organiser")
        members.put(covid.by("Carla"), "Ben", "organiser")
    mine = {who: client_of(probes, who).get("/probe/mine").text for who in ("Anna", "Ben", "Carla")}
    assert mine == {
        "Anna": "robust: organiser",
        "Ben": "covid: organiser, robust: assessor",
        "Carla": "covid: organiser",
    }


def test_a_file_that_cannot_be_opened_is_unavailable_to_all_and_the_log_says_why(
    probes: Flask, client_of: SignIn, instance: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (instance / "broken.db").write_text("")
    anna = client_of(probes, "Anna")
    assert anna.get("/probe/mine").text == "robust: organiser"
    answer = anna.get("/c/broken/probe/members")
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
    assert says(caplog.text)


def test_a_role_taken_away_is_gone_with_the_next_request(
    probes: Flask, client_of: SignIn, instance: Path
) -> None:
    ben = client_of(probes, "Ben")
    assert ben.get("/c/robust/probe/members").status_code == 200
    with open_campaign(instance / "robust.db") as campaign, campaign.write():
        members.put(campaign.by("Anna"), "Ben", "none")
    assert ben.get("/c/robust/probe/members").status_code == 404


@pytest.mark.parametrize(
    "forged",
    [
        {"name": "Anna"},
        {"name": "Anna", "mark": "0" * 16},
        {"name": "Anna", "token": "made up"},
        {"token": ""},
        {"token": None},
        {"token": ["Anna"]},
        {"token": "Anna", "local": True},
    ],
)
def test_a_cookie_proves_nothing_without_the_token_of_a_session(
    probes: Flask, forged: dict[str, object]
) -> None:
    client = probes.test_client()
    with client.session_transaction() as session:
        session.update(forged)
    assert client.get("/probe/signed-in", headers=JSON).status_code == 401


def test_a_page_opened_by_another_account_is_refused(probes: Flask, client_of: SignIn) -> None:
    def ask(client: FlaskClient, opened_by: str) -> tuple[int, str]:
        answer = client.get("/c/robust/probe/members", headers={**JSON, "X-Account": opened_by})
        return answer.status_code, answer.get_json(silent=True) and answer.get_json()["reason"]

    ben = client_of(probes, "Ben")
    assert ask(ben, "Ben")[0] == 200
    assert ask(ben, "Anna") == (401, "other account")


def test_only_the_campaigns_named_at_the_start_are_served(
    make_app: MakeApp, client_of: SignIn, instance: Path
) -> None:
    with create_campaign(instance / "covid.db") as covid, covid.write():
        members.put(covid.by("Anna"), "Anna", "organiser")
    app = make_app(campaigns=[instance / "covid.db"])
    app.add_url_rule(
        "/c/<campaign>/probe", view_func=allowing(ORGANISERS)(lambda campaign: campaign), endpoint="p"
    )
    anna = client_of(app, "Anna")
    assert anna.get("/c/covid/probe").status_code == 200
    assert anna.get("/c/robust/probe").status_code == 404


def test_a_campaign_in_trouble_is_unavailable_and_not_gone(
    app: Flask, client_of: SignIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = client_of(app, "Ben")

    def fail(*_: object, **__: object) -> None:
        raise CampaignUnavailable("/srv/secret/robust.db: disk I/O error")

    monkeypatch.setattr("workbench.web.requests.connections.open_campaign", fail)
    answer = client.get("/c/robust/", headers={"Accept": "application/json"})
    assert (answer.status_code, answer.get_json()["reason"]) == (503, "unavailable")
    assert answer.headers["Retry-After"]
    assert "secret" not in answer.text
    assert client.get("/").status_code == 200
    assert app.test_client().get("/c/robust/").status_code == 302


def test_who_came_in_locally_is_an_organiser_and_a_stranger_has_no_role(instance: Path) -> None:
    local, ben, carla = (
        SimpleNamespace(name=name, local=is_local, token=None)
        for name, is_local in (("Dora", True), ("Ben", False), ("Carla", False))
    )
    with open_campaign(instance / "robust.db") as campaign:
        found = [member_of(campaign, who).role for who in (local, ben, carla)]  # type: ignore[arg-type]
    assert found == ["organiser", "assessor", None]
