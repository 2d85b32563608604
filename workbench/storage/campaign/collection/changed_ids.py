"""Ids of documents that changed between releases of the collection: tables in the log, from old ids to new ones.

Judgments, pools and runs keep the ids that they came with. From a table's row on they count under the new ids.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.log import kinds
from workbench.storage.campaign.log.log import Event, append_event
from workbench.storage.campaign.log.state import part

KIND = kinds.CHANGED_IDS
Table = Mapping[str, str]
"""New ids by old ones; no new id is an old one of the same table."""
Pair = tuple[str, str]


@part(KIND, start=list)
def id_tables(found: list[Table], event: Event) -> None:
    """The tables in the order of the log."""
    found.append(dict(event.content["ids"]))


@part(KIND, start=set)
def named_ids(found: set[str], event: Event) -> None:
    """All ids that a table names, old and new."""
    found.update(*event.content["ids"])


def put(campaign: Campaign, ids: Table) -> int:
    """Record a table inside the open write transaction; returns the event's `seq`."""
    return append_event(campaign, KIND, {"ids": [list(each) for each in sorted(ids.items())]})


def newest_id(changed: Iterable[Table], document_id: str) -> str:
    """The id that a document has by these tables, one after the other."""
    for table in changed:
        document_id = table.get(document_id, document_id)
    return document_id


def newer(changed: Iterable[Table], pairs: Collection[Pair]) -> set[Pair]:
    """The pairs of topic and document by every later id of their documents, without the ids that they have."""
    later = set[Pair]()
    for table in changed:
        later |= {(topic, table[each]) for topic, each in (*pairs, *later) if each in table}
    return later


def under_new_ids(changed: Sequence[Table], given: Mapping[str, int]) -> dict[str, int]:
    """A topic's labels by today's ids: that given to the new id, else the highest of the ids that became it."""
    found = dict(given)
    for table in changed:
        moved: dict[str, int] = {}
        for old in table.keys() & found.keys():
            label = found.pop(old)
            moved[table[old]] = max(label, moved.get(table[old], label))
        found = moved | found
    return found
