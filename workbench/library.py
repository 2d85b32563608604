"""The workbench as a library: what `import workbench as wb` offers besides the version.

>>> import workbench as wb
>>> qrels = {"1": {"d1": 0, "d2": 1}, "2": {"d5": 2}}
>>> run = {"1": {"d1": 0.9, "d2": 0.5}}
>>> scores = wb.evaluate(qrels, run, ["RR", "nDCG@10"])
>>> scores.mean["run"]
{'RR': 0.25, 'nDCG@10': 0.31546487678572877}
>>> scores.per_topic["run"]["1"]
{'RR': 0.5, 'nDCG@10': 0.6309297535714575}
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from workbench.core.errors import Problem
from workbench.core.results import Column
from workbench.core.seed import SEED
from workbench.core.wording import counted
from workbench.formats.qrels import read_qrels
from workbench.formats.runs import read_run
from workbench.formats.tables.frames import frame_of, short_html, short_text
from workbench.formats.tables.sheets import Sheet
from workbench.jobs.cluster import workers_of
from workbench.scoring.evaluation.evaluate import Evaluation
from workbench.scoring.evaluation.evaluate import evaluate as evaluate_joined
from workbench.scoring.evaluation.given import Asked, AskedFor, GivenJudgments, asked_of
from workbench.scoring.evaluation.of_arrays import ArrayEvaluator, values_of_labels
from workbench.scoring.evaluation.tables import RENDERINGS, sheet_of

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from workbench.analysis.comparing.all_pairs import AllPairs
    from workbench.analysis.comparing.runs import Comparison
    from workbench.methods.measures.judged import FloatArray

__all__ = ["Scores", "evaluate", "evaluator", "read_qrels", "read_run", "score_labels"]


@dataclass(frozen=True, eq=False, repr=False)
class Scores:
    """The scores of some runs on some measures, with all digits.

    Attributes:
        evaluation: the arrays behind them, see `workbench.scoring.evaluation.evaluate.Evaluation`.
        warnings: what is odd about files that were read, such as lines that look like rows behind a '#'.
    """

    evaluation: Evaluation
    warnings: tuple[Problem, ...] = ()

    def __repr__(self) -> str:
        return short_text(self._sheet(), self._heading())

    def _repr_html_(self) -> str:
        return short_html(self._sheet(), self._heading())

    def _heading(self) -> str:
        sizes = (
            (len(self.runs), "run"),
            (len(self.measures), "measure"),
            (len(self.evaluation.topic_ids), "topic"),
        )
        return "Scores: " + ", ".join(counted(number, noun) for number, noun in sizes)

    def _sheet(self) -> Sheet:
        return sheet_of(self.evaluation, False, True, topic_column=False)

    @property
    def runs(self) -> tuple[str, ...]:
        """The names of the runs, as they were given."""
        return tuple(self.evaluation.tags)

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures, as they were asked for."""
        return tuple(requested.name for requested in self.evaluation.scores)

    @property
    def mean(self) -> dict[str, dict[str, float]]:
        """run -> measure -> its mean over the topics (a count: its sum)."""
        return {run: dict(zip(self.measures, values, strict=True)) for run, *values in self._means()}

    @property
    def per_topic(self) -> dict[str, dict[str, dict[str, float]]]:
        """run -> topic -> measure -> its value, for the topics that count."""
        scores: dict[str, dict[str, dict[str, float]]] = {run: {} for run in self.runs}
        for run, topic_id, *values in self._values():
            scores[run][topic_id] = dict(zip(self.measures, values, strict=True))
        return scores

    def mean_frame(self, library: str = "polars") -> Any:
        """One row per run: the column `run`, then one for each measure; of polars, or with "pandas" of that."""
        return self._frame(["run"], self._means(), library)

    def per_topic_frame(self, library: str = "polars") -> Any:
        """One row per run and topic: the columns `run` and `topic_id`, then one for each measure."""
        return self._frame(["run", "topic_id"], self._values(), library)

    def _frame(self, ids: list[str], rows: Iterable[tuple[Any, ...]], library: str) -> Any:
        kinds = dict.fromkeys(ids, "text") | dict.fromkeys(self.measures, "score")
        columns = tuple(Column(name, name, kind) for name, kind in kinds.items())
        return frame_of(Sheet(columns, tuple(rows)), library)

    def to_latex(self, *, per_topic: bool = False) -> str:
        """A LaTeX tabular with the rules of booktabs, the best value of each measure in bold."""
        return "".join(RENDERINGS["latex"](self.evaluation, per_topic, True))

    def compare(
        self,
        runs: Sequence[str] = (),
        *,
        measure: str | None = None,
        baseline: str | None = None,
        seed: int = SEED,
        permutations: int = 10_000,
    ) -> Comparison:
        """Compare runs with a baseline on the topics that count for all of them.

        Args:
            runs: the runs, none for all.
            measure: one of the measures, as it was asked for; None for the first.
            baseline: the run the others are compared with; None for the first.
            seed: of the random procedures.
            permutations: their number of rounds.

        Raises:
            NotThere: a run of another name.
            UnknownName: another measure.
            CampaignError: fewer than two runs.
        """
        from workbench.analysis.comparing.runs import chosen, compare
        from workbench.analysis.comparing.scores import scores_of_evaluation
        from workbench.analysis.comparing.sheets import shown

        scored = scores_of_evaluation(self.evaluation, measure)
        return shown(compare(scored.of_runs(chosen(runs or self.runs, baseline)), seed, permutations))

    def all_pairs(
        self,
        *,
        measure: str | None = None,
        baseline: str | None = None,
        alpha: float = 0.05,
        seed: int = SEED,
        permutations: int = 10_000,
        scheduler: Any = None,
        workers: int | None = None,
    ) -> AllPairs:
        """Compare every run with every other; arguments and errors as in `compare`, `alpha` for the letters.

        The permutations are done by the workers of a Dask scheduler, or by a number of processes of this machine, as in
        `evaluate`, where either is given; the numbers are the same.
        """
        from workbench.analysis.comparing.all_pairs import pairs_of
        from workbench.analysis.comparing.scores import scores_of_evaluation

        scored = scores_of_evaluation(self.evaluation, measure)
        return pairs_of(
            scored,
            baseline=baseline,
            alpha=alpha,
            seed=seed,
            permutations=permutations,
            workers=workers_of(scheduler, workers),
        )

    def _means(self) -> Iterator[tuple[Any, ...]]:
        columns = [scores.overall.tolist() for scores in self.evaluation.scores.values()]
        yield from zip(self.runs, *columns, strict=True)

    def _values(self) -> Iterator[tuple[Any, ...]]:
        tables = [scores.by_topic.tolist() for scores in self.evaluation.scores.values()]
        for number, run in enumerate(self.runs):
            for topic, topic_id in enumerate(self.evaluation.topic_ids):
                if self.evaluation.counted[topic, number]:
                    yield run, topic_id, *(values[topic][number] for values in tables)


