"""Single pairs for organisers: one with all that is known of it, and those of a topic with their judgments.

These pages name who said what and which run has a document at which rank, so no assessor or adjudicator opens them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any
from uuid import uuid4

from flask import abort, g, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from workbench.analysis.adjudication.deciding import adjudicate, differ, take_back
from workbench.analysis.pairs.of_topic import REASONS, JudgedPair, pairs_of_topic
from workbench.analysis.pairs.overruling import LogRow, PairRecord, cannot_overrule, counts_by, pair_record
from workbench.campaign import assigning
from workbench.campaign.assigning import Requested
from workbench.campaign.content_changes import mark_broken, mark_not_broken
from workbench.core.errors import REFUSED, AlreadyDone, JudgmentRefused, WorkbenchError
from workbench.core.natural_order import natural
from workbench.core.parameters import Limits
from workbench.core.records import LONGEST_COMMENT, REMAPPED
from workbench.core.wording import capital, counted, listed
from workbench.storage.campaign.collection import documents, topics
from workbench.storage.campaign.grades import off_record
from workbench.storage.campaign.log import log
from workbench.storage.campaign.log.kinds import LONGEST_REASON
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.organising.settings import Settings
from workbench.storage.campaign.people import members
from workbench.web.access.rules import ORGANISERS, Pages
from workbench.web.agreement import decision_form
from workbench.web.judging.given import buttons_of, given_buttons
from workbench.web.judging.submissions import check_log
from workbench.web.requests.answers import say, status_of
from workbench.web.requests.form_fields import Changes, DocumentId, Reason, Row, Ticked, TopicId
from workbench.web.requests.lists import Choice, Column, Filter, Listing, list_address

KINDS = {
    "grade": "Judged",
    "can't tell": "Judged: can’t tell",
    "cleared": "Judgment cleared",
    "import": "Imported",
    "model": "Model label",
    "repeat": "Hidden repeat",
    "second look": "Second look",
    "norming": "Norming session",
    "adjudication": "Adjudicated",
    "adjudication undone": "Adjudication undone",
    "overruled": "Overruled",
    "judging again": "To be judged again",
    "judging again taken back": "No longer to be judged again",
    "broken document": "Text marked as broken",
    "document not broken": "Text no longer marked as broken",
    "changed texts": "Text replaced",
    REMAPPED: "On the new scale",
    f"cleared, {REMAPPED}": "Cleared: asked again on the new scale",
}
"""What pages call a row of the log, by its kind."""


def words_of(row: LogRow) -> str:
    """What a row of the log about a pair says happened."""
    words = KINDS.get(row.kind, row.kind)
    return f"{words} by {listed(row.names)}" if row.names else words


def sentence(found: PairRecord, grade_name: str) -> str:
    """Where a pair stands; `grade_name` is what its label is called, "" without one."""
    if not found.own_judgments and found.adjudication is None and found.label is None:
        return "Not judged yet." if found.pool is not None else "Neither pooled nor judged."
    if found.label is None:
        return "Judged, without a grade: can’t tell."
    counts = f"Counts as {grade_name}, by the label rule {found.rule}"
    if found.adjudication is not None:
        return f"{counts}; adjudicated as of {found.adjudication.received_at[:10]}."
    if differ(found.own_judgments):
        return f"{counts}; {counted(len(found.own_judgments), 'assessor')} gave different grades."
    return f"{counts}."


CHANGES = Changes()
"""What the forms of a pair's page do."""
Assessor = Annotated[str, Limits("the name of an assessor")]
Log = Annotated[str, Limits("the campaign’s log: the hash of its first row")]
Uuid = Annotated[str, Limits("a UUID under which this is stored once")]

blueprint = Pages("pairs", __name__)

SIZE = 50
"""Pairs of a page: each shows the grades of all its assessors."""


@blueprint.get("/c/<campaign>/pair", allow=ORGANISERS)
def page(campaign: str) -> ResponseReturnValue:
    """The pair of `?topic=&document=`, or of the log's `?row=`: text, runs, judgments, log, and possible actions."""
    if "row" in request.args:
        found = off_record.pair_at(g.campaign, decision_form.integer(request.args["row"], "row"))
        if found is None:
            abort(404, "This row of the log is not a judgment.")
        return redirect(url_for(".page", campaign=campaign, topic=found[0], document=found[1]))
    return _pair(request.args.get("topic", ""), request.args.get("document", ""))


