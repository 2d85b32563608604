"""What an assessor is shown of one pair: the document in its frame, and what a judgment of it has to echo.

Topic and document ids are any text in any script, so they travel as query parameters, never in the path.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated, Any, Literal, NamedTuple

from flask import Response, abort, g, jsonify, make_response, render_template, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response as AnyResponse

from workbench.campaign import assessing, assessor_settings
from workbench.campaign.assessing import Shown
from workbench.campaign.assessor_settings import MarkedWords
from workbench.campaign.campaign_settings import document_fields
from workbench.core.errors import NotThere
from workbench.core.records import Document
from workbench.core.results import HIDDEN, content
from workbench.methods.text.decisive import REASONS
from workbench.methods.text.languages import language_code, language_of
from workbench.methods.text.terms import Term, topic_terms
from workbench.storage.campaign.collection import documents as stored_documents
from workbench.storage.campaign.collection import near_duplicates, page_images
from workbench.storage.campaign.collection.page_images import StoredPage
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings
from workbench.web.access.rules import JUDGES, Pages
from workbench.web.judging import pair_view, unit_view
from workbench.web.judging.document.body import Body, Look, body_of, own_colours, title_of
from workbench.web.judging.document.cleaning import LANGUAGE_TAG
from workbench.web.judging.document.comparison import Comparison
from workbench.web.judging.document.field_forms import Field, chosen_fields
from workbench.web.judging.document.marking import colour_of
from workbench.web.judging.pair_view import PairView
from workbench.web.judging.unit_view import AnswerUnit
from workbench.web.requests.answers import OwnJudgment, own_judgment, refusal
from workbench.web.requests.languages import gettext, ngettext
from workbench.web.requests.long_work import reads_documents

blueprint = Pages("document_view", __name__)

MOST_PAGES = 1_000_000
"""No document has as many pages."""

LANGUAGE_FIELDS = ("lang", "language")
MOST_FIELDS = 6
"""This many fields are above a document; of more only those in MAIN_FIELDS, the others in a fold."""

MAIN_FIELDS = frozenset(
    "url uri link address source_url target_uri warc-target-uri date published published_at publish_time pubdate "
    "publication_date timestamp year author authors byline source site publisher journal venue lang language".split()
)
"""Names of the fields by which one knows a document: where it was, when it was written, by whom, in which language."""
UNSPACED = ("zh", "ja", "th", "lo", "km", "my")
"""Languages of which each character is compared as a word (`workbench.methods.text.compared_words`)."""

STYLES, IMAGES = "style-src 'self'", "img-src data:"
CONTENT_POLICY = "; ".join(("default-src 'none'", STYLES, IMAGES, "base-uri 'none'", "form-action 'none'"))
"""What a document may load."""

UNMARKED = MarkedWords({}, [])
"""What an assessor has marked who has marked nothing."""

FRAME_POLICY = "; ".join(("sandbox allow-same-origin", CONTENT_POLICY, "frame-ancestors 'self'"))


class PageImages(NamedTuple):
    """A document's pages as images: those that are there, of `number` in all."""

    images: tuple[StoredPage, ...]
    number: str

    @property
    def how_many(self) -> str:
        """How many are there, and of how many where it is not all of them."""
        there = len(self.images)
        if f"{there:,}" == self.number or not self.number:
            return f"{there:,}"
        if self.images[-1].page == there:
            return gettext("the first %(num)s of %(all)s", num=there, all=self.number)
        return gettext("%(num)s of %(all)s", num=there, all=self.number)


class Twin(NamedTuple):
    """The near duplicate that a document is compared with, and what the comparison of titles and texts says.

    Attributes:
        new, missing: how many words are, such as "3 words"; both are "" where the words of both are the same.
        reasons: why the two may deserve different grades.
    """

    document_id: str
    name: str
    new: Annotated[str, HIDDEN]
    missing: Annotated[str, HIDDEN]
    reasons: tuple[str, ...]


class Head(NamedTuple):
    """What is above a document: fields in a fold, pages as images, and the twin it is compared with, or None."""

    document_id: str
    title: str
    title_html: Markup
    fields: tuple[Field, ...]
    further: tuple[Field, ...]
    twin: Twin | None
    pages: PageImages | None = None


class View(NamedTuple):
    """A pair as it is shown: `look` says what is marked, `body` is None where the campaign has no text.

    Where a `unit` of an answer is judged, head and body are those of what is read for it; a `pair` has neither.
    """

    shown: Shown
    look: Look
    head: Head
    body: Body | None
    unit: AnswerUnit | None = None
    pair: PairView | None = None

    @property
    def document_id(self) -> str:
        """What is judged."""
        return self.unit.unit.unit_id if self.unit else self.head.document_id

    @property
    def title(self) -> str:
        """That of what is judged."""
        return self.shown.title if self.unit else self.head.title


@blueprint.get("/c/<campaign>/api/document", allow=JUDGES)
@reads_documents
def document(campaign: str) -> Response:
    """A pair as it is shown, with all that a judgment of it has to name: log, pool, hash of the text, versions."""
    try:
        return jsonify(_described(_view()))
    except NotThere as error:
        return refusal(404, "unknown pair", str(error))


