"""Documents that an assessor will read next, many in one answer: pages load them before they are needed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from flask import Blueprint, Response, jsonify, request

from workbench.campaign.assessing import QueueItem
from workbench.core.errors import NotThere
from workbench.core.values import LARGEST_INTEGER
from workbench.web.access.rules import JUDGES, allow_in_campaign
from workbench.web.judging.document_view import html_of, view_of_pair
from workbench.web.judging.submissions import Reader, WrongField, read_fields, read_text, sent_json
from workbench.web.requests.answers import refusal
from workbench.web.requests.long_work import reads_documents

MOST_AT_ONCE = 25
"""This many documents are in one answer: a thread for reading works at it meanwhile."""

LARGEST = 1_000_000
"""This many bytes of UTF-8 may be in one answer, which always has one document at least."""

FIRST, FIRST_CARDS, FIRST_SIZE = 4, 12, 60_000
"""How many documents come with the judging page itself, how many with that of cards (as many as
static/judging/next_cards.js shows together), and how many bytes of them.
"""

blueprint = Blueprint("texts", __name__)


class Wanted(NamedTuple):
    """A document to be read, and the near duplicate that it is compared with."""

    document_id: str
    against: str | None


@blueprint.post("/c/<campaign>/api/texts")
@allow_in_campaign(*JUDGES)
@reads_documents
def texts(campaign: str) -> Response:
    """The pages of `documents` as frames show them, the first ones of the list up to `size` bytes.

    A document that is in no pool of the topic is left out.
    """
    try:
        sent = read_fields(sent_json(), READERS, frozenset({"norming"}))
    except WrongField as error:
        return refusal(422, "wrong field", str(error), field=error.field)
    found = texts_of(
        sent["topic_id"], sent["documents"], norming=sent.get("norming"), size=min(sent["size"], LARGEST)
    )
    return jsonify(texts=found)


def texts_of(
    topic_id: str, wanted: Iterable[Wanted], *, norming: int | None, size: int
) -> list[dict[str, Any]]:
    """The pages of the first documents, until they have `size` bytes in all; one page has any size."""
    found: list[dict[str, Any]] = []
    room = size
    for document_id, against in wanted:
        try:
            html = html_of(view_of_pair(topic_id, document_id, against, norming=norming))
        except NotThere:
            continue
        room -= len(html.encode())
        if found and room < 0:
            break
        found.append({"document_id": document_id, "against": against, "html": html})
    return found


def first_texts(
    topic_id: str, items: Sequence[QueueItem], *, norming: int | None, on_cards: bool
) -> list[dict[str, Any]]:
    """What the judging page shows first: the document of `?document=`, or the next open ones."""
    asked = request.args.get("document")
    places = [
        place
        for place, item in enumerate(items)
        if (item.document_id == asked if asked is not None else item.state == "open" and not item.later)
    ]
    first = places[: FIRST_CARDS if on_cards else FIRST]
    wanted = [Wanted(items[place].document_id, _against(items, place)) for place in first]
    return texts_of(topic_id, wanted, norming=norming, size=FIRST_SIZE)


def _against(items: Sequence[QueueItem], place: int) -> str | None:
    """The near duplicate just before a document, as `nearBefore` in static/judging/queue.js finds it."""
    near = items[place].near
    is_after_one = place > 0 and near is not None and items[place - 1].near == near
    return items[place - 1].document_id if is_after_one else None


def _documents(value: object) -> list[Wanted]:
    if not isinstance(value, list) or not 0 < len(value) <= MOST_AT_ONCE:
        raise ValueError(f"a list of 1 to {MOST_AT_ONCE} documents is expected")
    return [_wanted(one) for one in value]


def _wanted(value: object) -> Wanted:
    if not isinstance(value, Mapping) or set(value) != set(Wanted._fields):
        raise ValueError(f"a document has {', '.join(Wanted._fields)}")
    against = value["against"]
    return Wanted(read_text(value["document_id"]), None if against is None else read_text(against))


def _natural(expected: str, most: int | None = None) -> Reader:

    def read(value: object) -> int:
        if type(value) is not int or value < 0 or (most is not None and value > most):
            raise ValueError(f"{expected} is expected")
        return value

    return read


_session = _natural("the number of a norming session", LARGEST_INTEGER)
READERS: Mapping[str, Reader] = {
    "topic_id": read_text,
    "documents": _documents,
    "size": _natural("a number of bytes"),
    "norming": lambda value: None if value is None else _session(value),
}
