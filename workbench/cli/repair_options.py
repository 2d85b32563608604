"""The repairs of run files as options of a command."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import click

OPTIONS = (
    click.option(
        "--duplicates",
        type=click.Choice(["first", "best-score"]),
        help="Of a document listed twice in a topic, keep the first line or the one with the best score.",
    ),
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
    click.option(
        "--extra-topics",
        type=click.Choice(["drop"]),
        help="Leave out lines of topics that the campaign does not have.",
    ),
    click.option(
        "--extra-documents",
        type=click.Choice(["drop"]),
        help="Leave out lines of documents that a complete collection does not have.",
    ),
    click.option(
        "--tags",
        type=click.Choice(["first"]),
        help="Take all lines of a file with several tags for one run, named by the first.",
    ),
    click.option(
        "--bad-lines",
        type=click.Choice(["drop"]),
        help="Leave out lines that cannot be read, such as a line of column names.",
    ),
)
NAMES = ("bad_lines", "tags", "duplicates", "topics", "extra_topics", "extra_documents")


def repair_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options, which it gets as one argument `repairs`."""

    @functools.wraps(command)
    def collected(**arguments: Any) -> None:
        from workbench.formats.run_repairs import chosen_repairs

        ways = {name: arguments.pop(name) or "" for name in NAMES}
        command(**arguments, repairs=chosen_repairs(**ways))

    for option in reversed(OPTIONS):
        collected = option(collected)
    return collected
