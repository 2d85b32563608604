"""How large a request may be, decided from its head: before waitress puts the body on the disk.

The application lets large requests through to views that take files, once it knows who asks (`web.uploads`). Waitress
has received the whole body by then, so it is told here which addresses take files at all; to others nobody, signed in
or not, can send more than a little.
"""

from __future__ import annotations

from copy import copy
from typing import Any

from flask import Flask
from waitress.channel import HTTPChannel  # type: ignore[import-untyped]
from waitress.parser import HTTPRequestParser  # type: ignore[import-untyped]
from waitress.server import BaseWSGIServer  # type: ignore[import-untyped]
from werkzeug.exceptions import HTTPException


def limit_bodies(server: Any, app: Flask, limit: int) -> None:
    """Let the sockets of a waitress server take more than `limit` bytes only where a view of `app` takes files."""
    parser = parser_for(app, limit)
    channel = type("Channel", (HTTPChannel,), {"parser_class": parser})
    # One socket is a server itself; several are behind one that has their map under another name.
    for socket in (server.map if hasattr(server, "effective_listen") else server._map).values():
        if isinstance(socket, BaseWSGIServer):
            socket.channel_class = channel


def parser_for(app: Flask, limit: int) -> type[HTTPRequestParser]:
    """A parser of requests that holds all but those that may be large to `limit` bytes."""

    class Parser(HTTPRequestParser):  # type: ignore[misc]
        adj: Any

        def parse_header(self, header_plus: bytes) -> None:
            super().parse_header(header_plus)
            if not may_be_large(app, self.command, self.path):
                self.adj = copy(self.adj)
                self.adj.max_request_body_size = limit

    return Parser


def may_be_large(app: Flask, method: str, path: str) -> bool:
    """Whether a request to this address goes to a view that takes files."""
    try:
        endpoint, _ = app.url_map.bind("").match(path, method)
    except HTTPException:
        return False
    return bool(getattr(app.view_functions[endpoint], "takes_uploads", False))
