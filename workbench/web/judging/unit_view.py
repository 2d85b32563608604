"""A unit of an answer as an assessor sees it: the answer around it, what is cited, and the answer's other nuggets.

Nothing of it tells whose answer it is: no run, no rank, and no id but those of the unit and of the document it cites.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from markupsafe import Markup, escape

from workbench.core.about import NUGGETS
from workbench.core.records import Document, Topic
from workbench.formats.answers.reading import Answer
from workbench.methods.text.languages import language_of_text
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import pooled_units, pools, units
from workbench.storage.campaign.collection.question_topics import about
from workbench.storage.campaign.collection.unit_records import BETWEEN, Unit
from workbench.web.judging.document.body import Look, title_of
from workbench.web.judging.document.direction import main_direction_of


class Cited(NamedTuple):
    """A document that a sentence cites: its number in the answer, from 1, and whether the unit is about it."""

    number: int
    is_judged: bool


class SaidSentence(NamedTuple):
    """A sentence of the answer: where it begins, its HTML, whether it is the one that is judged, and what it cites."""

    start: int
    html: Markup
    is_judged: bool
    cited: tuple[Cited, ...]


class OtherNugget(NamedTuple):
    """A nugget that the answer is judged by: its unit, what it says first, and whether it is the one on the screen."""

    unit_id: str
    text: str
    is_judged: bool


class AnswerUnit(NamedTuple):
    """A unit with the answer that it stands in.

    Attributes:
        read: what is read to judge it: the document that is cited, None without its text; or the answer.
        answers: in how many answers it occurs.
        nuggets: those that the answer is judged by, in the order of the bank; () where citations are, or it as a whole.
    """

    unit: Unit
    answer: Answer
    read: Document | None
    answers: int
    nuggets: tuple[OtherNugget, ...]

    @property
    def place(self) -> int:
        """Which of the nuggets it is, from 1, or which of the sentences."""
        if not self.nuggets:
            return self.unit.place + 1
        return 1 + [nugget.is_judged for nugget in self.nuggets].index(True)

    @property
    def is_whole(self) -> bool:
        """Whether the answer as a whole is judged."""
        return not self.unit.cited and not self.nuggets

    @property
    def cited(self) -> int:
        """The number of the document that is cited, from 1; 0 where a nugget or a span is judged."""
        return 1 + self.answer.cited.index(self.unit.cited) if self.unit.cited and not self.unit.span else 0

    @property
    def direction(self) -> str:
        """That of the answer."""
        return main_direction_of(_text_of(self.answer))

    @property
    def language(self) -> str:
        """That of the answer."""
        return language_of_text(_text_of(self.answer))

    def about(self, topic: Topic) -> Topic:
        """The topic with the unit's words in the place of its own: these are marked; as it is for a whole answer."""
        if self.is_whole:
            return topic
        return topic._replace(title=self.unit.text, description="", narrative="")

    def sentences(self, look: Look) -> Iterator[SaidSentence]:
        """The answer; where a nugget is judged, all of it is, and the words of the nugget are marked."""
        start = 0
        numbers = {document_id: place for place, document_id in enumerate(self.answer.cited, start=1)}
        for place, sentence in enumerate(self.answer.sentences):
            is_judged = bool(self.unit.cited) and place == self.unit.place
            cited = dict.fromkeys(each.document_id for each in sentence.citations)
            yield SaidSentence(
                start,
                escape(sentence.text) if self.unit.cited else title_of(sentence.text, look)[0],
                is_judged,
                tuple(Cited(numbers[each], is_judged and each == self.unit.cited) for each in cited),
            )
            start += len(sentence.text) + len(BETWEEN)


def find(campaign: Campaign, topic_id: str, unit_id: str) -> AnswerUnit | None:
    """A unit of a topic of a question about answers; None where others are judged, and for an unknown one."""
    places = units.places(campaign, topic_id)
    unit = units.find(campaign, topic_id, unit_id) if places else None
    if unit is None or unit_id not in places or unit.sides:
        return None
    return AnswerUnit(
        unit,
        units.answer_of(campaign, topic_id, unit.run),
        pooled_units.read_of(campaign, topic_id, unit),
        places[unit_id].answers,
        tuple(_nuggets(campaign, topic_id, unit_id)) if about(campaign, topic_id) == NUGGETS else (),
    )


def _nuggets(campaign: Campaign, topic_id: str, unit_id: str) -> Iterator[OtherNugget]:
    """The nuggets that are asked about the answer of this unit."""
    places, found = units.places(campaign, topic_id), units.of_topic(campaign, topic_id)
    there = [each for each in pools.pooled_of_topic(campaign, topic_id) if each in places]
    beside = [each for each in {*there, unit_id} if places[each].group == places[unit_id].group]
    for each in sorted(beside, key=lambda each: places[each].place):
        yield OtherNugget(each, found.units[found.numbers[each]].text.partition("\n")[0], each == unit_id)


def _text_of(answer: Answer) -> str:
    return BETWEEN.join(sentence.text for sentence in answer.sentences)
