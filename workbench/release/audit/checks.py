"""The audit: the checks of a campaign file's consistency, each with what it finds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from functools import partial
from heapq import merge
from itertools import groupby
from operator import itemgetter

from workbench.campaign.near_duplicates import clusters_among
from workbench.core.records import COUNTED_KINDS
from workbench.core.registry import Registry
from workbench.jobs.processes import OnStep
from workbench.release.audit import pools_again, round_trip
from workbench.release.audit.findings import Finding, NotChecked
from workbench.release.audit.round_trip import same
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning import claims
from workbench.storage.campaign.collection import (
    documents,
    near_duplicates,
    nuggets,
    pooled_units,
    pools,
    runs,
    topic_withdrawals,
    withdrawals,
)
from workbench.storage.campaign.file.connection import EVERY
from workbench.storage.campaign.grades import chosen_labels, judgments, labels, rationales
from workbench.storage.campaign.grades.label_rules import LABEL_RULES, NEWEST
from workbench.storage.campaign.grades.sources import ADJUDICATION, MODEL, Precedence, precedence_at
from workbench.storage.campaign.log import chain, log
from workbench.storage.campaign.models import answers
from workbench.storage.campaign.opening import integrity
from workbench.storage.campaign.opening.damage import both, unreadable_values
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.people import identities

REPLAYED = frozenset((*COUNTED_KINDS, MODEL))
"""Kinds of judgments that can give a label."""


def differences(campaign: Campaign) -> Iterator[str]:
    """A sentence for each view of the file that does not say what the log says."""
    replayed, rule = _Replayed(campaign), labels.rule_at(campaign)
    in_sql, view = LABEL_RULES[rule].of_one_pair, judgments.each_of_view_of_qrels(campaign)
    newest = _labels(campaign, NEWEST)
    if in_sql == NEWEST:  # then one pass over the labels is enough
        newest_are_the_same, view_is_the_same = same(newest, replayed.newest(), view)
    else:
        (newest_are_the_same,) = same(newest, replayed.newest())
        (view_is_the_same,) = same(_labels(campaign, in_sql), view)
    if replayed.current_differ():
        yield "the view current_judgment is not what the log says"
    if not newest_are_the_same:
        yield "the labels by the newest grade are not what the log says"
    if not view_is_the_same:
        yield f"the view qrel is not what the log says by the rule {rule}"


def _labels(campaign: Campaign, rule: str) -> Iterator[tuple[str, str, int]]:
    return map(itemgetter(1, 2, 3), labels.each_qrel(campaign, rule=rule))


class _Replayed:
    """The judgments in force and the labels by the newest grade, from the log alone, a topic at a time."""

    def __init__(self, campaign: Campaign) -> None:
        self._campaign, self._precedence = campaign, precedence_at(campaign)
        self._topics = iter(log.judged_topics(campaign))
        self._current_differ = False

    def newest(self) -> Iterator[tuple[str, str, int]]:
        """Topic, document and label in byte order; each topic's judgments are compared with the view on the way."""
        out = topic_withdrawals.left_out(self._campaign)
        for topic_id in self._topics:
            current, newest = _replayed(judgments.log_of_topic(self._campaign, topic_id), self._precedence)
            view = judgments.seqs_of_view_of_current(self._campaign, topic_id)
            self._current_differ |= view != [(seq, 1) for seq in current]
            yield from [
                (topic_id, document_id, grade) for document_id, grade in newest if topic_id not in out
            ]

    def current_differ(self) -> bool:
        """Whether the view of judgments in force says anything else, on any topic."""
        for _ in self.newest():
            pass
        return self._current_differ


