"""Labels of which an answer chooses several: those that a topic offers, and answers from before some of them came.

They are rows of the question, or the topic's nuggets, numbered as the log first has their texts, whatever comes later.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from workbench.core.records import LABELS, MOST_LABELS, SAID_LATER, Grade, Judgment, Question
from workbench.storage.campaign.collection.question_topics import question_of, topic_of
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.file.schema import quoted
from workbench.storage.campaign.grades.current_judgments import OWN_KINDS
from workbench.storage.campaign.log import kinds
from workbench.storage.campaign.log.erasable import id_of
from workbench.storage.campaign.log.log import Event, select_judgments
from workbench.storage.campaign.log.state import part
from workbench.storage.campaign.organising import settings


class Offered(NamedTuple):
    """The labels of a topic.

    Attributes:
        question: whose answers the topic has.
        every, labels: all that were ever offered, as rows by their numbers, and those of them that are now.
        since: the row of the log by which the newest of the nuggets among them came; 0 for labels of the question.
        beyond: how many nuggets are not offered, since every number has been given.
    """

    question: Question
    every: tuple[Grade, ...]
    labels: tuple[Grade, ...]
    since: int = 0
    beyond: int = 0

    def named(self, chosen: int) -> list[str]:
        """What the labels of a set are called."""
        return [each.name for each in self.every if chosen >> (each.grade - 1) & 1]


@part(kinds.NUGGETS, start=dict)
def _parts(found: dict[str, tuple[tuple[str, ...], frozenset[str], int]], event: Event) -> None:
    """Of each topic the texts of nuggets as they came, those of its bank, and the row by which the newest came."""
    texts, before, since = found.get(event.content["topic"], ((), frozenset(), 0))
    bank = event.content["bank"].get("nuggets", ())
    now = [each["text"] for each in bank if each.get("text") and not each.get("proposed")]
    since = since if before.issuperset(now) else event.seq
    found[event.content["topic"]] = tuple(dict.fromkeys((*texts, *now))), frozenset(now), since


def offered(campaign: Campaign, topic_id: str) -> Offered | None:
    """The labels of a topic, now or as of a row of the log; None where an answer does not choose several."""
    name = question_of(campaign, topic_id)
    known = settings.read(campaign.asking("")).questions if name else ()
    asked = next((each for each in known if each.name == name and each.answered == LABELS), None)
    if asked is None or asked.labels:
        return asked and Offered(asked, asked.labels, asked.labels)
    texts, now, since = _parts(campaign).get(topic_of(campaign, topic_id), ((), frozenset[str](), 0))
    every = tuple(Grade(number, text) for number, text in enumerate(texts[:MOST_LABELS], start=1))
    there = tuple(each for each in every if each.name in now)
    return Offered(asked, every, there, since, len(now) - len(there))


def fault_of(judgment: Judgment, there: Offered | None) -> str:
    """What is wrong with the labels of a judgment, or with its grade beside them; "" where nothing is."""
    chosen, grade = judgment.chosen, judgment.grade
    if there is None or grade is None:
        return "" if chosen is None else "labels come with a grade, where several are chosen"
    if chosen is None or chosen & ~sum(1 << (each.grade - 1) for each in there.every):
        return f"the labels are not among the {len(there.every)} that there are"
    counted = there.question.counts_as(chosen.bit_count())
    return "" if grade == counted else f"so many labels count as grade {counted}, not {grade}"


def version(campaign: Campaign, topic_id: str, of_text: int = 0) -> int:
    """The version of what is shown of a topic: that of its text, or of its newest label."""
    found = offered(campaign, topic_id)
    return max(of_text, found.since if found else 0)


def stale(campaign: Campaign, topic_id: str, assessor: str | None = None) -> list[str]:
    """The documents graded here before a label came that is offered now, once per assessor; of one, repeats too."""
    found = offered(campaign, topic_id)
    if found is None or not found.since:
        return []
    rows = campaign.execute(
        f"""SELECT document, iif(kind = 'import', NULL, grade), coalesce(topic_version, seq), max(seq) FROM judgment
        WHERE topic = :topic AND seq <= :last AND (
            kind IN ({OWN_KINDS}) OR kind IN ({quoted(SAID_LATER)}) AND :who IS NOT NULL)
        AND assessor = coalesce(:who, assessor) GROUP BY document, assessor""",
        {"topic": topic_id, "last": campaign.up_to, "who": assessor and id_of(campaign, assessor)},
    )
    return [row[0] for row in rows if row[1] is not None and row[2] < found.since]


def wrong_labels(campaign: Campaign) -> Iterator[str]:
    """A sentence for each row of the log whose labels are none of its topic, or count as another grade."""
    for judgment in select_judgments(campaign, "WHERE chosen IS NOT NULL ORDER BY seq", []):
        if fault := fault_of(judgment, offered(campaign, judgment.topic_id)):
            yield f"judgment {judgment.seq}: {fault}"
