"""What the judging page sends and gets, as JSON Schema, where it is not a judgment."""

from __future__ import annotations

from workbench.core.results import Schema
from workbench.web.api.schemas import (
    ANY_TEXT,
    BOOLEAN,
    INTEGER,
    SMALL_UUID,
    list_of,
    one_of,
    or_null,
    text,
    thing,
)
from workbench.web.judging.submissions import MOST_RECEIPTS
from workbench.web.judging.texts import MOST_AT_ONCE

_PLACE = {"document_id": text(), "against": or_null(text())}
_QUEUED = {
    "document_id": ANY_TEXT,
    "state": one_of(("open", "mine", "other")),
    "later": BOOLEAN,
    **dict.fromkeys(("grade", "seq"), or_null(INTEGER)),
    **dict.fromkeys(("kind", "near"), or_null(ANY_TEXT)),
}

JUDGING_SCHEMAS: dict[str, Schema] = {
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
}
