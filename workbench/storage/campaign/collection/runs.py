"""Runs of a campaign: who sent them, and their rankings, ordered once and packed.

Document numbers count per topic: the topic's vocabulary lists the ids, and grows at its end when a later
run brings new documents, so that rankings already packed keep their meaning.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from sqlite3 import Cursor
from typing import Any, NamedTuple

from workbench.storage.campaign.collection import ranking_checks, run_details, withdrawals
from workbench.storage.campaign.collection.packed import unpack_documents
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.file.row_checksums import NO_ROWS, rows_checksum, run_warning_checksums
from workbench.storage.campaign.log import kinds
from workbench.storage.campaign.log.cache import Cache
from workbench.storage.campaign.log.log import Event, append_event, newest_event, up_to

RUN = kinds.RUN
"""The kind of event that adds a run."""

LARGEST_DEPTH = 1 << 28
"""No ranking is longer: a blob has at most 2 ** 31 bytes."""


class RunRecord(NamedTuple):
    """A run as it was submitted; `contributes` says whether pools take documents from it by default."""

    tag: str
    team: str
    file: str
    sha256: str
    lines: int
    topics: int
    contributes: bool
    header: str
    rankings_sha256: str


class RunRepair(NamedTuple):
    """A repair that the organiser chose when a run was added: its name, how many lines it changed, a sentence."""

    name: str
    lines: int
    message: str


class StoredRun(NamedTuple):
    """A run with its number in this campaign, the `seq` of the event that added it, and of that which took it out.

    `withdrawn` is None while the run takes part; `repairs` are what its file needed, in the order in which it was done.
    """

    run: int
    record: RunRecord
    seq: int
    withdrawn: int | None = None
    repairs: tuple[RunRepair, ...] = ()


class PackedRanking(NamedTuple):
    """One run's documents for one topic in rank order, packed as `packed` documents."""

    run: int
    topic_id: str
    documents: bytes
    scores: bytes


def all_runs(campaign: Campaign, as_of: int | None = None) -> list[StoredRun]:
    """All runs in the order they were added, withdrawn ones too; those added after `as_of` are left out.

    Their tags and teams are as they were at that row.
    """
    return list(campaign.once(("runs", as_of), lambda: _all_runs(campaign, as_of)))


def _all_runs(campaign: Campaign, as_of: int | None) -> list[StoredRun]:
    rows = campaign.db.conn.execute(
        f"SELECT run, {', '.join(RunRecord._fields)}, seq, {_REPAIRS} FROM run WHERE seq <= ? ORDER BY run",
        [up_to(as_of)],
    )
    out = withdrawals.withdrawn(campaign, as_of)
    then: Mapping[int, Mapping[str, Any]] = {} if as_of is None else run_details.names_at(campaign, as_of)
    found: list[StoredRun] = []
    for number, *values, seq, repairs in rows:
        record = RunRecord._make(values)
        record = record._replace(contributes=bool(record.contributes), **then.get(number, {}))
        done = tuple(RunRepair(**repair) for repair in json.loads(repairs or "[]"))
        found.append(StoredRun(number, record, seq, out.get(number), done))
    return found


def in_force(campaign: Campaign, as_of: int | None = None, also: Collection[str] = ()) -> list[StoredRun]:
    """The runs that take part now, or did as of a place in the log: all but the withdrawn ones.

    `also` are tags of withdrawn runs that are wanted nevertheless.
    """
    return [run for run in all_runs(campaign, as_of) if run.withdrawn is None or run.record.tag in also]


def named_teams(campaign: Campaign, as_of: int | None = None) -> set[str]:
    """The teams with a run that takes part now, or did as of a place in the log; runs without a team have none."""
    return {run.record.team for run in in_force(campaign, as_of)} - {""}


def put_run(
    campaign: Campaign,
    record: RunRecord,
    rankings: Sequence[tuple[str, bytes, bytes]],
    *,
    repairs: Sequence[RunRepair] = (),
    actor: str,
    now: datetime | None = None,
) -> int:
    """Store a run with its packed rankings inside the open write transaction; returns the run's number.

    The repairs are in the event alone, and only where there are some.
    """
    (number,) = campaign.db.conn.execute("SELECT 1 + coalesce(max(run), 0) FROM run").fetchone()
    content: dict[str, Any] = {"run": number, **record._asdict()}
    if repairs:
        content["repairs"] = [repair._asdict() for repair in repairs]
    seq = append_event(campaign, RUN, content, actor=actor, now=now)
    columns = ("run", *RunRecord._fields, "seq", "warnings_sha256")
    campaign.db.conn.execute(
        f"INSERT INTO run ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})",
        (number, *record, seq, NO_ROWS),
    )
    campaign.db.conn.executemany(
        "INSERT INTO ranking (run, topic, documents, scores) VALUES (?, ?, ?, ?)",
        ((number, *ranking) for ranking in rankings),
    )
    return int(number)


