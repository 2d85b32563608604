"""The report of a check on one file, of a run or of answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from workbench.core.errors import Problem
from workbench.core.findings import KINDS, Findings
from workbench.formats.run_repairs import Repair

LINES = 100
NOTHING: Mapping[str, str] = {}  # worker processes send it, which they cannot with a proxy


class FileCheck(NamedTuple):
    """The report on one file.

    Attributes:
        file: its name as given.
        verdict: 'fine', 'warned' (taken, with findings) or 'refused'.
        problems: the findings, the most decisive kind first; of each kind the first 25.
        counts: how many findings there are of each kind, in the same order.
        lines: the lines of the first LINES findings of each kind; 0 for one that concerns the file as a whole.
        sha256: the checksum of the file as it was sent; '' where it could not be read.
        run: the run's name, '' where no line of it could be read.
        topics, documents: how many topics and lines could be read; of answers, topics and sentences.
        form: of answers, the task in whose form they are.
        repairs: what was repaired.
        offers: the options of add runs that would repair something, by the kind of finding.
    """

    file: str
    verdict: str
    problems: tuple[Problem, ...]
    counts: Mapping[str, int]
    lines: Mapping[str, Sequence[int]]
    sha256: str = ""
    run: str = ""
    topics: int = 0
    documents: int = 0
    repairs: tuple[Repair, ...] = ()
    offers: Mapping[str, str] = NOTHING
    form: str = ""

    @property
    def refusing(self) -> tuple[Problem, ...]:
        """The findings for which the file is refused."""
        return tuple(problem for problem in self.problems if KINDS[problem.kind].refuses)

    @property
    def warnings(self) -> tuple[Problem, ...]:
        """The findings that prevent nothing."""
        return tuple(problem for problem in self.problems if not KINDS[problem.kind].refuses)


def report_on(found: Findings) -> FileCheck:
    """The report on a file of which no more is known than what was found in it."""
    counts = found.counts
    verdict = "refused" if found.refuses else "warned" if counts else "fine"
    lines = {kind: found.lines[kind][:LINES].tolist() for kind in counts}
    return FileCheck(found.file, verdict, found.decisive_first, counts, lines)
