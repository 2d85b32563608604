"""How a judgment gets into the log: once per uuid, and only if it matches what was served."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from workbench.campaign import Campaign, bookmarks, judgments, log, off_record, pools, settings, topics
from workbench.campaign.turns import together
from workbench.errors import JudgmentRefused, NotThere
from workbench.judging import in_norming, repeats
from workbench.judging.permission import check_may_judge
from workbench.judging.showing import Shown, show
from workbench.judging.submissions import Submission, check
from workbench.records import Judgment


class Receipt(NamedTuple):
    """The judgment as it is stored now, or as it was given where it is a hidden repeat.

    `repeated` says that it had been stored before; `again` is a document of the topic that is due again since.
    """

    judgment: Judgment
    repeated: bool
    again: str | None = None


def judge(
    campaign: Campaign, submission: Submission, *, assessor: str, now: datetime | None = None
) -> Receipt:
    """Append a judgment to the log, once per uuid, if it matches what was served; it is put off no longer.

    Raises JudgmentRefused; its `reason` is `uuid taken`, `unknown pair`, `text changed`,
    `replaced elsewhere`, `bad grade`, `bad value`, `not yours`, `judged by another` or `topic closed`.
    """
    check(submission)
    return together(campaign, lambda shared: _store(shared, submission, assessor, now))


def _store(campaign: Campaign, submission: Submission, assessor: str, now: datetime | None) -> Receipt:
    """Check and append inside the write transaction, which judgments of others may share."""
    stored = judgments.by_uuid(campaign, submission.uuid)
    if stored is not None:
        return _repeated(stored, submission, assessor)
    _check_matches(campaign, submission, assessor)
    given = _judgment(submission, assessor, now)
    if submission.norming is not None:
        return _store_norming(campaign, submission, given)
    check_may_judge(campaign, submission.topic_id, submission.document_id, assessor, now=now)
    (judgment,) = log.append_judgments(campaign, [repeats.as_stored(campaign, given)])
    bookmarks.remove(campaign, assessor, submission.topic_id, submission.document_id)
    again = repeats.came_due(campaign, judgment)
    return Receipt(off_record.as_given(judgment), repeated=False, again=again)


def _store_norming(campaign: Campaign, submission: Submission, given: Judgment) -> Receipt:
    """Append a judgment of a norming session, to which it belongs by its place in the log."""
    in_norming.check_session(campaign, submission.norming or 0, submission.topic_id, submission.document_id)
    (judgment,) = log.append_judgments(campaign, [off_record.off_record(given, off_record.NORMING)])
    return Receipt(off_record.as_given(judgment), repeated=False)


def _repeated(stored: Judgment, submission: Submission, assessor: str) -> Receipt:
    again = _judgment(submission, assessor, None)._replace(seq=stored.seq, received_at=stored.received_at)
    if again != off_record.as_given(stored):
        raise JudgmentRefused(
            "uuid taken", "another judgment was stored under this uuid; nothing was changed"
        )
    return Receipt(off_record.as_given(stored), repeated=True)


def _check_matches(campaign: Campaign, submission: Submission, assessor: str) -> None:
    """Refuse what does not fit to what the campaign holds; called inside the write transaction."""
    shown = _shown_or_refused(campaign, submission, assessor)
    if submission.pool != shown.pool:
        raise JudgmentRefused("unknown pair", f"the pair came from pool {shown.pool}, not {submission.pool}")
    if shown.text_hash is None:
        raise JudgmentRefused("text changed", "the campaign has no text of this document to be judged by")
    if submission.text_hash != shown.text_hash:
        raise JudgmentRefused("text changed", "the text shown is not the text that the campaign holds")
    _check_versions(campaign, submission, shown)
    mine = repeats.replaced_by(campaign, submission, assessor, shown.mine)
    if submission.replaces != (mine.seq if mine else None):
        raise JudgmentRefused("replaced elsewhere", _elsewhere(shown.mine))
    if submission.kind == "cleared" and (mine is None or mine.kind == "cleared"):
        raise JudgmentRefused("bad value", "there is no judgment of yours to clear")
    _check_quoted(submission, shown)
    _check_twin(campaign, submission)
    scale = [grade.grade for grade in settings.read(campaign).grades]
    if submission.grade is not None and submission.grade not in scale:
        raise JudgmentRefused("bad grade", f"{submission.grade} is not on the scale {scale}")


def _check_versions(campaign: Campaign, submission: Submission, shown: Shown) -> None:
    """A text that is not the one in force must have been; the log is read through only for such a one."""
    topic_id, version, guidelines = (
        submission.topic_id,
        submission.topic_version,
        submission.guideline_version,
    )
    if version != shown.topic_version and not topics.had_version(campaign, topic_id, version):
        raise JudgmentRefused("text changed", "the topic was never shown in this version")
    if guidelines != shown.guideline_version and not settings.had_version(campaign, guidelines):
        raise JudgmentRefused("text changed", "the guidelines were never shown in this version")


def _check_twin(campaign: Campaign, submission: Submission) -> None:
    """A grade is taken over from another document of the topic; which ones are near duplicates changes with texts."""
    twin = submission.same_as
    if twin is None:
        return
    if twin == submission.document_id or pools.pool_of(campaign, submission.topic_id, twin) is None:
        raise JudgmentRefused("bad value", f"{twin!r} is no other document that is pooled for this topic")


def _check_quoted(submission: Submission, shown: Shown) -> None:
    """What is kept of a plain text must stand there; the words of a page depend on how it is shown."""
    document = shown.document
    for field, start, end, text in submission.rationales:
        stored = {"title": document.title, "text": document.text}[field] if document else ""
        is_exact = field == "title" or (document is not None and document.media_type == "text/plain")
        # No page can hold a NUL: another character stands in its place.
        if is_exact and stored[start:end].replace("\0", "\ufffd") != text:
            raise JudgmentRefused(
                "bad value", f"the {field} of the document has other words from {start} to {end}"
            )


def _shown_or_refused(campaign: Campaign, submission: Submission, assessor: str) -> Shown:
    try:
        pair, with_text = (submission.topic_id, submission.document_id), bool(submission.rationales)
        return show(campaign, *pair, assessor, with_text=with_text, norming=submission.norming)
    except NotThere as error:
        raise JudgmentRefused("unknown pair", str(error)) from error


def _elsewhere(mine: Judgment | None) -> str:
    if mine is None:
        return "there is no judgment of yours that this one could replace"
    what = mine.kind if mine.grade is None else f"grade {mine.grade}"
    return f"you judged this document elsewhere meanwhile: {what}"


def _judgment(submission: Submission, assessor: str, now: datetime | None) -> Judgment:
    return Judgment(
        seq=0,
        received_at=log.timestamp(now),
        assessor=assessor,
        source="screen",
        **{name: value for name, value in submission._asdict().items() if name != "norming"},
    )
