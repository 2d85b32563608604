"""The records that travel between the layers. Identifiers are text, always: '007' is not '7'."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import compress, repeat
from types import MappingProxyType
from typing import NamedTuple

NO_FIELDS: Mapping[str, str] = MappingProxyType({})


class Topic(NamedTuple):
    """An information need. `fields` holds what the file had besides title, description and narrative."""

    topic_id: str
    title: str
    description: str = ""
    narrative: str = ""
    fields: Mapping[str, str] = NO_FIELDS


class Document(NamedTuple):
    """A document with its text as `media_type` says: text/plain, text/html, text/markdown or text/x-code."""

    document_id: str
    title: str = ""
    text: str = ""
    media_type: str = "text/plain"
    fields: Mapping[str, str] = NO_FIELDS


class PageImage(NamedTuple):
    """A page of a document, counted from 1, as a PNG, with its size in pixels."""

    page: int
    width: int
    height: int
    image: bytes


class Qrel(NamedTuple):
    """One line of a qrels file."""

    topic_id: str
    document_id: str
    grade: int


class TopicQrels(NamedTuple):
    """The lines of one topic of a qrels file as columns of the same length, in the order of the lines."""

    topic_id: str
    document_ids: Sequence[str]
    grades: Sequence[int]

    def rows(self) -> Iterator[Qrel]:
        """The same line by line."""
        return map(Qrel, repeat(self.topic_id), self.document_ids, self.grades)

    def chosen(self, which: Sequence[bool]) -> TopicQrels:
        """Those lines for which `which` has True."""
        document_ids, grades = compress(self.document_ids, which), compress(self.grades, which)
        return TopicQrels(self.topic_id, list(document_ids), list(grades))


class Source(NamedTuple):
    """A file as it was when it was read: its path, its size in bytes, the SHA-256 of its bytes (hexadecimal)."""

    path: str
    size: int
    sha256: str


class Grade(NamedTuple):
    """One step of a campaign's scale: the number that goes into qrels, its name, and a line of guideline.

    0 is not relevant, positive is relevant (from the campaign's `relevant_from` on), negative is special: it
    never becomes a line of qrels unless asked for.
    """

    grade: int
    name: str
    guideline: str = ""


class Pooled(NamedTuple):
    """One pair of a pool: who put it there, and how a sample of the pool would have to weigh it.

    `best_rank` counts from 1 over the contributing runs, `runs` is how many of them had the document within
    the depth; both are 0 where the pair was named and no run has it. `inclusion_probability` is 1.0 where every
    pair of the stratum is to be judged.
    """

    topic_id: str
    document_id: str
    best_rank: int
    runs: int
    stratum: int = 1
    inclusion_probability: float = 1.0


class Rationale(NamedTuple):
    """A piece of a document that an assessor kept as the reason for a judgment.

    `start` and `end` count code points of `field`, which is "title" or "text": of the stored text where it is
    plain, of the words of the page as it is shown where it is HTML or Markdown. `text` is what is there.
    """

    field: str
    start: int
    end: int
    text: str


class Judgment(NamedTuple):
    """One row of the judgment log, as it is stored. Nothing in it is ever updated; `seq` orders everything.

    `kind` is one of grade, can't tell, cleared, repeat, norming, adjudication, import; `grade` is an integer
    for those that carry one, else None. `replaces` is the `seq` of the row that this assessor's change of mind
    puts out of force. Times are UTC in ISO 8601. `pool` is None for a pair outside every pool (imports only).
    `input` is the way of input on the screen ("key", "button", ...), None elsewhere; `same_as` the document whose
    grade was taken over because the two are almost the same.
    """

    seq: int
    uuid: str
    received_at: str
    client_at: str | None
    assessor: str
    topic_id: str
    document_id: str
    pool: int | None
    text_hash: str | None
    topic_version: int | None
    guideline_version: int | None
    kind: str
    grade: int | None
    replaces: int | None
    active_seconds: float | None
    comment: str
    source: str
    input: str | None = None
    same_as: str | None = None
    rationales: tuple[Rationale, ...] = ()
