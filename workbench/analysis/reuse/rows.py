"""What leaving out a team or a run does: a row for each of them, and one for each of its runs."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from workbench.analysis.reuse.preserved import Preserved
from workbench.core.results import FLAT, IN_JSON, Column, shown


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