@blueprint.get("/c/<campaign>/document-frame", allow=JUDGES)
@reads_documents
def frame(campaign: str) -> AnyResponse:
    """A document to be in a sandboxed frame: with what differs from `?against=` if that is its twin, and all of it
    with `?whole=1`, for a page that does not open at the best passage. Where something differs, all of it is shown.
    With `?ordered=1` the things of a pair stand in their own order, for an adjudicator.
    """
    whole = "whole" in request.args
    return frame_of(_view(), whole=whole, is_alone=whole)


@blueprint.get("/c/<campaign>/page-image", allow=JUDGES)
def page_image(campaign: str) -> AnyResponse:
    """The page `?page=` of the document `?document=` as an image."""
    document_id, page = request.args.get("document", ""), request.args.get("page", 0, type=int)
    image = page_images.find(g.campaign, document_id, page) if 0 < page < MOST_PAGES else None
    if image is None:
        abort(404, gettext("There is no image of this page."))
    response = make_response(image)
    response.headers["Content-Type"] = "image/png"
    response.headers["Content-Security-Policy"] = "sandbox; default-src 'none'"
    return response


def frame_of(view: View, *, whole: bool, is_alone: bool = True) -> AnyResponse:
    """The page of a document for a sandboxed frame; with `whole` it does not open at the best passage.

    Where it `is_alone`, no script of a page around it asks for the images of its pages.
    """
    response = make_response(html_of(view, whole=whole, is_alone=is_alone))
    response.headers["Content-Security-Policy"] = FRAME_POLICY.replace(IMAGES, _images(view))
    return response


def html_of(view: View, *, whole: bool = False, is_alone: bool = False) -> str:
    """The page of a document, as `frame_of` sends it.

    It says itself what it may load, for a page that puts it into a frame without asking for it alone. Such a frame
    has no address, so that to Firefox 'self' is nothing there: the server is named besides.
    """
    body = view.body
    return render_template(
        "judging/document_view/frame.html",
        view=view,
        head=view.head,
        body=body,
        unit=view.unit,
        # Where the text differs from that of its twin, all of it is shown.
        opens_passage=body is not None and body.has_passage and not body.differences and not whole,
        language=_language(view),
        is_alone=is_alone,
        policy=CONTENT_POLICY.replace(STYLES, f"{STYLES} {request.host_url.rstrip('/')}").replace(
            IMAGES, _images(view)
        ),
        shown=json.dumps(_described(view), ensure_ascii=False),
    )


def _images(view: View) -> str:
    if view.head.pages is None:
        return IMAGES
    return f"{IMAGES} {url_for('document_view.page_image', campaign=g.campaign.name, _external=True)}"


def _view() -> View:
    """The view that the request asks for; NotThere for a pair that is in no pool."""
    topic_id, document_id = request.args.get("topic", ""), request.args.get("document", "")
    against, norming = request.args.get("against"), request.args.get("norming", type=int)
    return view_of_pair(topic_id, document_id, against, norming=norming, ordered="ordered" in request.args)


def view_of_pair(
    topic_id: str, document_id: str, against: str | None, *, norming: int | None, ordered: bool = False
) -> View:
    """A pair as the signed-in assessor sees it, compared with the document `against` if that is its near duplicate;
    NotThere for a pair that is in no pool. With `ordered` two things stand in their own order.
    """
    if norming is None:
        shown = assessing.show(g.campaign, topic_id, document_id, g.member)
    else:
        session = assessing.session_of(g.campaign, norming)
        shown = assessing.show_in_session(g.campaign, session, document_id, g.member)
    shown = shown._replace(left=None) if ordered else shown
    return view_of(document_id, shown, twin=_twin(topic_id, document_id, against))


def view_of(document_id: str, shown: Shown, *, marked: bool = True, twin: Document | None = None) -> View:
    """A pair with the words that the signed-in assessor has marked, unless it is shown without them."""
    unit = unit_view.find(g.campaign, shown.topic.topic_id, document_id)
    topic = unit.about(shown.topic) if unit else shown.topic
    words = assessor_settings.marked_words(g.campaign, g.member, topic.topic_id) if marked else UNMARKED
    of_topic = [term._replace(off=term.text in words.off) for term in topic_terms(topic)]
    terms = [*of_topic, *(Term(text, own=True, colour=colour) for text, colour in words.own.items())]
    look = Look(tuple(terms), language_of(topic), settings.read(g.campaign).formulas == "latex")
    if unit and unit.unit.span:
        look = look._replace(terms=(Term("passage"),), span=unit.unit.span)
    if pair := pair_view.find(g.campaign, shown.topic.topic_id, document_id, shown.left):
        return View(shown, look, Head(document_id, shown.title, Markup(), (), (), None), None, pair=pair)
    read = unit.read if unit else shown.document
    if read is None:
        without = unit.unit.cited if unit else document_id
        return View(shown, look, Head(without, "", Markup(), (), (), None), None, unit)
    body = body_of(read, look, twin)
    if unit and unit.nuggets:  # all of an answer is shown
        body = body._replace(before=0, after=0)
    return View(shown, look, _head(read, look, body, twin), body, unit)


