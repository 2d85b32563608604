"""What the labels of a judge do to the leaderboard: its order, its top, and which pairs of runs differ significantly.

Runs of the judge's own family are marked, and everything is said with and without them: a judge may prefer what it
would have ranked itself. Source: C. L. A. Clarke and L. Dietz, LLM-based relevance assessment still can't replace human
relevance assessment, 2024 (arXiv 2412.17156).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Annotated, Literal, NamedTuple

import numpy as np

from workbench.analysis.between_assessors.coefficients import is_large
from workbench.analysis.between_assessors.gathering import Pair, judge_of, people_of
from workbench.analysis.comparing.all_pairs import pairs_of
from workbench.analysis.comparing.leaderboards import Leaderboard, ranks_of, scored_under, two_leaderboards
from workbench.analysis.comparing.scores import Scored, averaged, of_grades
from workbench.analysis.models.against_people import JudgeName
from workbench.analysis.registry import ANALYSES, MeasureName, analysis
from workbench.core.parameters import Limits
from workbench.core.results import AS_TEXT, Column
from workbench.core.seed import SEED
from workbench.formats.tables.sheets import sheet_of
from workbench.jobs.processes import OnStep
from workbench.methods.measures import BoundMeasure
from workbench.methods.statistics.all_pairs import kept_of, of_pairs, significant_pairs
from workbench.methods.statistics.arrays import Signs
from workbench.methods.statistics.rank_correlation import tau_b
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import run_details, runs
from workbench.storage.campaign.log import log
from workbench.storage.campaign.models import judges
from workbench.storage.campaign.organising import settings

ALL_RUNS, WITHOUT_FAMILY = "all runs", "without the judge's family"
PERMUTATIONS = 1000
On = Literal["shared", "all"]
"""Whether both leaderboards rest on the pairs that both labelled, or each on all labels of its side."""


class BoardView(NamedTuple):
    """Two leaderboards of some runs, by people's labels and by the judge's.

    Attributes:
        of: which runs: "all runs", or "without the judge's family".
        runs: how many.
        tau: Kendall's tau_b; None where one side ties all runs, or there are fewer than two.
        tau_ap: AP correlation corrected for ties, symmetric; None likewise.
        top: how many runs are at the top: a quarter, at least three and at most ten.
        tau_top: Kendall's tau_b among those at people's top.
        top_shared: how many of people's top are at the judge's top, too.
        winner_rank: the rank by people of the judge's best run.
        significant, by_judge: how many pairs of runs differ significantly by people's, and by the judge's labels.
        kept: how many differ by both, in the same order.
        lost: how many differ by people's alone.
        gained: how many differ by the judge's alone.
        reversed: how many differ by both, in opposite orders.
    """

    of: Annotated[str, Column("Of")]
    runs: int
    tau: Annotated[float | None, Column("tau", kind="score")]
    tau_ap: Annotated[float | None, Column("tau_AP,b", kind="score")]
    top: Annotated[int, Column("Top")]
    tau_top: Annotated[float | None, Column("tau at top", kind="score")]
    top_shared: Annotated[int, Column("Top shared")]
    winner_rank: Annotated[int | None, Column("Rank of its best")]
    significant: Annotated[int, Column("Significant")]
    by_judge: Annotated[int, Column("By the judge")]
    kept: int
    lost: int
    gained: int
    reversed: int


class JudgedRun(NamedTuple):
    """A run on both leaderboards, in the order of people's.

    Attributes:
        family: whether it is of the judge's family.
        moved: how many ranks higher it is by the judge; negative is lower.
    """

    run: str
    family: Annotated[bool, Column("Judge's family")]
    score: Annotated[float, Column("By people", kind="score")]
    other_score: Annotated[float, Column("By the judge", kind="score")]
    rank: int
    other_rank: Annotated[int, Column("Rank by the judge")]
    moved: int


class JudgeBoards(NamedTuple):
    """The leaderboards under people's and a judge's labels, as of row `seq` of the log.

    Attributes:
        seq: the row of the log.
        judge: the judge's name.
        measure: what was measured.
        on: "shared" for the pairs that both labelled, "all" for all labels of each side.
        family: by which name runs of the judge's family are found in what is said of runs; "" where none is known.
        topics: how many topics.
        pairs: how many pairs people labelled on these.
        views: of all runs, and without the family where any is marked.
        runs: every run.
    """

    seq: int
    judge: str
    measure: Annotated[BoundMeasure, AS_TEXT]
    on: On
    family: str
    topics: int
    pairs: int
    views: tuple[BoardView, ...]
    runs: tuple[JudgedRun, ...]

    @property
    def marked(self) -> tuple[str, ...]:
        """The runs of the judge's family."""
        return tuple(each.run for each in self.runs if each.family)


