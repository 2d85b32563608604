"""Whether a submission is taken, from the state of its pair alone, and as which kind of row."""

from __future__ import annotations

from datetime import datetime

from workbench.campaign.assessing import in_norming
from workbench.campaign.assessing import rate_limit as pace
from workbench.campaign.assessing.pair_state import PairState
from workbench.campaign.assessing.permission import check_permit
from workbench.campaign.assessing.submissions import Submission
from workbench.core.errors import JudgmentRefused
from workbench.core.records import Judgment
from workbench.storage.campaign.grades.off_record import NORMING, REPEAT

BROKEN = "an organiser marked the text of this document as broken; it can be judged once it is replaced"


def kind_of_row(state: PairState, submission: Submission, assessor: str, *, now: datetime) -> str:
    """The kind of row as which a submission is stored: its own, `repeat` or `norming`.

    Raises JudgmentRefused for what does not fit to the state, or may not be judged now.
    """
    _check_shown(state, submission)
    replaced = _replaced(state, submission)
    if submission.replaces != (replaced.seq if replaced else None):
        raise JudgmentRefused("replaced elsewhere", _elsewhere(state.own.seen))
    if submission.kind == "cleared" and (replaced is None or replaced.kind == "cleared"):
        raise JudgmentRefused("bad value", "there is no judgment of yours to clear")
    _check_quoted(state, submission)
    _check_grade(state, submission)
    pace.refuse_haste(state.earlier, now)
    if state.session is not None:
        in_norming.check_session(state.session, submission.topic_id, submission.document_id)
        return NORMING
    if state.permit is not None:
        check_permit(state.permit, state.rules, assessor)
    return REPEAT if _is_repeat(state, submission) else submission.kind


def _check_shown(state: PairState, submission: Submission) -> None:
    shown = state.shown
    if submission.pool != shown.pool:
        raise JudgmentRefused("unknown pair", f"the pair came from pool {shown.pool}, not {submission.pool}")
    if shown.text_hash is None:
        raise JudgmentRefused("text changed", "the campaign has no text of this document to be judged by")
    if submission.text_hash != shown.text_hash:
        raise JudgmentRefused("text changed", "the text changed after it was opened; read it again")
    if shown.is_broken:
        raise JudgmentRefused("text changed", BROKEN)
    if not state.had_topic_version:
        raise JudgmentRefused("text changed", "the topic was never shown in this version")
    if not state.had_guideline_version:
        raise JudgmentRefused("text changed", "the guidelines were never shown in this version")


def _replaced(state: PairState, submission: Submission) -> Judgment | None:
    """The judgment that a submission has to replace: the one that its assessor sees, or the first one of a pair that
    came due while they had it before their eyes.
    """
    if state.own.seen is None and submission.replaces is not None:
        return state.own.counting
    return state.own.seen


def _is_repeat(state: PairState, submission: Submission) -> bool:
    if submission.replaces is None:  # of a pair that they have judged, they see nothing only while it is due
        return state.own.counting is not None
    return state.own.has_repeat


def _check_quoted(state: PairState, submission: Submission) -> None:
    """What is kept of a plain text must be there; the words of a page and of formulas depend on how these are shown."""
    document = state.shown.document
    exact = ("text/plain", "text/x-code") if state.rules.formulas == "off" else ("text/x-code",)
    is_plain = document is not None and document.media_type in exact
    for field, start, end, text in submission.rationales:
        stored = {"title": document.title, "text": document.text}[field] if document else ""
        # No page can hold a NUL: another character is in its place.
        if (field == "title" or is_plain) and stored[start:end].replace("\0", "\ufffd") != text:
            raise JudgmentRefused(
                "bad value", f"the {field} of the document has other words from {start} to {end}"
            )


def _check_grade(state: PairState, submission: Submission) -> None:
    """A grade is on the scale; one that is taken over comes from another document of the topic, whose near duplicates
    change with texts.
    """
    twin, scale = submission.same_as, [grade.grade for grade in state.rules.grades]
    if twin is not None and not state.twin_is_pooled:
        raise JudgmentRefused("bad value", f"{twin!r} is no other document that is pooled for this topic")
    if submission.grade is not None and submission.grade not in scale:
        raise JudgmentRefused("bad grade", f"{submission.grade} is not on the scale {scale}")


def _elsewhere(seen: Judgment | None) -> str:
    if seen is None:
        return "there is no judgment of yours that this one could replace"
    what = seen.kind if seen.grade is None else f"grade {seen.grade}"
    return f"you judged this document elsewhere meanwhile: {what}"