@blueprint.post("/c/<campaign>/pair", allow=ORGANISERS, does=CHANGES)
def change(campaign: str, *, topic: TopicId, document: DocumentId, log: Log) -> ResponseReturnValue:
    """Do what the form's `do` says with its pair."""
    topic_id, document_id = topic, document
    try:
        check_log(log)
        CHANGES.chosen()(topic_id, document_id)
    except JudgmentRefused as error:
        return _pair(topic_id, document_id, str(error), status_of(error))
    except AlreadyDone as error:
        return _pair(topic_id, document_id, str(error), 409)
    except REFUSED as error:
        return _pair(topic_id, document_id, str(error), 422)
    say("Done; the log has who, when and why.")
    return redirect(url_for(".page", campaign=campaign, topic=topic_id, document=document_id), 303)


@blueprint.get("/c/<campaign>/judgments", allow=ORGANISERS)
def of_topic(campaign: str) -> ResponseReturnValue:
    """The pairs of `?topic=` with their judgments; `?look=` those that deserve a second look, and why."""
    return _of_topic(request.args.get("topic", ""))


@blueprint.post("/c/<campaign>/judgments", allow=ORGANISERS)
def hand_out(
    campaign: str, *, topic: TopicId, documents: Ticked = (), by: Assessor = "", reason: Reason = ""
) -> ResponseReturnValue:
    """Have the ticked pairs of a topic judged again, by the assessor of the form or by the one who is free."""
    topic_id = topic
    rules = settings.read(g.campaign)
    try:
        found = pairs_of_topic(g.campaign, topic_id)
        list_of = listing(rules, found.pairs)
        chosen = list_of.chosen(found.pairs, request.form, documents)
        again(topic_id, *chosen, by=by, reason=reason)
    except AlreadyDone as error:
        return _of_topic(topic_id, error, 409)
    except REFUSED as error:
        return _of_topic(topic_id, error, 422)
    say(f"{counted(len(chosen), 'pair')} to be judged again.")
    came_from = list_address(request.form)
    kept: dict[str, Any] = {word: came_from[word] for word in list_of.words() if word in came_from}
    return redirect(url_for(".of_topic", campaign=campaign, topic=topic_id, **kept), 303)


def listing(rules: Settings, found: tuple[JudgedPair, ...]) -> Listing[JudgedPair]:
    """What the list of a topic's pairs is: its filters have the grades of the scale, and who judged."""
    names = sorted({row.assessor for pair in found for row in pair.own_judgments}, key=natural)
    grades = sorted(
        {*(grade.grade for grade in rules.grades), *(p.label for p in found if p.label is not None)}
    )
    called = {grade.grade: grade.name for grade in rules.grades}
    return Listing[JudgedPair](
        noun="pair",
        columns=(
            Column("document", "Document", lambda row: natural(row.document_id)),
            Column("grade", "Counts as", lambda row: row.label, numeric=True),
            Column("judgments", "Grades given", lambda row: len(row.own_judgments), numeric=True),
            Column("at", "Newest", lambda row: row.at or None, numeric=True),
            Column("rank", "Best rank", lambda row: row.best_rank),
            Column("runs", "Runs", lambda row: row.runs, numeric=True),
        ),
        filters=(
            Filter(
                "grade",
                "Counts as",
                {str(one): Choice(called.get(one, str(one)), _has_label(one)) for one in grades}
                | {"none": Choice("no grade", lambda row: row.label is None)},
                every="any grade",
            ),
            Filter(
                "by", "Judged by", {name: Choice(name, _judged_by(name)) for name in names}, every="anyone"
            ),
            Filter(
                "found",
                "Found by",
                {
                    "one-team": Choice("one team alone", lambda row: row.teams == 1),
                    "no-run": Choice("no run", lambda row: row.runs == 0),
                },
                every="any run",
            ),
            Filter(
                "look",
                "Second look",
                {
                    "yes": Choice("any reason", lambda row: bool(row.reasons)),
                    **{word: Choice(why.brief, _has_reason(word)) for word, why in REASONS.items()},
                    "waiting": Choice("waits to be judged again", lambda row: bool(row.waits_for)),
                },
                every="all pairs",
            ),
        ),
        text=lambda row: " ".join(
            [row.document_id, *(f"{each.assessor} {each.comment}" for each in row.own_judgments)]
        ),
        looks_in="Id, assessor, note",
        ident=lambda row: row.document_id,
        order="-at",
        size=SIZE,
    )


def _has_label(grade: int) -> Callable[[JudgedPair], bool]:
    return lambda row: row.label == grade


def _judged_by(name: str) -> Callable[[JudgedPair], bool]:
    return lambda row: any(each.assessor == name for each in row.own_judgments)


def _has_reason(word: str) -> Callable[[JudgedPair], bool]:
    return lambda row: word in row.reasons


