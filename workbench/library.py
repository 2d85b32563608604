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

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.core.errors import InputError, Problem, UnknownName
from workbench.core.results import Column
from workbench.core.seed import SEED
from workbench.core.wording import counted
from workbench.formats.in_memory import is_one_run, is_path, qrels_frame, run_frame
from workbench.formats.qrels import QrelsFile, highest_grades, read_qrels, read_subtopic_qrels
from workbench.formats.runs import RunFile, read_run, read_runs
from workbench.formats.samples import read_sampled_qrels
from workbench.formats.tables.frames import frame_of, short_html, short_text
from workbench.formats.tables.sheets import Sheet
from workbench.formats.text.parse_mode import ParseMode
from workbench.jobs.cluster import workers_of
from workbench.methods.measures import BoundMeasure, parse_named
from workbench.scoring.evaluation.evaluate import Evaluation, Options
from workbench.scoring.evaluation.evaluate import evaluate as evaluate_joined
from workbench.scoring.evaluation.reading import QrelsLines
from workbench.scoring.evaluation.selection import (
    PROFILES,
    Judgments,
    Profile,
    RequestedOutput,
    judgments_for,
)
from workbench.scoring.evaluation.tables import RENDERINGS, sheet_of

if TYPE_CHECKING:
    import polars as pl

    from workbench.analysis.comparing.all_pairs import AllPairs
    from workbench.analysis.comparing.runs import Comparison
    from workbench.scoring.evaluation.joining import Joined

__all__ = ["Scores", "evaluate", "read_qrels", "read_run"]

