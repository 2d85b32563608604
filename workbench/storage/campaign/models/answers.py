"""What judges answered: each batch is an event of the log and rows of the table `model_answer`.

The event has their number and their checksum: SHA-256 of a JSON array of the fields of each answer a line, without
blanks, in their order. Labels follow from the answers, and are judgments of the kind 'model' behind the batch: of a
pair the mode of the samples that have a grade, the lowest of equally frequent grades, and a tie where two things are
preferred as often. Of two answers with the same sample number the later one with a grade counts; of several versions of
a judge the newest with a grade for the pair. An answer without a grade, or about a probe, is no label and takes none
back. A preference has what stood on the left in its first prompt (`left_in_prompt`), where a prompt is known.
"""

from __future__ import annotations

import zlib
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import pairwise
from typing import Any, NamedTuple
from uuid import uuid4

from workbench.core.errors import CampaignError
from workbench.core.model_answers import (
    FIELDS,
    LONGEST_ANSWER,
    Judge,
    Labelled,
    ModelAnswer,
    Pair,
    Samples,
    Submitted,
    add_answer,
)
from workbench.core.records import REMAPPED, Judgment
from workbench.core.values import LARGEST_INTEGER
from workbench.core.wording import none_such
from workbench.formats.tables.json_text import json_line
from workbench.formats.text.compression import unpacked_text
from workbench.methods.pairing import left_in_prompt
from workbench.storage.campaign.collection import documents, pools, topics
from workbench.storage.campaign.collection.pairs import is_of_pairs
from workbench.storage.campaign.collection.question_topics import question_of, topic_of
from workbench.storage.campaign.file.connection import EVERY, Campaign
from workbench.storage.campaign.grades.sources import MODEL
from workbench.storage.campaign.log import kinds, log
from workbench.storage.campaign.log.erasable import id_of
from workbench.storage.campaign.log.log import Event, append_event
from workbench.storage.campaign.log.state import State, part
from workbench.storage.campaign.models import judges
from workbench.storage.campaign.organising.quota import check_quota

MODEL_ANSWERS = kinds.MODEL_ANSWERS

_COLUMNS = ", ".join(field.column for field in FIELDS)
_RAW = ModelAnswer._fields.index("raw")


class Batch(NamedTuple):
    """Answers of one version of a judge that were stored together.

    Attributes:
        seq: the row of the log, which is also the number of the batch.
        at: when they were stored.
        judge, version: whose they are.
        source: the file that they came from, or what ran the judge.
        answers, unlabelled, marked: how many there are, without a grade, and suspicious.
        labels: how many labels they changed or gave.
        sha256: their checksum.
        team, file_sha256, received: which team submitted the file, its checksum, and when the server had received it;
            "" where no team did.
    """

    seq: int
    at: str
    judge: str
    version: int
    source: str
    answers: int
    unlabelled: int
    marked: int
    labels: int
    sha256: str
    team: str = ""
    file_sha256: str = ""
    received: str = ""


class StoredAnswer(NamedTuple):
    """An answer with the number of its batch, and the version of the judge."""

    batch: int
    version: int
    answer: ModelAnswer


class Tally(NamedTuple):
    """What a judge answered in all its versions: answers with a grade, those without by reason, and what they cost."""

    labelled: int
    failed: dict[str, int]
    cost: float


def put_answers(
    campaign: Campaign,
    judge: str,
    answers: Iterable[ModelAnswer],
    *,
    source: str = "",
    submitted: Submitted | None = None,
) -> Batch:
    """Store answers of the newest version of a judge, and their labels, inside the open write transaction.

    The caller asks `campaign.questions.put_due` afterwards, since labels decide what further questions are about.

    Raises:
        UnknownName: no judge has this name.
        CampaignError: the campaign forbids labels of models; an answer has a value that none has, a grade that is not
            on the judge's scale, or is about a topic that is not there or of another question than the judge's.
        QuotaExceeded: the campaign is as large as it may be.
    """
    judges.require_allowed(campaign)
    by = judges.judge_named(campaign, judge)
    rows = [_checked(by, answer) for answer in answers]
    if not rows:
        raise CampaignError(f"there are no answers of {judge!r} to store")
    _check_topics(campaign, by, {row.topic_id for row in rows})
    labels = list(_new_labels(campaign, by, rows, source))
    batch = put_batch(campaign, by, rows, source=source, labels=len(labels), submitted=submitted)
    log.append_judgments(campaign, (label._replace(received_at=batch.at) for label in labels))
    check_quota(campaign)
    return batch