def packed_rankings(
    campaign: Campaign, as_of: int | None = None, run: int | None = None, topic_id: str | None = None
) -> list[PackedRanking]:
    """The rankings of all runs (or of one), by run in the order they were added, then by topic id (or for one topic).

    Those of withdrawn runs are among them. Raises DamagedCampaign when they are not those that were added.
    """
    ranking_checks.require(campaign, run)
    asked = {"run": run, "topic": topic_id}
    chosen = " ".join(f"AND ranking.{name} = ?" for name, value in asked.items() if value is not None)
    values = tuple(value for value in asked.values() if value is not None)
    return list(map(PackedRanking._make, _rankings(campaign, as_of, "documents, scores", chosen, values)))


def ranking_lengths(
    campaign: Campaign,
    as_of: int | None = None,
    only: Collection[str] | None = None,
    also: Collection[str] = (),
) -> list[tuple[int, str, int]]:
    """Run, topic id and length of every ranking of the runs in force, in the order of `packed_rankings`.

    `only` are the topics that are wanted; None for all. `also` are runs as of `in_force`.
    """
    return _rankings_in_force(campaign, as_of, "length(documents) / 4", only, also).fetchall()


def packed_documents(
    campaign: Campaign,
    as_of: int | None = None,
    depth: int | None = None,
    only: Collection[str] | None = None,
    also: Collection[str] = (),
) -> Iterator[bytes]:
    """The documents of every ranking, one at a time and without the scores, in the order of `ranking_lengths`.

    With a `depth` no more than that of each; `only` and `also` as there.
    """
    column = "documents" if depth is None else f"substr(documents, 1, {4 * min(depth, LARGEST_DEPTH)})"
    return (documents for _, _, documents in _rankings_in_force(campaign, as_of, column, only, also))


def packed_scores(
    campaign: Campaign,
    as_of: int | None = None,
    only: Collection[str] | None = None,
    also: Collection[str] = (),
) -> Iterator[bytes]:
    """The scores of every ranking, one at a time, in the order of `ranking_lengths`; `only` and `also` as there."""
    return (scores for _, _, scores in _rankings_in_force(campaign, as_of, "scores", only, also))


def largest_withdrawn(
    campaign: Campaign, topic_ids: Sequence[str], as_of: int | None = None
) -> Iterator[tuple[int, int]]:
    """The place of a topic among these and the largest document number there, of each ranking of a withdrawn run."""
    if out := tuple(withdrawals.withdrawn(campaign, as_of)):
        place = {topic_id: topic for topic, topic_id in enumerate(topic_ids)}
        chosen = f"AND ranking.run IN ({', '.join('?' * len(out))})"
        for _, topic_id, documents in _rankings(campaign, as_of, "documents", chosen, out):
            if documents and topic_id in place:
                yield place[topic_id], int(unpack_documents(documents).max())


def _rankings_in_force(
    campaign: Campaign, as_of: int | None, columns: str, only: Collection[str] | None, also: Collection[str]
) -> Cursor:
    kept = {run.run for run in in_force(campaign, as_of, also)} if also else set()
    out: tuple[int | str, ...] = tuple(withdrawals.withdrawn(campaign, as_of).keys() - kept)
    chosen = f"AND ranking.run NOT IN ({', '.join('?' * len(out))})"
    if only is not None:
        chosen += " AND ranking.topic IN (SELECT value FROM json_each(?))"
        out = (*out, json.dumps(list(only)))
    return _rankings(campaign, as_of, columns, chosen, out)


def _rankings(
    campaign: Campaign, as_of: int | None, columns: str, chosen: str = "", values: tuple[int | str, ...] = ()
) -> Cursor:
    return campaign.db.conn.execute(
        f"SELECT ranking.run, ranking.topic, {columns} FROM ranking JOIN run USING (run) "
        f"WHERE run.seq <= ? {chosen} ORDER BY ranking.run, ranking.topic",
        (up_to(as_of), *values),
    )


def rankings_of_topic(campaign: Campaign, topic_id: str) -> Iterator[PackedRanking]:
    """The rankings of one topic, those of withdrawn runs too, one after the other by run; errors as above."""
    ranking_checks.require(campaign)
    rows = campaign.db.conn.execute(
        "SELECT run, topic, documents, scores FROM run CROSS JOIN ranking USING (run) WHERE topic = ? ORDER BY run",
        [topic_id],
    )
    return map(PackedRanking._make, rows)


