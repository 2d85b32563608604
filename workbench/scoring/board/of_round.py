"""One round of a campaign on the board: its runs, and of rankings and labels what counts for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from workbench.campaign.battles import require_graded
from workbench.core.ranking import UNJUDGED, Labels
from workbench.core.wording import counted
from workbench.scoring.board.changed_ids import by_new_ids
from workbench.scoring.board.loading import Scoring
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection.changed_ids import id_tables, newest_id
from workbench.storage.campaign.collection.rounds import ALL, RESIDUAL, OfRound, called
from workbench.storage.campaign.grades import rows_over_time
from workbench.storage.campaign.grades.residual import not_counted, without

NO_ESTIMATES = (
    "samples are drawn from whole rankings, but pairs judged in earlier rounds are taken out of these; "
    "score the round without taking them out"
)


def narrowed(campaign: Campaign, scoring: Scoring, among: Sequence[int] | None = None) -> Scoring:
    """The part of a campaign's rankings and labels, as of any row of the log, that the campaign is looked at by.

    `among` are the places of the runs that take part; None for all. NotThere by a question about pairs.
    """
    require_graded(campaign)
    part: OfRound | None = campaign.part
    scoring = by_new_ids(campaign, scoring)
    if part is None:
        return scoring if among is None else scoring.of_runs(among)
    places = range(len(scoring.runs)) if among is None else among
    own = scoring.of_runs([place for place in places if part.round.has(scoring.runs[place])])
    own = replace(own, runs=tuple(called(campaign, run) for run in own.runs))
    judged = not_counted(campaign)
    if not judged:
        return own

    def that_count(labels: Labels) -> Labels:
        found = labels.copy()
        for topic, topic_id in enumerate(scoring.topic_ids):
            numbers = scoring.numbers.get(topic_id, {})
            out = [numbers[each] for each in judged.get(topic_id, ()) if each in numbers]
            found.of_topic(topic).label[out] = UNJUDGED
        return found

    pairs = frozenset((topic_id, each) for topic_id, documents in judged.items() for each in documents)
    has_sample = scoring.sample is not None or scoring.why_no_sample
    rankings, answers = own.rankings, own.answers
    if part.judged == RESIDUAL:  # of answers nothing is taken out: their measures are of whole ones
        rankings, answers = without(campaign, rankings, scoring.topic_ids, judged), None
    return replace(
        own.with_labels(that_count(scoring.labels)),
        rankings=rankings,
        answers=answers,
        questions=tuple(each._replace(labels=that_count(each.labels)) for each in own.questions),
        without_grade=scoring.without_grade - pairs,
        sample=None,
        why_no_sample=NO_ESTIMATES if has_sample else "",
        taken_out=pairs,
    )


def first_of_interest(campaign: Campaign) -> int | None:
    """The first row of the log with a judgment, of those that a campaign's scores can be as of; None without one."""
    first, part = rows_over_time.first_judgment(campaign), campaign.part
    return first if first is None or part is None else max(first, part.round.opened + 1)


def round_words(campaign: Campaign, runs: int) -> str:
    """What a campaign looked at by a round shows, in a sentence; `runs` is how many runs of the round there are."""
    part: OfRound = campaign.part
    words = f"Round {part.round.name}, {counted(runs, 'run')}"
    if part.judged == ALL:
        return f"{words}."
    newest = partial(newest_id, id_tables(campaign))
    out = sum(len(set(map(newest, documents))) for documents in not_counted(campaign).values())
    where = "rankings and judgments" if part.judged == RESIDUAL else "the judgments; rankings are whole"
    return f"{words}: {counted(out, 'pair')} judged before it {'is' if out == 1 else 'are'} taken out of {where}."
