"""Which tests reach which statements of the program, for planted_faults.py.

    .venv/bin/python benchmarks/reached_lines.py FOLDER [--jobs J] [--slow] [TEST...]
    .venv/bin/python benchmarks/reached_lines.py FOLDER --never [FILE...]

The first runs the normal tests (or those named) once and writes into FOLDER what each reaches; this file is their
plug-in then, and gives every statement of workbench/ a probe as it is imported. A fault in a statement that a test
never reaches cannot be noticed by it. With --slow they are those in a browser and those that are slow, which want a
folder of their own. The second prints the statements that no test reaches, by file.

What runs in processes that tests start is not heard of. What a fixture of a file or session does counts for the first
test that asks for it.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from itertools import compress
from pathlib import Path
from typing import ClassVar

from checkouts import ROOT

FOLDER = "REACHED_LINES"
PROBES = "_probes"


class Reached:
    """The tests that reach each statement, and how many statements and seconds each test has."""

    def __init__(self, folder: Path) -> None:
        self.tests: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
        self.breadth: dict[str, int] = {}
        self.seconds: dict[str, float] = {}
        for path in sorted(folder.glob("*.jsonl")):
            for line in path.read_text(encoding="utf-8").splitlines():
                test, seconds, found = json.loads(line)
                self.seconds[test] = seconds
                self.breadth[test] = sum(map(len, found.values()))
                for name, places in found.items():
                    for place in places:
                        self.tests[name, place].add(test)

    def by(self, name: str, source: str, offset: int) -> list[str]:
        """The tests that reach a place in a file: first those that are quick and reach little else."""
        line = source.count("\n", 0, offset) + 1
        around = [
            (one.lineno, place)
            for place, one in statements(ast.parse(source))
            if one.lineno <= line <= (one.end_lineno or 0)
        ]
        found = self.tests[name, max(around)[1]] if around else set()
        return sorted(found, key=lambda test: (round(self.seconds[test]), self.breadth[test], test))

    def never(self, name: str, source: str) -> list[int]:
        """The lines at which statements begin that no test reaches."""
        return sorted(
            one.lineno for place, one in statements(ast.parse(source)) if not self.tests[name, place]
        )


def statements(tree: ast.Module) -> Iterator[tuple[str, ast.stmt]]:
    """The statements of functions, each with its function and number there, which other changes of a file leave alone.

    Those of a module or class run as it is imported, for every test or for none.
    """
    seen = Counter[str]()
    for called, function in _functions(tree, ""):
        seen[called] += 1
        own = (one for body in _bodies(function) for one in body)
        for number, one in enumerate(own):
            yield f"{called}:{seen[called]}:{number}", one


def _functions(node: ast.AST, within: str) -> Iterator[tuple[str, ast.FunctionDef]]:
    """All functions with their qualified names."""
    for child in ast.iter_child_nodes(node):
        inner = f"{within}.{child.name}" if isinstance(child, ast.FunctionDef | ast.ClassDef) else within
        if isinstance(child, ast.FunctionDef):
            yield inner, child
        yield from _functions(child, inner)


def _bodies(node: ast.AST) -> Iterator[list[ast.stmt]]:
    """The lists of statements in a function or statement, without those of functions and classes in it."""
    for name in ("body", "orelse", "finalbody", "handlers", "cases"):
        found = getattr(node, name, [])
        if not isinstance(found, list) or not found:
            continue
        if isinstance(found[0], ast.stmt):
            yield [one for one in found if not _says_nothing(one)]
        for one in found:
            if not isinstance(one, ast.FunctionDef | ast.ClassDef):
                yield from _bodies(one)


def _says_nothing(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


class _Probing(ast.NodeTransformer):
    """Puts a probe before each statement that has one."""

    def __init__(self, tree: ast.Module) -> None:
        self.places: list[str] = []
        self.place_of = {id(one): place for place, one in statements(tree)}

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        for name in ("body", "orelse", "finalbody"):
            found = getattr(node, name, None)
            if isinstance(found, list):
                setattr(node, name, [part for one in found for part in self._parts(one)])
        return node

    def _parts(self, one: ast.AST) -> list[ast.AST]:
        if id(one) not in self.place_of:
            return [one]
        (probe,) = ast.parse(f"{PROBES}[{len(self.places)}] = 1").body
        self.places.append(self.place_of[id(one)])
        for part in ast.walk(probe):
            ast.copy_location(part, one)
        return [probe, one]


class _Loader(SourceFileLoader):
    """Reads a module with probes in it, and leaves no compiled file of that."""

    def get_code(self, fullname: str):  # type: ignore[no-untyped-def]
        path = self.get_filename(fullname)
        tree = ast.parse(self.get_data(path))
        probing = _Probing(tree)
        probing.visit(tree)
        _Running.places[fullname] = probing.places
        _Running.probes[fullname] = bytearray(len(probing.places))
        return compile(tree, path, "exec", dont_inherit=True)

    def exec_module(self, module) -> None:  # type: ignore[no-untyped-def]
        code = self.get_code(module.__name__)
        module.__dict__[PROBES] = _Running.probes[module.__name__]
        _Running.names[module.__name__] = str(Path(module.__file__).relative_to(ROOT))
        exec(code, module.__dict__)


class _Finder(MetaPathFinder):
    """Finds the modules of workbench/ before others do."""

    def find_spec(self, fullname, path=None, target=None) -> ModuleSpec | None:  # type: ignore[no-untyped-def]
        if fullname.split(".")[0] != "workbench":
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = _Loader(fullname, spec.loader.path)
        return spec


class _Running:
    """Since when a test runs, and the probes of each module."""

    began = 0.0
    places: ClassVar[dict[str, list[str]]] = {}
    probes: ClassVar[dict[str, bytearray]] = {}
    names: ClassVar[dict[str, str]] = {}


if FOLDER in os.environ:  # before tests/conftest.py imports from workbench/
    sys.meta_path.insert(0, _Finder())


def pytest_runtest_logstart() -> None:
    _Running.began = time.monotonic()


def pytest_runtest_logfinish(nodeid: str) -> None:
    reached: dict[str, list[str]] = {}
    for module, probes in _Running.probes.items():
        if 1 in probes:
            reached[_Running.names[module]] = list(compress(_Running.places[module], probes))
            probes[:] = bytes(len(probes))
    # A process that only hands out tests to others reaches nothing.
    if reached:
        line = json.dumps([nodeid, round(time.monotonic() - _Running.began, 3), reached])
        with Path(os.environ[FOLDER], f"{os.getpid()}.jsonl").open("a", encoding="utf-8") as file:
            file.write(line + "\n")


def record(folder: Path, tests: list[str], jobs: int, choice: str) -> Reached:
    """Run tests with probes in the program."""
    folder.mkdir(parents=True, exist_ok=True)
    environment = os.environ | {FOLDER: str(folder), "PYTHONPATH": str(Path(__file__).resolve().parent)}
    subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", str(jobs), "--dist", "loadfile", "-m", choice,
         "-p", "no:cacheprovider", "-p", Path(__file__).stem, *tests],
        cwd=ROOT, env=environment, check=False,
    )  # fmt: skip
    return Reached(folder)


def print_never(reached: Reached, names: list[str]) -> None:
    """Print each file with the lines that no test reaches, and how many of all there are."""
    total = missing = 0
    for name in names:
        source = (ROOT / name).read_text(encoding="utf-8")
        total += sum(1 for _ in statements(ast.parse(source)))
        found = reached.never(name, source)
        missing += len(found)
        if found:
            print(f"{name}: {', '.join(map(str, found))}")
    print(f"{missing} of {total} statements are reached by no test")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path, help="where what was reached is written, or was")
    parser.add_argument("names", nargs="*", help="tests to run, or files to look at")
    parser.add_argument("--jobs", type=int, default=2, help="how many tests at once (2)")
    parser.add_argument("--slow", action="store_true", help="those in a browser and those that are slow")
    parser.add_argument("--never", action="store_true", help="print the lines that no test reaches")
    asked = parser.parse_intermixed_args()
    if asked.never:
        every = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "workbench").rglob("*.py"))
        print_never(Reached(asked.folder), asked.names or every)
    else:
        choice = "slow or browser" if asked.slow else "not slow and not browser"
        found = record(asked.folder.resolve(), asked.names, asked.jobs, choice)
        print(f"{len(found.breadth)} tests reach {len(found.tests)} statements")


if __name__ == "__main__":
    main()
