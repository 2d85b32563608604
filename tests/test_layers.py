"""The plan of the house: rooms and their parts import only what stands above them, and nothing in a circle."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "workbench"
SCRIPTS = PACKAGE.with_name("static")

# The rooms from the top to the bottom, and the parts of each, in the order in which they may know each other.
ROOMS = {
    "core": (
        "wording about battles impressions seed glossary errors extras findings file_permissions results values "
        "records model_answers natural_order normal_forms ranking atomic_files recently_used sizes parameters plugins "
        "registry run_costs"
    ),
    "jobs": "observing background cluster processes",
    "formats": (
        "text tables prompts row_entries row_forms scale zscores rank_column run_repairs run_metadata "
        "answers changed_ids battles runs run_tables run_costs qrels judged_records model_labels leaderboards "
        "pair_lists samples topics images documents people_lists impressions interleaved in_memory"
    ),
    "methods": "answers measures bounds pooling statistics online corrected battles pairing text costs charts",
    "storage": "instance prompt_cache campaign",
    "campaign": (
        "model_endpoints campaign_settings changing_settings new_campaign near_duplicates adaptive_pools questions "
        "nuggets run_codes submission_rules ingest model_labels asking_models battles pools searching sample_import "
        "content_changes deleting changing_scale submissions outcomes uploads rounds changed_ids working_time "
        "assessing guidelines training assessor_settings label_rules assigning"
    ),
    "people": "accounts members personal_data",
    "scoring": "answers evaluation board",
    "analysis": (
        "registry trust simulating comparing judges battles run_profiles topic_profiles reuse costs online figures "
        "between_assessors assessors adjudication norming pairs models dashboard"
    ),
    "release": (
        "names markdown archive campaign_summary check_page judges_page export beir judged_answers judged_records "
        "round_files tables reading latex audit team_sheets bundle archive_jobs backups webhooks"
    ),
    "web": (
        "requests access places accounts monitoring judging setup scoring analysis release agreement api pages app "
        "server"
    ),
    "cli": "",
}
# One file each: the package shows the library, `python -m workbench` the command line.
DOORS = {"__init__", "__main__", "client", "ir_measures_provider", "library", "plugins"}
PARTS = {room: parts.split() for room, parts in ROOMS.items()}
# A part that has parts of its own.
INNER_PARTS = {
    "storage.campaign": "file log organising collection assigning grades models counts people opening".split()
}

ONLY_IN = {
    "sqlite3": {"storage.campaign", "storage.prompt_cache", "people.accounts"},
    "sqlite_utils": {"storage", "people.accounts"},
    "flask": {"web"},
    "flask_wtf": {"web"},
    "flask_babel": {"web.requests"},
    "babel": {"web.requests"},
    "prometheus_client": {"web.monitoring"},
    "jinja2": {"web", "release"},
    "typst": {"release.team_sheets"},
    "click": {"cli", "__main__"},
    "rich": {"cli"},
    "bm25s": {"cli.demo"},
    "simplemma": {"methods.text"},
    "distributed": {"jobs.cluster"},
    "fsspec": {"formats.text"},
    "aiohttp": {"formats.text"},
    "ir_datasets": {"formats.text"},
    "pypdfium2": {"formats.documents"},
    "openai": {"campaign.asking_models"},
    "httpx2": {"campaign.asking_models"},
    "mcp": {"cli.assistants"},
    "mcp_types": {"cli.assistants"},
    "jsonschema": {"cli.assistants"},
    "anyio": {"cli.assistants"},
    "datasketch": {"methods.text"},
    "altair": {"methods.charts"},
    "apispec": {"web.api"},
    "apispec_webframeworks": {"web.api"},
    "vl_convert": {"methods.charts"},
    "zxcvbn": {"people.accounts"},
    "pyotp": {"people.accounts"},
    "authlib": {"web.access"},
    "joserfc": {"web.access"},
    "requests": {"web.access"},
    "segno": {"web.accounts"},
}
PURE = "methods"
IMPURE_MODULES = set("os pathlib io shutil tempfile time socket subprocess secrets uuid".split())
IMPURE_CALLS = set("open input print datetime.now datetime.datetime.now datetime.utcnow date.today".split())
SEEDED = {"default_rng", "Generator", "SeedSequence", "BitGenerator", "PCG64", "Philox", "Random"}


class Import(NamedTuple):
    """One name that a module imports, in full: `workbench.storage.campaign.Campaign`."""

    line: int
    name: str


class Module(NamedTuple):
    """A module of the package: its path below the package, and what it says."""

    path: str
    tree: ast.Module

    @property
    def name(self) -> str:
        """`storage.campaign.log`; a package is named as its folder."""
        return ".".join(Path(self.path).with_suffix("").parts).removesuffix(".__init__")

    @property
    def room(self) -> str:
        return self.name.partition(".")[0]


@cache
def imports(module: Module) -> list[Import]:
    """Every import, also those inside functions and for the type checker alone."""
    package = ["workbench", *Path(module.path).parent.parts]
    found = []
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            found += [Import(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            start = package[: len(package) - node.level + 1] if node.level else []
            base = ".".join([*start, *([node.module] if node.module else [])])
            found += [Import(node.lineno, f"{base}.{alias.name}") for alias in node.names]
    return found


def upward(module: Module) -> list[str]:
    """The imports of our own package that point to a later room, or to a later part of the same room."""
    return [
        f"{module.path}:{line}: {module.room} must not import {name}"
        for line, name in imports(module)
        if name.startswith("workbench.") and not may_import(module.name, name.removeprefix("workbench."))
    ]


def may_import(importer: str, imported: str) -> bool:
    here, there = importer.split("."), imported.split(".")
    if there[0] not in ROOMS or here[0] in DOORS:
        return there[0] not in DOORS or here[0] == "__init__"
    if here[0] != there[0]:
        rooms = list(ROOMS)
        return rooms.index(here[0]) > rooms.index(there[0])
    package = ".".join(here[:2])
    if (
        here[:2] != there[:2] or package not in INNER_PARTS or len(here) == 2
    ):  # a package may show what its parts have
        return in_order(PARTS[here[0]], here[1:], there[1:])
    return in_order(INNER_PARTS[package], here[2:], there[2:])


def in_order(parts: list[str], here: list[str], there: list[str]) -> bool:
    """Whether one module may import another one of the same package; both are named below it."""
    if not here or not there or there[0] not in parts:
        return not parts or bool(here)
    return parts.index(here[0]) >= parts.index(there[0])


def circles(modules: Iterable[Module]) -> list[list[str]]:
    """One circle of modules that import each other, at their tops or inside functions, or none."""
    names = {module.name for module in modules}
    graph = {module.name: imported_modules(module, names) - {module.name} for module in modules}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return [error.args[1]]
    return []


def imported_modules(module: Module, names: set[str]) -> set[str]:
    """The modules among `names` that a module imports: the longest that each import begins with."""
    found = set()
    for _, name in imports(module):
        wanted = name.removeprefix("workbench.")
        while wanted and wanted not in names:
            wanted = wanted.rpartition(".")[0]
        if wanted and name.startswith("workbench."):
            found.add(wanted)
    return found


def foreign(module: Module) -> list[str]:
    """The imports of libraries that belong to other parts."""
    return [
        f"{module.path}:{line}: {name} belongs into {sorted(ONLY_IN[name.split('.')[0]])}"
        for line, name in imports(module)
        if not any(
            f"{module.name}.".startswith(f"{place}.")
            for place in ONLY_IN.get(name.split(".")[0], {module.room})
        )
    ]


def impure(module: Module) -> list[str]:
    """Input, output, clocks, and chance without a seed."""
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


@pytest.fixture(scope="module")
def modules() -> list[Module]:
    return [read(path) for path in sorted(PACKAGE.rglob("*.py"))]


def entries(folder: Path) -> set[str]:
    return {path.stem for path in folder.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}


def test_every_part_of_a_room_has_its_place_in_the_order() -> None:
    assert entries(PACKAGE) == {*ROOMS, *DOORS}
    orders = {package: parts for package, parts in {**PARTS, **INNER_PARTS}.items() if parts}
    found: Mapping[str, set[str]] = {
        package: entries(PACKAGE / package.replace(".", "/")) - {"__init__"} for package in orders
    }
    assert found == {package: set(parts) for package, parts in orders.items()}


def test_every_room_says_what_belongs_in_it_and_what_to_read_first() -> None:
    says = {
        room: " ".join((ast.get_docstring(read(PACKAGE / room / "__init__.py").tree) or "").split())
        for room in ROOMS
    }
    assert [room for room, text in says.items() if "Read first:" not in text or "import" not in text] == []


def test_imports_point_to_what_stands_above(modules: list[Module]) -> None:
    assert [found for module in modules for found in upward(module)] == []


def test_no_modules_import_each_other_in_a_circle(modules: list[Module]) -> None:
    assert circles(modules) == []


def test_libraries_stay_where_they_belong(modules: list[Module]) -> None:
    assert [found for module in modules for found in foreign(module)] == []


def test_pure_modules_know_no_files_no_clock_and_no_chance(modules: list[Module]) -> None:
    pure = [module for module in modules if module.room == PURE]
    assert pure
    assert [found for module in pure for found in impure(module)] == []


def test_no_module_is_longer_than_400_lines() -> None:
    modules = [*PACKAGE.rglob("*.py"), *PACKAGE.rglob("*.[ch]"), *SCRIPTS.rglob("*.js")]
    lengths = {str(path): len(path.read_bytes().splitlines()) for path in modules}
    assert {path: lines for path, lines in lengths.items() if lines > 400} == {}
    assert {Path(path).suffix for path in lengths} == {".py", ".c", ".h", ".js"}


def test_modules_are_named_by_what_they_do(modules: list[Module]) -> None:
    says_nothing = {"util", "utils", "helpers", "misc", "common"}
    assert [module.path for module in modules if Path(module.path).stem in says_nothing] == []


@pytest.mark.parametrize(
    ("path", "statement"),
    [
        ("formats/runs.py", "from workbench.storage.campaign import Campaign"),
        ("formats/runs.py", "from ..storage.campaign.collection.runs import add"),
        ("formats/text/files.py", "from workbench.formats.runs import read_run"),
        ("storage/campaign/collection/runs.py", "def f():\n    from workbench import campaign"),
        ("storage/campaign/file/schema.py", "from workbench.storage.campaign.log import log"),
        ("methods/measures/means.py", "import workbench.methods.pooling.strategies.depth"),
        ("web/scoring/board.py", "from workbench.cli import main"),
        ("core/errors.py", "from .records import Grade"),
        ("core/__init__.py", "from workbench.core.errors import Problem"),
        ("scoring/board/table.py", "from workbench.library import evaluate"),
    ],
)
def test_an_import_that_does_not_point_up_is_found(path: str, statement: str) -> None:
    assert len(upward(Module(path, ast.parse(statement)))) == 1


def test_a_circle_is_found_even_inside_a_function() -> None:
    one = Module("scoring/one.py", ast.parse("from workbench.scoring import two"))
    two = Module("scoring/two.py", ast.parse("def f():\n    from workbench.scoring.one import g"))
    assert [sorted(set(circle)) for circle in circles([one, two])] == [["scoring.one", "scoring.two"]]
    assert circles([one]) == []


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("from pathlib import Path", 1),
        ("datetime.now(UTC)", 1),
        ("random.shuffle(pairs)", 1),
        ("np.random.rand(3)", 1),
        ("np.random.default_rng()", 1),
        ("open('runs.txt')", 1),
        ("np.random.default_rng(seed).shuffle(pairs)", 0),
    ],
)
def test_what_is_not_pure_is_found(statement: str, found: int) -> None:
    assert len(impure(Module("methods/measures/means.py", ast.parse(statement)))) == found
    assert len(foreign(Module("scoring/board/live.py", ast.parse("import sqlite3")))) == 1
