"""Headers that every answer carries; a view that sets one of them itself keeps its own."""

from __future__ import annotations

import time
from urllib.parse import quote

from flask import Flask, Response, g, request

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "frame-src 'self'",
        "worker-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)

HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}

ACCOUNT_HEADER = "X-Workbench-Account"
"""In whose name a page was made: the service worker deletes copies that belong to another account."""


def init_app(app: Flask) -> None:
    """Add the headers; pages are not stored by browsers; static files have rules of their own (static_files.py)."""
    app.before_request_funcs.setdefault(None, []).insert(0, start_clock)
    app.after_request(add_headers)


def start_clock() -> None:
    """Remember when the request came in."""
    g.began = time.perf_counter()


def add_headers(response: Response) -> Response:
    """Give `response` every header it does not have yet."""
    own = {name.lower() for name, _ in response.headers}
    for name, value in HEADERS.items():
        if name.lower() not in own:
            response.headers.add(name, value)
    if g.get("role") is not None:
        # For the developer tools of a campaign's members, and for benchmarks. To others the time would tell whether
        # there is a campaign of a name, and how many there are.
        response.headers["Server-Timing"] = f"app;dur={1000 * (time.perf_counter() - g.began):.2f}"
    if response.mimetype == "text/html" and g.get("account") is not None and request.endpoint != "static":
        response.headers[ACCOUNT_HEADER] = quote(g.account, safe="")
    if request.endpoint != "static" and "public" not in response.headers.get("Cache-Control", ""):
        response.headers["Cache-Control"] = "no-store"
    return response
