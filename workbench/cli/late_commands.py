"""The commands of a group by name, each imported when it is called, without the modules of the others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from importlib import import_module

import click


class LateCommands(MutableMapping[str, click.Command]):
    """Commands by name, in the order in which they are listed."""

    def __init__(self, places: Mapping[str, str], members: Mapping[str, tuple[str, ...]]) -> None:
        """Import nothing yet.

        Args:
            places: the module in `workbench.cli` and the name in it, as `module:name`, by the name of the command.
            members: likewise for a group's commands that are in other modules than the group, by its name.
        """
        self._found: dict[str, click.Command | str] = dict(places)
        self._members = members

    def __getitem__(self, name: str) -> click.Command:
        found = self._found[name]
        if isinstance(found, str):
            found = self._found[name] = _imported(found)
            if isinstance(found, click.Group):
                for place in self._members.get(name, ()):
                    found.add_command(_imported(place))
        return found

    def __setitem__(self, name: str, command: click.Command) -> None:
        self._found[name] = command

    def __delitem__(self, name: str) -> None:
        del self._found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)


def _imported(place: str) -> click.Command:
    module, _, name = place.partition(":")
    command: click.Command = getattr(import_module(f"workbench.cli.{module}"), name)
    return command
