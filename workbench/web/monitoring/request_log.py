"""One line of JSON for each request, for administrators: how long, how much, and nothing that users typed.

A line names the route and not the address, so no campaign, topic, token or search is in it, and the account by a hash
under the instance's own key: the same person is the same word in all lines, and names cannot be tried on it.
"""

from __future__ import annotations

import json
import logging
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from threading import Lock
from typing import Any

from flask import Flask, Response, g, request
from werkzeug.wsgi import ClosingIterator

from workbench.people.personal_data import pseudonym
from workbench.web.access.errors import request_id

NOTED = "workbench.noted"

WsgiApp = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


def to_standard_error(line: str) -> None:
    """Write a line; a standard error whose reader is gone disturbs no request."""
    with suppress(OSError, ValueError):
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()


def init_app(
    app: Flask,
    write: Callable[[str], None] = to_standard_error,
    *,
    clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    timer: Callable[[], float] = time.perf_counter,
) -> None:
    """Give `write` a line for each request, once its answer was handed over.

    Keys: `time` (UTC, when the request came), `level` (INFO), `method`, `route` (null where there is none), `status`,
    `ms` until the answer was handed over, `bytes` of its body, `account` (null when signed out), and `request`, the
    number that error pages show.
    """

    def note(response: Response) -> Response:
        request.environ[NOTED] = {
            "route": None if request.url_rule is None else request.url_rule.rule,
            "account": opaque(app, g.get("account")),
            "request": request_id(),
        }
        return response

    app.after_request(note)
    app.wsgi_app = RequestLog(app.wsgi_app, write, clock, timer)  # type: ignore[method-assign]


def opaque(app: Flask, account: str | None) -> str | None:
    """The pseudonym of an account in the log of this instance."""
    if account is None:
        return None
    key = app.secret_key if isinstance(app.secret_key, bytes) else str(app.secret_key).encode()
    return pseudonym(key, account)


class RequestLog:
    """A layer around the application that counts and times what goes through."""

    def __init__(
        self,
        inner: WsgiApp,
        write: Callable[[str], None],
        clock: Callable[[], datetime],
        timer: Callable[[], float],
    ) -> None:
        self._inner, self._write, self._clock, self._timer = inner, write, clock, timer
        self._lock = Lock()

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Answer a request as the application does."""
        time_of_day, began = self._clock(), self._timer()
        status, size = 500, 0  # unless the application comes to say another

        def start(line: str, *rest: Any) -> Any:
            nonlocal status
            status = int(line[:3])
            return start_response(line, *rest)

        def finish() -> None:
            noted = environ.get(NOTED, {})
            line = {
                "time": time_of_day.astimezone(UTC).isoformat(timespec="milliseconds"),
                "level": "INFO",
                "method": environ["REQUEST_METHOD"],
                "route": noted.get("route"),
                "status": status,
                "ms": round(1000 * (self._timer() - began), 1),
                "bytes": size,
                "account": noted.get("account"),
                "request": noted.get("request"),
            }
            with self._lock:
                self._write(json.dumps(line))

        def counted() -> Iterator[bytes]:
            nonlocal size
            for piece in pieces:
                size += len(piece)
                yield piece

        with ExitStack() as ending:
            ending.callback(finish)
            pieces = self._inner(environ, start)
            if hasattr(pieces, "close"):
                ending.callback(pieces.close)
            return ClosingIterator(counted(), ending.pop_all().close)


CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


class OneLine(logging.Formatter):
    """A record as one line of text: time (UTC), level, logger, message, and the trace of an exception."""

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:  # noqa: N802 - logging's own
        """When it happened, as ISO 8601 with milliseconds; `datefmt` is not used."""
        return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")

    def format(self, record: logging.LogRecord) -> str:
        """The whole line, without its end."""
        return CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode(), super().format(record))


@contextmanager
def writing_lines() -> Iterator[None]:
    """Write warnings and errors to standard error for as long as the block runs."""
    handler = logging.StreamHandler()
    handler.setFormatter(OneLine("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    handler.setLevel(logging.WARNING)
    root = logging.getLogger()
    root.addHandler(handler)
    try:
        yield
    finally:
        root.removeHandler(handler)
