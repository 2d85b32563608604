"""Only addresses that take files take large requests, and that is decided before the body is received."""

from __future__ import annotations

import socket

import pytest
from flask import Flask
from waitress.adjustments import Adjustments  # type: ignore[import-untyped]
from waitress.server import create_server  # type: ignore[import-untyped]

from workbench.web.bodies import limit_bodies, may_be_large, parser_for


@pytest.mark.parametrize(
    ("method", "path", "large"),
    [
        ("POST", "/c/robust/add/runs", True),
        ("GET", "/c/robust/add/runs", False),
        ("POST", "/c/robust/add/qrels", False),
        ("POST", "/new", False),
        ("POST", "/sign-in", False),
        ("POST", "/no/such/address", False),
        ("BREW", "/c/robust/add/runs", False),
    ],
)
def test_files_go_to_the_addresses_that_take_them(app: Flask, method: str, path: str, large: bool) -> None:
    assert may_be_large(app, method, path) is large


@pytest.mark.parametrize(("path", "status"), [("/sign-in", 413), ("/c/robust/add/runs", None)])
def test_a_large_request_is_refused_by_its_head(app: Flask, path: str, status: int | None) -> None:
    parser = parser_for(app, 2_000)(Adjustments(max_request_body_size=10_000))
    parser.received(f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Length: 5000\r\n\r\n".encode())
    assert (parser.error and parser.error.code) == status


def test_a_request_that_does_not_say_how_large_it_is_ends_at_the_limit(app: Flask) -> None:
    parser = parser_for(app, 2_000)(Adjustments(max_request_body_size=10_000))
    parser.received(b"POST /sign-in HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
    assert parser.error is None
    for _ in range(3):
        parser.received(b"3e8\r\n" + b"x" * 1000 + b"\r\n")
    assert parser.error.code == 413


@pytest.mark.parametrize("number", [1, 2])
def test_every_socket_of_a_server_is_held_to_it(app: Flask, number: int) -> None:
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(number)]
    server = create_server(app, sockets=sockets, _start=False)
    limit_bodies(server, app, 2_000)
    listening = server.map if number > 1 else server._map
    channels = [item.channel_class for item in listening.values() if hasattr(item, "channel_class")]
    assert [channel.parser_class.__name__ for channel in channels] == ["Parser"] * number
    server.close()
    server.task_dispatcher.shutdown()
