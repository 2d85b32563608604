"""A server that speaks OpenAI's chat protocol, over HTTP on this machine, with the faults that real ones have."""

from __future__ import annotations

import json
import socket
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler
from threading import Event, Lock
from typing import Any

from tests.stores import serving

Request = dict[str, Any]
Behaviour = Callable[["Handler", Request, int], None]
"""Answers a request, which comes for the n-th time, from 0."""


def reply(
    content: str | None,
    *,
    finish: str = "stop",
    model: str = "judge-1",
    choices: int = 1,
    refusal: str | None = None,
) -> dict[str, Any]:
    """The body of an answer."""
    message = {"role": "assistant", "content": content, "refusal": refusal}
    return {
        "id": "1",
        "object": "chat.completion",
        "created": 1,
        "model": model,
        "choices": [{"index": each, "message": message, "finish_reason": finish} for each in range(choices)],
        "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
    }


def grade(number: int, **more: Any) -> dict[str, Any]:
    """The body of an answer with a grade."""
    return reply(json.dumps({"grade": number}), **more)


def always(body: dict[str, Any]) -> Behaviour:
    """The same answer to all."""
    return lambda handler, request, turn: handler.send(200, body)


def at_first(fault: Behaviour, then: Behaviour, times: int = 1) -> Behaviour:
    """A fault, and after so many times something else, for each prompt."""
    return lambda handler, request, turn: (fault if turn < times else then)(handler, request, turn)


class Endpoint:
    """The server's memory: how often each prompt came, what came with it, and how it answers."""

    def __init__(self, behaviour: Behaviour) -> None:
        self.behaviour = behaviour
        self.prompts: Counter[str] = Counter()
        self.requests: list[Request] = []
        self.headers: list[dict[str, str]] = []
        self.over, self.lock = Event(), Lock()
        self.address = ""


class Handler(BaseHTTPRequestHandler):
    """One connection to an endpoint."""

    endpoint: Endpoint

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        key = json.dumps([request["messages"], request.get("seed")])
        with self.endpoint.lock:
            turn = self.endpoint.prompts[key]
            self.endpoint.prompts[key] += 1
            self.endpoint.requests.append(request)
            self.endpoint.headers.append({name.lower(): value for name, value in self.headers.items()})
        with suppress(BrokenPipeError, ConnectionResetError):
            self.endpoint.behaviour(self, request, turn)

    def send(self, status: int, body: object, **headers: str) -> None:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def hang(self) -> None:
        """Say nothing until the test is over."""
        self.endpoint.over.wait(60)

    def cut(self) -> None:
        """End the connection in the middle of the answer."""
        self.send_response(200)
        self.send_header("Content-Length", "1000")
        self.end_headers()
        self.wfile.write(b'{"choices": [')
        self.wfile.flush()
        self.connection.shutdown(socket.SHUT_RDWR)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


@contextmanager
def endpoint(behaviour: Behaviour) -> Iterator[Endpoint]:
    """A server that answers so, until the end of the block."""
    found = Endpoint(behaviour)
    with serving(type("Connected", (Handler,), {"endpoint": found})) as address:
        found.address = f"http://{address}/v1"
        try:
            yield found
        finally:
            found.over.set()
