"""The options --workers and --scheduler: other processes that do the work of a command."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import click

from workbench.core.wording import capital

Function = TypeVar("Function", bound=Callable[..., Any])


def workers_options(what: str, files: str = "") -> Callable[[Function], Function]:
    """Give a command both options as `workers: Workers | None`.

    Args:
        what: what the processes do, as in "read and score".
        files: a sentence on the files that the workers of a scheduler read.
    """

    def decorated(function: Function) -> Function:
        @click.option(
            "--workers",
            "number",
            type=click.IntRange(min=1),
            metavar="N",
            help=f"{capital(what)} on N processes of this machine; they take seconds to start.",
        )
        @click.option(
            "--scheduler",
            metavar="ADDRESS",
            help=f"{capital(what)} on the workers of a Dask scheduler, tcp://HOST:PORT.{files}",
        )
        @wraps(function)
        def with_workers(*args: Any, number: int | None, scheduler: str | None, **options: Any) -> Any:
            if number is not None and scheduler is not None:
                message = "--workers starts processes and --scheduler uses those that are there; give one of the two"
                raise click.UsageError(message)
            if number is None and scheduler is None:
                return function(*args, workers=None, **options)
            from workbench.jobs.cluster import Workers

            return function(*args, workers=Workers(scheduler, number), **options)

        return with_workers  # type: ignore[return-value]

    return decorated
