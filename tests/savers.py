"""People who save judgments over HTTP as fast as they can, and lose nothing: for tests of a server in trouble.

They do what the judging page does: a judgment is sent under its uuid until the server has answered what it stored,
whatever happens to the server meanwhile.
"""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode
from uuid import UUID

from workbench.campaign.ingest import add_runs
from workbench.campaign.pools.making import add_pool
from workbench.core.records import Document, Topic
from workbench.people.accounts import add_account, open_accounts
from workbench.storage.campaign import create_campaign, open_campaign
from workbench.storage.campaign.collection import documents, pools, topics
from workbench.storage.campaign.grades import judgments
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.people import members

PASSWORD = "the river is deep"
NAMES = ("ann", "ben", "carla", "dan")
NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
PATIENCE = 180.0  # seconds, until what does not come is taken for lost
PAUSE = 0.02


class Answer(NamedTuple):
    """A server's answer; its JSON, or nothing."""

    status: int
    body: dict[str, Any]
    headers: http.client.HTTPMessage


class Client:
    """One person's session with a server on this machine; it outlives the server."""

    def __init__(self, port: int, name: str) -> None:
        self.port, self.name = port, name
        self.headers = {"Accept": "application/json"}
        self._line: http.client.HTTPConnection | None = None

    def sign_in(self) -> None:
        """Come in with the password."""
        token = self.ask("GET", "/session").body["csrf_token"]
        form = {"name": self.name, "password": PASSWORD, "csrf_token": token}
        typed = {"Content-Type": "application/x-www-form-urlencoded"}
        answer = self.ask("POST", "/sign-in", urlencode(form).encode(), typed)
        assert answer.status == 200, answer
        self.headers |= {"X-CSRFToken": answer.body["csrf_token"], "X-Account": self.name}

    def save(self, judgment: dict[str, Any]) -> Answer:
        """Send a judgment."""
        sent = json.dumps(judgment).encode()
        return self.ask("POST", "/c/rivers/api/judgments", sent, {"Content-Type": "application/json"})

    def ask(
        self, method: str, address: str, body: bytes | None = None, more: dict[str, str] | None = None
    ) -> Answer:
        """One request; OSError or HTTPException when no whole answer comes."""
        if self._line is None:
            self._line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            self._line.request(method, address, body, self.headers | (more or {}))
            answer = self._line.getresponse()
            content = answer.read()
        except (OSError, http.client.HTTPException):
            self.hang_up()
            raise
        for cookie in answer.headers.get_all("Set-Cookie") or ():
            self.headers["Cookie"] = cookie.partition(";")[0]
        is_json = answer.headers.get_content_type() == "application/json"
        return Answer(answer.status, json.loads(content) if is_json else {}, answer.headers)

    def hang_up(self) -> None:
        """Close the line."""
        if self._line is not None:
            self._line.close()
            self._line = None


class Saver:
    """One person who saves: what was sent by uuid, and what was acknowledged of it."""

    def __init__(self, client: Client, pairs: Sequence[dict[str, Any]], number: int) -> None:
        self.client, self.pairs, self.number = client, pairs, number
        self.seqs: dict[int, int] = {}
        self.sent: dict[str, dict[str, Any]] = {}
        self.acknowledged: dict[str, int] = {}
        self.refused: list[Answer] = []
        self.slowest = 0.0

    def next_judgment(self) -> tuple[int, dict[str, Any]]:
        """Pairs one after the other, and then again, with changing grades."""
        turn = len(self.sent)
        place = turn % len(self.pairs)
        number = str(UUID(int=(self.number << 64) + turn, version=4))
        judgment = self.pairs[place] | {
            "uuid": number,
            "kind": "grade",
            "grade": (turn + self.number) % 2,
            "replaces": self.seqs.get(place),
            "client_at": "2026-03-01T12:00:00.000Z",
            "active_seconds": 1.5,
            "comment": "",
        }
        self.sent[number] = judgment
        return place, judgment

    def save_one(self, stop: threading.Event) -> None:
        """Send the next judgment until it is stored; at the stop, once more at most. `slowest` knows the longest."""
        place, judgment = self.next_judgment()
        began = time.monotonic()
        while not self._save(place, judgment):
            if stop.wait(PAUSE) or self.refused:
                return
        self.slowest = max(self.slowest, time.monotonic() - began)

    def _save(self, place: int, judgment: dict[str, Any]) -> bool:
        try:
            answer = self.client.save(judgment)
        except (OSError, http.client.HTTPException):
            return False
        if answer.status in {200, 201}:
            self.seqs[place] = self.acknowledged[judgment["uuid"]] = answer.body["stored"]["seq"]
            return True
        if answer.status != 503:
            self.refused.append(answer)
        return False


