"""The report of a check as text and as JSON: a verdict for each file, its findings by kind, the decisive one first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from workbench.campaign.ingest.file_checks import FileCheck
from workbench.core.errors import Problem
from workbench.core.findings import KINDS, REPAIRED
from workbench.core.wording import counted
from workbench.formats.run_repairs import Repair

SHOWN_FIRST, SHOWN_LINES = 3, 5
"""This many findings of a kind are shown with their messages, and of this many others the lines."""


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


def from_content(record: Mapping[str, Any]) -> FileCheck:
    """The report of which `core.results.content` made these JSON values."""
    problems = (Problem(*map(found.get, Problem._fields)) for found in record["problems"])
    repairs = (Repair(**repair) for repair in record["repairs"])
    return FileCheck(**{**record, "problems": tuple(problems), "repairs": tuple(repairs)})


def in_short(check: FileCheck, *, refusing: bool) -> Iterator[Problem]:
    """The findings that do or do not refuse a file, without repairs: the first of each kind, and how many more."""
    for kind, count in check.counts.items():
        if KINDS[kind].refuses != refusing or kind == REPAIRED:
            continue
        found = [problem for problem in check.problems if problem.kind == kind][:SHOWN_FIRST]
        yield from found
        if count > len(found):
            yield Problem(check.file, None, _others(check, kind, len(found)), kind)


def report_lines(checks: Sequence[FileCheck], *, refusing_only: bool = False) -> Iterator[tuple[str, bool]]:
    """Lines for people, and if each is about files that are refused: fine files in one, others with their findings.

    At the end stand the options that repair what is refused and how many files got each verdict. With `refusing_only`
    warnings and the numbers of files are left out.
    """
    said: set[str] = set()
    some_refused = any(check.verdict == "refused" for check in checks)
    for check in checks:
        refused = check.verdict == "refused"
        yield headline(check), refused
        for kind in check.counts:
            if KINDS[kind].refuses or not refusing_only:
                yield from ((f"  {line}", refused) for line in _of_kind(check, kind, said))
    yield from ((line, True) for line in _repairs(checks))
    if len(checks) > 1 and not refusing_only:
        yield totals(checks), some_refused


def headline(check: FileCheck) -> str:
    """A file's verdict with its reasons in numbers, or with the run that it holds."""
    if check.verdict == "refused":
        return f"{check.file}: refused: {in_numbers(check, refusing=True)}"
    return f"{check.file}: {check.verdict}: {size_of(check)}"


def size_of(check: FileCheck) -> str:
    """The run that a file holds and how large it is."""
    rows = counted(check.documents, "sentence" if check.form else "line")
    form = f" ({check.form})" if check.form else ""
    return f"run {check.run}, {counted(check.topics, 'topic')}, {rows}{form}"


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
    yield from (
        f"{label}{problem._replace(message=without_hint(problem.message, said))}" for problem in shown
    )
    if check.counts[kind] > len(shown):
        yield _others(check, kind, len(shown))


def _others(check: FileCheck, kind: str, shown: int) -> str:
    """How many findings of a kind there are beyond those that are shown, and on which lines the first of them are."""
    count = check.counts[kind] - shown
    places = [str(line) for line in check.lines[kind][shown:] if line][:SHOWN_LINES]
    more = ", …" if len(places) < count else ""
    where = f", at {'lines' if count > 1 else 'line'} {', '.join(places)}{more}" if places else ""
    return f"and {count:,} more of these{where}"


def without_hint(message: str, said: set[str]) -> str:
    """A message without the hint at its end if that was said before; else the hint counts as said from now on."""
    short, semicolon, hint = message.rpartition("; ")
    if semicolon and hint in said:
        return short
    said.add(hint)
    return message


def _repairs(checks: Sequence[FileCheck]) -> Iterator[str]:
    offered: dict[str, dict[str, None]] = {}
    for check in checks:
        for kind, options in check.offers.items():
            offered.setdefault(kind, {}).update(dict.fromkeys(options.split(", ")))
    found = [(KINDS[kind].many, ", ".join(offered[kind])) for kind in KINDS if kind in offered]
    if found:
        yield "What workbench add runs can repair:"
        yield from (f"  {many}: {repair}" for many, repair in found)
