"""The description itself: operations, URL map, access rules and docstrings put together by apispec."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

from apispec import APISpec
from apispec_webframeworks.flask import FlaskPlugin
from flask import Flask
from werkzeug.routing import Rule as Route

from workbench import __version__
from workbench.core.results import Schema, schemas
from workbench.core.values import declared, schema_of
from workbench.web.access.rules import Rule, rule_of
from workbench.web.api.operations import FILE, JSON, PAGE, Operation
from workbench.web.api.pages import every_operation
from workbench.web.api.schemas import SCHEMAS, named

OPENAPI = "3.1.0"
TITLE = "Relevance Workbench"
SESSION, TOKEN, PROGRAM = "session", "token", "program"
CHANGING = "post"

WORDS = (
    "The addresses of a workbench server that answer in JSON. A program sends a token of its own, made on the page "
    "Account, with each request. Or it asks /session for a cookie and a token, signs in with the form of /sign-in, "
    "keeps the cookie, and sends the token of the answer as X-CSRFToken with every change. Errors have one form: "
    "a code for programs and a sentence for people."
)

REFUSALS = {
    **dict.fromkeys((302, 303), "The way to a page, in Location."),
    304: "Nothing has changed since the ETag in If-None-Match.",
    400: "The body cannot be read, or the token is missing or from an earlier session.",
    401: "Not signed in, or the user name or password is wrong.",
    403: "The role does not allow this, or the topic belongs to another assessor.",
    404: "There is no such campaign for this account, or no such topic or document in it.",
    409: "The stored data has changed since, or the page is from an earlier version.",
    413: "That is more than the server accepts at once.",
    415: "The body is not of an accepted type.",
    422: "The body can be read but is invalid; `field` names the first invalid field.",
    429: "Too many attempts, or judgments of one document in a minute; Retry-After says when to try again.",
    503: "The campaign cannot be read or written at the moment; Retry-After says when to try again.",
}


def specification(app: Flask) -> dict[str, Any]:
    """The OpenAPI document of an application, as JSON values."""
    spec = APISpec(
        title=TITLE,
        version=__version__,
        openapi_version=OPENAPI,
        plugins=[FlaskPlugin()],
        info={"description": WORDS, "license": {"name": "MIT", "identifier": "MIT"}},
    )
    every = list(every_operation(app))
    for name, schema in (SCHEMAS | _schemas_of_records([operation for _, operation in every])).items():
        spec.components.schema(name, schema)
    session = {"type": "apiKey", "in": "cookie", "name": str(app.config["SESSION_COOKIE_NAME"])}
    spec.components.security_scheme(SESSION, session)
    spec.components.security_scheme(TOKEN, {"type": "apiKey", "in": "header", "name": "X-CSRFToken"})
    spec.components.security_scheme(PROGRAM, {"type": "http", "scheme": "bearer"})
    for route, operation in every:
        spec.path(
            view=app.view_functions[route.endpoint],
            app=app,
            operations={_method(route): _described(app, route.endpoint, operation, route)},
            parameters=_places(route),
        )
    return spec.to_dict()


def _schemas_of_records(every: Sequence[Operation]) -> dict[str, Schema]:
    """Of all kinds of records that are taken, and of results that are answers with what they hold."""
    taken = [each.takes for each in every if isinstance(each.takes, type)]
    answers = schemas(*(kind for each in every for kind in each.answers.values() if isinstance(kind, type)))
    return answers | {kind.__name__: schema_of(declared(kind)) for kind in taken}


def _method(route: Route) -> str:
    (method,) = (route.methods or set()) - {"HEAD", "OPTIONS"}
    return method.lower()


def _described(app: Flask, endpoint: str, operation: Operation, route: Route) -> dict[str, Any]:
    rule, changes = rule_of(app, endpoint) or Rule(), _method(route) == CHANGING
    summary, _, more = (inspect.getdoc(app.view_functions[endpoint]) or "").partition("\n\n")
    needed = ([] if rule.public and not changes else [SESSION]) + ([TOKEN] if changes else [])
    is_open = rule.roles and not getattr(app.view_functions[endpoint], "wants_confirmation", False)
    said: dict[str, Any] = {
        "operationId": endpoint.replace(".", "_"),
        "summary": " ".join(summary.split()),
        "parameters": [
            {"name": name, "in": "query", "schema": schema, "description": words, "required": required}
            for name, schema, words, required in operation.query
        ],
        "security": [{name: [] for name in each} for each in (needed, is_open and [PROGRAM]) if each],
        "responses": _answers(operation, rule, changes=changes),
        **dict.fromkeys(operation.marks, True),
    }
    if more:
        said["description"] = " ".join(more.split())
    if rule.roles:
        said["x-roles"] = list(rule.roles)
    if operation.takes:
        said["requestBody"] = {"required": True, "content": _content(operation.takes, operation.media_type)}
    return said


def _answers(operation: Operation, rule: Rule, *, changes: bool) -> dict[str, Any]:
    refused = {*operation.refuses}
    refused |= set() if rule.public else {401}
    refused |= {403, 404, 503} if rule.roles else set()
    refused |= {400, 409, 413} if changes else set()
    refused |= {415} if operation.takes and operation.media_type == JSON else set()
    answers = {
        status: _answer(REFUSALS.get(status, HTTPStatus(status).phrase), schema)
        for status, schema in operation.answers.items()
    }
    answers |= {status: _answer(REFUSALS[status], "Error") for status in refused - set(answers)}
    return {str(status): answers[status] for status in sorted(answers)}


def _answer(words: str, schema: str | type | None) -> dict[str, Any]:
    if schema in (None, PAGE, FILE):
        return {"description": words} | ({"content": {schema: {"schema": {}}}} if schema else {})
    return {"description": words, "content": _content(schema, JSON)}


def _content(schema: Any, media_type: str) -> dict[str, Any]:
    of_kind = schema if isinstance(schema, dict) else named(getattr(schema, "__name__", schema))
    return {media_type: {"schema": of_kind}}


def _places(route: Route) -> list[dict[str, Any]]:
    """The parts of the path that are to be filled in."""
    return [
        {"name": name, "in": "path", "required": True, "schema": _place(route, name)}
        for name in sorted(route.arguments)
    ]


def _place(route: Route, name: str) -> Schema:
    items = getattr(route._converters[name], "items", None)
    return {"type": "string", "enum": sorted(items)} if items else {"type": "string", "minLength": 1}
