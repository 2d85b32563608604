"""How the package is built, in figures: entries, modules, lines, functions, parameters, imports between rooms.

    .venv/bin/python benchmarks/structure.py [CHECKOUT ...]

Prints a column for each checkout, this one if none is named. A circle is a set of modules that import each other, at
their tops or inside functions, each from every other. A function's lines are counted without its docstring.
"""

from __future__ import annotations

import argparse
import ast
import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from statistics import median
from typing import NamedTuple

HERE = Path(__file__).resolve().parent.parent
MOST_PARAMETERS = 5


class Module(NamedTuple):
    """A module: its name below the package, its lines, and what it says."""

    name: str
    lines: int
    tree: ast.Module


def read(package: Path) -> list[Module]:
    return [
        Module(
            ".".join(path.relative_to(package).with_suffix("").parts).removesuffix("__init__").strip("."),
            len(path.read_bytes().splitlines()),
            ast.parse(path.read_bytes()),
        )
        for path in sorted(package.rglob("*.py"))
    ]


def imports(modules: list[Module]) -> dict[str, set[str]]:
    """Which modules each module imports: of `from a.b import c` the module `a.b.c` if there is one, else `a.b`."""
    names = {module.name for module in modules}
    return {
        module.name: {found for name in imported(module.tree) if (found := known(name, names)) != module.name}
        for module in modules
    }


def imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        yield from (name.removeprefix("workbench.") for name in names if name.startswith("workbench."))


def known(name: str, names: set[str]) -> str:
    while name and name not in names:
        name = name.rpartition(".")[0]
    return name


def in_circles(graph: dict[str, set[str]]) -> int:
    """The modules that have to go before no circle is left: one of each circle that is found."""
    gone = 0
    graph = dict(graph)
    while True:
        try:
            TopologicalSorter(graph).prepare()
        except CycleError as error:
            first = error.args[1][0]
            graph = {name: found - {first} for name, found in graph.items() if name != first}
            gone += 1
        else:
            return gone


def functions(modules: list[Module]) -> list[tuple[int, int, str]]:
    """Lines, parameters and name of every function."""
    return [
        (length(node), parameters(node), f"{module.name}.{node.name}")
        for module in modules
        for node in ast.walk(module.tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]


def length(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    body = node.body[1:] if ast.get_docstring(node) is not None else node.body
    first = body[0].lineno if body else node.lineno
    return 1 + (node.end_lineno or first) - first


def parameters(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    given = [each.arg for each in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
    return len([name for name in given if name not in {"self", "cls"}])


def figures(checkout: Path) -> dict[str, str]:
    package = checkout / "workbench"
    modules = read(package)
    graph = imports(modules)
    lines, counts, _ = zip(*functions(modules), strict=True)
    room = {module.name: module.name.partition(".")[0] for module in modules}
    across = [(a, b) for a, found in graph.items() for b in found if room[a] != room[b]]
    longest = max(modules, key=lambda module: module.lines)
    return {
        "entries at the top": str(len({room[module.name] for module in modules} - {""})),
        "modules": f"{len(modules):,}",
        "lines": f"{sum(module.lines for module in modules):,}",
        "longest module": f"{longest.lines} ({longest.name})",
        "functions": f"{len(lines):,}",
        "median function": f"{median(lines):g} lines",
        "longest function": f"{max(lines)} lines",
        "functions of more than five parameters": str(sum(count > MOST_PARAMETERS for count in counts)),
        "imports between entries": f"{len(across):,} in {len({(room[a], room[b]) for a, b in across})} pairs",
        "modules that close a circle": str(in_circles(graph)),
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("checkouts", type=Path, nargs="*", default=[HERE])
    found = [figures(checkout.resolve()) for checkout in parser.parse_args().checkouts]
    for name in found[0]:
        sys.stdout.write(f"{name:40}" + "".join(f"{each[name]:>44}" for each in found) + "\n")


if __name__ == "__main__":
    main()
