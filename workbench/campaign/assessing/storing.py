"""How a judgment gets into the log: once per uuid, and only if it matches what was served.

What the campaign holds of the pair is read once (`PairState`), inside the transaction that writes the judgment;
from it alone follows whether the judgment is taken, and as which kind of row (`kind_of_row`).
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Annotated, NamedTuple

from workbench.campaign import questions
from workbench.campaign.assessing import repeats
from workbench.campaign.assessing.norming import check_session, own_in_session, session_of
from workbench.campaign.assessing.permission import Permit, check_permit, permit_of
from workbench.campaign.assessing.showing import (
    OwnJudgments,
    Shown,
    Versions,
    left_for,
    never_shown,
    own_judgments,
    shown_to_all,
)
from workbench.core.about import DOCUMENTS
from workbench.core.errors import JudgmentRefused, NotThere
from workbench.core.records import NORMING, REMAPPED, REPEAT, SECOND_LOOK, Document, Judgment, Rationale
from workbench.core.results import Column
from workbench.core.wording import translatable as _
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning import claims
from workbench.storage.campaign.assigning.norming import Session
from workbench.storage.campaign.collection import pooled_units, pools, topic_withdrawals, topics, units
from workbench.storage.campaign.collection.question_topics import about, question_of
from workbench.storage.campaign.file.write_queue import group_commit
from workbench.storage.campaign.grades import judgments
from workbench.storage.campaign.grades.chosen_labels import Offered, fault_of, offered
from workbench.storage.campaign.grades.judgments import Earlier
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.organising.settings import Settings
from workbench.storage.campaign.people import bookmarks

WITHDRAWN = _("the topic was withdrawn by an organiser: nothing more is judged here")
BROKEN = _("an organiser marked the text of this document as broken; it can be judged once it is replaced")

MOST_ROWS = 30
"""How many rows of one pair one assessor can append within WINDOW: the log keeps every one of them for ever.

