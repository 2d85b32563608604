"""Can others reuse the judgments? What each team or run would score if it had not taken part.

The documents that only the left-out runs put into the pools lose their judgments, and all runs are scored again: what a
run then loses is what one that did not take part may miss. By team first, since the runs of a team keep each other's
documents.

Sources: J. Zobel, SIGIR 1998, for runs; E. M. Voorhees, CLEF 2001, for groups; C. Buckley, D. Dimmick, I. Soboroff,
E. Voorhees, Information Retrieval 10, 2007, for limits of large pools.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, NamedTuple

import numpy as np

from workbench.analysis.comparing.scores import averaged, scored_by
from workbench.analysis.reuse.coverage import (
    Coverage,
    DenseTopic,
    LateTopic,
    coverage_of,
    dense_topics,
    late_topics,
)
from workbench.analysis.reuse.leaving_out import RankedRuns, Rescoring, judged_cells, refuse
from workbench.analysis.reuse.origin import By, Group, Origin, groups_of, origin_of, origin_to_depth
from workbench.analysis.reuse.rows import LeftOut, RunWithout, preserved, significant_pairs
from workbench.analysis.reuse.verdict import Reason, Verdict, verdict
from workbench.core.errors import CampaignError
from workbench.core.ranking import POOLED, UNJUDGED, IntArray, Labels
from workbench.core.results import AS_TEXT, HIDDEN, Column, shown
from workbench.core.wording import counted, listed
from workbench.methods.measures import BoundMeasure, parse_measure
from workbench.methods.statistics.arrays import Progress
from workbench.scoring.board import Scoring
from workbench.scoring.board.past_boards import scoring_of
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log import log


class Effort(NamedTuple):
    """How much is computed at most; what that leaves out is noted.

    Attributes:
        entries: how many ranked documents are scored again in all.
        tested: differences are tested where groups, pairs of runs and topics come to no more than this.
    """

    entries: int
    tested: int


WHOLE = Effort(20_000_000_000, 1_000_000_000)
"""Some minutes."""
BRIEF = Effort(400_000_000, 20_000_000)
"""Some seconds."""


class Reuse(NamedTuple):
    """What leaving out each team or run does, as of one row of the log.

    Attributes:
        head: that row.
        measure: what the runs are scored on.
        by: whether teams or runs are left out.
        depth: the depth of the pools that were assumed; None for those of the campaign.
        topics: how many topics count.
        judged: how many pairs are judged.
        relevant: how many of them are relevant.
        outside: how many judged pairs no run put into a pool; they stay.
        rows: those that are left out, in the order in which they were added.
        not_left_out: the runs that put nothing into a pool: they are scored without their own documents as they are.
        coverage: Judged@k.
        dense, late: topics with more relevant documents than were found.
        verdict: red, amber, fine, or unknown where nothing can be said.
        notes: what was not computed, and why, in sentences.
        skipped: the teams or runs that were not left out, since it would take too long.
    """

    head: Annotated[log.Head, Column(name="as_of")]
    measure: Annotated[BoundMeasure, AS_TEXT]
    by: By
    depth: int | None
    topics: int
    judged: int
    relevant: int
    outside: Annotated[int, Column(name="judged_outside_pools")]
    rows: Annotated[tuple[LeftOut, ...], Column(name="left_out")]
    not_left_out: tuple[str, ...]
    coverage: Annotated[Coverage, Column(name="judged_at")]
    dense: Annotated[tuple[DenseTopic, ...], Column(name="dense_topics")]
    late: Annotated[tuple[LateTopic, ...], Column(name="late_topics")]
    verdict: Verdict
    notes: tuple[str, ...]
    skipped: Annotated[tuple[str, ...], HIDDEN] = ()

    @property
    def seq(self) -> int:
        """That row's number."""
        return self.head.seq

    @property
    @shown(Column())
    def unique_relevant(self) -> int:
        """How many of the relevant documents only one of these groups put into the pools."""
        return sum(row.unique_relevant for row in self.rows)


def reuse(
    campaign: Campaign,
    measure: str = "AP",
    *,
    by: By = "team",
    depth: int | None = None,
    progress: Progress | None = None,
    effort: Effort = WHOLE,
) -> Reuse:
    """Leave out each team, or each run, and score all runs again; a run without a team is a team of its own.

    With a `depth` the pools are the first documents of each contributing run, as if nothing else had been judged.
    `progress` is called with how many more groups are done. UnknownName: no such measure, or one that does not rank
    runs by labels alone.
    """
    scoring = scoring_of(campaign)
    bound = parse_measure(measure, defaults={"rel": scoring.relevant_from})
    refuse(bound)
    campaign = campaign.at(scoring.head.seq)  # the log may have grown since the board answered
    groups = groups_of(campaign, scoring, by)
    if depth is None:
        origin = origin_of(campaign, scoring)
    else:
        origin = origin_to_depth(scoring, depth)
        scoring = _pooled_alone(scoring, origin)
    scene = _Scene(scoring, bound, origin, groups, effort)
    rows = tuple(scene.rows(progress or (lambda steps: None)))
    coverage = coverage_of(scoring, bound)
    dense = dense_topics(scoring, bound.rel)
    late = late_topics(campaign, scoring, bound.rel)
    problem = scene.problem
    return Reuse(
        head=scoring.head,
        measure=bound,
        by=by,
        depth=depth,
        topics=int(scene.rescoring.counts.sum()),
        judged=int(scene.judged.sum()),
        relevant=int((scoring.labels.label >= bound.rel).sum()),
        outside=int((scene.judged & ~origin.pooled(len(scene.judged))).sum()),
        rows=() if problem else rows,
        not_left_out=scene.not_left_out,
        coverage=coverage,
        dense=dense,
        late=late,
        verdict=Verdict("unknown", (Reason("unknown", problem),))
        if problem
        else verdict(str(bound), rows, coverage, dense, late, lowest_is_best=bound.best == "lowest"),
        notes=(*origin.not_counted, *scene.notes),
        skipped=tuple(scene.skipped),
    )


