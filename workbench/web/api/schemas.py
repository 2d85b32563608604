"""What requests carry and answers hold, as JSON Schema; limits are those that the readers themselves use."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from workbench.campaign.assessor_settings import LONGEST_TERM, MOST_TERMS
from workbench.campaign.campaign_settings import MOST_DOCUMENTS, MOST_MINUTES
from workbench.core import values
from workbench.core.records import Judgment
from workbench.core.results import Schema, schemas
from workbench.formats.run_repairs import WAYS
from workbench.web.judging.assessor_settings import CHANGES
from workbench.web.judging.preferences import AHEADS, FACES, LARGEST, MOST_KEYS, OPENINGS, SMALLEST
from workbench.web.judging.submissions import LONGEST_TEXT, MOST_RECEIPTS, OPTIONAL, SENT
from workbench.web.judging.texts import MOST_AT_ONCE
from workbench.web.requests.campaign_jobs import WORDS
from workbench.web.scoring.board_view import Board, IntervalsOfBoard

BOOLEAN: Schema = {"type": "boolean"}
INTEGER: Schema = values.INTEGER.schema
NUMBER: Schema = {"type": "number"}
ANY_TEXT: Schema = {"type": "string"}
SMALL_UUID: Schema = {"type": "string", "pattern": "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"}


def text(longest: int = LONGEST_TEXT) -> Schema:
    """A text with a largest number of characters."""
    return {"type": "string", "maxLength": longest}


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


def list_of(schema: Schema, most: int | None = None) -> Schema:
    """A list, with a largest length."""
    return {"type": "array", "items": schema} | ({} if most is None else {"maxItems": most})


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

SUBMISSION = thing(
    {
        **{field.name: field.schema for field in SENT},
        "log": described(text(), "The mark of the campaign's log, as the document was shown with it."),
        "norming": described(or_null(INTEGER), "The number of a norming session, null outside of them."),
    },
    optional=OPTIONAL,
)

OWN_JUDGMENT = thing(
    {
        "seq": INTEGER,
        "kind": ANY_TEXT,
        "grade": or_null(INTEGER),
        "comment": ANY_TEXT,
        "rationales": list_of(named("Rationale")),
    },
    description="One's own judgment in force.",
)

DOCUMENT = thing(
    {
        "account": ANY_TEXT,
        "document_id": ANY_TEXT,
        "title": ANY_TEXT,
        "state": one_of(("text", "empty", "missing")),
        "log": ANY_TEXT,
        "pool": INTEGER,
        "text_hash": or_null(ANY_TEXT),
        "topic_version": INTEGER,
        "guideline_version": INTEGER,
        "mine": or_null(named("OwnJudgment")),
        "hits": list_of(described(NUMBER, "Where a term stands: 0 is the beginning, 1 the end.")),
        "terms": list_of(thing({"text": ANY_TEXT, "own": BOOLEAN, "hits": INTEGER, "colour": INTEGER})),
        "opens_at": or_null(described(INTEGER, "The hit at which the best stretch begins, counted from 0.")),
        "passage": BOOLEAN,
        "differences": list_of(described(NUMBER, "Where the text differs from that of its near duplicate.")),
        "twin": or_null(
            thing(
                {"document_id": ANY_TEXT, "name": ANY_TEXT, "reasons": list_of(ANY_TEXT)},
                description="The near duplicate it is compared with, and why its grade may not do for both.",
            )
        ),
    }
)

_PREFERENCES: dict[str, Schema] = {
    "keys": {"type": "object", "additionalProperties": ANY_TEXT, "maxProperties": MOST_KEYS},
    "stay": BOOLEAN,
    "opening": one_of(OPENINGS),
    "size": {"type": "integer", "minimum": SMALLEST, "maximum": LARGEST},
    "face": one_of(FACES),
    "ahead": one_of(AHEADS),
    "break_documents": or_null({"type": "integer", "minimum": 0, "maximum": MOST_DOCUMENTS}),
    "break_minutes": or_null({"type": "integer", "minimum": 0, "maximum": MOST_MINUTES}),
}

_NEWS = {
    "again": described(or_null(ANY_TEXT), "A document of the topic that is to be judged again from now on."),
    "versions": thing(dict.fromkeys(("topic", "guidelines"), INTEGER)),
    "before": described(or_null(INTEGER), "This account's row before it in the topic, among its last 100."),
}
_REFUSAL = {
    "reason": described(ANY_TEXT, "A word for programs."),
    "message": described(ANY_TEXT, "A sentence for people."),
}
_SIGN_IN = {"csrf_token": ANY_TEXT, "way": one_of(("password", "link", "demo")), "address": or_null(ANY_TEXT)}
_FINDING = thing({"line": or_null(INTEGER), "message": ANY_TEXT})

_PLACE = {"document_id": text(), "against": or_null(text())}
_QUEUED = {
    "document_id": ANY_TEXT,
    "state": one_of(("open", "mine", "other")),
    "later": BOOLEAN,
    **dict.fromkeys(("grade", "seq"), or_null(INTEGER)),
    **dict.fromkeys(("kind", "near"), or_null(ANY_TEXT)),
}

SCHEMAS: dict[str, Schema] = {
    "Queue": thing({"queue": list_of(thing(_QUEUED)), "size": INTEGER, "awaited": BOOLEAN}),
    "Later": thing({"topic_id": text(), "document_id": text(), "later": BOOLEAN}),
    "LaterNow": thing({"later": BOOLEAN}),
    "TextsWanted": thing(
        {
            "topic_id": text(),
            "documents": {**list_of(thing(_PLACE), MOST_AT_ONCE), "minItems": 1},
            "size": {**INTEGER, "minimum": 0},
            "norming": or_null({**INTEGER, "minimum": 0}),
        },
        optional=("norming",),
    ),
    "Texts": thing({"texts": list_of(thing({**_PLACE, "html": ANY_TEXT}))}),
    "Receipts": {
        "type": "object",
        "properties": {"uuids": list_of(SMALL_UUID, MOST_RECEIPTS)},
        "required": ["uuids"],
    },
    "Unknown": thing({"unknown": list_of(SMALL_UUID), "log": ANY_TEXT}),
    "Submission": SUBMISSION,
    **schemas(Judgment),
    "OwnJudgment": OWN_JUDGMENT,
    "Stored": thing({"stored": named("Judgment"), "repeated": BOOLEAN, **_NEWS}),
    "Document": DOCUMENT,
    **schemas(Board),
    **schemas(IntervalsOfBoard),
    "BeingComputed": thing({"message": ANY_TEXT}),
    "TermsChange": thing(
        {"topic_id": text(), **dict.fromkeys(CHANGES, text(4 * LONGEST_TERM))}, optional=CHANGES
    ),
    "Terms": thing({"terms": list_of(text(LONGEST_TERM), MOST_TERMS), "off": list_of(ANY_TEXT)}),
    "Preferences": thing(_PREFERENCES),
    "PreferencesChange": thing(_PREFERENCES, optional=_PREFERENCES),
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
    "Session": thing({"account": ANY_TEXT, **_SIGN_IN}),
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
            "files": list_of({"type": "string", "contentMediaType": "application/octet-stream"}),
            "team": described(ANY_TEXT, "The team that the runs are of."),
            "name": described(one_of(("tag", "file")), "What runs are called by."),
            "assessor": described(ANY_TEXT, "Whose judgments those of a sample are."),
            "do": described(one_of(("add", "check")), "With check nothing is added."),
            **{name: one_of(("", *ways)) for name, ways in WAYS._asdict().items()},
        },
        "required": ["files"],
    },
    "Reports": thing(
        {
            "reports": list_of(
                thing(
                    {
                        "file": ANY_TEXT,
                        "added": BOOLEAN,
                        "sentence": ANY_TEXT,
                        "more": INTEGER,
                        "problems": list_of(_FINDING),
                        "warnings": list_of(_FINDING),
                        "check": or_null({"type": "object"}),
                    }
                )
            ),
            **dict.fromkeys(("there", "job"), ANY_TEXT),
        }
    ),
    "Job": thing(
        dict.fromkeys(("id", "name", "by", "at", "step", "message", "address"), ANY_TEXT)
        | dict.fromkeys(("ended", "result"), or_null(ANY_TEXT))
        | {"state": one_of(WORDS), "done": INTEGER, "total": or_null(INTEGER), "detail": {}},
        description="`done` steps of `total`, if that is known; `result` is an address once it is done.",
    ),
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
