"""What was drawn: the pools of one random order, and how far along it everything is judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.analysis.trust.pair_sums import topic_runs
from workbench.campaign.pools.made_again import Material, material_of
from workbench.campaign.pools.refusals import SEQUENTIAL, begun_with_its_seed, same_order, used_seed_words
from workbench.core.errors import CampaignError, UnknownName
from workbench.core.natural_order import natural
from workbench.core.ranking import POOLED, UNJUDGED, FloatArray, IntArray
from workbench.core.wording import counted, listed
from workbench.methods.bounds import TopicRuns
from workbench.methods.bounds.topic_runs import pairwise_least
from workbench.methods.measures import BoundMeasure, parse_measure
from workbench.methods.measures.additive import Additive, additive_form
from workbench.methods.pooling import TIES
from workbench.methods.pooling.strategies.sequential_pps import draw
from workbench.scoring.board import Scoring
from workbench.scoring.board.past_boards import scoring_of
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import pools, topic_withdrawals
from workbench.storage.campaign.grades.labels import grades_by_topic
from workbench.storage.campaign.log import log
from workbench.storage.campaign.models.fixed_labels import FixedLabels, first_by_people, fixed_labels

Pair = tuple[str, str]


class Series(NamedTuple):
    """Pools of one random order.

    Attributes:
        numbers: theirs.
        first: the first of them.
        record: of the newest.
        others: the numbers of the pools of other orders that were drawn before or after, retired ones included.
    """

    numbers: tuple[int, ...]
    first: pools.StoredPool
    record: pools.PoolRecord
    others: tuple[int, ...] = ()

    @property
    def seed(self) -> int:
        """What the order depends on, besides the rankings."""
        return int(self.record.parameters["seed"])


def series_of(campaign: Campaign) -> Series | None:
    """The newest order that pools in force were drawn in, and all its pools; None where there is none."""
    ever = [pool for pool in pools.all_pools(campaign) if pool.record.strategy == SEQUENTIAL]
    made = [pool for pool in ever if pool.retired is None]
    if not made:
        return None
    newest = made[-1].record
    alike = [pool for pool in made if same_order(pool.record, newest)]
    others = tuple(pool.pool for pool in ever if not same_order(pool.record, newest))
    return Series(tuple(pool.pool for pool in alike), alike[0], newest, others)


class Sums(NamedTuple):
    """What S runs have, and what they can still get.

    Attributes:
        drawn: float64 (S, n). What the documents that were drawn weigh in each run.
        known: float64 (S). What each run has from what was judged before the first draw.
        judged: float64 (S). What it has from all that is judged.
        said: float64 (S). What it has from all documents of the order by the labels of a judge; 0 without one.
        waiting: float64 (S). What the other documents of the order weigh in it.
        shared: float64 (S, S). What they weigh in both of two runs: of each the lesser weight.
        worst: the largest difference of the weights of one document, for each unit of its size.
        missed: how many documents tell runs apart and are never drawn.
    """

    drawn: FloatArray
    known: FloatArray
    judged: FloatArray
    said: FloatArray
    waiting: FloatArray
    shared: FloatArray
    worst: float
    missed: int


class Drawn(NamedTuple):
    """What evidence is made from: N documents in the order of drawing, of which the first n are judged; S runs.

    Attributes:
        head: the row of the log that this is as of.
        series: the pools.
        measure: by which runs are compared.
        tags: the runs in force that the pools drew on.
        topics: how many topics a mean is over.
        pairs: topic and document id of each document (N).
        pooled: how many of the first documents are pooled.
        judged: how many documents are judged, those after a gap included.
        elsewhere: how many pairs are pooled that are neither in the order nor were judged before it.
        sums: what is known of the runs.
        left: float64 (n). The sizes of all that was left, before each draw.
        size: float64 (n). Of what was drawn.
        gain: float64 (n). Likewise.
        said: float64 (n). Likewise, what a judge had said of it; 0 without one.
        most: no gain is larger; none is below 0.
        judge: the model whose labels evidence starts from, "" without one.
        left_out: the pairs of the order whose labels it gave after people had begun with the order.
    """

    head: log.Head
    series: Series
    measure: BoundMeasure
    tags: tuple[str, ...]
    topics: int
    pairs: tuple[Pair, ...]
    pooled: int
    judged: int
    elsewhere: int
    sums: Sums
    left: FloatArray
    size: FloatArray
    gain: FloatArray
    said: FloatArray
    most: float
    judge: str = ""
    left_out: tuple[Pair, ...] = ()

    @property
    def gap(self) -> tuple[Pair, ...]:
        """The pooled pairs from the first that waits, where one behind it is judged: such do not count yet."""
        number = len(self.gain)
        return self.pairs[number : self.pooled] if number < self.judged else ()


def drawn(campaign: Campaign, name: str | None = None, judge: str = "") -> Drawn | None:
    """What was drawn and judged now, or as of a row of the log; None where no pool was drawn in an order.

    Without a `name` by the measure that the order was drawn for. With a `judge` evidence is from what its labels and
    people's differ by; its labels count where they were there before people judged the first document of the order.

    Raises:
        CampaignError: fewer than two of the runs are in force, a topic of the order is withdrawn, what was judged
            before the first draw is no more, or another order by the same seed was begun before.
        UnknownName: no such measure, or one of which the order says nothing; no such judge.
    """
    with campaign.snapshot():
        series = series_of(campaign)
        if series is None:
            return None
        material = material_of(campaign.now, series.first)
        scoring = scoring_of(campaign.whole)
        before = grades_by_topic(campaign.at(series.first.seq))
        known = {topic_id: frozenset(before(topic_id)) for topic_id in scoring.topic_ids}
        _require_own_seed(campaign, series, known)
        out = topic_withdrawals.withdrawn(campaign).keys() - topic_withdrawals.withdrawn(
            campaign.at(series.first.seq)
        )
    if out:
        raise CampaignError(
            f"topics of the order are withdrawn: {listed(sorted(out, key=natural))}; restore them (workbench task "
            "withdraw --topics --restore), or pool in an order with another seed"
        )
    name = name or series.record.parameters["measure"]
    measure = parse_measure(name, defaults={"rel": scoring.relevant_from})
    _require_known(scoring, known)
    runs = [at for at, run in enumerate(scoring.runs) if run.record.tag in series.record.runs]
    if len(runs) < 2:
        message = f"fewer than two of the runs that pool {series.numbers[-1]} drew on are in force: nothing to compare"
        raise CampaignError(message)
    form = _form(measure, scoring)
    order = _order(series, material, scoring, known)
    fixed = _fixed(campaign, judge, order) if judge else FixedLabels({}, ())
    said = _gains_of(fixed, order, form)
    sums = _sums(order, scoring, known, runs, form, said)
    if sums.missed:
        drawn_for = series.record.parameters["measure"]
        raise UnknownName(
            f"{measure} counts {counted(sums.missed, 'document')} that the order, which was drawn for {drawn_for}, "
            f"never draws; take -m '{drawn_for}', or pool in an order for {measure}"
        )
    number = order.number
    pooled = np.flatnonzero(order.label != UNJUDGED)
    return Drawn(
        head=scoring.head,
        series=series,
        measure=measure,
        tags=tuple(scoring.runs[run].record.tag for run in runs),
        topics=int(scoring.topics_in_the_end.sum()),
        pairs=order.pairs,
        pooled=int(pooled[-1]) + 1 if len(pooled) else 0,
        judged=int(order.judged.sum()),
        elsewhere=int((scoring.labels.label != UNJUDGED).sum()) - len(pooled) - sum(map(len, known.values())),
        sums=sums,
        left=order.size[::-1].cumsum()[::-1][:number],
        size=order.size[:number],
        gain=form.gain_of(order.label[:number]),
        said=said[:number],
        most=form.most,
        judge=judge,
        left_out=tuple(sorted({*fixed.left_out} & {*order.pairs})),
    )


def _require_own_seed(campaign: Campaign, series: Series, known: Mapping[str, frozenset[str]]) -> None:
    """CampaignError where judgments before the first draw had told something of the chances that it was drawn by."""
    if not any(known.values()):
        return
    made = pools.all_pools(campaign)
    earlier = [pool for pool in made if pool.pool < series.first.pool]
    if (used := begun_with_its_seed(series.record, earlier)) is not None:
        raise CampaignError(used_seed_words(series.record, used, made))


def _require_known(scoring: Scoring, known: Mapping[str, frozenset[str]]) -> None:
    """CampaignError where a pair that was judged before the first draw has no grade any more."""
    for topic, topic_id in enumerate(scoring.topic_ids):
        label, numbers = scoring.labels.of_topic(topic).label, scoring.numbers.get(topic_id, {})
        for id_ in sorted(known[topic_id]):
            if id_ not in numbers or label[numbers[id_]] <= POOLED:
                raise CampaignError(
                    f"document {id_} of topic {topic_id} was judged before the first draw and has no grade now; "
                    "judge it again, or pool in an order with another seed"
                )


def _form(measure: BoundMeasure, scoring: Scoring) -> Additive:
    longest = int(scoring.rankings.lengths.max(initial=1))
    least, top = scoring.range_of_grades
    form = additive_form(measure, ranks=longest, top_grade=top, least_grade=least)
    if form is None or form.least < 0:
        why = "is not additive over documents" if form is None else "gives documents a gain below 0"
        raise UnknownName(f"{measure} {why}, so draws say nothing of it; give another measure (-m NAME)")
    return form


def _fixed(campaign: Campaign, judge: str, order: _Order) -> FixedLabels:
    """What a judge had said before a person said anything of the order, in whatever topic."""
    first = first_by_people(campaign)
    begun = min((first[pair] for pair in order.pairs if pair in first), default=None)
    topics = {pair[0] for pair in order.pairs}
    return fixed_labels(campaign, judge, {} if begun is None else dict.fromkeys(topics, begun))


def _gains_of(fixed: FixedLabels, order: _Order, form: Additive) -> FloatArray:
    """The gain of each document of the order by a judge, float64 (N), from 0 to the most; 0 where it said nothing."""
    label = np.array([fixed.grades.get(pair, POOLED) for pair in order.pairs], np.int16)
    return np.where(label > POOLED, np.clip(form.gain_of(label), 0.0, form.most), 0.0)


class _Order(NamedTuple):
    """The documents that can be drawn, N in the order of drawing.

    Attributes:
        pairs: topic and document id of each.
        topic, number: int64 (N). The topic among those of the campaign now, and the document's number within it.
        label: int16 (N).
        judged: bool (N). With a grade or without one.
        size: float64 (N).
        never: the numbers of documents that are never drawn and were not judged before, by topic.
    """

    pairs: tuple[Pair, ...]
    topic: IntArray
    document: IntArray
    label: NDArray[np.int16]
    judged: NDArray[np.bool_]
    size: FloatArray
    never: dict[int, list[int]]

    @property
    def number(self) -> int:
        """How many are judged before the first that is not."""
        return len(self.judged) if self.judged.all() else int(self.judged.argmin())


def _order(
    series: Series, material: Material, scoring: Scoring, known: Mapping[str, frozenset[str]]
) -> _Order:
    parameters = series.record.parameters
    drawing = draw(
        TIES.find(series.record.ties)(material.rankings),
        depth=parameters["depth"],
        measure=parameters["measure"],
        seed=parameters["seed"],
    )
    place = {topic_id: topic for topic, topic_id in enumerate(scoring.topic_ids)}
    found: list[tuple[int, int, str, float]] = []
    never: dict[int, list[int]] = {}
    for at in drawing.sequence.tolist():
        topic_id, id_ = drawing.ids[at]
        document, size = int(drawing.pairs.document[at]), float(drawing.size[at])
        if id_ in known[topic_id]:
            continue
        if size > 0:
            found.append((place[topic_id], document, id_, size))
        else:
            never.setdefault(place[topic_id], []).append(document)
    topic, numbers = (np.array([each[column] for each in found], np.int64) for column in (0, 1))
    sizes = np.array([each[3] for each in found], np.float64)
    pairs = tuple((scoring.topic_ids[each[0]], each[2]) for each in found)
    label = scoring.labels.label[scoring.labels.topic_start[topic] + numbers]
    without = np.array([pair in scoring.without_grade for pair in pairs], np.bool_)
    return _Order(pairs, topic, numbers, label, (label > POOLED) | without, sizes, never)


def _sums(
    order: _Order,
    scoring: Scoring,
    known: Mapping[str, frozenset[str]],
    runs: Sequence[int],
    form: Additive,
    said: FloatArray,
) -> Sums:
    """What the runs have and can still get, topic by topic: only what was drawn is kept document by document."""
    drawn_weight = np.zeros((len(runs), order.number))
    of_known, of_judged, of_said, waiting = (np.zeros(len(runs)) for _ in range(4))
    shared, worst, missed = np.zeros((len(runs), len(runs))), 0.0, 0
    in_topics = np.argsort(order.topic, kind="stable")
    starts = np.searchsorted(order.topic[in_topics], np.arange(len(scoring.topic_ids) + 1))
    for topic, topic_id in enumerate(scoring.topic_ids):
        of_topic = topic_runs(scoring, topic)

        def weights(
            numbers: Sequence[int] | IntArray, of_topic: TopicRuns = of_topic
        ) -> tuple[FloatArray, FloatArray]:
            """What documents weigh, float64 (n, S), and their gains."""
            chosen = np.asarray(numbers, np.int64)
            return form.weights_at(of_topic.ranks(chosen)[:, runs]), form.gain_of(of_topic.label[chosen])

        before, gain = weights([scoring.numbers[topic_id][id_] for id_ in known[topic_id]])
        of_known += gain @ before
        never, _ = weights(order.never.get(topic, []))
        missed += int((np.ptp(never, axis=1) > 0).sum()) if len(never) else 0
        here = in_topics[starts[topic] : starts[topic + 1]]
        if not len(here):
            continue
        weight, gain = weights(order.document[here])
        of_judged += gain[order.judged[here]] @ weight[order.judged[here]]
        of_said += said[here] @ weight
        still = weight[~order.judged[here]]
        waiting += still.sum(axis=0)
        shared += pairwise_least(still)
        worst = max(worst, float((np.ptp(weight, axis=1) / order.size[here]).max()))
        first = here < order.number
        drawn_weight[:, here[first]] = weight[first].T
    return Sums(drawn_weight, of_known, of_known + of_judged, of_said, waiting, shared, worst, missed)
