"""Imports point down only; every other rule about which module may know what stands here too."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "workbench"

LAYERS = [
    {"records", "errors", "hash_chain"},
    {"formats", "ranking"},
    {"measures", "pooling", "statistics", "reading", "charts"},
    {"campaign", "accounts", "instance"},
    {
        "ingest",
        "judging",
        "inviting",
        "assessing",
        "scoring",
        "evaluation",
        "export",
        "audit",
        "pool_making",
        "near_duplicates",
        "setting_up",
        "receiving",
        "progress",
        "datasette_files",
        "figures",
        "planning",
        "comparing",
        "agreeing",
        "norming",
        "assessor_profiles",
        "adjudicating",
        "assigning",
        "publishing",
        "run_profiles",
        "withdrawing",
        "labelling",
        "topic_profiles",
        "restoring",
        "rotating_backups",
    },
    {"cli", "web", "demo", "library", "__main__", "__init__"},
]
LEVEL = {unit: level for level, units in enumerate(LAYERS) for unit in units}
PURE, STAGES = LAYERS[2], LAYERS[4]

# Inside one layer: the command line is the door to everything, the package shows the library, and accounts.db is a file
# of the instance folder.
SIDEWAYS = {
    ("cli", "web"),
    ("cli", "demo"),
    ("__main__", "cli"),
    ("__init__", "library"),
    ("accounts", "instance"),
}

ONLY_IN = {
    "sqlite3": {"campaign", "accounts"},
    "sqlite_utils": {"campaign", "accounts"},
    "flask": {"web"},
    "flask_wtf": {"web"},
    "jinja2": {"web", "publishing"},
    "typst": {"publishing"},
    "click": {"cli", "__main__"},
    "rich": {"cli", "demo"},
    "bm25s": {"demo"},
    "datasketch": {"reading"},
    "altair": {"charts"},
    "apispec": {"web"},
    "apispec_webframeworks": {"web"},
    "vl_convert": {"charts"},
}

IMPURE_MODULES = {
    "os",
    "pathlib",
    "io",
    "shutil",
    "tempfile",
    "time",
    "socket",
    "subprocess",
    "secrets",
    "uuid",
}
IMPURE_CALLS = {
    "open",
    "input",
    "print",
    "datetime.now",
    "datetime.datetime.now",
    "datetime.utcnow",
    "date.today",
}
SEEDED = {"default_rng", "Generator", "SeedSequence", "BitGenerator", "PCG64", "Philox", "Random"}


class Import(NamedTuple):
    """One name that a module imports, as it would be written in full: `workbench.campaign.Campaign`."""

    line: int
    name: str


class Module(NamedTuple):
    """A module of the package: its path below the package, and what it says."""

    path: str
    tree: ast.Module

    @property
    def unit(self) -> str:
        return Path(self.path).parts[0].removesuffix(".py")


def imports(module: Module) -> Iterator[Import]:
    """Every import, also those inside functions and for the type checker alone."""
    package = ["workbench", *Path(module.path).parent.parts]
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            yield from (Import(node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            start = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*start, *([node.module] if node.module else [])])
            yield from (Import(node.lineno, f"{base}.{alias.name}") for alias in node.names)


def upward(module: Module) -> list[str]:
    """The imports of our own package that do not point down."""
    found = []
    for line, name in imports(module):
        parts = name.split(".")
        if parts[0] != "workbench" or parts[1] == module.unit or parts[1] not in LEVEL:
            continue
        pair = (module.unit, parts[1])
        allowed = LEVEL[pair[0]] > LEVEL[pair[1]] or set(pair) <= STAGES or pair in SIDEWAYS
        if not allowed:
            found.append(f"{module.path}:{line}: {pair[0]} must not import {pair[1]}")
    return found


def foreign(module: Module) -> list[str]:
    """The imports of libraries that belong to other units."""
    return [
        f"{module.path}:{line}: {name} belongs into {sorted(ONLY_IN[name.split('.')[0]])}"
        for line, name in imports(module)
        if module.unit not in ONLY_IN.get(name.split(".")[0], {module.unit})
    ]


def impure(module: Module) -> list[str]:
    """Input, output, clocks, and chance that nobody seeded."""
    imported = [
        f"{module.path}:{line}: a pure module imports {name}"
        for line, name in imports(module)
        if name.split(".")[0] in IMPURE_MODULES
    ]
    called = [
        f"{module.path}:{node.lineno}: a pure module calls {ast.unparse(node.func)}"
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call) and is_impure(node)
    ]
    return imported + called


def is_impure(call: ast.Call) -> bool:
    name = ast.unparse(call.func)
    owner, _, method = name.rpartition(".")
    if name in IMPURE_CALLS or (method == "default_rng" and not call.args and not call.keywords):
        return True
    return owner.split(".")[-1] == "random" and method not in SEEDED


def read(path: Path) -> Module:
    return Module(path.relative_to(PACKAGE).as_posix(), ast.parse(path.read_bytes()))


MODULES = [read(path) for path in sorted(PACKAGE.rglob("*.py"))]
each_module = pytest.mark.parametrize("module", MODULES, ids=[module.path for module in MODULES])


@each_module
def test_every_module_has_a_layer(module: Module) -> None:
    assert module.unit in LEVEL


@each_module
def test_imports_point_down(module: Module) -> None:
    assert upward(module) == []


@each_module
def test_libraries_stay_where_they_belong(module: Module) -> None:
    assert foreign(module) == []


@pytest.mark.parametrize(
    "module", [module for module in MODULES if module.unit in PURE], ids=lambda module: module.path
)
def test_pure_modules_know_no_files_no_clock_and_no_chance(module: Module) -> None:
    assert impure(module) == []


@each_module
def test_no_module_is_longer_than_400_lines(module: Module) -> None:
    assert len((PACKAGE / module.path).read_text(encoding="utf-8").splitlines()) <= 400


@each_module
def test_modules_are_named_by_what_they_do(module: Module) -> None:
    assert Path(module.path).stem not in {"util", "utils", "helpers", "misc", "common"}


@pytest.mark.parametrize(
    ("path", "statement"),
    [
        ("formats/runs.py", "from workbench.campaign import Campaign"),
        ("formats/runs.py", "from ..campaign.runs import add"),
        ("campaign/runs.py", "def f():\n    from workbench import judging"),
        ("measures/means.py", "import workbench.pooling.depth"),
        ("web/board.py", "from workbench.cli import main"),
        ("records.py", "from .errors import Problem"),
    ],
)
def test_an_import_that_does_not_point_down_is_found(path: str, statement: str) -> None:
    assert len(upward(Module(path, ast.parse(statement)))) == 1


@pytest.mark.parametrize(
    "statement",
    [
        "from pathlib import Path",
        "datetime.now(UTC)",
        "random.shuffle(pairs)",
        "np.random.rand(3)",
        "np.random.default_rng()",
        "open('runs.txt')",
    ],
)
def test_what_is_not_pure_is_found(statement: str) -> None:
    assert len(impure(Module("measures/means.py", ast.parse(statement)))) == 1


def test_chance_with_a_seed_is_pure() -> None:
    assert impure(Module("pooling/order.py", ast.parse("np.random.default_rng(seed).shuffle(pairs)"))) == []


def test_a_library_in_the_wrong_unit_is_found() -> None:
    assert len(foreign(Module("scoring/board.py", ast.parse("import sqlite3")))) == 1
