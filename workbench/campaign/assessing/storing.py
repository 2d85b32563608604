"""How a judgment gets into the log: once per uuid, and only if it matches what was served."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import NamedTuple

from workbench.campaign.assessing import repeats
from workbench.campaign.assessing.acceptance import kind_of_row
from workbench.campaign.assessing.pair_state import PairState, load
from workbench.campaign.assessing.submissions import Submission, check
from workbench.core.errors import JudgmentRefused, NotThere
from workbench.core.records import Judgment
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning import claims
from workbench.storage.campaign.collection import topic_withdrawals, topics
from workbench.storage.campaign.file.write_queue import group_commit
from workbench.storage.campaign.grades import judgments, off_record
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.people import bookmarks

WITHDRAWN = "the topic was withdrawn by an organiser: nothing more is judged here"


class Versions(NamedTuple):
    """The versions of what an assessor reads: the topic, and the guidelines; 0 where there are none."""

    topic: int = 0
    guidelines: int = 0


class Receipt(NamedTuple):
    """The judgment as it is stored now, or as it was given where it is a hidden repeat.

    `repeated` says that it had been stored before; `again` is a document of the topic that is due again since;
    `versions` are those in force, from which a page that loaded documents ahead learns of a change. `before` is the row
    of the log before this one that its assessor gave in the topic, if it is among their last ones and this is not of a
    norming session: one that the page does not know was given in another browser.
    """

    judgment: Judgment
    repeated: bool
    again: str | None = None
    versions: Versions = Versions()
    before: int | None = None


def judge(
    campaign: Campaign, submission: Submission, *, assessor: str, now: datetime | None = None
) -> Receipt:
    """Append a judgment to the log, once per uuid, if it matches what was served; it is put off no longer.

    Raises JudgmentRefused; its `reason` is `uuid taken`, `unknown pair`, `text changed`,
    `replaced elsewhere`, `bad grade`, `bad value`, `not yours`, `judged by another` or `topic closed`, or, where the
    same is taken a little later, `too many in a minute`.
    """
    check(submission)
    return group_commit(
        campaign, lambda shared: _store(shared, submission, assessor, now or datetime.now(UTC))
    )


def _store(campaign: Campaign, submission: Submission, assessor: str, now: datetime) -> Receipt:
    """Load, validate and write inside the write transaction, which judgments of others may share."""
    given = _judgment(submission, assessor, now)
    stored = judgments.by_uuid(campaign, submission.uuid)
    if stored is not None:
        return _repeated(campaign, stored, given)
    try:
        state = load(campaign, submission, assessor, now=now)
    except NotThere as error:
        if submission.topic_id in topic_withdrawals.withdrawn(campaign):
            raise JudgmentRefused("topic closed", WITHDRAWN) from error
        raise JudgmentRefused("unknown pair", str(error)) from error
    kind = kind_of_row(state, submission, assessor, now=now)
    row = given if kind == given.kind else off_record.off_record(given, kind)
    return _write(campaign, state, row, now)


def _repeated(campaign: Campaign, stored: Judgment, given: Judgment) -> Receipt:
    as_sent = given._replace(seq=stored.seq, received_at=stored.received_at)
    if as_sent != off_record.as_given(stored):
        raise JudgmentRefused(
            "uuid taken", "another judgment was stored under this uuid; nothing was changed"
        )
    topic = topics.find(campaign, given.topic_id)
    rules = settings.read(campaign)
    # The first answer may never have arrived.
    again = None if stored.kind == off_record.NORMING else repeats.newly_due(campaign, stored, rules)
    return Receipt(
        off_record.as_given(stored),
        repeated=True,
        again=again,
        versions=Versions(topic.version if topic else 0, rules.guideline_version),
        before=_before(campaign, stored),
    )


def _write(campaign: Campaign, state: PairState, row: Judgment, now: datetime) -> Receipt:
    """Append a row, and change what follows from it."""
    (judgment,) = log.append_judgments(campaign, [row])
    again = None
    if state.permit is not None:
        claim = state.permit.claim
        if claim is not None and claim.assessor == row.assessor:
            minutes = state.rules.lease_minutes
            claims.put(campaign, row.topic_id, row.assessor, now=now, minutes=minutes)
        bookmarks.remove(campaign, row.assessor, row.topic_id, row.document_id)
        again = repeats.newly_due(campaign, judgment, state.rules)
    versions = Versions(state.shown.topic_version, state.shown.guideline_version)
    return Receipt(
        off_record.as_given(judgment),
        repeated=False,
        again=again,
        versions=versions,
        before=_before(campaign, judgment),
    )


def _before(campaign: Campaign, row: Judgment) -> int | None:
    return None if row.kind == off_record.NORMING else judgments.row_before(campaign, row)


def _judgment(submission: Submission, assessor: str, now: datetime) -> Judgment:
    return Judgment(
        seq=0,
        received_at=log.timestamp(now),
        assessor=assessor,
        source="screen",
        **{name: value for name, value in submission._asdict().items() if name != "norming"},
    )
