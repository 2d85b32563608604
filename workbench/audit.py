"""The audit: a campaign file proved against itself, one check after the other, each with its findings."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from workbench.campaign import (
    Campaign,
    assignments,
    claims,
    create_campaign,
    documents,
    draws,
    integrity,
    judgments,
    labels,
    log,
    members,
    near_duplicates,
    norming,
    pools,
    rationales,
    runs,
    settings,
    topics,
    withdrawals,
)
from workbench.campaign.chain import GENESIS, next_hash
from workbench.campaign.packed import unpack_documents
from workbench.campaign.rankings import load_rankings
from workbench.campaign.schema import COUNTED_KINDS
from workbench.campaign.sources import ADJUDICATION, IMPORT, MODEL, Precedence, precedence_at
from workbench.export import export_qrels, export_run
from workbench.formats.qrels import write_qrels
from workbench.formats.runs import write_run
from workbench.ingest import add_qrels, add_runs
from workbench.ingest.naming import listed
from workbench.ingest.numbering import checksum_of_ids
from workbench.near_duplicates import clusters_among
from workbench.pool_making import name_pairs
from workbench.pooling import PoolPairs, make_pool
from workbench.records import Judgment, Pooled, Qrel
from workbench.scoring import score_campaign
from workbench.withdrawing import withdraw_runs, withdrawn_tags

SHOWN_FINDINGS = 10

Check = Callable[[Campaign], Iterator[str]]


class NotChecked(str):
    """What a check yields where something cannot be checked, and why: that is no proof, and nothing wrong either."""

    __slots__ = ()


class Finding(NamedTuple):
    """A check's question, and what it found wrong; nothing when all is well. `not_checked` says what a file lacks
    that would be needed to check it, as one lacks that came out of a release bundle.
    """

    question: str
    wrong: tuple[str, ...]
    not_checked: tuple[str, ...] = ()


CHECKS: dict[str, Check] = {}


def check(question: str) -> Callable[[Check], Check]:
    """Put a check into the audit; it yields a sentence for everything that is wrong, or NotChecked."""

    def register(function: Check) -> Check:
        CHECKS[question] = function
        return function

    return register


def audit(
    campaign: Campaign, *, noted: str | None = None, on_check: Callable[[str], object] | None = None
) -> list[Finding]:
    """Run every check; a finding holds at most the first ten things that are wrong.

    `noted` is the beginning of a row's hash (hexadecimal) as an export or an earlier audit told it. A chain
    cannot know its own end: only a hash kept elsewhere tells that rows were cut off there.
    """
    findings = [] if noted is None else [_noted_row(campaign, noted)]
    for question, function in CHECKS.items():
        if on_check is not None:
            on_check(question)
        with campaign.snapshot():
            findings.append(_finding(question, _findings(function, campaign)))
    return findings


def _finding(question: str, told: Iterator[str]) -> Finding:
    wrong: list[str] = []
    not_checked: list[str] = []
    for sentence in told:
        (not_checked if isinstance(sentence, NotChecked) else wrong).append(sentence)
        if len(wrong) == SHOWN_FINDINGS:
            break
    return Finding(question, tuple(wrong), tuple(not_checked[:SHOWN_FINDINGS]))


def _noted_row(campaign: Campaign, noted: str) -> Finding:
    question = f"the log still has the row whose hash begins with {noted}"
    return Finding(question, () if log.has_hash(campaign, noted) else ("the log has no such row any more",))


def _findings(function: Check, campaign: Campaign) -> Iterator[str]:
    try:
        yield from function(campaign)
    except Exception as error:  # noqa: BLE001 - whatever a damaged file makes fail is a finding, not a crash
        yield f"the check cannot be made: {type(error).__name__}: {error}"


@check("the database is sound")
def database_is_sound(campaign: Campaign) -> Iterator[str]:
    """SQLite's own checks: integrity, and foreign keys."""
    yield from integrity.integrity_problems(campaign)
    yield from integrity.foreign_key_problems(campaign)
    yield from integrity.foreign_tables(campaign)


@check("the chain of hashes is whole")
def chain_is_whole(campaign: Campaign) -> Iterator[str]:
    """Every row of the log follows the one before it, and its hash covers both."""
    seq, last = 0, GENESIS
    for table, row, stored in log.rows_of_the_chain(campaign):
        seq += 1
        if row[0] != seq:
            yield f"{table} {row[0]} follows row {seq - 1} of the log"
            seq = row[0]
        last = next_hash(last, table, row)
        if stored != last:
            yield f"{table} {seq}: the row or one before it is not what was written"
            last = stored