@analysis(
    "judge-boards",
    called="Leaderboards under a judge",
    sheet=lambda found: sheet_of(JudgedRun, found.runs),
    is_large=is_large,
)
def judge_boards(
    campaign: Campaign,
    on_step: OnStep,
    *,
    judge: JudgeName | None = None,
    measure: MeasureName = "AP",
    on: Annotated[On, Limits("The pairs that both labelled, or all labels of each side")] = "shared",
    family: Annotated[str, Limits("The judge's family in descriptions of runs; as declared by default")]
    | None = None,
) -> JudgeBoards:
    """The leaderboard under people's labels and under a judge's: its order, its top, and significant pairs.

    Nothing is compared where no topic has a score by the labels of both.
    """
    with campaign.snapshot():
        seq = log.head(campaign).seq
        name, by_judge = judge_of(campaign, judge)
        people, model = people_of(campaign), by_judge.get(name, {})
        declared = judges.versions(campaign, name)
        family = (declared[-1].family if declared else "") if family is None else family
        marked = _of_family(campaign, family)
    of_grades(measure, settings.read(campaign).relevant_from)
    shared = people.keys() & model.keys()
    topics = {topic_id for topic_id, _ in shared}
    chosen = [
        shared if on == "shared" else {pair for pair in each if pair[0] in topics} for each in (people, model)
    ]
    sides = (
        scored_under(campaign, measure, _by_topic(grades, pairs))
        for grades, pairs in zip((people, model), chosen, strict=True)
    )
    one, other = map(averaged, _same_topics(*sides))
    views: list[BoardView] = []
    tags = list(one.tags) if one.topic_ids else []
    for of, some in ((ALL_RUNS, tags), (WITHOUT_FAMILY, [tag for tag in tags if tag not in marked])):
        on_step(len(views), 2, of)
        if tags and (not views or len(some) < len(tags)):
            views.append(_view(of, one.of_runs(some), other.of_runs(some)))
    agreed = two_leaderboards(Leaderboard("people", one), Leaderboard(name, other), resamples=0)
    positions = agreed.positions if tags else ()
    return JudgeBoards(
        seq=seq,
        judge=name,
        measure=one.measure,
        on=on,
        family=family,
        topics=len(one.topic_ids),
        pairs=len(chosen[0]),
        views=tuple(views),
        runs=tuple(JudgedRun(each.run, each.run in marked, *each[1:], each.moved) for each in positions),
    )


def _of_family(campaign: Campaign, family: str) -> set[str]:
    """The runs of which a text of the description names the family, in any case."""
    if not family.strip():
        return set()
    said, name = run_details.details(campaign), family.strip().casefold()
    return {
        run.record.tag
        for run in runs.in_force(campaign)
        if run.run in said and any(name in text.casefold() for text in said[run.run].description.values())
    }


def _by_topic(grades: Mapping[Pair, int], pairs: Collection[Pair]) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for topic_id, document_id in sorted(pairs):
        found.setdefault(topic_id, {})[document_id] = grades[topic_id, document_id]
    return found


def _same_topics(one: Scored, other: Scored) -> tuple[Scored, Scored]:
    """Both on the topics that count for both; means follow."""
    there = other.of_topics(one.topic_ids)
    return one.of_topics(there.topic_ids).with_means(), there.with_means()


def _view(of: str, one: Scored, other: Scored) -> BoardView:
    agreed = two_leaderboards(Leaderboard("people", one), Leaderboard("judge", other), resamples=0)
    top = min(max(3, len(one.tags) // 4), 10, len(one.tags))
    ranks, other_ranks = ranks_of(one.merits), ranks_of(other.merits)
    first = [place for place, rank in enumerate(ranks) if rank <= top]
    here, there = _significant(one), _significant(other)
    kept = kept_of(here, there)
    winners = [rank for rank, by_judge in zip(ranks, other_ranks, strict=True) if by_judge == 1]
    return BoardView(
        of=of,
        runs=len(one.tags),
        tau=agreed.tau_b,
        tau_ap=agreed.tau_ap_b,
        top=top,
        tau_top=tau_b(one.merits[first], other.merits[first]) if len(first) > 1 else None,
        top_shared=sum(other_ranks[place] <= top for place in first),
        winner_rank=max(winners, default=None),
        significant=int(np.count_nonzero(here)),
        by_judge=int(np.count_nonzero(there)),
        kept=kept.kept,
        lost=kept.lost,
        gained=kept.added,
        reversed=kept.reversed,
    )


def _significant(scored: Scored) -> Signs:
    """Which pairs of runs differ significantly by randomised Tukey HSD at .05, as `significant_pairs`."""
    if len(scored.tags) < 2 or len(scored.topic_ids) < 2:
        return np.empty(0, np.int8)
    found = pairs_of(scored, permutations=PERMUTATIONS, seed=SEED)
    place = [found.tags.index(tag) for tag in scored.tags]
    return significant_pairs(of_pairs(found.randomised_tukey[np.ix_(place, place)]), scored.merits)


BOARDS = ANALYSES["judge-boards"]
