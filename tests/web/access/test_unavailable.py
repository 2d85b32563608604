"""What cannot be read or written now is 503 on every page, not a refusal that names the server's paths."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import workbench.web
from workbench.core.errors import CampaignUnavailable
from workbench.storage.accounts import AccountsUnavailable

FOLDER = Path(workbench.web.__file__).parent
MODULES = [
    f"workbench.web.{'.'.join(path.relative_to(FOLDER).with_suffix('').parts)}"
    for path in sorted(FOLDER.rglob("*.py"))
    if re.search(r"Blueprint\(|except \w+Unavailable", path.read_text(encoding="utf-8"))
]
OTHERWISE = {
    ("workbench.web.setup.new_campaign", "CampaignError"),
    ("workbench.web.accounts.people", "REFUSALS"),
    ("workbench.web.accounts.people", "(*REFUSALS, InputError)"),
    ("workbench.web.accounts.people", "CampaignError"),
    ("workbench.web.monitoring.health", "(OSError, WorkbenchError)"),
    ("workbench.web.access.refused_access", "AccountsUnavailable"),
    ("workbench.web.accounts.sign_in", "AccountsUnavailable"),
}
"""Handlers that answer it: with a message of their own, in a function that they all end in, as not healthy, and with a
line of the server's log."""


def takes_it(handler: ast.ExceptHandler, names: dict[str, object], error: type[Exception]) -> bool:
    """Whether a handler catches what says that a campaign is unavailable, or the accounts are."""
    caught = eval(ast.unparse(handler.type), names) if handler.type else BaseException
    return issubclass(error, caught)


def first_that_takes_it(module: str, error: type[Exception]) -> Iterator[tuple[str, list[ast.stmt]]]:
    """For each try of a module: what its first handler of the kind catches, and what that does."""
    names = vars(import_module(module))
    text = Path(str(names["__file__"])).read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(text)):
        handlers = [each for each in getattr(node, "handlers", ()) if takes_it(each, names, error)]
        if handlers:
            yield ast.unparse(handlers[0].type) if handlers[0].type else "", handlers[0].body


@pytest.mark.parametrize("error", [CampaignUnavailable, AccountsUnavailable])
@pytest.mark.parametrize("module", MODULES)
def test_every_page_lets_through_what_is_unavailable(module: str, error: type[Exception]) -> None:
    for caught, body in first_that_takes_it(module, error):
        if (module, caught) not in OTHERWISE:
            assert ast.unparse(body[0]) == "raise", f"{module} answers {caught} before {error.__name__}"


def test_those_that_do_it_otherwise_are_there() -> None:
    found = {
        (module, caught)
        for error in (CampaignUnavailable, AccountsUnavailable)
        for module in MODULES
        for caught, _ in first_that_takes_it(module, error)
    }
    assert found >= OTHERWISE