LONE_RUN = "run"
"""What a run is called that came without a name."""


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
        scheduler: str | None = None,
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
    measures: str | BoundMeasure | Iterable[str | BoundMeasure],
    *,
    rel: int = 1,
    collection: int | None = None,
    complete: bool = True,
    depth: int | None = None,
    profile: str = "trec_eval-10",
    scheduler: str | None = None,
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
        scheduler: the address of a Dask scheduler whose workers read and score the runs, tcp://host:8786; qrels and
            runs are then paths or addresses (s3://bucket/a.run), warnings and errors those of `workbench eval`.
        workers: or a number of processes of this machine.

    Raises:
        ClusterError: no such scheduler, no workers, or workers of another version.
        InputError: qrels or runs that cannot be taken, with all that is wrong; a run none of whose topics is
            judged.
        UnknownName: a measure or profile that does not exist (the message lists the nearest), or a parameter
            that does not fit.
        ValueError: a depth that is no whole number from 0 on.
    """
    followed = _profile(profile)
    if depth is not None and (not isinstance(depth, Integral) or depth < 0):
        message = f"depth is {depth!r}; it must be a whole number from 0 on"
        raise ValueError(message)
    defaults = {**followed.defaults, "rel": rel, **({} if collection is None else {"collection": collection})}
    requested = _requested(measures, defaults)
    options = Options(complete=complete, depth=depth, profile=followed)
    elsewhere = workers_of(scheduler, workers)
    if elsewhere is not None:
        from workbench.scoring.evaluation.on_cluster import evaluate_named

        return Scores(*evaluate_named(elsewhere, qrels, runs, requested, options))
    parse_mode = ParseMode(comments=followed.comments)
    taken = _runs_of(runs, parse_mode)
    from workbench.scoring.evaluation.from_files import refuse_two_kinds
    from workbench.scoring.evaluation.tabulated import join_all

    refuse_two_kinds(requested)
    lines = _qrels_lines(qrels, parse_mode, judgments_for(requested))
    joined = join_all(lines, taken.frames, followed)
    if misfits := list(_misfits_of(joined)):
        raise InputError(misfits)
    evaluation = evaluate_joined(joined, requested, options)
    return Scores(evaluation, (*lines.warnings, *taken.warnings))


class _Runs(NamedTuple):
    """Runs by name, and what is odd about their files."""

    frames: dict[str, pl.DataFrame]
    warnings: tuple[Problem, ...] = ()


def _profile(name: str) -> Profile:
    if name not in PROFILES:
        message = f"there is no profile {name!r}; there are {', '.join(PROFILES)}"
        raise UnknownName(message)
    return PROFILES[name]


def _requested(
    measures: str | BoundMeasure | Iterable[str | BoundMeasure], defaults: Mapping[str, Any]
) -> list[RequestedOutput]:
    """Each measure once, by the name it was asked for; members of a family by their own names."""
    if not isinstance(measures, Iterable) or isinstance(measures, str):
        measures = [measures]
    requested: dict[str, RequestedOutput] = {}
    for each in measures:
        if not isinstance(each, str | BoundMeasure):
            message = f"{each!r} is not a measure; give its name as text, such as 'nDCG@10'"
            raise UnknownName(message)
        found = (
            [(str(each), each)] if isinstance(each, BoundMeasure) else parse_named(each, defaults=defaults)
        )
        for name, measure in found:
            shown = each.strip() if isinstance(each, str) and len(found) == 1 else name
            requested.setdefault(shown, RequestedOutput(shown, measure))
    return list(requested.values())


def _qrels_lines(source: Any, parse_mode: ParseMode, judgments: Judgments) -> QrelsLines:
    by_subtopic = judgments == "of subtopics"
    if judgments == "of a sample":
        return _sample_of(source, parse_mode)
    if is_path(source):
        source = (read_subtopic_qrels if by_subtopic else read_qrels)(source, parse_mode)
    if _has_column(source, "subtopic_id"):
        return QrelsLines("", highest_grades(source.frame), source.warnings, source.frame)
    if by_subtopic:
        message = "measures of subtopics need a file of qrels with subtopics (topic subtopic document grade)"
        raise InputError([Problem("the qrels", None, f"{message}; give its path")])
    if isinstance(source, QrelsFile):
        return QrelsLines("", source.frame, source.warnings)
    return QrelsLines("", qrels_frame(source), ())


def _sample_of(source: Any, parse_mode: ParseMode) -> QrelsLines:
    if is_path(source):
        source = read_sampled_qrels(source, parse_mode)
    if not _has_column(source, "stratum", "probability"):
        message = "measures of a sample need a file of five columns (topic 0 document stratum grade) or prels"
        raise InputError([Problem("the qrels", None, f"{message}; give its path")])
    grades = source.frame.select("topic_id", "document_id", "grade")
    return QrelsLines("", grades, source.warnings, sample=source.frame)


def _has_column(source: Any, *names: str) -> bool:
    """Whether qrels were read from a file with one of these columns."""
    return isinstance(source, QrelsFile) and not set(names).isdisjoint(source.frame.columns)


def _misfits_of(joined: Joined) -> Iterator[Problem]:
    """Runs that have topics, none of which is judged: a mean of zeros would hide that."""
    some = ", ".join(map(repr, joined.topic_ids[:3]))
    for number, name in enumerate(joined.tags):
        if joined.unknown_topics[number] and not joined.present[:, number].any():
            message = f"none of its topics has judgments; the judgments are of {some or 'no topic at all'}"
            yield Problem(f"the run {name!r}", None, message)


def _runs_of(runs: Any, parse_mode: ParseMode) -> _Runs:
    if is_path(runs) or isinstance(runs, RunFile) or is_one_run(runs):
        return _taken([(None, runs)], parse_mode)
    if isinstance(runs, Mapping):
        return _taken([(str(name), given) for name, given in runs.items()], parse_mode)
    return _taken([(None, given) for given in runs], parse_mode)


def _taken(sources: Sequence[tuple[str | None, Any]], parse_mode: ParseMode) -> _Runs:
    """Runs by the names given, else by the tags of their files, else as run, run2, run3 ...

    Raises:
        InputError: with all that is wrong with any of them.
    """
    read, problems = _read([source for _, source in sources if is_path(source)], parse_mode)
    frames: dict[str, pl.DataFrame] = {}
    warnings: list[Problem] = []
    for number, (given, source) in enumerate(sources, start=1):
        found = read.get(str(source)) if is_path(source) else source
        if is_path(source) and found is None:
            continue  # its problems are known
        usual = LONE_RUN if number == 1 else f"{LONE_RUN}{number}"
        name = given or (found.tag if isinstance(found, RunFile) else usual)
        if name in frames:
            message = f"two runs are called {name!r}; give them as a dict with a name for each"
            problems.append(Problem("the runs", None, message))
        try:
            frames[name] = found.frame if isinstance(found, RunFile) else run_frame(found)
        except InputError as error:
            place = "the run" if len(sources) == 1 else f"the run {name!r}"
            problems += [problem._replace(file=place) for problem in error.problems]
        warnings += found.warnings if isinstance(found, RunFile) else ()
    if problems:
        raise InputError(problems)
    return _Runs(frames, tuple(warnings))


def _read(paths: Sequence[str | Path], parse_mode: ParseMode) -> tuple[dict[str, RunFile], list[Problem]]:
    """The files that can be read, by their paths, and what is wrong with the others."""
    try:
        return {str(path): run for path, run in zip(paths, read_runs(paths, parse_mode), strict=True)}, []
    except InputError as error:
        return {}, list(error.problems)
