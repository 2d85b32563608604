"""The page Nuggets: what good answers to a topic hold, written, merged, and accepted where a model proposes it.

Organisers and adjudicators change the nuggets of all topics, assessors those of topics that they judge.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, NamedTuple

from flask import Response, abort, g, jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from workbench.campaign.assessing.permission import Access, access_to, accesses_to
from workbench.campaign.assessing.showing import shown_to_all
from workbench.campaign.assessing.storing import check_quoted
from workbench.campaign.nuggets import (
    bank_counts,
    change_bank,
    changes,
    find,
    merged,
    reference_to,
    replaced,
    with_answers,
    with_new,
    written_reference,
)
from workbench.core.about import NUGGETS
from workbench.core.errors import CampaignError, JudgmentRefused, NotThere
from workbench.core.natural_order import natural
from workbench.core.records import PIECES, Rationale
from workbench.core.results import content
from workbench.core.values import Given
from workbench.formats.answers.assigned import IMPORTANCES
from workbench.formats.answers.bank_forms import LETTERS
from workbench.formats.answers.banks import Bank, Creator, Nugget, Reference
from workbench.storage.campaign.collection import nuggets, topics
from workbench.storage.campaign.grades import judging_again, rationales
from workbench.storage.campaign.organising import settings
from workbench.web.access.rules import JUDGES, Pages
from workbench.web.judging.submissions import TEXT, read_sent
from workbench.web.requests.answers import refusal, say, status_of
from workbench.web.requests.form_values import natural_number
from workbench.web.requests.languages import gettext

blueprint = Pages("nuggets", __name__)

MOST_RATIONALES = 100
"""So many rationales that are no nugget yet are offered at once."""
MOST_VERSIONS = 20
FIELDS = ("do", "nugget", "text", "importance", "answers")
"""What was typed and stays in sight where it is refused."""


class Offered(NamedTuple):
    """A rationale that can become a nugget, by the `key` that the form names."""

    key: str
    document_id: str
    text: str
    reference: Reference


class Selected(NamedTuple):
    """What is selected in a document that is shown for a topic: pieces of the text with this hash."""

    topic_id: Annotated[str, Given(TEXT, by="client")]
    document_id: Annotated[str, Given(TEXT, by="client")]
    text_hash: Annotated[str, Given(TEXT, by="client")]
    pieces: Annotated[tuple[Rationale, ...], Given(PIECES, by="client")]


class NuggetsNow(NamedTuple):
    """How many nuggets a topic has, and what is new: a `nugget`, a `reference` of one that has these words, or ""."""

    nuggets: int
    added: str


@blueprint.get("/c/<campaign>/nuggets", allow=JUDGES)
def page(campaign: str) -> str:
    """The topics whose nuggets this person may change, with what there is."""
    own = sorted(_own_topics(), key=natural)
    counts, titles = bank_counts(g.campaign, own), topics.titles(g.campaign)
    return render_template("judging/nuggets/page.html", counts=counts, topics=own, titles=titles)


@blueprint.get("/c/<campaign>/nuggets/topic", allow=JUDGES)
def topic(campaign: str) -> str:
    """The nuggets of `?topic=`, forms that change them, rationales that can become some, and the versions."""
    return _page(_topic_id(request.args.get("topic", "")))


@blueprint.post("/c/<campaign>/nuggets/topic", allow=JUDGES)
def change(campaign: str) -> ResponseReturnValue:
    """Do what the form's `do` says with the nuggets as of its `version`; 409 where there is another one since."""
    topic_id = _topic_id(request.form.get("topic", ""))
    todo = CHANGES.get(request.form.get("do", ""))
    version = natural_number(request.form.get("version", ""))
    if todo is None or version is None:
        abort(400, "Choose what to change.")
    before = nuggets.bank_of(g.campaign, topic_id)
    try:
        seq = change_bank(g.campaign, topic_id, version, todo)
    except CampaignError as error:
        now = nuggets.current(g.campaign, topic_id)
        return _page(topic_id, str(error)), 422 if version == (now.seq if now else 0) else 409
    say(gettext("Nothing changed.") if seq is None else gettext("Saved as log row %(row)s.", row=seq))
    ids = [each.nugget_id for each in before.nuggets] if before else []
    nugget_id = request.form.get("nugget", "")
    anchor = f"nugget-{ids.index(nugget_id) + 1}" if nugget_id in ids else "add"
    return redirect(url_for(".topic", campaign=campaign, topic=topic_id, _anchor=anchor), 303)


