"""The commands of the program."""

from __future__ import annotations

from collections.abc import Iterator

import click

from workbench.cli import main


def leaves(group: click.Command = main, *words: str) -> Iterator[tuple[str, click.Command]]:
    """All commands of a group and of the groups in it, with their names."""
    if not isinstance(group, click.Group):
        yield " ".join(words), group
        return
    for name, command in group.commands.items():
        yield from leaves(command, *words, name)
