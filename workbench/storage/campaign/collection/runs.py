"""Runs of a campaign: who sent them, and their rankings, ordered once and packed.

Document numbers count per topic: the topic's vocabulary lists the ids, and grows at its end when a later
run brings new documents, so that rankings already packed keep their meaning.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from sqlite3 import Cursor
from typing import Annotated, Any, NamedTuple

from workbench.core.errors import AlreadyDone
from workbench.core.results import FLAT, HIDDEN, Column
from workbench.core.wording import counted
from workbench.formats.answers.forms import FORMS
from workbench.storage.campaign.collection import ranking_blobs, run_details, sent_answers, withdrawals
from workbench.storage.campaign.collection.question_topics import key_of, topic_of
from workbench.storage.campaign.collection.ranking_blobs import unpack_documents
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.log import kinds
from workbench.storage.campaign.log.cache import Cache
from workbench.storage.campaign.log.log import Event, append_event, newest_event
from workbench.storage.campaign.log.state import part

RUN = kinds.RUN
"""The kind of event that adds a run."""

LARGEST_DEPTH = 1 << 28
"""No ranking is longer: a blob has at most 2 ** 31 bytes."""


class RunRecord(NamedTuple):
    """A run as it was submitted; `contributes` says whether pools take documents from it by default.

    `form` is that of its answers, one of `formats.answers.forms.FORMS`, whose cited documents are its `lines` then; ""
    for a run of documents.
    """

    tag: Annotated[str, Column("Run", "run")]
    team: str
    file: str
    sha256: str
    lines: int
    topics: int
    contributes: bool
    header: Annotated[str, HIDDEN]
    rankings_sha256: Annotated[str, HIDDEN]
    form: str = ""
    answers_sha256: Annotated[str, HIDDEN] = ""

    @property
    def counted_lines(self) -> str:
        """How many lines its rankings have, as people read it."""
        return counted(self.lines, "cited document" if self.form else "line")

    @property
    def form_title(self) -> str:
        """The task in whose form its answers are; "" for a run of documents."""
        return FORMS[self.form].title if self.form in FORMS else self.form


class RunRepair(NamedTuple):
    """A repair that the organiser chose when a run was added: its name, how many lines it changed, a sentence."""

    name: str
    lines: int
    message: str

    def __str__(self) -> str:
        return self.message


class RunWarning(NamedTuple):
    """What deserved a look when a run was added: the line of its file, if it is about one, and the sentence."""

    line: int | None
    message: str

    def __str__(self) -> str:
        return self.message if self.line is None else f"line {self.line}: {self.message}"


class StoredRun(NamedTuple):
    """A run with its number in this campaign, the `seq` of the event that added it, and of that which took it out.

    `withdrawn` is None while the run takes part; `repairs` are what its file needed, in the order in which it was done.
    `sent` is the tag that the team gave it, where a run of an earlier round has that, so that this one goes by another
    among the runs of all rounds; "" else.
    """

    run: Annotated[int, HIDDEN]
    record: Annotated[RunRecord, FLAT]
    seq: Annotated[int, Column(name="added_at_seq")]
    withdrawn: Annotated[int | None, Column(name="withdrawn_at_seq")] = None
    repairs: tuple[RunRepair, ...] = ()
    warnings: tuple[RunWarning, ...] = ()
    sent: Annotated[str, HIDDEN] = ""

    @property
    def sent_as(self) -> str:
        """The tag that the team gave it."""
        return self.sent or self.record.tag


class PackedRanking(NamedTuple):
    """One run's documents for one topic in rank order, packed as `packed` documents."""

    run: int
    topic_id: str
    documents: bytes
    scores: bytes