def evaluate(
    qrels: Any,
    runs: Any,
    measures: AskedFor,
    *,
    rel: int = 1,
    collection: int | None = None,
    complete: bool = True,
    depth: int | None = None,
    profile: str = "trec_eval-10",
    scheduler: Any = None,
    workers: int | None = None,
) -> Scores:
    """Score one run or several against qrels.

    Unjudged documents count as non-relevant. A run is ordered by score, equal scores by descending document id.

    Args:
        qrels: a path, a `QrelsFile`, `{topic: {document: grade}}`, a polars or pandas frame, or records (named
            tuples with `query_id`, `doc_id`, `relevance` and the like, or triples). A negative grade means "pooled,
            not judged". For measures of subtopics a path, or a `QrelsFile`, with a subtopic in the
            second column; other measures beside them take the highest grade of each document. For measures of a sample
            a path, or a `QrelsFile` of one.
        runs: one run: a path, a `RunFile`, `{topic: {document: score}}`, a frame, or records; or several: a
            list of these, or a dict with a name for each.
        measures: names in either notation ("nDCG@10", "map", "all_trec"), or measures.
        rel: the smallest relevant grade, where a measure's name does not say it.
        collection: how many documents the collection has, for the measures that ask.
        complete: whether every judged topic counts, so that one which a run lacks scores as an empty ranking;
            if not, each run is averaged over the topics it has.
        depth: how many documents of each ranking are looked at; None for all.
        profile: the version of trec_eval that is followed where its versions disagree.
        scheduler: the address of a Dask scheduler whose workers read and score the runs, tcp://host:8786, or Dask's own
            `Client` or cluster, which stay open; qrels and runs are then paths or addresses (s3://bucket/a.run),
            warnings and errors those of `workbench eval`.
        workers: or a number of processes of this machine.

    Raises:
        ClusterError: no such scheduler, no workers, or workers of another version.
        InputError: qrels or runs that cannot be taken, with all that is wrong; a run none of whose topics is
            judged.
        UnknownName: a measure or profile that does not exist (the message lists the nearest), or a parameter
            that does not fit.
        ValueError: a depth that is no whole number from 0 on.
    """
    asked = asked_of(
        measures, rel=rel, collection=collection, complete=complete, depth=depth, profile=profile
    )
    elsewhere = workers_of(scheduler, workers)
    if elsewhere is not None:
        from workbench.scoring.evaluation.on_cluster import evaluate_named

        return Scores(*evaluate_named(elsewhere, qrels, runs, asked.requested, asked.options))
    return Evaluator(qrels, asked)(runs)


