"""Runs of a campaign: who sent them, and their rankings, ordered once and packed.

Document numbers count per topic: the topic's vocabulary lists the ids, and grows at its end when a later
run brings new documents, so that rankings already packed keep their meaning.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from workbench.core import about as asked_about
from workbench.core.errors import AlreadyDone
from workbench.storage.campaign.collection import ranking_blobs, sent_answers, units, withdrawals
from workbench.storage.campaign.collection.question_topics import about, key_of, topic_of
from workbench.storage.campaign.collection.ranking_blobs import unpack_documents
from workbench.storage.campaign.collection.run_records import RUN as RUN
from workbench.storage.campaign.collection.run_records import RunRecord as RunRecord
from workbench.storage.campaign.collection.run_records import RunRepair as RunRepair
from workbench.storage.campaign.collection.run_records import RunWarning as RunWarning
from workbench.storage.campaign.collection.run_records import StoredRun as StoredRun
from workbench.storage.campaign.collection.run_records import all_runs as all_runs
from workbench.storage.campaign.collection.run_records import answers_of as answers_of
from workbench.storage.campaign.collection.run_records import in_force as in_force
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.log.cache import Cache
from workbench.storage.campaign.log.log import append_event, newest_event

LARGEST_DEPTH = 1 << 28
"""No ranking is longer: a blob has at most 2 ** 31 bytes."""


class PackedRanking(NamedTuple):
    """One run's documents for one topic in rank order, packed as `packed` documents."""

    run: int
    topic_id: str
    documents: bytes
    scores: bytes


def put_run(
    campaign: Campaign,
    record: RunRecord,
    rankings: Sequence[tuple[str, bytes, bytes]],
    *,
    repairs: Sequence[RunRepair] = (),
    warnings: Sequence[RunWarning] = (),
    answers: Iterable[tuple[str, str]] = (),
) -> int:
    """Store a run with its packed rankings inside the open write transaction; returns the run's number.

    `answers` are the topic and the record of each, as they were sent.

    Raises AlreadyDone for a tag that another run has: who adds runs says so before, to their sender.
    """
    there = all_runs(campaign)
    if any(run.record.tag == record.tag for run in there):
        raise AlreadyDone(f"{campaign.name} has a run {record.tag!r} already")
    number = 1 + len(there)
    said = {name: value for name, value in record._asdict().items() if value or name not in RUN.optional}
    content: dict[str, Any] = {"run": number, **said}
    if repairs:
        content["repairs"] = [repair._asdict() for repair in repairs]
    if warnings:
        content["warnings"] = list(map(list, warnings))
    append_event(campaign, RUN, content)
    campaign.db.conn.executemany(
        "INSERT INTO ranking (run, topic, documents, scores) VALUES (?, ?, ?, ?)",
        ((number, *ranking) for ranking in rankings),
    )
    sent_answers.put(campaign, number, answers)
    return number


def require_rankings(campaign: Campaign, run: int | None = None) -> None:
    """Compare all rankings, or one run's, with checksums, once per process; DamagedCampaign where one differs."""
    ranking_blobs.require(campaign, (each for each in _checked(campaign) if run in (None, each.number)))


def wrong_rankings(campaign: Campaign) -> Iterator[str]:
    """A sentence for each run, withdrawn ones too, whose rankings are not those that were added."""
    return ranking_blobs.wrong_rankings(campaign, _checked(campaign))


def wrong_answers(campaign: Campaign) -> Iterator[str]:
    """A sentence for each run, withdrawn ones too, whose answers are not those that were sent."""
    for run in all_runs(campaign):
        if not sent_answers.is_as_sent(campaign, run.run, run.record.answers_sha256):
            yield f"run {run.record.tag!r}: its answers are not those that were sent"


def _checked(campaign: Campaign) -> list[ranking_blobs.Run]:
    return [
        ranking_blobs.Run(run.run, run.record.tag, run.record.rankings_sha256) for run in all_runs(campaign)
    ]


def packed_rankings(
    campaign: Campaign, run: int | None = None, topic_id: str | None = None
) -> list[PackedRanking]:
    """The rankings of all runs (or of one), by run in the order they were added, then by topic id (or for one topic).

    Those of withdrawn runs are among them. Raises DamagedCampaign when they are not those that were added.
    """
    require_rankings(campaign, run)
    chosen = [each.run for each in all_runs(campaign) if run in (None, each.run)]
    only = None if topic_id is None else [topic_id]
    return list(map(PackedRanking._make, _rankings(campaign, chosen, [DOCUMENTS, SCORES], only)))


