"""The people of the load benchmark: assessors at their own pace, clients that save as fast as they can, live boards.

Each is a user of locust with an account and a session of its own, over real HTTP. What they sent and what was
acknowledged to them is kept, to be held against the log afterwards. A judgment that has no answer is sent again, under
its uuid, as the judging page does.
"""

from __future__ import annotations

import json
import math
import random
import re
import time
import uuid
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from html import unescape
from itertools import count
from typing import Any, NamedTuple

import gevent
from locust import between, constant, task
from locust.contrib.fasthttp import FastHttpUser
from requests.cookies import create_cookie

PASSWORD = "a long password"
CAMPAIGN = "load"
MEASURES = "m=nDCG%4010&m=AP&m=P%4010"
ORGANISER = "Anna"

PAUSES = (1.0, 2.0, 4.0)
"""Seconds until a judgment without an answer is sent again, as in static/judging/outbox.js."""


class NoAnswer(Exception):
    """A judgment that was sent and has no answer."""


class Pair(NamedTuple):
    """What a judgment of a pair has to echo."""

    topic_id: str
    document_id: str
    log: str
    pool: int
    text_hash: str
    topic_version: int
    guideline_version: int


class Tally:
    """What all of them sent and heard: milliseconds by the name of the request, failures, why judgments that were sent
    again had no answer, and judgments by uuid.

    Timed are the requests that begin between two moments, in seconds since 1970.
    """

    def __init__(self) -> None:
        self.times: dict[str, list[float]] = defaultdict(list)
        self.failures: list[str] = []
        self.unanswered: Counter[str] = Counter()
        self.sent: dict[str, tuple[str, str, str, int]] = {}
        self.acknowledged: dict[str, int] = {}
        self.ready = 0
        self.measured = (math.inf, math.inf)

    def is_measuring(self) -> bool:
        """Whether a request that begins now counts."""
        return self.measured[0] <= time.time() < self.measured[1]

    def heard(
        self, *, name: str, response_time: float, start_time: float, exception: object, **_: object
    ) -> None:
        """A request has ended: an event of locust."""
        if isinstance(exception, NoAnswer):
            self.unanswered[str(exception)] += 1
        elif exception is not None:
            self.failures.append(f"{name}: {exception}")
        elif self.measured[0] <= start_time < self.measured[1]:
            self.times[name].append(response_time)


