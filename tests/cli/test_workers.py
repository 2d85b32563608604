"""The options --workers and --scheduler of any command that has them."""

from __future__ import annotations

import click
import pytest
from click.testing import CliRunner

from tests.sentences import says
from workbench.cli.options import declared_options
from workbench.cli.workers import workers_options
from workbench.jobs.cluster import Workers


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([], None),
        (["--workers", "2"], Workers(None, 2)),
        (["--scheduler", "tcp://one:8786"], Workers("tcp://one:8786", None)),
    ],
)
def test_a_command_gets_the_processes_or_the_scheduler_that_was_named(
    words: list[str], expected: Workers | None
) -> None:
    given: list[Workers | None] = []

    @click.command
    @declared_options
    def command(workers: Workers | None = workers_options("read and score")) -> None:
        given.append(workers)

    assert CliRunner().invoke(command, words).exit_code == 0
    assert given == [expected]


def test_both_at_once_are_a_wrong_use() -> None:
    @click.command
    @declared_options
    def command(workers: Workers | None = workers_options("read and score")) -> None:
        raise AssertionError(workers)

    done = CliRunner().invoke(command, ["--workers", "2", "--scheduler", "tcp://one:8786"])
    assert done.exit_code == 2
    assert says(done.output)
