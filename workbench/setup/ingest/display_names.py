"""Files that go by another name than the path they are read from, as uploads do.

What is said of such a file, and what the campaign records of it, has its name; the path is never shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

from workbench.core.errors import InputError, Problem

Called = Mapping[str, str]
"""Path -> the name that the file goes by; a path that is missing is its own name."""

BY_PATH: Called = {}


def renamed(problems: Iterable[Problem], called: Called) -> tuple[Problem, ...]:
    """The same findings, each under the name of its file."""
    return tuple(problem._replace(file=called.get(problem.file, problem.file)) for problem in problems)


@contextmanager
def by_their_names(called: Called) -> Iterator[None]:
    """Let an InputError that comes out of the block speak of files by their names."""
    try:
        yield
    except InputError as error:
        if not called:
            raise
        raise InputError(renamed(error.problems, called)) from error
