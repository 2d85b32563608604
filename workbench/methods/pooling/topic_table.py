"""The rankings of one topic as a table of ranks, and what is judged of it: what the orders of pooling look at."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from workbench.core.ranking import FloatArray, IntArray, Rankings

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Found = TypeVar("Found")


NO_NUMBER = np.iinfo(np.uint32).max
"""In the place of a document's number where it has none."""

DENSE_CELLS = 200_000
"""Up to this many cells a product with all of them takes less time than to pass over the empty ones."""


PARTS = 1e11
"""Scores that differ by less than such a part of the largest are equal, see `settled`."""


class Entries(NamedTuple):
    """Each document of each run: the line of the run, the place of the document, and its rank there, all (E)."""

    line: IntArray
    place: IntArray
    rank: NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class TopicTable:
    """One topic's candidates over all runs: S runs, n documents.

    Attributes:
        document: uint32 (n). The candidates' numbers, in byte order of their ids; ascending where these are unknown,
            and NO_NUMBER for documents that no run has.
        rank: int32 (S, n). From 1; 0 where the run does not have the document within the depth.
        score: float64 (S, n), 0 where the rank is 0; None where the rankings have no scores.
        depth: how far down the rankings the candidates come from, at most the largest int32.
        score_range: float64 (S, 2), the least and the greatest finite score of each whole ranking, not only down to
            the depth; nan where there is none, and None where the rankings have no scores.
        topic_id: the topic; empty where the rankings came without names.
        document_id: n ids, likewise.
        run: the numbers of the S runs.
        texts: what an order that uses texts looks at besides; None where it was not read.
    """

    document: NDArray[np.uint32]
    rank: NDArray[np.int32]
    score: FloatArray | None
    depth: int
    score_range: FloatArray | None = None
    topic_id: str = ""
    document_id: Sequence[str] = ()
    run: tuple[int, ...] = ()
    texts: TopicTexts | None = None
    _derived: dict[Hashable, Any] = field(default_factory=dict, init=False, repr=False)

    def __len__(self) -> int:
        return len(self.document)

    def once(self, what: Hashable, find: Callable[[], Found]) -> Found:
        """What `find` derives from the rankings alone, such as weights by rank: found once, kept with the table."""
        if what not in self._derived:
            self._derived[what] = find()
        found: Found = self._derived[what]
        return found

    def latest(self, what: Hashable, state: Hashable, find: Callable[[], Found]) -> Found:
        """What `find` derives from the rankings and a state; that of the latest state is kept with the table."""
        kept = self._derived.get(what)
        if kept is None or kept[0] != state:
            kept = self._derived[what] = state, find()
        found: Found = kept[1]
        return found

    def onwards(self, what: Hashable, step: Callable[[Found | None], Found]) -> Found:
        """What `step` makes of its latest result, None at first; for what would be slow to derive from the start.

        The result has to be the same, to the last bit, whatever the latest one was.
        """
        found = self._derived[what] = step(self._derived.get(what))
        return found

    @cached_property
    def found(self) -> NDArray[np.bool_]:
        """Whether a run has a document, bool (S, n)."""
        return self.rank > 0

    @cached_property
    def best_rank(self) -> NDArray[np.int32]:
        """The best rank of each document, int32 (n); 0 where no run has it."""
        # Counted from 0 and without a sign, the 0 of a run that does not have the document is the largest number.
        below = (self.rank.astype(np.uint32) - np.uint32(1)).min(axis=0, initial=np.iinfo(np.uint32).max)
        best: NDArray[np.int32] = (below + np.uint32(1)).astype(np.int32)
        return best

    def is_within(self, depth: int) -> NDArray[np.bool_]:
        """Which documents a run has among its first `depth`, bool (n)."""
        return (self.best_rank > 0) & (self.best_rank <= depth)

    @cached_property
    def entries(self) -> Entries:
        """The documents of all runs, of which a table of many runs has far fewer than cells."""
        line, place = np.nonzero(self.found)
        return Entries(line, place, self.rank[line, place])

    def matrix(self, values: FloatArray) -> Any:
        """The values (E) of all entries as a matrix (S, n) for products, with 0 elsewhere; float64.

        That of many runs is sparse: of 143 runs of 1,000 documents one cell in fifty is filled.
        """
        line, place, _ = self.entries
        if self.rank.size > DENSE_CELLS:
            from scipy.sparse import csr_array

            return csr_array((values, (line, place)), shape=self.rank.shape)
        cells = np.zeros(self.rank.shape)
        cells[line, place] = values
        return cells

    @cached_property
    def weight_of_found(self) -> Any:
        """1 where a run has a document, else 0: products with it count documents, see `matrix`."""
        return self.matrix(np.ones(len(self.entries.line)))

    @cached_property
    def lengths(self) -> IntArray:
        """How many candidates each run has, int64 (S)."""
        lengths: IntArray = self.found.sum(axis=1)
        return lengths

    @cached_property
    def place_at(self) -> IntArray:
        """The place of the document at each rank of each run, from the top, int64 (S, L + 1); n below a run's end."""
        places = np.full((len(self.rank), 1 + int(self.rank.max(initial=0))), len(self), np.int64)
        line, place = np.nonzero(self.found)
        places[line, self.rank[line, place] - 1] = place
        return places

    def where_found(self, values: FloatArray) -> FloatArray:
        """The values, (S, n), with 0 where a run does not have the document."""
        return values * self.found