def put_batch(
    campaign: Campaign,
    judge: Judge,
    rows: Sequence[ModelAnswer],
    *,
    source: str,
    labels: int,
    submitted: Submitted | None = None,
) -> Batch:
    """Store checked answers inside the open write transaction, without their labels, of which there are so many."""
    documents.put_ids(campaign, sorted({row.document_id for row in rows}))
    content: dict[str, Any] = {
        "judge": judge.name,
        "version": judge.version,
        "source": source,
        "answers": len(rows),
        "unlabelled": sum(row.grade is None for row in rows),
        "marked": sum(bool(row.marked) for row in rows),
        "labels": labels,
        "sha256": checksum(rows),
        **(submitted._asdict() if submitted else {}),
    }
    seq = append_event(campaign, MODEL_ANSWERS, content)
    marks = ", ".join("?" * (2 + len(FIELDS)))
    campaign.db.conn.executemany(
        f"INSERT INTO model_answer (batch, place, {_COLUMNS}) VALUES ({marks})",
        ((seq, place, *_packed(row)) for place, row in enumerate(rows, start=1)),
    )
    return Batch(seq, log.rows_of_events(campaign, [seq])[seq][0], **content)


def checksum(answers: Iterable[ModelAnswer]) -> str:
    """The checksum of answers."""
    digest = sha256()
    for answer in answers:
        digest.update(json_line(list(answer)).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def batches(campaign: Campaign, judge: str | None = None) -> list[Batch]:
    """The batches of a judge, or of all, in the order of the log."""
    state, of = State.of(campaign), judge and id_of(campaign, judge)
    found = (each for each in state[_batches].values() if of in (None, each.judge))
    return [each._replace(judge=state.names[each.judge]) for each in found]


def each_answer(
    campaign: Campaign, judge: str | None = None, topic_id: str | None = None
) -> Iterator[StoredAnswer]:
    """The answers of a judge, or of all, about all topics or one, in the order in which they were stored.

    DamagedCampaign where one cannot be unpacked.
    """
    known = {batch.seq: batch for batch in batches(campaign, judge)}
    try:
        for batch, answer in _rows(campaign, topic_id):
            if batch in known:
                yield StoredAnswer(batch, known[batch].version, answer)
    except ValueError as error:
        raise campaign.damaged(f"an answer of a model cannot be read: {error}") from None


def labelled_samples(campaign: Campaign, judge: str) -> dict[Pair, Samples]:
    """The samples with a grade of each pair that a judge gave one, of the newest version that did: see the module."""
    found: dict[Pair, Labelled] = {}
    for _, version, answer in each_answer(campaign, judge):
        add_answer(found, version, answer)
    return {pair: labelled.samples for pair, labelled in found.items()}


def tallies(campaign: Campaign) -> dict[str, Tally]:
    """The tally of each judge that answered, by its name."""
    judge_of = {batch.seq: batch.judge for batch in batches(campaign)}
    rows = campaign.execute(
        """SELECT batch, failure, count(*), total(cost) FROM model_answer
        WHERE batch <= ? GROUP BY batch, failure ORDER BY batch, failure""",
        [campaign.up_to],
    )
    found: dict[str, Tally] = {}
    for batch, failure, number, cost in rows:
        labelled, failed, before = found.setdefault(judge_of[batch], Tally(0, {}, 0.0))
        if failure:
            failed[failure] = failed.get(failure, 0) + number
        found[judge_of[batch]] = Tally(labelled + (0 if failure else number), failed, before + cost)
    return found


def wrong_answers(campaign: Campaign) -> Iterator[str]:
    """A sentence for each batch that is not what was stored, and each label that does not follow from answers."""
    known = {batch.seq: batch for batch in batches(campaign)}
    for seq, batch in known.items():
        try:
            rows = [answer for _, answer in _rows(campaign, batch=seq)]
        except ValueError as error:
            yield f"log row {seq}: an answer of {batch.judge!r} cannot be read: {error}"
            continue
        counts = len(rows), sum(row.grade is None for row in rows), sum(bool(row.marked) for row in rows)
        if (*counts, checksum(rows)) != (batch.answers, batch.unlabelled, batch.marked, batch.sha256):
            yield f"log row {seq}: the answers of {batch.judge!r} are not those that were stored"
    changed = Counter[int]()
    for topic_id in campaign.column(
        "SELECT topic FROM model_answer UNION SELECT topic FROM judgment WHERE kind = 'model' ORDER BY topic"
    ):
        yield from _wrong_labels(campaign, topic_id, known, changed)
    for seq, batch in known.items():
        if changed[seq] != batch.labels:
            yield f"log row {seq}: the event counts {batch.labels:,} changed labels, and there are {changed[seq]:,}"


def _checked(judge: Judge, answer: ModelAnswer) -> ModelAnswer:
    about = f"topic {answer.topic_id!r}, document {answer.document_id!r}"
    try:
        found = answer.checked()
    except ValueError as error:
        raise CampaignError(f"{about}: {error}") from None
    if found.grade is not None and found.grade not in judge.scale:
        scale = ", ".join(map(str, judge.scale))
        raise CampaignError(
            f"{about}: {judge.name!r} gives {scale}, not {found.grade}; store it without a grade"
        )
    return found


def _check_topics(campaign: Campaign, judge: Judge, topic_ids: set[str]) -> None:
    known = topics.topic_ids(campaign.asking(EVERY))
    if unknown := sorted(topic_ids - set(known)):
        raise CampaignError(none_such("topic", unknown, known, of=campaign.name))
    for topic_id in sorted(topic_ids):
        if (question := question_of(campaign, topic_id)) != judge.question:
            asked = "relevance" if not question else f"the question {question!r}"
            answered = "relevance" if not judge.question else f"the question {judge.question!r}"
            raise CampaignError(f"{judge.name!r} judges {answered}, but topic {topic_id!r} is of {asked}")


def _new_labels(
    campaign: Campaign, judge: Judge, rows: Sequence[ModelAnswer], source: str
) -> Iterator[Judgment]:
    """The labels that these answers change, in their order, each with the row that it replaces."""
    of_version = {batch.seq: batch.version for batch in batches(campaign, judge.name)}
    found: dict[Pair, Labelled] = {}
    pairs = {row.pair: row for row in rows if row.is_label}
    of_pairs, whole = is_of_pairs(campaign.asking(judge.question)), campaign.asking(EVERY)
    for topic_id, document_id in pairs if of_version else ():
        for batch, answer in _graded(campaign, topic_id, document_id):
            if batch in of_version:
                add_answer(found, of_version[batch], answer)
    for row in rows:
        add_answer(found, judge.version, row)
    for pair, row in pairs.items():
        label, (seq, said) = found[pair].label(of_pairs=of_pairs), _newest(campaign, judge.name, pair)
        if said != {label}:
            sides = topic_of(campaign, row.topic_id), row.document_id, min(found[pair].samples)
            left = left_in_prompt(*sides) if of_pairs and row.prompt_sha256 else None
            yield Judgment(
                uuid=str(uuid4()),
                assessor=judge.name,
                topic_id=row.topic_id,
                document_id=row.document_id,
                pool=pools.pool_of(whole, *pair),
                kind=MODEL,
                grade=label,
                replaces=seq,
                source=source,
                left=left,
            )


def _newest(campaign: Campaign, judge: str, pair: Pair) -> tuple[int | None, set[int]]:
    """The newest label of a pair by a judge: its row, and its grade, with the one that a change of scale replaced."""
    rows = campaign.execute(
        f"""SELECT seq, grade, source FROM judgment WHERE topic = ? AND document = ? AND assessor = ?
        AND kind = '{MODEL}' ORDER BY seq DESC""",
        (*pair, id_of(campaign, judge)),
    ).fetchall()
    given = [grade for _, grade, source in rows if source != REMAPPED]
    return (rows[0][0], {rows[0][1], *given[:1]}) if rows else (None, set())


@part(MODEL_ANSWERS, start=dict)
def _batches(found: dict[int, Batch], event: Event) -> None:
    """The batches by their rows, with the ids of judges."""
    found[event.seq] = Batch(event.seq, event.at, **event.content)


def _packed(answer: ModelAnswer) -> tuple[Any, ...]:
    return (*answer[:_RAW], zlib.compress(answer.raw.encode()), *answer[_RAW + 1 :])


def _rows(
    campaign: Campaign, topic_id: str | None = None, batch: int | None = None
) -> Iterator[tuple[int, ModelAnswer]]:
    """Answers with the numbers of their batches; ValueError where one cannot be unpacked."""
    named = {"topic": topic_id, "batch": batch}
    chosen = "".join(f" AND {name} = :{name}" for name, value in named.items() if value is not None)
    rows = campaign.execute(
        f"SELECT batch, {_COLUMNS} FROM model_answer WHERE batch <= :as_of{chosen} ORDER BY batch, place",
        {**named, "as_of": campaign.up_to},
    )
    for number, *values in rows:
        values[_RAW] = unpacked_text(values[_RAW], 4 * LONGEST_ANSWER)
        yield number, ModelAnswer(*values)


def _graded(
    campaign: Campaign, topic_id: str, document_id: str | None = None
) -> Iterator[tuple[int, ModelAnswer]]:
    """The samples of a topic, or a pair, that are labels, with the numbers of their batches; nothing else of them."""
    chosen = "" if document_id is None else "AND document = :document"
    rows = campaign.execute(
        f"""SELECT batch, document, sample, grade FROM model_answer INDEXED BY model_answer_pair
        WHERE topic = :topic {chosen} AND grade IS NOT NULL AND batch <= :as_of ORDER BY batch, place""",
        {"topic": topic_id, "document": document_id, "as_of": campaign.up_to},
    )
    answers = ((row[0], ModelAnswer(topic_id, *row[1:])) for row in rows)
    return (each for each in answers if each[1].is_label)


def _wrong_labels(
    campaign: Campaign, topic_id: str, known: Mapping[int, Batch], changed: Counter[int]
) -> Iterator[str]:
    """Replay a topic's answers: behind each batch stand the labels that it changes, in its order, and no others.

    `changed` counts them for each batch.
    """
    labels = deque(
        campaign.execute(
            f"""SELECT seq, document, assessor, grade, source = '{REMAPPED}' FROM judgment
            WHERE topic = ? AND kind = '{MODEL}' AND seq <= ? ORDER BY seq""",
            (topic_id, campaign.up_to),
        ).fetchall()
    )
    ids = {batch.judge: id_of(campaign, batch.judge) for batch in known.values()}
    found: dict[Pair, Labelled] = {}
    newest: dict[Pair, tuple[int, int]] = {}
    by_batch: dict[int, list[ModelAnswer]] = {}
    for number, answer in _graded(campaign, topic_id):
        by_batch.setdefault(number, []).append(answer)
    places = sorted(by_batch.keys() & known.keys())
    expected, of_pairs = deque[tuple[Pair, int]](), is_of_pairs(campaign, topic_id)
    for place, end in pairwise([0, *places, LARGEST_INTEGER]):
        if place:
            judge = ids[known[place].judge]
            for answer in by_batch[place]:
                add_answer(found, known[place].version, answer, (answer.document_id, judge))
            for document_id in dict.fromkeys(answer.document_id for answer in by_batch[place]):
                label = found[document_id, judge].label(of_pairs=of_pairs)
                if {*newest.get((document_id, judge), ())} != {label}:
                    expected.append(((document_id, judge), label))
            changed[place] += len(expected)
        while labels and labels[0][0] < end:
            seq, document_id, judge, grade, is_remapped = labels.popleft()
            given = newest.get((document_id, judge), (grade,))[0] if is_remapped else grade
            newest[document_id, judge] = given, grade
            if not is_remapped and (not expected or expected.popleft() != ((document_id, judge), grade)):
                yield f"judgment {seq}: the label does not follow from the answers of its judge"
        if expected:
            yield f"log row {place}: {len(expected):,} labels of topic {topic_id!r} are missing behind it"
            expected.clear()
