"""Sentences about comparisons, their numbers as people read them, and the lists of topics and of pairs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Literal, NamedTuple

from workbench.analysis.comparing.all_pairs import AllPairs
from workbench.analysis.comparing.leaderboards import Agreement
from workbench.analysis.comparing.planning import TopicPlan
from workbench.analysis.comparing.runs import Comparison, RunDifference
from workbench.core.natural_order import natural
from workbench.core.wording import counted
from workbench.methods.charts.comparisons import letters_shown as letters_shown
from workbench.methods.measures import BoundMeasure
from workbench.methods.measures.judged import FloatArray
from workbench.methods.statistics.intervals import FEWEST_TOPICS as FEWEST_TOPICS
from workbench.methods.statistics.intervals import Interval
from workbench.scoring.board.table import at_the_top, names, printed
from workbench.web.requests.lists import Choice, Column, Filter, Listing

ALPHA = 0.05
SAME_ORDER, OTHER_ORDER = 0.9, 0.8
"""From the first on two boards are taken as the same; below the second they differ noticeably (Voorhees, 2000)."""


def p_text(p: float | None) -> str:
    """A p-value with the digits it deserves."""
    if p is None:
        return "–"
    if p < 0.0001:
        return "< 0.0001"
    return f"{p:.4f}" if p < 0.01 else f"{p:.3f}"


def p_words(p: float) -> str:
    """A p-value in a sentence."""
    return f"p {p_text(p)}" if p < 0.0001 else f"p = {p_text(p)}"


def signed(value: float | None) -> str:
    """A difference with its sign."""
    if value is None:
        return "–"
    text = f"{abs(value):.4f}"
    return text if float(text) == 0 else f"{'+' if value > 0 else '−'}{text}"


def mean_text(measure: BoundMeasure, mean: float) -> str:
    """A run's number as the leaderboard has it."""
    return printed(measure, mean)


def interval_text(interval: Interval | None) -> str:
    """An interval of differences."""
    return "–" if interval is None else f"{signed(interval.low)} to {signed(interval.high)}"


def three(value: float | None) -> str:
    """A coefficient of agreement."""
    return "–" if value is None else f"{value:.3f}".replace("-", "−")


def reach(found: Comparison) -> float:
    """The largest size of a difference or of an end of its interval: how far the line of the table must go."""
    intervals = [one.interval for one in found.differences if one.interval is not None]
    ends = [abs(end) for interval in intervals for end in interval]
    return max([*ends, *(abs(one.difference) for one in found.differences)]) or 1.0


def place(value: float, reach: float) -> float:
    """Where a difference is on a line of 120 pixels with nothing in the middle."""
    return round(60 + 54 * value / reach, 1)


def effect_text(effect: float | None) -> str:
    """An effect size, with its sign."""
    return "–" if effect is None else f"{effect:.2f}".replace("-", "−")


def chance_text(chance: float) -> str:
    """A chance in percent; only what is certain has 100."""
    percent = round(100 * chance)
    return "over 99 %" if percent == 100 and chance < 1 else f"{percent} %"


def difference_sentence(found: Comparison, one: RunDifference) -> str:
    """A run against the baseline: who is ahead, by how much, on how many topics, and what chance would do."""
    measure, n = found.measure, len(found.topic_ids)
    means = f"{mean_text(measure, one.mean)} against {mean_text(measure, float(found.means[0]))}"
    if one.wins == one.losses == 0:
        return (
            f"{one.run} and {found.baseline} have the same {measure} on every one of {counted(n, 'topic')}."
        )
    better, worse = ("better", "worse") if measure.best != "none" else ("higher", "lower")
    ties = f", {one.ties:,} equal" if one.ties else ""
    where = f"{counted(one.wins, 'topic')} {better}, {one.losses:,} {worse}{ties}"
    return f"{_standing(found, one)} ({means}); {where}. {_chance(one)}"


def pairs_sentence(found: AllPairs) -> str:
    """How many pairs differ, and which runs do not differ significantly from the best."""
    differ = found.significant(found.randomised_tukey)
    top = at_the_top(found.measure, found.means.tolist(), found.tags)
    alike = sum(not found.differs_from_best(run) for run in range(len(top), len(found.tags)))
    are, them = ("is", "it") if len(top) == 1 else ("are", "them")
    if len(top) == len(found.tags) > 1:
        every = "Both" if len(top) == 2 else f"All {len(top):,}"
        return f"{every} runs have the same {found.measure} over {counted(found.topics, 'topic')}."
    others = (
        "every other run differs" if not alike else f"{counted(alike, 'other run')} cannot be distinguished"
    )
    return (
        f"By {found.measure}, {differ:,} of {found.pairs:,} pairs of runs differ significantly over "
        f"{counted(found.topics, 'topic')}. {names(top)} {are} at the top; {others} from {them}."
    )


def boards_sentence(found: Agreement) -> str:
    """How much two boards agree, and which run moves most."""
    if found.tau_b is None:
        return f"{found.one} and {found.other} cannot be compared: at least two runs with different scores are needed."
    verdict = (
        "usually considered the same order"
        if found.tau_b >= SAME_ORDER
        else "a noticeably different order"
        if found.tau_b < OTHER_ORDER
        else "a similar order with some changes"
    )
    return (
        f"{found.one} and {found.other} order {counted(found.runs, 'run')} with tau_b {found.tau_b:.3f}, "
        f"{verdict}. {_largest_move(found)}"
    )


