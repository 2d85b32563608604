"""The report of a check in words and as JSON: a verdict for each file, its findings by kind, the decisive one first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from workbench.core.errors import Problem
from workbench.core.findings import KINDS, REPAIRED
from workbench.core.wording import counted
from workbench.setup.ingest.run_checks import FileCheck

SHOWN_FIRST, SHOWN_LINES = 3, 5
"""So many findings of a kind are shown with their messages, and of so many others the lines."""


def as_json(checks: Iterable[FileCheck]) -> list[dict[str, Any]]:
    """The report for programs: of each kind the first 25 findings with their messages, and the counts of all."""
    return [
        {
            "file": check.file,
            "verdict": check.verdict,
            "problems": [
                {"line": problem.line, "kind": problem.kind, "message": problem.message}
                for problem in check.problems
            ],
            "counts": dict(check.counts),
        }
        for check in checks
    ]


def report_lines(checks: Sequence[FileCheck], *, refusing_only: bool = False) -> Iterator[str]:
    """The report for people: fine files in a line each, others with their findings; what helps is said once.

    At the end stand the options that repair what is refused and how many files got each verdict. With `refusing_only`
    warnings and the numbers of files are left out.
    """
    said: set[str] = set()
    for check in checks:
        yield headline(check)
        for kind in check.counts:
            if KINDS[kind].refuses or not refusing_only:
                yield from (f"  {line}" for line in _of_kind(check, kind, said))
    yield from _repairs(checks)
    if len(checks) > 1 and not refusing_only:
        yield totals(checks)


def headline(check: FileCheck) -> str:
    """A file's verdict with its reasons in numbers, or with the run that it holds."""
    if check.verdict == "refused":
        return f"{check.file}: refused: {in_numbers(check, refusing=True)}"
    size = f"run {check.run}, {counted(check.topics, 'topic')}, {counted(check.documents, 'line')}"
    return f"{check.file}: {check.verdict}: {size}"


def in_numbers(check: FileCheck, *, refusing: bool) -> str:
    """How many findings of each kind a file has that refuse it, or that do not."""
    kinds = ((KINDS[name], count) for name, count in check.counts.items())
    return ", ".join(counted(count, kind.one, kind.many) for kind, count in kinds if kind.refuses == refusing)


def totals(checks: Sequence[FileCheck]) -> str:
    """How many files got each verdict."""
    verdicts = [check.verdict for check in checks]
    numbers = (f"{verdicts.count(verdict):,} {verdict}" for verdict in ("fine", "warned", "refused"))
    return f"{counted(len(checks), 'file')}: {', '.join(numbers)}"


def _of_kind(check: FileCheck, kind: str, said: set[str]) -> Iterator[str]:
    """The first findings of a kind, and on which lines others are; of repairs all."""
    found = [problem for problem in check.problems if problem.kind == kind]
    label = "" if KINDS[kind].refuses else "repaired: " if kind == REPAIRED else "warning: "
    shown = found if kind == REPAIRED else found[:SHOWN_FIRST]
    yield from (f"{label}{_once(problem, said)}" for problem in shown)
    others = check.lines[kind][len(shown) :]
    if not others:
        return
    places = [str(line) for line in others if line][:SHOWN_LINES]
    more = ", …" if len(places) < len(others) else ""
    where = f", at {'lines' if len(others) > 1 else 'line'} {', '.join(places)}{more}" if places else ""
    yield f"and {len(others):,} more of these{where}"


def _once(problem: Problem, said: set[str]) -> str:
    """A finding with its place, without the hint at its end if that was said before."""
    message, semicolon, hint = problem.message.rpartition("; ")
    if not semicolon or hint not in said:
        said.add(hint)
        message = problem.message
    return message if problem.line is None else f"line {problem.line}: {message}"


def _repairs(checks: Sequence[FileCheck]) -> Iterator[str]:
    """The options of add runs that take the refused files, each once."""
    refusing = {kind for check in checks for kind in check.counts if KINDS[kind].refuses}
    found = [
        (KINDS[kind].many, KINDS[kind].repair) for kind in KINDS if kind in refusing and KINDS[kind].repair
    ]
    if found:
        yield "What workbench add runs can repair:"
        yield from (f"  {many}: {repair}" for many, repair in found)
