"""What a Python program gives to be scored: judgments and runs as dicts, frames, records or paths, and its wishes.

Judgments are read once. Runs given as dicts are labelled without tables where the judgments are dicts too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from workbench.core.errors import InputError, Problem, UnknownName
from workbench.formats.in_memory import is_one_run, is_path, qrels_frame, run_frame
from workbench.formats.qrels import QrelsFile, highest_grades, read_qrels, read_subtopic_qrels
from workbench.formats.runs import RunFile, read_runs
from workbench.formats.samples import read_sampled_qrels
from workbench.formats.text.parse_mode import ParseMode
from workbench.methods.measures import BoundMeasure, parse_named
from workbench.scoring.evaluation.evaluate import Options
from workbench.scoring.evaluation.from_files import refuse_two_kinds
from workbench.scoring.evaluation.joining import Joined, Labelled, as_grid
from workbench.scoring.evaluation.of_dicts import DictJudgments
from workbench.scoring.evaluation.reading import QrelsLines
from workbench.scoring.evaluation.selection import (
    PROFILES,
    Judgments,
    Profile,
    RequestedOutput,
    judgments_for,
)
from workbench.scoring.evaluation.tabulated import join_all

if TYPE_CHECKING:
    import polars as pl

LONE_RUN = "run"
"""What a run is called that came without a name."""
AskedFor = str | BoundMeasure | Iterable[str | BoundMeasure]
Named = Sequence[tuple[str | None, Any]]


class Asked(NamedTuple):
    """Measures by the names they were asked for, and how runs are scored."""

    requested: tuple[RequestedOutput, ...]
    options: Options

    @property
    def parse_mode(self) -> ParseMode:
        """How files are read."""
        return ParseMode(comments=self.options.profile.comments)


def asked_of(
    measures: AskedFor,
    *,
    rel: int = 1,
    collection: int | None = None,
    complete: bool = True,
    depth: int | None = None,
    profile: str = "trec_eval-10",
) -> Asked:
    """What is asked for; arguments and errors as in `workbench.library.evaluate`."""
    followed = _profile(profile)
    if depth is not None and (not isinstance(depth, Integral) or depth < 0):
        message = f"depth is {depth!r}; it must be a whole number from 0 on"
        raise ValueError(message)
    defaults = {**followed.defaults, "rel": rel, **({} if collection is None else {"collection": collection})}
    requested = _requested(measures, defaults)
    return Asked(tuple(requested), Options(complete=complete, depth=depth, profile=followed))


class GivenRuns(NamedTuple):
    """Runs by name, and what is odd about their files: as columns, or where `labelled` has them, with labels."""

    frames: dict[str, pl.DataFrame]
    warnings: tuple[Problem, ...] = ()
    labelled: Mapping[str, Labelled] = {}


class GivenJudgments:
    """Judgments as they are when this is made, and runs taken and joined with them.

    Attributes:
        warnings: what is odd about their file.
    """

    def __init__(self, qrels: Any, asked: Asked) -> None:
        """Errors as in `workbench.library.evaluate`."""
        refuse_two_kinds(asked.requested)
        kind, self._asked = judgments_for(asked.requested), asked
        self._dicts = DictJudgments.of(qrels) if kind == "plain" else None
        self._lines = None if self._dicts else _qrels_lines(qrels, asked.parse_mode, kind)
        self.warnings = self._lines.warnings if self._lines else ()

    def rows(self) -> list[tuple[str, str, int]]:
        """Topic, document and grade of each judgment."""
        return self._tabulated().frame.select("topic_id", "document_id", "grade").rows()

    def take(self, runs: Any) -> GivenRuns:
        """One run or several by name; InputError with all that is wrong with any of them."""
        if type(runs) is dict and (one := self._labelled([(None, runs)])):
            return one
        named: Named
        if is_path(runs) or isinstance(runs, RunFile) or is_one_run(runs):
            named = [(None, runs)]
        elif isinstance(runs, Mapping):
            named = [(str(name), given) for name, given in runs.items()]
        else:
            named = [(None, given) for given in runs]
        return self._labelled(named) or _taken(named, self._asked.parse_mode)

    def join(self, taken: GivenRuns) -> Joined:
        """The runs with their labels; InputError where none of the topics of one is judged."""
        if self._dicts and taken.labelled:
            tags, runs = zip(*taken.labelled.items(), strict=True)
            joined = as_grid(self._dicts.topic_ids, self._dicts.labels, runs, tags)
        else:
            joined = join_all(self._tabulated(), taken.frames, self._asked.options.profile)
        if misfits := list(_misfits_of(joined)):
            raise InputError(misfits)
        return joined

    def _labelled(self, named: Named) -> GivenRuns | None:
        """The runs with labels, where all of them and the judgments are plain dicts."""
        if self._dicts is None:
            return None
        labelled: dict[str, Labelled] = {}
        for number, (name, run) in enumerate(named, start=1):
            found = self._dicts.label(run, single_precision=self._asked.options.profile.single_precision)
            if found is None:
                return None
            labelled[name or _usual_name(number)] = found
        return GivenRuns({}, (), labelled) if len(labelled) == len(named) else None

    def _tabulated(self) -> QrelsLines:
        if self._lines is None:
            self._lines = QrelsLines("", qrels_frame(self._dicts.grades if self._dicts else {}), ())
        return self._lines


def _usual_name(number: int) -> str:
    return LONE_RUN if number == 1 else f"{LONE_RUN}{number}"


def _profile(name: str) -> Profile:
    if name not in PROFILES:
        message = f"there is no profile {name!r}; there are {', '.join(PROFILES)}"
        raise UnknownName(message)
    return PROFILES[name]


def _requested(measures: AskedFor, defaults: Mapping[str, Any]) -> list[RequestedOutput]:
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


def _taken(sources: Named, parse_mode: ParseMode) -> GivenRuns:
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
        name = given or (found.tag if isinstance(found, RunFile) else _usual_name(number))
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
    return GivenRuns(frames, tuple(warnings))


def _read(paths: Sequence[str | Path], parse_mode: ParseMode) -> tuple[dict[str, RunFile], list[Problem]]:
    """The files that can be read, by their paths, and what is wrong with the others."""
    try:
        return {str(path): run for path, run in zip(paths, read_runs(paths, parse_mode), strict=True)}, []
    except InputError as error:
        return {}, list(error.problems)
