"""What disagreement does to the result: the leaderboard under other grades of the same pairs.

Other grades replace the campaign's on pairs that have them; all other pairs keep the campaign's. So what
changes is due to disagreement, not to pairs that an assessor was never asked about.

Source: E. M. Voorhees, Information Processing and Management 36, 2000: each assessor's, the union and the intersection
of the relevant, and qrels that take each topic from an assessor drawn by chance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, compress
from operator import itemgetter
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.analysis.between_assessors.gathering import Pair, given_grades
from workbench.analysis.comparing.leaderboards import Agreement, Leaderboard, ranks_of, two_leaderboards
from workbench.analysis.comparing.scores import Scored, averaged
from workbench.core.ranking import Labels
from workbench.core.results import AS_TEXT, Column
from workbench.core.seed import SEED
from workbench.methods.measures import BoundMeasure, parse_measure
from workbench.methods.measures.judged import FloatArray
from workbench.methods.statistics.arrays import Progress
from workbench.methods.statistics.rank_correlation import tau_b_of_each
from workbench.scoring.board import Scoring
from workbench.scoring.board.past_boards import scoring_of
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import topic_withdrawals
from workbench.storage.campaign.grades import adjudications

CHOICES = 1000

RULES: dict[str, Callable[[Sequence[int]], int]] = {"union": max, "intersection": min}
"""A pair is relevant if one says so, or if all do; of grades the highest, or the lowest."""

ADJUDICATED = "adjudicated"
"""The view in which what was adjudicated has that grade, and all other pairs the campaign's own."""

Grades = dict[Pair, int]


class View(NamedTuple):
    """The leaderboard under other grades.

    Attributes:
        name: whose: an assessor's, or "union", "intersection", or "adjudicated" where anything was.
        assessor: whether the grades are one assessor's.
        topics: on how many topics both leaderboards are: an assessor's own, else all.
        changed: how many pairs have another grade than the campaign's.
        boards: the campaign's own leaderboard against this one, on these topics.
    """

    name: str
    assessor: bool
    topics: int
    changed: int
    boards: Agreement


class RunRange(NamedTuple):
    """A run's score by the campaign's own grades, and over choices of an assessor for each topic.

    `low` and `high` hold 95 % of them, `lowest` and `highest` all; ranks are from 1.
    """

    run: str
    score: Annotated[float, Column(kind="score")]
    lowest: Annotated[float, Column(kind="score")]
    low: Annotated[float, Column("2.5%", kind="score")]
    high: Annotated[float, Column("97.5%", kind="score")]
    highest: Annotated[float, Column(kind="score")]
    rank: int
    best_rank: int
    worst_rank: int


class Effect(NamedTuple):
    """What disagreement does to a leaderboard, as of row `seq` of the log.

    `shared_topics` of the `topics` are those judged by several; `tau_mean`, `tau_low` (2.5 %) and `tau_lowest` are of
    Kendall's tau between the campaign's own order and that of each choice. It is defined for `tau_choices` of these
    (not where one side ties all runs), and they are None where it is for none.
    """

    seq: int
    measure: Annotated[BoundMeasure, AS_TEXT]
    topics: int
    shared_topics: int
    views: tuple[View, ...]
    choices: int
    seed: int
    tau_choices: int
    tau_mean: float | None
    tau_low: float | None
    tau_lowest: float | None
    ranges: tuple[RunRange, ...]


class _Scene(NamedTuple):
    """The campaign's own scoring, the grades of all assessors, and a function that scores other grades."""

    scoring: Scoring
    measure: BoundMeasure
    by_assessor: Mapping[str, Grades]
    adjudicated: Grades

    def values(self, labels: Labels) -> FloatArray:
        settled = self.scoring.settled(self.measure)
        return replace(self.scoring, labels=labels).values_of([settled])[settled]

    def scored(self, values: FloatArray, topics: NDArray[np.bool_]) -> Scored:
        """Scores on the topics of a mask."""
        ids, of = tuple(compress(self.scoring.topic_ids, topics)), (self.scoring.head.seq, self.measure)
        return Scored(*of, ids, self.scoring.tags, values[topics], np.empty(0)).with_means()