def ranking_lengths(
    campaign: Campaign, only: Collection[str] | None = None, also: Collection[str] = ()
) -> list[tuple[int, str, int]]:
    """Run, topic id and length of every ranking of the runs in force, in the order of `packed_rankings`.

    `only` are the topics that are wanted; None for all. `also` are runs as of `in_force`.
    """
    return list(_rankings_in_force(campaign, LENGTH, only, also))


def packed_documents(
    campaign: Campaign,
    depth: int | None = None,
    only: Collection[str] | None = None,
    also: Collection[str] = (),
) -> Iterator[bytes]:
    """The documents of every ranking, one at a time and without the scores, in the order of `ranking_lengths`.

    With a `depth` no more than that of each; `only` and `also` as there.
    """
    column = DOCUMENTS if depth is None else _beginning(min(depth, LARGEST_DEPTH))
    return (documents for _, _, documents in _rankings_in_force(campaign, column, only, also))


def packed_scores(
    campaign: Campaign, only: Collection[str] | None = None, also: Collection[str] = ()
) -> Iterator[bytes]:
    """The scores of every ranking, one at a time, in the order of `ranking_lengths`; `only` and `also` as there."""
    return (scores for _, _, scores in _rankings_in_force(campaign, SCORES, only, also))


def largest_withdrawn(campaign: Campaign, topic_ids: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The place of a topic among these and the largest document number there, of each ranking of a withdrawn run."""
    out = withdrawals.withdrawn(campaign)
    place = {topic_id: topic for topic, topic_id in enumerate(topic_ids)}
    for _, topic_id, documents in _rankings(campaign, out, [DOCUMENTS]) if out else ():
        if documents and topic_id in place:
            yield place[topic_id], int(unpack_documents(documents).max())


def _rankings_in_force(
    campaign: Campaign, column: Column, only: Collection[str] | None, also: Collection[str]
) -> Iterator[tuple[Any, ...]]:
    return _rankings(campaign, [run.run for run in in_force(campaign, also)], [column], only)


class Column(NamedTuple):
    """What is read of each ranking: as SQL, and as what it is of the packed units of an answer."""

    sql: str
    of_units: Callable[[bytes], Any]


DOCUMENTS = Column("documents", bytes)
LENGTH = Column("length(documents) / 4", lambda packed: len(packed) // 4)
SCORES = Column("scores", lambda packed: np.arange(0, -len(packed) // 4, -1).astype("<f8").tobytes())


def _beginning(depth: int) -> Column:
    return Column(f"substr(documents, 1, {4 * depth})", lambda packed: packed[: 4 * depth])


def _rankings(
    campaign: Campaign,
    wanted: Collection[int],
    columns: Sequence[Column],
    only: Collection[str] | None = None,
) -> Iterator[tuple[Any, ...]]:
    """Run, topic and columns of some rankings, by run and topic; read through the index, without a sort."""
    if _has_units(campaign, only):
        for run, topic_id, packed in units.packed(campaign, wanted, only):
            yield run, topic_id, *(column.of_units(packed) for column in columns)
        return
    chosen = "" if only is None else "AND topic IN (SELECT value FROM json_each(:topics))"
    topic_ids = [topic_of(campaign, topic_id) for topic_id in only or ()]
    yield from campaign.execute(
        f"""SELECT run, topic || :asked, {", ".join(column.sql for column in columns)} FROM ranking
        WHERE run IN (SELECT value FROM json_each(:runs)) {chosen} ORDER BY run, topic""",
        {"runs": json.dumps(list(wanted)), "topics": json.dumps(topic_ids), "asked": _asked(campaign)},
    )


def _has_units(campaign: Campaign, only: Collection[str] | None = None) -> bool:
    """Whether what is ranked are units of answers: in these topics, or in all by which the campaign is seen."""
    return about(campaign, next(iter(only)) if only else None) != asked_about.DOCUMENTS


def with_order(
    campaign: Campaign, order: Sequence[tuple[str, bytes]], among: Iterable[StoredRun]
) -> list[StoredRun]:
    """Those of these runs that rank the same documents in the same order, given as topic ids and packed documents."""
    lines = sum(len(documents) // 4 for _, documents in order)
    left = [run for run in among if run.record.lines == lines]
    for topic_id, documents in order:
        found = _rankings(campaign, [run.run for run in left], [DOCUMENTS], [topic_id]) if left else ()
        same = {run for run, _, theirs in found if theirs == documents}
        left = [run for run in left if run.run in same]
    return left


def _asked(campaign: Campaign) -> str:
    """What follows the topics of rankings where the campaign is seen by a question about their documents."""
    return key_of("", campaign.question)


def rankings_of_topic(campaign: Campaign, topic_id: str) -> Iterator[PackedRanking]:
    """The rankings of one topic, those of withdrawn runs too, one after the other by run; errors as above."""
    require_rankings(campaign)
    numbers = [run.run for run in all_runs(campaign)]
    return map(PackedRanking._make, _rankings(campaign, numbers, [DOCUMENTS, SCORES], [topic_id]))


_numbers: Cache[dict[str, int]] = Cache(of_one=2)


def numbers_by_topic(campaign: Campaign) -> dict[str, int]:
    """How many runs in force have each topic, in the round seen; cached until a run is added or withdrawn."""
    with campaign.snapshot():
        newest = newest_event(campaign, withdrawals.KINDS | units.KINDS)
        return _numbers.at(campaign, newest, campaign.part, lambda: _numbers_by_topic(campaign))


def _numbers_by_topic(campaign: Campaign) -> dict[str, int]:
    part = campaign.part
    if _has_units(campaign):
        chosen = [run.run for run in in_force(campaign) if part is None or part.round.has(run)]
        return dict(Counter(topic_id for _, topic_id, _ in units.packed(campaign, chosen, None)))
    return campaign.mapping(
        "SELECT topic || ?, count(*) FROM ranking WHERE run IN (SELECT value FROM json_each(?)) GROUP BY topic",
        [
            _asked(campaign),
            json.dumps([run.run for run in in_force(campaign) if part is None or part.round.has(run)]),
        ],
    )


def lengths_by_topic(campaign: Campaign) -> dict[str, int]:
    """How many documents all rankings of each topic have together."""
    if _has_units(campaign):
        found = Counter[str]()
        for _, topic_id, packed in units.packed(campaign, [run.run for run in all_runs(campaign)], None):
            found[topic_id] += len(packed) // 4
        return dict(found)
    lengths = "SELECT topic || ?, sum(length(documents) / 4) FROM ranking GROUP BY topic"
    return campaign.mapping(lengths, [_asked(campaign)])


def vocabularies(campaign: Campaign) -> dict[str, list[str]]:
    """For each topic that has rankings its documents' ids, in the order of their numbers."""
    if _has_units(campaign):
        return {topic_id: units.vocabulary(campaign, topic_id) for topic_id in units.topics(campaign)}
    found: dict[str, list[str]] = {}
    named = "SELECT topic || ?, documents FROM vocabulary ORDER BY topic, first"
    rows = campaign.execute(named, [_asked(campaign)])
    for topic_id, documents in rows:
        found.setdefault(topic_id, []).extend(json.loads(documents))
    return found


def vocabulary(campaign: Campaign, topic_id: str) -> list[str]:
    """The ids of one topic's documents in the order of their numbers; empty when no run has the topic."""
    if _has_units(campaign, [topic_id]):
        return units.vocabulary(campaign, topic_id)
    of_topic = "SELECT documents FROM vocabulary WHERE topic = ? ORDER BY first"
    rows = campaign.execute(of_topic, [topic_of(campaign, topic_id)])
    return [document_id for (documents,) in rows for document_id in json.loads(documents)]


def extend_vocabularies(campaign: Campaign, new: Mapping[str, tuple[int, Sequence[str]]]) -> None:
    """Append documents to topics' vocabularies: topic id -> (number of the first, their ids)."""
    campaign.db.conn.executemany(
        "INSERT INTO vocabulary (topic, first, documents) VALUES (?, ?, ?)",
        (
            (topic_id, first, json.dumps(list(ids), ensure_ascii=False, separators=(",", ":")))
            for topic_id, (first, ids) in new.items()
            if ids
        ),
    )
