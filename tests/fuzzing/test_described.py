"""The addresses that answer in JSON, asked what their description allows and what it does not."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from tests.at_length import at_length
from tests.fuzzing.watching import Watched
from workbench.web.api.operations import operations

PLACES = {"campaign": "small", "kind": "topics"}
EACH = at_length(30, 6)
"""How many requests each address is asked in either way: what takes fields or a body."""


def described(watched: Watched, endpoint: str) -> Any:
    """The operation of an endpoint, as schemathesis reads it."""
    import schemathesis

    schema = schemathesis.openapi.from_wsgi("/api/openapi.json", watched.app)
    found = (result.ok() for result in schema.get_all_operations())
    (operation,) = (
        each for each in found if each.definition.raw["operationId"] == endpoint.replace(".", "_")
    )
    return operation


CONSTANTS: list[Any] = []
"""The constants of the code, which fields are filled with as well, once they are known.

They are those of all servers; schemathesis would read the whole code again for each: half of the time of these tests.
"""


def constants(operation: Any) -> Any:
    """What schemathesis would find for this operation's server itself."""
    from schemathesis.generation.feedback import FeedbackSources
    from schemathesis.python._constants.orchestrator import make_constants_value_source

    if not CONSTANTS:
        CONSTANTS.append(make_constants_value_source(operation.schema))
        assert not CONSTANTS[0].is_empty()
    return FeedbackSources(constants_value_source=CONSTANTS[0])


def ask(watched: Watched, endpoint: str, mode: Any) -> None:
    """Send what a strategy makes of the description, and hold every answer against it."""
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi import checks

    conforms = [
        not_a_server_error,
        checks.status_code_conformance,
        checks.content_type_conformance,
        checks.response_headers_conformance,
        checks.response_schema_conformance,
    ]
    operation = described(watched, endpoint)
    places = {name: value for name, value in PLACES.items() if "{" + name + "}" in operation.path}

    cookies, token = dict([watched.headers["Cookie"].split("=", 1)]), watched.headers["X-CSRFToken"]
    headers = {"Accept": "application/json", "Accept-Encoding": "identity", "X-CSRFToken": token}
    statuses: set[int] = set()

    @settings(max_examples=EACH, suppress_health_check=list(HealthCheck), database=None)
    @given(operation.as_strategy(mode, feedback=constants(operation), path_parameters=places))
    def fuzz(case: Any) -> None:
        before = watched.version()
        watched.failures.clear()
        answer = case.call(headers=headers, cookies=cookies)
        statuses.add(answer.status_code)
        assert [failure.getMessage() for failure in watched.failures] == []
        case.validate_response(answer, checks=conforms)
        if case.method == "GET" or answer.status_code >= 400:
            assert watched.version() == before

    fuzz()
    assert statuses != {401} or 401 in operations()[endpoint].refuses


@pytest.mark.slow
@pytest.mark.parametrize("endpoint", operations())
def test_what_the_description_allows_is_answered_as_it_says(watched: Watched, endpoint: str) -> None:
    from schemathesis import GenerationMode

    ask(watched, endpoint, GenerationMode.POSITIVE)


@pytest.mark.slow
@pytest.mark.parametrize(
    "endpoint", [name for name, each in operations().items() if each.takes or each.query]
)
def test_what_the_description_forbids_is_answered_as_it_says(watched: Watched, endpoint: str) -> None:
    from schemathesis import GenerationMode

    ask(watched, endpoint, GenerationMode.NEGATIVE)