More are refused for the moment: the page sends them again until they are stored.
"""
WINDOW = timedelta(minutes=1)
TOO_MANY = "too many in a minute"


class Receipt(NamedTuple):
    """What became of a judgment that was sent.

    Attributes:
        judgment: the judgment as it is stored now, or as it was given where it is a hidden repeat.
        repeated: whether it had been stored before.
        again: a document of the topic that is to be judged again from now on.
        versions: those in force, from which a page that loaded documents ahead learns of a change.
        before: the row of the log before this one that its assessor gave in the topic, if it is among their last ones
            and this is not of a norming session: one that the page does not know was given in another browser.
    """

    judgment: Annotated[Judgment, Column(name="stored")]
    repeated: bool
    again: str | None = None
    versions: Versions = Versions()
    before: int | None = None


def judge(
    campaign: Campaign,
    submission: Judgment,
    *,
    assessor: str,
    norming: int | None = None,
    now: datetime | None = None,
) -> Receipt:
    """Append a judgment to the log, once per uuid, if it matches what was served; it is put off no longer.

    `submission` is what a client said, read as its fields are declared, a preference as shown (1 is the left side);
    `norming` the number of the norming session in which it is given, None outside of them.

    Raises JudgmentRefused; its `reason` is `uuid taken`, `unknown pair`, `text changed`,
    `replaced elsewhere`, `bad grade`, `bad value`, `not yours`, `judged by another` or `topic closed`, or, where the
    same is taken a little later, `too many in a minute`.
    """
    now = now or datetime.now(UTC)
    given = submission._replace(received_at=log.timestamp(now), assessor=assessor)
    return group_commit(campaign, lambda shared: _store(shared, given, norming, now))


def _store(campaign: Campaign, given: Judgment, norming: int | None, now: datetime) -> Receipt:
    """Load, validate and write inside the write transaction, which judgments of others may share."""
    campaign = campaign.asking(question_of(campaign, given.topic_id))
    stored = judgments.by_uuid(campaign, given.uuid)
    if stored is not None:
        return _repeated(campaign, stored, given)
    try:
        state = load(campaign, given, norming, now=now)
    except NotThere as error:
        if given.topic_id in topic_withdrawals.withdrawn(campaign):
            raise JudgmentRefused("topic closed", WITHDRAWN) from error
        raise JudgmentRefused("unknown pair", str(error)) from error
    kind = kind_of_row(state, given, now=now)
    return _write(campaign, state, given if kind == given.kind else given.off_record(kind), now)


def _repeated(campaign: Campaign, stored: Judgment, given: Judgment) -> Receipt:
    as_sent = given.at_place_of(stored)
    if as_sent != stored.as_given():
        raise JudgmentRefused(
            "uuid taken", _("another judgment was stored under this uuid; nothing was changed")
        )
    topic = topics.find(campaign, given.topic_id)
    rules = settings.read(campaign)
    # The first answer may never have arrived.
    return Receipt(
        as_sent,
        repeated=True,
        again=_newly_due(campaign, stored, rules),
        versions=Versions.of(campaign, topic, rules),
        before=_in_topic(stored, _earlier(campaign, stored)),
    )


def _write(campaign: Campaign, state: PairState, row: Judgment, now: datetime) -> Receipt:
    if state.permit is not None:
        bookmarks.remove(campaign, row.assessor, row.topic_id, row.document_id)
    (judgment,) = log.append_judgments(campaign, [row.turned()])
    if state.rules.questions:
        questions.put_due(campaign, [(row.topic_id, row.document_id)])
    claim = state.permit.claim if state.permit else None
    if claim is not None and claim.assessor == row.assessor:
        minutes = state.rules.lease_minutes
        claims.put(campaign, row.topic_id, row.assessor, now=now, minutes=minutes)
    return Receipt(
        judgment.as_given(),
        repeated=False,
        again=_newly_due(campaign, judgment, state.rules),
        versions=state.shown.versions,
        before=_in_topic(row, state.earlier),
    )


def _newly_due(campaign: Campaign, judgment: Judgment, rules: Settings) -> str | None:
    if judgment.kind == NORMING or not rules.repeat_share:
        return None
    return repeats.newly_due(campaign, judgment, rules)


def _earlier(campaign: Campaign, judgment: Judgment) -> Earlier:
    return judgments.earlier(campaign, judgment, back=MOST_ROWS)


def _in_topic(row: Judgment, earlier: Earlier) -> int | None:
    return None if row.kind == NORMING else earlier.in_topic


class PairState(NamedTuple):
    """The state of a pair for one submission of one assessor.

    Attributes:
        rules: the campaign's settings.
        shown: the pair as it is shown, with its document only where the submission quotes it: of a unit of an answer
            that is what is read to judge it.
        own: the assessor's own judgments of it; in a norming session those given there.
        never_shown: why what the submission names was never shown so (`showing.never_shown`).
        twin_is_pooled: whether the document whose grade is taken over is another pooled one of the topic.
        earlier: of the assessor's rows, the one before this one, and the one that bounds the pace.
        session: the norming session of the submission; None outside of them.
        permit: what decides whether the assessor may judge the pair; None in a norming session.
        offered: the labels of which an answer chooses several; None where it does not.
    """

    rules: Settings
    shown: Shown
    own: OwnJudgments
    never_shown: str
    twin_is_pooled: bool
    earlier: Earlier
    session: Session | None
    permit: Permit | None
    offered: Offered | None = None


def load(campaign: Campaign, submission: Judgment, norming: int | None, *, now: datetime) -> PairState:
    """The state of a submission's pair, inside its write transaction; NotThere for no pooled pair, or session."""
    pair, assessor = (submission.topic_id, submission.document_id), submission.assessor
    rules = settings.read(campaign)
    shown = shown_to_all(campaign, *pair, with_text=bool(submission.rationales))
    if submission.rationales and about(campaign, pair[0]) != DOCUMENTS:
        unit = units.find(campaign, *pair)
        shown = shown._replace(document=unit and pooled_units.read_of(campaign, pair[0], unit))
    shown = shown._replace(left=left_for(campaign, shown, pair[1], assessor))
    if norming is None:
        session, own = None, own_judgments(campaign, *pair, assessor)
    else:
        session = session_of(campaign, norming)
        own = OwnJudgments(own_in_session(campaign, session, pair[1], assessor))
    twin = submission.same_as
    return PairState(
        rules=rules,
        shown=shown,
        own=own,
        never_shown=never_shown(campaign, submission, shown),
        twin_is_pooled=twin not in (None, pair[1]) and pools.pool_of(campaign, pair[0], twin) is not None,
        earlier=_earlier(campaign, submission),
        session=session,
        permit=None if session else permit_of(campaign, submission, rules, now),
        offered=offered(campaign, pair[0]),
    )