class _Scene:
    """All that is needed to leave out one group after the other, and what is noted on the way."""

    def __init__(
        self, scoring: Scoring, measure: BoundMeasure, origin: Origin, groups: Sequence[Group], effort: Effort
    ) -> None:
        self.rescoring = Rescoring(scoring, measure)
        self.groups = groups
        self.judged = judged_cells(scoring)
        alone = origin.alone(groups, len(self.judged))
        cells = np.flatnonzero(self.judged & (alone >= 0))
        cells = cells[np.argsort(alone[cells], kind="stable")]
        self.parts = np.split(cells, np.searchsorted(alone[cells], np.arange(1, len(groups))))
        brought = set(np.unique(origin.run).tolist())
        self.contributing = [
            place for place, group in enumerate(groups) if group.columns and brought & set(group.numbers)
        ]
        left_out = {column for place in self.contributing for column in groups[place].columns}
        self.not_left_out = tuple(tag for column, tag in enumerate(scoring.tags) if column not in left_out)
        self.notes: list[str] = []
        self.skipped: list[str] = []
        self._left, self._tested_at_most = effort.entries, effort.tested

    @property
    def problem(self) -> str:
        """Why nothing can be said; "" where something can."""
        scoring = self.rescoring.scoring
        if not self.judged.any():
            return "Nothing is judged yet, so nothing can be lost."
        if not (scoring.labels.label >= self.rescoring.measure.rel).any():
            return "Nothing is judged relevant yet, so no score can be lost."
        if not self.contributing:
            return (
                "Which run put what into the pools is not known: no pool drew on a run that takes part. Say to which "
                "depth the runs were pooled (--depth)."
            )
        if len(self.skipped) == len(self.contributing):
            number = len(self.contributing)
            return f"To leave out even one of {number:,} would take too long here, so nothing can be said."
        if len(self.contributing) == 1:
            name = self.groups[self.contributing[0]].name
            return f"Only “{name}” put documents into the pools: without it there is no pool."
        return ""

    def rows(self, progress: Progress) -> Iterator[LeftOut]:
        """A row for each group that put something into the pools and takes part."""
        if self.problem:
            return
        before, affordable = self._tested(), self._affordable()
        for place in self.contributing:
            if place in affordable:
                yield self._row(place, before)
            else:
                self.skipped.append(self.groups[place].name)
            progress(1)
        self._note()

    def _affordable(self) -> set[int]:
        """The groups that can be left out: those come first with which the most relevant documents are lost."""
        relevant = self.rescoring.scoring.labels.label >= self.rescoring.measure.rel
        lost = {place: int(relevant[self.parts[place]].sum()) for place in self.contributing}
        most_first = sorted(self.contributing, key=lambda place: (-lost[place], place))
        return {place for place in most_first if self._afford(self.parts[place])}

    def _row(self, place: int, before: np.ndarray | None) -> LeftOut:
        group, cells, now = self.groups[place], self.parts[place], self.rescoring.now
        after = self.rescoring.without(cells)
        runs = tuple(
            RunWithout(
                self.rescoring.scoring.tags[column],
                float(now.scores[column]),
                float(after.scores[column]),
                now.ranks[column],
                after.ranks[column],
            )
            for column in group.columns
        )
        return LeftOut(
            group.name,
            len(cells),
            int((self.rescoring.scoring.labels.label[cells] >= self.rescoring.measure.rel).sum()),
            runs,
            None if before is None else preserved(before, self._significant(after)),
        )

    def _tested(self) -> np.ndarray | None:
        """The significant pairs with all judgments; None, with a note, where they are not tested."""
        scoring, measure = self.rescoring.scoring, self.rescoring.measure
        topics, runs = int(self.rescoring.counts.sum()), len(scoring.runs)
        try:
            averaged(scored_by(scoring, measure, self.rescoring.now.values))
        except CampaignError as error:
            self.notes.append(f"Significance is not tested: {error}.")
            return None
        if len(self.contributing) * runs**2 * topics > self._tested_at_most:
            self.notes.append(
                f"Which significant differences stay is not computed for {counted(runs, 'run')}, "
                f"{counted(topics, 'topic')} and {len(self.contributing):,} times left out: it would take too long."
            )
            return None
        return self._significant(self.rescoring.now)

    def _significant(self, runs: RankedRuns) -> np.ndarray:
        return significant_pairs(self.rescoring.counted_values(runs))

    def _afford(self, cells: IntArray) -> bool:
        """Whether the topics of these cells can still be scored again."""
        scoring = self.rescoring.scoring
        starts = scoring.rankings.row_start[:: max(len(scoring.runs), 1)]
        topics = self.rescoring.topics_of(cells)
        work = int((starts[topics + 1] - starts[topics]).sum())
        if work > self._left:
            return False
        self._left -= work
        return True

    def _note(self) -> None:
        if self.skipped:
            self.notes.append(
                f"Not left out, because it would take too long: {listed(self.skipped)}; no more relevant documents are "
                "lost with one of them than with those that are left out. Choose a measure with a cutoff, or leave out "
                "teams instead of runs."
            )


def _pooled_alone(scoring: Scoring, origin: Origin) -> Scoring:
    """The same as if only the pairs of the pools had been judged."""
    pooled = origin.pooled(len(scoring.labels.label))
    label = np.where(pooled, np.maximum(scoring.labels.label, POOLED), UNJUDGED).astype(np.int16)
    return scoring.with_labels(Labels(scoring.labels.topic_start, label))
