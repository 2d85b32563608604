"""What the log said about every pair, kept so that the labels of any moment are found at once.

A judgment is in force from its row on until the same assessor judges the pair again, and an adjudication until the
next one. So the labels of a moment by the newest grade are one pass over arrays: the pairs pooled by then, then the
grades in force, a newer one over an older one. Other rules put theirs in place of these.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from workbench.core.ranking import POOLED, UNJUDGED, IntArray, Labels, starts_of
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import runs, topic_withdrawals
from workbench.storage.campaign.collection.pool_pairs import retired
from workbench.storage.campaign.grades import rows_over_time as log_history
from workbench.storage.campaign.grades.label_rules import Label
from workbench.storage.campaign.grades.sources import ALIKE, Precedence
from workbench.storage.campaign.log.log import LARGEST_INTEGER

Numbers = Mapping[str, Mapping[str, int]]
"""Topic id -> document id -> number within the topic."""


class LabelHistory:
    """The log's judgments and pools as arrays, read once and then followed.

    Args:
        topic_ids: the campaign's topics in byte order.
        sizes: how many numbers of documents the rankings of each topic use, int64 (T).
        numbers: numbers that are known already; others are looked up.
    """

    def __init__(self, topic_ids: Sequence[str], sizes: IntArray, numbers: Numbers) -> None:
        self._index = {topic_id: topic for topic, topic_id in enumerate(topic_ids)}
        self._numbers = {topic_id: dict(numbers.get(topic_id, {})) for topic_id in topic_ids}
        self._sizes = sizes.copy()
        self._lines: dict[tuple[str | None, bool], int] = {}
        self._kinds: dict[str, int] = {}
        self._read = 0
        self._said = np.empty((6, 0), np.int64)
        self._until = np.empty(0, np.int64)
        self._graded = np.empty(0, np.bool_)
        self._pooled = np.empty((4, 0), np.int64)

    @property
    def numbers(self) -> Numbers:
        """The numbers of all documents that were judged or pooled so far."""
        return self._numbers

    def follow(self, campaign: Campaign, seq: int) -> None:
        """Read the log up to its row `seq`, if it is not read so far yet."""
        if seq <= self._read:
            return
        said = log_history.grades_between(campaign, self._read, seq)
        pooled = log_history.pooled_between(campaign, self._read, seq)
        pairs = {(row.topic_id, row.document_id) for row in said}
        self._number(campaign, pairs | {(row.topic_id, row.document_id) for row in pooled})
        self._pooled = _joined(self._pooled, map(self._pooled_row, pooled))
        self._said = _joined(self._said, map(self._said_row, said))
        self._until = _until(self._said)
        self._graded = self._said[4] != UNJUDGED
        self._read = seq

    def labels(self, campaign: Campaign, seq: int, precedence: Precedence = ALIKE) -> Labels:
        """The labels of the moment after row `seq` by the newest grade of those that count."""
        start = starts_of(self._sizes)
        label = np.full(int(start[-1]), UNJUDGED, np.int16)
        pooled = self._pooled[:, : _rows_up_to(self._pooled, seq)]
        out = list(retired(campaign, seq))
        _, topic, number, _ = pooled[:, ~np.isin(pooled[3], out)] if out else pooled
        label[start[topic] + number] = POOLED
        rows = _rows_up_to(self._said, seq)
        in_force = self._said[:, :rows][:, self._graded[:rows] & (self._until[:rows] > seq)]
        for kinds in self._tiers(precedence):
            _, topic, number, _, grade, _ = in_force[:, np.isin(in_force[5], kinds)]
            # Of several values for one place numpy keeps the last, which is the newest.
            label[start[topic] + number] = grade
        for topic_id in topic_withdrawals.withdrawn(campaign, seq):
            place = self._index[topic_id]
            label[start[place] : start[place + 1]] = UNJUDGED
        return Labels(start, label)

    def _tiers(self, precedence: Precedence) -> list[list[int]]:
        """The numbers of the kinds that count, those of one tier together, what counts before others last."""
        found: dict[int, list[int]] = {}
        for kind, number in self._kinds.items():
            tier = precedence.tier(kind)
            if tier is not None:
                found.setdefault(tier, []).append(number)
        return [kinds for _, kinds in sorted(found.items(), reverse=True)]

    def relabelled(self, labels: Labels, given: Iterable[Label]) -> Labels:
        """Labels of the same pairs by another rule than the newest grade: `given` are all of them."""
        label, start = labels.label.copy(), labels.topic_start
        for one in given:
            topic = self._index[one.topic_id]
            label[start[topic] + self._numbers[one.topic_id][one.document_id]] = one.grade
        return Labels(labels.topic_start, label)

    def _said_row(self, row: log_history.LoggedGrade) -> tuple[int, int, int, int, int, int]:
        line = self._lines.setdefault(row.line, len(self._lines))
        kind = self._kinds.setdefault(row.kind, len(self._kinds))
        number = self._numbers[row.topic_id][row.document_id]
        grade = UNJUDGED if row.grade is None else row.grade
        return row.seq, self._index[row.topic_id], number, line, grade, kind

    def _pooled_row(self, row: log_history.LoggedPooling) -> tuple[int, int, int, int]:
        number = self._numbers[row.topic_id][row.document_id]
        return row.seq, self._index[row.topic_id], number, row.pool

    def _number(self, campaign: Campaign, pairs: set[tuple[str, str]]) -> None:
        """Give numbers to those pairs that have none: those of the vocabulary, and new ones beyond it."""
        new: dict[str, list[str]] = {}
        for topic_id, document_id in sorted(pairs):
            if document_id not in self._numbers[topic_id]:
                new.setdefault(topic_id, []).append(document_id)
        for topic_id, document_ids in new.items():
            place = {each: number for number, each in enumerate(runs.vocabulary(campaign, topic_id))}
            known, topic = self._numbers[topic_id], self._index[topic_id]
            beyond = max(len(place), int(self._sizes[topic]), 1 + max(known.values(), default=-1))
            for document_id in document_ids:
                known[document_id] = place.get(document_id, beyond)
                beyond += document_id not in place
        for topic_id in {topic_id for topic_id, _ in pairs}:
            topic, highest = self._index[topic_id], max(self._numbers[topic_id].values())
            self._sizes[topic] = max(self._sizes[topic], 1 + highest)


def _joined(before: IntArray, rows: Iterator[tuple[int, ...]]) -> IntArray:
    """Rows put after the columns that are there, int64 (fields, rows)."""
    new = np.array(list(rows), np.int64).reshape(-1, len(before)).T
    return np.concatenate([before, new], axis=1)


def _rows_up_to(rows: IntArray, seq: int) -> int:
    return int(np.searchsorted(rows[0], seq, side="right"))


def _until(said: IntArray) -> NDArray[np.int64]:
    """The row of the log by which the same assessor judged the same pair again, int64 (J)."""
    seq, topic, number, line, _, _ = said
    order = np.lexsort((seq, line, number, topic))
    sorted_rows = said[1:4, order]
    again = (sorted_rows[:, 1:] == sorted_rows[:, :-1]).all(axis=0)
    until = np.full(said.shape[1], LARGEST_INTEGER, np.int64)
    until[order[:-1][again]] = seq[order[1:][again]]
    return until
