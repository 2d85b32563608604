"""Options that a function or a record declares, and what follows from their types."""

from __future__ import annotations

from typing import Literal, NamedTuple

import click
from click.testing import CliRunner

from tests.sentences import says
from workbench.cli.options import argument, declared_options, option


class Drawn(NamedTuple):
    """How often, and with what."""

    draws: int = option("How often.", default=3, least=1)
    seeds: tuple[int, ...] = option("Seeds.", "--seed")


@click.command()
@declared_options
def command(
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
    done = CliRunner().invoke(command, words)
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
