"""Texts for the strategies that go by them: read once, kept as vectors while there is room; too few are refused."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.campaign.near_duplicates import plain_text
from workbench.core.errors import CampaignError
from workbench.core.recently_used import RecentlyUsed
from workbench.methods.pooling import Strategy
from workbench.methods.pooling.chance import other_documents
from workbench.methods.pooling.topic_table import TopicTable, TopicTexts, with_further
from workbench.methods.text.tf_idf import word_vectors
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import documents, topics

if TYPE_CHECKING:
    from scipy.sparse import csr_array

KEPT_ENTRIES = 10_000_000
"""Vectors of this many words in documents stay in memory, of 12 bytes each; those of the last topic always do."""

MOST_TOPICS = 10_000

ENOUGH = 0.5
"""The share of the candidates that must have a text."""


class _AllTexts(NamedTuple):
    """The vectors of all topics, in byte order of their ids, and of all documents with a text, which it names."""

    topics: csr_array
    documents: csr_array
    document_ids: list[str]
    checksum: str

    def in_table(self, table: TopicTable, place: int) -> TopicTable:
        """The table with all these documents, and their texts; `place` is that of its topic."""
        from scipy.sparse import csr_array

        table, known = with_further(table, self.document_ids), set(self.document_ids)
        there = np.array([each in known for each in table.document_id], np.bool_)
        start = self.documents.indptr[np.concatenate([[0], np.cumsum(there)])]
        cells = self.documents.data, self.documents.indices, start
        candidates = csr_array(cells, shape=(len(there), self.documents.shape[1]))
        topic, others = self.topics[place : place + 1], self.topics[:0]
        texts = TopicTexts(candidates, topic, others, there, _checksum(self.checksum, there))
        return replace(table, texts=texts)


class TextTables:
    """Tables with the texts of their topics, made once for the same texts and forgotten when they need much memory."""

    def __init__(self) -> None:
        """Nothing is read yet."""
        self._kept: RecentlyUsed[tuple[Hashable, str, str], TopicTable] = RecentlyUsed(MOST_TOPICS)
        self._all: RecentlyUsed[str, _AllTexts] = RecentlyUsed(1)

    def with_texts(
        self, campaign: Campaign, table: TopicTable, document_ids: Sequence[str], of: Hashable
    ) -> TopicTable:
        """A table of candidates with their texts as they are stored now, and that of the topic as of a row of the log.

        `document_ids` are the candidates of all topics, each once, in byte order; `of` is what tells the table from
        others of the same topic: the runs that it is of, and the topics beside it.
        """
        others = table.once("other documents", lambda: other_documents(table, document_ids))
        text, every = _topic_text(campaign, table.topic_id), [*table.document_id, *others]
        hashes = documents.text_hashes(campaign, every)
        state = _state([text], [(each, hashes.get(each, "")) for each in every])
        key = of, table.topic_id, state
        return self._bounded(key, lambda: replace(table, texts=_read(campaign, table, others, text)))

    def with_all_texts(self, campaign: Campaign, table: TopicTable, of: Hashable) -> TopicTable:
        """The same with all documents that have a text besides the candidates; vectors are those of all topics."""
        texts = [_topic_text(campaign, each) for each in topics.topic_ids(campaign)]
        hashes = documents.all_text_hashes(campaign)
        state = _state(texts, hashes.items())
        every = self._all.use(state, lambda: _all_texts(campaign, texts, list(hashes)))
        place = topics.topic_ids(campaign).index(table.topic_id)
        key = of, table.topic_id, state
        return self._bounded(key, lambda: every.in_table(table, place))

    def _bounded(self, key: tuple[Hashable, str, str], make: Callable[[], TopicTable]) -> TopicTable:
        found = self._kept.use(key, make)
        while len(self._kept) > 1 and sum(map(_entries, self._kept.values())) > KEPT_ENTRIES:
            self._kept.popitem(last=False)
        return found


def _topic_text(campaign: Campaign, topic_id: str) -> str:
    topic = topics.find(campaign, topic_id)
    return "" if topic is None else f"{topic.topic.title}\n{topic.topic.description}"


def _state(texts: Iterable[str], hashes: Iterable[tuple[str, str]]) -> str:
    """What tells other texts of topics, and other documents or texts of them, from these."""
    of = sha256()
    for part in chain(texts, chain.from_iterable(hashes)):
        of.update(f"{part}\0".encode("utf-8", "surrogatepass"))
    return of.hexdigest()


def _entries(table: TopicTable) -> int:
    texts = table.texts
    return int(table.rank.size) + (0 if texts is None else int(texts.candidates.nnz + texts.others.nnz))


def _texts_of(campaign: Campaign, document_ids: Iterable[str]) -> Iterator[str]:
    """The words of documents, "" for one without a text."""
    for document_id in document_ids:
        stored = documents.find(campaign, document_id)
        yield "" if stored is None else f"{stored.document.title}\n{plain_text(stored.document)}"


def _read(campaign: Campaign, table: TopicTable, others: Sequence[str], text: str) -> TopicTexts:
    every, n = [*table.document_id, *others], len(table)
    having = documents.text_hashes(campaign, every)
    there = np.array([each in having for each in every], np.bool_)
    matrix, words = word_vectors(chain([text], _texts_of(campaign, every)))
    parts = matrix[1 : 1 + n], matrix[:1], matrix[1 + n :]
    return TopicTexts(*parts, there[:n], _checksum(words, there))


def _all_texts(campaign: Campaign, texts: Sequence[str], document_ids: list[str]) -> _AllTexts:
    matrix, words = word_vectors(chain(texts, _texts_of(campaign, document_ids)))
    return _AllTexts(matrix[: len(texts)], matrix[len(texts) :], document_ids, words)


def _checksum(words: str, there: NDArray[np.bool_]) -> str:
    return sha256(words.encode() + np.packbits(there).tobytes()).hexdigest()


def refuse_without_texts(
    campaign: Campaign, strategy: Strategy, document_ids: Collection[str], *, recorded: bool = False
) -> None:
    """CampaignError where a strategy uses texts and too few of its candidates have one.

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
        raise CampaignError(
            f"{strategy.name} uses the texts, and {len(there):,} of {len(document_ids):,} candidates have one; "
            f"add documents: workbench add documents {campaign.command_name} FILE..., or choose a strategy that needs "
            "no texts, such as hedge"
        )


def _few(there: Collection[str], of: Collection[str]) -> bool:
    return not there or len(there) < ENOUGH * len(of)
