"""The program's own numbers: limits, sizes and defaults, as they were when a person last read them.

Each is a decision that somebody relies on. One that is new is read and recorded with RECORD=1.
"""

from __future__ import annotations

import ast
import json
import os
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parent
PACKAGE = HERE.parent.parent / "workbench"
RECORDED = HERE / "numbers.json"


def values_of(node: ast.AST, within: str) -> Iterator[tuple[str, ast.expr | None]]:
    """Names with what they are first given: at the top of a module or class, and as defaults of parameters."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Assign):
            yield within + ast.unparse(child.targets[0]), child.value
        elif isinstance(child, ast.AnnAssign):
            yield within + ast.unparse(child.target), child.value
        elif isinstance(child, ast.ClassDef):
            yield from values_of(child, f"{within}{child.name}.")
        elif isinstance(child, ast.FunctionDef):
            place, given = f"{within}{child.name}.", child.args
            named = [*given.posonlyargs, *given.args]
            defaults = [None] * (len(named) - len(given.defaults)) + given.defaults
            for one, value in zip([*named, *given.kwonlyargs], [*defaults, *given.kw_defaults], strict=True):
                yield place + one.arg, value


def numbers_of(path: Path) -> dict[str, str]:
    """The names whose value is a number or a truth value, or is made of numbers, with that as it is written."""
    return {
        name: ast.unparse(value)
        for name, value in values_of(ast.parse(path.read_text(encoding="utf-8")), "")
        if value is not None and is_made_of_numbers(value)
    }


def is_made_of_numbers(value: ast.expr) -> bool:
    """Whether this has numbers or truth values in it, and no words."""
    found = [each.value for each in ast.walk(value) if isinstance(each, ast.Constant)]
    return any(each is not None for each in found) and all(
        isinstance(each, bool | int | float | None) for each in found
    )


def test_no_limit_size_or_default_is_another_than_was_meant() -> None:
    now = {
        str(path.relative_to(PACKAGE.parent)): numbers
        for path in sorted(PACKAGE.rglob("*.py"))
        if (numbers := numbers_of(path))
    }
    if os.environ.get("RECORD"):
        RECORDED.write_text(json.dumps(now, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    recorded = json.loads(RECORDED.read_text(encoding="utf-8"))
    changed = {
        f"{file}: {name}": (then, here)
        for file in recorded.keys() | now.keys()
        for name in recorded.get(file, {}).keys() | now.get(file, {}).keys()
        if (then := recorded.get(file, {}).get(name)) != (here := now.get(file, {}).get(name))
    }
    assert sum(map(len, recorded.values())) > 1_000
    assert changed == {}
