"""Answers that browsers save as a file."""

from __future__ import annotations

from flask import Response


def attached(content: str | bytes, name: str, content_type: str) -> Response:
    """An answer that browsers save under this name."""
    response = Response(content, content_type=content_type)
    response.headers.set("Content-Disposition", "attachment", filename=name)
    return response
