"""What an adjudicator is shown of a pair, the grades of its assessors without their names; and how an adjudication gets
into the log: once per uuid, by an adjudicator who saw every grade that it settles.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from string import ascii_uppercase
from typing import NamedTuple

from workbench.campaign import questions
from workbench.campaign.assessing import Receipt, Shown, check_pace, show
from workbench.campaign.assessing.showing import never_shown, shown_to_all
from workbench.campaign.assessing.storing import check_shown
from workbench.core.errors import JudgmentRefused, NotThere
from workbench.core.records import LONGEST_COMMENT, Judgment, Rationale
from workbench.core.values import LONE_SURROGATE
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection.question_topics import question_of
from workbench.storage.campaign.grades import adjudications, judgments
from workbench.storage.campaign.grades.adjudications import Adjudication
from workbench.storage.campaign.grades.chosen_labels import offered
from workbench.storage.campaign.grades.sources import ADJUDICATION
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings

SOURCE = "adjudication page"
OVERRULED = "overruled"
TAKEN = "another judgment was stored under this uuid; nothing was changed"


class Decision(NamedTuple):
    """An adjudication as the page sends it.

    Attributes:
        given: the judgment as far as its sender says it.
        newest: the largest `seq` of the assessors' own judgments that were shown.
        overrules: an organiser's grade in the place of any other, whether or not assessors disagree; it needs a
            comment.
    """

    given: Judgment
    newest: int
    overrules: bool = False


def adjudicate(campaign: Campaign, decision: Decision) -> Receipt:
    """Append an adjudication by the actor to the log, once per uuid, if it settles what the campaign holds now.

    Raises JudgmentRefused; its `reason` is `uuid taken`, `unknown pair`, `text changed`, `replaced elsewhere`
    (another adjudication, or another grade, came meanwhile), `no conflict`, `bad grade` or `bad value`.
    """
    _check_reason(decision)
    campaign = campaign.asking(question_of(campaign, decision.given.topic_id))
    row = decision.given._replace(
        received_at=log.timestamp(campaign.moment),
        assessor=campaign.actor,
        kind=ADJUDICATION,
        source=OVERRULED if decision.overrules else SOURCE,
    )
    with campaign.write():
        stored = judgments.by_uuid(campaign, row.uuid)
        if stored is not None:
            if row.at_place_of(stored) != stored:
                raise JudgmentRefused("uuid taken", TAKEN)
            return Receipt(stored, repeated=True)
        _check_shown(campaign, row)
        _check_pair(campaign, decision)
        check_pace(campaign, row, campaign.moment)
        (judgment,) = log.append_judgments(campaign, [row])
        questions.put_due(campaign, [(row.topic_id, row.document_id)])
    return Receipt(judgment, repeated=False)


def take_back(campaign: Campaign, seq: int, uuid: str) -> Receipt:
    """Append that the adjudication of a row is taken back, once per uuid, which leaves the conflict open as it was.

    Raises JudgmentRefused; its `reason` is `uuid taken`, `bad value`, or `replaced elsewhere` where that row is no
    adjudication in force.
    """
    with campaign.write():
        stored = judgments.by_uuid(campaign, uuid)
        if stored is not None:
            if (stored.replaces, stored.grade, stored.assessor) != (seq, None, campaign.actor):
                raise JudgmentRefused("uuid taken", TAKEN)
            return Receipt(stored, repeated=True)
        row = adjudications.row_at(campaign, seq)
        before = row and adjudications.of_pair(campaign, row.topic_id, row.document_id)
        if row is None or before is None or before.seq != seq:
            raise JudgmentRefused("replaced elsewhere", "this adjudication is no longer in force")
        undone = row.follows(
            uuid=uuid,
            received_at=log.timestamp(campaign.moment),
            assessor=campaign.actor,
            grade=None,
            replaces=seq,
            comment="",
        )
        check_pace(campaign, undone, campaign.moment)
        (judgment,) = log.append_judgments(campaign, [undone])
        questions.put_due(campaign, [(undone.topic_id, undone.document_id)])
    return Receipt(judgment, repeated=False)


def _check_reason(decision: Decision) -> None:
    reason = decision.given.comment
    if len(reason) > LONGEST_COMMENT:
        message = f"the reason has {len(reason):,} characters; shorten it to {LONGEST_COMMENT:,}"
        raise JudgmentRefused("bad value", message)
    if decision.overrules and not reason.strip():
        raise JudgmentRefused("bad value", "give the reason why the grade is overruled")
    if LONE_SURROGATE.search(reason):
        raise JudgmentRefused("bad value", "the reason holds half a character (a lone surrogate)")


def _check_shown(campaign: Campaign, row: Judgment) -> None:
    """What was shown is what the campaign holds; a text that is marked as broken since is still adjudicated."""
    try:
        shown = shown_to_all(campaign, row.topic_id, row.document_id, with_text=False)
    except NotThere as error:
        raise JudgmentRefused("unknown pair", str(error)) from error
    check_shown(shown._replace(is_broken=False), never_shown(campaign, row, shown), row)


def _check_pair(campaign: Campaign, decision: Decision) -> None:
    """The grades that were shown are those in force, and there is something to settle."""
    given = decision.given
    pair = given.topic_id, given.document_id
    before = adjudications.of_pair(campaign, *pair)
    if given.replaces != (before.seq if before else None):
        raise JudgmentRefused("replaced elsewhere", _elsewhere(before))
    own = adjudications.own_judgments(campaign, *pair)
    if decision.newest != newest_of(own):
        raise JudgmentRefused("replaced elsewhere", "an assessor judged this document again meanwhile")
    if before is None and not own and decision.overrules:
        raise JudgmentRefused("no conflict", "this document has no judgment to overrule; judge it instead")
    if before is None and not differ(own) and not decision.overrules:
        raise JudgmentRefused("no conflict", "the assessors of this document do not disagree")
    scale = [grade.grade for grade in settings.read(campaign).grades]
    if given.grade not in {*scale, *(judgment.grade for judgment in own)}:
        raise JudgmentRefused("bad grade", f"{given.grade} is not on the scale {scale}")


def newest_of(own: Sequence[Judgment]) -> int:
    """The newest row among the assessors' own judgments of a pair; 0 when there is none."""
    return max((judgment.seq for judgment in own), default=0)