def _replayed(
    rows: Iterable[tuple[int, str, str, str, int | None]], precedence: Precedence
) -> tuple[list[int], list[tuple[str, int]]]:
    """The `seq` of each of a topic's judgments in force, none of a model, and its documents with their labels by the
    newest grade; adjudications are one line.
    """
    said: dict[tuple[str, str | None, bool], tuple[int, str, str, str, int | None]] = {}
    for row in rows:
        kind = row[3]
        if kind in REPLAYED:
            said[row[1], None if kind == ADJUDICATION else row[2], kind == MODEL] = row
    in_force = sorted(said.values())
    tiers = {kind: precedence.tier(kind) for kind in REPLAYED}
    grades: dict[str, int] = {}
    lowest: dict[str, int] = {}
    for _, document_id, _, kind, grade in in_force:
        tier = tiers[kind]
        if grade is not None and tier is not None and tier <= lowest.get(document_id, tier):
            grades[document_id], lowest[document_id] = grade, tier
    return [row[0] for row in in_force if row[3] != MODEL], sorted(grades.items())


SHOWN_FINDINGS = 10

Check = Callable[[Campaign], Iterator[str]]


CHECKS: Registry[Check] = Registry("check", "checks")
"""By the question that each answers: it yields a sentence for everything that is wrong, or NotChecked."""
check = CHECKS.register


def audit(campaign: Campaign, *, noted: str | None = None, on_step: OnStep | None = None) -> list[Finding]:
    """Run every check; a finding holds at most the first ten things that are wrong.

    `noted` is the beginning of a row's hash (hexadecimal) as an export or an earlier audit printed it. A chain
    cannot know its own end: only a hash kept elsewhere tells that rows were cut off there. `on_step` is called before
    each check.
    """
    first, *others = CHECKS
    campaign = campaign.asking(EVERY)

    def check_others(campaign: Campaign) -> list[Finding]:
        findings: list[Finding] = []
        for question in others:
            if on_step is not None:
                on_step(1 + len(findings), len(CHECKS), question)
            findings.append(_finding(question, campaign))
        return findings

    if on_step is not None:
        on_step(0, len(CHECKS), first)
    following, sound = both(
        campaign, check_others, partial(_finding, first)
    )  # the first is SQLite's work alone
    return [*([] if noted is None else [_noted_row(campaign, noted)]), sound, *following]


def _finding(question: str, campaign: Campaign) -> Finding:
    with campaign.snapshot():
        return _finding_of(question, _findings(CHECKS[question], campaign))


def _finding_of(question: str, sentences: Iterator[str]) -> Finding:
    wrong: list[str] = []
    not_checked: list[str] = []
    for sentence in sentences:
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
    """SQLite's own checks, integrity and foreign keys, and the definitions of all tables and indexes."""
    yield from integrity.integrity_problems(campaign)
    yield from integrity.foreign_key_problems(campaign)
    yield from integrity.changed_tables(campaign)
    yield from map(NotChecked, integrity.tables_beside(campaign))


@check("the chain of hashes is whole")
def chain_is_whole(campaign: Campaign) -> Iterator[str]:
    """Every row of the log follows the one before it, and its hash covers both."""
    for row in chain.broken_rows(campaign):
        if row.follows is not None:
            yield f"{row.table} {row.seq} follows row {row.follows} of the log"
        if row.changed:
            yield f"{row.table} {row.seq}: the row or one before it is not what was written"


@check("comments and rationales are those of the log, or were erased")
def rationales_are_those_of_the_log(campaign: Campaign) -> Iterator[str]:
    """Words are those that the log's rows have hashes of; the table repeats rationales, two that differ count twice."""
    yield from identities.wrong_names_and_words(campaign)
    both = merge(rationales.logged(campaign), rationales.listed(campaign), key=itemgetter(0, 1))
    for (seq, place), rows in groupby(both, key=itemgetter(0, 1)):
        for _ in range(sum(count % 2 for count in Counter(rows).values())):
            yield f"judgment {seq}: rationale {place} is not the same in the log and in the table"


