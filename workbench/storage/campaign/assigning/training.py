"""What assessors do before they judge, as events of the log: guidelines read, examples, and the practice set.

No number follows from them: the grade of a practice answer is in an event and never among the judgments.
"""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from typing import NamedTuple

from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.log import kinds
from workbench.storage.campaign.log.erasable import id_of
from workbench.storage.campaign.log.log import Event, append_event
from workbench.storage.campaign.log.state import State, part

READ = kinds.GUIDELINES_READ
CHOSEN, REMOVED = kinds.TRAINING_PAIR, kinds.TRAINING_PAIR_REMOVED
ANSWERED, AGAIN = kinds.PRACTICE_ANSWER, kinds.PRACTICE_AGAIN

EXAMPLE, PRACTICE = "example", "practice"
USES = (EXAMPLE, PRACTICE)
"""What a training pair is for: it is shown with its grade and reason, or it is graded before these are shown."""


class TrainingPair(NamedTuple):
    """A pair that an organiser chose to train assessors with, its grade, and the reason for that grade."""

    topic_id: str
    document_id: str
    use: str
    grade: int
    reason: str


class Answer(NamedTuple):
    """The grade that an assessor gave a practice pair, beside that of the organiser then, at a row of the log."""

    topic_id: str
    document_id: str
    grade: int
    expected: int
    seq: int = 0


_PAIR = ("topic", "document", "use", "grade", "reason")
_ANSWER = ("topic", "document", "grade", "expected")
"""The fields of both as their events name them."""


def put_read(campaign: Campaign, assessor: str, version: int, *, now: datetime | None = None) -> int:
    """An assessor has read a version of the guidelines; inside the open write transaction."""
    return append_event(campaign.by(assessor, now), READ, {"version": version})


@part(READ, start=dict)
def _read(found: dict[str, int], event: Event) -> None:
    """The newest version of the guidelines that each person said to have read."""
    found[event.actor] = event.content["version"]


def read_version(campaign: Campaign, assessor: str) -> int | None:
    """The newest version of the guidelines that an assessor said to have read; None before the first."""
    read = _read(campaign)
    return read.get(id_of(campaign, assessor)) if read else None


def put_pair(campaign: Campaign, pair: TrainingPair) -> int:
    """Choose a pair, or give it another grade or reason; inside the open write transaction."""
    return append_event(campaign, CHOSEN, dict(zip(_PAIR, pair, strict=True)))


def remove_pair(campaign: Campaign, topic_id: str, document_id: str, use: str) -> int:
    """Choose a pair no longer; inside the open write transaction."""
    content = {"topic": topic_id, "document": document_id, "use": use}
    return append_event(campaign, REMOVED, content)


@part(CHOSEN, REMOVED, start=dict)
def _pairs(found: dict[tuple[str, str, str], TrainingPair], event: Event) -> None:
    """The pairs that are chosen, in the order in which they were chosen first."""
    content = event.content
    key = content["topic"], content["document"], content["use"]
    if event.kind == CHOSEN:
        found[key] = TrainingPair(*key, content["grade"], content["reason"])
    else:
        found.pop(key, None)


def pairs(campaign: Campaign, use: str) -> list[TrainingPair]:
    """The pairs chosen for a use, in the order in which they were chosen first."""
    return [pair for pair in _pairs(campaign).values() if pair.use == use]


def put_answer(campaign: Campaign, assessor: str, answer: Answer, *, now: datetime | None = None) -> int:
    """Keep an answer; inside the open write transaction."""
    return append_event(campaign.by(assessor, now), ANSWERED, dict(zip(_ANSWER, answer[:-1], strict=True)))


def begin_again(campaign: Campaign, assessor: str, *, now: datetime | None = None) -> int:
    """An assessor begins the practice set again; inside the open write transaction."""
    return append_event(campaign.by(assessor, now), AGAIN, {})


@part(ANSWERED, AGAIN, start=dict)
def _answers(found: dict[str, tuple[Answer | None, ...]], event: Event) -> None:
    """What each person answered, None where they began again."""
    answer = Answer._make([*map(event.content.get, _ANSWER), event.seq]) if event.kind == ANSWERED else None
    found[event.actor] = (*found.get(event.actor, ()), answer)


def attempts(campaign: Campaign, assessor: str) -> list[list[Answer]]:
    """An assessor's answers to the practice set, attempt by attempt; of a pair the first answer of each attempt."""
    found: list[dict[tuple[str, str], Answer]] = [{}]
    for answer in _answers(campaign).get(id_of(campaign, assessor), ()):
        if answer is None:
            found.append({})
        else:
            found[-1].setdefault((answer.topic_id, answer.document_id), answer)
    return [list(attempt.values()) for attempt in found]


def grades_answered(campaign: Campaign) -> Counter[int]:
    """How many answers to practice pairs hold each grade."""
    return Counter(answer.grade for given in _answers(campaign).values() for answer in given if answer)


def practised(campaign: Campaign) -> list[str]:
    """Who has answered a practice pair, by name in byte order."""
    state = State.of(campaign)
    return sorted(state.names[who] for who, answers in state[_answers].items() if any(answers))
