"""A receiver of webhooks on this machine: what came to it, and how it answers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler
from typing import Any, NamedTuple

from tests.stores import serving

Answer = Callable[["Handler", int], None]
"""Answers the n-th request, from 0."""


class Sent(NamedTuple):
    """A request as it came."""

    headers: dict[str, str]
    body: str

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]

    @property
    def event(self) -> tuple[str, dict[str, Any]]:
        """The event, and what it is about, without the campaign."""
        said = json.loads(self.body)
        return said["type"], {name: each for name, each in said["data"].items() if name != "campaign"}


class Handler(BaseHTTPRequestHandler):
    """Takes POST requests; `answer` and `came` are set by `receiver`."""

    answer: Answer
    came: list[Sent]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"])).decode()
        self.came.append(Sent({name.lower(): value for name, value in self.headers.items()}, body))
        with suppress(OSError):
            type(self).answer(self, len(self.came) - 1)

    def say(self, status: int, length: int = 0, **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(length), **headers}.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


def statuses(*all_: int) -> Answer:
    """These statuses, one after the other, the last one again and again."""
    return lambda handler, turn: handler.say(all_[min(turn, len(all_) - 1)])


TAKEN = statuses(204)


@contextmanager
def receiver(answer: Answer = TAKEN) -> Iterator[tuple[str, list[Sent]]]:
    """The address of a receiver, and what comes to it."""
    came: list[Sent] = []
    own = type("Own", (Handler,), {"answer": answer, "came": came})
    with serving(own) as place:
        yield f"http://{place}/hook?of=robust", came
