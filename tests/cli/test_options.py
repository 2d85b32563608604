"""Options that a function or a record declares, and commands that are imported when they are called."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Literal, NamedTuple

import click
import pytest
from click.testing import CliRunner

from tests.sentences import says
from workbench.cli.main import MEMBERS, LateCommands
from workbench.cli.options import argument, command, option
from workbench.cli.workers import workers_options
from workbench.jobs.cluster import Workers


class Drawn(NamedTuple):
    """How often, and with what."""

    draws: int = option("How often.", default=3, least=1)
    seeds: tuple[int, ...] = option("Seeds.", "--seed")


@command()
def drawing(
    drawn: Drawn,
    names: tuple[str, ...] = argument("[NAME]..."),
    kind: Literal["all", "some"] | None = option("Which.", "-k"),
    share: float = option("How much."),
    pair: tuple[str, str] | None = option("Two."),
    loud: bool = option("Say more."),
) -> None:
    """Print what was given."""
    click.echo((drawn, names, kind, share, pair, loud))


def said(*words: str) -> str:
    done = CliRunner().invoke(drawing, words)
    return done.output if done.exit_code == 0 else f"{done.exit_code}: {done.output.splitlines()[-1]}"


def test_what_a_type_lets_be_left_out_is_left_out() -> None:
    assert said("--share", "1") == "(Drawn(draws=3, seeds=()), (), None, 1.0, None, False)\n"


def test_values_have_the_types_of_their_parameters() -> None:
    words = "a b --seed 4 --seed 5 -k some --share .5 --pair x y --loud"
    assert (
        said(*words.split()) == "(Drawn(draws=3, seeds=(4, 5)), ('a', 'b'), 'some', 0.5, ('x', 'y'), True)\n"
    )


def test_what_has_no_default_is_required() -> None:
    assert said() == "2: Error: Missing option '--share'."


def test_words_and_limits_are_those_declared() -> None:
    assert said("--share", "1", "--kind", "none") == (
        "2: Error: Invalid value for '-k' / '--kind': 'none' is not one of 'all', 'some'."
    )
    assert says(said("--share", "1", "--draws", "0"), "--draws")


def test_the_help_lists_options_in_the_order_of_their_declarations_with_defaults() -> None:
    lines = [line.split() for line in said("--help").splitlines() if line.startswith("  -")]
    assert [line[0] for line in lines] == "--draws --seed -k, --share --pair --loud --help".split()
    assert "[default: 3; x>=1]" in " ".join(lines[0])


def test_the_help_keeps_the_lines_of_an_example() -> None:
    @command("dig")
    def digging() -> None:
        """Dig a canal.

        Example:
          workbench dig suez
          workbench dig panama
        """

    shown = CliRunner().invoke(digging, ["--help"]).output
    assert "  Example:\n    workbench dig suez\n    workbench dig panama\n" in shown


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("", None),
        ("--workers 2", Workers(None, 2)),
        ("--scheduler tcp://one:8786", Workers("tcp://one:8786", None)),
    ],
)
def test_a_command_gets_the_processes_or_the_scheduler_that_was_named_and_not_both(
    words: str, expected: Workers | None
) -> None:
    given: list[Workers | None] = []

    @command()
    def working(workers: Workers | None = workers_options("read and score")) -> None:
        given.append(workers)

    assert CliRunner().invoke(working, words.split()).exit_code == 0
    assert given == [expected]
    both = CliRunner().invoke(working, ["--workers", "2", "--scheduler", "tcp://one:8786"])
    assert (both.exit_code, says(both.output.splitlines()[-1])) == (2, True)


@click.group()
def outer() -> None:
    """Of which `inner` is in another module."""


@click.command()
def inner() -> None:
    """In a module of its own."""


def test_a_command_is_imported_when_it_is_asked_for_with_those_of_its_group(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(MEMBERS, "outer", {"inner": "of_inner:inner"})
    found = LateCommands({"outer": "of_outer:outer", "inner": "of_inner:inner"})
    assert (list(found), len(found)) == (["outer", "inner"], 2)
    for name, member in (("outer", outer), ("inner", inner)):
        monkeypatch.setitem(sys.modules, f"workbench.cli.of_{name}", module := ModuleType(name))
        setattr(module, name, member)
    group = found["outer"]
    assert isinstance(group, click.Group)
    assert (group, dict(group.commands)) == (outer, {"inner": inner})
    assert found["outer"] is group


def test_a_command_may_be_put_among_them_and_taken_out() -> None:
    found = LateCommands({"outer": "of_outer:outer"})
    found["outer"] = outer
    assert found["outer"] is outer
    del found["outer"]
    assert list(found) == []