class Savers:
    """Several of them, each in a thread of their own."""

    def __init__(self, savers: Sequence[Saver]) -> None:
        self.savers = savers

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """They save until the end of the block."""
        stop = threading.Event()
        threads = [threading.Thread(target=_work, args=(saver, stop)) for saver in self.savers]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            stop.set()
            for thread in threads:
                thread.join()

    def wait_for(self, more: int) -> None:
        """Until so many more judgments were acknowledged."""
        goal, pause = len(self.acknowledged()) + more, threading.Event()
        for _ in range(int(PATIENCE / 0.005)):
            assert self.refused() == [], self.refused()
            if len(self.acknowledged()) >= goal:
                return
            pause.wait(0.005)
        message = f"{len(self.acknowledged())} judgments were stored, not {goal}"
        raise AssertionError(message)

    def acknowledged(self) -> dict[str, int]:
        """The places in the log that the server has named, by uuid."""
        return {number: seq for saver in self.savers for number, seq in list(saver.acknowledged.items())}

    def refused(self) -> list[Answer]:
        """Answers that are neither a judgment stored nor a server in trouble."""
        return [answer for saver in self.savers for answer in saver.refused]

    def check(self, path: Path) -> int:
        """Hold the log against what was sent and acknowledged; how many judgments it has."""
        sent = {
            number: (saver.client.name, each["topic_id"], each["document_id"], each["grade"])
            for saver in self.savers
            for number, each in saver.sent.items()
        }
        with open_campaign(path) as campaign:
            rows = list(judgments.log(campaign))
        stored = {row.uuid: row for row in rows}
        assert len(stored) == len(rows)
        for number, row in stored.items():
            assert sent[number] == (row.assessor, row.topic_id, row.document_id, row.grade)
        for number, seq in self.acknowledged().items():
            assert stored[number].seq == seq
        return len(rows)


def _work(saver: Saver, stop: threading.Event) -> None:
    while not stop.is_set() and not saver.refused:
        saver.save_one(stop)


def make_campaign(folder: Path, number_of_documents: int = 200) -> Path:
    """The campaign `rivers` in a program's folder: two topics with so many pooled documents each, four assessors."""
    path = folder / "instance" / "rivers.db"
    path.parent.mkdir(mode=0o700)
    ids = [f"n{number:04}" for number in range(number_of_documents)]
    run = folder / "alpha.run"
    run.write_text(
        "".join(f"{topic} Q0 {name} 0 {-place} alpha\n" for topic in "12" for place, name in enumerate(ids))
    )
    with create_campaign(path) as campaign:
        with campaign.write():
            settings.change(campaign.by("olga", NOW), {"title": "Rivers"})
            made = [Topic("1", "deep rivers"), Topic("2", "cold lakes")]
            topics.put(campaign.by("olga", NOW), made, files=[])
            for name in NAMES:
                members.put(campaign.by("olga", NOW), name, "assessor")
            texts = (Document(name, f"About {name}", f"It says {name}.") for name in ids)
            campaign.db.conn.executemany(
                "INSERT INTO document (document, title, text, media_type, fields, text_hash) VALUES (?, ?, ?, ?, ?, ?)",
                map(documents.document_row, texts),
            )
        add_runs(campaign.by("olga", NOW), [str(run)])
        add_pool(campaign.by("olga", NOW), depth=number_of_documents)
    with open_accounts(path.parent) as accounts:
        for name in NAMES:
            add_account(accounts.at(NOW), name, PASSWORD)
    return path


@contextmanager
def savers_of(path: Path, *ports: int) -> Iterator[Savers]:
    """Four people who are signed in, at these servers in turn, each with all pairs of the campaign before them."""
    with open_campaign(path) as campaign:
        guidelines, mark = settings.read(campaign).guideline_version, log.mark(campaign)
        hashes = {each.document.document_id: each.text_hash for each in documents.all_texts(campaign)}
        pairs = [
            {
                "log": mark,
                "topic_id": topic.topic_id,
                "document_id": document_id,
                "pool": 1,
                "text_hash": hashes[document_id],
                "topic_version": version,
                "guideline_version": guidelines,
            }
            for topic, version in topics.all_topics(campaign)
            for document_id in pools.pooled_of_topic(campaign, topic.topic_id)
        ]
    clients = [Client(ports[number % len(ports)], name) for number, name in enumerate(NAMES)]
    try:
        for client in clients:
            client.sign_in()
        yield Savers([Saver(client, pairs, number) for number, client in enumerate(clients, start=1)])
    finally:
        for client in clients:
            client.hang_up()
