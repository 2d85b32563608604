"""Files that go by another name than the path they are read from, as uploads do.

What is said of such a file, and what the campaign records of it, has its name; the path is never shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

from workbench.core.errors import InputError, Problem

DisplayNames = Mapping[str, str]
"""Path -> the name that the file goes by; a path that is missing is its own name."""

BY_PATH: DisplayNames = {}


def renamed(problems: Iterable[Problem], display_names: DisplayNames) -> tuple[Problem, ...]:
    """The same findings, each under the name of its file."""
    return tuple(problem._replace(file=display_names.get(problem.file, problem.file)) for problem in problems)


@contextmanager
def with_display_names(display_names: DisplayNames) -> Iterator[None]:
    """Let an InputError that comes out of the block speak of files by their names."""
    try:
        yield
    except InputError as error:
        if not display_names:
            raise
        raise InputError(renamed(error.problems, display_names), error.more) from error