class Evaluator:
    """Judgments and measures that were read once, to score runs again and again."""

    def __init__(self, qrels: Any, asked: Asked) -> None:
        """Made by `evaluator`."""
        self._asked, self._judgments = asked, GivenJudgments(qrels, asked)

    def __call__(self, runs: Any) -> Scores:
        """The scores of one run or several; runs, result and errors as in `evaluate`."""
        taken = self._judgments.take(runs)
        joined = self._judgments.join(taken)
        evaluation = evaluate_joined(joined, self._asked.requested, self._asked.options)
        return Scores(evaluation, (*self._judgments.warnings, *taken.warnings))

    def of_documents(self, document_ids: Sequence[str]) -> ArrayEvaluator:
        """What scores arrays of numbers of these documents; ValueError where one stands twice."""
        return ArrayEvaluator(
            self._judgments.rows(), document_ids, self._asked.requested, self._asked.options
        )


def evaluator(qrels: Any, measures: AskedFor, **options: Any) -> Evaluator:
    """Read judgments and measures once, to score many runs, as in a training loop.

    >>> import workbench as wb
    >>> score = wb.evaluator({"1": {"d1": 0, "d2": 1}}, ["RR", "nDCG@10"])
    >>> score({"1": {"d1": 0.9, "d2": 0.5}}).mean["run"]["RR"]
    0.5
    >>> score.of_documents(["d1", "d2", "d3"])([[0, 1, 2]], [[0.9, 0.5, 0.7]])["RR"].tolist()
    [0.3333333333333333]

    Arguments and errors are those of `evaluate` but `runs`, `scheduler` and `workers`. Qrels that change afterwards
    change nothing.
    """
    return Evaluator(qrels, asked_of(measures, **options))


def score_labels(
    labels: ArrayLike, measures: AskedFor, *, judged: ArrayLike | None = None, **options: Any
) -> dict[str, FloatArray]:
    """The value of each measure, float64 (n,), of rankings that are given by labels alone.

    >>> import workbench as wb
    >>> wb.score_labels([[0, 1, 0], [2, 0, 0]], ["RR"], judged=[[1, 0, 0, 1], [2, 1, 0, 0]])["RR"].tolist()
    [0.5, 1.0]

    Args:
        labels: whole numbers (n, k), the label of each document by its rank; -32768 for one without judgment.
        measures: as in `evaluate`, and so are the options `rel`, `collection`, `depth` and `profile`.
        judged: (n, m), the labels of all judged documents of the same topics, filled up with -32768; None where
            `labels` have all of them.

    Raises:
        UnknownName: a measure that does not exist, or takes more than labels.
        ValueError: the labels are no whole numbers, are beyond two bytes, or the shapes do not fit.
    """
    asked = asked_of(measures, **options)
    return values_of_labels(labels, judged, asked.requested, asked.options)
