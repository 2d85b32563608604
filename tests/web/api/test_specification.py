"""The description says what the server does: every address, every field, every answer."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from uuid import uuid4

import jsonschema
import pytest
from flask import Flask

from tests.fixture_types import SignIn, TokenOf
from workbench.campaign.assessing import Receipt
from workbench.campaign.assessing.repeats import set_repeats
from workbench.core.records import Judgment, Rationale
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.log.kinds import LONGEST_REASON
from workbench.storage.instance import monitor_token
from workbench.web.access.rules import rule_of
from workbench.web.analysis.result_pages import ROUTES
from workbench.web.api.operations import operations
from workbench.web.api.pages import NOT_DESCRIBED, every_operation
from workbench.web.api.specification import specification
from workbench.web.judging.preferences import PREFERENCES
from workbench.web.judging.submissions import SUBMITTED

pytestmark = pytest.mark.usefixtures("small")

SIGNING_IN = {"sign_in", "providers", "second_factor", "invitations", "reauthentication", "language"}
"""The pages that lead people to an account, ask for their password, and for the language they read."""
UUID = "6b0f5a1e-3f1c-4c7e-9d0a-2f6b8f1e7a55"


@pytest.fixture
def said(app: Flask) -> dict[str, Any]:
    return specification(app)


def operation_of(said: Mapping[str, Any], endpoint: str) -> dict[str, Any]:
    name = endpoint.replace(".", "_")
    (found,) = (
        each
        for path in said["paths"].values()
        for each in path.values()
        if isinstance(each, dict) and each["operationId"] == name
    )
    return found


def test_every_address_under_api_is_described(app: Flask) -> None:
    served = {rule.endpoint for rule in app.url_map.iter_rules() if "/api/" in rule.rule}
    assert served - set(operations()) == {"api.description"}


def test_every_other_address_is_described_or_there_is_a_reason(app: Flask, said: dict[str, Any]) -> None:
    described = {
        each["operationId"]
        for path in said["paths"].values()
        for each in path.values()
        if "operationId" in each
    }
    left_out = {
        rule.endpoint for rule in app.url_map.iter_rules() if rule.endpoint.replace(".", "_") not in described
    }
    assert left_out >= set(NOT_DESCRIBED)
    assert {name.partition(".")[0] for name in left_out - set(NOT_DESCRIBED)} == SIGNING_IN


def test_a_token_is_offered_where_a_role_is_asked_for_and_no_password(
    app: Flask, said: dict[str, Any]
) -> None:
    for route, _ in every_operation(app):
        rule, security = rule_of(app, route.endpoint), operation_of(said, route.endpoint)["security"]
        assert rule is not None
        confirmed = getattr(app.view_functions[route.endpoint], "wants_confirmation", False)
        assert ({"program": []} in security) == bool(rule.roles and not confirmed)


def test_a_form_is_described_with_the_fields_that_its_view_declares(said: dict[str, Any]) -> None:
    form = operation_of(said, "topic_changes.withdraw")["requestBody"]["content"]
    (schema,) = (each["schema"] for each in form.values())
    assert schema["required"] == ["topic"]
    assert schema["properties"]["do"]["enum"] == ["withdraw", "restore"]
    assert schema["properties"]["reason"]["maxLength"] == LONGEST_REASON


def test_it_is_served_to_everybody_and_is_openapi_3_1(app: Flask) -> None:
    with app.test_client().get("/api/openapi.json") as answer:
        assert answer.status_code == 200
        assert answer.get_json()["openapi"] == "3.1.0"
        assert answer.get_json() == json.loads(json.dumps(specification(app), allow_nan=False))


def test_every_schema_is_a_schema_and_every_reference_leads_to_one(said: dict[str, Any]) -> None:
    schemas = said["components"]["schemas"]
    for schema in schemas.values():
        jsonschema.Draft202012Validator.check_schema(schema)
    named = {part.split('"')[0] for part in json.dumps(said).split('"#/components/schemas/')[1:]}
    assert named == set(schemas)


def test_an_operation_names_the_roles_and_the_words_of_its_view(app: Flask, said: dict[str, Any]) -> None:
    for endpoint in operations():
        operation, rule = operation_of(said, endpoint), rule_of(app, endpoint)
        assert rule is not None
        assert tuple(operation.get("x-roles", ())) == (rule.roles or ())
        assert operation["summary"]
        assert operation["summary"] in " ".join((app.view_functions[endpoint].__doc__ or "").split())
        assert rule.public or "401" in operation["responses"]


def test_a_judgment_is_described_with_the_fields_that_are_read(said: dict[str, Any]) -> None:
    submission = said["components"]["schemas"]["Submission"]
    assert set(submission["properties"]) == {field.name for field in SUBMITTED}
    assert set(submission["properties"]) - set(submission["required"]) == {
        *("chosen", "input", "left", "norming", "rationales", "same_as")
    }


def test_what_is_answered_is_described_with_the_fields_of_its_records(said: dict[str, Any]) -> None:
    schemas = said["components"]["schemas"]
    assert set(schemas["Judgment"]["properties"]) == set(Judgment._fields)
    assert set(schemas["Rationale"]["properties"]) == set(Rationale._fields)
    assert set(schemas["Preferences"]["properties"]) == set(PREFERENCES)
    assert set(schemas["Receipt"]["properties"]) == {"stored", *Receipt._fields} - {"judgment"}


def conforms(said: dict[str, Any], endpoint: str, answer: Any) -> bool:
    """Whether the body of an answer is what its operation says for its status."""
    schema = operation_of(said, endpoint)["responses"][str(answer.status_code)]["content"][
        "application/json"
    ]["schema"]
    jsonschema.Draft202012Validator({**schema, "components": said["components"]}).validate(answer.get_json())
    return True


def judgment_of(shown: Mapping[str, Any]) -> dict[str, Any]:
    same = ("document_id", "log", "pool", "text_hash", "topic_version", "guideline_version")
    return {
        **{name: shown[name] for name in same},
        "uuid": UUID,
        "topic_id": "1",
        "kind": "grade",
        "grade": 1,
        "replaces": None,
        "comment": "why",
        "client_at": "2026-03-01T12:00:00Z",
        "active_seconds": 2.5,
        "rationales": [{"field": "text", "start": 4, "end": 8, "text": "text"}],
    }


def test_a_day_of_judging_is_answered_as_described(
    app: Flask, said: dict[str, Any], client_of: SignIn, token_of: TokenOf
) -> None:
    client = client_of(app, "Ben")
    headers = {"X-CSRFToken": token_of(client)}

    def send(endpoint: str, path: str, body: Any, status: int) -> Any:
        answer = client.post(f"/c/small/api/{path}", json=body, headers=headers)
        assert (answer.status_code, conforms(said, endpoint, answer)) == (status, True)
        return answer.get_json()

    def look(endpoint: str, address: str, status: int = 200) -> Any:
        answer = client.get(address)
        assert (answer.status_code, conforms(said, endpoint, answer)) == (status, True)
        return answer.get_json()

    judgment = judgment_of(look("document_view.document", "/c/small/api/document?topic=1&document=d1"))
    send("judgments.store", "judgments", judgment, 201)
    send("judgments.store", "judgments", judgment, 200)
    send("judgments.store", "judgments", judgment | {"grade": 0}, 409)
    send("judgments.store", "judgments", judgment | {"grade": "1"}, 422)
    look("document_view.document", "/c/small/api/document?topic=1&document=d1")
    look("document_view.document", "/c/small/api/document?topic=1&document=d99", 404)
    send("assessor_settings.later", "later", {"topic_id": "1", "document_id": "d2", "later": True}, 200)
    send("assessor_settings.later", "later", {"topic_id": "1", "document_id": "d99", "later": True}, 404)
    nugget = {name: judgment[name] for name in ("topic_id", "document_id", "text_hash")}
    nugget["pieces"] = judgment["rationales"]
    send("nuggets.add_selected", "nuggets", nugget, 200)
    send("nuggets.add_selected", "nuggets", nugget | {"text_hash": "x"}, 409)
    send("nuggets.add_selected", "nuggets", nugget | {"document_id": "d99"}, 404)
    send("nuggets.add_selected", "nuggets", nugget | {"pieces": []}, 422)
    send("assessor_settings.change_terms", "terms", {"topic_id": "1", "add": "ice"}, 200)
    look("assessor_settings.terms", "/c/small/api/terms?topic=1")
    send("assessor_settings.change_preferences", "preferences", {"size": 20, "keys": {}}, 200)
    send("assessor_settings.change_preferences", "preferences", {"size": 200}, 422)
    look("assessor_settings.all_preferences", "/c/small/api/preferences")
    first = {"document_id": "d1", "against": None}
    send("texts.texts", "texts", {"topic_id": "1", "documents": [first], "size": 1_000}, 200)
    send("texts.texts", "texts", {"topic_id": "1", "documents": ["d1"], "size": 1_000}, 422)
    send("judgments.unknown", "receipts", {"uuids": [UUID, UUID.replace("6", "7")]}, 200)
    look("sign_in.session_state", "/session")
    look("board.news", "/c/small/api/board", 403)


def test_a_judgment_after_which_a_document_is_due_again_is_answered_as_described(
    app: Flask, small: Path, said: dict[str, Any], client_of: SignIn, token_of: TokenOf
) -> None:
    with open_campaign(small) as campaign:
        set_repeats(campaign.by("Anna"), 1.0, 2, 7)
    client = client_of(app, "Ben")
    headers = {"X-CSRFToken": token_of(client)}
    answers = []
    for document_id in ("d1", "d2", "d3"):
        shown = client.get(f"/c/small/api/document?topic=1&document={document_id}").get_json()
        judgment = judgment_of(shown) | {"uuid": str(uuid4()), "rationales": []}
        answer = client.post("/c/small/api/judgments", json=judgment, headers=headers)
        assert conforms(said, "judgments.store", answer)
        answers.append(answer.get_json())
    assert [answer["again"] for answer in answers] == [None, None, "d1"]
    assert [answer["before"] for answer in answers] == [
        None,
        *(each["stored"]["seq"] for each in answers[:2]),
    ]


def test_what_organisers_ask_is_answered_as_described(
    app: Flask, said: dict[str, Any], client_of: SignIn, token_of: TokenOf
) -> None:
    client = client_of(app, "Anna")
    headers = {"X-CSRFToken": token_of(client), "Accept": "application/json"}
    for endpoint, address in {
        "board.news": "/c/small/api/board?m=AP&m=nDCG@10",
        "board.intervals": "/c/small/api/board/intervals?by=team",
        "trust.answer": "/c/small/api/stop/answer?measure=P@2",
        **{
            name: route.rule.replace("<campaign>", "small") + "?one=alpha&two=beta"
            for name, route in ROUTES.items()
            if not route.is_page
        },
        "health.health": "/health",
        "health.ready": "/health/ready",
    }.items():
        assert conforms(said, endpoint, client.get(address))
    monitor = {"Authorization": f"Bearer {monitor_token(Path(app.instance_path))}"}
    assert conforms(said, "health.ready", client.get("/health/ready", headers=monitor))
    client.post("/c/small/publish/audit", headers=headers)
    (job,) = re.findall(r'href="/c/small/jobs/(\w+)"', client.get("/c/small/jobs").get_data(as_text=True))
    assert conforms(said, "jobs.state", client.get(f"/c/small/api/jobs/{job}"))
    for name in ("", "topics.tsv", "topics.zip"):
        data = {"files": (io.BytesIO(b"1\tfrozen rivers\n2\tlakes\n"), name)}
        answer = client.post(
            "/c/small/add/topics", data=data, headers=headers, content_type="multipart/form-data"
        )
        assert conforms(said, "new_campaign.take", answer)


def test_signing_in_is_answered_as_described(app: Flask, said: dict[str, Any], token_of: TokenOf) -> None:
    client = app.test_client()
    assert conforms(said, "sign_in.session_state", client.get("/session"))
    headers = {"X-CSRFToken": token_of(client), "Accept": "application/json"}
    for password in ("wrong", "ben's password"):
        answer = client.post("/sign-in", data={"name": "Ben", "password": password}, headers=headers)
        assert conforms(said, "sign_in.prove", answer)
    assert answer.status_code == 200
