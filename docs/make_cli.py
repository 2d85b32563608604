"""Regenerates the entries of docs/use/cli.md from the commands themselves: python docs/make_cli.py.

The text above the marker is written by hand and is kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path

import click

from workbench.cli import main

PAGE = Path(__file__).parent / "use" / "cli.md"
MARKER = "<!-- made by docs/make_cli.py: change the docstring or the option of the command instead -->"


def page(old: str) -> str:
    """The page with new entries; the text above the marker is taken from `old`."""
    head, _, _ = old.partition(MARKER)
    lines = [
        line for context in contexts(click.Context(main, info_name="workbench")) for line in entry_of(context)
    ]
    return "\n".join([head + MARKER, *lines]) + "\n"


def contexts(context: click.Context) -> Iterator[click.Context]:
    """A command and all commands in it, each as it is called."""
    yield context
    if isinstance(context.command, click.Group):
        for name in context.command.list_commands(context):
            command = context.command.get_command(context, name)
            assert command is not None  # noqa: S101 - the group has just named it
            yield from contexts(click.Context(command, info_name=name, parent=context))


def entry_of(context: click.Context) -> Iterator[str]:
    """The lines of one command: what it does, how it is called, an example, its options."""
    prose, _, example = cleandoc(context.command.help or "").partition("\b\nExample:\n")
    yield from ("", f"## {context.command_path}", "", prose.strip(), "")
    yield from ("```text", *usage_of(context), "```", "")
    if example:
        yield from ("```sh", *(line.strip() for line in example.strip().splitlines()), "```", "")
    if isinstance(context.command, click.Group):
        yield ", ".join(f"`{name}`" for name in context.command.list_commands(context))
        return
    yield from ("| option | |", "|---|---|")
    yield from (f"| `{names}` | {escaped(what)} |" for names, what in options_of(context))


def usage_of(context: click.Context) -> Iterator[str]:
    """The line of usage, whatever the width of the terminal."""
    pieces = context.command.collect_usage_pieces(context)
    yield " ".join([context.command_path, *pieces])


def options_of(context: click.Context) -> Iterator[tuple[str, str]]:
    """The spellings of each option and what it does; not --help, which every command has."""
    for parameter in context.command.params:
        record = parameter.get_help_record(context) if isinstance(parameter, click.Option) else None
        if record is not None:
            names, what = record
            yield escaped(names), re.sub(r"\s+", " ", what).strip()


def escaped(text: str) -> str:
    """Text that stays in one cell of a table."""
    return text.replace("|", "\\|").replace("<", "&lt;")


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