def topic_rows(found: Comparison) -> list[tuple[str, list[float], list[float]]]:
    """Topic, the runs' values, the differences; the largest lead of the first challenger first."""
    better = -1 if found.measure.best == "lowest" else 1
    rows = [
        (topic_id, own, [one - own[0] for one in own[1:]])
        for topic_id, own in zip(found.topic_ids, found.values.tolist(), strict=True)
    ]
    return sorted(rows, key=lambda row: -better * row[2][0])


def plan_sentence(plan: TopicPlan) -> str:
    """What the difference asked for takes, and what the campaign's topics can show."""
    if plan.tells_nothing:
        return (
            f"Half of the pairs of runs or more differ in {plan.measure} by the same amount on every topic, so the "
            "number of topics needed cannot be estimated."
        )
    needed, now = plan.needed[0], plan.detected[0]
    unit = f"{plan.measure} per topic" if plan.measure.is_count else str(plan.measure)
    enough = f"and there are {plan.topics:,}"
    return (
        f"To detect a difference of {needed.difference:g} {unit} with a power of {chance_text(plan.power)}, "
        f"{counted(needed.topics, 'topic')} are needed, {enough}. "
        f"{counted(now.topics, 'topic')} detect differences of at least {now.difference:.3f}."
    )


def _standing(found: Comparison, one: RunDifference) -> str:
    measure, size = found.measure, f"{abs(one.difference):.4f} {found.measure}"
    if float(f"{abs(one.difference):.4f}") == 0:
        return f"{one.run} and {found.baseline} have practically the same {measure}"
    if measure.best == "none":
        return f"{one.run} is {'above' if one.difference > 0 else 'below'} {found.baseline} by {size}"
    is_ahead = (one.difference < 0) == (measure.best == "lowest")
    return f"{one.run} is {'ahead of' if is_ahead else 'behind'} {found.baseline} by {size}"


def _chance(one: RunDifference) -> str:
    p = one.t.p_value
    if p is None:
        return f"Significance cannot be tested: {one.t.note}."
    interval = "" if one.interval is None else f", 95 % interval {interval_text(one.interval)}"
    verdict = "is significant" if p <= ALPHA else "is not significant"
    return f"The difference {verdict} (paired t, {p_words(p)}{interval})."


def _largest_move(found: Agreement) -> str:
    most = max(found.positions, key=lambda each: abs(each.moved))
    if not most.moved:
        return "No run changes rank."
    moved = sum(each.moved != 0 for each in found.positions)
    return (
        f"{counted(moved, 'run')} {'changes rank' if moved == 1 else 'change rank'}, "
        f"{most.run} the most: from {most.rank} to {most.other_rank}."
    )


TopicRow = tuple[str, Sequence[float], Sequence[float]]
"""A topic, the scores of the runs, and their differences from the baseline."""


class PairRow(NamedTuple):
    """Two runs, the better one first: the difference of their means, and its p-value."""

    ahead: str
    behind: str
    difference: float
    p_value: float


def topics_list(found: Comparison) -> Listing[TopicRow]:
    """The list of topics, with a column for each run and each difference; without an order as they come."""
    scores = (
        Column[TopicRow](f"score{place}", tag, partial(_value, 1, place), numeric=True)
        for place, tag in enumerate(found.tags)
    )
    differences = (
        Column[TopicRow](
            f"difference{place}", f"Difference of {tag}", partial(_value, 2, place), numeric=True
        )
        for place, tag in enumerate(found.tags[1:])
    )
    return Listing[TopicRow](
        noun="topic",
        columns=(Column("id", "Topic", lambda row: natural(row[0])), *scores, *differences),
        text=lambda row: row[0],
        looks_in="Topic id",
        ident=lambda row: row[0],
        prefix="topic-",
    )


def pair_rows(pairs: AllPairs, p_values: FloatArray) -> list[PairRow]:
    """Every pair, that of the best two runs first."""
    means, values, tags = pairs.means.tolist(), p_values.tolist(), pairs.tags
    return [
        PairRow(tag, tags[at], means[place] - means[at], values[place][at])
        for place, tag in enumerate(tags)
        for at in range(place + 1, len(tags))
    ]


def pairs_list(pairs: AllPairs) -> Listing[PairRow]:
    """The list of every pair; without an order by the places of its runs."""
    alpha = pairs.alpha
    return Listing[PairRow](
        noun="pair",
        columns=(
            Column("ahead", "Run ahead", lambda row: natural(row.ahead)),
            Column("behind", "Run behind", lambda row: natural(row.behind)),
            Column("difference", "Difference", lambda row: row.difference, numeric=True),
            Column("p", "p", lambda row: row.p_value, numeric=True),
        ),
        filters=(
            Filter(
                "state",
                "Difference",
                {
                    "differ": Choice("significant", lambda row: row.p_value <= alpha),
                    "level": Choice("not significant", lambda row: not row.p_value <= alpha),
                },
                every="any",
            ),
        ),
        text=lambda row: f"{row.ahead} {row.behind}",
        looks_in="One or two runs",
        ident=lambda row: f"{row.ahead}\n{row.behind}",
        prefix="pair-",
    )


def _value(part: Literal[1, 2], place: int, row: TopicRow) -> float:
    return row[part][place]
