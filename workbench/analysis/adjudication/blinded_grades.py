"""What an adjudicator is shown of a pair: the grades of its assessors, without their names."""

from __future__ import annotations

from hashlib import sha256
from string import ascii_uppercase
from typing import NamedTuple

from workbench.analysis.adjudication.deciding import differ, newest_of
from workbench.campaign.assessing import Shown, show
from workbench.core.errors import NotThere
from workbench.core.records import Judgment, Rationale
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.grades import adjudications
from workbench.storage.campaign.grades.adjudications import Adjudication


class BlindedGrade(NamedTuple):
    """What one assessor says, under a letter. `grade` is None for one who could not tell.

    `own` says that it is the adjudicator's own judgment: the adjudicator should recognise their own judgment.
    """

    name: str
    grade: int | None
    comment: str
    rationales: tuple[Rationale, ...]
    own: bool


class Pair(NamedTuple):
    """A pair to be settled: `newest` is the newest row among the blinded grades, `before` the adjudication in force."""

    shown: Shown
    blinded_grades: tuple[BlindedGrade, ...]
    newest: int
    before: Adjudication | None


def pair_of(campaign: Campaign, topic_id: str, document_id: str, adjudicator: str) -> Pair:
    """One pair as an adjudicator sees it; NotThere for one that was never in conflict, or is in no pool."""
    with campaign.snapshot():
        own = adjudications.own_judgments(campaign, topic_id, document_id)
        before = adjudications.of_pair(campaign, topic_id, document_id)
        if before is None and not differ(own):
            message = f"the assessors of document {document_id!r} of topic {topic_id!r} do not disagree"
            raise NotThere(message)
        shown = show(campaign, topic_id, document_id, adjudicator)
    shuffled = sorted(own, key=_by_chance)
    blinded_grades = [
        BlindedGrade(
            letters(place), each.grade, each.comment, each.rationales, own=each.assessor == adjudicator
        )
        for place, each in enumerate(shuffled)
    ]
    return Pair(shown, tuple(blinded_grades), newest_of(own), before)


def _by_chance(judgment: Judgment) -> bytes:
    """An order that is the same whenever a pair is looked at, and another for every pair: A is not always the same."""
    key = "\0".join((judgment.topic_id, judgment.document_id, judgment.assessor))
    return sha256(key.encode("utf-8", "surrogatepass")).digest()


def letters(place: int) -> str:
    """A, B, ..., Z, AA, AB, ...: the name of the assessor at a place from 0."""
    rest, last = divmod(place, len(ascii_uppercase))
    return (letters(rest - 1) if rest else "") + ascii_uppercase[last]
