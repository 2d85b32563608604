"""What the documents say is so. That every public name has a docstring is ruff's work (rules D100 to D104)."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from workbench.campaign.questions import USUAL
from workbench.cli import main
from workbench.cli.main import SHORT
from workbench.core.about import ANSWER_PAIRS
from workbench.storage.campaign.organising.settings import Settings
from workbench.web.judging.keys import preferences_of
from workbench.web.judging.pair_view import by_sides

TEXTS = (".py", ".html", ".md", ".js", ".service")
ROOT = Path(__file__).resolve().parent.parent
PAGES = [
    ROOT / "README.md",
    ROOT / "CHANGELOG.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "SECURITY.md",
    ROOT / "instance" / "README.md",
    ROOT / "benchmarks" / "RESULTS.md",
    *sorted(ROOT.glob("docs/**/*.md")),
]
MADE_IN_A_COPY = ROOT / "docs" / "build" / "extending.md"  # by test_extending.py
each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())


def package_name(requirement: str) -> str:
    return re.split(r"[^A-Za-z0-9_.-]", requirement)[0].lower()


def required() -> set[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lists = [project["dependencies"], *project["optional-dependencies"].values()]
    return {package_name(requirement) for requirements in lists for requirement in requirements}


def pinned() -> list[str]:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if not line.startswith("#")]


def test_every_dependency_is_explained_and_nothing_else() -> None:
    text = (ROOT / "docs" / "build" / "dependencies.md").read_text(encoding="utf-8")
    explained = re.findall(r"^\| ([@a-z0-9_./-]+) \|", text, re.MULTILINE)
    of_scripts = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))["devDependencies"]
    assert set(explained) - {"package"} == required() | set(of_scripts)


def test_every_dependency_is_pinned() -> None:
    names = {package_name(line).replace("_", "-") for line in pinned()}
    assert required() - names == set()


@pytest.mark.parametrize("line", pinned())
def test_a_pin_names_a_package_and_a_version_and_no_place(line: str) -> None:
    assert re.fullmatch(r"[a-z0-9-]+==[A-Za-z0-9_.+!-]+( ; [a-zA-Z_'0-9=!<>.()* ]+)?", line)


def test_the_changelog_has_releases_alone_and_begins_with_the_first() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    *later, first = re.findall(r"^## (.+)", text, re.MULTILINE)
    assert first == "1.0.0"
    assert [title for title in later if not re.fullmatch(r"Unreleased|\d+\.\d+\.\d+", title)] == []


@each_page
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\(([^)\s#]+)[^)]*\)", page.read_text(encoding="utf-8"))
    inside = [target for target in targets if "://" not in target]
    assert [target for target in inside if not (page.parent / target).exists()] == []


@each_page
def test_files_that_pages_name_exist(page: Path) -> None:
    folders = "workbench|tests|benchmarks|static|templates|deploy|docs"
    named = re.findall(rf"`((?:{folders})/[\w/.-]+\.\w+)`", page.read_text(encoding="utf-8"))
    assert page == MADE_IN_A_COPY or [name for name in named if not (ROOT / name).exists()] == []


def shown_commands(text: str) -> list[str]:
    """The lines of a page's code blocks that run `workbench` or `make`, without prompts and comments."""
    blocks = re.findall(r"^```(?:sh|console|shell|bash)?\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    lines = [
        line.strip().removeprefix("$ ")
        for block in blocks
        for line in block.replace("\\\n", " ").splitlines()
    ]
    return [line for line in lines if re.match(r"(\.venv/bin/)?workbench |make ", line)]


def commands(group: click.Command, name: str = "workbench") -> Iterator[tuple[str, click.Command]]:
    """Every command with its full name, groups before what is in them."""
    yield name, group
    if isinstance(group, click.Group):
        for inner, command in group.commands.items():
            yield from commands(command, f"{name} {inner}")


