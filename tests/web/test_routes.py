"""Every address of the server, and what each kind of visitor gets there. A route that is not in the table fails."""

from __future__ import annotations

import pytest
from flask import Flask
from werkzeug.routing import Rule

from tests.fixture_types import SignIn, TokenOf
from workbench.web.access import rules
from workbench.web.analysis.result_pages import ROUTES
from workbench.web.pages import PAGES

PUBLIC, SIGNED_IN, MEMBERS, ORGANISERS = "public", "signed in", "members", "organisers"
JUDGES, ADJUDICATORS, PARTICIPANTS = "who judges", "adjudicators", "participants"
NOT_YET = "participants, once the scores are open"
HAVE_JOBS = "who judges, and participants"
THEIR_RUNS = "organisers, and participants of their own runs"
BOARD_READERS, BOARD_FIGURES = "who reads the board", "who reads the board, its own figure alone"
MAKERS = "organisers of any campaign"
MONITORS = "who shows the token of this server"
KINDS = "<any(topics, documents, runs, samples):kind>"
ENDINGS = "<any(csv, tex):ending>"

TABLE = {
    ("GET", "/static/<path:filename>"): PUBLIC,
    ("GET", "/sign-in"): PUBLIC,
    ("POST", "/sign-in"): PUBLIC,
    ("POST", "/sign-out"): PUBLIC,
    ("GET", "/session"): PUBLIC,
    ("GET", "/service-worker.js"): PUBLIC,
    ("GET", "/health"): PUBLIC,
    ("GET", "/health/ready"): PUBLIC,
    ("GET", "/metrics"): MONITORS,
    ("GET", "/api/openapi.json"): PUBLIC,
    ("GET", "/start/<token>"): PUBLIC,
    ("POST", "/start/<token>"): PUBLIC,
    ("POST", "/start"): PUBLIC,
    ("GET", "/invitation/<token>"): PUBLIC,
    ("POST", "/invitation/<token>"): PUBLIC,
    ("GET", "/reset/<token>"): PUBLIC,
    ("POST", "/reset/<token>"): PUBLIC,
    ("GET", "/account"): SIGNED_IN,
    ("GET", "/account/stored-data"): SIGNED_IN,
    ("POST", "/account/password"): SIGNED_IN,
    ("POST", "/account/offer"): SIGNED_IN,
    ("POST", "/account/sign-out-everywhere"): SIGNED_IN,
    ("POST", "/account/sessions/end"): SIGNED_IN,
    ("POST", "/account/confirm"): SIGNED_IN,
    ("GET", "/account/second-factor"): SIGNED_IN,
    ("POST", "/account/second-factor"): SIGNED_IN,
    ("POST", "/account/second-factor/recovery"): SIGNED_IN,
    ("POST", "/account/second-factor/remove"): SIGNED_IN,
    ("GET", "/sign-in/code"): PUBLIC,
    ("POST", "/sign-in/code"): PUBLIC,
    ("POST", "/account/sessions/end-others"): SIGNED_IN,
    ("GET", "/"): SIGNED_IN,
    ("GET", "/glossary"): SIGNED_IN,
    ("GET", "/new"): MAKERS,
    ("POST", "/new"): MAKERS,
    ("GET", "/c/<campaign>/"): MEMBERS,
    ("GET", "/c/<campaign>/judge"): JUDGES,
    ("GET", "/c/<campaign>/offline"): JUDGES,
    ("GET", "/c/<campaign>/work"): JUDGES,
    ("GET", "/c/<campaign>/work/hours.csv"): JUDGES,
    ("GET", "/c/<campaign>/document-frame"): JUDGES,
    ("GET", "/c/<campaign>/page-image"): JUDGES,
    ("GET", "/c/<campaign>/api/document"): JUDGES,
    ("POST", "/c/<campaign>/api/judgments"): JUDGES,
    ("POST", "/c/<campaign>/api/later"): JUDGES,
    ("POST", "/c/<campaign>/postponed-topics"): JUDGES,
    ("GET", "/c/<campaign>/api/terms"): JUDGES,
    ("POST", "/c/<campaign>/api/terms"): JUDGES,
    ("GET", "/c/<campaign>/api/preferences"): JUDGES,
    ("POST", "/c/<campaign>/api/preferences"): JUDGES,
    ("GET", "/c/<campaign>/history"): JUDGES,
    ("POST", "/c/<campaign>/api/receipts"): JUDGES,
    ("POST", "/c/<campaign>/api/texts"): JUDGES,
    ("GET", "/c/<campaign>/api/queue"): JUDGES,
    ("GET", "/c/<campaign>/guidelines"): JUDGES,
    ("POST", "/c/<campaign>/guidelines"): JUDGES,
    ("GET", "/c/<campaign>/practice"): JUDGES,
    ("POST", "/c/<campaign>/practice"): JUDGES,
    ("GET", "/c/<campaign>/practice/document"): JUDGES,
    ("GET", "/c/<campaign>/training"): ORGANISERS,
    ("POST", "/c/<campaign>/training"): ORGANISERS,
    ("GET", "/c/<campaign>/settings"): ORGANISERS,
    ("POST", "/c/<campaign>/settings"): ORGANISERS,
    ("GET", "/c/<campaign>/preview"): ORGANISERS,
    ("GET", "/c/<campaign>/topic/edit"): ORGANISERS,
    ("POST", "/c/<campaign>/topic/edit"): ORGANISERS,
    ("POST", "/c/<campaign>/add/documents/delete"): ORGANISERS,
    ("POST", "/c/<campaign>/topic/withdraw"): ORGANISERS,
    ("GET", "/c/<campaign>/preview/document"): ORGANISERS,
    ("GET", "/c/<campaign>/dashboard"): ORGANISERS,
    ("POST", "/c/<campaign>/dashboard"): ORGANISERS,
    ("GET", "/c/<campaign>/add/runs/report/<job>"): ORGANISERS,
    ("GET", "/c/<campaign>/submissions"): ORGANISERS,
    ("POST", "/c/<campaign>/submissions"): ORGANISERS,
    ("POST", "/c/<campaign>/run/details"): ORGANISERS,
    ("GET", "/c/<campaign>/submit"): PARTICIPANTS,
    ("POST", "/c/<campaign>/submit"): PARTICIPANTS,
    ("GET", "/c/<campaign>/submit/receipt"): THEIR_RUNS,
    ("GET", f"/c/<campaign>/add/{KINDS}"): ORGANISERS,
    ("POST", f"/c/<campaign>/add/{KINDS}"): ORGANISERS,
    ("GET", "/c/<campaign>/pool"): ORGANISERS,
    ("POST", "/c/<campaign>/pool"): ORGANISERS,
    ("POST", "/c/<campaign>/pool/retire"): ORGANISERS,
    ("GET", "/c/<campaign>/search"): ORGANISERS,
    ("POST", "/c/<campaign>/search"): ORGANISERS,
    ("POST", "/c/<campaign>/search/pool"): ORGANISERS,
    ("GET", "/c/<campaign>/simulation"): ORGANISERS,
    ("GET", "/c/<campaign>/api/simulation"): ORGANISERS,
    ("POST", "/c/<campaign>/pool/round"): ORGANISERS,
    ("GET", "/c/<campaign>/jobs"): HAVE_JOBS,
    ("GET", "/c/<campaign>/jobs/<job>"): HAVE_JOBS,
    ("GET", "/c/<campaign>/api/jobs/<job>"): HAVE_JOBS,
    ("POST", "/c/<campaign>/jobs/<job>/cancel"): HAVE_JOBS,
    ("GET", "/c/<campaign>/assessors"): ORGANISERS,
    ("POST", "/c/<campaign>/assessors"): ORGANISERS,
    ("GET", "/c/<campaign>/assessor"): ORGANISERS,
    ("GET", "/c/<campaign>/norming"): JUDGES,
    ("POST", "/c/<campaign>/norming"): ORGANISERS,
    ("GET", "/c/<campaign>/assignments"): ORGANISERS,
    ("POST", "/c/<campaign>/assignments"): ORGANISERS,
    ("GET", "/c/<campaign>/assignments/list"): ORGANISERS,
    ("POST", "/c/<campaign>/"): JUDGES,
    ("GET", "/c/<campaign>/adjudication"): ADJUDICATORS,
    ("GET", "/c/<campaign>/adjudicate"): ADJUDICATORS,
    ("POST", "/c/<campaign>/adjudicate"): ADJUDICATORS,
    ("GET", "/c/<campaign>/runs"): ORGANISERS,
    ("GET", "/c/<campaign>/run"): ORGANISERS,
    ("POST", "/c/<campaign>/run"): ORGANISERS,
    ("GET", "/c/<campaign>/board"): BOARD_READERS,
    ("GET", "/c/<campaign>/api/board"): BOARD_READERS,
    ("GET", "/c/<campaign>/api/board/intervals"): BOARD_READERS,
    ("GET", "/c/<campaign>/compare"): ORGANISERS,
    ("GET", "/c/<campaign>/stop"): ORGANISERS,
    ("GET", "/c/<campaign>/api/stop/answer"): ORGANISERS,
    ("GET", "/c/<campaign>/compare/pairs"): ORGANISERS,
    ("GET", "/c/<campaign>/compare/boards"): ORGANISERS,
    ("POST", "/c/<campaign>/compare/boards"): ORGANISERS,
    ("GET", "/c/<campaign>/compare/topics"): ORGANISERS,
    ("GET", "/c/<campaign>/download/<kind>"): ORGANISERS,
    ("GET", "/c/<campaign>/publish"): ORGANISERS,
    ("GET", "/c/<campaign>/publish/bundle"): ORGANISERS,
    ("GET", "/c/<campaign>/publish/comparison"): ORGANISERS,
    ("GET", "/c/<campaign>/publish/sheets"): ORGANISERS,
    ("GET", "/c/<campaign>/figures/<name>.<ending>"): BOARD_FIGURES,
    ("GET", "/c/<campaign>/own-runs"): PARTICIPANTS,
    ("GET", "/c/<campaign>/own-runs/sheet"): NOT_YET,
    ("GET", "/c/<campaign>/people"): ORGANISERS,
    ("POST", "/c/<campaign>/people/role"): ORGANISERS,
    ("POST", "/c/<campaign>/people/offer"): ORGANISERS,
    ("POST", "/c/<campaign>/people/invitation"): ORGANISERS,
    ("POST", "/c/<campaign>/people/list"): ORGANISERS,
    ("POST", "/c/<campaign>/publish/rule"): ORGANISERS,
    ("POST", "/c/<campaign>/publish/audit"): ORGANISERS,
    ("POST", "/c/<campaign>/publish/sources"): ORGANISERS,
    ("POST", "/c/<campaign>/people/withdraw"): ORGANISERS,
    ("POST", "/c/<campaign>/people/reset"): ORGANISERS,
    ("POST", "/c/<campaign>/people/scores"): ORGANISERS,
    ("POST", "/c/<campaign>/people/searchers"): ORGANISERS,
    ("POST", "/c/<campaign>/people/least-teams"): ORGANISERS,
    ("GET", f"/c/<campaign>/board.{ENDINGS}"): BOARD_READERS,
    ("GET", "/c/<campaign>/board/print"): BOARD_READERS,
    ("GET", "/c/<campaign>/topics"): ORGANISERS,
    ("GET", "/c/<campaign>/topic"): ORGANISERS,
    ("GET", "/c/<campaign>/pair"): ORGANISERS,
    ("POST", "/c/<campaign>/pair"): ORGANISERS,
    ("GET", "/c/<campaign>/judgments"): ORGANISERS,
    ("POST", "/c/<campaign>/judgments"): ORGANISERS,
    ("GET", "/figures/runtime.js"): PUBLIC,
}
OF_ROLES = {("organiser",): ORGANISERS, rules.BOARD_READERS: BOARD_READERS}
assert PAGES, "what they import declares the analyses"
TABLE |= {("GET", route.rule): OF_ROLES[route.roles] for _, route in sorted(ROUTES.items())}

