"""The lists of the page of conflicts: those that are open, and what has been settled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from flask import g

from workbench.core.natural_order import natural
from workbench.storage.campaign.collection import documents, topics
from workbench.web.requests.lists import Choice, Column, Filter, Listing


class Row(NamedTuple):
    """A conflict or a settled pair as the list shows it, with what the topic and the document are called."""

    what: Any
    topic: str
    title: str


DOCUMENT = Column[Row]("document", "Document", lambda row: natural(row.title.casefold()))
TOPIC = Column[Row]("topic", "Topic", lambda row: natural(row.what.topic_id))

OPEN = Listing[Row](
    noun="conflict",
    columns=(
        DOCUMENT,
        TOPIC,
        Column("grades", "Grades given", lambda row: sorted(row.what.grades)),
        Column("assessors", "Assessors", lambda row: row.what.assessors, numeric=True),
        Column("apart", "Apart", lambda row: row.what.gap, numeric=True),
        Column("swaps", "Order of top runs", lambda row: -row.what.influence.swaps),
    ),
    filters=(
        Filter(
            "order",
            "Order of top runs",
            {
                "changes": Choice("could change", lambda row: bool(row.what.influence.swaps)),
                "stays": Choice("stays", lambda row: not row.what.influence.swaps),
            },
            every="any",
        ),
    ),
    text=lambda row: f"{row.what.topic_id} {row.topic} {row.what.document_id} {row.title}",
    looks_in="Topic or document",
    prefix="open-",
)

SETTLED = Listing[Row](
    noun="document",
    columns=(
        DOCUMENT,
        TOPIC,
        Column("grade", "Adjudicated as", lambda row: row.what.grade, numeric=True),
        Column("by", "By", lambda row: natural(row.what.adjudicator.casefold())),
        Column("when", "When", lambda row: row.what.seq, numeric=True),
        Column("note", "Note", lambda row: row.what.comment.casefold() or None),
    ),
    text=lambda row: f"{row.what.topic_id} {row.topic} {row.what.document_id} {row.title} {row.what.comment}",
    looks_in="Topic, document or note",
    prefix="settled-",
)


def rows_of(shown: Sequence[Any]) -> list[Row]:
    """Conflicts or settled pairs with what their topics and documents are called."""
    titles = documents.titles(g.campaign, [each.document_id for each in shown])
    names = topics.titles(g.campaign)
    return [
        Row(each, names.get(each.topic_id, ""), titles.get(each.document_id) or each.document_id)
        for each in shown
    ]
