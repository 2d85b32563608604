"""Qrels and runs read at once, each by a function, with all that is wrong with any of them in one error."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any, TypeVar

from workbench.core.errors import InputError, Problem
from workbench.formats.text.content import Content
from workbench.formats.text.files import READERS, STANDARD_STREAM, refused
from workbench.jobs.observing import observed_steps

Qrels = TypeVar("Qrels")
Run = TypeVar("Run")
T = TypeVar("T")
File = str | Path | Content
"""A file: its path or address, or what it holds, if that was loaded already."""


def read_at_once(
    qrels_path: File,
    run_paths: Sequence[File],
    read_qrels: Callable[[File], Qrels],
    read_run: Callable[[File], Run],
) -> tuple[Qrels, list[Run]]:
    """What the functions return for each path, in its order; several files are read at once, the qrels first.

    Arguments and errors are those of `read_evaluation`.
    """
    paths = [qrels_path, *run_paths]
    if [str(path) for path in paths].count(STANDARD_STREAM) > 1:
        raise refused(STANDARD_STREAM, "standard input can be read only once; name the other files")
    problems: list[Problem] = []
    found: list[Any] = []
    reads: list[Callable[[], object]] = [partial(_caught, read_qrels, qrels_path)]
    reads += [partial(_caught, read_run, path) for path in run_paths]
    with observed_steps("Reading", len(paths)) as advance:
        for result in _called_at_once(reads):
            advance(1)
            if isinstance(result, InputError):
                problems.extend(result.problems)
            elif isinstance(result, Exception):
                raise result
            found.append(result)
    if problems:
        raise InputError(problems)
    qrels, *runs = found
    return qrels, runs


def _caught(read: Callable[[File], T], path: File) -> T | Exception:
    try:
        return read(path)
    except Exception as error:  # noqa: BLE001  (raised again, in the thread of the caller)
        return error


def _called_at_once(functions: Sequence[Callable[[], T]]) -> Iterator[T]:
    if len(functions) == 2:
        # A pool would import more than it takes to read two short files.
        second: list[T] = []
        thread = Thread(target=lambda: second.append(functions[1]()))
        thread.start()
        yield functions[0]()
        thread.join()
        yield second[0]
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(READERS) as pool:
        yield from pool.map(lambda function: function(), functions)
