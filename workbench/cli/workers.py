"""The options --workers and --scheduler: other processes that do the work of a command."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from workbench.cli.options import Decorator
from workbench.core.wording import capital

if TYPE_CHECKING:
    from workbench.jobs.cluster import Workers


def workers_options(what: str, files: str = "") -> Any:
    """Both options, of which the value is a `Workers | None`.

    `what` the processes do is such as "read and score"; `files` says what the workers of a scheduler read.
    """
    return _Workers(what, files)


class _Workers(NamedTuple):
    what: str
    files: str

    def options(self, name: str, kind: Any) -> list[Decorator]:
        local = f"{capital(self.what)} on N processes of this machine; they take seconds to start."
        elsewhere = f"{capital(self.what)} on the workers of a Dask scheduler, tcp://HOST:PORT.{self.files}"
        return [
            click.option("--workers", type=click.IntRange(min=1), metavar="N", help=local),
            click.option("--scheduler", metavar="ADDRESS", help=elsewhere),
        ]

    def value(self, name: str, given: Mapping[str, Any]) -> Workers | None:
        number, scheduler = given["workers"], given["scheduler"]
        if number is not None and scheduler is not None:
            message = (
                "--workers starts processes and --scheduler uses those that are there; give one of the two"
            )
            raise click.UsageError(message)
        if number is None and scheduler is None:
            return None
        from workbench.jobs.cluster import Workers

        return Workers(scheduler, number)
