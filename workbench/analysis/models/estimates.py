"""Scores from a judge's labels of all candidates of a sample, corrected by people's labels of what was drawn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.analysis.between_assessors.coefficients import is_large
from workbench.analysis.between_assessors.gathering import judge_of, people_of
from workbench.analysis.models.against_people import NO_JUDGE, JudgeName
from workbench.analysis.registry import ANALYSES, MeasureName, analysis
from workbench.core.ranking import FloatArray, IntArray, cells_of
from workbench.core.results import AS_TEXT, Column
from workbench.core.wording import counted
from workbench.formats.tables.sheets import sheet_of
from workbench.jobs.processes import OnStep
from workbench.methods.corrected.claims import Claim, claims, noise_of
from workbench.methods.corrected.effort import Effort, effort_of
from workbench.methods.corrected.labels import TwoLabels, trust_by_topic
from workbench.methods.corrected.measures import Estimates, Estimator, estimator_of
from workbench.methods.measures import BoundMeasure, parse_measure
from workbench.methods.measures.sampled_rankings import SampledRankings, SampleLabels
from workbench.scoring.board import Scoring
from workbench.scoring.board.past_boards import scoring_of
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import runs
from workbench.storage.campaign.models.fixed_labels import Pair, first_by_people, fixed_labels

NOT_CHECKED = "not checked by people"
"""What is said of every score that is from a model's labels alone."""


class CorrectedRun(NamedTuple):
    """The score of a run.

    Attributes:
        run: its tag.
        estimate: the mean over the topics; None while no topic of the sample is judged.
        low, high: the interval over topics; None without one.
        holds: what holds of the interval: "95 %", "at least 90 %", or "" without one.
        behind: the best estimate less its own.
        behind_low, behind_high: the interval of that difference; None without one.
        behind_holds: what holds of it.
        people: the estimate from people's labels alone.
        not_checked_by_people: the score by the judge's labels alone.
        why: why no interval is called 95 %, of the score; "" where one is.
    """

    run: str
    estimate: Annotated[float | None, Column("Corrected", best="highest")]
    low: Annotated[float | None, Column("Interval from")]
    high: Annotated[float | None, Column("to")]
    holds: Annotated[str, Column("Holds")]
    behind: Annotated[float | None, Column("Behind the best")]
    behind_low: Annotated[float | None, Column("Interval from", "behind_low")]
    behind_high: Annotated[float | None, Column("to", "behind_high")]
    behind_holds: Annotated[str, Column("Holds", "behind_holds")]
    people: Annotated[float | None, Column("People alone")]
    not_checked_by_people: Annotated[float, Column(f"Model alone, {NOT_CHECKED}")]
    why: Annotated[str, Column("Why not 95 %")]


class CorrectedScores(NamedTuple):
    """Scores of all runs from a judge's labels, corrected by people's, as of row `seq` of the log.

    Attributes:
        seq: the row of the log.
        judge: the judge, "" where no model has given a label.
        judges: all judges with labels.
        measure: the measure.
        unbiased: whether the estimates are right on average whatever the judge said; else they are with many labels.
        topics: of how many topics all that was drawn is judged: estimates are over these.
        waiting: how many topics of the sample wait for judgments.
        candidates: how many pairs the sample was drawn from, in all its topics.
        unlabelled: how many of them have no label of the judge; each counts as a gain of 0 until people say more.
        left_out: how many of them the judge labelled only after people had begun with the topic's sample.
        judged: how many drawn pairs are judged that stand for others too.
        trust: what a label of the judge counts, the mean over topics: 0 is people alone, 1 its whole gain.
        effective: how many judgments without the judge would be as good; None where that cannot be told.
        pays: whether the judge saves judgments; None where the topics so far do not tell.
        verdict: the same as a sentence, or why there are no scores.
        runs: the best estimate first.
    """

    seq: int
    judge: str
    judges: tuple[str, ...]
    measure: Annotated[BoundMeasure, AS_TEXT]
    unbiased: bool
    topics: int
    waiting: int
    candidates: int
    unlabelled: int
    left_out: int
    judged: int
    trust: float | None
    effective: float | None
    pays: bool | None
    verdict: str
    runs: tuple[CorrectedRun, ...]


