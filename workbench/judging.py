"""Judging: what an assessor is shown, in which order, and how a judgment gets into the log.

A judgment carries proof of what was judged: topic, document, the pool the pair came from, and the hash of the
text that was shown. One that does not match what the campaign holds is refused, whatever the reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from types import NoneType
from typing import NamedTuple

from workbench.campaign import (
    Campaign,
    bookmarks,
    documents,
    judgments,
    log,
    near_duplicates,
    pools,
    settings,
    topics,
)
from workbench.errors import JudgmentRefused, NotThere
from workbench.pooling.order import order_pairs
from workbench.records import Document, Judgment, Pooled, Rationale, Topic

SCREEN_KINDS = ("grade", "can't tell", "cleared")
LONGEST_COMMENT = 10_000
LONGEST_SECONDS = 10_000_000
MOST_RATIONALES = 50
LONGEST_RATIONALE = 5_000
INPUTS = ("key", "button", "same")
"""Ways of input: a key, a button (mouse, finger, screen reader), or "same grade as its near duplicate"."""

_TYPES: dict[str, tuple[type, ...]] = {
    "pool": (int,),
    "topic_version": (int,),
    "guideline_version": (int,),
    "grade": (int, NoneType),
    "replaces": (int, NoneType),
    "client_at": (str, NoneType),
    "active_seconds": (int, float, NoneType),
    "input": (str, NoneType),
    "same_as": (str, NoneType),
    "rationales": (tuple,),
}
"""The types of a submission's fields that may be something else than text."""


class TopicProgress(NamedTuple):
    """How far a topic is: pooled pairs, those judged by anybody, by this assessor, and not told by them; pairs held
    back are those nobody has judged because the document has no text.
    """

    topic_id: str
    title: str
    pooled: int
    judged: int
    mine: int
    cannot_tell: int
    held_back: int = 0

    @property
    def open(self) -> int:
        """Pairs that somebody can judge and nobody has."""
        return self.pooled - self.judged - self.held_back


class QueueItem(NamedTuple):
    """A document to judge. `state` is open, mine, or other (judged by somebody else; that grade stays hidden).

    `kind`, `grade` and `seq` are of this assessor's own judgment in force, else None. `later` says that this
    assessor put it off. `near` names the group of documents of the topic that are almost the same, if it is in one.
    """

    document_id: str
    state: str
    kind: str | None = None
    grade: int | None = None
    seq: int | None = None
    later: bool = False
    near: str | None = None


class Shown(NamedTuple):
    """Everything about one pair that an assessor sees, and what a judgment of it has to echo.

    `document` and `text_hash` are None when the campaign has no text of the document; `mine` is the
    assessor's own judgment in force, if there is one.
    """

    topic: Topic
    topic_version: int
    document: Document | None
    text_hash: str | None
    pool: int
    guideline_version: int
    mine: Judgment | None


class Submission(NamedTuple):
    """A judgment as the page sends it; see `records.Judgment` for the meaning of the fields."""

    uuid: str
    topic_id: str
    document_id: str
    pool: int
    text_hash: str
    topic_version: int
    guideline_version: int
    kind: str
    grade: int | None
    replaces: int | None
    client_at: str | None = None
    active_seconds: float | None = None
    comment: str = ""
    input: str | None = None
    same_as: str | None = None
    rationales: tuple[Rationale, ...] = ()


class Receipt(NamedTuple):
    """The judgment as it is stored now; `repeated` says that it had been stored before."""

    judgment: Judgment
    repeated: bool


def topic_progress(campaign: Campaign, assessor: str) -> list[TopicProgress]:
    """Progress of every topic that has pooled pairs, in byte order of the ids."""
    titles = {stored.topic.topic_id: stored.topic.title for stored in topics.all_topics(campaign)}
    return [
        TopicProgress(row.topic_id, titles[row.topic_id], *row[1:])
        for row in judgments.progress(campaign, assessor)
    ]


def queue(campaign: Campaign, topic_id: str, assessor: str) -> list[QueueItem]:
    """A topic's pooled documents in this assessor's viewing order, as the newest pool asks for it.

    Near duplicates follow the first of them in this order, at its place. Documents whose text is missing are held
    back: nobody should judge what nobody can read.
    """
    with campaign.snapshot():
        pairs = [pair.pooled for pair in pools.pooled_pairs(campaign, topic_id)]
        if not pairs:
            message = f"topic {topic_id!r} has no pooled documents in {campaign.name}"
            raise NotThere(message)
        current = judgments.current_of_topic(campaign, topic_id)
        put_off = bookmarks.of_topic(campaign, assessor, topic_id)
        unread = documents.without_text_for(campaign, topic_id)
        near = near_duplicates.of_topic(campaign, topic_id)
        ordered = [
            pair for pair in _in_viewing_order(campaign, pairs, assessor) if pair.document_id not in unread
        ]
    mine = {judgment.document_id: judgment for judgment in current if judgment.assessor == assessor}
    judged = {judgment.document_id for judgment in current if judgment.kind != "cleared"}
    items = [_queue_item(pair.document_id, mine.get(pair.document_id), judged, put_off) for pair in ordered]
    return _near_together([item._replace(near=near.get(item.document_id)) for item in items])


