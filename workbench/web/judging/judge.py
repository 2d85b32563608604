"""The judging page, and what it requests during judging.

Topic and document ids are any text in any script, so they travel as query parameters, never in the path. The
assessor is always the signed-in account, whatever a browser sends.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from flask import Response, abort, current_app, g, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from workbench.campaign import assessing, assessor_settings, training
from workbench.campaign.adaptive_pools import adaptive_pools
from workbench.campaign.assessing import Access, QueueItem, TopicProgress
from workbench.campaign.assessing.showing import Versions
from workbench.campaign.battles import criteria_of
from workbench.core.about import DOCUMENTS, PAIRS
from workbench.core.errors import NotThere
from workbench.core.records import LABEL, MOST_LABELS, SCALE, WEIGHT, Question
from workbench.core.results import content
from workbench.storage.campaign.collection import documents, topic_withdrawals, topics
from workbench.storage.campaign.collection.question_topics import key_of, question_of, topic_of
from workbench.storage.campaign.grades import chosen_labels, judgments
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings
from workbench.web.access.rules import JUDGES, Pages
from workbench.web.judging import nuggets, preferences
from workbench.web.judging.given import offered_buttons
from workbench.web.judging.keys import grade_buttons, in_order, legend
from workbench.web.judging.offline import copy_of_page
from workbench.web.judging.pair_view import by_sides
from workbench.web.judging.texts import first_texts
from workbench.web.judging.training import FIRST
from workbench.web.requests.long_work import reads_documents

blueprint = Pages("judge", __name__)

LAST_JUDGED = 5
"""The last judgments that are beside the document: as many as static/judging/panel.js shows."""

UNDONE = 2_000
"""Over how many of an assessor's rows of the log undo goes back into other topics: more than anyone judges in a day."""


@blueprint.get("/c/<campaign>/judge", allow=JUDGES)
@reads_documents
def page(campaign: str) -> AnyResponse:
    """The judging page of `?topic=`, of a `?norming=` session, or of the topic where its assessor goes on."""
    norming = request.args.get("norming", type=int)
    if norming is not None:
        return _norming_page(campaign, norming)
    if first := FIRST.get(training.first_step(g.campaign, g.member)):
        return redirect(url_for(first, campaign=campaign))
    progress = assessing.progress_of_all(g.campaign, g.member)
    topic_id = request.args.get("topic")
    if topic_id is None:
        return _to_first_open(campaign, progress)
    newest = judgments.newest_row(g.campaign, g.member)  # before the queue, so that this has them all
    try:
        items = assessing.queue(g.campaign, topic_id, g.member)
    except NotThere as error:
        if topic_id in topic_withdrawals.withdrawn(g.campaign):
            following = _following(progress, topic_id)
            page = render_template(
                "judging/judge/withdrawn.html", topic_id=topic_id, following=following, name=campaign
            )
            return make_response(page, 404)
        abort(404, str(error))
    opened = _Opened(
        topic_id,
        items,
        assessing.access_to(g.campaign, topic_id, g.member),
        newest=newest,
        elsewhere=_elsewhere(campaign, topic_id, {row.topic_id for row in progress}),
        following=_following(_still_open(progress, topic_id), topic_id),
        is_postponed=topic_id in assessor_settings.postponed_topics(g.campaign, g.member),
        held_back=next((row.held_back for row in progress if row.topic_id == topic_id), 0),
    )
    return _page(campaign, opened)


def _still_open(progress: Sequence[TopicProgress], topic_id: str) -> list[TopicProgress]:
    """The same without the topic of `?after=` on a page that is fetched ahead: its assessor is on the last documents of
    that topic, and goes on to the page when it is complete.
    """
    is_ahead = request.headers.get("Sec-Purpose", "").startswith("prefetch")
    left = request.args.get("after") if is_ahead else None
    return [row for row in progress if row.topic_id != left or row.topic_id == topic_id]


