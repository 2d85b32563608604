"""The pool of run files that are in no campaign: the top documents of each run, and of these what a strategy chooses.

Each run is read and cut by itself, here or by other processes; only its top goes on. So the runs together may be far
larger than memory, as long as their tops are not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.core.errors import InputError, Problem, UnknownName
from workbench.core.ranking import Names, Packed, Rankings, order_run, pack_rankings
from workbench.formats.row_forms import lines_of
from workbench.formats.runs import run_table, run_warnings
from workbench.formats.text.content import Content, load, name_of
from workbench.formats.text.files import STANDARD_STREAM, refused
from workbench.jobs.cluster import Task, Workers, cluster, in_order
from workbench.jobs.observing import observed_rows
from workbench.methods.pooling import STRATEGIES, TIES, Strategy, make_pool

if TYPE_CHECKING:
    import polars as pl


OF_TAGS = ("run_depths", "priorities")
"""The parameters that name runs by their tags."""


class FilePool(NamedTuple):
    """The pairs of a pool by topic and document in byte order, and what is odd about the files.

    `pairs` has the columns topic_id, document_id (String), best_rank, runs, stratum (Int32) and inclusion_probability
    (Float64), as the pool of a campaign has them.
    """

    pairs: pl.DataFrame
    warnings: tuple[Problem, ...]


class Top(NamedTuple):
    """The first documents of a run's rankings: topic_id, document_id and score, best first; its tag, its warnings."""

    file: str
    tag: str
    frame: pl.DataFrame
    warnings: tuple[Problem, ...]


class Cut(NamedTuple):
    """How a run is ordered, and how far down it is needed; None for all of it."""

    depth: int | None
    ascending_ties: bool


def pool_files(
    runs: Sequence[str],
    *,
    strategy: str = "depth",
    ties: str = "descending",
    parameters: Mapping[str, Any],
    workers: Workers | None = None,
) -> FilePool:
    """The pairs that a strategy chooses from run files.

    Args:
        runs: paths or addresses; one of them may be `-`, standard input.
        strategy: one that looks at the runs alone.
        ties: the order of documents with equal scores, a name in TIES.
        parameters: those of the strategy.
        workers: other processes that read and cut the runs, a task for each; None for this one. The same pairs.

    Raises:
        InputError: with all that is wrong with any of the files; or two runs have one tag, and the strategy goes by
            tags.
        UnknownName: no such strategy or order of ties, one that needs more than runs, or parameters that do not fit.
        ClusterError: there are no workers, or not of this version.
    """
    chosen = _strategy(strategy)
    TIES.find(ties)
    checked = chosen.check(parameters)
    names_runs = any(checked.get(name) for name in OF_TAGS)
    # A run with a depth of its own, and scores put between the least and the greatest, need whole rankings.
    whole = chosen.uses_scores or chosen.down_to is None or names_runs
    depth = None if whole or chosen.down_to is None else int(checked[chosen.down_to])
    cut = Cut(depth, ties == "ascending")
    tops, problems = in_order(observed_rows(_read(runs, cut, workers), len(runs), "Reading runs"), Top)
    if problems:
        raise InputError(chain.from_iterable(problems))
    if names_runs:
        _refuse_same_tags(tops)
    packed = pack_rankings([top.frame for top in tops])
    rankings = _named(packed, tops)
    pool = make_pool(rankings, strategy=strategy, **checked)
    cells = packed.labels.topic_start[pool.topic] + pool.document
    pairs = packed.pairs[cells].with_columns(
        best_rank=pool.best_rank,
        runs=pool.runs,
        stratum=pool.stratum,
        inclusion_probability=pool.inclusion_probability,
    )
    return FilePool(
        pairs.sort("topic_id", "document_id"), tuple(problem for top in tops for problem in top.warnings)
    )


def _strategy(name: str) -> Strategy:
    """A strategy that needs nothing but runs; UnknownName says what another one needs."""
    chosen = STRATEGIES.find(name)
    if chosen.kind == "adaptive" or chosen.uses_texts:
        raise UnknownName(
            f"{name} chooses by judgments, and run files have none; make a campaign, or take depth or rrf"
        )
    if chosen.uses_labels:
        raise UnknownName(
            f"{name} goes by the labels of a judge, and run files have none; use it in a campaign"
        )
    if chosen.listed is not None or chosen.design is not None:
        raise UnknownName(f"{name} pools the pairs of a list and not of runs; use it in a campaign")
    return chosen


def _read(
    runs: Sequence[str], cut: Cut, workers: Workers | None
) -> Iterator[tuple[int, Top | tuple[Problem, ...]]]:
    """The place of each run with its top, or with all that is wrong with it, in the order in which they are read."""
    if [*runs].count(STANDARD_STREAM) > 1:
        raise refused(STANDARD_STREAM, "standard input can be read only once; name the other files")
    if workers is None:
        yield from ((place, top_of(cut, run)) for place, run in enumerate(runs))
        return
    tasks = [Task(name_of(run), load(run) if run == STANDARD_STREAM else run) for run in runs]
    with cluster(workers) as there:
        yield from there.each(top_of, cut, tasks)


def top_of(cut: Cut, run: str | Content) -> Top | tuple[Problem, ...]:
    """On a worker too: the top of one run, or all that is wrong with its file."""
    try:
        content = lines_of(run, is_run=True)
        table = run_table(content, ranks=False)
    except InputError as error:
        return error.problems
    lines = table.frame.select("topic_id", "document_id", "score")
    frame = order_run(lines, ascending_ties=cut.ascending_ties)
    if cut.depth is not None:
        frame = frame.group_by("topic_id", maintain_order=True).head(cut.depth)
    return Top(content.file, table.frame["tag"][0], frame, tuple(run_warnings(content, table)))


def _refuse_same_tags(tops: Sequence[Top]) -> None:
    first: dict[str, str] = {}
    problems = []
    for top in tops:
        if top.tag in first:
            message = (
                f"the tag {top.tag!r} is that of {first[top.tag]} too, and this pool goes by tags; change one"
            )
            problems.append(Problem(top.file, None, message))
        first.setdefault(top.tag, top.file)
    if problems:
        raise InputError(problems)


def _named(packed: Packed, tops: Sequence[Top]) -> Rankings:
    of_topics = packed.pairs.partition_by("topic_id", as_dict=True, maintain_order=True)
    document_ids = {str(topic_id): frame["document_id"].to_list() for (topic_id,), frame in of_topics.items()}
    names = Names(packed.topic_ids, document_ids, [top.tag for top in tops])
    return replace(packed.rankings, names=names)
