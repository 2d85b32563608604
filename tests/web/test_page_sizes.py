"""Every page of a campaign of 1,000 topics, 143 runs and 2,000 members stays small: a new page is in here by itself.

The campaign is stored directly: each run has 60 of the topics, each topic is judged by two assessors who sometimes
disagree, one topic has 1,150 pooled pairs, and one assessor has judged in all topics.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any
from uuid import UUID

import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from tests.fixture_types import SignIn
from tests.log_rows import persons_in
from workbench.campaign.pools.making import add_pool
from workbench.core.records import Document, Judgment, Topic
from workbench.people.accounts import open_accounts
from workbench.people.accounts.people import put_account
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.assigning import assignments
from workbench.storage.campaign.collection import documents, runs, topics
from workbench.storage.campaign.collection.ranking_blobs import checksum_of_ids, pack_documents, pack_scores
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.people import members

LARGEST = 200_000
"""Bytes of a page, before the server compresses it."""

TOO_LARGE = {("/c/robust/agreement", str({"by": by})) for by in ("topic", "pair")}
"""Pages with a row for each of 1,000 topics or pairs of assessors: 239 and 208 kB. One that becomes smaller goes."""

BEGUN = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
TOPICS, RUNS, MEMBERS, TEAMS = 1_000, 143, 2_000, 40
TOPICS_OF_A_RUN = 60
IDS = [f"{301 + number}" for number in range(TOPICS)]
DOCUMENTS, LARGE, MANY = 6, IDS[0], 1_200
"""Documents of a topic, and of the large one."""


def member(number: int) -> str:
    return f"member.{number:04d}@university.example"


@cache
def names(topic_id: str) -> list[str]:
    """A topic's documents, with ids as long as those of web collections."""
    number = MANY if topic_id == LARGE else DOCUMENTS
    return [f"clueweb09-en{topic_id}-00-{each:05d}" for each in range(number)]


