"""The repairs of run files and qrels as options of a command."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from workbench.cli.campaigns import say
from workbench.cli.options import Decorator, option

if TYPE_CHECKING:
    from workbench.formats.run_repairs import Done, Repairs

Named = tuple[str, Any]
"""A repair and an option that chooses it."""


def _ways(name: str, words: str, *ways: str) -> Named:
    return name, option(words, type=click.Choice(ways), default=None)


def _flag(name: str, way: str, words: str) -> Named:
    return name, option(words, f"--{name}-{way}", flag_value=way)


class _Repairs(NamedTuple):
    """The options of some repairs, of which the value is a `Repairs`."""

    declared: tuple[Named, ...]

    def options(self, name: str, kind: Any) -> list[Decorator]:
        return [each for name, declared in self.declared for each in declared.options(name, str | None)]

    def value(self, name: str, given: Mapping[str, Any]) -> Repairs:
        from workbench.formats.run_repairs import chosen_repairs

        return chosen_repairs(**{name: given[name] or "" for name, _ in self.declared})


changes_option = option("Also list every line that a repair changed.", "--changes")

OF_BOTH: tuple[Named, ...] = (
    _flag("topics", "by-position", "Rename topics 1, 2, 3, … to those at these places in the topic files."),
    _flag("topics", "as-suggested", "Rename unknown topics as the report suggests, as '007' to '7'."),
    _ways("extra_topics", "Leave out lines of topics that the campaign does not have.", "drop"),
    _flag("documents", "as-suggested", "Rename unknown documents as the report suggests."),
    _ways("extra_documents", "Leave out lines of documents outside a complete collection.", "drop"),
    _ways(
        "own_documents", "Leave out lines whose document is the topic itself, by its id (ArguAna).", "drop"
    ),
)
_RUNS_TWICE = (
    "Of a document listed twice in a topic, keep one of identical lines, the first line, or the best score."
)
repairs_of_runs: Any = _Repairs(
    (
        _ways("duplicates", _RUNS_TWICE, "identical", "first", "best-score"),
        *OF_BOTH,
        _ways("tags", "Take all lines of a file with several tags for one run, named by the first.", "first"),
        _ways("bad_lines", "Leave out lines that cannot be read, such as a line of column names.", "drop"),
    )
)
_TWICE = _ways("duplicates", "Take lines once that say the same of a document.", "identical")
repairs_of_qrels: Any = _Repairs((_TWICE, *OF_BOTH))
own_documents_option = dict(OF_BOTH)["own_documents"]


def _encoding(_: click.Context, option: click.Parameter, name: str) -> str:
    from workbench.formats.text.chosen_encoding import checked_encoding

    try:
        return checked_encoding(name)
    except ValueError as error:
        raise click.BadParameter(str(error), param=option) from None


encoding_option = option(
    "What the files are in, such as euc-jp, shift_jis, gb18030 or windows-1250.  [default: UTF-8]",
    "--encoding",
    default="",
    callback=_encoding,
    metavar="NAME",
)


def show_repaired(repaired: Sequence[tuple[str, Done]], *, each_line: bool) -> None:
    """What the repairs did, and every line that they changed if that is chosen."""
    for file, done in repaired:
        say(f"Repaired: {file}: {done.repair.message}")
    show_changes(repaired if each_line else ())


def show_changes(repaired: Iterable[tuple[str, Done]]) -> None:
    """Every line that a repair changed, with its file and number."""
    for file, done in repaired:
        for line, said in done.changed.each():
            say(f"{file}:{line}: {said} ({done.repair.name})")
