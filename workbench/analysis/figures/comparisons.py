"""Figures that set runs or leaderboards side by side, also over time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from workbench.analysis.comparing.all_pairs import AllPairs
from workbench.analysis.comparing.declared import DIFFERENCES, PAIRS
from workbench.analysis.comparing.leaderboards import Agreement, leaderboard, two_leaderboards
from workbench.analysis.comparing.planning import plan_topics
from workbench.analysis.comparing.scores import scores_of
from workbench.analysis.figures.registry import figure
from workbench.analysis.trust.bounds import score_in_detail
from workbench.analysis.trust.intervals import interval_of
from workbench.analysis.trust.stability import stability
from workbench.core.errors import CampaignError, UnknownName
from workbench.core.seed import SEED
from workbench.core.wording import none_such
from workbench.methods.charts import Chart, Row
from workbench.methods.charts.comparisons import (
    Slope,
    board_slopes,
    pairs_matrix,
    precision_recall,
    topic_differences,
    topics_needed,
)
from workbench.methods.charts.comparisons import leaderboard as chart_of_leaderboard
from workbench.methods.charts.decisions import order_over_log
from workbench.methods.measures import parse_measure
from workbench.methods.measures.judged import FloatArray
from workbench.methods.measures.parameters import ELEVEN_POINTS
from workbench.scoring.board.past_boards import table_of
from workbench.storage.campaign import Campaign

RECALL_MEASURES = "iprec_at_recall"
MOST_CURVES = 7
POWERS = (0.8, 0.9)


class Correction(NamedTuple):
    """A way to correct for the number of pairs: what it is called, and its p-values, float64 (runs, runs)."""

    name: str
    values: Callable[[AllPairs], FloatArray]


CORRECTIONS = {
    "tukey": Correction("randomised Tukey HSD", lambda pairs: pairs.randomised_tukey),
    "holm": Correction("paired t with Holm", lambda pairs: pairs.holm),
    "bh": Correction("paired t with Benjamini-Hochberg", lambda pairs: pairs.benjamini_hochberg),
}


@figure("leaderboard")
def ranked_runs(campaign: Campaign, *, measure: str = "AP") -> Chart:
    """The runs by score, the best first, with 95 % intervals over topics and the unjudged share of the first ten ranks.

    A run has no interval with fewer than five topics, and none has one by a count.
    """
    table, details = table_of(campaign, [measure]), score_in_detail(campaign, [measure])
    if not table.rows:
        raise UnknownName(f"{campaign.name} has no runs yet, so there is nothing to draw")
    found, why_none = interval_of(details.measures[0])
    reach = [(None, None) if found is None or why else found[at].tolist() for at, why in enumerate(why_none)]
    of_run = dict(zip(details.tags, reach, strict=True))
    sign = -table.measures[0].sign
    placed = [
        {"run": row.tag, "score": row.values[0], "low": low, "high": high, "unjudged": 1 - row.judged}
        for row in sorted(table.rows, key=lambda row: (sign * row.values[0], row.tag))
        for low, high in [of_run[row.tag]]
    ]
    return chart_of_leaderboard(str(table.measures[0]), placed)


@figure("compare-topics")
def compare_topics(campaign: Campaign, *, run: str, baseline: str, measure: str = "AP") -> Chart:
    """How far a run is ahead of another on every topic, the largest lead first."""
    scored = scores_of(campaign, measure).of_runs([run, baseline])
    values = dict(zip(scored.topic_ids, scored.values.tolist(), strict=True))
    lowest = scored.measure.best == "lowest"
    return topic_differences(run, baseline, str(scored.measure), values, lowest_is_best=lowest)


@figure("compare-curves")
def compare_curves(campaign: Campaign, *, run: list[str]) -> Chart:
    """Precision-recall curves of up to seven runs: interpolated precision at eleven levels, mean over topics."""
    if len(run) > MOST_CURVES:
        raise UnknownName(f"at most {MOST_CURVES} curves can be told apart, not {len(run)}")
    values = {row.tag: row.values for row in table_of(campaign, [RECALL_MEASURES]).rows}
    if missing := [tag for tag in run if tag not in values]:
        raise UnknownName(none_such("run", missing[0], list(values), of=campaign.name))
    return precision_recall(ELEVEN_POINTS.shares, {tag: values[tag] for tag in run})


@figure("compare-pairs")
def compare_pairs(
    campaign: Campaign,
    *,
    measure: str = "AP",
    permutations: int | None = None,
    seed: int = SEED,
    correction: Literal["tukey", "holm", "bh"] = "tukey",
) -> Chart:
    """Every pair of runs, and whether they differ beyond chance; `correction` is tukey (randomised), holm or bh."""
    asked = {"measure": measure, "permutations": permutations, "seed": seed}
    found: AllPairs = PAIRS.answer(campaign, asked)
    means = dict(zip(found.tags, found.means.tolist(), strict=True))
    test, p_values = CORRECTIONS[correction]
    return pairs_matrix(str(found.measure), means, p_values(found).tolist(), letters=found.letters, test=test)


@figure("compare-boards")
def compare_boards(
    campaign: Campaign,
    *,
    one: str = "AP",
    two: str = "nDCG@10",
    one_at: int | None = None,
    two_at: int | None = None,
) -> Chart:
    """The order of the runs on two leaderboards: by two measures, or as of two rows of the log."""
    boards = [leaderboard(campaign.at(at), name) for name, at in ((one, one_at), (two, two_at))]
    return chart_of_agreement(two_leaderboards(*boards, resamples=0))


@figure("compare-power")
def compare_power(campaign: Campaign, *, measure: str = "AP") -> Chart:
    """How many topics show a difference of some size, if runs vary over topics as those of the campaign do."""
    try:
        scored = scores_of(campaign, measure)
        plans = [plan_topics(scored, differences=DIFFERENCES, power=power) for power in POWERS]
    except CampaignError as error:
        raise UnknownName(str(error)) from error
    needed: list[Row] = [
        {"difference": one.difference, "topics": one.topics, "power": f"{100 * plan.power:.0f} %"}
        for plan in plans
        for one in plan.needed
    ]
    return topics_needed(str(plans[0].measure), plans[0].topics, needed)


def chart_of_agreement(agreement: Agreement) -> Chart:
    """The slope chart of two leaderboards."""
    return board_slopes(agreement.one, agreement.other, slopes_of(agreement))


def slopes_of(agreement: Agreement) -> list[Slope]:
    """Each run's places on both boards, each place given once: runs that tie on one board are in the order of the
    other, so that no line crosses another without need.
    """
    positions = agreement.positions
    places = _places([(each.rank, each.other_rank, each.run) for each in positions])
    other_places = _places([(each.other_rank, each.rank, each.run) for each in positions])
    return [
        Slope(each.run, each.score, each.other_score, place, other)
        for each, place, other in zip(positions, places, other_places, strict=True)
    ]


def _places(keys: Sequence[tuple[int, int, str]]) -> list[int]:
    ordered = sorted(keys)
    place_of = {key: place for place, key in enumerate(ordered, start=1)}
    return [place_of[key] for key in keys]


@figure("ranking-stability")
def ranking_stability(campaign: Campaign, *, measure: str = "AP") -> Chart:
    """How the order of the runs settled while judgments came in: its correlation with the last order, row by row."""
    points = stability(campaign, measure)
    if not points:
        raise UnknownName(f"nothing is judged yet in {campaign.name}, so there is no order that could settle")
    found = [
        (point.seq, point.judgments, point.agreement.tau_b, point.agreement.tau_ap_b) for point in points
    ]
    name = f"{campaign.name}-stability"
    return order_over_log(name, str(parse_measure(measure)), points[-1].agreement.runs, found)