def differ(own: Sequence[Judgment]) -> bool:
    """Whether these judgments hold different grades."""
    return len({judgment.grade for judgment in own if judgment.grade is not None}) > 1


def _elsewhere(before: Adjudication | None) -> str:
    if before is None:
        return "the adjudication that this one would replace was taken back meanwhile"
    return f"this document was adjudicated elsewhere meanwhile: grade {before.grade}"


class BlindedGrade(NamedTuple):
    """What one assessor says, under a letter, and its row of the log. `grade` is None for one who could not tell.

    `own` says that it is the adjudicator's own judgment: the adjudicator should recognise their own judgment. `labels`
    are those that were chosen of several; `left` is which of two things stood left for the assessor, first or second.
    """

    name: str
    grade: int | None
    comment: str
    rationales: tuple[Rationale, ...]
    own: bool
    seq: int
    labels: tuple[str, ...] = ()
    left: str | None = None


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
            raise NotThere(f"the assessors of document {document_id!r} of topic {topic_id!r} do not disagree")
        shown, there = show(campaign, topic_id, document_id, adjudicator), offered(campaign, topic_id)
    shuffled = sorted(own, key=_by_chance)
    blinded_grades = [
        BlindedGrade(
            letters(place),
            each.grade,
            each.comment,
            each.rationales,
            own=each.assessor == adjudicator,
            seq=each.seq,
            labels=tuple(there.named(each.chosen or 0)) if there else (),
            left=each.left,
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