@check("rationales stand in their table as the log has them")
def rationales_are_those_of_the_log(campaign: Campaign) -> Iterator[str]:
    """The table repeats the log's rows, for SQL: neither has a rationale that the other lacks."""
    logged = set(rationales.logged(campaign))
    listed = set(rationales.listed(campaign))
    for seq, place, *_ in sorted(logged ^ listed):
        yield f"judgment {seq}: rationale {place} is not the same in the log and in the table"


@check("every judgment was made on the text that is stored")
def texts_are_those_judged(campaign: Campaign) -> Iterator[str]:
    """A stored text has the hash that is stored with it, and judgments name that hash.

    Imported grades and those of models name none; other judgments lack it only where they came out of a release bundle.
    """
    hashes, unnamed = {}, 0
    for stored in documents.all_texts(campaign):
        hashes[stored.document.document_id] = stored.text_hash
        if documents.text_hash(stored.document) != stored.text_hash:
            yield f"document {stored.document.document_id!r}: the text is not the one that was stored"
    for judgment in judgments.log(campaign):
        unnamed += judgment.text_hash is None and judgment.kind not in {IMPORT, MODEL}
        if judgment.text_hash is not None and hashes.get(judgment.document_id) != judgment.text_hash:
            yield f"judgment {judgment.seq}: document {judgment.document_id!r} has another text now"
    if unnamed:
        yield NotChecked(
            f"judgments that do not name the text they were made on, as those of a release: {unnamed:,}"
        )


@check("the log replayed gives what the file says now")
def replay_gives_the_same(campaign: Campaign) -> Iterator[str]:
    """Settings, topics, members, sources, runs, pools, judgments in force and qrels follow from the log alone."""
    pairs: list[tuple[str, Any, Any]] = [
        ("settings", settings.replay(campaign), settings.stored(campaign)),
        ("topics", topics.replay(campaign), {row.topic.topic_id: row for row in topics.all_topics(campaign)}),
        ("members", members.replay(campaign), members.all_members(campaign)),
        ("assignments", assignments.replay(campaign), assignments.stored(campaign)),
        ("drawn pairs", draws.replay(campaign), draws.stored(campaign)),
        ("closed topics", assignments.replay_closed(campaign), assignments.closed(campaign)),
        ("teams of participants", members.replay_teams(campaign), members.teams(campaign)),
        ("sources", _told_sources(campaign), [_source_event(row) for row in documents.sources(campaign)]),
        ("runs", runs.replay(campaign), {run.run: _as_event(run) for run in runs.all_runs(campaign)}),
        ("withdrawn runs", withdrawals.replay(campaign), withdrawals.stored(campaign)),
        ("norming sessions", norming.replay(campaign), norming.all_sessions(campaign)),
        (
            "pools",
            pools.replay(campaign),
            {pool.pool: _pool_event(pool) for pool in pools.all_pools(campaign)},
        ),
    ]
    yield from (f"{what}: not what the log says" for what, told, found in pairs if told != found)
    current, newest = _replayed(judgments.log(campaign), precedence_at(campaign))
    if current != judgments.view_of_current(campaign):
        yield "the view current_judgment is not what the log says"
    if newest != _labels(campaign, labels.NEWEST):
        yield "the labels by the newest grade are not what the log says"
    rule = labels.rule_at(campaign)
    if judgments.view_of_qrels(campaign) != _labels(campaign, labels.IN_SQL.get(rule, rule)):
        yield f"the view qrel is not what the log says by the rule {rule}"
    told_pools = pools.replay(campaign)
    for pool, count in pools.pairs_by_pool(campaign).items():
        if told_pools.get(pool, {}).get("pairs") != count:
            yield f"pool {pool}: it holds {count} pairs, which is not what the log says"


@check("only runs that take part are withdrawn, and only withdrawn ones restored")
def withdrawals_make_sense(campaign: Campaign) -> Iterator[str]:
    """Every event that takes a run out or puts it back concerns a run that is there, and in the other state."""
    added = {run.run: run for run in runs.all_runs(campaign)}
    out: set[int] = set()
    for step in withdrawals.steps(campaign):
        run = added.get(step.run)
        if run is None or run.seq > step.seq:
            yield f"log row {step.seq}: the {step.kind} of a run that is not there yet"
        elif (step.run in out) == (step.kind == withdrawals.WITHDRAWAL):
            yield f"log row {step.seq}: the {step.kind} of run {run.record.tag!r}, which changes nothing"
        (out.add if step.kind == withdrawals.WITHDRAWAL else out.discard)(step.run)