@blueprint.post("/c/<campaign>/api/nuggets", allow=JUDGES)
def add_selected(campaign: str) -> Response:
    """Make what is selected in a document a nugget of its topic; once more changes nothing."""
    sent = read_sent(Selected)
    topic_id, added = _topic_id(sent.topic_id), list[str]()

    def change(bank: Bank) -> Bank:
        found, what = _with_selected(bank, sent)
        added.append(what)
        return found

    try:
        change_bank(g.campaign, topic_id, None, change)
    except NotThere as error:
        return refusal(404, "unknown pair", str(error))
    except JudgmentRefused as error:
        return refusal(status_of(error), error.reason, str(error))
    except CampaignError as error:
        return refusal(422, "bad value", str(error))
    now = nuggets.bank_of(g.campaign, topic_id)
    return jsonify(content(NuggetsNow(len(nuggets.judged(now)) if now else 0, *added)))


def places(campaign: str, topic_id: str, access: Access) -> dict[str, str] | None:
    """Where documents give nuggets, and their page; None without access, nuggets, or documents judged for relevance."""
    about = {each.about for each in settings.read(g.campaign).questions}
    has_nuggets = NUGGETS in about or bool(nuggets.rows(g.campaign))
    if g.campaign.question or not has_nuggets or not _may_change(access):
        return None
    page_url = url_for("nuggets.topic", campaign=campaign, topic=topic_id)
    return {"url": url_for("nuggets.add_selected", campaign=campaign), "page_url": page_url}


def _own_topics() -> list[str]:
    every = topics.topic_ids(g.campaign)
    if g.role != "assessor":
        return every
    asked = judging_again.holding(g.campaign, assessor=g.member)
    return [name for name, access in accesses_to(g.campaign, every, g.member, asked).items() if access.part]


def _may_change(access: Access) -> bool:
    return g.role != "assessor" or bool(access.part)


def _topic_id(asked: str) -> str:
    topic_id = topics.named(g.campaign, asked).topic.topic_id
    if not _may_change(access_to(g.campaign, topic_id, g.member)):
        abort(403, gettext("You judge other topics. An organiser can assign this one to you."))
    return topic_id


def _page(topic_id: str, problem: str = "") -> str:
    with g.campaign.snapshot():
        kept = nuggets.versions(g.campaign, topic_id, MOST_VERSIONS + 1)
        bank = kept[-1].bank if kept else Bank(topic_id, (), "")
        offered = _offered(bank)
        before = [None, *(each.bank for each in kept)]
        told = [(each, changes(was, each.bank)) for was, each in zip(before, kept, strict=False)]
        return render_template(
            "judging/nuggets/topic.html",
            topic=topics.named(g.campaign, topic_id).topic,
            bank=bank,
            judged=nuggets.judged(bank),
            version=kept[-1].seq if kept else 0,
            versions=told[::-1][:MOST_VERSIONS],
            offered=offered[:MOST_RATIONALES],
            is_more=len(offered) > MOST_RATIONALES,
            importances=_importances(bank),
            written=written_reference,
            problem=problem,
            typed={name: request.form.get(name, "") for name in FIELDS},
            longest=nuggets.LONGEST,
        )


def _importances(bank: Bank) -> list[str]:
    """What a nugget of this bank can be: the letters of a rubric, or words, and whatever its nuggets have."""
    usual = LETTERS if bank.form == "rubric" else IMPORTANCES[:2]
    return list(dict.fromkeys(["", *usual, *(each.importance for each in bank.nuggets)]))


