"""A campaign that cannot be read or written now is 503 on every page, not a refusal that names the server's paths."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import workbench.web
from workbench.core.errors import CampaignUnavailable

FOLDER = Path(workbench.web.__file__).parent
MODULES = [
    f"workbench.web.{'.'.join(path.relative_to(FOLDER).with_suffix('').parts)}"
    for path in sorted(FOLDER.rglob("*.py"))
    if "Blueprint(" in path.read_text(encoding="utf-8")
]
OTHERWISE = {
    ("workbench.web.setup.new_campaign", "CampaignError"),
    ("workbench.web.accounts.people", "REFUSALS"),
    ("workbench.web.accounts.people", "(*REFUSALS, InputError)"),
    ("workbench.web.accounts.people", "CampaignError"),
    ("workbench.web.monitoring.health", "(OSError, WorkbenchError)"),
}
"""Handlers that answer it: with a message of their own, in a function that they all end in, and as not healthy."""


def takes_it(handler: ast.ExceptHandler, names: dict[str, object]) -> bool:
    """Whether a handler catches what says that a campaign is unavailable."""
    caught = eval(ast.unparse(handler.type), names) if handler.type else BaseException
    return issubclass(CampaignUnavailable, caught)


def first_that_takes_it(module: str) -> Iterator[tuple[str, list[ast.stmt]]]:
    """For each try of a module: what its first handler of the kind catches, and what that does."""
    names = vars(import_module(module))
    text = Path(str(names["__file__"])).read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(text)):
        handlers = [each for each in getattr(node, "handlers", ()) if takes_it(each, names)]
        if handlers:
            yield ast.unparse(handlers[0].type) if handlers[0].type else "", handlers[0].body


@pytest.mark.parametrize("module", MODULES)
def test_every_page_lets_an_unavailable_campaign_through(module: str) -> None:
    for caught, body in first_that_takes_it(module):
        if (module, caught) not in OTHERWISE:
            assert ast.unparse(body[0]) == "raise", f"{module} answers {caught} before CampaignUnavailable"


def test_those_that_do_it_otherwise_are_there() -> None:
    assert {(module, caught) for module in MODULES for caught, _ in first_that_takes_it(module)} >= OTHERWISE
