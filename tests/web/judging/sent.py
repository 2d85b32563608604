"""Judgments as the judging page sends them, by what the server has shown it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask.testing import FlaskClient

ECHOED = ("document_id", "log", "pool", "text_hash", "topic_version", "guideline_version")


def shown(
    client: FlaskClient, document_id: str, topic_id: str = "1", campaign: str = "small", **more: int
) -> Any:
    """What the server says of a document, or why it does not."""
    query = {"topic": topic_id, "document": document_id, **more}
    return client.get(f"/c/{campaign}/api/document", query_string=query).get_json()


def judged(document: Mapping[str, Any], number: int = 1, **changes: object) -> dict[str, Any]:
    """The judgment with this number for its id: relevant, unless `changes` says otherwise."""
    return {
        **{name: document[name] for name in ECHOED},
        "uuid": f"00000000-0000-4000-8000-{number:012d}",
        "topic_id": "1",
        "kind": "grade",
        "grade": 1,
        "replaces": None,
        "client_at": "2026-03-01T12:00:00Z",
        "active_seconds": 2.5,
        "comment": "",
        **changes,
    }