def _norming_page(campaign: str, number: int) -> Response:
    session = assessing.session_of(g.campaign, number)
    g.campaign = g.campaign.asking(question_of(g.campaign, session.topic_id))
    items = assessing.queue_of_session(g.campaign, session, g.member)
    access = assessing.access_to_session(session)
    return _page(campaign, _Opened(session.topic_id, items, access, norming=number))


class _Opened(NamedTuple):
    """What the page is opened with: a topic or a norming session, and where the assessor can go from there."""

    topic_id: str
    items: Sequence[QueueItem]
    access: Access
    norming: int | None = None
    newest: int = 0
    elsewhere: Sequence[dict[str, Any]] = ()
    following: TopicProgress | None = None
    is_postponed: bool = False
    held_back: int = 0


def _page(campaign: str, opened: _Opened) -> Response:
    topic_id, items, norming = opened.topic_id, opened.items, opened.norming
    topic = topics.find(g.campaign, topic_id)
    current = by_sides(settings.read(g.campaign))
    own = preferences.all_of(g.campaign, g.member)
    grows = norming is None and bool(adaptive_pools(g.campaign))
    buttons = offered_buttons(current, own["keys"])
    on_cards = current.cards == "on" and norming is None and not {"document", "alone"} & set(request.args)
    on_cards = on_cards and current.about == DOCUMENTS and current.answered in (SCALE, LABEL)
    offered = chosen_labels.offered(g.campaign, topic_id)
    toggles = grade_buttons(offered.labels, 1, own["keys"]) if offered else []
    answer = offered and {"counts": [offered.question.counts_as(each) for each in range(MOST_LABELS + 1)]}
    if current.answered == WEIGHT:
        answer = {"ends": [current.grades[0].grade, current.grades[-1].grade]}
    keyed = () if current.answered == WEIGHT else in_order(offered.labels if offered else current.grades)
    looks = not norming and not on_cards and bool(current.second_look_judge)
    made_nuggets = None if norming else nuggets.places(campaign, topic_id, opened.access)
    without = {name for name, there in (("nugget", made_nuggets), ("second look", looks)) if not there}
    of_pairs = current.about in PAIRS
    data = {
        **_addresses(campaign, topic_id, norming),
        **preferences.page_data(topic_id, own),
        "offline": copy_of_page(campaign),
        "log": log.mark(g.campaign),
        "receipt_days": current_app.config["RECEIPT_DAYS"],
        **Versions.of(g.campaign, topic, current).proof,
        "grades": [button._asdict() for button in buttons],
        "labels": [button._asdict() for button in toggles],
        "answer": answer,
        "actions": legend(
            keyed, on_cards=on_cards, without=without, saved=answer is not None, of_pairs=of_pairs
        ),
        "of_pairs": of_pairs,
        "nuggets": made_nuggets,
        "second_look_url": url_for("judgments.second_look", campaign=campaign) if looks else None,
        "queue": [_as_sent(item) for item in items],
        "size": len(items) if norming else assessing.size(g.campaign, items, topic_id, g.member),
        "titles": _titles_of_last_judged(items),
        "texts": content(first_texts(topic_id, items, norming=norming, on_cards=on_cards)),
        "newest": opened.newest,
        "elsewhere": list(opened.elsewhere),
        "shut": opened.access.refusal[1],
        "breaks": {"documents": current.break_documents, "minutes": current.break_minutes},
        "reasons": settings.parts_of(current.cannot_tell_reasons),
        "norming": norming,
        "cards": on_cards,
        "practice": False,
        "asked": [] if norming else _asked_after(topic_id, current.questions),
        "grows": grows,
        # Where judgments of this topic bring documents into others, the next page is fetched after the last of them.
        "early": not grows and not current.repeat_share,
    }
    page = render_template(
        "judging/judge/cards.html" if on_cards else "judging/judge/page.html",
        topic=topic.topic if topic else None,
        buttons=buttons,
        toggles=toggles,
        following=opened.following,
        is_postponed=opened.is_postponed,
        data=data,
        settings=current,
        question=_question(),
        access=opened.access,
        held_back=opened.held_back,
    )
    response = make_response(page)
    response.headers["Speculation-Rules"] = (
        f'"{url_for("static", filename="judging/next_topic.speculationrules")}"'
    )
    return response


