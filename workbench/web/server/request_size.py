"""How large a request may be, decided from its head: before waitress puts the body on the disk.

The application lets large requests through to views that take files, once it knows who asks
(`web.requests.uploads`). Waitress would have received the whole body by then, so it asks here first: which
addresses take files at all, and whether the person whose cookie the head carries may send any there. To others
no client can send more than a little.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from io import BytesIO
from typing import Any

from flask import Flask, Response
from waitress.channel import HTTPChannel  # type: ignore[import-untyped]
from waitress.parser import HTTPRequestParser  # type: ignore[import-untyped]
from waitress.server import BaseWSGIServer  # type: ignore[import-untyped]
from waitress.task import ErrorTask  # type: ignore[import-untyped]
from waitress.utilities import RequestEntityTooLarge  # type: ignore[import-untyped]
from werkzeug.exceptions import HTTPException

from workbench.core.errors import WorkbenchError
from workbench.web.access import rules, sessions
from workbench.web.requests.headers import HEADERS, start_clock
from workbench.web.server.stopping import sockets_of

READ = ("COOKIE", "X_ACCOUNT", "ACCEPT", "HOST")
"""The headers that say who asks, and in which form they want to be answered."""


class Refused(RequestEntityTooLarge):  # type: ignore[misc]
    """Waitress's error for a body that is not to be received, with the application's own answer."""

    def __init__(self, answer: Response) -> None:
        super().__init__("")
        self.answer = answer

    def to_response(self, ident: str | None = None) -> tuple[str, list[tuple[str, str]], bytes]:
        """Status, headers and body, as waitress writes them; the length is its own affair."""
        headers = [(name, value) for name, value in self.answer.headers if name != "Content-Length"]
        return self.answer.status, headers, self.answer.get_data()


class GuardedError(ErrorTask):  # type: ignore[misc]
    """Waitress's own answer to a request that it refuses, with the headers that every answer carries."""

    def build_response_header(self) -> bytes:
        """The head of the answer."""
        named = {name.lower() for name, _ in self.response_headers}
        self.response_headers += [pair for pair in HEADERS.items() if pair[0].lower() not in named]
        return bytes(super().build_response_header())


def limit_bodies(server: Any, app: Flask, limit: int) -> None:
    """Let the sockets of a waitress server take more than `limit` bytes only where a view of `app` takes files."""
    parser = parser_for(app, limit)
    channel = type("Channel", (HTTPChannel,), {"parser_class": parser, "error_task_class": GuardedError})
    for socket in sockets_of(server).values():
        if isinstance(socket, BaseWSGIServer):
            socket.channel_class = channel


def parser_for(app: Flask, limit: int) -> type[HTTPRequestParser]:
    """A parser of requests that holds all but those that may be large to `limit` bytes."""

    class Parser(HTTPRequestParser):  # type: ignore[misc]
        adj: Any
        error: Any
        refusal: Response | None = None

        def parse_header(self, header_plus: bytes) -> None:
            super().parse_header(header_plus)
            if self.content_length < limit and not self.chunked:
                return
            if may_be_large(app, self.command, self.path):
                self.refusal = refusal(app, self.command, self.path, self.headers)
                if self.refusal is None:
                    return
            self.adj = copy(self.adj)
            self.adj.max_request_body_size = limit

        def received(self, data: bytes) -> int:
            consumed = int(super().received(data))
            if self.refusal is not None and isinstance(self.error, RequestEntityTooLarge):
                self.error = Refused(self.refusal)
            return consumed

    return Parser


def may_be_large(app: Flask, method: str, path: str) -> bool:
    """Whether a request to this address goes to a view that takes files."""
    return getattr(view_at(app, method, path), "takes_uploads", False)


def view_at(app: Flask, method: str, path: str) -> Callable[..., Any] | None:
    """The view that answers requests to this address; None where there is none."""
    try:
        endpoint, _ = app.url_map.bind("").match(path, method)
    except HTTPException:
        return None
    return app.view_functions[endpoint]


def refusal(app: Flask, method: str, path: str, headers: dict[str, str]) -> Response | None:
    """The refusal of a client that may not use this address; None for those who may.

    `path` and the names of `headers` are as waitress has them. Nothing of the body is asked for, so the token of
    the form is checked later, with the files.
    """
    with app.request_context(_environment(method, path, headers)):
        start_clock()
        try:
            rules.check()
        except (HTTPException, WorkbenchError) as error:
            return app.process_response(app.make_response(app.handle_user_exception(error)))
    return None


def account_of(app: Flask, headers: dict[str, str]) -> str:
    """The name in whose session a request comes, as its head says; "" for none, and where that cannot be read."""
    with app.request_context(_environment("GET", "/", headers)):
        try:
            return sessions.name_in_session()
        except WorkbenchError:
            return ""


def _environment(method: str, path: str, headers: dict[str, str]) -> dict[str, Any]:
    """What WSGI says of a request, of which only the head is there."""
    return {
        "REQUEST_METHOD": method.upper(),
        "SCRIPT_NAME": "",
        "PATH_INFO": path,
        "QUERY_STRING": "",
        "SERVER_NAME": "localhost",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "wsgi.url_scheme": "http",
        "wsgi.input": BytesIO(),
    } | {f"HTTP_{name}": headers[name] for name in READ if name in headers}
