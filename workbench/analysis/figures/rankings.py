"""Figures of rankings of one topic, of a campaign or of files: precision over recall, ROC curve, gain by rank."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, NamedTuple

import numpy as np

from workbench.analysis.figures.registry import Depth, figure
from workbench.analysis.topic_profiles import topic_number
from workbench.core.errors import UnknownName
from workbench.core.parameters import Limits
from workbench.core.ranking import UNJUDGED
from workbench.core.wording import listed, none_such
from workbench.methods.charts import Chart
from workbench.methods.charts import rankings as charts
from workbench.methods.charts.rankings import AT_RANKS, INTERPOLATED, MOST_RUNS, Line, Point, thinned
from workbench.methods.measures import BoundMeasure, JudgedRankings, parse_measure
from workbench.methods.measures.curves import (
    Curve,
    gain_curves,
    interpolated_curve,
    precision_recall_curve,
    roc_curve,
)
from workbench.scoring.board.past_boards import scoring_of
from workbench.scoring.evaluation.joining import join
from workbench.scoring.evaluation.labelling import names_of
from workbench.scoring.evaluation.reading import EvaluationFiles
from workbench.storage.campaign import Campaign

if TYPE_CHECKING:
    from polars import DataFrame


class TopicRankings(NamedTuple):
    """The rankings that runs have for a topic.

    Attributes:
        topic_id: the topic.
        rows: the row of each run that has the topic, in the order in which runs were added or named.
        judged: the rankings with their labels.
        lacking: the runs without the topic.
        known: how many documents the runs or the judgments of the topic name.
        relevant_from: the smallest relevant grade.
    """

    topic_id: str
    rows: dict[str, int]
    judged: JudgedRankings
    lacking: frozenset[str]
    known: int
    relevant_from: int

    def row(self, run: str) -> int:
        """The row of a run; UnknownName if it lacks the topic or is none."""
        if run in self.lacking:
            raise UnknownName(f"{run} has no documents for topic {self.topic_id}; leave it out")
        if run not in self.rows:
            raise UnknownName(none_such("run", run, list(self.rows)))
        return self.rows[run]


def rankings_of_topic(source: Campaign | EvaluationFiles, topic_id: str) -> TopicRankings:
    """The rankings of a topic, with the judgments as of now or of a row of the log.

    Raises:
        UnknownName: there is no such topic; of files: it has no judgments.
    """
    if isinstance(source, EvaluationFiles):
        return _from_files(source, topic_id)
    scoring = scoring_of(source)
    number = topic_number(scoring, topic_id, source.name)
    judged = scoring.judged(number, number + 1)
    runs = len(scoring.runs)
    documents = scoring.rankings.rows_between(number * runs, (number + 1) * runs).document
    named = np.union1d(documents, np.flatnonzero(judged.labels.label > UNJUDGED))
    return _found(topic_id, scoring.tags, judged, len(named), scoring.relevant_from)


def _from_files(files: EvaluationFiles, topic_id: str) -> TopicRankings:
    qrels = _of_topic(files.qrels.frame, topic_id)
    if qrels.is_empty():
        topics = files.qrels.frame["topic_id"].unique(maintain_order=True).to_list()
        message = f"topic {topic_id!r} has no judgments in {files.qrels.file}; judged are {listed(topics)}"
        raise UnknownName(message)
    tags = names_of(files.runs)
    frames = {tag: _of_topic(run.frame, topic_id) for tag, run in zip(tags, files.runs, strict=True)}
    present = {tag: frame for tag, frame in frames.items() if not frame.is_empty()}
    judged = join(qrels, list(present.values()), list(present)).judged
    named = {*qrels["document_id"], *(one for frame in present.values() for one in frame["document_id"])}
    found = _found(topic_id, tuple(present), judged, len(named), 1)
    return found._replace(lacking=frozenset(frames.keys() - present.keys()))


def _of_topic(frame: DataFrame, topic_id: str) -> DataFrame:
    import polars as pl

    return frame.filter(pl.col("topic_id") == topic_id)


def _found(
    topic_id: str, tags: Sequence[str], judged: JudgedRankings, known: int, relevant_from: int
) -> TopicRankings:
    has = dict(zip(tags, (judged.num_ret > 0).tolist(), strict=True))
    rows = {tag: row for row, tag in enumerate(tags) if has[tag]}
    lacking = frozenset(tag for tag in tags if not has[tag])
    return TopicRankings(topic_id, rows, judged, lacking, known, relevant_from)


USUAL_RUNS = 3
DEPTH = 100
GAINS = {"CG": None, "DCG": "plus-one", "nDCG": "plus-one"}
"""The measures of gain by rank, and their default discounts."""

Source = Campaign | EvaluationFiles
Rel = Annotated[int, Limits("the smallest relevant grade", least=0, most=2**15 - 1)]


@figure("topic-precision-recall", files=True)
def topic_precision_recall(
    source: Source, *, topic: str, run: Sequence[str] = (), rel: Rel | None = None
) -> Chart:
    """Precision over recall at each rank of a topic, with its saw teeth, and interpolated.

    Interpolated precision is the highest at this recall or a greater one, 0 above the highest recall that is reached;
    AP is shown beside each run. Without `run`, up to seven files, or the three runs of a campaign that have the highest
    AP on the topic. Unjudged documents count as not relevant, and relevant is what has at least the grade `rel`.
    """
    found = rankings_of_topic(source, topic)
    rel = found.relevant_from if rel is None else rel
    relevant = _num_rel(found, rel)
    if not relevant:
        message = (
            f"no document of topic {topic} has a grade of at least {rel}, so there is no recall to draw over"
        )
        raise UnknownName(message)
    ap = parse_measure("AP", defaults={"rel": rel})(found.judged)
    lines = []
    for tag in _chosen(source, found, run):
        row = found.row(tag)
        note = f"AP {ap[row]:.4f}"
        teeth = precision_recall_curve(found.judged, row, rel=rel)
        steps = interpolated_curve(found.judged, row, rel=rel)
        lines += [Line(tag, _points(teeth), note, AT_RANKS), Line(tag, _points(steps), note, INTERPOLATED)]
    return charts.precision_recall(topic, relevant, *_thin(lines))


@figure("topic-roc", files=True)
def topic_roc(
    source: Source,
    *,
    topic: str,
    run: Sequence[str] = (),
    collection: int | None = None,
    rel: Rel | None = None,
) -> Chart:
    """ROC curves of runs on a topic: recall over the share of the other documents that is retrieved, with the areas.

    `collection` is the number of documents there are. Without it, only those count that some run of the topic retrieved
    or a judgment names; the area is then never larger than that over the whole collection. Documents that a run did not
    retrieve are tied at its end: a straight line to the corner. `run` and `rel`, and what is unjudged, as in
    `topic-precision-recall`.
    """
    found = rankings_of_topic(source, topic)
    rel = found.relevant_from if rel is None else rel
    size = found.known if collection is None else collection
    relevant = _num_rel(found, rel)
    if not relevant:
        message = f"no document of topic {topic} has a grade of at least {rel}, so there is no ROC curve"
        raise UnknownName(message)
    if size < found.known:
        message = (
            f"collection is {size:,}, but runs and judgments of topic {topic} name {found.known:,} documents"
        )
        raise UnknownName(message)
    if relevant == size:
        raise UnknownName(
            f"all {size:,} documents that are known of topic {topic} are relevant, so there is no ROC curve; give the "
            "number of all documents by collection=..."
        )
    areas = parse_measure("AUC", defaults={"rel": rel, "collection": size})(found.judged)
    lines = []
    for tag in _chosen(source, found, run):
        row = found.row(tag)
        curve = roc_curve(found.judged, row, size, rel=rel)
        lines.append(Line(tag, _points(curve), f"area {areas[row]:.4f}"))
    return charts.roc(topic, size - relevant, *_thin(lines))


@figure("topic-gain", files=True)
def topic_gain(
    source: Source, *, topic: str, run: Sequence[str] = (), measure: str = "nDCG", depth: Depth = DEPTH
) -> Chart:
    """CG, DCG or nDCG of runs on a topic at each rank down to `depth`, and of the best possible ranking.

    `measure` may have gains and a discount, such as `DCG(gains=exp)` or `nDCG(discount=below-base,base=10)`. Beside
    each run stands its last value. A line ends where its ranking does, and an unjudged document gains nothing. `run` as
    in `topic-precision-recall`.
    """
    chosen = _measure_of_gain(measure)
    found = rankings_of_topic(source, topic)
    cut = found._replace(judged=found.judged.to_depth(depth))
    lines, best = [], Curve(np.empty(0, np.int64), np.empty(0), np.empty(0))
    for tag in _chosen(source, found, run):
        own, ideal = _by_rank(cut, cut.row(tag), chosen)
        if len(ideal.rank) > len(best.rank):
            best = ideal
        lines.append(Line(tag, _by_ranks(own), f"{own.y[-1]:.4f} at rank {own.rank[-1]:,}"))
    if not best.y.any():
        message = f"no document of topic {topic} gains anything by {chosen}, so there is nothing to draw"
        raise UnknownName(message)
    # The best possible nDCG is 1 at every rank.
    shown = [] if chosen.name == "nDCG" else [Line(charts.BEST, _by_ranks(best))]
    thin, words = _thin([*lines, *shown])
    return charts.gain(topic, str(chosen), thin[: len(lines)], thin[-1].points if shown else (), words)


class Drawable(NamedTuple):
    """Which of these figures a topic has something for, and those of some runs that have the topic."""

    names: tuple[str, ...]
    runs: tuple[str, ...]


def drawable(campaign: Campaign, topic: str, runs: Sequence[str] = ()) -> Drawable:
    """What a page can show of a topic; errors as in `rankings_of_topic`."""
    found = rankings_of_topic(campaign, topic)
    having = tuple(run for run in runs if run in found.rows) if runs else tuple(found.rows)
    relevant, gaining = _num_rel(found, found.relevant_from), _num_rel(found, 1)
    names = {
        "topic-precision-recall": relevant > 0,
        "topic-gain": gaining > 0,
        "topic-roc": 0 < relevant < found.known,
    }
    return Drawable(tuple(name for name, fits in names.items() if fits and having), having)


def _measure_of_gain(text: str) -> BoundMeasure:
    chosen = parse_measure(text)
    values = dict(chosen.values)
    extra = values.keys() - {"gains", "discount", "base", "cutoff"}
    if chosen.name not in GAINS or values.get("cutoff") is not None or extra:
        message = f"measure must be {', '.join(GAINS)} with gains, discount and base at most, not {text!r}"
        raise UnknownName(message)
    return chosen


def _by_rank(found: TopicRankings, row: int, chosen: BoundMeasure) -> tuple[Curve, Curve]:
    """The values of a run, and the gain of the best possible ranking, at each rank of the run."""
    values = {name: value for name, value in chosen.values if name in {"gains", "discount", "base"}}
    discount = {"discount": None} if chosen.name == "CG" else {}
    curves = gain_curves(found.judged, row, **{**values, **discount})  # type: ignore[arg-type]
    rank = np.arange(1, len(curves.gain) + 1)
    own = curves.share if chosen.name == "nDCG" else curves.gain
    return Curve(rank, rank.astype(np.float64), own), Curve(rank, rank.astype(np.float64), curves.best)


def _num_rel(found: TopicRankings, rel: int) -> int:
    return int(found.judged.labels.num_rel(rel)[0])


def _chosen(source: Source, found: TopicRankings, run: Sequence[str]) -> list[str]:
    """The runs to draw: those that were named, else all files, or the best of a campaign on the topic."""
    tags = list(dict.fromkeys(run))
    if not tags and isinstance(source, EvaluationFiles):
        tags = list(found.rows)
    elif not tags:
        ap = parse_measure("AP", defaults={"rel": found.relevant_from})(found.judged)
        tags = sorted(found.rows, key=lambda tag: -ap[found.rows[tag]])[:USUAL_RUNS]
    if not tags:
        raise UnknownName(f"no run has documents for topic {found.topic_id}")
    if len(tags) > MOST_RUNS:
        message = f"at most {MOST_RUNS} runs can be told apart, not {len(tags)}; choose some by run=..."
        raise UnknownName(message)
    return tags


def _points(curve: Curve) -> list[Point]:
    rows = zip(curve.rank.tolist(), curve.x.tolist(), curve.y.tolist(), strict=True)
    return [Point(rank or None, x, y) for rank, x, y in rows]


def _by_ranks(curve: Curve) -> list[Point]:
    """Its points, with the rank as a whole number for x."""
    return [point._replace(x=int(point.x)) for point in _points(curve)]


def _thin(lines: Sequence[Line]) -> tuple[list[Line], str]:
    """The lines with few enough points, and what to say of it."""
    thin = []
    for line in lines:
        x, y = np.array([point.x for point in line.points]), np.array([point.y for point in line.points])
        thin.append(line._replace(points=[line.points[place] for place in thinned(x, y).tolist()]))
    before, after = (sum(len(line.points) for line in every) for every in (lines, thin))
    words = f"{after:,} of {before:,} points are drawn, the highest and lowest of every stretch among them"
    return thin, words if after < before else ""