def assessor_of(topic: int, voice: int = 0) -> str:
    return member(2 * ((topic + voice) % (MEMBERS // 2)))


def topic(topic_id: str) -> Topic:
    title = f"what has been written of the {topic_id} rivers of Mississippi"
    return Topic(topic_id, title, f"Find documents on {title}.", "Rivers alone.")


def put_texts(campaign: Campaign) -> None:
    texts = (Document(each, f"On {each}", f"All of {each}.") for name in IDS for each in names(name))
    campaign.db.conn.executemany(
        "INSERT INTO document (document, title, text, media_type, fields, text_hash) VALUES (?, ?, ?, ?, ?, ?)",
        map(documents.document_row, texts),
    )


def put_runs(campaign: Campaign) -> None:
    runs.extend_vocabularies(campaign, {each: (0, names(each)) for each in IDS})
    for number in range(RUNS):
        own = [LARGE, *(IDS[1 + (number * 7 + each) % (TOPICS - 1)] for each in range(TOPICS_OF_A_RUN))]
        found = {
            each: list(range(number * 8, number * 8 + 40)) if each == LARGE else [0, 1 + number % 5, 3]
            for each in own
        }
        found = {each: list(dict.fromkeys(places)) for each, places in found.items()}
        packed, named = [], []
        for each, places in sorted(found.items()):
            scores = pack_scores(-np.arange(len(places), dtype=np.float64))
            packed.append((each, pack_documents(np.array(places, np.uint32)), scores))
            named.append((each, "\n".join(names(each)[place] for place in places), scores))
        record = runs.RunRecord(
            tag=f"team{number % TEAMS:02d}-run{number:03d}",
            team=f"University of team {number % TEAMS:02d}",
            file=f"run{number:03d}.gz",
            sha256="",
            lines=sum(map(len, found.values())),
            topics=len(found),
            contributes=True,
            header="",
            rankings_sha256=checksum_of_ids(sorted(named)),
        )
        runs.put_run(campaign.by("Anna", BEGUN), record, packed)


def judgments() -> Iterator[Judgment]:
    """Two grades of each pair, one of Ben's in each topic, and his of the large one."""
    given = [
        (assessor_of(number, voice), topic_id, document_id, (place + voice * (place == 0)) % 2)
        for number, topic_id in enumerate(IDS)
        for voice in (0, 1)
        for place, document_id in enumerate(names(topic_id)[:3])
    ]
    given += [("Ben", topic_id, names(topic_id)[0], 1) for topic_id in IDS[1:]]
    given += [("Ben", LARGE, document_id, place % 2) for place, document_id in enumerate(names(LARGE)[:900])]
    for number, (assessor, topic_id, document_id, grade) in enumerate(given):
        at = log.timestamp(BEGUN + number * timedelta(seconds=7))
        yield Judgment(
            0, str(UUID(int=number)), at, at, assessor, topic_id, document_id, 1, None, None, None,
            "grade", grade, None, 20.0, "Says it in passing." if number % 5 == 0 else "", "screen",
        )  # fmt: skip


@pytest.fixture(scope="module")
def instance(prepared_instance: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An instance whose campaign `robust` is the large one; its members have accounts."""
    folder = Path(shutil.copytree(prepared_instance, tmp_path_factory.mktemp("large") / "instance"))
    everybody = {member(number): number for number in range(MEMBERS)}
    with open_accounts(folder) as accounts, accounts.write():
        for name in everybody:
            put_account(accounts.by("Anna", "").at(BEGUN), name, "unknown", invited_by="Anna")
    with open_campaign(folder / "robust.db") as campaign:
        with campaign.write():
            settings.change(campaign.by("Anna", BEGUN), {"grades": settings.BINARY, "relevant_from": 1})
            for name, number in everybody.items():
                role, team = ("participant", f"Team {number % TEAMS:02d}") if number % 2 else ("assessor", "")
                members.put(campaign.by("Anna", BEGUN), name, role, team=team)
            topics.put(campaign.by("Anna", BEGUN), [topic(each) for each in IDS], files=[])
            put_runs(campaign)
            put_texts(campaign)
        add_pool(campaign.by("Anna", BEGUN), depth=20)
        given = [(each, "whole", assessor_of(number)) for number, each in enumerate(IDS[:800])]
        with campaign.write():
            assignments.put(campaign.by("Anna", BEGUN), [each[:2] for each in given], given)
            log.append_judgments(campaign, judgments())
    return folder


ONE = {
    "run": "team07-run007",
    "topic": LARGE,
    "document": names(LARGE)[0],
    "name": "Ben",
    "tag": "team07-run007",
}
"""What pages about one of many are asked for by."""

VIEWS = {
    "agreement.page": [{"by": "topic"}, {"by": "pair"}, {"by": "assessor"}],
    "runs.run": [{"run": ONE["run"]}],
    "compare.page": [{"run": [f"team{number:02d}-run{number:03d}" for number in range(5)]}],
    "board.page": [{"by": "team"}],
}
"""What else pages of a route show."""


OWN_DATA = "/account/stored-data"
"""What is stored about a person, which says the person's own id."""


NO_PAGES = ("static", "api.", "figures.", "publish.bundle", "publish.sheets")
"""How endpoints begin that never answer with a page; the last two would be at work here for minutes."""


def rules(app: Flask) -> Iterator[Rule]:
    """The routes that answer with pages, or might."""
    for rule in app.url_map.iter_rules():
        if "GET" in (rule.methods or set()) and not rule.endpoint.startswith(NO_PAGES):
            yield rule


def addresses(app: Flask) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Every page, and its other views."""
    for rule in rules(app):
        kinds = getattr(rule._converters.get("kind"), "items", None) or [""]
        for kind in sorted(kinds):
            path = re.sub(r"<(?:\w+:)?job>", "1", rule.rule.replace("<campaign>", "robust"))
            path = re.sub(r"<[^>]+>", kind or "x", path)
            yield path, VIEWS.get(rule.endpoint, [])


def answer_of(client: FlaskClient, path: str, asked: dict[str, Any]) -> TestResponse:
    """The page, after what takes seconds was counted, also where that has an address of its own."""
    answer = client.get(path, query_string=asked)
    if answer.status_code == 202 and answer.mimetype == "text/html":
        answer = client.get(path, query_string={**asked, "counted": "now"})
    if answer.status_code == 303 and "as-of=" in answer.location:
        answer = client.get(answer.location)
    return answer


@pytest.mark.slow
@pytest.mark.parametrize("who", ["Anna", "Ben", "Wilma", "Olga", "Paul"])
def test_no_page_of_a_large_campaign_is_larger_than_200_kb_and_none_shows_an_id(
    app: Flask, client_of: SignIn, instance: Path, who: str
) -> None:
    with open_campaign(instance / "robust.db") as campaign:
        ids = {person.id.encode() for person in persons_in(campaign)}
        own = {person.id.encode() for person in persons_in(campaign) if person.name == who}
    assert len(ids) > MEMBERS
    client, sizes = client_of(app, who), {}
    for path, views in addresses(app):
        is_whole = False
        for asked in ({}, ONE, *views):
            if asked is ONE and is_whole:
                continue  # the page is there without being told about which one it is
            with answer_of(client, path, asked) as answer:
                is_whole = answer.status_code == 200
                found = ids.intersection(re.findall(rb"\bp[0-9a-f]{16}\b", answer.data))
                assert found <= (own if path == OWN_DATA else set()), (path, asked)
                if answer.mimetype == "text/html":
                    sizes[path, str(asked)] = len(answer.data)
    assert len(sizes) > (60 if who == "Anna" else 5)
    too_large = {where for where, size in sizes.items() if size > LARGEST}
    assert too_large == {where for where in TOO_LARGE if where in sizes and sizes[where] > LARGEST / 2}
