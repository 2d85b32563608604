"""What adaptive pools chose since they were made: further pairs of a topic, each choice an event of the log."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from workbench.core.records import Pooled
from workbench.storage.campaign.collection import pooled_units
from workbench.storage.campaign.collection.pools import COLUMNS, EVER
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.log.kinds import CHOICE
from workbench.storage.campaign.log.log import Event, append_event
from workbench.storage.campaign.log.state import part


class Choice(NamedTuple):
    """Pairs of one topic that an adaptive pool chose by what was judged as of the row `seen` of the log.

    Each of `pairs` is a document with its best rank and how many runs have it; `seq` is the choice's own row, 0 before
    it is stored. `texts` is the checksum of the texts that a strategy which uses texts looked at, else "". Where pairs
    of things are judged, `compared` has for each of `pairs` its two things in byte order, and the probability by which
    it was chosen.
    """

    pool: int
    topic_id: str
    pairs: tuple[tuple[str, int, int], ...]
    seen: int
    seq: int = 0
    texts: str = ""
    compared: tuple[tuple[str, str, float], ...] = ()

    @property
    def pooled(self) -> list[Pooled]:
        """The pairs as they are pooled: all are to be judged."""
        return [Pooled(self.topic_id, *pair, 1, 1.0) for pair in self.pairs]


def put_choice(campaign: Campaign, choice: Choice) -> int:
    """Store a choice of new pairs inside the open write transaction, after `documents.put_ids`; its event's `seq`."""
    content = {
        "pool": choice.pool,
        "topic": choice.topic_id,
        "pairs": list(map(list, choice.pairs)),
        "seen": choice.seen,
        **({"texts": choice.texts} if choice.texts else {}),
        **({"compared": list(map(list, choice.compared))} if choice.compared else {}),
    }
    seq = append_event(campaign, CHOICE, content)
    pooled_units.put_texts(campaign, choice.pooled)  # of pairs of things the choice says what they are
    campaign.db.conn.executemany(
        f"INSERT INTO pooled ({COLUMNS}, choice) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        ((*pair, choice.pool, seq) for pair in choice.pooled),
    )
    return seq


def choice_of(content: dict[str, Any], seq: int) -> Choice:
    """The choice that an event's content says."""
    pairs = tuple((document_id, rank, runs) for document_id, rank, runs in content["pairs"])
    compared = tuple((first, second, float(chance)) for first, second, chance in content.get("compared", ()))
    texts = content.get("texts", "")
    return Choice(content["pool"], content["topic"], pairs, content["seen"], seq, texts, compared)


@part(CHOICE, start=list)
def all_choices(found: list[Choice], event: Event) -> None:
    """All choices of adaptive pools, in the order of the log."""
    found.append(choice_of(event.content, event.seq))


def chosen_of_topic(campaign: Campaign, pool: int, topic_id: str) -> int:
    """How many documents of a topic a pool in force chose while it was judged."""
    return campaign.number(
        "SELECT count(*) FROM pooled WHERE pool = ? AND topic = ? AND choice IS NOT NULL", [pool, topic_id]
    )


def wrong_choices(campaign: Campaign) -> Iterator[str]:
    """A sentence for each choice that is not pooled as the log says it, or is pooled without being in the log."""
    rows = campaign.execute(
        f"SELECT {COLUMNS}, choice FROM {EVER} WHERE choice IS NOT NULL ORDER BY choice, topic, document"
    )
    stored = {seq: [row[:7] for row in own] for seq, own in groupby(rows, key=itemgetter(7))}
    logged = {each.seq: sorted((*pair, each.pool) for pair in each.pooled) for each in all_choices(campaign)}
    for seq in sorted(stored.keys() | logged.keys()):
        if stored.get(seq) != logged.get(seq):
            yield f"log row {seq}: the pairs that it chose are not the pooled ones"