def effect_of_disagreement(
    campaign: Campaign,
    measure: str = "AP",
    *,
    choices: int = CHOICES,
    seed: int = SEED,
    progress: Progress | None = None,
) -> Effect:
    """How the leaderboard changes with whose grades are taken.

    Args:
        measure: one measure in either notation; counts are added up over topics, as on the leaderboard.
        choices: how often an assessor is drawn for each topic, among those who judged it.
        seed: where their chance starts.
        progress: called with how many more leaderboards are done.

    Raises:
        UnknownName: a measure that does not exist.
        CampaignError: a mean other than the arithmetic one.
    """
    scene = _scene(campaign, measure)
    counted = scene.scoring.topics_for(scene.measure)
    layers = _layers(scene, progress or (lambda steps: None))
    own = averaged(scene.scored(layers.own, counted))
    views = [*_assessors(scene, layers, counted)]
    together = {name: _by_rule(scene, rule) for name, rule in RULES.items()}
    for name, grades in (together | ({ADJUDICATED: scene.adjudicated} if scene.adjudicated else {})).items():
        labels, changed = _relabelled(scene.scoring, grades)
        boards = _boards(scene, name, (layers.own, scene.values(labels)), counted)
        views.append(View(name, False, int(counted.sum()), changed, boards))
    drawn = _choose(layers, counted, choices, np.random.default_rng(seed))
    means = drawn if own.measure.is_count else drawn / max(int(counted.sum()), 1)
    taus = tau_b_of_each(np.repeat(own.means[None, :], choices, axis=0), means)
    return Effect(
        seq=own.seq,
        measure=own.measure,
        topics=int(counted.sum()),
        shared_topics=int((layers.number[counted] > 1).sum()),
        views=tuple(views),
        choices=choices,
        seed=seed,
        tau_choices=len(taus),
        tau_mean=float(taus.mean()) if len(taus) else None,
        tau_low=float(np.quantile(taus, 0.025)) if len(taus) else None,
        tau_lowest=float(taus.min()) if len(taus) else None,
        ranges=_ranges(own, means),
    )


class _Layers(NamedTuple):
    """Scores of every topic under each of its assessors: layer j has the j-th, and the campaign's own where none is.

    Attributes:
        own: float64 (topics, runs), by the campaign's own grades.
        values: float64 (layers, topics, runs).
        number: int64 (topics,). How many assessors each topic has.
        assessors: the names of each topic's, in order.
    """

    own: FloatArray
    values: FloatArray
    number: NDArray[np.int64]
    assessors: list[list[str]]


def _scene(campaign: Campaign, measure: str) -> _Scene:
    with campaign.snapshot():
        scoring = scoring_of(campaign)
        known = (
            set(scoring.topic_ids) - topic_withdrawals.withdrawn(campaign).keys()
        )  # which no score is over
        by_assessor: dict[str, Grades] = {}
        for topic_id, document_id, assessor, grade in sorted(given_grades(campaign), key=itemgetter(2)):
            if topic_id in known:
                by_assessor.setdefault(assessor, {})[topic_id, document_id] = grade
        settled = adjudications.in_force(campaign).items()
    bound = parse_measure(measure, defaults={"rel": scoring.relevant_from})
    counting = (
        (pair, found) for pair, found in settled if pair[0] in known and pair not in scoring.taken_out
    )
    return _Scene(scoring, bound, by_assessor, {pair: found.grade for pair, found in counting})


