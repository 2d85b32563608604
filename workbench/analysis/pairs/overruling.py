"""An organiser's grade in place of any other grade of a pair, with the reason."""

from __future__ import annotations

from datetime import datetime
from uuid import uuid4

from workbench.analysis.adjudication.deciding import Decision, adjudicate
from workbench.analysis.pairs.record import PairRecord, pair_record
from workbench.campaign.assessing import Receipt
from workbench.core.errors import CampaignError, JudgmentRefused
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.grades.label_rules import ADJUDICATED, NEWEST
from workbench.storage.campaign.organising import settings


def cannot_overrule(record: PairRecord) -> str:
    """Why no grade of a pair can be overruled now, "" if one can."""
    if not record.own_judgments and record.adjudication is None:
        return "this document has no judgment to overrule; judge it instead"
    if record.text_hash is None:
        return "the campaign has no text of this document by which it could be judged; add it first"
    if record.pool is None:
        return "this document is in no pool of the topic; pool it first, on the page Search"
    return ""


def counts_by(rule: str) -> str:
    """What an overruled grade means for the label, by a rule."""
    if rule == ADJUDICATED:
        return "By the campaign’s label rule it counts before all others."
    if rule == NEWEST:
        return "By the campaign’s label rule, newest, it counts until the document is judged again."
    return (
        f"The campaign’s label rule is {rule}, which looks at the assessors’ own grades: it counts once the rule is "
        f"“{ADJUDICATED}”."
    )


def overrule(
    campaign: Campaign,
    topic_id: str,
    document_id: str,
    grade: int,
    *,
    reason: str,
    expected: int | None = None,
    actor: str,
    now: datetime | None = None,
) -> Receipt:
    """Overrule the grade of a pair as it stands now.

    Args:
        campaign: an open campaign.
        topic_id, document_id: the pair.
        grade: the new grade.
        reason: why; it is stored with the grade.
        expected: the label that is to be overruled; None for any.
        actor: the organiser.
        now: the time to record.

    Raises:
        NotThere: no run, pool or judgment has the pair.
        CampaignError: it has another label than expected, or cannot be overruled.
        JudgmentRefused: as in `adjudicate`: what has changed meanwhile, a grade off the scale, no reason.
    """
    record = pair_record(campaign, topic_id, document_id)
    if expected is not None and record.label != expected:
        found = "no grade" if record.label is None else f"the grade {record.label}"
        message = f"document {document_id!r} of topic {topic_id!r} has {found} now, not {expected}; nothing was stored"
        raise CampaignError(message)
    if why := cannot_overrule(record):
        raise JudgmentRefused("bad value", why)
    decision = Decision(
        uuid=str(uuid4()),
        topic_id=topic_id,
        document_id=document_id,
        pool=record.pool or 0,
        text_hash=record.text_hash or "",
        topic_version=record.stored.version,
        guideline_version=settings.read(campaign).guideline_version,
        newest=record.newest,
        grade=grade,
        replaces=record.adjudication.seq if record.adjudication else None,
        comment=reason,
        overrules=True,
    )
    return adjudicate(campaign, decision, adjudicator=actor, now=now)