def _offered(bank: Bank) -> list[Offered]:
    """The rationales of the topic, an assessor's own ones, to which no nugget refers yet."""
    there = {(each.document_id, each.span) for one in bank.nuggets for each in one.references}
    found = dict[tuple[str, tuple[int, int] | None], Offered]()
    kept = rationales.of_topic(g.campaign, bank.topic_id)
    for each in (one for one in kept if g.role != "assessor" or one.assessor == g.member):
        place = Rationale(each.field, each.start, each.end, each.text)
        reference = reference_to(g.campaign, each.document_id, place)
        key = f"{each.seq} {each.field} {each.start} {each.end}"
        if reference[:2] not in there:
            found.setdefault(reference[:2], Offered(key, each.document_id, each.text, reference))
        if len(found) > MOST_RATIONALES:
            break
    return list(found.values())


def _me() -> Creator:
    return Creator(g.member, is_human=True)


def _filled(bank: Bank, nugget: Nugget) -> Nugget:
    """A nugget with what the form says of it; CampaignError where that is no text, or no importance of the bank's."""
    text, importance = " ".join(request.form.get("text", "").split()), request.form.get("importance", "")
    if not text:
        raise CampaignError(gettext("a nugget has no text; write what it says"))
    if importance not in _importances(bank):
        raise CampaignError(f"{importance!r} is no importance here; choose one of the list")
    lines = (" ".join(line.split()) for line in request.form.get("answers", "").splitlines())
    texts = [line for line in lines if line]
    nugget = nugget._replace(text=text, importance=importance)
    return nugget if texts == [each.text for each in nugget.answers] else with_answers(nugget, texts, _me())


def _add(bank: Bank) -> Bank:
    return with_new(bank, _filled(bank, Nugget("", creators=(_me(),))))


def _change(bank: Bank) -> Bank:
    nugget_id = request.form.get("nugget", "")
    return replaced(bank, nugget_id, _filled(bank, find(bank, nugget_id)))


def _accept(bank: Bank) -> Bank:
    nugget_id = request.form.get("nugget", "")
    return replaced(bank, nugget_id, find(bank, nugget_id)._replace(proposed=False))


def _merge(bank: Bank) -> Bank:
    both = request.form.getlist("both")
    if len(both) != 2:
        raise CampaignError(gettext("tick the two nuggets that are one; %(num)s are ticked", num=len(both)))
    return merged(bank, *both)


def _keep(bank: Bank) -> Bank:
    """The bank with a nugget out of a rationale: its words, as many as a nugget may have, and where it stands."""
    asked = request.form.get("rationale", "")
    found = next((each for each in _offered(bank) if each.key == asked), None)
    if found is None:
        raise CampaignError(
            gettext("this rationale is a nugget already, or is no longer kept; choose another one")
        )
    text = " ".join(found.text.split())[: nuggets.LONGEST]
    return with_new(bank, Nugget(text, references=(found.reference,), creators=(_me(),)))


def _with_selected(bank: Bank, sent: Selected) -> tuple[Bank, str]:
    """The bank with a nugget of the selected words that refers to their place, and what is new (`NuggetsNow`)."""
    shown = shown_to_all(g.campaign, bank.topic_id, sent.document_id)
    if sent.text_hash != shown.text_hash:
        raise JudgmentRefused(
            "text changed", gettext("the text changed after it was opened; select it again")
        )
    check_quoted(shown.document, settings.read(g.campaign), sent.pieces)
    text = " ".join(word for piece in sent.pieces for word in piece.text.split())
    places = (reference_to(g.campaign, sent.document_id, piece) for piece in sent.pieces)
    references = tuple(dict.fromkeys(places))
    for each in bank.nuggets if text else ():
        there = {one[:2] for one in each.references}
        more = tuple(one for one in references if one[:2] not in there)
        # Without a span, a reference is that of any words of a title.
        if not more and (each.text == text or all(one.span for one in references)):
            return bank, ""
        if each.text == text:
            wider = each._replace(references=(*each.references, *more))
            return replaced(bank, each.nugget_id, wider), "reference"
    return with_new(bank, Nugget(text, references=references, creators=(_me(),))), "nugget"


CHANGES: Mapping[str, Callable[[Bank], Bank]] = {
    "add": _add,
    "change": _change,
    "delete": lambda bank: replaced(bank, request.form.get("nugget", "")),
    "accept": _accept,
    "merge": _merge,
    "keep": _keep,
}
"""What a form does with a bank."""
