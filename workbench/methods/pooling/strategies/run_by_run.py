"""Orders that ask one run at a time for its next document: move-to-front and bandits."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.core.parameters import Limits
from workbench.core.ranking import FloatArray, IntArray
from workbench.core.seed import SEED
from workbench.methods.pooling.chance import Seed, uniforms
from workbench.methods.pooling.ordering import order
from workbench.methods.pooling.topic_table import Seen, TopicTable

Rate = Annotated[
    float,
    Limits(
        "what earlier documents of a run count when another is judged: 1 all alike, 0 the last alone",
        least=0,
        most=1,
    ),
]


@order("mtf", kind="adaptive")
def move_to_front(table: TopicTable, seen: Seen, *, seed: Seed = SEED) -> FloatArray:
    """The next document of the run with the highest priority: each miss lowers it by one, a find restores it.

    A run is asked for its documents from the top; one that was judged through another run counts as if it had been
    judged through this one. Runs with the same priority take turns at random.

    Formula: the run of least m_s, of equals that of least c_s, where m_s is the longest stretch of documents without
    a relevant one from its top to the first that is not judged, and c_s the latest such stretch. That is the queue of
    priorities, walked from the start over what is judged; of equal runs one whose next document is known goes first.

    Source: Cormack, Palmer and Clarke, SIGIR 1998, local.
    """
    misses = table.onwards("misses", lambda before: _misses_after(table, seen, before))
    priority = -(misses.longest * (1.0 + len(table)) + misses.latest)
    return _asked(table, seen, priority.astype(np.float64), seed, misses.reach)


class _Misses(NamedTuple):
    """What is judged, bool (n), and what follows: of each run how many are judged from its top, the longest stretch of
    them without a relevant one, and the latest, which reaches down to the first that is not judged; int64 (S).
    """

    judged: NDArray[np.bool_]
    relevant: NDArray[np.bool_]
    reach: IntArray
    longest: IntArray
    latest: IntArray


def _misses_after(table: TopicTable, seen: Seen, before: _Misses | None) -> _Misses:
    """The stretches after all that is judged, from those before where nothing of it was undone or changed."""
    # The last of each stands for what is below a run's end.
    judged, relevant = np.zeros((2, len(table) + 1), np.bool_)
    judged[:-1], relevant[:-1] = seen.judged, seen.relevant
    # What was judged before is to be judged still, and as it was.
    if (
        before is None
        or np.count_nonzero(before.judged > judged)
        or np.count_nonzero((relevant & before.judged) != before.relevant)
    ):
        return _Misses(judged, relevant, *_misses(judged[table.place_at], relevant[table.place_at]))
    _, _, reach, longest, latest = before
    line = table.once("lines", lambda: np.arange(len(table.rank)))
    place = table.place_at[line, reach]
    while np.count_nonzero(on := judged[place]):
        reach = reach + on
        latest = np.where(relevant[place] & on, 0, latest + on)
        longest = np.maximum(longest, latest)
        place = table.place_at[line, reach]
    return _Misses(judged, relevant, reach, longest, latest)


def _misses(judged: NDArray[np.bool_], relevant: NDArray[np.bool_]) -> tuple[IntArray, IntArray, IntArray]:
    """Reach, longest and latest stretch of each run, int64 (S), from bools by rank (S, L + 1), no last one judged."""
    reach = judged.argmin(axis=1)
    deepest = max(1, int(reach.max(initial=0)))  # below it nothing matters
    rank = np.arange(1, deepest + 1)
    found = np.maximum.accumulate(relevant[:, :deepest] * rank, axis=1)
    stretch = (rank - found) * (rank <= reach[:, None])
    return reach, stretch.max(axis=1, initial=0), stretch[np.arange(len(reach)), reach - 1]


@order("maxmean", kind="adaptive")
def max_mean(table: TopicTable, seen: Seen, *, rate: Rate = 1.0, seed: Seed = SEED) -> FloatArray:
    """The next document of the run with the largest share of relevant documents so far.

    What is judged counts for every run that has the document, whichever run was asked. Of equal runs one is chosen at
    random.

    Formula: (1 + rel_s)/(2 + ret_s), where for each judged document that s has rel_s ← rate · rel_s + 1 if it is
    relevant, else rate · rel_s, and ret_s ← rate · ret_s + 1

    Source: Losada, Parapar and Barreiro, Information Processing and Management 53, 2017: MM, and MM-NS for rate 0.
    """
    found, asked = _counted(table, seen, rate)
    return _asked(table, seen, (1 + found) / (2 + asked), seed, asked if rate == 1 else None)


@order("thompson", kind="adaptive")
def thompson(table: TopicTable, seen: Seen, *, rate: Rate = 1.0, seed: Seed = SEED) -> FloatArray:
    """The next document of a run drawn by how likely it is to have the largest share of relevant documents.

    As maxmean, but in the place of the mean stands a number drawn from the distribution of that share.

    Formula: a number from Beta(1 + rel_s, 1 + ret_s - rel_s), with rel_s and ret_s as for maxmean

    Source: Losada, Parapar and Barreiro, Information Processing and Management 53, 2017: TS.
    """
    from scipy.special import betaincinv

    found, asked = _counted(table, seen, rate)
    chance = uniforms(table, seed, len(seen.sequence))
    worth = betaincinv(1 + found, 1 + asked - found, chance)
    return _asked(table, seen, worth, seed, asked if rate == 1 else None)


class _Counts(NamedTuple):
    """What `sequence` (J) and its judgments, bool (J), make of rel_s and ret_s, float64 (S)."""

    sequence: IntArray
    relevant: NDArray[np.bool_]
    rel: FloatArray
    ret: FloatArray


def _counted(table: TopicTable, seen: Seen, rate: float) -> tuple[FloatArray, FloatArray]:
    """rel_s and ret_s of every run, float64 (S)."""
    if rate == 1:
        return table.weight_of_found @ seen.relevant, table.weight_of_found @ seen.judged
    counts = table.onwards(("counts", rate), lambda before: _discounted(table, seen, rate, before))
    return counts.rel, counts.ret


def _discounted(table: TopicTable, seen: Seen, rate: float, before: _Counts | None) -> _Counts:
    """The counts after all that is judged, from those before if they are of its beginning."""
    sequence, relevant = seen.sequence.copy(), seen.relevant[seen.sequence]
    start = 0 if before is None else len(before.sequence)
    rel, ret = (np.zeros(len(table.rank)),) * 2 if before is None else (before.rel, before.ret)
    if before is not None and not (
        np.array_equal(sequence[:start], before.sequence)
        and np.array_equal(relevant[:start], before.relevant)
    ):
        return _discounted(table, seen, rate, None)
    for place, is_relevant in zip(sequence[start:], relevant[start:], strict=True):
        has = table.found[:, place]
        kept = np.where(has, rate, 1.0)
        rel, ret = kept * rel + has * is_relevant, kept * ret + has
    return _Counts(sequence, relevant, rel, ret)


def _asked(
    table: TopicTable, seen: Seen, worth: FloatArray, seed: int, asked: FloatArray | IntArray | None = None
) -> FloatArray:
    """Scores by which the documents of the run of most worth come first, from its top; the others by best rank.

    Runs without a document that is open are passed over; of runs of equal worth one is chosen at random. `asked` is how
    many documents of each run are judged (S), where that is known, or something smaller for those that are open.
    """
    is_open = (table.weight_of_found @ seen.judged if asked is None else asked) < table.lengths
    worth = np.where(is_open, worth, -np.inf)
    run = worth.argmax()
    equal = worth == worth[run]
    if np.count_nonzero(equal) > 1:
        run = np.where(equal, uniforms(table, seed, len(seen.sequence)), -1.0).argmax()
    scores: FloatArray = table.once(
        "asked", lambda: -np.where(table.found, table.rank, len(table) + table.best_rank).astype(np.float64)
    )[run]
    return scores
