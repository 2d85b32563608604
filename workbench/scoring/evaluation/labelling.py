"""Qrels and runs from their files to labels, each run as soon as it was read, so that no run's ids are kept.

Read by compiled code where it is there and the file is of the ordinary shape, else as a table; each file by itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from workbench.core.errors import InputError, Problem
from workbench.formats.row_forms import lines_of
from workbench.formats.text.content import Content, name_of
from workbench.formats.text.parse_mode import ParseMode
from workbench.scoring.evaluation.at_once import File, read_at_once
from workbench.scoring.evaluation.compiled import CompiledQrels, compiled_qrels
from workbench.scoring.evaluation.joining import Joined, Judgments, Labelled, as_grid

if TYPE_CHECKING:
    from workbench.scoring.evaluation.reading import RunLines


class NamedRun(NamedTuple):
    """A run: the name of its file as given, its tag, the first of its topics."""

    file: str
    tag: str
    first_topic: str


class LabelledFiles(NamedTuple):
    """The name of the qrels as given, their highest grade; the runs; all of it joined, and what is odd in the files."""

    qrels: str
    highest: int
    runs: tuple[NamedRun, ...]
    joined: Joined
    warnings: tuple[Problem, ...]


def labelled_files(
    qrels_path: File, run_paths: Sequence[File], parse_mode: ParseMode, *, single_precision: bool
) -> LabelledFiles:
    """Read, check and join qrels and runs; as `read_evaluation` and then `join`, with the same errors."""
    loaded = isinstance(qrels_path, Content)
    qrels = _of_content(qrels_path, parse_mode) if loaded else _Qrels(qrels_path, parse_mode)

    def read_run(path: File) -> tuple[NamedRun, Labelled | None, tuple[Problem, ...]]:
        content = lines_of(path, parse_mode, is_run=True)
        compiled = None if content.note or not parse_mode.own_documents else qrels.compiled()
        found = compiled and compiled.read_run(
            content.data, comments=parse_mode.comments, single_precision=single_precision
        )
        if found:
            return NamedRun(content.file, found.tag, found.first_topic), found.labelled, ()
        from workbench.scoring.evaluation.reading import run_lines

        lines = run_lines(content, parse_mode)
        judgments = qrels.judgments()
        labelled = (
            None if judgments is None else judgments.label(lines.frame, single_precision=single_precision)
        )
        return NamedRun(content.file, lines.tag, lines.frame["topic_id"][0]), labelled, lines.warnings

    qrels_warnings, runs = read_at_once(qrels_path, run_paths, lambda _: qrels.warnings(), read_run)
    judged = qrels.joined()
    named = tuple(run for run, *_ in runs)
    labelled = [each for _, each, _ in runs if each is not None]  # all, since the qrels are in order
    return LabelledFiles(
        qrels.path,
        judged.highest,
        named,
        as_grid(judged.topic_ids, judged.labels, labelled, names_of(named)),
        (*qrels_warnings, *(problem for *_, warnings in runs for problem in warnings)),
    )


def names_of(runs: Sequence[NamedRun | RunLines]) -> list[str]:
    """What each run is called: its tag, with its file behind it where another run has the same tag.

    Where even that is the same, because a file was named twice, the later ones are numbered.
    """
    tags = Counter(run.tag for run in runs)
    seen: Counter[str] = Counter()
    names = []
    for run in runs:
        name = run.tag if tags[run.tag] == 1 else f"{run.tag} ({run.file})"
        seen[name] += 1
        names.append(name if seen[name] == 1 else f"{name} {seen[name]}")
    return names


class _Qrels:
    """The judgments for all threads: read once, by the first that needs them, while the others wait."""

    def __init__(self, path: File, parse_mode: ParseMode) -> None:
        self.path = name_of(path)
        self._source = path
        self._parse_mode = parse_mode
        self._lock = Lock()
        self._content: Content | None = None
        self._compiled: CompiledQrels | None = None
        self._table: tuple[Judgments, tuple[Problem, ...]] | None = None
        self._error: InputError | None = None

    def compiled(self) -> CompiledQrels | None:
        """What compiled code has read, None if it is not there or has declined."""
        with self._lock:
            self._read()
            return self._compiled

    def judgments(self) -> Judgments | None:
        """What was read as a table, None if it has errors."""
        with self._lock:
            self._read()
            self._tabulate()
            return self._table and self._table[0]

    def joined(self) -> CompiledQrels | Judgments:
        """What runs are joined with. `InputError` with all that is wrong with the file."""
        judged = self.compiled() or self.judgments()
        if judged is None:
            raise self._error or RuntimeError(self.path)
        return judged

    def warnings(self) -> tuple[Problem, ...]:
        """What is odd in the file. `InputError` with all that is wrong with it."""
        with self._lock:
            self._read()
            if self._compiled is None:
                self._tabulate()
            if self._error is not None:
                raise self._error
            return self._table[1] if self._table else ()  # compiled code accepts nothing odd

    def _read(self) -> None:
        if self._content is not None or self._error is not None:
            return
        try:
            self._content = lines_of(self._source, self._parse_mode, is_run=False)
        except InputError as error:
            self._error = error
        else:
            if not self._content.note:
                self._compiled = compiled_qrels(self._content.data, self._parse_mode)

    def _tabulate(self) -> None:
        if self._content is None or self._table is not None or self._error is not None:
            return
        from workbench.scoring.evaluation.reading import qrels_lines

        try:
            lines = qrels_lines(self._content, self._parse_mode)
        except InputError as error:
            self._error = error
        else:
            self._table = Judgments(lines.frame), lines.warnings


@lru_cache(maxsize=1)
def _of_content(content: Content, parse_mode: ParseMode) -> _Qrels:
    """The judgments in a text that was loaded already: a worker reads run after run by the same ones."""
    return _Qrels(content, parse_mode)
