"""What leaving out a team or a run does: rows for each of them, and what becomes of significant pairs."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.core.results import FLAT, IN_JSON, Column, shown
from workbench.methods.measures.judged import FloatArray
from workbench.methods.statistics.all_pairs import of_pairs, pairwise_t
from workbench.methods.statistics.paired import benjamini_hochberg

ALPHA = 0.05
TEST = f"paired t-test with Benjamini’s and Hochberg’s correction over all pairs, at {ALPHA:g}"


class RunWithout(NamedTuple):
    """A run with all judgments, and without those of documents that its group alone put into the pools.

    Attributes:
        run: which.
        score, score_without: with all judgments, and without those.
        rank, rank_without: from 1 among all runs of the board, each scored by the same judgments.
    """

    run: str
    score: Annotated[float, Column(kind="score")]
    score_without: Annotated[float, Column("Without", kind="score")]
    rank: int
    rank_without: int

    @property
    @shown(Column(kind="signed"))
    def change(self) -> float:
        """How much higher the score is without."""
        return self.score_without - self.score

    @property
    @shown(Column("Change %", kind="size"))
    def change_percent(self) -> float | None:
        """The same in percent of the score; None of a score of 0."""
        return 100 * self.change / self.score if self.score else None

    @property
    def ranks_lost(self) -> int:
        """How many ranks lower the run stands without; negative is higher."""
        return self.rank_without - self.rank


class Preserved(NamedTuple):
    """The pairs of runs that differ significantly before or after.

    Attributes:
        agree: significant both times, with the same run ahead (active agreements, AA).
        lost: significant before and not after; with `gained` the mixed ones (MA).
        gained: significant after and not before.
        reversed: significant both times, with the other run ahead (active disagreements, AD).
    """

    agree: Annotated[int, Column("Still significant")]
    lost: Annotated[int, Column("No longer")]
    gained: Annotated[int, Column("Newly")]
    reversed: Annotated[int, Column("Other run ahead")]

    @property
    @shown(Column("Significant pairs"))
    def before(self) -> int:
        """How many pairs were significant before."""
        return self.agree + self.lost + self.reversed


class LeftOut(NamedTuple):
    """A team or a run that is left out.

    Attributes:
        name: the team, or the run.
        pairs: how many judged pairs it alone put into the pools.
        unique_relevant: how many of them are relevant.
        runs: those of its runs that take part.
        preserved: what becomes of the significant differences; None where they are not tested.
    """

    name: Annotated[str, Column("Left out", "left_out")]
    pairs: int
    unique_relevant: int
    runs: Annotated[tuple[RunWithout, ...], IN_JSON]
    preserved: Annotated[Preserved | None, Column(name="significant_pairs"), IN_JSON] = None


class LostScore(NamedTuple):
    """A run in the row of a table, with what is left out with it."""

    left_out: Annotated[LeftOut, FLAT]
    run: Annotated[RunWithout, FLAT]


class KeptPairs(NamedTuple):
    """What becomes of the significant pairs, in the row of a table, with what is left out."""

    left_out: Annotated[str, Column("Left out")]
    preserved: Annotated[Preserved, FLAT]


def significant_pairs(values: FloatArray) -> NDArray[np.int8]:
    """For each pair of runs 1 or -1 where they differ significantly, with the sign of the difference; else 0.

    From float64 (topics, runs) to int8 (pairs,), the pairs in the order of `of_pairs`.
    """
    runs = values.shape[1]
    if runs < 2 or not len(values):
        return np.zeros(runs * (runs - 1) // 2, np.int8)
    means = values.mean(axis=0)
    sign = np.sign(of_pairs(means[:, None] - means[None, :]))
    p = benjamini_hochberg(of_pairs(pairwise_t(values)))
    return np.where(p <= ALPHA, sign, 0).astype(np.int8)


def preserved(before: NDArray[np.int8], after: NDArray[np.int8]) -> Preserved:
    """Compare what `significant_pairs` gives before and after.

    Source: D. Otero, J. Parapar, N. Ferro, How Discriminative Are Your Qrels?, CIKM 2023: sets of significant pairs,
    not rank correlations.
    """
    both = (before != 0) & (after != 0)
    return Preserved(
        agree=int((both & (before == after)).sum()),
        lost=int(((before != 0) & (after == 0)).sum()),
        gained=int(((before == 0) & (after != 0)).sum()),
        reversed=int((both & (before == -after)).sum()),
    )
