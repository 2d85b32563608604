"""One round of a campaign on the board: the runs of that round, on whole rankings or on the residual collection."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from workbench.core.errors import CampaignError
from workbench.core.ranking import POOLED, UNJUDGED, Labels
from workbench.core.wording import counted
from workbench.scoring.board.loading import Scoring
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection.rounds import Round
from workbench.storage.campaign.grades.residual import judged_before, without

NO_ESTIMATES = (
    "a sample is one of whole rankings, and what earlier rounds judged is taken out of these; "
    "score the round without taking it out"
)


class OfRound(NamedTuple):
    """The round whose runs are scored, and whether the pairs judged before it are taken out of their rankings.

    What is taken out is out of the judgments too: the labels are those of the round's own qrels.
    """

    round: Round
    residual: bool = False

    def row(self, as_of: int | None) -> int | None:
        """The row of the log that is scored: `as_of`, else the round's last, None for now.

        Raises CampaignError for a row before the round.
        """
        if as_of is None:
            return self.round.last
        if as_of <= self.round.opened:
            message = (
                f"round {self.round.name} begins after log row {self.round.opened}, so it has no row {as_of}"
            )
            raise CampaignError(message)
        return as_of


def narrowed(
    campaign: Campaign, scoring: Scoring, part: OfRound, among: Sequence[int] | None = None
) -> Scoring:
    """The part of a campaign's rankings and labels, as of any row of the log, that a round is scored by.

    `among` are the places of the runs that take part; None for all.
    """
    places = range(len(scoring.runs)) if among is None else among
    own = scoring.of_runs([place for place in places if part.round.has(scoring.runs[place])])
    judged = judged_before(campaign, part.round) if part.residual else {}
    if not judged:
        return own
    label = scoring.labels.label.copy()
    for topic, topic_id in enumerate(scoring.topic_ids):
        numbers = scoring.numbers.get(topic_id, {})
        cells = label[scoring.labels.topic_start[topic] : scoring.labels.topic_start[topic + 1]]
        cells[[numbers[each] for each in judged.get(topic_id, ()) if each in numbers]] = UNJUDGED
    labels = Labels(scoring.labels.topic_start, label)
    pairs = frozenset((topic_id, each) for topic_id, documents in judged.items() for each in documents)
    has_sample = scoring.sample is not None or scoring.why_no_sample
    return replace(
        own,
        rankings=without(campaign, own.rankings, scoring.topic_ids, judged),
        labels=labels,
        num_judged=labels.num_judged(),
        num_waiting=labels.count(label == POOLED),
        without_grade=scoring.without_grade - pairs,
        sample=None,
        why_no_sample=NO_ESTIMATES if has_sample else "",
        taken_out=pairs,
    )


def round_words(campaign: Campaign, part: OfRound, runs: int) -> str:
    """What is scored, in a sentence; `runs` is how many runs of the round there are."""
    words = f"Round {part.round.name}, {counted(runs, 'run')}"
    if not part.residual:
        return f"{words}."
    out = sum(map(len, judged_before(campaign, part.round).values()))
    are = "is" if out == 1 else "are"
    return f"{words}: {counted(out, 'pair')} judged before it {are} taken out of rankings and judgments."