@check("every topic that is taken is free again at a time")
def claims_end(campaign: Campaign) -> Iterator[str]:
    """A claim is a lease and no part of the log, so all that can be proved of one is that it ends."""
    for topic_id, claim in claims.all_claims(campaign).items():
        try:
            ends = log.timestamp(datetime.fromisoformat(claim.until)) == claim.until
        except ValueError:
            ends = False
        if not ends:
            yield f"topic {topic_id!r}: it is taken until {claim.until!r}, which is no time as the workbench writes it"


@check("every ranking is the one that was added")
def rankings_are_those_added(campaign: Campaign) -> Iterator[str]:
    """Packed rankings, with their numbers turned into ids, have the checksum that was recorded with their run."""
    vocabularies = {topic_id: np.array(ids, object) for topic_id, ids in runs.vocabularies(campaign).items()}
    nothing = np.array([], object)
    for run in runs.all_runs(campaign):
        told: list[tuple[str, str, bytes]] = []
        for row in runs.packed_rankings(campaign, run=run.run):
            ids, numbers = vocabularies.get(row.topic_id, nothing), unpack_documents(row.documents)
            if numbers.max(initial=0) < len(ids):
                told.append((row.topic_id, "\n".join(ids[numbers]), row.scores))
            else:
                yield f"run {run.record.tag!r}: topic {row.topic_id!r} names documents that do not exist"
        if checksum_of_ids(told) != run.record.rankings_sha256:
            yield f"run {run.record.tag!r}: its rankings are not those that were added"


@check("every pool holds the pairs that its recipe gives")
def pools_follow_their_recipes(campaign: Campaign) -> Iterator[str]:
    """Each pool made again from its runs gives, without the pairs of earlier pools, exactly its own pairs.

    A pool that names runs which the log had not told of by then came out of a release bundle without them.
    """
    held: dict[int, set[Pooled]] = {}
    for pair in pools.pooled_pairs(campaign):
        held.setdefault(pair.pool, set()).add(pair.pooled)
    known: set[tuple[str, str]] = set()
    vocabularies = runs.vocabularies(campaign)
    for pool in pools.all_pools(campaign):
        found = held.get(pool.pool, set())
        if missing := _never_there(campaign, pool):
            yield NotChecked(
                f"pool {pool.pool} draws on runs that this file never had ({listed(missing)}), as one from a release "
                f"bundle without them: whether its recipe gives its {len(found):,} pairs cannot be told"
            )
        else:
            yield from _odd_pairs(campaign, pool, found, known, vocabularies)
        known.update(pair[:2] for pair in found)


def _never_there(campaign: Campaign, pool: pools.StoredPool) -> list[str]:
    """The runs of a pool that no event up to its own added, whatever the table of runs says."""
    added = {event.content["tag"] for event in log.events(campaign, "run", as_of=pool.seq)}
    return [tag for tag in pool.record.runs if tag not in added]


def _odd_pairs(
    campaign: Campaign,
    pool: pools.StoredPool,
    found: set[Pooled],
    known: set[tuple[str, str]],
    vocabularies: Mapping[str, list[str]],
) -> Iterator[str]:
    again, topic_ids = _made_again(campaign, pool)
    given = {pair for pair in name_pairs(again, topic_ids, vocabularies) if pair[:2] not in known}
    for odd in sorted(given ^ found):
        what = "is there, but is not what" if odd in found else "is not there, but is what"
        yield f"pool {pool.pool}: document {odd.document_id!r} of topic {odd.topic_id!r} {what} its recipe gives"


@check("what is stored as near duplicates is almost the same")
def near_duplicates_are_alike(campaign: Campaign) -> Iterator[str]:
    """The texts of the documents that are stored as near duplicates, compared again, make the same clusters.

    Others that there may be are not looked for: that takes a minute and more where 50,000 documents are pooled.
    """
    stored = near_duplicates.everywhere(campaign)
    clusters = clusters_among(campaign, {topic_id: list(first) for topic_id, first in stored.items()})
    for topic_id, first in stored.items():
        if first != {document_id: cluster[0] for cluster in clusters[topic_id] for document_id in cluster}:
            yield f"topic {topic_id!r}: its near duplicates are not those of the texts"