def not_understood(line: str) -> list[str]:
    """The words of a command line that the command does not know: sub-commands, options, make's targets."""
    program, *words = shlex.split(line, comments=True)
    if program == "make":
        targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
        return [word for word in words if "=" not in word and word not in targets]
    command: click.Command = main
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        found = command.get_command(click.Context(command), words[0])
        if found is None:
            return words[:1]
        command, words = found, words[1:]
    known = {"--help", "-h", "--version", *(name for option in command.params for name in option.opts)}
    known |= {name for option in command.params for name in option.secondary_opts}
    return [word for word in words if re.match(r"--?[A-Za-z]", word) and word.split("=")[0] not in known]


ALL_COMMANDS = dict(commands(main))
each_command = pytest.mark.parametrize("name", ALL_COMMANDS)


@each_page
def test_commands_on_pages_exist_with_their_options(page: Path) -> None:
    lines = shown_commands(page.read_text(encoding="utf-8"))
    assert [(line, wrong) for line in lines if (wrong := not_understood(line))] == []
    assert not_understood("workbench ad runs robust x.run") == ["ad"], "what does not exist is found"
    assert not_understood("workbench pool robust --dept 10") == ["--dept"]


@each_command
def test_every_command_shows_an_example_that_it_understands(name: str) -> None:
    _, _, example = (ALL_COMMANDS[name].help or "").partition("Example")
    lines = [line.strip() for line in example.splitlines() if line.strip().startswith("workbench ")]
    assert lines
    assert [(line, wrong) for line in lines if (wrong := not_understood(line))] == []


@each_command
def test_every_option_says_what_it_does(name: str) -> None:
    options = [param for param in ALL_COMMANDS[name].params if isinstance(param, click.Option)]
    assert [option.name for option in options if not option.help] == []


def lacking(line: str) -> list[str]:
    """The options that a command line would need and does not have."""
    _, *words = shlex.split(line, comments=True)
    command: click.Command = main
    while isinstance(command, click.Group) and words:
        command = command.get_command(click.Context(command), words.pop(0)) or command
    needed = [param for param in command.params if isinstance(param, click.Option) and param.required]
    return [option.opts[0] for option in needed if not set(option.opts) & set(words)]


def test_commands_that_pages_tell_are_understood_and_complete() -> None:
    texts = {file: file.read_text(encoding="utf-8") for file in sorted((ROOT / "templates").rglob("*.html"))}
    unquoted = r"workbench [^<{]*\{\{ (?:name|campaign\.name|viewer) \}\}"
    assert [file.name for file, text in texts.items() if re.search(unquoted, text)] == []
    plain = {file: re.sub(r"\{\{.*?\}\}|\{%.*?%\}", "x", text) for file, text in texts.items()}
    lines = [
        (file.name, line)
        for file, text in plain.items()
        for line in re.findall(r"(?<=>)workbench [^<\n]+|^workbench [^<\n]+", text, re.MULTILINE)
    ]
    assert len(lines) > 20
    assert [found for found in lines if not_understood(found[1]) or lacking(found[1])] == []


def test_the_page_on_judging_has_every_key_with_what_it_does() -> None:
    text = (ROOT / "docs" / "use" / "judging.md").read_text(encoding="utf-8")
    arrows = {"ArrowRight": "→", "ArrowLeft": "←"}
    labels = by_sides(Settings("", about=ANSWER_PAIRS, grades=USUAL[ANSWER_PAIRS].grades)).grades
    rows = [
        f"| {' '.join(f'`{arrows.get(key, key)}`' for key in action.keys)} | {action.label} |"
        for action in preferences_of(labels)
        if action.keys
    ]
    assert [row for row in rows if row not in text] == []


def test_texts_name_commands_with_their_groups() -> None:
    """In short they are understood, and found in no help. After an article it is the program that does something."""
    short = re.compile(rf"(?<![Tt]he )(?<![Aa] )(?<!:)\bworkbench ({'|'.join(SHORT)})(?![\w-])")
    folders = ("workbench", "templates", "docs", "static", "deploy")
    files = [path for folder in folders for path in (ROOT / folder).rglob("*") if path.suffix in TEXTS]
    found = {
        str(path): short.findall(path.read_text(encoding="utf-8")) for path in [*files, ROOT / "README.md"]
    }
    assert {path: names for path, names in found.items() if names} == {}
