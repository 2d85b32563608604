"""Every address of the server, and what each kind of visitor gets there. A route that is not in the table fails."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce

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
KINDS = "<any(topics, documents, runs, samples, nuggets, 'model-labels', outcomes):kind>"
ENDINGS = "<any(csv, tex):ending>"
THINGS = "<any(topic, document):kind>"
WORDS = {"<kinds>": KINDS, "<endings>": ENDINGS, "<things>": THINGS}

ADDRESSES = {
    PUBLIC: """
        GET /static/<path:filename> /session /service-worker.js /health /health/ready
            /api/openapi.json
        BOTH /sign-in /start/<token> /invitation/<token> /reset/<token> /sign-in/code /sign-in/with/<provider>
        POST /sign-out /start /language
    """,
    MONITORS: "GET /metrics",
    SIGNED_IN: """
        GET /account /account/stored-data / /glossary
        BOTH /account/second-factor
        POST /account/password /account/offer /account/sign-out-everywhere /account/sessions/end
            /account/confirm /account/second-factor/recovery /account/second-factor/remove
            /account/sessions/end-others /account/tokens /account/tokens/revoke /account/connect/<provider>
            /account/confirm/<provider> /account/disconnect
    """,
    MAKERS: "BOTH /new",
    MEMBERS: "GET . jump",
    JUDGES: """
        GET own-topics judge offline work work/hours.csv document-frame page-image api/document history
            api/queue practice/document norming nuggets
        BOTH nuggets/topic api/terms api/preferences guidelines practice
        POST api/judgments api/later api/nuggets postponed-topics api/receipts api/second-look api/texts .
    """,
    ORGANISERS: """
        GET steps api/steps models preview preview/document add/runs/report/<job> simulation api/simulation assessor
            assignments/list assignments/hand-over runs compare stop api/stop/answer compare/pairs compare/topics
            battles api/battles api/pool
            download/<kind> publish publish/bundle publish/comparison publish/sheets people topics
            topic
        BOTH training settings settings/scale settings/questions settings/webhooks topic/edit dashboard submissions
            add/<kinds> pool
            search assessors assignments run compare/boards pair judgments
        POST delete/<things> topic/withdraw run/details runs runs/table pool/retire pool/list search/pool
            pool/round pool/ids norming people/role people/offer people/invitation people/list publish/rule
            publish/audit publish/sources people/withdraw people/reset people/scores
            people/searchers people/least-teams people/tokens/revoke models/judge models/ask
    """,
    PARTICIPANTS: """
        GET own-runs own-runs/answers
        BOTH submit
    """,
    THEIR_RUNS: """
        GET submit/receipt
        POST submit/judge
    """,
    HAVE_JOBS: """
        GET jobs jobs/<job> api/jobs/<job>
        POST jobs/<job>/cancel
    """,
    ADJUDICATORS: """
        GET adjudication
        BOTH adjudicate
    """,
    BOARD_READERS: "GET board api/board api/board/intervals board.<endings> board/print",
    BOARD_FIGURES: "GET figures/<name>.<ending>",
    NOT_YET: "GET own-runs/sheet",
}
"""Who is let in: what is asked for by GET, by POST or by both. Without a slash in front it is in a campaign, whose own
page is the dot.
"""


def table() -> Iterator[tuple[tuple[str, str], str]]:
    """Each method and address, and who is let in."""
    for who, addresses in ADDRESSES.items():
        methods: list[str] = []
        for word in addresses.split():
            if word in {"GET", "POST", "BOTH"}:
                methods = ["GET", "POST"] if word == "BOTH" else [word]
                continue
            path = word if word[0] == "/" else f"/c/<campaign>/{word.removeprefix('.')}"
            yield from (
                ((each, reduce(lambda text, word: text.replace(*word), WORDS.items(), path)), who)
                for each in methods
            )


TABLE = dict(table())
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
    """Hashes of passwords take seconds and have no part in who is let in."""
    monkeypatch.setattr("workbench.people.accounts.passwords.check_password_hash", lambda *_: False)


@pytest.mark.parametrize(("method", "path"), TABLE)
def test_each_visitor_gets_what_the_table_says(
    app: Flask, client_of: SignIn, token_of: TokenOf, quickly: None, method: str, path: str
) -> None:
    address = (
        path.replace("<campaign>", "robust")
        .replace("<kind>", "qrels")
        .replace(KINDS, "topics")
        .replace(THINGS, "topic")
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


def test_people_who_are_signed_out_are_led_to_the_sign_in_page_and_scripts_get_401(app: Flask) -> None:
    client = app.test_client()
    for method, path in (asked for asked, rule in TABLE.items() if rule not in (PUBLIC, MONITORS)):
        address = (
            path.replace("<campaign>", "robust")
            .replace(KINDS, "topics")
            .replace(THINGS, "topic")
            .replace(ENDINGS, "csv")
        )
        answer = client.open(address, method=method)
        if "/api/" in path:
            assert answer.status_code == 401
        else:
            # What a form would have changed is not done by signing in.
            led = "/sign-in?next=/" if method == "GET" else "/sign-in"
            assert (answer.status_code, answer.location.startswith(led)) == (302, True), path


def test_a_campaign_that_is_not_there_is_not_there_for_anybody(app: Flask, client_of: SignIn) -> None:
    paths = [path for method, path in TABLE if method == "GET" and "<campaign>" in path]
    addresses = [
        path.replace("<campaign>", "missing")
        .replace(KINDS, "topics")
        .replace(THINGS, "topic")
        .replace(ENDINGS, "csv")
        for path in paths
    ]
    for who in ("Carla", "Ben", "Anna"):
        client = client_of(app, who)
        answers = {address: client.get(address).status_code for address in addresses}
        assert answers == dict.fromkeys(addresses, 404)