@check("exported and imported again it gives the same qrels and scores")
def round_trip_gives_the_same(campaign: Campaign) -> Iterator[str]:
    """Runs and qrels go out as files and into a new campaign, which then says the same."""
    exported = export_qrels(campaign, special=True)
    with (
        tempfile.TemporaryDirectory(prefix="workbench-audit-") as folder,
        create_campaign(Path(folder) / "again.db") as again,
    ):
        _copy_by_files(campaign, again, exported.qrels, Path(folder))
        if export_qrels(again, special=True).qrels != exported.qrels:
            yield "the qrels differ"
        if _scores(again) != _scores(campaign):
            yield "the scores differ"


def _scores(campaign: Campaign) -> list[tuple[object, ...]]:
    # Teams are left out: a run file does not name them.
    return [(row.tag, row.values, row.judged) for row in score_campaign(campaign).rows]


def _told_sources(campaign: Campaign) -> list[dict[str, Any]]:
    return [event.content for event in log.events(campaign, "documents")]


def _source_event(source: documents.StoredSource) -> dict[str, Any]:
    return {"source": source.source, **source.file._asdict(), "documents": source.documents}


def _made_again(campaign: Campaign, pool: pools.StoredPool) -> tuple[PoolPairs, list[str]]:
    """All pairs that a pool's recipe gives on the runs as they were then, those of earlier pools included, and
    the topic ids that their numbers stand for.
    """
    stored = load_rankings(campaign, as_of=pool.seq, with_scores=True)
    record = pool.record
    chosen = [index for index, run in enumerate(stored.runs) if run.record.tag in record.runs]
    rankings = stored.rankings.of_runs(chosen)
    pairs = make_pool(rankings, strategy=record.strategy, ties=record.ties, **record.parameters)
    return pairs, stored.topic_ids


def _as_event(run: runs.StoredRun) -> dict[str, Any]:
    return {"run": run.run, **run.record._asdict()}


def _pool_event(pool: pools.StoredPool) -> dict[str, Any]:
    return {"pool": pool.pool, **pool.record._asdict(), "runs": list(pool.record.runs), "pairs": pool.pairs}


def _labels(campaign: Campaign, rule: str) -> list[Qrel]:
    return [Qrel(*label[1:]) for label in labels.qrels(campaign, rule=rule)]


def _replayed(rows: Iterator[Judgment], precedence: Precedence) -> tuple[list[Judgment], list[Qrel]]:
    """The judgments in force, none of a model, and the labels by the newest grade; adjudications are one line."""
    said: dict[tuple[str, str, str | None, bool], Judgment] = {}
    for row in rows:
        if row.kind in (*COUNTED_KINDS, MODEL):
            who = None if row.kind == ADJUDICATION else row.assessor
            said[row.topic_id, row.document_id, who, row.kind == MODEL] = row
    in_force = sorted(said.values(), key=lambda row: row.seq)
    grades: dict[tuple[str, str], tuple[int, int]] = {}
    for row in in_force:
        pair, tier = (row.topic_id, row.document_id), precedence.tier(row.kind)
        if row.grade is not None and tier is not None and tier <= grades.get(pair, (tier, 0))[0]:
            grades[pair] = tier, row.grade
    current = [row for row in in_force if row.kind != MODEL]
    return current, [Qrel(*pair, grade) for pair, (_, grade) in sorted(grades.items())]


def _copy_by_files(campaign: Campaign, again: Campaign, qrels: list[Qrel], folder: Path) -> None:
    kept = {name: value for name, (value, _) in settings.stored(campaign).items()}
    kept.update(topics_from_runs=False, documents_complete=False)
    with again.write():
        settings.change(again, kept, actor="audit")
        everything = [row.topic for row in topics.all_topics(campaign)]
        topics.put(again, everything, files=[], actor="audit")
    tags = [run.record.tag for run in runs.all_runs(campaign)]
    files = [folder / f"{number}.run" for number in range(len(tags))]
    out = withdrawn_tags(campaign)
    for tag, file in zip(tags, files, strict=True):
        run = export_run(campaign, tag)
        write_run(file, run.header, run.rows, tag=run.tag)
    if files:
        add_runs(again, [str(file) for file in files], actor="audit")
        withdraw_runs(again, out, actor="audit")
    if qrels:
        write_qrels(folder / "qrels.txt", qrels)
        add_qrels(again, [str(folder / "qrels.txt")], actor="audit")
