"""An evaluation whose runs are read and scored by other processes, a task for each run, with the same results.

The qrels are read here and each worker gets them once. Runs are read by the workers: a path must mean the same file on
all of them, an address does. What comes back of a run are its scores, and the warnings of its file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from workbench.core.errors import InputError, Problem
from workbench.formats.in_memory import is_path
from workbench.formats.row_forms import lines_of
from workbench.formats.text.content import Content, expanded, name_of
from workbench.formats.text.files import STANDARD_STREAM, refused
from workbench.formats.text.parse_mode import ParseMode
from workbench.jobs.cluster import Task, Workers, cluster, in_order
from workbench.jobs.observing import observed_rows
from workbench.methods.measures.judged import JudgedRankings
from workbench.scoring.evaluation.at_once import File
from workbench.scoring.evaluation.evaluate import Options
from workbench.scoring.evaluation.from_files import Evaluated, Part, combined, refuse_two_kinds, scored_part
from workbench.scoring.evaluation.selection import RequestedOutput


class _Shared(NamedTuple):
    """What all tasks have in common."""

    qrels: Content
    requested: tuple[RequestedOutput, ...]
    options: Options


def evaluate_on(
    workers: Workers,
    qrels: File,
    runs: Sequence[File],
    requested: Sequence[RequestedOutput],
    options: Options = Options(),  # noqa: B008  (immutable)
) -> Evaluated:
    """As `evaluate_files`, on other processes: the same numbers in the same order, the same warnings and errors.

    Raises:
        InputError: as there. Where the qrels cannot be read at all, runs are not looked at.
        ClusterError: there are no workers, or not of this version.
    """
    refuse_two_kinds(requested)
    if [str(path) for path in (qrels, *runs)].count(STANDARD_STREAM) > 1:
        raise refused(STANDARD_STREAM, "standard input can be read only once; name the other files")
    mode = ParseMode(encoding=options.encoding)
    content = lines_of(qrels, mode, is_run=False)
    tasks = [
        Task(name_of(run), lines_of(run, mode, is_run=True) if str(run) == STANDARD_STREAM else run)
        for run in runs
    ]
    shared = _Shared(content, tuple(requested), options)
    with cluster(workers) as there:
        scored = _sharing(there.each(_scored, shared, tasks))
        parts, problems = in_order(observed_rows(scored, len(tasks), "Scoring runs"), Part)
    if problems:
        raise InputError(_reported_once(content.file, problems))
    return combined(parts, requested, options)


def evaluate_named(
    workers: Workers, qrels: Any, runs: Any, requested: Sequence[RequestedOutput], options: Options
) -> Evaluated:
    """As `evaluate_on` with what `import workbench` takes: one path, a list of them, or a dict with a name for each.

    Raises:
        InputError: as there; or qrels or a run that is in memory.
    """
    named = runs if isinstance(runs, Mapping) else None
    files = [runs] if is_path(runs) else list(runs if named is None else named.values())
    if not all(map(is_path, [qrels, *files])):
        message = "other processes read files: with scheduler= or workers= give paths or addresses"
        raise refused("the qrels and runs", message)
    if named is None:
        files = expanded(list(map(str, files)))
    evaluated = evaluate_on(workers, qrels, files, requested, options)
    if named is None:
        return evaluated
    return evaluated._replace(evaluation=replace(evaluated.evaluation, tags=tuple(map(str, named))))


def _reported_once(qrels: str, found: Sequence[Sequence[Problem]]) -> Iterator[Problem]:
    """All problems; those of the qrels, which every task has found, first and once."""
    yield from (problem for problem in found[0] if problem.file == qrels)
    yield from (problem for problems in found for problem in problems if problem.file != qrels)


def _sharing(
    scored: Iterable[tuple[int, Part | tuple[Problem, ...]]],
) -> Iterator[tuple[int, Part | tuple[Problem, ...]]]:
    """The same with the labels of the first part in all: they are equal, and a thousand copies are much memory."""
    labels = None
    for place, part in scored:
        if not isinstance(part, Part) or part.evaluation is None:
            yield place, part
            continue
        judged = part.evaluation.judged
        labels = labels or judged.labels
        own = JudgedRankings(judged.row_start, judged.topic, judged.label, labels)
        yield place, part._replace(evaluation=replace(part.evaluation, judged=own))


def _scored(shared: _Shared, run: File) -> Part | tuple[Problem, ...]:
    try:
        part = scored_part(shared.qrels, [run], shared.requested, shared.options)
    except InputError as error:
        return error.problems
    if part.evaluation is None:
        return part
    # Of the rankings only what a relstring shows is needed later.
    shown = max((each.length for each in shared.requested if each.name.startswith("relstring")), default=0)
    judged = part.evaluation.judged.to_depth(shown)
    return part._replace(evaluation=replace(part.evaluation, judged=judged))
