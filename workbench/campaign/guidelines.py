"""What assessors read before they judge: its versions, what changed between two of them, and who has read which."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from workbench.core.records import Grade, Question
from workbench.methods.text.differences import differences
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning import training
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.organising.settings import Settings

SAME, NEW, MISSING = "same", "new", "missing"


class Piece(NamedTuple):
    """A piece of the guidelines held against an earlier version: `kind` is SAME, NEW or MISSING."""

    kind: str
    text: str


class GradeChange(NamedTuple):
    """A grade that is another than before: None where it was not on the scale, or is not any more."""

    before: Grade | None
    after: Grade | None


class GuidelineChanges(NamedTuple):
    """What changed between two versions; no `pieces` where the text is the same, `questions` new or changed."""

    before: Settings
    after: Settings
    grades: tuple[GradeChange, ...]
    pieces: tuple[Piece, ...]
    questions: tuple[Question, ...] = ()

    @property
    def is_relevance_other(self) -> bool:
        """Whether another grade is the smallest relevant one."""
        return self.before.relevant_from != self.after.relevant_from


def changes_between(before: Settings, after: Settings) -> GuidelineChanges:
    """What assessors read now and not before, and the reverse; case, punctuation and blanks make no difference."""
    numbers = sorted({grade.grade for grade in (*before.grades, *after.grades)})
    old, new = ({grade.grade: grade for grade in each.grades} for each in (before, after))
    changed = [GradeChange(old.get(number), new.get(number)) for number in numbers]
    return GuidelineChanges(
        before,
        after,
        tuple(each for each in changed if each.before != each.after),
        tuple(_pieces(after.guidelines, before.guidelines)),
        tuple(each for each in after.questions if each not in before.questions),
    )


def _pieces(text: str, before: str) -> Iterator[Piece]:
    """The text with what it lacks of the one before, in its order; nothing where no word differs."""
    found = differences(text, before)
    at = 0
    for each in found:
        pieces = (
            Piece(SAME, text[at : each.start]),
            Piece(MISSING, before[each.before_start : each.before_end]),
            Piece(NEW, text[each.start : each.end]),
        )
        yield from (piece for piece in pieces if piece.text)
        at = each.end
    if found and text[at:]:
        yield Piece(SAME, text[at:])


def known_version(campaign: Campaign, assessor: str) -> int | None:
    """The version of the guidelines an assessor confirmed reading, or first judged under; None for neither."""
    read = training.read_version(campaign, assessor)
    return read if read is not None else settings.first_guideline_version(campaign, assessor)


def is_known(campaign: Campaign, assessor: str) -> bool:
    """Whether an assessor has read any version of the guidelines, or judged under one."""
    return known_version(campaign, assessor) is not None


def unread(campaign: Campaign, assessor: str, rules: Settings) -> int | None:
    """The older version that an assessor knows while a newer one is in force; None where there is nothing to tell."""
    known = known_version(campaign, assessor)
    return known if known is not None and known < rules.guideline_version else None


def note_read(campaign: Campaign, assessor: str, version: int, *, now: datetime | None = None) -> None:
    """Record that an assessor has read a version of the guidelines, once; a version that never was counts as none."""
    with campaign.write():
        if settings.had_version(campaign, version) and training.read_version(campaign, assessor) != version:
            training.put_read(campaign, assessor, version, now=now)
