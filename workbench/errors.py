"""Everything that can go wrong, in sentences for people: what, where, and the way out.

Every exception of this package derives from `WorkbenchError`, so that a caller catches one class; `str()` of
each is the whole message. `Problem` is one finding in one file, an error or a warning, with its place.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

SHOWN_PROBLEMS = 25


class Problem(NamedTuple):
    """One finding in a file: what is wrong, where, and (inside the message) what to do.

    `file` is the name as the user gave it, `line` counts from 1 through every line of the file, blank lines
    and comments included; None when the finding concerns the file as a whole.
    """

    file: str
    line: int | None
    message: str

    def __str__(self) -> str:
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{place}: {self.message}"


class WorkbenchError(Exception):
    """The base of all errors of the workbench."""


class InputError(WorkbenchError):
    """Files that cannot be taken: all their problems (at most 25 are printed), and nothing was changed."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        shown = [str(problem) for problem in self.problems[:SHOWN_PROBLEMS]]
        if len(self.problems) > SHOWN_PROBLEMS:
            shown.append(f"... and {len(self.problems) - SHOWN_PROBLEMS} more problems")
        super().__init__("\n".join(shown))


class CampaignError(WorkbenchError):
    """A campaign cannot do what was asked of it; the message says what to run instead."""


class NotACampaign(CampaignError):
    """The file is not a campaign of the workbench, or one that must not be trusted."""


class NewerCampaign(CampaignError):
    """The campaign was written by a newer version of the workbench."""


class NotThere(WorkbenchError):
    """A topic, document, run or campaign of that name does not exist."""


class UnknownName(WorkbenchError):
    """A measure, strategy or format that is not in its registry; the message lists the nearest ones."""


class JudgmentRefused(WorkbenchError):
    """The server does not take a judgment, and says why; `reason` is a word for the page's code.

    Reasons: `unknown pair`, `text changed`, `replaced elsewhere`, `uuid taken`, `bad grade`, `bad value`.
    """

    def __init__(self, reason: str, message: str) -> None:
        self.reason = reason
        super().__init__(message)
