"""Every address that is described, asked by a program with a token for what its description allows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from hypothesis import HealthCheck, given, settings

from tests.at_length import at_length
from tests.fuzzing.test_described import constants
from workbench.people.accounts import Account, open_accounts
from workbench.people.accounts.guesses import Throttle
from workbench.people.accounts.tokens import make_token
from workbench.people.members.programs import scope
from workbench.storage.campaign import open_campaign
from workbench.web.app import create_app

# What asks closes no answers that are files.
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning")]

EACH = at_length(10, 2)
PLACES = {"campaign": "small", "ending": "csv", "job": "3f2a90c1d4e5b677"}
"""What is filled in where the description leaves it open."""
SOME = {"topic": "1", "document": "d1", "run": "alpha", "topics": ["1"], "documents": ["d1"], "measure": "AP"}
"""What there is in the campaign: every second request names it in its fields."""


@pytest.fixture
def server(small_judged: Path, members_of_every_role: list[Account]) -> Iterator[Flask]:
    app = create_app(small_judged.parent)
    app.extensions["workbench_token_requests"] = Throttle(10**9, 60.0)
    yield app
    app.extensions["workbench_connections"].close()


def token_of(small_judged: Path, role: str) -> str:
    with open_accounts(small_judged.parent) as accounts, open_campaign(small_judged) as campaign:
        return make_token(accounts, role, scope(campaign, role, role), "test")


def operations(server: Flask) -> list[Any]:
    import schemathesis

    schema = schemathesis.openapi.from_wsgi("/api/openapi.json", server)
    return [found.ok() for found in schema.get_all_operations()]


def for_programs(operation: Any) -> bool:
    return {"program": []} in operation.definition.raw["security"]


@pytest.mark.parametrize("role", ["organiser", "assessor", "participant"])
def test_a_program_gets_what_the_description_says(server: Flask, small_judged: Path, role: str) -> None:
    headers = {"Accept": "application/json", "Accept-Encoding": "identity"}
    headers["Authorization"] = f"Bearer {token_of(small_judged, role)}"
    failed = [
        failure for each in operations(server) if for_programs(each) for failure in asked(each, headers, role)
    ]
    assert failed == []


def asked(operation: Any, headers: dict[str, str], role: str) -> list[str]:
    """What was wrong with the answers of an address to a few requests."""
    from schemathesis import GenerationMode
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi import checks

    conforms = [
        not_a_server_error,
        checks.status_code_conformance,
        checks.content_type_conformance,
        checks.response_schema_conformance,
    ]
    places = {name: value for name, value in PLACES.items() if "{" + name + "}" in operation.path}
    may = role in operation.definition.raw["x-roles"]
    failed: list[str] = []

    @settings(
        max_examples=EACH,
        suppress_health_check=list(HealthCheck),
        database=None,
        deadline=None,
        derandomize=True,
    )
    @given(
        operation.as_strategy(GenerationMode.POSITIVE, feedback=constants(operation), path_parameters=places)
    )
    def fuzz(case: Any) -> None:
        for each in (case, named(case)):
            answer = each.call(headers=headers)
            try:
                each.validate_response(answer, checks=conforms)
                assert may or answer.status_code in {403, 404}, answer.status_code
            except (AssertionError, BaseExceptionGroup) as error:
                said = error.exceptions[0] if isinstance(error, BaseExceptionGroup) else error
                failed.append(f"{operation.label}: {said} {each.query} {each.body}")

    fuzz()
    return failed[:1]


def named(case: Any) -> Any:
    """The same request about what there is in the campaign."""
    for place in (case.query, case.body):
        if isinstance(place, dict):
            place |= {name: SOME[name] for name in place.keys() & SOME}
    return case


def test_every_address_for_programs_asks_for_a_token(server: Flask) -> None:
    client, headers = server.test_client(), {"Authorization": "Bearer wbt_x", "Accept": "application/json"}
    for operation in operations(server):
        if not for_programs(operation):
            continue
        places = {
            each.name: each.definition["schema"].get("enum", ["x"])[0] for each in operation.path_parameters
        }
        address = operation.path.format(**places | PLACES)
        answer = client.open(address, method=operation.method.upper(), headers=headers)
        assert (answer.status_code, answer.get_json()["reason"]) == (401, "token"), operation.label
