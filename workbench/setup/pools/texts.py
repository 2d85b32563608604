"""Texts for the strategies that go by them: read once, kept as vectors while there is room; too few are refused."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from hashlib import sha256

import numpy as np

from workbench.core.errors import CampaignError
from workbench.core.recently_used import RecentlyUsed
from workbench.methods.pooling import Strategy
from workbench.methods.pooling.other_documents import other_documents
from workbench.methods.pooling.topic_table import TopicTable
from workbench.methods.pooling.topic_texts import TopicTexts
from workbench.methods.text.tf_idf import word_vectors
from workbench.setup.near_duplicates import plain_text
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import documents, topics

KEPT_ENTRIES = 20_000_000
"""Vectors of so many words in documents stay in memory, of 12 bytes each; those of the last topic always do."""

MOST_TOPICS = 10_000

ENOUGH = 0.5
"""The share of the candidates that must have a text."""


class TextTables:
    """Tables with the texts of their topics, made once for the same texts and forgotten when they need much memory."""

    def __init__(self) -> None:
        """Nothing is read yet."""
        self._kept: RecentlyUsed[tuple[str, str], TopicTable] = RecentlyUsed(MOST_TOPICS)

    def with_texts(
        self,
        campaign: Campaign,
        table: TopicTable,
        document_ids: Sequence[str],
        as_of: int | None = None,
    ) -> TopicTable:
        """A table of candidates with their texts as they are stored now, and that of the topic as of a row of the log.

        Args:
            campaign: an open campaign.
            table: the candidates, with their ids.
            document_ids: the candidates of all topics, each once, in byte order.
            as_of: the row.
        """
        others = table.once("other documents", lambda: other_documents(table, document_ids))
        topic = topics.as_of(campaign, table.topic_id, as_of)
        text = "" if topic is None else f"{topic.topic.title}\n{topic.topic.description}"
        key = table.topic_id, _state(campaign, [*table.document_id, *others], text)
        found = self._kept.use(key, lambda: replace(table, texts=_read(campaign, table, others, text)))
        while len(self._kept) > 1 and sum(map(_entries, self._kept.values())) > KEPT_ENTRIES:
            self._kept.popitem(last=False)
        return found


def _state(campaign: Campaign, document_ids: Sequence[str], text: str) -> str:
    """What tells other texts, and other documents, from these."""
    hashes = documents.text_hashes(campaign, document_ids)
    of = sha256(text.encode("utf-8", "surrogatepass"))
    for document_id in document_ids:
        of.update(f"\0{document_id}\0{hashes.get(document_id, '')}".encode("utf-8", "surrogatepass"))
    return of.hexdigest()


def _entries(table: TopicTable) -> int:
    texts = table.texts
    return 0 if texts is None else int(texts.candidates.nnz + texts.topic.nnz + texts.others.nnz)


def _read(campaign: Campaign, table: TopicTable, others: Sequence[str], text: str) -> TopicTexts:
    there: list[bool] = []

    def texts() -> Iterator[str]:
        yield text
        for document_id in (*table.document_id, *others):
            stored = documents.find(campaign, document_id)
            there.append(stored is not None)
            yield "" if stored is None else f"{stored.document.title}\n{plain_text(stored.document)}"

    matrix, words = word_vectors(texts())
    n = len(table)
    checksum = sha256(words.encode() + np.packbits(there).tobytes()).hexdigest()
    return TopicTexts(matrix[1 : 1 + n], matrix[:1], matrix[1 + n :], np.array(there[:n], np.bool_), checksum)


def refuse_without_texts(
    campaign: Campaign, strategy: Strategy, document_ids: Collection[str], *, recorded: bool = False
) -> None:
    """CampaignError where a strategy goes by texts and too few of its candidates have one.

    `recorded` says that texts count which a recorded source has: they are read before the pool is made.
    """
    if not strategy.uses_texts:
        return
    there = set(documents.text_hashes(campaign, document_ids))
    if recorded and _few(there, document_ids):
        for source in documents.sources(campaign):
            for ids in documents.source_ids(campaign, source.source):
                there.update(set(ids).intersection(document_ids))
    if _few(there, document_ids):
        message = (
            f"{strategy.name} goes by the texts, and {len(there):,} of {len(document_ids):,} candidates have one; "
            f"add documents: workbench add documents {campaign.path} FILE..., or choose a strategy that needs no "
            "texts, such as hedge"
        )
        raise CampaignError(message)


def _few(there: Collection[str], of: Collection[str]) -> bool:
    return not there or len(there) < ENOUGH * len(of)
