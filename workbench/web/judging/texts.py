"""Documents that an assessor will read next, many in one answer: pages load them before they are needed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NamedTuple

from flask import Response, jsonify, request

from workbench.campaign.assessing import QueueItem
from workbench.core.errors import NotThere
from workbench.core.results import content
from workbench.core.values import Given, list_of, whole
from workbench.web.access.rules import JUDGES, Pages
from workbench.web.judging.document_view import html_of, view_of_pair
from workbench.web.judging.submissions import TEXT, read_sent
from workbench.web.requests.long_work import reads_documents

MOST_AT_ONCE = 25
"""This many documents are in one answer: a thread for reading works at it meanwhile."""

LARGEST = 1_000_000
"""This many bytes of UTF-8 may be in one answer, which always has one document at least."""

FIRST, FIRST_CARDS, FIRST_SIZE = 4, 12, 60_000
"""How many documents come with the judging page itself, how many with that of cards (as many as
static/judging/next_cards.js shows together), and how many bytes of them.
"""

blueprint = Pages("texts", __name__)


class Wanted(NamedTuple):
    """A document to be read, and the near duplicate that it is compared with."""

    document_id: Annotated[str, Given(TEXT)]
    against: Annotated[str | None, Given(TEXT)]


class TextsWanted(NamedTuple):
    """Documents of a topic, as many of the first ones as have `size` bytes, as a norming session shows them or not."""

    topic_id: Annotated[str, Given(TEXT, by="client")]
    documents: Annotated[tuple[Wanted, ...], Given(list_of(Wanted, MOST_AT_ONCE, "document"), by="client")]
    size: Annotated[int, Given(whole("a number of bytes", 0), by="client")]
    norming: Annotated[
        int | None, Given(whole("the number of a norming session", 0), by="client, if any")
    ] = None


class PageOfText(NamedTuple):
    """A document's page, as compared with its near duplicate."""

    document_id: str
    against: str | None
    html: str


class Texts(NamedTuple):
    """The pages of documents."""

    texts: tuple[PageOfText, ...]


@blueprint.post("/c/<campaign>/api/texts", allow=JUDGES)
@reads_documents
def texts(campaign: str) -> Response:
    """Up to 25 `documents` of a topic as pages for frames, the first ones of the list up to `size` bytes.

    A document that is in no pool of the topic is left out.
    """
    wanted = read_sent(TextsWanted)
    return jsonify(content(Texts(texts_of(wanted._replace(size=min(wanted.size, LARGEST))))))


def texts_of(wanted: TextsWanted) -> tuple[PageOfText, ...]:
    """The pages of the first documents, until they have `size` bytes in all; one page has any size."""
    found: list[PageOfText] = []
    room = wanted.size
    for document_id, against in wanted.documents:
        try:
            html = html_of(view_of_pair(wanted.topic_id, document_id, against, norming=wanted.norming))
        except NotThere:
            continue
        room -= len(html.encode())
        if found and room < 0:
            break
        found.append(PageOfText(document_id, against, html))
    return tuple(found)


def first_texts(
    topic_id: str, items: Sequence[QueueItem], *, norming: int | None, on_cards: bool
) -> tuple[PageOfText, ...]:
    """What the judging page shows first: the document of `?document=`, or the next open ones."""
    asked = request.args.get("document")
    places = [
        place
        for place, item in enumerate(items)
        if (item.document_id == asked if asked is not None else item.state == "open" and not item.later)
    ]
    first = places[: FIRST_CARDS if on_cards else FIRST]
    wanted = tuple(Wanted(items[place].document_id, _against(items, place)) for place in first)
    return texts_of(TextsWanted(topic_id, wanted, FIRST_SIZE, norming))


def _against(items: Sequence[QueueItem], place: int) -> str | None:
    """The near duplicate just before a document, as `nearBefore` in static/judging/queue.js finds it."""
    near = items[place].near
    is_after_one = place > 0 and near is not None and items[place - 1].near == near
    return items[place - 1].document_id if is_after_one else None