VISITORS = (None, "Carla", "Olga", "Paul", "Ben", "Wilma", "Anna")
"""Nobody, who has an account and no role, an observer, a participant, an assessor, an adjudicator, an organiser."""

IN = "let in"
VERDICTS: dict[str, tuple[object, ...]] = {
    # nobody, no role, observer, participant, assessor, adjudicator, organiser
    PUBLIC: (IN, IN, IN, IN, IN, IN, IN),
    MONITORS: (401, 403, 403, 403, 403, 403, 403),
    SIGNED_IN: (401, IN, IN, IN, IN, IN, IN),
    MAKERS: (401, 403, 403, 403, 403, 403, IN),
    MEMBERS: (401, 404, IN, IN, IN, IN, IN),
    JUDGES: (401, 404, 403, 403, IN, IN, IN),
    BOARD_READERS: (401, 404, IN, 403, 403, 403, IN),
    BOARD_FIGURES: (401, 404, 403, 403, 403, 403, IN),  # of a figure that does not stand on the board
    NOT_YET: (401, 404, 403, 403, 403, 403, 403),
    HAVE_JOBS: (401, 404, 403, IN, IN, IN, IN),
    PARTICIPANTS: (401, 404, 403, IN, 403, 403, 403),
    THEIR_RUNS: (401, 404, 403, IN, 403, 403, IN),
    ADJUDICATORS: (401, 404, 403, 403, 403, IN, IN),
    ORGANISERS: (401, 404, 403, 403, 403, 403, IN),
}


