"""The records that travel between the layers. Identifiers are text, always: '007' is not '7'."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import compress, repeat
from types import MappingProxyType
from typing import Annotated, Any, NamedTuple

from workbench.core import values
from workbench.core.about import DOCUMENTS
from workbench.core.battles import FIRST, SECOND, seen_from
from workbench.core.values import Given

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


SCALE, LABEL, LABELS, WEIGHT = "scale", "label", "labels", "weight"
ANSWERED = (SCALE, LABEL, LABELS, WEIGHT)
"""How a question is answered: by a grade of a scale, one of several labels without order, several labels, a number."""
MOST_LABELS = 30
"""Labels of a topic of which an answer may choose several: browsers count with 32 bits."""


class Question(NamedTuple):
    """What a campaign asks besides relevance, such as readability or support: a scale of its own.

    `about` is one of ABOUT. Of a topic it is asked about the pooled documents, or about those with a label of
    `asked_from` or higher, where that is not None; about units of answers as its own pools have them. Grades from
    `relevant_from` on are the good ones. `answered` is one of ANSWERED; the grades are the labels where one is chosen,
    and all numbers between two ends for a weight. Where several are chosen, `labels` have numbers from 1 on, () for the
    nuggets of the topic; the grade follows from how many are chosen, by the highest number in `counts`, pairs (number,
    grade), that is not above it; without any it is their number. Of pairs the labels
    are those of `core.battles.PREFERENCES`; where lists are compared, `depth` is how many first results each shows.
    """

    name: str
    title: str
    grades: tuple[Grade, ...]
    relevant_from: int = 1
    asked_from: int | None = None
    guideline: str = ""
    about: str = DOCUMENTS
    answered: str = SCALE
    labels: tuple[Grade, ...] = ()
    counts: tuple[tuple[int, int], ...] = ()
    depth: int = 5

    @property
    def content(self) -> dict[str, Any]:
        """The question as JSON has it."""
        rows = {name: list(map(list, getattr(self, name))) for name in ("grades", "labels", "counts")}
        return {**self._asdict(), **rows}

    def counts_as(self, number: int) -> int:
        """The grade of so many labels."""
        return max((each for each in self.counts if each[0] <= number), default=(0, number))[1]


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


MOST_RATIONALES, LONGEST_RATIONALE = 50, 5_000


class Rationale(NamedTuple):
    """A piece of a document that an assessor kept as the reason for a judgment.

    `start` and `end` count code points of `field`, which is "title" or "text": of the stored text where it is
    plain, of the words of the page as it is shown where it is HTML or Markdown. `text` is what is there. Of a unit
    of an answer it is a piece of what is read: of the document that is cited, or of the answer.
    """

    field: Annotated[str, Given(values.one_of(("title", "text")))]
    start: Annotated[int, Given(values.INTEGER)]
    end: Annotated[int, Given(values.INTEGER)]
    text: Annotated[str, Given(values.text(LONGEST_RATIONALE))]

    def check(self) -> None:
        """ValueError where the offsets are none of such a text."""
        if not 0 <= self.start < self.end or self.end - self.start != len(self.text):
            raise ValueError("the offsets of a rationale do not fit its text")


SCREEN_KINDS = ("grade", "can't tell", "cleared")
"""Kinds of judgments that are given on the screen."""
COUNTED_KINDS = (*SCREEN_KINDS, "adjudication", "import")
"""Kinds of judgments that say what an assessor now thinks; repeats, second looks, norming, models never do."""
KINDS = (*COUNTED_KINDS, "repeat", "second look", "norming", "model")
WITHOUT_GRADE, GRADED = ("can't tell", "cleared"), ("grade", "import", "model")
"""Kinds of judgments that never have a grade, and those that always have one."""
REPEAT, SECOND_LOOK, NORMING = "repeat", "second look", "norming"
"""Kinds of judgments that never count: hidden repeats, what an assessor says of a pair after a model's label of it was
shown, and those of norming sessions.

