"""Pages made from the code say what the code says now, and what pages show in Python runs as it stands."""

from __future__ import annotations

import ast
import re
import runpy
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from inspect import cleandoc
from pathlib import Path
from types import ModuleType

import click
import ir_measures
import pytest
import pytrec_eval

from tests.fixture_types import JudgeAs
from tests.log_rows import NOTE
from tests.sentences import says
from workbench.cli import main
from workbench.methods.measures import MEASURES, Measure
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.log import log
from workbench.storage.campaign.log.kinds import KINDS

ROOT = Path(__file__).resolve().parent.parent
MADE_IN_A_COPY = ROOT / "docs" / "build" / "extending.md"  # by test_extending.py
PAGES = [ROOT / "README.md", *sorted(set(ROOT.glob("docs/**/*.md")) - {MADE_IN_A_COPY})]
PYTHON = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
LIMIT = 180
ELSEWHERE: dict[str, dict[str, str]] = runpy.run_path(str(ROOT / "docs" / "names_elsewhere.py"))["ELSEWHERE"]


def python_blocks() -> list[tuple[str, str]]:
    """Every block of Python on any page, with a name for it."""
    return [
        (f"{page.name}-{number}", block)
        for page in PAGES
        for number, block in enumerate(PYTHON.findall(page.read_text(encoding="utf-8")), start=1)
    ]


BLOCKS = dict(python_blocks())
CHAIN, UNPACKING = "campaign-file.md-1", "campaign-file.md-2"


@pytest.fixture
def folder(small_file: Path, tmp_path: Path, judging_as: JudgeAs) -> Path:
    """A folder with nothing in it but campaign.db: two runs, a pool, and a change of mind."""
    path = tmp_path / "campaign.db"
    shutil.copyfile(small_file, path)
    with open_campaign(path) as campaign:
        judging_as(campaign, "anna", "1", "d1", 2)
        judging_as(campaign, "anna", "1", "d1", 0)
        judging_as(campaign, "ben", "2", "d5", 1, comment="naïve")
    return tmp_path