class Person(FastHttpUser):
    """Somebody who signs in with a password, as their browser would."""

    abstract = True
    network_timeout = connection_timeout = 60.0
    tally: Tally
    names: Sequence[str] = ()
    cookies: Mapping[str, tuple[str, str]] = {}
    """The name and value of the session cookie of each who has signed in already."""
    numbers: Iterator[int]
    """Who comes next; each kind of people has its own."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.numbers = count()

    def on_start(self) -> None:
        """Come in, and get ready."""
        self.number = next(type(self).numbers)
        self.name = self.names[self.number % len(self.names)]
        if cookie := self.cookies.get(self.name):
            self.client.cookiejar.set_cookie(create_cookie(*cookie, domain="127.0.0.1"))
        with self.client.get("/session", name="session", catch_response=True) as asked:
            token = asked.json()["csrf_token"]
            asked.success()
        token = token if cookie else self.sign_in(token)
        self.headers = {**JSON, "X-CSRFToken": token, "X-Account": self.name}
        self.chance = random.Random(self.number)
        self.prepare()
        self.tally.ready += 1

    def sign_in(self, csrf_token: str) -> str:
        """Sign in; the token for what is sent from then on."""
        form = {"name": self.name, "password": PASSWORD, "csrf_token": csrf_token}
        with self.client.post(
            "/sign-in", data=form, headers=JSON, name="sign in", catch_response=True
        ) as answer:
            if answer.status_code != 200:
                answer.failure(f"{answer.status_code}: {answer.text}")
            return str(answer.json()["csrf_token"])

    def prepare(self) -> None:
        """What is to be done once before the first task."""

    def save(self, pair: Pair, replaces: int | None = None) -> int | None:
        """Send one judgment; its place in the log, or None when it was not stored."""
        grade, number = (
            self.chance.choice((0, 0, 0, 1, 2)),
            str(uuid.UUID(int=self.chance.getrandbits(128), version=4)),
        )
        judgment: dict[str, Any] = pair._asdict() | {
            "uuid": number,
            "kind": "grade",
            "grade": grade,
            "replaces": replaces,
            "client_at": "2026-03-02T09:00:00.000Z",
            "active_seconds": 4.2,
            "comment": "",
            "input": "key",
        }
        self.tally.sent[number] = (self.name, pair.topic_id, pair.document_id, grade)
        address = f"/c/{CAMPAIGN}/api/judgments"
        for pause in (*PAUSES, None):
            with self.client.post(
                address, json=judgment, headers=self.headers, name="save", catch_response=True
            ) as answer:
                if answer.status_code in {200, 201}:
                    seq: int = answer.json()["stored"]["seq"]
                    self.tally.acknowledged[number] = seq
                    return seq
                if answer.status_code != 0 or pause is None:
                    answer.failure(f"{answer.status_code}: {answer.text and answer.text[:300]}")
                    return None
                answer.failure(NoAnswer(repr(answer.error)))
            gevent.sleep(pause)
        return None


class Saver(Person):
    """Saves as fast as the server takes it: pairs of their own, one after the other, and then again."""

    abstract = True
    wait_time = constant(0)
    pairs: Sequence[Pair] = ()

    def prepare(self) -> None:
        self.mine = self.pairs[self.number :: len(self.names)]
        self.seqs: dict[int, int | None] = {}
        self.turn = count()

    @task
    def judge(self) -> None:
        """One judgment, once all have signed in."""
        if self.tally.is_measuring():
            self.judge_next()

    def judge_next(self) -> None:
        """One judgment."""
        place = next(self.turn) % len(self.mine)
        self.seqs[place] = self.save(self.mine[place], self.seqs.get(place))


class Assessor(Person):
    """Reads a document for some seconds, judges it, and gets the next one of their topic."""

    abstract = True
    wait_time = between(2, 6)
    topics: Sequence[str] = ()

    def prepare(self) -> None:
        self.turn = self.number
        self.waiting: list[str] = []
        self.pair = self.next_pair()

    @task
    def judge(self) -> None:
        """Judge what was read, and get the next document."""
        if self.pair is not None:
            self.save(self.pair)
        self.pair = self.next_pair()

    def next_pair(self) -> Pair | None:
        """The next document that is open, of this topic or the next one."""
        if not self.waiting:
            topic_id = self.topics[self.turn % len(self.topics)]
            self.turn += len(self.names)
            page = self.client.get(f"/c/{CAMPAIGN}/judge?topic={topic_id}", name="judging page").text
            data = json.loads(unescape(_found(r'id="page-data">(.*?)</script>', page)))
            self.topic_id = topic_id
            self.waiting = [item["document_id"] for item in data["queue"] if item["state"] == "open"][::-1]
        if not self.waiting:
            return None
        address = f"/c/{CAMPAIGN}/document-frame?topic={self.topic_id}&document={self.waiting.pop()}"
        shown = json.loads(
            unescape(_found(r'name="shown" content="(.*?)"', self.client.get(address, name="document").text))
        )
        return Pair(self.topic_id, *(shown[field] for field in Pair._fields[1:]))


class Board(Person):
    """A leaderboard that is left open: it asks for news a second after each answer."""

    abstract = True
    wait_time = constant(1)
    tag = ""

    @task
    def poll(self) -> None:
        """Ask for news."""
        known = {"If-None-Match": self.tag} if self.tag else {}
        address = f"/c/{CAMPAIGN}/api/board?{MEASURES}"
        with self.client.get(address, headers=known, name="board", catch_response=True) as answer:
            if answer.status_code not in {200, 304}:
                answer.failure(f"{answer.status_code}: {answer.text}")
                return
            answer.success()
            self.tag = answer.headers.get("ETag") or self.tag


JSON = {"Accept": "application/json"}


def _found(pattern: str, text: str | None) -> str:
    match = re.search(pattern, text or "", re.DOTALL)
    if match is None:
        message = f"the page has no {pattern}"
        raise ValueError(message)
    return match[1]
