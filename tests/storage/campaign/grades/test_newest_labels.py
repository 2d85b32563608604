"""Labels by the newest grade are read in one pass over an index, and are those of each assessor's newest row."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from tests.log_rows import row
from workbench.core.records import KINDS
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import documents
from workbench.storage.campaign.collection.pools import then
from workbench.storage.campaign.grades import judgments, newest_labels
from workbench.storage.campaign.grades.current_judgments import INDEPENDENT_KINDS
from workbench.storage.campaign.grades.sources import ALIKE, MODEL, Precedence
from workbench.storage.campaign.log import log

WITHOUT_GRADE = ("can't tell", "cleared")
PRECEDENCES = [
    *(ALIKE, Precedence(0, 1, None), Precedence(0, 1, 2), Precedence(0, 0, 2)),
    *(ALIKE.of(["import"]), ALIKE.of(["model"]), Precedence(0, 1, 2).of(["import", "model"])),
]


@pytest.fixture
def mixed(small: Campaign) -> Campaign:
    """Three people and a model say 900 things of 300 pairs: some pairs have one row, some many, of all kinds."""
    draw = random.Random(7)
    ids = [f"e{number:03d}" for number in range(300)]
    rows = []
    for _ in range(900):
        kind = draw.choice((*KINDS, *("grade",) * 6))
        grade = None if kind in WITHOUT_GRADE else draw.randrange(-1, 3)
        rows.append(row(draw.choice(["Ann", "Ben", "Zoë"]), "1", draw.choice(ids), grade, kind=kind))
    with small.write():
        documents.put_ids(small, ids)
        log.append_judgments(small, rows)
    return small


@pytest.mark.parametrize("precedence", PRECEDENCES)
@pytest.mark.parametrize("as_of", [None, 400])
def test_one_pass_gives_the_labels_that_each_assessors_newest_row_gives(
    mixed: Campaign, precedence: Precedence, as_of: int | None
) -> None:
    exact = mixed.db.conn.execute(
        f"SELECT seq, topic, document, grade, max(place) FROM ({newest_labels.own(precedence)}) "
        "GROUP BY topic, document ORDER BY topic, document",
        then(mixed.at(as_of)),
    ).fetchall()
    assert len(exact) > 20
    found = list(newest_labels.each_topic(mixed.at(as_of), precedence))
    rows = [
        (seq, topic.topic_id, document_id, grade)
        for topic in found
        for document_id, grade, seq in zip(topic.document_ids, topic.grades, topic.seqs, strict=True)
    ]
    assert rows == [row[:4] for row in exact]


@pytest.mark.parametrize("precedence", PRECEDENCES)
def test_pairs_with_several_judgments_are_counted_whatever_counts_of_them(
    mixed: Campaign, precedence: Precedence
) -> None:
    kinds = {*INDEPENDENT_KINDS, *(() if precedence.models is None else (MODEL,))}
    given = Counter(judgment.document_id for judgment in judgments.log(mixed) if judgment.kind in kinds)
    [topic] = newest_labels.each_topic(mixed, precedence)
    assert topic.repeated == sum(number > 1 for number in given.values()) > 20


def test_any_document_id_comes_as_it_was_stored(small: Campaign) -> None:
    ids = sorted(['"', "\\", "[1,", "\u2028", "é", "🜁", "\x01", "a b\nc", "\x00"])
    with small.write():
        documents.put_ids(small, ids)
        log.append_judgments(small, [row("Ann", "1", document_id, 1) for document_id in ids])
    [topic] = newest_labels.each_topic(small, ALIKE)
    assert topic.document_ids == ids
