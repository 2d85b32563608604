"""Qrels and runs read at once, each by a function, with all that is wrong with any of them in one error."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from workbench.core.errors import InputError, Problem
from workbench.core.observing import observed_steps
from workbench.formats.text.content import Content
from workbench.formats.text.files import READERS, STANDARD_STREAM, refused

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

    def taken(result: T | InputError, advance: Callable[[int], None]) -> list[T]:
        advance(1)
        if isinstance(result, InputError):
            problems.extend(result.problems)
            return []
        return [result]

    with ThreadPoolExecutor(READERS) as pool, observed_steps("Reading", len(paths)) as advance:
        qrels_read = pool.submit(_caught, read_qrels, paths[0])
        runs_read = [pool.submit(_caught, read_run, path) for path in paths[1:]]
        qrels = taken(qrels_read.result(), advance)
        runs = [run for read in runs_read for run in taken(read.result(), advance)]
    if problems:
        raise InputError(problems)
    return qrels[0], runs


def _caught(read: Callable[[File], T], path: File) -> T | InputError:
    try:
        return read(path)
    except InputError as error:
        return error
