"""The repairs of run files and qrels as options of a command."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click

from workbench.cli.campaigns import say

if TYPE_CHECKING:
    from workbench.formats.run_repairs import Done

DUPLICATES = ("identical", "first", "best-score")


def _drop(name: str, words: str) -> Callable[..., Any]:
    return click.option(name, type=click.Choice(["drop"]), help=words)


def duplicates_option(ways: Iterable[str], words: str) -> Callable[..., Any]:
    """The option that says which one is taken of entries for the same."""
    return click.option("--duplicates", type=click.Choice([*ways]), help=words)


own_documents_option = _drop(
    "--own-documents", "Leave out lines whose document is the topic itself, by its id (ArguAna)."
)
OF_BOTH = (
    click.option(
        "--topics-by-position",
        "topics",
        flag_value="by-position",
        help="Rename topics 1, 2, 3, … to the topics at these places of the campaign's topic files.",
    ),
    click.option(
        "--topics-as-suggested",
        "topics",
        flag_value="as-suggested",
        help="Rename unknown topics as the report suggests, such as '007' to '7'.",
    ),
    _drop("--extra-topics", "Leave out lines of topics that the campaign does not have."),
    click.option(
        "--documents-as-suggested",
        "documents",
        flag_value="as-suggested",
        help="Rename unknown documents as the report suggests, such as ids composed otherwise.",
    ),
    _drop("--extra-documents", "Leave out lines of documents that a complete collection does not have."),
    own_documents_option,
    click.option(
        "--changes", "shows_changes", is_flag=True, help="Also list every line that a repair changed."
    ),
)
OF_RUNS = (
    duplicates_option(
        DUPLICATES,
        "Of a document listed twice in a topic, keep one of identical lines, the first line, or the best score.",
    ),
    *OF_BOTH[:-1],
    click.option(
        "--tags",
        type=click.Choice(["first"]),
        help="Take all lines of a file with several tags for one run, named by the first.",
    ),
    _drop("--bad-lines", "Leave out lines that cannot be read, such as a line of column names."),
    OF_BOTH[-1],
)
OF_QRELS = (duplicates_option(DUPLICATES[:1], "Take lines once that say the same of a document."), *OF_BOTH)
NAMES = (
    *("bad_lines", "tags", "duplicates", "topics", "extra_topics"),
    *("documents", "extra_documents", "own_documents"),
)


def repair_options(options: Iterable[Callable[..., Any]]) -> Callable[..., Any]:
    """Give a command the options, which it gets as one argument `repairs`."""

    def decorated(command: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(command)
        def collected(**arguments: Any) -> None:
            from workbench.formats.run_repairs import chosen_repairs

            ways = {name: arguments.pop(name, "") or "" for name in NAMES}
            command(**arguments, repairs=chosen_repairs(**ways))

        for option in reversed([*options]):
            collected = option(collected)
        return collected

    return decorated


def _encoding(_: click.Context, option: click.Parameter, name: str) -> str:
    from workbench.formats.text.chosen_encoding import checked_encoding

    try:
        return checked_encoding(name)
    except ValueError as error:
        raise click.BadParameter(str(error), param=option) from None


encoding_option = click.option(
    "--encoding",
    default="",
    callback=_encoding,
    metavar="NAME",
    help="What the files are in, such as euc-jp, shift_jis, gb18030 or windows-1250.  [default: UTF-8]",
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