def _twin(topic_id: str, document_id: str, against: str | None) -> Document | None:
    """The document shown before, if both are in one cluster of near duplicates of the topic."""
    if against is None or against == document_id:
        return None
    cluster = near_duplicates.of_topic(g.campaign, topic_id)
    if against not in cluster or cluster[against] != cluster.get(document_id):
        return None
    stored = stored_documents.find(g.campaign, against)
    return stored.document if stored else None


def _head(shown: Document, look: Look, body: Body, before: Document | None) -> Head:
    title, compared = title_of(shown.title, look, before.title if before else None)
    named, others = chosen_fields(shown.fields, document_fields(settings.read(g.campaign).document_fields))
    twin = _compared(before, body.language, compared, body.comparison) if before else None
    main, further = ((), others) if named else _parted(others)
    images = page_images.of_document(g.campaign, shown.document_id)
    pages = PageImages(images, shown.fields.get("pages", "")) if images else None
    return Head(shown.document_id, shown.title, title, named + main, further, twin, pages)


def _parted(fields: tuple[Field, ...]) -> tuple[tuple[Field, ...], tuple[Field, ...]]:
    """The fields that are above a document, and those in a fold; the first few where none is known as a main one."""
    if len(fields) <= MOST_FIELDS:
        return fields, ()
    main = [field for field in fields if field.name.lower() in MAIN_FIELDS][:MOST_FIELDS] or fields[
        :MOST_FIELDS
    ]
    return tuple(main), tuple(field for field in fields if field not in main)


def _compared(before: Document, language: str, *parts: Comparison) -> Twin:
    """The near duplicate with the sums over what was compared: the title, and the text."""
    new, missing = (sum(part.words_new for part in parts), sum(part.words_missing for part in parts))
    unit = "character" if language in UNSPACED else "word"
    found = {reason for part in parts for reason in part.reasons}
    return Twin(
        document_id=before.document_id,
        name=before.title or before.document_id,
        new=_counted(new, unit) if new or missing else "",
        missing=_counted(missing, unit) if new or missing else "",
        reasons=tuple(gettext(reason) for reason in REASONS if reason in found),
    )


def _counted(count: int, unit: str) -> str:
    """
    >>> _counted(0, "word"), _counted(1, "word"), _counted(1200, "word")
    ('none', '1 word', '1,200 words')
    """
    if not count:
        return gettext("none")
    if unit == "character":
        return ngettext("%(num)s character", "%(num)s characters", count)
    return ngettext("%(num)s word", "%(num)s words", count)


def _language(view: View) -> str:
    """The document's language as a tag for HTML: what a field names, else what its page or its words say, or ""."""
    read = view.unit.read if view.unit else view.shown.document
    fields = read.fields if read else {}
    named = next((fields[name] for name in LANGUAGE_FIELDS if language_code(fields.get(name, ""))), "")
    if named:
        return named if LANGUAGE_TAG.fullmatch(named) else language_code(named)
    return view.body.language if view.body else ""


class MarkedTerm(NamedTuple):
    """A term that is marked in a document, with how many hits it has there."""

    text: str
    own: bool
    hits: int
    colour: int


class ShownDocument(NamedTuple):
    """A document as it is shown, with what a judgment of it has to echo.

    Attributes:
        hits: where terms stand: 0 is the beginning, 1 the end.
        opens_at: the hit at which the best stretch begins, counted from 0.
        passage: whether there is a best stretch.
        differences: where the text differs from that of its near duplicate.
        twin: the near duplicate that it is compared with.
        left: of a pair of things which one is on the left, first or second.
    """

    account: str
    document_id: str
    title: str
    state: Literal["text", "empty", "missing"]
    log: str
    pool: int
    text_hash: str | None
    topic_version: int
    guideline_version: int
    left: str | None
    mine: OwnJudgment | None
    hits: Sequence[float]
    terms: tuple[MarkedTerm, ...]
    opens_at: int | None
    passage: bool
    differences: Sequence[float]
    twin: Twin | None


def _described(view: View) -> Any:
    """What is shown, as JSON values."""
    shown, body, look = view.shown, view.body, view.look
    counts, own = body.counts if body else (0,) * len(look.terms), own_colours(look)
    terms = (
        MarkedTerm(term.text, term.own, count, colour_of(number, own))
        for number, (term, count) in enumerate(zip(look.terms, counts, strict=True))
    )
    described = ShownDocument(
        account=g.account,
        document_id=view.document_id,
        title=view.title,
        state="text"
        if view.unit or view.pair
        else "missing"
        if body is None
        else "empty"
        if body.is_empty
        else "text",
        log=log.mark(g.campaign),
        pool=shown.pool,
        **shown.proof,
        mine=own_judgment(shown.mine),
        hits=body.places if body else (),
        terms=tuple(terms),
        opens_at=body.opens_at if body else None,
        passage=body is not None and body.has_passage,
        differences=body.differences if body else (),
        twin=view.head.twin,
    )
    return content(described)