def routes(app: Flask) -> dict[tuple[str, str], Rule]:
    return {
        (method, rule.rule): rule
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }


def test_every_route_is_in_the_table_and_nothing_else(app: Flask) -> None:
    assert set(routes(app)) == set(TABLE)


@pytest.fixture
def quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    """What takes seconds by itself and has no part in who is let in: hashes of passwords, the script of figures."""
    monkeypatch.setattr("workbench.people.accounts.passwords.check_password_hash", lambda *_: False)
    monkeypatch.setattr("workbench.web.analysis.figures.browser_script", lambda: "")


@pytest.mark.parametrize(("method", "path"), TABLE)
def test_each_visitor_gets_what_the_table_says(
    app: Flask, client_of: SignIn, token_of: TokenOf, quickly: None, method: str, path: str
) -> None:
    address = (
        path.replace("<campaign>", "robust")
        .replace("<kind>", "qrels")
        .replace(KINDS, "topics")
        .replace(ENDINGS, "csv")
        .replace("<token>", "x")
        .replace("<path:filename>", "icon.svg")
    )
    for who, verdict in zip(VISITORS, VERDICTS[TABLE[method, path]], strict=True):
        client = client_of(app, who)
        headers = {"Accept": "application/json"}
        if method != "GET":
            headers["X-CSRFToken"] = token_of(client)
        with client.open(address, method=method, headers=headers) as answer:
            if verdict == IN:
                assert answer.status_code < 500
                assert (answer.get_json(silent=True) or {}).get("reason") not in {"not allowed"}
                assert answer.status_code != 403
                if TABLE[method, path] != PUBLIC:
                    assert answer.status_code != 401
                    assert not answer.headers.get("Location", "").startswith("/sign-in?")
            else:
                assert answer.status_code == verdict


