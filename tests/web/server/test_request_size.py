"""Only addresses that take files take large requests, of people who may send some, before the body is received."""

from __future__ import annotations

import json
import socket

import pytest
from flask import Flask
from flask.testing import FlaskClient
from waitress.adjustments import Adjustments  # type: ignore[import-untyped]
from waitress.server import create_server  # type: ignore[import-untyped]

from tests.fixture_types import SignIn
from workbench.web.server.request_size import limit_bodies, may_be_large, parser_for


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


def head(path: str, cookie: str = "", *more: str) -> bytes:
    lines = [f"POST {path} HTTP/1.1", "Host: x", "Accept: application/json", f"Cookie: {cookie}", *more]
    return "\r\n".join([*lines, "", ""]).encode()


def cookie_of(client: FlaskClient) -> str:
    cookie = client.get_cookie("workbench_5000")
    return "" if cookie is None else f"{cookie.key}={cookie.value}"


@pytest.mark.parametrize(
    ("who", "path", "status"),
    [
        ("Anna", "/sign-in", 413),
        ("Anna", "/c/robust/add/runs", None),
        ("Ben", "/c/robust/add/runs", 403),
        ("Carla", "/c/robust/add/runs", 404),
        (None, "/c/robust/add/runs", 401),
        ("Anna", "/c/missing/add/runs", 404),
    ],
)
def test_a_large_request_is_refused_by_its_head(
    app: Flask, client_of: SignIn, who: str | None, path: str, status: int | None
) -> None:
    parser = parser_for(app, 2_000)(Adjustments(max_request_body_size=10_000))
    parser.received(head(path, cookie_of(client_of(app, who)), "Content-Length: 5000"))
    assert (parser.error and int(parser.error.to_response()[0][:3])) == status
    assert parser.completed is (status is not None)


def test_who_is_refused_by_the_head_gets_the_words_of_the_page(app: Flask) -> None:
    parser = parser_for(app, 2_000)(Adjustments(max_request_body_size=10_000))
    parser.received(head("/c/robust/add/runs", "", "Content-Length: 5000"))
    status, headers, body = parser.error.to_response()
    assert status == "401 UNAUTHORIZED"
    assert json.loads(body)["reason"] == "signed out"
    assert dict(headers)["X-Content-Type-Options"] == "nosniff"


def test_a_client_that_may_not_send_files_cannot_send_them_in_pieces_either(
    app: Flask, client_of: SignIn
) -> None:
    parser = parser_for(app, 2_000)(Adjustments(max_request_body_size=10_000))
    ben = cookie_of(client_of(app, "Ben"))
    parser.received(head("/c/robust/add/runs", ben, "Transfer-Encoding: chunked"))
    for _ in range(3):
        parser.received(b"3e8\r\n" + b"x" * 1000 + b"\r\n")
    assert parser.error.to_response()[0] == "403 FORBIDDEN"


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
    parsers = [channel.parser_class(Adjustments(max_request_body_size=10_000)) for channel in channels]
    for parser in parsers:
        parser.received(head("/sign-in", "", "Content-Length: 2000"))
    assert [parser.error.code for parser in parsers] == [413] * number
    server.close()
    server.task_dispatcher.shutdown()
