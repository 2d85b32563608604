"""How assessors begin: examples with reasons, and a practice set whose grades never count."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from workbench.campaign import guidelines
from workbench.campaign.campaign_settings import MOST_PRACTICE
from workbench.core.errors import AlreadyDone, CampaignError, NotThere
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning import training
from workbench.storage.campaign.assigning.training import EXAMPLE, PRACTICE, USES, Answer, TrainingPair
from workbench.storage.campaign.collection import documents, topics
from workbench.storage.campaign.grades import labels
from workbench.storage.campaign.log.kinds import LONGEST_REASON
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.people import members

MOST = {EXAMPLE: 5, PRACTICE: MOST_PRACTICE}
"""How many pairs each use takes."""


class Practice(NamedTuple):
    """Where an assessor is in the practice set: its pairs, the answers of the newest attempt, the next pair to grade,
    how many right answers are required (0 for none), and whether an attempt had them.
    """

    pairs: tuple[TrainingPair, ...]
    answers: tuple[Answer, ...]
    following: TrainingPair | None
    required: int
    is_passed: bool

    @property
    def right(self) -> int:
        """Right answers of the newest attempt."""
        return right_of(self.answers)

    @property
    def is_finished(self) -> bool:
        """Whether every pair of the set has an answer in the newest attempt."""
        return self.following is None


def right_of(answers: Sequence[Answer]) -> int:
    """How many answers have the grade that the organiser gave."""
    return sum(answer.grade == answer.expected for answer in answers)


def choose_pair(campaign: Campaign, pair: TrainingPair) -> None:
    """Use a judged pair as an example or for practice, or change its grade or reason; raises as `change_pairs`."""
    change_pairs(campaign, [pair], [])


def change_pairs(campaign: Campaign, chosen: Sequence[TrainingPair], dropped: Sequence[TrainingPair]) -> None:
    """Use some judged pairs, and others no longer: all of them, or nothing is stored.

    Raises:
        CampaignError: no reason, one that is too long, a grade that the scale lacks, one pair too many, or another use.
        NotThere: a pair is not judged, or the campaign has no text of its document.
        AlreadyDone: one that is to be dropped is not used so.
    """
    with campaign.write():
        for pair in dropped:
            _drop(campaign, pair)
        for pair in chosen:
            _put(campaign, pair)


def _put(campaign: Campaign, pair: TrainingPair) -> None:
    if pair.use not in USES:
        raise CampaignError(f"a pair is used as one of {', '.join(USES)}")
    reason = pair.reason.strip()
    if not reason or len(reason) > LONGEST_REASON:
        raise CampaignError(
            f"document {pair.document_id!r} of topic {pair.topic_id!r} has no reason of 1 to {LONGEST_REASON:,} "
            "characters: write why it has its grade, since assessors learn from the reason alone"
        )
    _check_grade(campaign, pair.grade)
    if labels.label_of(campaign, pair.topic_id, pair.document_id) is None:
        message = f"document {pair.document_id!r} is not judged for topic {pair.topic_id!r}; judge it first"
        raise NotThere(message)
    if documents.find(campaign, pair.document_id) is None:
        raise NotThere(f"{campaign.name} has no text of document {pair.document_id!r}")
    there = training.pairs(campaign, pair.use)
    is_new = all(each[:2] != pair[:2] for each in there)
    if is_new and len(there) >= MOST[pair.use]:
        raise CampaignError(f"there are {MOST[pair.use]} pairs for {pair.use} already; remove one first")
    training.put_pair(campaign, pair._replace(reason=reason))


def _check_grade(campaign: Campaign, grade: int) -> None:
    if grade not in {each.grade for each in settings.read(campaign).grades}:
        raise CampaignError(f"grade {grade} is not on the scale")


def remove_pair(campaign: Campaign, topic_id: str, document_id: str, use: str) -> None:
    """Use a pair no longer; AlreadyDone when it is not used so."""
    change_pairs(campaign, [], [TrainingPair(topic_id, document_id, use, 0, "")])


def _drop(campaign: Campaign, pair: TrainingPair) -> None:
    if all(each[:2] != pair[:2] for each in training.pairs(campaign, pair.use)):
        raise AlreadyDone(f"document {pair.document_id!r} of topic {pair.topic_id!r} is not used for this")
    training.remove_pair(campaign, pair.topic_id, pair.document_id, pair.use)


def examples(campaign: Campaign) -> list[TrainingPair]:
    """The examples that can be shown: those whose topic and text are there."""
    return _shown(campaign, EXAMPLE)


def practice(campaign: Campaign, assessor: str) -> Practice:
    """Where an assessor is in the practice set."""
    pairs = _shown(campaign, PRACTICE)
    there = {(pair.topic_id, pair.document_id) for pair in pairs}
    every = [
        [answer for answer in attempt if (answer.topic_id, answer.document_id) in there]
        for attempt in training.attempts(campaign, assessor)
    ]
    newest = every[-1]
    given = {(answer.topic_id, answer.document_id) for answer in newest}
    required = min(settings.read(campaign).practice_required, len(pairs))
    return Practice(
        tuple(pairs),
        tuple(newest),
        next((pair for pair in pairs if (pair.topic_id, pair.document_id) not in given), None),
        required,
        max(map(right_of, every)) >= required,
    )


def results(campaign: Campaign) -> dict[str, Practice]:
    """Where each assessor is who has begun the practice set, by name."""
    return {name: practice(campaign, name) for name in training.practised(campaign)}


def _shown(campaign: Campaign, use: str) -> list[TrainingPair]:
    ids = set(topics.topic_ids(campaign))
    return [
        pair
        for pair in training.pairs(campaign, use)
        if pair.topic_id in ids and documents.text_hash_of(campaign, pair.document_id) is not None
    ]


def answer(
    campaign: Campaign,
    assessor: str,
    topic_id: str,
    document_id: str,
    grade: int,
    *,
    now: datetime | None = None,
) -> Answer:
    """Answer a practice pair; of a pair the first answer of an attempt counts. It is no judgment.

    Raises NotThere for a pair that is not in the set, CampaignError for a grade that the scale lacks.
    """
    with campaign.write():
        pair = next(
            (each for each in _shown(campaign, PRACTICE) if each[:2] == (topic_id, document_id)), None
        )
        if pair is None:
            message = f"document {document_id!r} of topic {topic_id!r} is not in the practice set any more"
            raise NotThere(message)
        _check_grade(campaign, grade)
        before = training.attempts(campaign, assessor)[-1]
        for there in before:
            if (there.topic_id, there.document_id) == (topic_id, document_id):
                return there
        given = Answer(topic_id, document_id, grade, pair.grade)
        training.put_answer(campaign, assessor, given, now=now)
    return given


def practise_again(campaign: Campaign, assessor: str, *, now: datetime | None = None) -> None:
    """Begin the practice set again; what was answered stays in the log, and a result that sufficed still does."""
    with campaign.write():
        if training.attempts(campaign, assessor)[-1]:
            training.begin_again(campaign, assessor, now=now)


def first_step(campaign: Campaign, assessor: str) -> str:
    """What an assessor does before judging: "guidelines" where none were read, "practice" where a result is required
    that they do not have, else "". Organisers, who chose the set, do not practise.
    """
    if not guidelines.is_known(campaign, assessor) and (
        settings.read(campaign).guidelines or examples(campaign)
    ):
        return "guidelines"
    if members.role_of(campaign, assessor) == "organiser":
        return ""
    return "" if practice(campaign, assessor).is_passed else "practice"