@analysis(
    "corrected",
    called="Scores corrected by people",
    sheet=lambda found: sheet_of(CorrectedRun, found.runs),
    is_large=is_large,
)
def corrected(
    campaign: Campaign, on_step: OnStep, *, judge: JudgeName | None = None, measure: MeasureName = "P@10"
) -> CorrectedScores:
    """Scores from a judge's labels of all candidates, corrected by people's labels of a sample, with intervals.

    Of the runs in force, now or as of a row of the log; by default of the judge with most labels. Where the pools in
    force are no sample there are no runs, and the verdict says why.

    A judge's label counts where it is in an earlier row of the log than the first label that people gave to what was
    drawn of its topic: so it cannot have been made from what it is compared with.

    Raises:
        UnknownName: no such judge or measure, or one that cannot be corrected.
    """
    with campaign.snapshot():
        scoring = scoring_of(campaign)
        by = estimator_of(
            parse_measure(measure, defaults={"rel": scoring.relevant_from}),
            ranks=max(1, int(scoring.rankings.lengths.max(initial=1))),
            top_grade=scoring.range_of_grades[1],
        )
        chosen, every = judge_of(campaign, judge)
        if not chosen or scoring.sample is None or scoring.why_no_sample:
            of = scoring.head.seq, chosen, tuple(sorted(every)), by.measure, by.is_unbiased
            why = _why_none(campaign, scoring) if chosen else NO_JUDGE
            return CorrectedScores(*of, 0, 0, 0, 0, 0, 0, None, None, None, why, ())
        cells = _Cells(campaign, scoring, scoring.sample)
        fixed = fixed_labels(campaign, chosen, cells.begun(first_by_people(campaign)))
    said = cells.grades(fixed.grades)
    counted_topics = cells.finished(scoring.without_grade)
    there = np.flatnonzero(cells.sample.size.sum(axis=1) > 0)
    found = _estimated(scoring, by, cells, said, counted_topics if len(counted_topics) else there)
    inside = cells.sample.stratum >= 0
    effort = found.effort if len(counted_topics) else None
    return CorrectedScores(
        seq=scoring.head.seq,
        judge=chosen,
        judges=tuple(sorted(every)),
        measure=by.measure,
        unbiased=by.is_unbiased,
        topics=len(counted_topics),
        waiting=len(there) - len(counted_topics),
        candidates=int(inside.sum()),
        unlabelled=int((inside & (said < 0)).sum()),
        left_out=sum(cells.cell(pair) is not None for pair in fixed.left_out),
        judged=0 if effort is None else effort.judged,
        trust=float(found.trust.mean()) if effort else None,
        effective=float(effort.effective) if effort and np.isfinite(effort.effective) else None,
        pays=None if effort is None else effort.pays,
        verdict=verdict(effort),
        runs=tuple(_rows(scoring, found, checked=effort is not None, of_sums=by.is_unbiased)),
    )


CORRECTED = ANALYSES["corrected"]


def verdict(effort: Effort | None) -> str:
    """What a judge is worth, as a sentence; None where nothing that was drawn is judged."""
    if effort is None:
        return f"No topic of the sample is judged to the end: scores by the judge are {NOT_CHECKED}."
    if effort.pays is None:
        return "Too little is judged to tell whether the model saves judgments."
    if not effort.pays:
        return "The model does not pay here: people’s labels alone are as good."
    digits = max(0, len(str(round(effort.saved))) - 2)
    return f"The model saves about {counted(int(round(effort.saved, -digits)), 'judgment')}."


def sentences(found: CorrectedScores) -> list[str]:
    """What the judge is worth, and what the scores are of."""
    said = [found.verdict]
    if not found.candidates:
        return said
    if found.effective is not None and found.trust is not None:
        said.append(
            f"With the judge {counted(found.judged, 'judgment')} count like {round(found.effective):,}; a label of its "
            f"counts {found.trust:.2f} of its gain, as other topics tell."
        )
    average = "right on average however wrong the judge is" if found.unbiased else "right with many judgments"
    said.append(
        f"Estimates of {found.measure} are {average}; over {counted(found.topics, 'topic')} judged to the end; "
        f"{found.waiting:,} more wait; as of log row {found.seq:,}."
    )
    if found.unlabelled:
        late = f", {found.left_out:,} since it labelled them after people had begun" if found.left_out else ""
        said.append(
            f"{found.unlabelled:,} of {found.candidates:,} candidates have no label of the judge{late}."
        )
    return said


def _why_none(campaign: Campaign, scoring: Scoring) -> str:
    if scoring.why_no_sample:
        return f"Scores cannot be corrected by people: {scoring.why_no_sample}."
    return (
        "Scores are corrected by people’s labels of a sample, and no pool in force is one. Draw one: "
        f"workbench pool {campaign.command_name} --strategy pps --depth 100 --budget 10%"
    )


