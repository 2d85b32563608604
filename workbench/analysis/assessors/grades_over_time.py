"""Whether an assessor's grades move against those of others over time.

Only pairs that others judged too tell. Topics come one after another, are read differently and are shared with others,
so the change over the campaign is looked at topic by topic, and the change in the course of a topic within topics.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NamedTuple

from workbench.analysis.assessors.against_peers import SharedPair
from workbench.core.results import Column, shown
from workbench.methods.statistics.trend import Change, change_between, change_within
from workbench.storage.campaign.counts.assessor_activity import GradingEvent


class Drift(NamedTuple):
    """By how many steps of the scale the grades rise against those of others.

    Attributes:
        between: from the first third of the topics to the last.
        within: from the first third of each topic to its last.
    """

    between: Annotated[Change, Column(name="between_topics")]
    within: Annotated[Change, Column(name="within_topics")]

    @property
    @shown(Column())
    def in_words(self) -> list[str]:
        """What changes and how sure that is, in sentences."""
        return describe_drift(self)


def drift_of(made: Sequence[GradingEvent], pairs: Sequence[SharedPair], *, grades: int) -> Drift:
    """The drift of one assessor.

    Args:
        made: the judgments on the screen in the order of the log; a pair stands where it was judged last.
        pairs: those that others judged too. A pair does not count if a grade may have selected it, or if its grade in
            force is not the one of the screen.
        grades: how many grades the scale has.
    """
    last = {(each.topic_id, each.document_id): each for each in made}
    ordered = [
        (last[place].seq, pair)
        for pair in pairs
        if pair.counts
        and (place := (pair.topic_id, pair.document_id)) in last
        and last[place].grade == pair.grade
    ]
    ordered.sort(key=lambda each: each[0])
    topics = [pair.topic_id for _, pair in ordered]
    own, others = [pair.category for _, pair in ordered], [pair.category - pair.above for _, pair in ordered]
    largest = float(max(grades - 1, 0))
    return Drift(
        change_between(own, others, topics, largest=largest),
        change_within(own, others, topics, largest=largest),
    )


def describe_drift(drift: Drift) -> list[str]:
    """What changes and how sure that is, in sentences."""
    return [
        _sentence(drift.between, "From the first third of the topics to the last"),
        _sentence(drift.within, "From the first third of a topic’s pairs to the last"),
    ]


def _sentence(found: Change, when: str) -> str:
    if found.change is None or found.low is None or found.high is None:
        return f"{when}: {found.note}."
    size = (
        f"{when} the grades move by {signed_steps(found.change)} steps of the scale against those of others "
        f"(99 % interval {signed_steps(found.low)} to {signed_steps(found.high)}; {found.n:,} pairs in "
        f"{found.groups:,} topics)."
    )
    return f"{size} {_meaning(found)}"


def _meaning(found: Change) -> str:
    if not found.is_certain:
        leaves_out_0 = (found.low or 0) > 0 or (found.high or 0) < 0
        often = " where one looks after every topic" if leaves_out_0 else ""
        return f"That can be chance{often}, or come from the documents."
    return f"The grades become {'more lenient' if (found.low or 0) > 0 else 'stricter'} than the others’."


def signed_steps(value: float) -> str:
    """A number of steps with its sign."""
    return f"{value:+.2f}".replace("-", "−")