@part(RUN, run_details.DETAILS, *withdrawals.KINDS, start=dict)
def _runs(found: dict[int, StoredRun], event: Event) -> None:
    """The runs by their numbers, withdrawn ones too."""
    number, content = event.content["run"], event.content
    if event.kind == RUN:
        record = RunRecord(**{name: content[name] for name in RunRecord._fields if name in content})
        repairs = tuple(RunRepair(**repair) for repair in content.get("repairs", ()))
        warnings = tuple(RunWarning(*warning) for warning in content.get("warnings", ()))
        found[number] = StoredRun(number, record, event.seq, None, repairs, warnings)
    elif number not in found:  # the audit finds such an event
        return
    elif event.kind == run_details.DETAILS:
        names = {name: content["now"][name] for name in run_details.NAMES if name in content["now"]}
        sent = content["now"].get("sent", "" if "tag" in names else found[number].sent)
        found[number] = found[number]._replace(record=found[number].record._replace(**names), sent=sent)
    else:
        out = event.seq if event.kind == withdrawals.WITHDRAWAL else None
        found[number] = found[number]._replace(withdrawn=out)


def all_runs(campaign: Campaign) -> list[StoredRun]:
    """All runs in the order they were added, withdrawn ones too; those added later are left out.

    Their tags and teams are as they were at that row.
    """
    return list(_runs(campaign).values())


def in_force(campaign: Campaign, also: Collection[str] = ()) -> list[StoredRun]:
    """The runs that take part now, or did as of a place in the log: all but the withdrawn ones.

    `also` are tags of withdrawn runs that are wanted nevertheless.
    """
    return [run for run in all_runs(campaign) if run.withdrawn is None or run.record.tag in also]


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
    """Compare all rankings (or those of one run) with their checksums, each run once per process.

    Raises DamagedCampaign when one is not what was added.
    """
    ranking_blobs.require(campaign, (each for each in _checked(campaign) if run in (None, each.number)))


def wrong_rankings(campaign: Campaign) -> Iterator[str]:
    """A sentence for each run, withdrawn ones too, whose rankings are not those that were added."""
    return ranking_blobs.wrong_rankings(campaign, _checked(campaign))


def wrong_answers(campaign: Campaign) -> Iterator[str]:
    """A sentence for each run, withdrawn ones too, whose answers are not those that were sent."""
    for run in all_runs(campaign):
        if not sent_answers.is_as_sent(campaign, run.run, run.record.answers_sha256):
            yield f"run {run.record.tag!r}: its answers are not those that were sent"


def answers_of(
    campaign: Campaign, run: StoredRun, topic_id: str | None = None
) -> Iterator[sent_answers.SentAnswer]:
    """The answers of a run (to one topic) as they were sent, in the order of its file; none of a run of documents.

    Raises DamagedCampaign when they are not those that were sent.
    """
    sent_answers.require(campaign, run.run, run.record.tag, run.record.answers_sha256)
    return sent_answers.of_run(campaign, run.run, topic_id)


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
    return list(map(PackedRanking._make, _rankings(campaign, chosen, "documents, scores", only)))


def ranking_lengths(
    campaign: Campaign, only: Collection[str] | None = None, also: Collection[str] = ()
) -> list[tuple[int, str, int]]:
    """Run, topic id and length of every ranking of the runs in force, in the order of `packed_rankings`.

    `only` are the topics that are wanted; None for all. `also` are runs as of `in_force`.
    """
    return _rankings_in_force(campaign, "length(documents) / 4", only, also).fetchall()


def packed_documents(
    campaign: Campaign,
    depth: int | None = None,
    only: Collection[str] | None = None,
    also: Collection[str] = (),
) -> Iterator[bytes]:
    """The documents of every ranking, one at a time and without the scores, in the order of `ranking_lengths`.

    With a `depth` no more than that of each; `only` and `also` as there.
    """
    column = "documents" if depth is None else f"substr(documents, 1, {4 * min(depth, LARGEST_DEPTH)})"
    return (documents for _, _, documents in _rankings_in_force(campaign, column, only, also))


def packed_scores(
    campaign: Campaign, only: Collection[str] | None = None, also: Collection[str] = ()
) -> Iterator[bytes]:
    """The scores of every ranking, one at a time, in the order of `ranking_lengths`; `only` and `also` as there."""
    return (scores for _, _, scores in _rankings_in_force(campaign, "scores", only, also))


