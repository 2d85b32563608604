"""What an adaptive pool chooses from: the tables of its topics, and what is judged of them as of a row of the log.

For the strategies that go by them texts are read once, and kept as vectors while there is room; too few are refused.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.campaign.near_duplicates import plain_text
from workbench.core.errors import CampaignError
from workbench.core.ranking import IntArray, Rankings
from workbench.core.recently_used import RecentlyUsed
from workbench.methods.pooling import STRATEGIES, TIES, Strategy, needs
from workbench.methods.pooling.chance import other_documents
from workbench.methods.pooling.registry import candidates
from workbench.methods.pooling.topic_table import Seen, TopicTable, TopicTexts, table_of, with_further
from workbench.methods.text.tf_idf import word_vectors
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import documents, pools, runs, topic_withdrawals, topics
from workbench.storage.campaign.collection.changed_ids import id_tables, under_new_ids
from workbench.storage.campaign.collection.rankings import load_rankings
from workbench.storage.campaign.grades import current_judgments, labels
from workbench.storage.campaign.grades.residual import residual
from workbench.storage.campaign.organising import settings

if TYPE_CHECKING:
    from scipy.sparse import csr_array


KEPT_CELLS = 64_000_000
"""Tables of this many ranks (runs times documents) stay in memory; some orders keep 20 bytes for each."""


class TakingPart(NamedTuple):
    """What candidates depend on: the numbers of the pool's runs that took part, and the withdrawn topics."""

    runs: tuple[int, ...]
    out: frozenset[str]


class Ranked(NamedTuple):
    """The rankings that a pool chooses from, and the place of each topic in them."""

    rankings: Rankings
    place: Mapping[str, int]

    def all_documents(self, depth: int) -> list[str]:
        """The ids of all topics' candidates, each once, in byte order."""
        return sorted(set().union(*(self.documents(topic_id, depth) for topic_id in self.place)))

    def documents(self, topic_id: str, depth: int) -> set[str]:
        """The ids of a topic's candidates."""
        return set(self.table(topic_id, depth).document_id) if topic_id in self.place else set()

    def table(self, topic_id: str, depth: int) -> TopicTable:
        """A topic's candidates."""
        return table_of(self.rankings.of_topic(self.place[topic_id]), depth=depth)


class Candidates:
    """The candidates of one pool, read once for each set of runs and topics: both can be withdrawn and restored."""

    def __init__(self, pool: pools.StoredPool) -> None:
        """Nothing is read yet."""
        self.pool = pool
        self.entry = STRATEGIES.find(pool.record.strategy, pool.record.plugin)
        self.parameters = self.entry.check(pool.record.parameters)
        self.depth = int(self.parameters["depth"])
        self._ranked: RecentlyUsed[TakingPart, Ranked] = RecentlyUsed(2)
        self._tables: RecentlyUsed[tuple[str, TakingPart], TopicTable] = RecentlyUsed(1)
        self._documents: RecentlyUsed[TakingPart, list[str]] = RecentlyUsed(2)
        self._texts = TextTables()

    def ranked(self, campaign: Campaign) -> Ranked:
        """The rankings of those of its runs, for those of the topics, that took part as of a row of the log."""
        return self._of(campaign, self._taking_part(campaign))

    def table(self, campaign: Campaign, topic_id: str) -> TopicTable | None:
        """The candidates of a topic, with texts if the strategy needs them; None without any, or when withdrawn."""
        then = self._taking_part(campaign)
        ranked = self._of(campaign, then)
        if topic_id not in ranked.place:
            return None
        table = self._tables.use((topic_id, then), lambda: ranked.table(topic_id, self.depth))
        if not self.entry.uses_texts:
            return table
        if self.parameters.get("among") == "texts":
            return self._texts.with_all_texts(campaign, table, then)
        every = self._documents.use(then, lambda: ranked.all_documents(self.depth))
        return self._texts.with_texts(campaign, table, every, then)

    def sizes(self, campaign: Campaign) -> tuple[list[str], IntArray]:
        """The topics that had candidates when the pool was made, in byte order, and how many, int64 (T)."""
        ranked = self.ranked(campaign.at(self.pool.seq))
        reached = candidates(ranked.rankings.to_depth(self.depth))
        counts = np.bincount(reached.topic, minlength=1 + max(ranked.place.values(), default=-1))
        return list(ranked.place), counts[list(ranked.place.values())].astype(np.int64)

    def _taking_part(self, campaign: Campaign) -> TakingPart:
        wanted = set(self.pool.record.runs)
        return TakingPart(
            tuple(run.run for run in runs.in_force(campaign) if run.record.tag in wanted),
            frozenset(topic_withdrawals.withdrawn(campaign)),
        )

    def _of(self, campaign: Campaign, then: TakingPart) -> Ranked:
        return self._ranked.use(then, lambda: self._read(campaign, then.runs))

    def _read(self, campaign: Campaign, numbers: Sequence[int]) -> Ranked:
        record = self.pool.record
        stored = load_rankings(campaign, **needs(record.strategy, record.ties, record.parameters)._asdict())
        stored = residual(campaign.at(self.pool.seq), stored, record.residual)
        chosen = [index for index, run in enumerate(stored.runs) if run.run in set(numbers)]
        rankings = TIES.find(record.ties)(stored.rankings.of_runs(chosen))
        there = np.unique(rankings.topic[rankings.lengths > 0])
        largest = (1 + int(rankings.document.max(initial=0))) * max(1, len(chosen))
        self._tables = RecentlyUsed(max(1, KEPT_CELLS // largest))
        return Ranked(rankings, {stored.topic_ids[topic]: int(topic) for topic in there})


def seen_of(campaign: Campaign, topic_id: str, table: TopicTable) -> Seen:
    """What is judged of a topic's candidates by label rule, as of a row; "can't tell" is judged, not relevant."""
    grades = _by_each_id(campaign, labels.grades_of_topic(campaign, topic_id))
    relevant_from = settings.read(campaign).relevant_from
    place = table.once("places", lambda: {each: at for at, each in enumerate(table.document_id)})
    first = _by_each_id(campaign, current_judgments.first_of_topic(campaign, topic_id))
    judged = current_judgments.judged_in_topic(campaign, topic_id) | grades.keys()
    in_order = sorted((first[each], place[each]) for each in judged if each in place)
    found = np.array([at for _, at in in_order], np.int64)
    relevant = [place[each] for each, grade in grades.items() if grade >= relevant_from and each in place]
    return Seen(_mask(len(table), found), _mask(len(table), relevant), found)


def _by_each_id(campaign: Campaign, given: dict[str, int]) -> dict[str, int]:
    """What a topic's documents have, also under the ids that they have by now."""
    return under_new_ids(id_tables(campaign), given) | given


def taken_of(campaign: Campaign, table: TopicTable, document_ids: Sequence[str]) -> NDArray[np.bool_]:
    """Which candidates are among these documents, also by other ids, as of a row of the log, bool (n)."""
    place = table.once("places", lambda: {each: at for at, each in enumerate(table.document_id)})
    every = _by_each_id(campaign, dict.fromkeys(document_ids, 0))
    return _mask(len(table), [place[each] for each in every if each in place])


def _mask(n: int, places: Sequence[int] | IntArray) -> NDArray[np.bool_]:
    mask = np.zeros(n, np.bool_)
    mask[np.asarray(places, np.int64)] = True
    return mask


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
    """CampaignError if too few candidates have a text, or one in a source if `recorded`, for a strategy by texts."""
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