@dataclass(frozen=True, eq=False)
class Seen:
    """What is judged of a topic's n candidates: all that an adaptive order knows beside the table.

    The choice of the next document is a function of table, this and the seed alone: so a replay chooses the same, a
    restart goes on, and a grade that is changed or undone counts from then on as if it had always been so.

    Attributes:
        judged: bool (n).
        relevant: bool (n); False where a document is not judged.
        sequence: the places of what is judged, int64 (J), in the order in which each was first judged.
        across: what the order's function `across` made of all topics together; None where a topic is looked at alone.
    """

    judged: NDArray[np.bool_]
    relevant: NDArray[np.bool_]
    sequence: IntArray
    across: Any = None

    @classmethod
    def nothing(cls, n: int) -> Seen:
        """Nothing is judged of n candidates."""
        return cls(np.zeros(n, np.bool_), np.zeros(n, np.bool_), np.zeros(0, np.int64))


def table_of(
    rankings: Rankings, *, depth: int | None = None, runs: Sequence[int] | None = None
) -> TopicTable:
    """The table of rankings that are all of one topic, down to `depth` (None for all of them).

    There is at most one row for each run, its documents in the order in which they are to be pooled. `runs` are the
    numbers of the runs that get a line, in this order; None for those of the rows.
    """
    lines = rankings.run if runs is None else np.asarray(runs)
    line_of = {int(run): line for line, run in enumerate(lines)}
    whole = rankings
    if depth is not None:
        rankings = rankings.to_depth(depth)
    line = np.repeat([line_of[int(run)] for run in rankings.run], rankings.lengths).astype(np.int64)
    document, column = np.unique(rankings.document, return_inverse=True)
    topic_id, ids = "", []
    if rankings.names is not None and len(rankings):
        topic_id = rankings.names.topic_ids[rankings.topic[0]]
        ids = [rankings.names.document_ids[topic_id][number] for number in document.tolist()]
    if ids:  # the numbers of a campaign are not in the order of ids where runs were added one after the other
        by_id = np.array(sorted(range(len(ids)), key=ids.__getitem__), np.int64)
        document, ids = document[by_id], [ids[place] for place in by_id]
        column = np.argsort(by_id)[column]
    rank = np.zeros((len(lines), len(document)), np.int32)
    rank[line, column] = rankings.entry_ranks
    score = score_range = None
    if rankings.score is not None:
        score = np.zeros(rank.shape)
        score[line, column] = rankings.score
        score_range = np.full((len(lines), 2), np.nan)
        for row, run in enumerate(whole.run):
            whole_score = whole.rows_between(row, row + 1).score
            if whole_score is not None and (finite := whole_score[np.isfinite(whole_score)]).size:
                score_range[line_of[int(run)]] = finite.min(), finite.max()
    deepest = int(rankings.lengths.max(initial=0)) if depth is None else depth
    runs_of_lines = tuple(int(run) for run in lines)
    return TopicTable(
        document, rank, score, min(deepest, np.iinfo(np.int32).max), score_range, topic_id, ids, runs_of_lines
    )


def with_further(table: TopicTable, document_ids: Sequence[str]) -> TopicTable:
    """The table with further documents besides its candidates, which it names: they have no rank in any run."""
    every = sorted({*table.document_id, *document_ids})
    place = {document_id: at for at, document_id in enumerate(every)}
    at = [place[document_id] for document_id in table.document_id]
    document = np.full(len(every), NO_NUMBER, np.uint32)
    document[at] = table.document
    rank = np.zeros((len(table.rank), len(every)), np.int32)
    rank[:, at] = table.rank
    score = None
    if table.score is not None:
        score = np.zeros(rank.shape)
        score[:, at] = table.score
    return replace(table, document=document, rank=rank, score=score, document_id=every)


def sequence(table: TopicTable, scores: FloatArray, burn_in: int = 0) -> IntArray:
    """The places of all candidates in the order of judging, int64 (n).

    Those of the burn-in come first, by best rank; the others by score. Of equals the lower document id is first.
    """
    return in_sequence(np.arange(len(table)), table, scores, burn_in)


def settled(scores: FloatArray) -> FloatArray:
    """Scores rounded to a part in 10^11 of the largest, so that those which are equal but for the order of a sum are.

    What processors and libraries round differently in the last digits then chooses no other document. Infinite scores
    stay, and do not count.
    """
    largest = np.abs(scores[np.isfinite(scores)]).max(initial=0)
    if not largest:
        return scores
    rounded: FloatArray = np.rint(scores * (PARTS / largest))
    return rounded


def in_sequence(places: IntArray, table: TopicTable, scores: FloatArray, burn_in: int = 0) -> IntArray:
    """Some of the candidates' places, which ascend, in the same order."""
    best_rank, late = table.best_rank[places], ~table.is_within(burn_in)[places]
    return places[np.lexsort((places, np.where(late, -scores[places], best_rank), late))]


@dataclass(frozen=True, eq=False)
class TopicTexts:
    """The texts of one topic as vectors of W words, in the order of its table of n candidates.

    Attributes:
        candidates: float64 (n, W); a candidate without a text has zeros alone.
        topic: float64 (1, W), the topic's own text.
        others: float64 (m, W), documents that are no candidates of the topic (see `other_documents`).
        there: bool (n), which candidates have a text.
        checksum: SHA-256 of all that these come from.
    """

    candidates: csr_array
    topic: csr_array
    others: csr_array
    there: NDArray[np.bool_]
    checksum: str