_numbers: Cache[dict[str, int]] = Cache(of_one=1)


def numbers_by_topic(campaign: Campaign) -> dict[str, int]:
    """How many runs in force have each topic; topics that none has are not among them.

    It is cached until a run is added, withdrawn or restored.
    """
    with campaign.snapshot():
        newest = newest_event(campaign, withdrawals.KINDS | {RUN})
        return _numbers.at(campaign, newest, None, lambda: _numbers_by_topic(campaign))


def _numbers_by_topic(campaign: Campaign) -> dict[str, int]:
    rows = campaign.db.conn.execute(
        "SELECT topic, count(*) FROM ranking WHERE run NOT IN (SELECT value FROM json_each(?)) GROUP BY topic",
        [json.dumps(list(withdrawals.withdrawn(campaign)))],
    )
    return dict(rows.fetchall())


def lengths_by_topic(campaign: Campaign) -> dict[str, int]:
    """How many documents all rankings of each topic have together."""
    rows = campaign.db.conn.execute("SELECT topic, sum(length(documents) / 4) FROM ranking GROUP BY topic")
    return dict(rows.fetchall())


def vocabularies(campaign: Campaign) -> dict[str, list[str]]:
    """For each topic that has rankings its documents' ids, in the order of their numbers."""
    found: dict[str, list[str]] = {}
    rows = campaign.db.conn.execute("SELECT topic, documents FROM vocabulary ORDER BY topic, first")
    for topic_id, documents in rows:
        found.setdefault(topic_id, []).extend(json.loads(documents))
    return found


def vocabulary(campaign: Campaign, topic_id: str) -> list[str]:
    """The ids of one topic's documents in the order of their numbers; empty when no run has the topic."""
    rows = campaign.db.conn.execute(
        "SELECT documents FROM vocabulary WHERE topic = ? ORDER BY first", [topic_id]
    )
    return [document_id for (documents,) in rows for document_id in json.loads(documents)]


def ranked(campaign: Campaign, document_ids: Sequence[str]) -> list[str]:
    """Those of these documents that a run ranks, be it withdrawn, in byte order."""
    rows = campaign.db.conn.execute(
        "SELECT DISTINCT one.value FROM vocabulary, json_each(vocabulary.documents) AS one "
        "WHERE one.value IN (SELECT value FROM json_each(?)) ORDER BY one.value",
        [json.dumps(document_ids)],
    )
    return [document_id for (document_id,) in rows]


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


class RunWarning(NamedTuple):
    """What deserved a look when a run was added: the line of its file, if it is about one, and the sentence."""

    line: int | None
    message: str


def put_warnings(campaign: Campaign, run: int, warnings: Sequence[RunWarning]) -> None:
    """Keep the warnings with which a run was added, inside the open write transaction."""
    rows = [(place, *warning) for place, warning in enumerate(warnings, start=1)]
    campaign.db.conn.execute("UPDATE run SET warnings_sha256 = ? WHERE run = ?", [rows_checksum(rows), run])
    campaign.db.conn.executemany(
        "INSERT INTO run_warning (run, place, line, message) VALUES (?, ?, ?, ?)",
        [(run, *row) for row in rows],
    )


def wrong_warnings(campaign: Campaign) -> Iterator[str]:
    """A sentence for each run whose warnings are not those with which it was added."""
    found = run_warning_checksums(campaign.db.conn)
    for run, tag, checksum in campaign.db.conn.execute("SELECT run, tag, warnings_sha256 FROM run"):
        if found.get(run, NO_ROWS) != checksum:
            yield f"run {tag!r}: its warnings are not those with which it was added"


def warnings(campaign: Campaign) -> dict[int, list[RunWarning]]:
    """The warnings of each run that was added with some, in their order."""
    found: dict[int, list[RunWarning]] = {}
    for run, *rest in campaign.db.conn.execute(
        "SELECT run, line, message FROM run_warning ORDER BY run, place"
    ):
        found.setdefault(run, []).append(RunWarning(*rest))
    return found


_REPAIRS = "(SELECT json_extract(content, '$.repairs') FROM event WHERE event.seq = run.seq)"


def replay(logged: Sequence[Event]) -> dict[int, dict[str, Any]]:
    """Each run's record from the events of RUN and of its details alone, by its number."""
    renamed = run_details.replay_names([event for event in logged if event.kind == run_details.DETAILS])
    contents = (event.content for event in logged if event.kind == RUN)
    return {
        content["run"]: {name: value for name, value in content.items() if name != "repairs"}
        | renamed.get(content["run"], {})
        for content in contents
    }
