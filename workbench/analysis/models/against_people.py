"""A judge, which is a model, against people on the pairs that both labelled, with topics as the sample.

A person's label is the campaign's by its own rule, of what was judged here or imported; labels of models never count
as such. The judge's label is its newest of the pair. Pairs of a sample are weighted by 1 / π, so that what is shown is
an estimate for all its candidates; candidates that were left out, and got labels otherwise, do not count once more.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, permutations
from typing import Annotated, Any, NamedTuple

import numpy as np

from workbench.analysis.between_assessors.coefficients import is_large
from workbench.analysis.between_assessors.gathering import Pair, given_grades, judge_of, people_of
from workbench.analysis.models import showing
from workbench.analysis.registry import ANALYSES, analysis
from workbench.core.battles import PREFERS_FIRST, PREFERS_SECOND, seen_from
from workbench.core.model_answers import PROBE, mode
from workbench.core.parameters import Limits
from workbench.core.results import Column
from workbench.formats.tables.sheets import sheet_of
from workbench.jobs.processes import OnStep
from workbench.methods.pairing import left_in_prompt
from workbench.methods.statistics import over_topics
from workbench.methods.statistics.arrays import FloatArray
from workbench.methods.statistics.over_topics import Estimate, Statistic, as_two_classes, estimate
from workbench.scoring.board.sample_design import left_out
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import near_duplicates, pools, topic_withdrawals
from workbench.storage.campaign.collection.pairs import is_of_pairs
from workbench.storage.campaign.collection.question_topics import topic_of
from workbench.storage.campaign.grades import shown_labels
from workbench.storage.campaign.grades.shown_labels import FirstGrade
from workbench.storage.campaign.log import log
from workbench.storage.campaign.models import answers
from workbench.storage.campaign.organising import settings

NO_JUDGE = (
    "No model has labelled a pair of this campaign. Import labels: "
    "workbench add model-labels CAMPAIGN FILE --form qrels --judge NAME."
)
WORSE = "no interval: the judge agrees less than chance, where intervals hold the truth too rarely"
KAPPA, QUADRATIC = "Cohen's kappa", "Cohen's kappa, quadratic"
NOMINAL = ("same grade", KAPPA, "Gwet's AC1")
"""The coefficients of grades that need no order of them."""
OF_PEOPLE = "the judge against people"
"""Whose agreement it is on near duplicates, beside that of each side with itself."""
Grades = Mapping[Pair, int]


class Figure(NamedTuple):
    """One number about a judge.

    Attributes:
        part: what the pairs are grouped by: "all pairs", "grade", "topic", "assessor", "near duplicates",
            "repeats", "sides", "probe" or "showing".
        scope: which grade, topic or assessor; "" where there is one.
        coefficient: what is measured.
        value: None where it is not defined.
        low, high: its interval over topics; None where there is none.
        holds: in how many simulations such intervals held the truth; "" without one.
        topics, pairs: what it rests on; of a sample, the pairs that the drawn ones stand for.
        note: why there is no value or no interval.
    """

    part: str
    scope: str
    coefficient: str
    value: Annotated[float | None, Column(kind="score")]
    low: Annotated[float | None, Column(kind="score")]
    high: Annotated[float | None, Column(kind="score")]
    holds: str
    topics: int
    pairs: int
    note: str


class JudgeQuality(NamedTuple):
    """A judge against people, as of row `seq` of the log.

    Attributes:
        seq: the row of the log.
        judge: the judge's name.
        judges: all judges with labels, in byte order.
        labels: how many pairs the judge labelled.
        people: how many pairs people labelled.
        pairs: how many both labelled.
        topics: in how many topics.
        grades: the categories in order.
        relevant_from: the smallest relevant grade.
        table: how often people gave the row's grade and the judge the column's, float64 (k, k).
        answers: how many answers of the judge are stored, repeats included; 0 where only its labels are.
        failed: how many of these are no label.
        weighted: whether pairs were drawn with different probabilities: then each stands for 1 / π pairs.
        figures: all numbers.
    """

    seq: int
    judge: str
    judges: tuple[str, ...]
    labels: int
    people: int
    pairs: int
    topics: int
    grades: tuple[int, ...]
    relevant_from: int
    table: FloatArray
    answers: int
    failed: int
    weighted: bool
    figures: tuple[Figure, ...]

    def scopes(self, part: str) -> dict[str, dict[str, Figure]]:
        """The numbers of one part by scope and coefficient."""
        found: dict[str, dict[str, Figure]] = {}
        for each in self.figures:
            if each.part == part:
                found.setdefault(each.scope, {})[each.coefficient] = each
        return found

    def held(self, part: str) -> str:
        """In how many simulations intervals of a part held the truth; "" where it has none."""
        return next((each.holds for each in self.figures if each.part == part and each.holds), "")


JudgeName = Annotated[str, Limits("The judge; that with most labels by default")]


@analysis(
    "judge-quality",
    called="A judge against people",
    sheet=lambda found: sheet_of(Figure, found.figures),
    # Without topics, of which there may be hundreds.
    people=lambda found: sheet_of(Figure, [each for each in found.figures if each.part != "topic"]),
    is_large=is_large,
)
def judge_quality(campaign: Campaign, on_step: OnStep, *, judge: JudgeName | None = None) -> JudgeQuality:
    """How a judge's labels compare with people's, with topics as the sample: agreement, errors, near duplicates."""
    with campaign.snapshot():
        seq, rules = log.head(campaign).seq, settings.read(campaign)
        name, by_judge = judge_of(campaign, judge)
        people, given_by = people_of(campaign), given_grades(campaign)
        drawn = {
            pair.pooled[:2]: 1 / pair.pooled.inclusion_probability for pair in pools.pooled_pairs(campaign)
        }
        drawn |= dict.fromkeys(left_out(campaign), 0.0)
        first_given = list(shown_labels.first_grades(campaign, name))
        clusters = near_duplicates.everywhere(campaign)
        given_answers, every = answers.batches(campaign, name), answers.labelled_samples(campaign, name)
        of_pairs, here = is_of_pairs(campaign), topic_withdrawals.taking_part(campaign)
        on_left = _on_left(campaign, name, here) if of_pairs else {}
    model = by_judge.get(name, {})
    samples = {pair: by_number for pair, by_number in every.items() if pair in model}  # of this question
    shared = sorted(people.keys() & model.keys())
    given = {
        *people.values(),
        *model.values(),
        *(grade for each in samples.values() for grade in each.values()),
    }
    scale = _Scale(
        sorted({grade.grade for grade in rules.grades} | given), rules.relevant_from, drawn, of_pairs
    )
    tables = scale.tables(shared, people, model)
    figures = [*_whole(tables, scale), *_by_grade(tables, scale), *_by_topic(tables, scale, shared)]
    by_person: dict[str, dict[Pair, int]] = {}
    for each in given_by:
        if (pair := (each.topic_id, each.document_id)) in model:
            by_person.setdefault(each.assessor, {})[pair] = each.grade
    for assessor, own in sorted(by_person.items()):
        figures += _figures("assessor", assessor, scale.tables(sorted(own), own, model), scale.in_short)
    if clusters:
        figures += _near_duplicates(clusters, scale, people, model, shared)
    if over_topics.GRADED[QUADRATIC if QUADRATIC in scale.graded else KAPPA](tables.sum(axis=0)[None])[0] < 0:
        figures = [each._replace(low=None, high=None, holds="", note=each.note or WORSE) for each in figures]
    figures += [*_repeats(samples, scale), *_share("sides", "all answers", "left preferred", on_left)]
    figures += [
        *_probe({pair: by for pair, by in every.items() if pair[0] in here}, scale),
        *_showing(first_given),
    ]
    return JudgeQuality(
        seq=seq,
        judge=name,
        judges=tuple(sorted(by_judge)),
        labels=len(model),
        people=len(people),
        pairs=len(shared),
        topics=len({topic_id for topic_id, _ in shared}),
        grades=tuple(scale.grades),
        relevant_from=rules.relevant_from,
        table=tables.sum(axis=0),
        answers=sum(batch.answers for batch in given_answers),
        failed=sum(batch.unlabelled for batch in given_answers),
        weighted=any(scale.weight.get(pair, 1.0) != 1.0 for pair in shared),
        figures=tuple(figures),
    )


class _Scale(NamedTuple):
    """The categories in order, from which grade on they are relevant, and for how many each drawn pair stands.

    Preferences between two things have no order.
    """

    grades: Sequence[int]
    relevant_from: int
    weight: Mapping[Pair, float]
    of_pairs: bool = False

    @property
    def first_relevant(self) -> int:
        return 0 if self.of_pairs else sum(grade < self.relevant_from for grade in self.grades)

    @property
    def graded(self) -> Mapping[str, Statistic]:
        return {name: over_topics.GRADED[name] for name in NOMINAL} if self.of_pairs else over_topics.GRADED

    @property
    def in_short(self) -> dict[str, Statistic]:
        """What each topic and assessor has."""
        chosen = ("same grade", KAPPA, QUADRATIC)
        return {name: self.graded[name] for name in chosen if name in self.graded} | self.grading

    @property
    def grading(self) -> dict[str, Statistic]:
        if self.of_pairs:
            return {}
        return {
            "graded above": over_topics.above,
            "graded below": over_topics.below,
            "mean difference": over_topics.difference(self.grades),
        }

    def tables(self, pairs: Sequence[Pair], one: Grades, other: Grades) -> FloatArray:
        """How often both sides gave which grades, in each topic of the pairs: float64 (topics, k, k), by weight."""
        category = {grade: place for place, grade in enumerate(self.grades)}
        topics = {topic_id: place for place, topic_id in enumerate(dict.fromkeys(pair[0] for pair in pairs))}
        found = np.zeros((len(topics), len(category), len(category)))
        for pair in pairs:
            found[topics[pair[0]], category[one[pair]], category[other[pair]]] += self.weight.get(pair, 1.0)
        return found


def _figure(part: str, scope: str, name: str, pairs: FloatArray, found: Estimate) -> Figure:
    """A number that rests on so many pairs of each topic, float64 (topics,)."""
    low, high = found.interval or (None, None)
    rests_on = int((pairs > 0).sum()), round(pairs.sum())
    return Figure(part, scope, name, found.value, low, high, found.holds, *rests_on, found.note)


def _figures(part: str, scope: str, tables: FloatArray, chosen: Mapping[str, Statistic]) -> Iterator[Figure]:
    for name, statistic in chosen.items():
        lowest, highest = (0.0 if statistic in over_topics.SHARES else -1.0), 1.0
        if name == "mean difference":
            lowest, highest = -math.inf, math.inf
        found = estimate(tables, statistic, lowest=lowest, highest=highest)
        yield _figure(part, scope, name, tables.sum(axis=(1, 2)), found)


def _shares(
    part: str, scope: str, tables: FloatArray, chosen: Mapping[str, tuple[Statistic, Statistic]]
) -> Iterator[Figure]:
    """Shares of the pairs of one grade, which alone count as what they rest on."""
    for name, (statistic, about) in chosen.items():
        yield _figure(part, scope, name, about(tables), estimate(tables, statistic, about, lowest=0.0))


def _whole(tables: FloatArray, scale: _Scale) -> Iterator[Figure]:
    """Of all pairs: by grade, as relevant or not, and which way the judge errs; two grades are shown once."""
    part, classes, first = "all pairs", "relevant or not", scale.first_relevant
    two = as_two_classes(tables, first)
    if len(scale.grades) > 2:
        yield from _figures(part, "by grade", tables, scale.graded)
    if 0 < first < len(scale.grades):
        yield from _figures(part, classes, two, over_topics.BINARY)
        relevant = {"relevant found": over_topics.found(1), "relevant confirmed": over_topics.confirmed(1)}
        yield from _shares(part, classes, two, relevant | {"not relevant found": over_topics.found(0)})
    yield from _figures(part, "grading", tables, scale.grading)


def _by_grade(tables: FloatArray, scale: _Scale) -> Iterator[Figure]:
    """Of each grade: which share of people's the judge gives too, and which share of the judge's people give too."""
    for category, grade in enumerate(scale.grades):
        chosen = {"found": over_topics.found(category), "confirmed": over_topics.confirmed(category)}
        yield from _shares("grade", str(grade), tables, chosen)


def _by_topic(tables: FloatArray, scale: _Scale, pairs: Sequence[Pair]) -> Iterator[Figure]:
    for place, topic_id in enumerate(dict.fromkeys(topic for topic, _ in pairs)):
        for each in _figures("topic", topic_id, tables[[place]], scale.in_short):
            yield each._replace(note="" if each.value is not None else each.note)


def _repeats(samples: Mapping[Pair, Mapping[int, int]], scale: _Scale) -> Iterator[Figure]:
    """How often two answers of the judge about a pair have the same grade; each pair counts once."""
    one, other, weight = dict[Any, int](), dict[Any, int](), dict[Any, float]()
    for (topic_id, document_id), by_number in samples.items():
        both = list(permutations(sorted(by_number.items()), 2))
        for (number, grade), (second, again) in both:
            key = topic_id, f"{document_id} {number} {second}"
            one[key], other[key], weight[key] = grade, again, 1 / len(both)
    if one:
        named = {name: scale.graded[name] for name in ("same grade", QUADRATIC) if name in scale.graded}
        tables = scale._replace(weight=weight).tables(list(one), one, other)
        yield from _figures("repeats", "with each other", tables, named)


def _on_left(campaign: Campaign, judge: str, topic_ids: Collection[str]) -> dict[Pair, bool]:
    """Of each answer that prefers one side of its prompt, by topic and number of the repeat, whether it is the left."""
    found: dict[Pair, bool] = {}
    for _, _, each in answers.each_answer(campaign, judge):
        if (
            each.topic_id in topic_ids
            and each.prompt_sha256
            and each.grade in (PREFERS_FIRST, PREFERS_SECOND)
        ):
            left = left_in_prompt(topic_of(campaign, each.topic_id), each.document_id, each.sample)
            key = each.topic_id, f"{each.document_id} {each.sample}"
            found[key] = seen_from(left, each.grade) == PREFERS_FIRST
    return found


def _probe(samples: Mapping[Pair, Mapping[int, int]], scale: _Scale) -> Iterator[Figure]:
    """How many documents without sense the judge does not call worthless."""
    least = min((grade for grade in scale.grades if grade >= 0), default=0)
    above: dict[str, dict[Pair, bool]] = {}
    for pair, by_number in samples.items():
        if found := PROBE.fullmatch(pair[1]):
            above.setdefault(f"{found[1]} words", {})[pair] = mode(by_number.values()) > least
    for kind, by_pair in above.items():
        yield from _share("probe", kind, "graded above", by_pair)


def _share(part: str, scope: str, name: str, said: Mapping[Pair, bool]) -> Iterator[Figure]:
    """How many are so, as a share over topics; nothing without any."""
    if said:
        tables = _Scale((False, True), 1, {}).tables(list(said), dict.fromkeys(said, False), said)
        yield from _figures(part, scope, tables, {name: over_topics.above})


def _showing(given: Iterable[FirstGrade]) -> Iterator[Figure]:
    """What showing the judge's label does: the pairs are single grades of assessors."""
    for name, tables in showing.tables_of(given).items():
        for scope, (found, about) in showing.effect(tables).items():
            if about.sum():
                yield _figure("showing", scope, name, about, found)


