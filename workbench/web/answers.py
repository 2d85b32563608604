"""Answers in JSON: one shape for every refusal, so that the page's code can tell them apart."""

from __future__ import annotations

from typing import Any

from flask import Response, jsonify


def refusal(status: int, reason: str, message: str, **more: Any) -> Response:
    """A refusal: `reason` is a word for the page's code, `message` a sentence for people."""
    response = jsonify(reason=reason, message=message, **more)
    response.status_code = status
    return response
