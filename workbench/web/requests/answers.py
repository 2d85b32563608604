"""Answers in JSON, with one shape for every refusal, so that the page's code can tell them apart, and as files."""

from __future__ import annotations

from typing import Any, NamedTuple

from flask import Response, flash, g, jsonify, request

from workbench.campaign.assessing.storing import TOO_MANY
from workbench.core.errors import JudgmentRefused
from workbench.core.records import Judgment, Rationale

CONFLICTS = frozenset({"replaced elsewhere", "text changed", "uuid taken", "judged by another"}).union(
    ("topic closed", "norming closed", "another campaign")
)
"""Reasons to refuse a judgment that was right when its page was made."""

REFUSALS = CONFLICTS.union(
    (
        "unknown pair",
        "bad grade",
        "bad value",
        "not yours",
        "not judged",
        "no conflict",
        "wrong field",
        "csrf",
        "signed out",
    ),
    (
        "other account",
        "other version",
        "not found",
        "not allowed",
        "bad request",
        "too large",
        "wrong type",
        "token",
    ),
)
"""Every reason for which a judgment may be refused."""


def status_of(refused: JudgmentRefused) -> int:
    """409 when what is stored has changed since, 403 for a topic of others and for a label that is not shown yet,
    429 for what is to be sent again later, 422 for what was never right.
    """
    if refused.reason == TOO_MANY:
        return 429
    if refused.reason in ("not yours", "not judged"):
        return 403
    return 409 if refused.reason in CONFLICTS else 422


def refusal(status: int, reason: str, message: str, **more: Any) -> Response:
    """A refusal: `reason` is a word for the page's code, `message` a sentence for people."""
    g.refused = reason
    response = jsonify(reason=reason, message=message, **more)
    response.status_code = status
    return response


class OwnJudgment(NamedTuple):
    """One's own judgment in force, as far as a page has to know it."""

    seq: int
    kind: str
    grade: int | None
    comment: str
    rationales: tuple[Rationale, ...]
    chosen: int | None = None


def own_judgment(judgment: Judgment | None) -> OwnJudgment | None:
    """What an assessor's page has to know of their own judgment in force; None where there is none."""
    return (
        None if judgment is None else OwnJudgment(*(getattr(judgment, name) for name in OwnJudgment._fields))
    )


def wants_json() -> bool:
    """Whether the answer is for a script: it sends JSON, prefers JSON, or uses an address under /api/; of a program
    with a token, unless it prefers a page.
    """
    if request.is_json or "/api/" in request.path:
        return True
    accepts = request.accept_mimetypes
    json, page = accepts["application/json"], accepts["text/html"]
    return json > page or (json == page and g.get("viewer") is not None and g.viewer.token is not None)


def say(sentence: str) -> None:
    """Say what a form did: people see it on the page that comes next, programs get it as the answer's message."""
    if wants_json():
        g.setdefault("said", []).append(sentence)
    else:
        flash(sentence)


def attached(content: str | bytes, name: str, content_type: str) -> Response:
    """An answer that browsers save under this name."""
    response = Response(content, content_type=content_type)
    response.headers.set("Content-Disposition", "attachment", filename=name)
    return response
