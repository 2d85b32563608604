"""The rank column of a run: never used, but looked at, since many believe that it orders the documents."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from workbench.core.errors import Problem
from workbench.core.wording import counted
from workbench.formats.text.lines import Layout, shown

TIES_SHOWN = 3
IGNORED = "the order comes from the scores"


class RankColumn(NamedTuple):
    """The columns of one run that matter here (all of equal length, in file order), and where its rows stand."""

    file: str
    topic_id: pl.Series
    document_id: pl.Series
    rank: pl.Series
    score: NDArray[np.float64]
    layout: Layout

    def warnings(self) -> Iterator[Problem]:
        """What the rank column says that is not so."""
        ranks = self.rank.cast(pl.Int64, strict=False)
        if ranks.null_count():
            yield self._not_numbers(ranks)
            return
        values = ranks.to_numpy()
        lowest = int(values.argmin())
        if values[lowest] < 1:
            message = f"ranks count from {values[lowest]}, not from 1; {IGNORED}, so nothing to do"
            yield self._at(lowest, message, "rank")
        topics = topic_numbers(self.topic_id)
        if not plainly_in_order(topics, values, self.score):
            yield from self._contradictions(topics, values)
        yield from self._ties(topics, values)

    def _at(self, row: int, message: str, kind: str) -> Problem:
        return Problem(self.file, self.layout.line_of(row), message, kind)

    def _not_numbers(self, ranks: pl.Series) -> Problem:
        row = int(ranks.is_null().arg_max() or 0)
        lines = counted(ranks.null_count(), "line")
        value = shown(str(self.rank[row]))
        message = f"rank {value} is not a whole number (so in {lines}); {IGNORED}, so nothing to do"
        return self._at(row, message, "rank")

    def _contradictions(self, topics: NDArray[np.int64], ranks: NDArray[np.int64]) -> Iterator[Problem]:
        """One warning for the file: how many topics, and the first pair of documents in the first of them."""
        above, below = contradicting_pairs(topics, ranks, self.score)
        opposed, kind = ranks[below] < ranks[above], "rank"
        if np.any(opposed):
            above, below, kind = above[opposed], below[opposed], "rank-order"
            says = "the rank column contradicts the scores"
            way_out = f"{IGNORED}: if the ranks are meant, write scores that fall with them"
        else:
            says = "the rank column gives documents of different scores the same rank"
            way_out = f"{IGNORED}, so nothing to do"
        if not len(below):
            return
        example = int(np.minimum(above, below).argmin())
        high, low = int(above[example]), int(below[example])
        count = len(np.unique(topics[below]))
        here = f"in {counted(count, 'topic')}, here in topic {shown(self.topic_id[high])}"
        pair = f"{self._with_rank(high, ranks)} has a higher score than {self._with_rank(low, ranks)}"
        yield self._at(max(high, low), f"{says} {here}: {pair}; {way_out}", kind)

    def _ties(self, topics: NDArray[np.int64], ranks: NDArray[np.int64]) -> Iterator[Problem]:
        """One warning for the file: equal scores, whose documents the ids order otherwise than the rank column."""
        if not len(rows := tied_rows(topics, self.score)):
            return
        tied = pl.DataFrame(
            {"topic": topics[rows], "score": -self.score[rows], "rank": ranks[rows], "row": rows}
        )
        tied = tied.with_columns(document=self.document_id.gather(rows))
        if tied.select(pl.struct("topic", "document").is_duplicated().any()).item():
            return  # documents listed twice are reported as such
        tied = tied.sort("topic", "score", "document", descending=[False, False, True])
        group = tied.select(pl.struct("topic", "score").rle_id()).to_series().to_numpy()
        rank = tied["rank"].to_numpy()
        wrong = np.flatnonzero((group[1:] == group[:-1]) & (rank[1:] < rank[:-1]))
        if not len(wrong):
            return
        first = tied.filter(pl.Series(group == group[wrong[0]]))
        count = tied["topic"].gather(wrong).n_unique()
        ids = first["document"].head(TIES_SHOWN).to_list()
        order = ", ".join(map(shown, ids)) + (", …" if first.height > TIES_SHOWN else "")
        message = (
            f"documents of equal scores are ordered by their ids, the last first, in {counted(count, 'topic')} "
            f"against the rank column, here in topic {shown(self.topic_id[int(first['row'][0])])}: {order}; "
            "if the ranks are meant, write scores that fall with them"
        )
        yield self._at(int(first["row"].to_numpy().min()), message, "ties")

    def _with_rank(self, row: int, ranks: NDArray[np.int64]) -> str:
        place = f"line {self.layout.line_of(row)}, rank {ranks[row]}"
        return f"document {shown(self.document_id[row])} ({place})"


def topic_numbers(topic_id: pl.Series) -> NDArray[np.int64]:
    """A number for each row, equal exactly where the topic is equal; rising where each topic is one block."""
    blocks = topic_id.rle_id().to_numpy().astype(np.int64)
    heads = topic_id.gather(np.flatnonzero(np.diff(blocks, prepend=-1)))
    if heads.n_unique() == len(heads):
        return blocks
    number_of_block = heads.rank("dense").to_numpy().astype(np.int64)
    return np.asarray(number_of_block[blocks])


def plainly_in_order(
    topics: NDArray[np.int64], ranks: NDArray[np.int64], scores: NDArray[np.float64]
) -> bool:
    """Whether nothing can contradict in a file of the usual order: topics in blocks, scores falling in each.

    Of each stretch of equal scores, the lowest rank is compared with the highest rank of the stretch before it.
    """
    same = topics[1:] == topics[:-1]
    if not np.all((topics[1:] > topics[:-1]) | (same & (scores[1:] <= scores[:-1]))):
        return False
    first = np.flatnonzero(np.append(True, ~same | (scores[1:] != scores[:-1])))
    lowest, highest = np.minimum.reduceat(ranks, first), np.maximum.reduceat(ranks, first)
    next_topic = topics[first[1:]] != topics[first[:-1]]
    return bool(np.all((lowest[1:] > highest[:-1]) | next_topic))


def tied_rows(topics: NDArray[np.int64], scores: NDArray[np.float64]) -> NDArray[np.int64]:
    """The rows that share topic and score with another one."""
    order = np.lexsort((scores, topics))
    same = (topics[order][1:] == topics[order][:-1]) & (scores[order][1:] == scores[order][:-1])
    return np.sort(order[np.append(same, False) | np.append(False, same)])


def contradicting_pairs(
    topics: NDArray[np.int64], ranks: NDArray[np.int64], scores: NDArray[np.float64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Rows of one topic of which the first has the higher score and not the smaller rank.

    One pair for each step from a score to the next lower one at which that happens; equal scores may have
    any ranks.
    """
    order = np.lexsort((ranks, -scores, topics))
    topic, rank, score = topics[order], ranks[order], scores[order]
    step = (topic[1:] == topic[:-1]) & (score[1:] != score[:-1])
    wrong = np.flatnonzero(step & (rank[1:] <= rank[:-1]))
    return order[wrong], order[wrong + 1]