On the screen they are given like all others, as a grade, as "can't tell", or taken back. In the log their kind says
only what they are for: one without a grade is "can't tell", unless its source is TAKEN_BACK.
"""
SAID_LATER = (REPEAT, SECOND_LOOK)
"""Those of them that an assessor sees as if they had replaced the judgment that counts."""
SCREEN, TAKEN_BACK = "screen", "screen, taken back"
"""The source of what was given on the screen, and of a row that takes a repeat or a norming judgment back."""
REMAPPED = "scale changed"
"""The source of a row that says under a new scale what the row that it replaces said under the old one, or clears it so
that its pair is asked again.
"""
PAGE, COMMAND, TOKEN = DOORS = ("page", "command", "token")
"""By what a row of the log was written: a page in a browser, a command in a terminal, or a program with a token."""
INPUTS = ("key", "button", "same")
"""Ways of input: a key, a button (mouse, finger, screen reader), or "same grade as its near duplicate"."""
LONGEST_COMMENT, LONGEST_SECONDS = 10_000, 10_000_000

_ID, _HASH = values.text(values.LONGEST_ID), values.text(values.LONGEST_NAME)
_SECONDS = values.number("a number of seconds", LONGEST_SECONDS)
CHOSEN = values.whole("a set of labels, as the sum of 2^(number - 1)", 0, 2**MOST_LABELS - 1)
PIECES = values.list_of(Rationale, MOST_RATIONALES, "rationale", Rationale.check)


class Judgment(NamedTuple):
    """One row of the judgment log, as it is stored. Nothing in it is ever updated; `seq` orders everything.

    This is the only declaration of a judgment's fields: what a browser may send, the API's description, the columns of
    the file, the chain of hashes and the rows of a release follow from it.

    Attributes:
        seq: the place in the log, which orders everything.
        uuid: made by the sender: the same judgment sent again is stored once.
        received_at: UTC in ISO 8601.
        client_at: the time by the sender's clock, in ISO 8601.
        assessor: who judged.
        topic_id, document_id: what is judged.
        pool: the pool that the pair came from, as the document was shown with it; None outside of pools (imports only).
        text_hash: the hash of the text that was shown.
        topic_version, guideline_version: the version that was shown.
        kind: one of grade, can't tell, cleared, repeat, second look, norming, adjudication, import, model.
        grade: an integer for those kinds that have one.
        replaces: the seq of one's own judgment that this one replaces.
        active_seconds: how long its assessor worked at it.
        comment: what they wrote.
        source: where it came from.
        input: the way of input on the screen.
        same_as: the document whose grade was taken over because the two are almost the same.
        through: by what it was written, one of DOORS; None for a program that imports the package.
        left: which thing of a pair stood on the left, first or second; None where none is compared.
        rationales: the pieces of the document that are its reasons.
        chosen: of several labels those that were chosen: the sum of 2^(number - 1) over their numbers.
    """

    seq: Annotated[int, Given(values.INTEGER, sql="PRIMARY KEY")] = 0
    uuid: Annotated[str, Given(values.UUID, by="client", sql="UNIQUE")] = ""
    received_at: Annotated[str, Given(values.MOMENT)] = ""
    client_at: Annotated[str | None, Given(values.MOMENT, "giving", "client")] = None
    assessor: Annotated[str, Given(values.text(values.LONGEST_NAME))] = ""
    topic_id: Annotated[
        str, Given(_ID, "unit", "client", column="topic", sql="REFERENCES topic (topic)", published=True)
    ] = ""
    document_id: Annotated[
        str,
        Given(_ID, "unit", "client", column="document", sql="REFERENCES document (document)", published=True),
    ] = ""
    pool: Annotated[int | None, Given(values.INTEGER, "unit", "client", published=True)] = None
    text_hash: Annotated[str | None, Given(_HASH, "shown", "client", published=True)] = None
    topic_version: Annotated[int | None, Given(values.INTEGER, "shown", "client", published=True)] = None
    guideline_version: Annotated[int | None, Given(values.INTEGER, "shown", "client", published=True)] = None
    kind: Annotated[
        str,
        Given(values.one_of(SCREEN_KINDS), "answer", "client", stored=values.one_of(KINDS), published=True),
    ] = "grade"
    grade: Annotated[int | None, Given(values.INTEGER, "answer", "client, or null", published=True)] = None
    replaces: Annotated[
        int | None,
        Given(values.INTEGER, "log", "client, or null", sql="REFERENCES judgment (seq)", published=True),
    ] = None
    active_seconds: Annotated[float | None, Given(_SECONDS, "giving", "client, or null", published=True)] = (
        None
    )
    comment: Annotated[str, Given(values.text(LONGEST_COMMENT), "answer", "client")] = ""
    source: Annotated[str, Given(values.text(values.LONGEST_PATH))] = "screen"
    input: Annotated[str | None, Given(values.one_of(INPUTS), "giving", "client, if any", published=True)] = (
        None
    )
    same_as: Annotated[
        str | None,
        Given(_ID, "answer", "client, if any", sql="REFERENCES document (document)", published=True),
    ] = None
    left: Annotated[
        str | None, Given(values.one_of((FIRST, SECOND)), "shown", "client, if any", published=True)
    ] = None
    through: Annotated[str | None, Given(values.one_of(DOORS))] = None
    rationales: Annotated[tuple[Rationale, ...], Given(PIECES, "answer", "client, if any")] = ()
    chosen: Annotated[int | None, Given(CHOSEN, "answer", "client, if any", published=True)] = None

    def has_its_grade(self) -> bool:
        """Whether a grade is there where the kind has one, and not where it has none."""
        return self.kind not in (WITHOUT_GRADE if self.grade is not None else GRADED)

    def off_record(self, kind: str) -> Judgment:
        """A judgment as it came from the screen, as it is stored when it is of a kind that never counts."""
        source = TAKEN_BACK if self.kind == "cleared" and kind != "cleared" else self.source
        return self._replace(kind=kind, source=source)

    def as_given(self) -> Judgment:
        """A stored judgment as it came from the screen: a repeat looks like any other, a preference is by sides."""
        return self.turned().as_any_other()

    def turned(self) -> Judgment:
        """A preference that was stored by its things by the sides as shown, and the other way round."""
        return self if self.left is None else self._replace(grade=seen_from(self.left, self.grade))

    def as_any_other(self) -> Judgment:
        """A stored judgment without what it is for, with a preference by its things, as it is stored."""
        if self.kind not in (*SAID_LATER, NORMING):
            return self
        if self.source == TAKEN_BACK:
            return self._replace(kind="cleared", source=SCREEN)
        return self._replace(kind="can't tell" if self.grade is None else "grade")

    @property
    def documents(self) -> set[str]:
        """The documents that it names: the one that is judged, and the one whose grade was taken over."""
        return {self.document_id, self.same_as or self.document_id}

    def at_place_of(self, stored: Judgment) -> Judgment:
        """What was sent with what the server adds, to compare it with a row that was stored under the same uuid."""
        return self._replace(seq=stored.seq, received_at=stored.received_at, through=stored.through)

    def follows(self, **fields: Any) -> Judgment:
        """A row that the server makes after this one, with other `fields`: nobody gave it on the screen."""
        return self._replace(**{"seq": 0, **_NOT_ON_SCREEN, **fields})


_NOT_ON_SCREEN = {field.name: None for field in values.declared(Judgment) if field.given.part == "giving"}
NO_ANSWER = {
    field.name: Judgment._field_defaults[field.name]
    for field in values.declared(Judgment)
    if field.given.part == "answer" and field.name != "kind"
}
"""The fields of a judgment that takes an answer back, but for its kind."""