def kind_of_row(state: PairState, submission: Judgment, *, now: datetime) -> str:
    """A submission's kind of row: its own, `repeat`, `second look` or `norming`; JudgmentRefused if it cannot be."""
    if not submission.has_its_grade():
        raise JudgmentRefused("bad value", "send a grade with the kind 'grade', and only with that")
    check_shown(state.shown, state.never_shown, submission)
    own, is_first = state.own, submission.replaces is None
    # What comes due while its assessor has it before their eyes is still corrected.
    replaced = own.counting if own.seen is None and not is_first else own.seen
    if submission.replaces != (replaced.seq if replaced else None):
        raise JudgmentRefused("replaced elsewhere", _elsewhere(own.seen))
    if submission.kind == "cleared" and (replaced is None or replaced.kind == "cleared"):
        raise JudgmentRefused("bad value", _("there is no judgment of yours to clear"))
    check_quoted(state.shown.document, state.rules, submission.rationales)
    _check_grade(state, submission)
    _check_pace(state.earlier, now)
    if state.session is not None:
        check_session(state.session, submission.topic_id, submission.document_id)
        return NORMING
    if state.permit is not None:
        check_permit(state.permit, state.rules, submission.assessor)
    # Where nothing of theirs counts any more, the pair waits for a judgment that does.
    stands = own.counting is not None and own.counting.kind != "cleared"
    if own.is_shown and stands and state.rules.second_looks == "never":
        return SECOND_LOOK
    # Of a pair that they have judged, they see nothing only while it is due.
    is_repeat = own.counting is not None if is_first else own.has_repeat
    return REPEAT if is_repeat else submission.kind


def check_shown(shown: Shown, never_shown: str, submission: Judgment) -> None:
    """Refuse a judgment whose proof of what was shown is not that of the pair; JudgmentRefused says what differs."""
    if submission.pool != shown.pool:
        raise JudgmentRefused("unknown pair", f"the pair came from pool {shown.pool}, not {submission.pool}")
    if shown.text_hash is None:
        raise JudgmentRefused("text changed", _("the campaign has no text of this document to be judged by"))
    if submission.text_hash != shown.text_hash:
        raise JudgmentRefused("text changed", _("the text changed after it was opened; read it again"))
    if shown.is_broken:
        raise JudgmentRefused("text changed", BROKEN)
    if submission.left != shown.left:
        message = (
            f"{shown.left or 'nothing'} stood on the left, not {submission.left or 'nothing'}; open it again"
        )
        raise JudgmentRefused("text changed", message)
    if never_shown:
        raise JudgmentRefused("text changed", never_shown)


def check_quoted(document: Document | None, rules: Settings, quoted: Iterable[Rationale]) -> None:
    """What is kept of a plain text must be there; the words of a page and of formulas depend on how these are shown."""
    exact = ("text/plain", "text/x-code") if rules.formulas == "off" else ("text/x-code",)
    is_plain = document is not None and document.media_type in exact
    for field, start, end, text in quoted:
        stored = {"title": document.title, "text": document.text}[field] if document else ""
        # No page can hold a NUL: another character is in its place.
        if (field == "title" or is_plain) and stored[start:end].replace("\0", "\ufffd") != text:
            raise JudgmentRefused(
                "bad value", f"the {field} of the document has other words from {start} to {end}"
            )


def _check_grade(state: PairState, submission: Judgment) -> None:
    """A grade is on the scale; one taken over is of any other document of the topic: near duplicates change."""
    twin, scale = submission.same_as, [grade.grade for grade in state.rules.grades]
    if twin is not None and not state.twin_is_pooled:
        raise JudgmentRefused("bad value", f"{twin!r} is not another document pooled for this topic")
    if submission.grade is not None and submission.grade not in scale:
        raise JudgmentRefused("bad grade", f"{submission.grade} is not on the scale {scale}")
    if fault := fault_of(submission, state.offered):
        raise JudgmentRefused("bad grade", fault)


def _elsewhere(seen: Judgment | None) -> str:
    if seen is None:
        return "there is no judgment of yours that this one could replace"
    what = seen.kind if seen.grade is None else f"grade {seen.grade}"
    if seen.source == REMAPPED:
        return f"the scale changed after it was shown; your judgment is now {what}"
    return f"you judged this document elsewhere meanwhile: {what}"


def check_pace(campaign: Campaign, row: Judgment, now: datetime | None = None) -> None:
    """Refuse the row of a pair with MOST_ROWS within WINDOW, in the write transaction: JudgmentRefused TOO_MANY."""
    _check_pace(_earlier(campaign, row), now or datetime.now(UTC))


def _check_pace(earlier: Earlier, now: datetime) -> None:
    """Rows that a clock which was put back has in the future do not count."""
    bound = earlier.of_pair and datetime.fromisoformat(earlier.of_pair)
    if bound and timedelta(0) <= now - bound < WINDOW:
        message = (
            f"you judged this document {MOST_ROWS} times within a minute; send this one again a little later"
        )
        raise JudgmentRefused(TOO_MANY, message)