def show(campaign: Campaign, topic_id: str, document_id: str, assessor: str) -> Shown:
    """One pooled pair as an assessor sees it; NotThere for a pair that is in no pool."""
    with campaign.snapshot():
        pool = pools.pool_of(campaign, topic_id, document_id)
        topic = topics.find(campaign, topic_id)
        if pool is None or topic is None:
            message = f"document {document_id!r} is not pooled for topic {topic_id!r} in {campaign.name}"
            raise NotThere(message)
        stored = documents.find(campaign, document_id)
        return Shown(
            topic=topic.topic,
            topic_version=topic.version,
            document=stored.document if stored else None,
            text_hash=stored.text_hash if stored else None,
            pool=pool,
            guideline_version=settings.read(campaign).guideline_version,
            mine=judgments.current(campaign, topic_id, document_id, assessor),
        )


def judge(
    campaign: Campaign, submission: Submission, *, assessor: str, now: datetime | None = None
) -> Receipt:
    """Append a judgment to the log, once per uuid, if it matches what was served; it is put off no longer.

    Raises JudgmentRefused; its `reason` is `uuid taken`, `unknown pair`, `text changed`,
    `replaced elsewhere`, `bad grade` or `bad value`.
    """
    _check_types(submission)
    _check_values(submission)
    with campaign.write():
        stored = judgments.by_uuid(campaign, submission.uuid)
        if stored is not None:
            return _repeated(stored, submission, assessor)
        _check_matches(campaign, submission, assessor)
        (judgment,) = log.append_judgments(campaign, [_judgment(submission, assessor, now)])
        bookmarks.remove(campaign, assessor, submission.topic_id, submission.document_id)
    return Receipt(judgment, repeated=False)


def next_topic(progress: Sequence[TopicProgress], topic_id: str | None) -> TopicProgress | None:
    """The first topic after `topic_id` in `progress` with documents that wait to be judged, around its end.

    Without a `topic_id` the first such topic of all.
    """
    place = next((place for place, row in enumerate(progress) if row.topic_id == topic_id), -1)
    ordered = [*progress[place + 1 :], *progress[: place + 1]]
    return next((row for row in ordered if row.topic_id != topic_id and row.open > 0), None)


def has_half_character(text: str) -> bool:
    """Whether a lone surrogate is in a text, which no UTF-8 can hold."""
    return any("\ud800" <= character <= "\udfff" for character in text)


def _in_viewing_order(campaign: Campaign, pairs: Sequence[Pooled], assessor: str) -> list[Pooled]:
    newest = pools.all_pools(campaign)[-1].record
    return order_pairs(pairs, order=newest.viewing, seed=newest.seed, assessor=assessor)


def _near_together(items: Sequence[QueueItem]) -> list[QueueItem]:
    groups: dict[tuple[str, bool], list[QueueItem]] = {}
    for item in items:
        key = (item.document_id, False) if item.near is None else (item.near, True)
        groups.setdefault(key, []).append(item)
    return [item for group in groups.values() for item in group]


def _queue_item(document_id: str, mine: Judgment | None, judged: set[str], put_off: set[str]) -> QueueItem:
    if mine is not None and mine.kind != "cleared":
        return QueueItem(document_id, "mine", mine.kind, mine.grade, mine.seq)
    state = "other" if document_id in judged else "open"
    return QueueItem(document_id, state, seq=mine.seq if mine else None, later=document_id in put_off)


def _check_types(submission: Submission) -> None:
    """The hash of a row covers its values as they are stored, so True must not pass for 1, nor 1.0."""
    for name, value in submission._asdict().items():
        if type(value) not in _TYPES.get(name, (str,)):
            raise JudgmentRefused("bad value", f"{name} cannot be {value!r}")
        if isinstance(value, int) and abs(value) > log.LARGEST_INTEGER:
            raise JudgmentRefused("bad value", f"{name} is too large")
        if isinstance(value, str) and has_half_character(value):
            raise JudgmentRefused("bad value", f"{name} holds half a character (a lone surrogate)")


def _check_values(submission: Submission) -> None:
    if not 8 <= len(submission.uuid) <= 64:
        raise JudgmentRefused("bad value", "the uuid must have 8 to 64 characters")
    if submission.kind not in SCREEN_KINDS:
        raise JudgmentRefused("bad value", f"a judgment is one of {', '.join(SCREEN_KINDS)}")
    if (submission.grade is None) != (submission.kind != "grade"):
        raise JudgmentRefused("bad value", "a grade goes with the kind 'grade', and only with it")
    if len(submission.comment) > LONGEST_COMMENT:
        raise JudgmentRefused("bad value", f"a comment may have {LONGEST_COMMENT:,} characters at most")
    if submission.input is not None and submission.input not in INPUTS:
        raise JudgmentRefused("bad value", f"a way of input is one of {', '.join(INPUTS)}")
    _check_rationales(submission)
    seconds = submission.active_seconds
    if seconds is not None and not 0 <= seconds <= LONGEST_SECONDS:
        raise JudgmentRefused("bad value", f"active seconds must be a number from 0 to {LONGEST_SECONDS:,}")


