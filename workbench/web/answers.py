"""Answers in JSON: one shape for every refusal, so that the page's code can tell them apart."""

from __future__ import annotations

from typing import Any

from flask import Response, jsonify

from workbench.errors import JudgmentRefused
from workbench.records import Judgment

CONFLICTS = frozenset(
    {
        "replaced elsewhere",
        "text changed",
        "uuid taken",
        "judged by another",
        "topic closed",
        "norming closed",
    }
)
"""Reasons to refuse a judgment that was right when its page was made."""


def status_of(refused: JudgmentRefused) -> int:
    """409 when what is stored has changed since, 403 for a topic of others, 422 for what was never right."""
    if refused.reason == "not yours":
        return 403
    return 409 if refused.reason in CONFLICTS else 422


def refusal(status: int, reason: str, message: str, **more: Any) -> Response:
    """A refusal: `reason` is a word for the page's code, `message` a sentence for people."""
    response = jsonify(reason=reason, message=message, **more)
    response.status_code = status
    return response


def as_sent(judgment: Judgment) -> dict[str, Any]:
    """A judgment as JSON: its fields by their names, its rationales too."""
    return judgment._asdict() | {"rationales": [rationale._asdict() for rationale in judgment.rationales]}


def own_judgment(judgment: Judgment | None) -> dict[str, Any] | None:
    """What an assessor's page has to know of their own judgment in force; None where there is none."""
    if judgment is None:
        return None
    sent = as_sent(judgment)
    return {name: sent[name] for name in ("seq", "kind", "grade", "comment", "rationales")}