@check("every judgment was made on the text that is stored")
def texts_are_those_judged(campaign: Campaign) -> Iterator[str]:
    """A stored text has the hash that is stored with it, and judgments name that hash, or the one before a change.

    Imported grades and those of models name none; other judgments lack it only where they came out of a release bundle.
    """
    for document_id in documents.changed_texts(campaign):
        yield f"document {document_id!r}: the text is not the one that was stored"
    changes = _changes_of_texts(campaign)
    for document_id, changed in changes.items():
        if documents.text_hash_of(campaign, document_id) != changed[-1][1].after:
            yield f"document {document_id!r}: the text is not the one that the log says it changed to"
    for seq, document_id, text_hash in judgments.judged_on_other_texts(campaign):
        later = (text.before for changed, text in changes.get(document_id, ()) if changed > seq)
        if text_hash != next(later, None):
            yield f"judgment {seq}: document {document_id!r} has another text now"
    if unnamed := judgments.without_a_text_named(campaign):
        yield NotChecked(
            f"judgments that do not name the text they were made on, as those of a release: {unnamed:,}"
        )


def _changes_of_texts(campaign: Campaign) -> dict[str, list[tuple[int, documents.ChangedText]]]:
    """Each document whose text was replaced, with the rows of the log that did so, in their order."""
    found: dict[str, list[tuple[int, documents.ChangedText]]] = {}
    for change in documents.changes(campaign):
        for text in change.texts:
            found.setdefault(text.document_id, []).append((change.seq, text))
    return found


@check("the log replayed gives what the file says now")
def replay_gives_the_same(campaign: Campaign) -> Iterator[str]:
    """Settings, topics, members, sources, runs, pools, judgments in force and qrels follow from the log alone."""
    yield from integrity.differences(campaign)
    yield from differences(campaign)


@check("only runs that take part are withdrawn, and only withdrawn ones restored")
def withdrawals_make_sense(campaign: Campaign) -> Iterator[str]:
    """Every event that takes a run out or puts it back concerns a run that is there, and in the other state."""
    added = {run.run: run for run in runs.all_runs(campaign)}
    out: set[int] = set()
    for step in withdrawals.steps(campaign):
        number = step.content["run"]
        run = added.get(number)
        if run is None or run.seq > step.seq:
            yield f"log row {step.seq}: the {step.kind} of a run that is not there yet"
        elif (number in out) == (step.kind == withdrawals.WITHDRAWAL):
            yield f"log row {step.seq}: the {step.kind} of run {run.record.tag!r}, which changes nothing"
        (out.add if step.kind == withdrawals.WITHDRAWAL else out.discard)(number)


@check("every claim of a topic expires")
def claims_end(campaign: Campaign) -> Iterator[str]:
    """A claim is a lease and no part of the log, so all that can be proved of one is that it ends."""
    for topic_id, claim in claims.all_claims(campaign).items():
        try:
            ends = log.timestamp(datetime.fromisoformat(claim.until)) == claim.until
        except ValueError:
            ends = False
        if not ends:
            until = f"it is claimed until {claim.until!r}"
            yield f"topic {topic_id!r}: {until}, which is not a time as the workbench writes it"


check("every ranking is the one that was added")(runs.wrong_rankings)


@check("every answer is the one that was sent")
def answers_are_those_sent(campaign: Campaign) -> Iterator[str]:
    """The records of runs of answers have the checksum that was recorded with their run; pools have units of these."""
    yield from runs.wrong_answers(campaign)
    yield from pooled_units.wrong_pooled(campaign.now)


check("labels of models follow from what they answered")(answers.wrong_answers)
check("nuggets are of topics, and can be read")(nuggets.wrong_banks)
check("labels that were chosen count as the grade that is stored")(chosen_labels.wrong_labels)


@check("every value can be read, and pairs are those that were stored")
def values_are_those_stored(campaign: Campaign) -> Iterator[str]:
    """The pairs of pools have their checksums, and nothing stops a command that reads them."""
    yield from pools.wrong_pairs(campaign)
    yield from unreadable_values(campaign)


check("every pool holds the pairs that its recipe gives")(pools_again.wrong_pools)
check("every adaptive pool chose what its strategy chooses by the judgments that it had")(
    pools_again.wrong_choices
)


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
    """Runs and qrels go out as files, which then say the same; so for each question."""
    for name in ("", *(each.name for each in settings.read(campaign).questions)):
        yield from round_trip.differences(campaign.asking(name))