def largest_withdrawn(campaign: Campaign, topic_ids: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The place of a topic among these and the largest document number there, of each ranking of a withdrawn run."""
    out = withdrawals.withdrawn(campaign)
    place = {topic_id: topic for topic, topic_id in enumerate(topic_ids)}
    for _, topic_id, documents in _rankings(campaign, out, "documents") if out else ():
        if documents and topic_id in place:
            yield place[topic_id], int(unpack_documents(documents).max())


def _rankings_in_force(
    campaign: Campaign, columns: str, only: Collection[str] | None, also: Collection[str]
) -> Cursor:
    return _rankings(campaign, [run.run for run in in_force(campaign, also)], columns, only)


def _rankings(
    campaign: Campaign, wanted: Collection[int], columns: str, only: Collection[str] | None = None
) -> Cursor:
    """Columns of the rankings of some runs, and for some topics, without a sort: both are read through the index."""
    chosen = "" if only is None else "AND topic IN (SELECT value FROM json_each(:topics))"
    topic_ids = [topic_of(campaign, topic_id) for topic_id in only or ()]
    return campaign.execute(
        f"""SELECT run, topic || :asked, {columns} FROM ranking
        WHERE run IN (SELECT value FROM json_each(:runs)) {chosen} ORDER BY run, topic""",
        {"runs": json.dumps(list(wanted)), "topics": json.dumps(topic_ids), "asked": _asked(campaign)},
    )


def with_order(
    campaign: Campaign, order: Sequence[tuple[str, bytes]], among: Iterable[StoredRun]
) -> list[StoredRun]:
    """Those of these runs that rank the same documents in the same order, given as topic ids and packed documents."""
    lines = sum(len(documents) // 4 for _, documents in order)
    left = [run for run in among if run.record.lines == lines]
    for topic_id, documents in order:
        found = _rankings(campaign, [run.run for run in left], "documents", [topic_id]) if left else ()
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
    return map(PackedRanking._make, _rankings(campaign, numbers, "documents, scores", [topic_id]))


_numbers: Cache[dict[str, int]] = Cache(of_one=2)


def numbers_by_topic(campaign: Campaign) -> dict[str, int]:
    """How many runs in force, of the round that is looked at, have each topic; topics that none has are left out.

    It is cached until a run is added, withdrawn or restored.
    """
    with campaign.snapshot():
        newest = newest_event(campaign, withdrawals.KINDS | {RUN})
        return _numbers.at(campaign, newest, campaign.part, lambda: _numbers_by_topic(campaign))


def _numbers_by_topic(campaign: Campaign) -> dict[str, int]:
    part = campaign.part
    return campaign.mapping(
        "SELECT topic || ?, count(*) FROM ranking WHERE run IN (SELECT value FROM json_each(?)) GROUP BY topic",
        [
            _asked(campaign),
            json.dumps([run.run for run in in_force(campaign) if part is None or part.round.has(run)]),
        ],
    )


def lengths_by_topic(campaign: Campaign) -> dict[str, int]:
    """How many documents all rankings of each topic have together."""
    lengths = "SELECT topic || ?, sum(length(documents) / 4) FROM ranking GROUP BY topic"
    return campaign.mapping(lengths, [_asked(campaign)])


def vocabularies(campaign: Campaign) -> dict[str, list[str]]:
    """For each topic that has rankings its documents' ids, in the order of their numbers."""
    found: dict[str, list[str]] = {}
    named = "SELECT topic || ?, documents FROM vocabulary ORDER BY topic, first"
    rows = campaign.execute(named, [_asked(campaign)])
    for topic_id, documents in rows:
        found.setdefault(topic_id, []).extend(json.loads(documents))
    return found


def vocabulary(campaign: Campaign, topic_id: str) -> list[str]:
    """The ids of one topic's documents in the order of their numbers; empty when no run has the topic."""
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
