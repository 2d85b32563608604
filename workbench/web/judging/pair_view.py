"""A pair of things as an assessor sees it: what stands left and right, and whether the two are almost the same.

Nothing of it tells whose things they are: no run, no rank of a run, and no id but those of documents.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from markupsafe import Markup

from workbench.core.about import DOCUMENT_PAIRS, LIST_PAIRS, PAIRS
from workbench.core.battles import FIRST, LEFT, RIGHT, SECOND, called
from workbench.core.records import Document
from workbench.formats.answers.reading import Answer
from workbench.methods.text.duplicates import clusters, shingles_of, sign
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import documents, near_duplicates, pairs, units
from workbench.storage.campaign.collection.pairs import Thing
from workbench.storage.campaign.collection.question_topics import about, topic_of
from workbench.storage.campaign.collection.unit_records import BETWEEN
from workbench.storage.campaign.organising.settings import Settings
from workbench.web.judging.document.body import Body, Look, body_of, sentences_of, title_of


class ShownDocument(NamedTuple):
    """A document on a side: its title as HTML, and its text, None where the campaign has none.

    Of near duplicates the words are marked that only this one has.
    """

    document_id: str
    title: Markup
    body: Body | None


class SaidSentence(NamedTuple):
    """A sentence of an answer as HTML, and the numbers of what it cites, from 1, in the answer's own count."""

    html: Markup
    cited: tuple[int, ...]


class Side(NamedTuple):
    """What stands on one side: documents, one or those of a list, or an answer.

    Attributes:
        side: left or right; first or second for who sees them in this order.
        texts: the documents by their ids in the order of the thing, None where the campaign has no text.
        twin: what stands on the other side, if the two are near duplicates whose words are compared.
    """

    side: str
    texts: tuple[tuple[str, Document | None], ...]
    answer: Answer | None
    twin: Side | None = None

    def documents(self, look: Look) -> Iterator[ShownDocument]:
        """The documents with the topic's words marked."""
        others = [each for _, each in self.twin.texts] if self.twin else [None] * len(self.texts)
        for (document_id, found), other in zip(self.texts, others, strict=True):
            title = title_of(found.title, look, other and other.title)[0] if found else Markup()
            yield ShownDocument(document_id, title, body_of(found, look, other) if found else None)

    def sentences(self, look: Look) -> Iterator[SaidSentence]:
        """The answer with the topic's words marked."""
        if self.answer is not None:
            numbers = {name: place for place, name in enumerate(self.answer.cited, start=1)}
            said = [sentence.text for sentence in self.answer.sentences]
            other = self.twin.answer if self.twin else None
            before = BETWEEN.join(each.text for each in other.sentences) if other else None
            for sentence, html in zip(
                self.answer.sentences, sentences_of(said, BETWEEN, look, before), strict=True
            ):
                cited = dict.fromkeys(numbers[each.document_id] for each in sentence.citations)
                yield SaidSentence(html, tuple(cited))


class PairView(NamedTuple):
    """A pair as it is shown.

    Attributes:
        about: what is compared, one of core.about.PAIRS.
        are_near: whether the two are near duplicates; of lists, whether they have the same documents in another order.
    """

    about: str
    left: Side
    right: Side
    are_near: bool

    @property
    def sides(self) -> tuple[Side, Side]:
        """Both, from left to right."""
        return self.left, self.right


def find(campaign: Campaign, topic_id: str, unit_id: str, left: str | None) -> PairView | None:
    """A pair of a topic of a question about pairs, with the thing `left` (first or second) on the left.

    Where `left` is None they stand in their own order and are called first and second: for who is no assessor. None
    where no pairs are judged, and for one that is unknown or of which no run has a thing.
    """
    kind = about(campaign, topic_id)
    pair = pairs.by_id(campaign, topic_id).get(unit_id) if kind in PAIRS else None
    if pair is None:
        return None
    things = [pairs.thing_of(campaign, topic_id, each) for each in (pair.first, pair.second)]
    known = [each for each in things if each is not None]
    if len(known) < len(things):
        return None
    names = (LEFT, RIGHT) if left else (FIRST, SECOND)
    shown = known[::-1] if left == SECOND else known
    one, other = (_side(campaign, topic_id, *each) for each in zip(names, shown, strict=True))
    are_near = _are_near(campaign, topic_id, kind, known)
    if are_near and kind != LIST_PAIRS:
        one, other = one._replace(twin=other), other._replace(twin=one)
    return PairView(kind, one, other, are_near)


def by_sides(current: Settings) -> Settings:
    """The settings with the labels of a preference named by sides, as assessors see them; as they are for others."""
    if current.about not in PAIRS:
        return current
    grades = (each._replace(name=called(FIRST, each.grade, each.name)) for each in current.grades)
    return current._replace(grades=tuple(grades))


def _side(campaign: Campaign, topic_id: str, side: str, thing: Thing) -> Side:
    stored = {each: documents.find(campaign, each) for each in thing.documents}
    texts = tuple((each, found.document if found else None) for each, found in stored.items())
    answer = None if thing.documents else units.answer_of(campaign, topic_id, thing.runs[0])
    return Side(side, texts, answer)


def _are_near(campaign: Campaign, topic_id: str, kind: str, things: Sequence[Thing]) -> bool:
    one, other = things
    if kind == LIST_PAIRS:
        return set(one.documents) == set(other.documents)
    if kind == DOCUMENT_PAIRS:
        first = near_duplicates.of_topic(campaign, topic_of(campaign, topic_id))
        return one.thing_id in first and first[one.thing_id] == first.get(other.thing_id)
    texts = {FIRST: one.text, SECOND: other.text}
    signed = {name: sign(text) for name, text in texts.items()}
    return bool(clusters(signed, lambda name: shingles_of(texts[name])))
