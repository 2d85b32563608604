"""One table says what is not installed with the program: its packages, what each is for, and how it is had."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator

import pytest

from tests.conftest import ROOT
from tests.sentences import says
from workbench.core.extras import EXTRAS, NotInstalled, missing, needed

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
NOT_TO_RUN = set("dev load scripts audit build peers faults docs wheels".split())


def packages(requirements: list[str]) -> set[str]:
    return {re.split(r"[\[=<>;]", each)[0] for each in requirements}


def test_the_table_has_the_extras_of_the_project_and_their_packages_and_so_has_the_page_of_packages() -> None:
    extras = PROJECT["optional-dependencies"]
    ours = {extra.name for extra in EXTRAS.values()}
    assert ours == set(extras) - NOT_TO_RUN
    below = {"httpx2": "httpx2", "aiohttp": "aiohttp"}  # what openai and fsspec[http] bring
    for module, extra in EXTRAS.items():
        assert extra.package in packages(extras[extra.name]) or below.get(module) == extra.package, module
    text = (ROOT / "docs" / "build" / "dependencies.md").read_text()
    assert ours | NOT_TO_RUN == set(re.findall(r"relevance-workbench\[(\w+)\]", text))


@pytest.mark.parametrize("module", EXTRAS)
def test_what_is_missing_is_said_in_one_sentence_with_its_command(
    module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    said = missing(module)
    assert says(said, f'"relevance-workbench[{EXTRAS[module].name}]"')
    with pytest.raises(NotInstalled, match=re.escape(said)), needed():
        __import__(f"{module}.inside")


def test_a_part_of_the_program_itself_that_is_missing_is_no_extra() -> None:
    with pytest.raises(ModuleNotFoundError, match=r"workbench\.nothing"), needed():
        __import__("workbench.nothing")


def imported_at_once(node: ast.AST) -> Iterator[str]:
    """What is imported with a module: not in functions, nor for the type checker alone."""
    match node:
        case ast.Import():
            yield from (each.name for each in node.names)
        case ast.ImportFrom():
            yield node.module or ""
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return
        case _:
            for each in ast.iter_child_nodes(node):
                yield from imported_at_once(each)


def test_no_module_needs_an_extra_to_be_imported() -> None:
    modules = sorted((ROOT / "workbench").rglob("*.py"))
    assert len(modules) > 400
    for path in modules:
        found = {name.partition(".")[0] for name in imported_at_once(ast.parse(path.read_text()))}
        assert not found & set(EXTRAS), path