def run_block(block: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a block as a reader would, who has Python and no workbench in the folder; warnings are errors, but for those
    of what a reader's Python runs by itself before it.
    """
    return subprocess.run(
        [sys.executable, "-c", f"import warnings\nwarnings.simplefilter('error')\n{block}"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
    )


@pytest.fixture(scope="module")
def made_pages() -> dict[Path, str]:
    """Every page that is made from the code, with the text it should have."""
    cli = ROOT / "docs" / "use" / "cli.md"
    commands = runpy.run_path(str(ROOT / "docs" / "make_cli.py"))["page"](cli.read_text(encoding="utf-8"))
    drawn = ROOT / "docs" / "use" / "figures.md"
    figures = runpy.run_path(str(ROOT / "docs" / "make_figures.py"))["page"](
        drawn.read_text(encoding="utf-8")
    )
    measures: dict[Path, str] = runpy.run_path(str(ROOT / "docs" / "make_measures.py"))["pages"]()
    glossary = runpy.run_path(str(ROOT / "docs" / "make_glossary.py"))
    events = runpy.run_path(str(ROOT / "docs" / "make_events.py"))
    addresses = runpy.run_path(str(ROOT / "docs" / "make_addresses.py"))
    rooms = runpy.run_path(str(ROOT / "docs" / "make_architecture.py"))
    notebook = runpy.run_path(str(ROOT / "docs" / "make_notebook.py"))["made"]()
    return {
        ROOT / "docs" / "use" / "campaign.ipynb": notebook,
        cli: commands,
        drawn: figures,
        **rooms["pictures"](),
        rooms["PAGE"]: rooms["page"](rooms["PAGE"].read_text(encoding="utf-8")),
        glossary["PAGE"]: glossary["page"](),
        addresses["PAGE"]: addresses["page"](addresses["PAGE"].read_text(encoding="utf-8")),
        events["PAGE"]: events["page"](kind for kind in KINDS.values() if kind != NOTE),
        **measures,
    }


def test_the_pages_made_from_the_code_are_in_step_with_it(made_pages: dict[Path, str]) -> None:
    differing = [page for page, text in made_pages.items() if page.read_text(encoding="utf-8") != text]
    assert differing == [], "out of step; make them again: make pages"


def all_commands(context: click.Context) -> Iterator[click.Context]:
    yield context
    if isinstance(context.command, click.Group):
        for name, command in context.command.commands.items():
            yield from all_commands(click.Context(command, info_name=name, parent=context, terminal_width=60))


COMMANDS = list(all_commands(click.Context(main, info_name="workbench", terminal_width=60)))


@pytest.mark.parametrize("context", COMMANDS, ids=lambda context: context.command_path)
def test_examples_are_shown_line_by_line_on_a_narrow_terminal(context: click.Context) -> None:
    _, _, example = cleandoc(context.command.help or "").partition("\b\nExample:\n")
    lines = [line.strip() for line in example.splitlines() if line.strip()]
    shown = [line.strip() for line in context.get_help().splitlines()]
    assert lines
    assert [line for line in lines if line not in shown] == []


@pytest.mark.parametrize("entry", MEASURES.values(), ids=MEASURES.keys())
def test_every_measure_has_an_entry_with_its_source_and_formula(entry: Measure) -> None:
    page = (ROOT / "docs" / "use" / "measures" / f"{entry.family}.md").read_text(encoding="utf-8")
    assert entry.formula and entry.source
    if (
        entry.of_answers
    ):  # there the names of one function are one entry, and estimates of all measures another
        estimated = entry.name.removeprefix("stat_").removesuffix("_variance")
        assert re.search(rf"\b{estimated}\b", page)
        assert estimated == entry.name or "\n### stat_NAME" in page
        return
    _, _, after = page.partition(f"\n### {entry.name}\n")
    assert re.search(r"^\| source \| \S", after.partition("\n### ")[0], re.MULTILINE)
    assert f"\n```text\n{entry.formula}\n```\n" in after


def names_in(tool: str) -> list[str]:
    """What a tool is said to call measures, with 10 for every cutoff k."""
    told = [names[tool] for names in ELSEWHERE.values() if tool in names]
    texts = [text for line in told for text in re.findall(r"`([^`]+)`", line)]
    parameters = re.compile(r"rel|\w+=.*")
    return [re.sub(r"(?<=[@_])k$", "10", text) for text in texts if not parameters.fullmatch(text)]


@pytest.mark.filterwarnings("ignore::DeprecationWarning:ir_measures.*")  # from Python 3.12 on
def test_names_in_ir_measures_are_understood_there() -> None:
    names = names_in("ir-measures")
    assert len(names) > 30
    assert [str(ir_measures.parse_measure(name)) for name in names]


def test_names_in_pytrec_eval_are_known_there() -> None:
    families = sorted(pytrec_eval.supported_measures, key=len)
    unknown = [name for name in names_in("pytrec_eval") if not any(map(name.startswith, families))]
    assert unknown == []


@pytest.mark.slow
@pytest.mark.parametrize("name", BLOCKS)
def test_python_on_a_page_runs_as_it_stands(name: str, folder: Path) -> None:
    done = run_block(BLOCKS[name], folder)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_shown_chain_ends_at_the_head_of_the_log(folder: Path) -> None:
    with open_campaign(folder / "campaign.db") as campaign:
        head = log.head(campaign)
    done = run_block(BLOCKS[CHAIN], folder)
    assert done.stdout == f"{head.seq} rows hold; head {head.hash.hex()[:16]}\n"


def test_the_shown_chain_finds_a_changed_grade(folder: Path) -> None:
    campaign = sqlite3.connect(folder / "campaign.db")
    for (trigger,) in campaign.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
        campaign.execute(f'DROP TRIGGER "{trigger}"')
    campaign.execute(
        "UPDATE judgment SET grade = 1 WHERE assessor IN (SELECT id FROM person WHERE name = 'anna') AND grade = 2"
    )
    campaign.commit()
    campaign.close()
    done = run_block(BLOCKS[CHAIN], folder)
    assert done.returncode == 1
    assert says(done.stderr)


def test_the_shown_unpacking_gives_a_ranking_as_it_was_submitted(folder: Path) -> None:
    done = run_block(BLOCKS[UNPACKING], folder)
    assert done.stdout.splitlines() == ["1 d1 1 100.0", "1 d2 2 99.0", "1 d3 3 98.0"]


SCRIPTS = [
    path for folder in ("benchmarks", "deploy", "docs") for path in sorted((ROOT / folder).rglob("*.py"))
]


OF_OTHER_GROUPS = {
    "gevent",
    "locust",
    "psutil",
    "ranx",
    "requests",
}  # groups of pyproject.toml that not all tests have


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_what_scripts_beside_the_package_take_from_it_is_there(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    modules: dict[str, ModuleType] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            name = node.module or ""
            room = name.partition(".")[0]
            if room != "workbench":
                assert (
                    (path.with_name(f"{room}.py")).exists() or room in OF_OTHER_GROUPS or find_spec(room)
                ), name
                continue
            for each in node.names:
                found = getattr(import_module(name), each.name, None)
                found = import_module(f"{name}.{each.name}") if found is None else found
                if isinstance(found, ModuleType):
                    modules[each.asname or each.name] = found
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in modules:
            assert hasattr(modules[node.value.id], node.attr), f"{node.value.id}.{node.attr}"
