"""What cannot be read or written now is 503 on every page, not a refusal that names the server's paths."""

from __future__ import annotations

import ast
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import workbench.web
from workbench.core.errors import CampaignBusy, DamagedCampaign, OtherSchema
from workbench.people.accounts import AccountsUnavailable
from workbench.people.accounts.passwords import HashesBusy

FOLDER = Path(workbench.web.__file__).parent
OTHERWISE = {
    ("workbench.web.access.rules", "AccountsUnavailable"),
    ("workbench.web.access.rules", "(CampaignError, UnusableCampaign)"),
    ("workbench.web.accounts.sign_in", "AccountsUnavailable"),
    ("workbench.web.monitoring.health", "(OSError, WorkbenchError)"),
    ("workbench.web.monitoring.watching", "WorkbenchError"),
    ("workbench.web.setup.new_campaign", "(CampaignError, UnusableCampaign)"),
}
"""Handlers that answer it: with a line of the log, with a campaign less in a list, with another message, as not
healthy, and as a campaign that is looked at again later.
"""


@cache
def handlers() -> list[tuple[str, str, Any]]:
    """The module of each handler of the pages, what it catches as text, and what that is."""
    found = []
    for path in sorted(set(FOLDER.rglob("*.py")) - set(FOLDER.joinpath("server").iterdir())):
        module = ".".join(["workbench.web", *path.relative_to(FOLDER).with_suffix("").parts])
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ExceptHandler) and node.type is not None:
                caught = ast.unparse(node.type)
                found.append((module, caught, eval(caught, vars(import_module(module)))))
    return [one for one in found if one[2] not in (Exception, BaseException)]


@pytest.mark.parametrize(
    "error", [CampaignBusy, DamagedCampaign, OtherSchema, AccountsUnavailable, HashesBusy]
)
def test_every_page_lets_through_what_is_unavailable(error: type[Exception]) -> None:
    assert {(module, caught) for module, caught, kinds in handlers() if issubclass(error, kinds)} <= OTHERWISE


def test_those_that_do_it_otherwise_are_there() -> None:
    assert {(module, caught) for module, caught, _ in handlers()} >= OTHERWISE
