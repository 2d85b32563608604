"""Commands that are imported when they are called."""

from __future__ import annotations

import sys
from types import ModuleType

import click
import pytest

from workbench.cli.main import MEMBERS, LateCommands


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
    for name, command in (("outer", outer), ("inner", inner)):
        monkeypatch.setitem(sys.modules, f"workbench.cli.of_{name}", module := ModuleType(name))
        setattr(module, name, command)
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