@pytest.mark.parametrize(
    "path", [path for (method, path), rule in TABLE.items() if rule not in (PUBLIC, MONITORS)]
)
def test_people_who_are_signed_out_are_led_to_the_sign_in_page_and_scripts_get_401(
    app: Flask, path: str
) -> None:
    method = "GET" if ("GET", path) in TABLE else "POST"
    answer = app.test_client().open(
        path.replace("<campaign>", "robust").replace(KINDS, "topics").replace(ENDINGS, "csv"), method=method
    )
    if "/api/" in path:
        assert answer.status_code == 401
    else:
        assert answer.status_code == 302
        # What a form would have changed is not done by signing in.
        assert answer.location.startswith("/sign-in?next=/" if method == "GET" else "/sign-in")


def test_a_campaign_that_is_not_there_is_not_there_for_anybody(app: Flask, client_of: SignIn) -> None:
    paths = [path for method, path in TABLE if method == "GET" and "<campaign>" in path]
    addresses = [
        path.replace("<campaign>", "missing").replace(KINDS, "topics").replace(ENDINGS, "csv")
        for path in paths
    ]
    for who in ("Carla", "Ben", "Anna"):
        client = client_of(app, who)
        answers = {address: client.get(address).status_code for address in addresses}
        assert answers == dict.fromkeys(addresses, 404)