class _Cells:
    """Where the pairs of a campaign are in its sample, which has people's grades alone: T topics, N cells."""

    def __init__(self, campaign: Campaign, scoring: Scoring, sample: SampleLabels) -> None:
        self._place = {topic_id: place for place, topic_id in enumerate(scoring.topic_ids)}
        whole = runs.vocabularies(campaign)
        self._numbers = {
            topic_id: {each: number for number, each in enumerate(whole.get(topic_id, ()))}
            | scoring.numbers.get(topic_id, {})
            for topic_id in scoring.topic_ids
        }
        self.sample = sample
        self.sample = sample.with_grades(self.grades(people_of(campaign)))

    def cell(self, pair: Pair) -> int | None:
        """The cell of a candidate; None for other pairs."""
        place, number = self._place.get(pair[0]), self._numbers.get(pair[0], {}).get(pair[1])
        if place is None or number is None:
            return None
        start, end = self.sample.topic_start[place : place + 2].tolist()
        cell = start + number
        return cell if cell < end and self.sample.stratum[cell] >= 0 else None

    def begun(self, first: dict[Pair, int]) -> dict[str, int]:
        """By topic the row of the log by which people first said something of what was drawn and stands for others."""
        found: dict[str, int] = {}
        for pair, seq in first.items():
            cell = self.cell(pair)
            if cell is not None and self.sample.drawn[cell] and self.sample.probability[cell] < 1:
                found[pair[0]] = min(seq, found.get(pair[0], seq))
        return found

    def grades(self, given: Mapping[Pair, int]) -> NDArray[np.int16]:
        """The grade of each cell, int16 (N), at least 0; -1 where none is given."""
        found = np.full(len(self.sample.stratum), -1, np.int16)
        for pair, grade in given.items():
            if (cell := self.cell(pair)) is not None:
                found[cell] = max(grade, 0)
        return found

    def finished(self, without_grade: set[Pair]) -> IntArray:
        """The topics of which all that was drawn is judged, and something has a grade; their places, int64."""
        open_ = self.sample.drawn & (self.sample.grade < 0)
        for pair in without_grade:
            if (cell := self.cell(pair)) is not None:
                open_[cell] = False
        waiting, judged = (self.sample.totals(each).sum(axis=1) for each in (open_, self.sample.grade >= 0))
        return np.flatnonzero((waiting == 0) & (judged > 0))


class _Found(NamedTuple):
    """What is estimated of n topics and S runs: values float64 (n, S), λ of each topic, what the judge is worth, and
    the effective chance of a document.
    """

    corrected: Estimates
    people: Estimates
    model: FloatArray
    trust: FloatArray
    effort: Effort
    chance: float


def _estimated(
    scoring: Scoring, by: Estimator, cells: _Cells, said: NDArray[np.int16], places: IntArray
) -> _Found:
    sampled = SampledRankings.join(
        scoring.of_topics(places.tolist()).rankings, cells.sample.of_topics(places)
    )
    _, inside = cells_of(cells.sample.topic_start, places)
    labels, shape = TwoLabels(sampled.labels, said[inside]), (len(places), len(scoring.runs))
    spread = by.spread(sampled, labels)
    trust = trust_by_topic(spread)
    corrected = by.estimates(sampled, labels, trust, spread)
    people = by.estimates(sampled, labels, np.zeros(len(places)), spread)
    judged = int(((sampled.labels.grade >= 0) & (sampled.labels.chance < 1)).sum())
    return _Found(
        Estimates(*(each.reshape(shape) for each in corrected)),
        Estimates(*(each.reshape(shape) for each in people)),
        by.by_model_alone(sampled, labels).reshape(shape),
        trust,
        effort_of(spread, trust, judged),
        by.effective_chance(sampled, labels),
    )


def _rows(scoring: Scoring, found: _Found, *, checked: bool, of_sums: bool) -> list[CorrectedRun]:
    tags = [run.record.tag for run in scoring.runs]
    model = found.model.mean(axis=0) if len(found.model) else np.zeros(len(tags))
    if not checked:
        order = np.argsort(-model, kind="stable").tolist()
        nothing = (None, None, None, "", None, None, None, "", None)
        return [CorrectedRun(tags[run], *nothing, float(model[run]), NOT_CHECKED) for run in order]
    (value, taken_off, _), people = found.corrected, found.people
    means = value.mean(axis=0)
    order = np.argsort(-means, kind="stable").tolist()
    best = order[0] if order else 0
    noise = noise_of(people.value, people.variance, found.chance)
    own = claims(value, taken_off.mean(axis=0), noise, of_sums=of_sums)
    others, variance = people.value[:, [best]] - people.value, people.variance[:, [best]] + people.variance
    apart, noise = (taken_off[:, [best]] - taken_off).mean(axis=0), noise_of(others, variance, found.chance)
    behind = claims(value[:, [best]] - value, apart, noise, of_sums=of_sums)
    return [
        CorrectedRun(
            tags[run],
            float(means[run]),
            *_of_claim(own[run]),
            float(means[best] - means[run]),
            *(_of_claim(behind[run]) if run != best else (None, None, "")),
            float(people.value[:, run].mean()),
            float(model[run]),
            own[run].why,
        )
        for run in order
    ]


def _of_claim(claim: Claim) -> tuple[float | None, float | None, str]:
    low, high = claim.interval or (None, None)
    return low, high, claim.words
