"""What a judge said before people judged: labels that cannot have been made from what they are compared with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from workbench.core.errors import UnknownName
from workbench.core.records import COUNTED_KINDS
from workbench.core.wording import none_such
from workbench.storage.campaign.collection.pools import TAKES_PART, then
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.file.schema import quoted, shown
from workbench.storage.campaign.grades.sources import MODEL
from workbench.storage.campaign.log.erasable import id_of

Pair = tuple[str, str]


class FixedLabels(NamedTuple):
    """A judge's labels, of each pair the newest of those that were there in time.

    Attributes:
        grades: by topic id and document id.
        left_out: the pairs whose labels were all given too late.
    """

    grades: dict[Pair, int]
    left_out: tuple[Pair, ...]


def fixed_labels(campaign: Campaign, judge: str, begun: Mapping[str, int]) -> FixedLabels:
    """The labels of a judge that are in earlier rows of the log than `begun` says of their topic, if it does.

    UnknownName where no judge of this name has given a label.
    """
    rows = campaign.execute(
        f"""SELECT topic, document, seq, grade FROM judgment WHERE kind = '{MODEL}' AND assessor = :judge
        AND seq <= :as_of AND grade IS NOT NULL AND {TAKES_PART} ORDER BY seq""",
        {**then(campaign), "judge": id_of(campaign, judge)},
    ).fetchall()
    if not rows:
        every = f"SELECT DISTINCT {shown('assessor')} FROM judgment WHERE kind = '{MODEL}' AND seq <= :as_of"
        raise UnknownName(
            none_such("judge with labels", judge, sorted(campaign.column(every, then(campaign))))
        )
    found: dict[Pair, int] = {}
    late: dict[Pair, None] = {}
    for topic_id, document_id, seq, grade in rows:
        if seq < begun.get(topic_id, seq + 1):
            found[topic_id, document_id] = grade
        else:
            late[topic_id, document_id] = None
    return FixedLabels(found, tuple(pair for pair in late if pair not in found))


def first_by_people(campaign: Campaign) -> dict[Pair, int]:
    """The row of the log by which a person first said something of each pair."""
    rows = campaign.execute(
        f"""SELECT topic, document, min(seq) FROM judgment WHERE kind IN ({quoted(COUNTED_KINDS)})
        AND seq <= :as_of AND {TAKES_PART} GROUP BY topic, document""",
        then(campaign),
    )
    return {(topic_id, document_id): seq for topic_id, document_id, seq in rows}