def _asked_after(topic_id: str, asked: Sequence[Question]) -> list[dict[str, Any]]:
    """What is asked after this page's question, such as a preference's criteria; each with its least grade."""
    name = g.campaign.question
    if name:
        itself = topic_of(g.campaign, topic_id)
        return [{"topic_id": key_of(itself, each), "from": None} for each in criteria_of(g.campaign, name)]
    of_documents = (each for each in asked if each.about == DOCUMENTS)
    return [{"topic_id": key_of(topic_id, each.name), "from": each.asked_from} for each in of_documents]


def _as_sent(item: QueueItem) -> dict[str, Any]:
    """A document of the queue; `given` and `chosen` only where they are, for topics of thousands of documents."""
    rare = ("given", "chosen")
    return {name: value for name, value in item._asdict().items() if value is not None or name not in rare}


def _question() -> Question | None:
    """The question that this page asks, None for relevance."""
    name = g.campaign.question
    return settings.read(g.campaign).question(name) if name else None


def _titles_of_last_judged(items: Sequence[QueueItem]) -> dict[str, str]:
    """The titles of what this assessor judged last here: the page has not seen these documents yet."""
    judged = [item for item in items if item.kind is not None and item.seq is not None]
    last = heapq.nlargest(LAST_JUDGED, judged, key=lambda item: item.given or item.seq or 0)
    return documents.titles(g.campaign, [item.document_id for item in last])


def _addresses(campaign: str, topic_id: str, norming: int | None) -> dict[str, str]:
    """The topic and campaign of the page, as parameters of its requests; a `norming` that is None is left out."""
    pair: dict[str, Any] = {"campaign": campaign, "norming": norming, "topic": topic_id, "document": ""}
    return {
        "document_url": url_for("document_view.document", **pair),
        "frame_url": url_for("document_view.frame", **pair),
        "judgments_url": url_for("judgments.store", campaign=campaign),
        "texts_url": url_for("texts.texts", campaign=campaign),
        "queue_url": url_for("more_documents.queue", campaign=campaign, topic=topic_id),
        "later_url": url_for("assessor_settings.later", campaign=campaign),
    }


def _elsewhere(campaign: str, topic_id: str, open_to: Collection[str]) -> list[dict[str, Any]]:
    """Where undo leaves this topic: the newest of each row of the assessor's judgments in other topics."""
    given = judgments.last_given(g.campaign, g.member, UNDONE)
    given = [each for each in given if each.topic_id == topic_id or each.topic_id in open_to]
    runs = groupby(given, key=lambda each: each.topic_id == topic_id)
    newest = [next(run) for is_here, run in runs if not is_here]
    return [
        {"seq": seq, "url": url_for(".page", campaign=campaign, topic=topic, document=document, undone=seq)}
        for seq, topic, document in newest
    ]


def _following(progress: Sequence[TopicProgress], topic_id: str) -> TopicProgress | None:
    return assessing.next_topic(progress, topic_id, assessor_settings.postponed_topics(g.campaign, g.member))


def _to_first_open(campaign: str, progress: list[TopicProgress]) -> AnyResponse:
    own = [row for row in progress if not row.can_be_taken]
    postponed = assessor_settings.postponed_topics(g.campaign, g.member)
    first = assessing.topic_to_go_on(g.campaign, g.member, own, postponed) or next(iter(own), None)
    if first is None:
        return redirect(url_for("campaigns.own_topics", campaign=campaign))
    tour = request.args.get("tour")
    return redirect(url_for(".page", campaign=campaign, topic=first.topic_id, tour=tour))
