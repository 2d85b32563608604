"""Everything that can go wrong, in sentences for people: what, where, and the way out.

Every exception of this package derives from `WorkbenchError`, so that a caller catches one class; `str()` of
each is the whole message. `Problem` is one finding in one file, an error or a warning, with its place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from workbench.core.wording import counted

SHOWN_PROBLEMS = 25
NOTE = "note"
"""The kind of a remark about the reading itself, which is printed last and is not counted as a problem."""


class Problem(NamedTuple):
    """One finding in a file: what is wrong, where, and (inside the message) what to do.

    `file` is the name as the user gave it, `line` counts from 1 through every line of the file, blank lines
    and comments included; None when the finding concerns the file as a whole. `kind` is one of
    `workbench.core.findings.KINDS`, '' where findings are not counted by kind, or NOTE.
    """

    file: str
    line: int | None
    message: str
    kind: str = ""

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{place}: {self.message}"


class WorkbenchError(Exception):
    """The base of all errors of the workbench; each goes whole from one process to another."""

    def __reduce__(self) -> tuple[Any, ...]:
        """How it is pickled: as it is, whatever arguments its class is made with."""
        return _as_it_was, (type(self), self.args), self.__dict__


def _as_it_was(kind: type[WorkbenchError], args: tuple[object, ...]) -> WorkbenchError:
    error = kind.__new__(kind)
    error.args = args
    return error


@contextmanager
def about(name: str) -> Iterator[None]:
    """Let errors inside begin with the name of what they are about, unless they do already; "" changes nothing."""
    try:
        yield
    except WorkbenchError as error:
        if name and not str(error).startswith(f"{name}:"):
            error.args = (f"{name}: {error}",)
        raise


class InputError(WorkbenchError):
    """Files that cannot be taken: all their problems (at most 25 are printed), and nothing was changed.

    `more` is how many problems there are beyond those in `problems`.
    """

    def __init__(self, problems: Iterable[Problem], more: int = 0) -> None:
        self.problems, self.more = tuple(problems), more
        found = tuple(problem for problem in self.problems if problem.kind != NOTE)
        shown = [str(problem) for problem in _of_every_file(found)]
        if left := len(found) - len(shown) + more:
            shown.append(f"... and {counted(left, 'more problem')}")
        shown += [str(problem) for problem in self.problems if problem.kind == NOTE]
        super().__init__("\n".join(shown))


def _of_every_file(problems: tuple[Problem, ...]) -> list[Problem]:
    """The problems to show: as many as may be, shared out over the files, so that no file hides another."""
    earlier: Counter[str] = Counter()
    turns = []
    for place, problem in enumerate(problems):
        turns.append((earlier[problem.file], place))
        earlier[problem.file] += 1
    return [problems[place] for place in sorted(place for _, place in sorted(turns)[:SHOWN_PROBLEMS])]


class CampaignBeingCreated(WorkbenchError):
    """Another process is making this very file."""


class CampaignError(WorkbenchError):
    """A campaign cannot do what was asked of it; the message says what to run instead."""


class UnusableCampaign(WorkbenchError):
    """The file of a campaign cannot be used, now or at all: no error of what was asked, whatever was asked."""


class NotACampaign(UnusableCampaign):
    """The file is not a campaign of the workbench, or one that must not be trusted."""


class OtherSchema(UnusableCampaign):
    """The campaign has the schema of another version of the workbench."""


class CampaignUnavailable(UnusableCampaign):
    """A campaign cannot be read or written now: another process writes, the disk is full, or its file is damaged."""


class DamagedCampaign(NotACampaign, CampaignUnavailable):
    """What a campaign file holds is not what was written to it."""


class CampaignBusy(CampaignUnavailable):
    """Another process writes to the campaign for too long; the file itself is sound."""


class CampaignReadOnly(CampaignUnavailable):
    """A campaign's file may be read here and not written to."""


class QuotaExceeded(CampaignError):
    """A campaign would hold more than its quota; nothing was added."""


class AlreadyDone(CampaignError):
    """A change has no effect, since it was made before: a run is withdrawn already, or takes part."""


class NotThere(WorkbenchError):
    """A topic, document, run or campaign of that name does not exist."""


class UnknownName(WorkbenchError):
    """A measure, strategy or format that is not in its registry; the message lists the nearest ones."""


class ClusterError(WorkbenchError):
    """Other processes cannot do the work: Dask, its scheduler or its workers are not there, or not as they must be."""


class GradesDoNotFit(WorkbenchError):
    """A measure is not defined for a grade that was given; the message says which, and what to write instead."""


REFUSED = (CampaignError, GradesDoNotFit, InputError, NotThere, UnknownName)
"""What a campaign answers to what cannot be done as it was asked for; nothing is broken then."""


class JudgmentRefused(WorkbenchError):
    """The server does not take a judgment, and says why; `reason` is a word for the page's code.

    Reasons: `unknown pair`, `text changed`, `replaced elsewhere`, `uuid taken`, `bad grade`, `bad value`; and, of
    what was right but is not this assessor's to judge now, `not yours`, `judged by another`, `topic closed`,
    `norming closed`; `another campaign`, for what was made for one of the same name; and `too many in a minute`, which
    is no reason any more a minute later.
    """

    def __init__(self, reason: str, message: str) -> None:
        self.reason = reason
        super().__init__(message)
