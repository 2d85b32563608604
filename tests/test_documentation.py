"""What the documents say is so. That every public name has a docstring is ruff's work (rules D100 to D104)."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = [
    ROOT / "README.md",
    ROOT / "CHANGELOG.md",
    ROOT / "instance" / "README.md",
    *sorted(ROOT.glob("docs/*.md")),
]
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
    text = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    explained = re.findall(r"^\| ([a-z0-9_.-]+) \|", text, re.MULTILINE)
    assert set(explained) - {"package"} == required()


def test_every_dependency_is_pinned() -> None:
    names = {package_name(line).replace("_", "-") for line in pinned()}
    assert required() - names == set()


@pytest.mark.parametrize("line", pinned())
def test_a_pin_names_a_package_and_a_version_and_no_place(line: str) -> None:
    assert re.fullmatch(r"[A-Za-z0-9_.-]+==[A-Za-z0-9_.+!-]+", line)


def test_the_changelog_says_what_is_new_and_which_numbers_changed() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.findall(r"^## (.+)", text, re.MULTILINE)[0] == "Unreleased"
    assert "### Scores" in text


@each_page
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\(([^)\s#]+)[^)]*\)", page.read_text(encoding="utf-8"))
    inside = [target for target in targets if "://" not in target]
    assert [target for target in inside if not (page.parent / target).exists()] == []