def _layers(scene: _Scene, progress: Progress) -> _Layers:
    of_topic: dict[str, dict[str, int]] = {topic_id: {} for topic_id in scene.scoring.topic_ids}
    layers: list[Grades] = []
    for name, grades in scene.by_assessor.items():
        for pair, grade in grades.items():
            layer = of_topic[pair[0]].setdefault(name, len(of_topic[pair[0]]))
            layers += [{} for _ in range(layer + 1 - len(layers))]
            layers[layer][pair] = grade
    own, found = scene.values(scene.scoring.labels), []
    for grades in layers:
        found.append(scene.values(_relabelled(scene.scoring, grades)[0]))
        progress(1)
    assessors = list(map(list, of_topic.values()))
    return _Layers(own, np.array(found or [own]), np.array(list(map(len, assessors)), np.int64), assessors)


def _relabelled(scoring: Scoring, grades: Grades) -> tuple[Labels, int]:
    """The campaign's labels with these grades in their place, and how many pairs that changes."""
    start, label = scoring.labels.topic_start, scoring.labels.label.copy()
    first = dict(zip(scoring.topic_ids, start.tolist(), strict=False))
    cells = np.array([first[pair[0]] + scoring.numbers[pair[0]][pair[1]] for pair in grades], np.int64)
    new = np.array(list(grades.values()), np.int16)
    changed = int((label[cells] != new).sum())
    label[cells] = new
    return Labels(start, label), changed


def _assessors(scene: _Scene, layers: _Layers, counted: NDArray[np.bool_]) -> Iterable[View]:
    """The leaderboard under each assessor's grades, on the topics that they judged."""
    for name, grades in scene.by_assessor.items():
        values, mine = layers.own.copy(), np.zeros(len(counted), np.bool_)
        for topic, names in enumerate(layers.assessors):
            if name in names:
                values[topic], mine[topic] = layers.values[names.index(name), topic], True
        changed = _relabelled(scene.scoring, grades)[1]
        boards = _boards(scene, name, (layers.own, values), mine & counted)
        yield View(name, True, int((mine & counted).sum()), changed, boards)


def _by_rule(scene: _Scene, rule: Callable[[Sequence[int]], int]) -> Grades:
    """One grade of the several that a pair has."""
    given: dict[Pair, list[int]] = {}
    for pair, grade in chain.from_iterable(grades.items() for grades in scene.by_assessor.values()):
        given.setdefault(pair, []).append(grade)
    return {pair: rule(grades) for pair, grades in given.items()}


def _boards(
    scene: _Scene, name: str, values: tuple[FloatArray, FloatArray], topics: NDArray[np.bool_]
) -> Agreement:
    own, other = (scene.scored(each, topics) for each in values)
    return two_leaderboards(Leaderboard("the campaign's", own), Leaderboard(name, other), resamples=0)


def _choose(
    layers: _Layers, counted: NDArray[np.bool_], choices: int, rng: np.random.Generator
) -> FloatArray:
    """Sums over topics of the runs' scores when each topic's assessor is drawn, float64 (choices, runs)."""
    drawn = rng.integers(0, np.maximum(layers.number, 1), size=(choices, len(layers.number)))
    sums = np.zeros((choices, layers.own.shape[1]))
    for layer, values in enumerate(layers.values):
        sums += ((drawn == layer) & counted).astype(np.float64) @ values
    return sums


def _ranges(own: Scored, means: FloatArray) -> tuple[RunRange, ...]:
    """The range of each run, best first by the campaign's own grades."""
    if not own.tags:
        return ()
    ranks = ranks_of(own.merits)
    drawn = np.array([ranks_of(own.measure.sign * row) for row in means])
    low, high = np.quantile(means, [0.025, 0.975], axis=0)
    columns = (own.means, means.min(axis=0), low, high, means.max(axis=0))
    scores = [column.tolist() for column in columns]
    places = [ranks, drawn.min(axis=0).tolist(), drawn.max(axis=0).tolist()]
    return tuple(sorted(map(RunRange, own.tags, *scores, *places), key=lambda each: (each.rank, each.run)))
