"""Pages, files and forms as operations: what URL map, access rules, docstrings and declared fields say of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from inspect import getdoc
from typing import Any

from flask import Flask
from werkzeug.datastructures import FileStorage
from werkzeug.routing import Rule as Route

from workbench.core.results import Schema
from workbench.web import places
from workbench.web.access.form_answers import Done
from workbench.web.access.rules import Rule, rule_of
from workbench.web.analysis.result_pages import ROUTES
from workbench.web.api.operations import (
    FILE,
    FORM,
    PAGE,
    WITH_FILES,
    Operation,
    Parameter,
    field_of,
    fields_of,
    operations,
)
from workbench.web.api.schemas import ANY_FILE, ANY_TEXT, list_of, one_of, schema_of_parameter
from workbench.web.requests.form_fields import DO, Changes, declared_fields
from workbench.web.requests.uploads import FIELD

NOT_DESCRIBED = {
    "static": "files of pages, the same for everybody",
    "api.description": "the description itself",
    "offline.service_worker": "a script of browsers",
    "health.all_metrics": "for a monitor, in the form of Prometheus",
}
"""By endpoint. Public pages are not described either, which lead people to an account, nor what asks for a password."""

FORMAT = Parameter("format", one_of(("csv", "json", "latex")), "The table as a file; without it the page.")
NAMED = re.compile(r"[?&]([\w-]+)=")
"""A field of the address in a docstring, such as `?topic=&document=`."""


def every_operation(app: Flask) -> Iterator[tuple[Route, Operation]]:
    """The routes that are described, with what is said of them."""
    known = operations()
    for route in sorted(app.url_map.iter_rules(), key=lambda route: (route.rule, route.endpoint)):
        view, operation = app.view_functions[route.endpoint], known.get(route.endpoint)
        rule, is_described = rule_of(app, route.endpoint) or Rule(), route.endpoint not in NOT_DESCRIBED
        if not is_described or (rule.public and operation is None) or route.endpoint.startswith("reauth"):
            continue
        if "POST" in (route.methods or ()) and (operation is None or operation.takes is None):
            form = _form(view)
            yield route, form if operation is None else form._replace(answers=operation.answers)
        else:
            yield route, operation or _page(route.endpoint, view)


def _page(endpoint: str, view: Callable[..., Any]) -> Operation:
    """A page, or a file: the fields of its address are those of its analysis, of the view, or of its docstring."""
    if endpoint in ROUTES:
        query = (*fields_of(ROUTES[endpoint].analysis), FORMAT)
        return Operation({200: FILE, 202: "Job", 302: None, 303: None}, query=query, refuses=(422, 429))
    declared = list(map(field_of, declared_fields(view)))
    known = {each.name for each in declared}
    said = [name for name in dict.fromkeys(NAMED.findall(getdoc(view) or "")) if name not in known]
    query = (*declared, *(Parameter(name, ANY_TEXT, "") for name in said))
    kind = PAGE if any(each.endpoint == endpoint for each in places.PLACES) else FILE
    return Operation({200: kind, 202: "Job", 302: None, 303: None}, query=query, refuses=(404, 409, 422, 429))


def _form(view: Any) -> Operation:
    """A form: its fields are those that the view declares, and of what it does as its field `do` says."""
    changes: Changes | None = view.does
    own, of_changes = declared_fields(view), _of_changes(changes) if changes else {}
    fields: dict[str, Schema] = {each.name: schema_of_parameter(each, each.limits.help) for each in own}
    fields |= of_changes
    required = [each.name for each in own if each.required] + ([DO] if changes else [])
    has_files = (
        any(each.kind is FileStorage for each in own) or ANY_FILE.items() <= fields.get("list", {}).items()
    )
    if getattr(view, "takes_uploads", False):
        fields[FIELD], has_files = list_of(ANY_FILE), True
    body = {"type": "object", "properties": fields, "required": required}
    confirmed = {201: Done} if getattr(view, "wants_confirmation", False) else {}
    return Operation(
        {200: Done, **confirmed, 202: "Job"},
        takes=body,
        media_type=WITH_FILES if has_files else FORM,
        refuses=(422, 429),
    )


def _of_changes(changes: Changes) -> dict[str, Schema]:
    """The fields of what a page's forms do, each with the values of `do` that take it."""
    fields: dict[str, Schema] = {DO: one_of(changes.functions)}
    takes: dict[str, list[str]] = {}
    for do, function in changes.functions.items():
        for each in declared_fields(function):
            takes.setdefault(each.name, []).append(do)
            words = f"{each.limits.help}; with {DO}={' or '.join(takes[each.name])}"
            fields[each.name] = schema_of_parameter(each, words)
    return fields
