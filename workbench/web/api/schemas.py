"""What requests carry and answers hold, as JSON Schema, where no record declares it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import isfinite
from typing import Any

from werkzeug.datastructures import FileStorage

from workbench.core.parameters import Parameter
from workbench.core.results import Schema
from workbench.core.values import INTEGER as ANY_INTEGER
from workbench.core.values import schema_of
from workbench.core.wording import capital
from workbench.formats.run_repairs import WAYS
from workbench.methods.pairing import PAIRINGS
from workbench.methods.pooling import STRATEGIES
from workbench.web.judging.preferences import PREFERENCES
from workbench.web.judging.submissions import SUBMITTED
from workbench.web.requests.campaign_jobs import WORDS

BOOLEAN: Schema = {"type": "boolean"}
INTEGER: Schema = ANY_INTEGER.schema
NUMBER: Schema = {"type": "number"}
ANY_TEXT: Schema = {"type": "string"}
ANY_FILE: Schema = {"type": "string", "contentMediaType": "application/octet-stream"}
OF_KINDS: Mapping[Any, Schema] = {
    bool: BOOLEAN,
    int: {"type": "integer"},
    float: NUMBER,
    FileStorage: ANY_FILE,
}
"""By the kind of a parameter; all others are texts."""


def described(schema: Schema, words: str) -> Schema:
    """The same with words that say what it means."""
    return {**schema, "description": words}


def one_of(words: Iterable[str]) -> Schema:
    """One of these words."""
    return {"type": "string", "enum": list(words)}


def or_null(schema: Schema) -> Schema:
    """What the schema says, or null."""
    if "enum" in schema:
        return {**schema, "type": [schema["type"], "null"], "enum": [*schema["enum"], None]}
    return (
        {**schema, "type": [schema["type"], "null"]}
        if "type" in schema
        else {"anyOf": [schema, {"type": "null"}]}
    )


def list_of(schema: Schema) -> Schema:
    """A list."""
    return {"type": "array", "items": schema}


def schema_of_parameter(parameter: Parameter, words: str = "") -> Schema:
    """What a field takes that is declared as a parameter, as JSON Schema."""
    limits = parameter.limits
    schema = one_of(limits.choices) if limits.choices else dict(OF_KINDS.get(parameter.kind, ANY_TEXT))
    bounds = {"maxLength" if schema["type"] == "string" else "maximum": limits.most, "minimum": limits.least}
    bounds |= {"exclusiveMinimum": limits.above, "exclusiveMaximum": limits.below}
    schema |= {name: bound for name, bound in bounds.items() if bound is not None and isfinite(bound)}
    if parameter.default not in (None, "", (), []) and not parameter.repeated:
        schema["default"] = parameter.default
    schema = list_of(schema) if parameter.repeated else schema
    return described(schema, f"{capital(words)}.") if words else schema


def thing(properties: dict[str, Schema], optional: Iterable[str] = (), **more: Any) -> Schema:
    """An object with these properties and no others."""
    required = [name for name in properties if name not in set(optional)]
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
        **more,
    }


def named(name: str) -> Schema:
    """A reference to one of SCHEMAS."""
    return {"$ref": f"#/components/schemas/{name}"}


READINESS_OF_CAMPAIGN = thing(
    {
        "name": ANY_TEXT,
        "state": ANY_TEXT,
        "message": ANY_TEXT,
        "writers_waiting": INTEGER,
        "oldest_writer_seconds": NUMBER,
        "newest_backup_seconds": or_null(NUMBER),
    }
)

_REFUSAL = {
    "reason": described(ANY_TEXT, "A word for programs."),
    "message": described(ANY_TEXT, "A sentence for people."),
}
_SIGN_IN = {"csrf_token": ANY_TEXT, "way": one_of(("password", "link", "demo")), "address": or_null(ANY_TEXT)}
_SIGN_IN |= {"providers": list_of(ANY_TEXT)}

SCHEMAS: dict[str, Schema] = {
    "Submission": schema_of(SUBMITTED),
    "AllPreferences": {**schema_of(PREFERENCES.values()), "required": list(PREFERENCES)},
    "BeingComputed": thing({"message": ANY_TEXT}),
    "Health": thing({"status": one_of(("ok", "unavailable"))}),
    "Readiness": thing(
        {
            "status": one_of(("ready", "not ready")),
            "looked_at": ANY_TEXT,
            "accounts": BOOLEAN,
            "room": BOOLEAN,
            "background": list_of(thing({"name": ANY_TEXT, "failure": ANY_TEXT})),
            "campaigns": list_of(READINESS_OF_CAMPAIGN),
            "accounts_backup_seconds": or_null(NUMBER),
            "space": list_of(
                thing(
                    {"place": ANY_TEXT, "free_bytes": {"type": "integer"}, "size_bytes": {"type": "integer"}}
                )
            ),
            "warnings": list_of(ANY_TEXT),
        },
        optional=(
            *("looked_at", "accounts", "room", "background", "campaigns"),
            *("accounts_backup_seconds", "space", "warnings"),
        ),
        description="The status for every client; the rest for monitors that send the token of this server.",
    ),
    "Session": thing(
        {"account": ANY_TEXT, "campaign": ANY_TEXT, "role": ANY_TEXT, **_SIGN_IN},
        optional=("campaign", "role"),
    ),
    "NoSession": thing({**_REFUSAL, **_SIGN_IN}),
    "SignIn": {
        "type": "object",
        "properties": {"name": ANY_TEXT, "password": ANY_TEXT},
        "required": ["name", "password"],
    },
    "SignedIn": thing({"account": ANY_TEXT, "csrf_token": ANY_TEXT}),
    "Files": {
        "type": "object",
        "properties": {
            "files": list_of(ANY_FILE),
            "team": described(ANY_TEXT, "The team of the runs."),
            "name": described(one_of(("tag", "file")), "How the runs are named."),
            "assessor": described(ANY_TEXT, "The assessor of a sample’s judgments."),
            "lists": ANY_FILE,
            "do": described(one_of(("add", "check")), "With `check`, nothing is added."),
            **{name: one_of(("", *ways)) for name, ways in WAYS._asdict().items()},
        },
        "required": ["files"],
    },
    "NewPool": {
        "type": "object",
        "properties": {"strategy": described(one_of([*STRATEGIES, *PAIRINGS]), "How the pairs are chosen.")},
        "additionalProperties": described(ANY_TEXT, "A parameter of the strategy, or a field of the form."),
    },
    "Job": thing(
        dict.fromkeys(("id", "name", "by", "at", "step", "message", "address"), ANY_TEXT)
        | dict.fromkeys(("ended", "result"), or_null(ANY_TEXT))
        | {"state": one_of(WORDS), "done": INTEGER, "total": or_null(INTEGER), "detail": {}},
        description="`done` steps of `total`, if that is known; `result` is an address once it is done.",
    ),
    "Adjudicated": thing({"next": ANY_TEXT, "seq": INTEGER, "repeated": BOOLEAN}),
    "TeamReports": thing({"reports": list_of(named("Report"))}),
    "NoTeamReports": {"anyOf": [named("TeamReports"), named("Error")]},
    "NoReports": {"anyOf": [named("Reports"), named("Error")]},
    "Error": thing(
        {
            **_REFUSAL,
            "field": described(ANY_TEXT, "Which field is wrong, where one is."),
            "request": described(ANY_TEXT, "The number of a request that failed: the log has the details."),
            "current": or_null(named("OwnJudgment")),
        },
        optional=("field", "request", "current"),
    ),
}