def _check_rationales(submission: Submission) -> None:
    if len(submission.rationales) > MOST_RATIONALES:
        raise JudgmentRefused("bad value", f"a judgment may have {MOST_RATIONALES} rationales at most")
    for rationale in submission.rationales:
        if tuple(map(type, rationale)) != (str, int, int, str) or rationale.field not in ("title", "text"):
            raise JudgmentRefused(
                "bad value", "a rationale is a field (title or text), two offsets and the text there"
            )
        if not 0 <= rationale.start < rationale.end or rationale.end - rationale.start != len(rationale.text):
            raise JudgmentRefused("bad value", "the offsets of a rationale do not fit to its text")
        if len(rationale.text) > LONGEST_RATIONALE:
            raise JudgmentRefused(
                "bad value", f"a rationale may have {LONGEST_RATIONALE:,} characters at most"
            )
        if has_half_character(rationale.text):
            raise JudgmentRefused("bad value", "a rationale holds half a character (a lone surrogate)")


def _repeated(stored: Judgment, submission: Submission, assessor: str) -> Receipt:
    again = _judgment(submission, assessor, None)._replace(seq=stored.seq, received_at=stored.received_at)
    if again != stored:
        raise JudgmentRefused(
            "uuid taken", "another judgment was stored under this uuid; nothing was changed"
        )
    return Receipt(stored, repeated=True)


def _check_matches(campaign: Campaign, submission: Submission, assessor: str) -> None:
    """Refuse what does not fit to what the campaign holds; called inside the write transaction."""
    shown = _shown_or_refused(campaign, submission, assessor)
    if submission.pool != shown.pool:
        raise JudgmentRefused("unknown pair", f"the pair came from pool {shown.pool}, not {submission.pool}")
    if shown.text_hash is None:
        raise JudgmentRefused("text changed", "the campaign has no text of this document to be judged by")
    if submission.text_hash != shown.text_hash:
        raise JudgmentRefused("text changed", "the text shown is not the text that the campaign holds")
    if not topics.had_version(campaign, submission.topic_id, submission.topic_version):
        raise JudgmentRefused("text changed", "the topic was never shown in this version")
    if not settings.had_version(campaign, submission.guideline_version):
        raise JudgmentRefused("text changed", "the guidelines were never shown in this version")
    if submission.replaces != (shown.mine.seq if shown.mine else None):
        raise JudgmentRefused("replaced elsewhere", _elsewhere(shown.mine))
    if submission.kind == "cleared" and (shown.mine is None or shown.mine.kind == "cleared"):
        raise JudgmentRefused("bad value", "there is no judgment of yours to clear")
    _check_quoted(submission, shown)
    _check_twin(campaign, submission)
    scale = [grade.grade for grade in settings.read(campaign).grades]
    if submission.grade is not None and submission.grade not in scale:
        raise JudgmentRefused("bad grade", f"{submission.grade} is not on the scale {scale}")


def _check_twin(campaign: Campaign, submission: Submission) -> None:
    """A grade is taken over from another document of the topic; which ones are near duplicates changes with texts."""
    twin = submission.same_as
    if twin is None:
        return
    if twin == submission.document_id or pools.pool_of(campaign, submission.topic_id, twin) is None:
        raise JudgmentRefused("bad value", f"{twin!r} is no other document that is pooled for this topic")


def _check_quoted(submission: Submission, shown: Shown) -> None:
    """What is kept of a plain text must stand there; the words of a page depend on how it is shown."""
    document = shown.document
    for field, start, end, text in submission.rationales:
        stored = {"title": document.title, "text": document.text}[field] if document else ""
        is_exact = field == "title" or (document is not None and document.media_type == "text/plain")
        # No page can hold a NUL: another character stands in its place.
        if is_exact and stored[start:end].replace("\0", "\ufffd") != text:
            raise JudgmentRefused(
                "bad value", f"the {field} of the document has other words from {start} to {end}"
            )


def _shown_or_refused(campaign: Campaign, submission: Submission, assessor: str) -> Shown:
    try:
        return show(campaign, submission.topic_id, submission.document_id, assessor)
    except NotThere as error:
        raise JudgmentRefused("unknown pair", str(error)) from error


def _elsewhere(mine: Judgment | None) -> str:
    if mine is None:
        return "there is no judgment of yours that this one could replace"
    what = mine.kind if mine.grade is None else f"grade {mine.grade}"
    return f"you judged this document elsewhere meanwhile: {what}"


def _judgment(submission: Submission, assessor: str, now: datetime | None) -> Judgment:
    return Judgment(
        seq=0,
        received_at=log.timestamp(now),
        assessor=assessor,
        source="screen",
        **submission._asdict(),
    )