def _near_duplicates(
    clusters: Mapping[str, Mapping[str, str]],
    scale: _Scale,
    people: Grades,
    model: Grades,
    shared: Collection[Pair],
) -> Iterator[Figure]:
    """The pairs that have near duplicates, and how often two near duplicates of a topic have the same grade."""
    part = "near duplicates"
    inside = [pair for pair in shared if pair[1] in clusters.get(pair[0], {})]
    yield from _figures(part, OF_PEOPLE, scale.tables(inside, people, model), scale.in_short)
    for side, grades in (("the judge", model), ("people", people)):
        twins = list(_twins(clusters, grades))
        one = {(topic_id, f"{a} {b}"): grades[topic_id, a] for topic_id, a, b in twins}
        other = {(topic_id, f"{a} {b}"): grades[topic_id, b] for topic_id, a, b in twins}
        yield from _figures(
            part, f"{side}, twice", scale.tables(list(one), one, other), {"same grade": over_topics.same}
        )


def _twins(clusters: Mapping[str, Mapping[str, str]], grades: Grades) -> Iterable[tuple[str, str, str]]:
    """Each two near duplicates of a topic with a grade, the first in byte order first."""
    for topic_id, firsts in clusters.items():
        by_first: dict[str, list[str]] = {}
        for document_id, first in firsts.items():
            if (topic_id, document_id) in grades:
                by_first.setdefault(first, []).append(document_id)
        for members in by_first.values():
            yield from ((topic_id, *two) for two in combinations(members[:MOST_TWINS], 2))


MOST_TWINS = 50
"""Of larger clusters so many documents are compared with each other."""

QUALITY = ANALYSES["judge-quality"]