def _of_topic(topic_id: str, problem: WorkbenchError | None = None, status: int = 200) -> ResponseReturnValue:
    found = pairs_of_topic(g.campaign, topic_id)
    stored = topics.find(g.campaign, topic_id)
    rules = settings.read(g.campaign)
    args = request.args if problem is None else list_address(request.form)
    view = listing(rules, found.pairs).view(
        found.pairs, args, ".of_topic", campaign=g.campaign.name, topic=topic_id
    )
    html = render_template(
        "agreement/pairs/topic.html",
        topic=stored.topic if stored else None,
        found=found,
        list=view,
        titles=documents.titles(g.campaign, [row.document_id for row in view.rows]),
        by_grade=buttons_of(rules),
        given=given_buttons(g.campaign, [each.seq for row in view.rows for each in row.own_judgments]),
        reasons=REASONS,
        lead=_lead(found.pairs),
        judges=_judges(),
        chosen=set(request.form.getlist("documents")),
        waiting=Requested(
            tuple((topic_id, row.document_id, name) for row in found.pairs for name in row.waits_for)
        ).by_assessor,
        longest_reason=LONGEST_REASON,
        problem=problem or "",
    )
    return make_response(html, status)


def _lead(found: tuple[JudgedPair, ...]) -> str:
    """How many pairs are judged, and how many deserve a second look."""
    judged, again = sum(row.is_judged for row in found), sum(bool(row.reasons) for row in found)
    if not judged:
        return (
            f"{len(found):,} pairs, none judged yet." if found else "No pairs: nothing is pooled or judged."
        )
    looks = (
        f"{again:,} {'deserves' if again == 1 else 'deserve'} a second look"
        if again
        else "none needs a second look"
    )
    return f"{judged:,} of {len(found):,} pairs judged; {looks}."


def _judges() -> list[str]:
    return [name for name, role in members.all_members(g.campaign).items() if role in members.JUDGES]


def _pair(topic_id: str, document_id: str, problem: str = "", status: int = 200) -> ResponseReturnValue:
    found = pair_record(g.campaign, topic_id, document_id)
    rules = settings.read(g.campaign)
    by_grade = buttons_of(rules)
    label = by_grade.get(found.label) if found.label is not None else None
    in_force = [row.seq for row in (*found.own_judgments, found.adjudication) if row is not None]
    html = render_template(
        "agreement/pairs/pair.html",
        found=found,
        topic=found.stored.topic,
        buttons=by_grade.values(),
        by_grade=by_grade,
        given=given_buttons(g.campaign, in_force),
        logged=given_buttons(g.campaign, [row.seq for row in found.rows], at_first=False),
        lead=sentence(found, label.name if label else str(found.label)),
        words_of=words_of,
        cannot_overrule=capital(cannot_overrule(found)),
        counts_by=counts_by(found.rule),
        counts=found.adjudication is None or found.label == found.adjudication.grade,
        judges=_free(found),
        longest_comment=LONGEST_COMMENT,
        longest_reason=LONGEST_REASON,
        typed=_typed(),
        new_uuid=str(uuid4()),
        log=log.mark(g.campaign),
        problem=problem,
    )
    return make_response(html, status)


def _free(found: PairRecord) -> list[str]:
    """Who could judge a pair again."""
    barred = {row.assessor for row in found.own_judgments}
    barred |= {each.assessor for each in found.requests if each.is_open}
    return [name for name in _judges() if name not in barred]


def _typed() -> Mapping[str, str]:
    """What is in the form that was refused."""
    fields = ("do", "grade", "comment", "reason", "by")
    return {field: request.form.get(field, "")[:LONGEST_COMMENT] for field in fields}


@CHANGES("again")
def again(topic_id: str, *document_ids: str, by: Assessor = "", reason: Reason = "") -> None:
    """Have pairs judged again, by an assessor or by the one who is free."""
    pairs = [(topic_id, document_id) for document_id in document_ids]
    assigning.judge_again(g.campaign, pairs, by=by or None, reason=reason)


CHANGES("overrule")(lambda *pair: adjudicate(g.campaign, decision_form.decision(overrules=True)))
CHANGES("not broken")(lambda topic_id, document_id: mark_not_broken(g.campaign, [document_id]))


@CHANGES("undo")
def _undo(topic_id: str, document_id: str, *, undo: Row, uuid: Uuid) -> None:
    take_back(g.campaign, undo, uuid)


@CHANGES("not again")
def _not_again(topic_id: str, document_id: str, *, by: Assessor) -> None:
    assigning.take_back_again(g.campaign, topic_id, document_id, by)


@CHANGES("broken")
def _broken(topic_id: str, document_id: str, *, reason: Reason = "") -> None:
    mark_broken(g.campaign, [document_id], reason=reason)
