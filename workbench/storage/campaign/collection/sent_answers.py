"""The answers of runs as they were sent: the text of each record, compressed, and what it says.

The event that adds the run has their checksum: SHA-256 of a JSON array `[topic, record]` a line, without blanks, in the
order of the file.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import NamedTuple

from workbench.formats.answers.reading import Answer, read_record
from workbench.formats.tables.json_text import json_line
from workbench.formats.text.compression import unpacked_text
from workbench.formats.text.json_values import LONGEST_OBJECT
from workbench.storage.campaign.file.connection import Campaign, CampaignFile


class SentAnswer(NamedTuple):
    """An answer: its topic, and its record as it was sent, a line of JSON without the line's end."""

    topic_id: str
    record: str


def checksum(answers: Iterable[tuple[str, str]]) -> str:
    """The checksum of answers (topic id, record)."""
    digest = sha256()
    for answer in answers:
        digest.update(json_line(list(answer)).encode())
    return digest.hexdigest()


def put(campaign: Campaign, run: int, answers: Iterable[tuple[str, str]]) -> None:
    """Store the answers of a run, in the order of its file, inside the open write transaction."""
    packed = ((topic_id, zlib.compress(record.encode())) for topic_id, record in answers)
    rows = ((run, place, *each) for place, each in enumerate(packed, start=1))
    campaign.db.conn.executemany("INSERT INTO answer (run, place, topic, record) VALUES (?, ?, ?, ?)", rows)


def of_run(campaign: Campaign, run: int, topic_id: str | None = None) -> Iterator[SentAnswer]:
    """The answers of a run (to one topic), one after the other; ValueError where one cannot be unpacked."""
    chosen = "" if topic_id is None else "AND topic = :topic"
    rows = campaign.execute(
        f"SELECT topic, record FROM answer WHERE run = :run {chosen} ORDER BY run, place",
        {"run": run, "topic": topic_id},
    )
    return (SentAnswer(topic, unpacked_text(record, LONGEST_OBJECT)) for topic, record in rows)


def is_as_sent(campaign: Campaign, run: int, sha256_of_event: str) -> bool:
    """Whether the stored answers of a run have the checksum of its event, "" for none."""
    try:
        answers = list(of_run(campaign, run))
        return (checksum(answers) if answers else "") == sha256_of_event
    except ValueError:
        return False


_compared: set[tuple[CampaignFile, int, str]] = set()
"""The runs whose answers this process has compared and found right."""


def require(campaign: Campaign, run: int, tag: str, sha256_of_event: str) -> None:
    """Compare the answers of a run with their checksum, once per process; DamagedCampaign where they differ."""
    known = (campaign.file, run, sha256_of_event)
    if known not in _compared and not is_as_sent(campaign, run, sha256_of_event):
        raise campaign.damaged(f"the answers of run {tag!r} are not those that were sent")
    _compared.add(known)


def read(campaign: Campaign, answer: SentAnswer, form: str) -> Answer:
    """What an answer says; DamagedCampaign where its record has no answer of the form."""
    try:
        found = read_record(answer.record, form)
    except ValueError as error:
        raise campaign.damaged(f"an answer to topic {answer.topic_id!r} cannot be read: {error}") from None
    if found is None:
        raise campaign.damaged(f"the record of topic {answer.topic_id!r} is no answer")
    return found
