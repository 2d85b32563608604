"""A release is made of what is committed, says one version everywhere, and its files are what they are said to be."""

from __future__ import annotations

import hashlib
import importlib.util
import re
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml

from tests.conftest import ROOT

SPEC = importlib.util.spec_from_file_location("release_script", ROOT / "deploy" / "release.py")
assert SPEC is not None
assert SPEC.loader is not None
release = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(release)
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def test_the_citation_has_the_version_and_the_licence_of_the_project() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert {"cff-version", "message", "title", "authors"} <= set(cited)
    assert (cited["version"], cited["license"]) == (
        PROJECT["project"]["version"],
        PROJECT["project"]["license"],
    )


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout of version 1.2.3 with three commits, the first with the tag v1.2.2."""
    files = {
        "pyproject.toml": '[project]\nversion = "1.2.3"\n',
        "workbench/__init__.py": '__version__ = "1.2.3"\n',
        "CITATION.cff": "version: 1.2.3\n",
        "CHANGELOG.md": "# Changelog\n\n## 1.2.3\n\n- Ties are broken.\n\n## 1.2.2\n\n- Older.\n",
    }
    git("init", "--quiet", ".", folder=tmp_path)
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    for subject in ("web: first", "web: pages are quick", "core: ties are broken"):
        git("add", ".", folder=tmp_path)
        git("commit", "--quiet", "--allow-empty", "-m", subject, folder=tmp_path)
        if subject == "web: first":
            git("tag", "v1.2.2", folder=tmp_path)
    monkeypatch.setattr(release, "ROOT", tmp_path)
    return tmp_path


def git(*words: str, folder: Path) -> None:
    who = ["-c", "user.name=Anna", "-c", "user.email=anna@example.org"]
    subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)


def test_what_is_not_committed_or_says_another_version_is_not_released(checkout: Path) -> None:
    assert list(release.faults_of("1.2.3")) == []
    (checkout / "CITATION.cff").write_text("version: 1.2.2\n")
    git("tag", "v1.2.3", folder=checkout)
    named = [fault.partition(": ")[0] for fault in release.faults_of("1.2.3")]
    assert named == ["CITATION.cff", "CITATION.cff", "v1.2.3"]
    assert [fault.partition(": ")[0] for fault in release.faults_of("1.3.0")][2] == "CHANGELOG.md"


def test_notes_have_the_part_of_the_changelog_and_the_commits_since_the_last_tag(checkout: Path) -> None:
    text = release.notes("1.2.3")
    assert re.findall(r"^- (.+)", text, re.MULTILINE) == [
        "Ties are broken.",
        "core: ties are broken",
        "web: pages are quick",
    ]
    git("tag", "-d", "v1.2.2", folder=checkout)
    assert re.findall(r"^- (.+)", release.notes("1.2.3"), re.MULTILINE) == ["Ties are broken."]


def test_the_recipe_for_conda_has_every_package_that_the_program_needs(tmp_path: Path) -> None:
    archive = tmp_path / "relevance_workbench-0.1.0.tar.gz"
    archive.write_bytes(b"the source")
    made = yaml.safe_load(release.recipe(PROJECT, archive))
    run = made["requirements"]["run"]
    names = [(each["then"] if isinstance(each, dict) else each).split()[0] for each in run]
    wanted = [re.match(r"[\w-]+", each)[0] for each in PROJECT["project"]["dependencies"]]  # type: ignore[index]
    names.remove("pyyaml")  # what apispec[yaml] brings
    assert names == ["python", *(release.OTHER_NAMES.get(name, name) for name in wanted)]
    assert {"if": "win", "then": "tzdata >=2026.1"} in run
    assert {"if": 'match(python, "<3.14")', "then": "backports.zstd >=1.8,<2"} in run
    assert made["source"]["sha256"] == hashlib.sha256(b"the source").hexdigest()
    assert made["build"]["python"]["entry_points"][0].startswith("relevance-workbench = ")


def test_checksums_are_those_that_the_usual_program_checks(tmp_path: Path) -> None:
    for name in ("b.whl", "a.tar.gz"):
        (tmp_path / name).write_text(name)
    (tmp_path / "SHA256SUMS").write_text(release.checksums(tmp_path))
    assert (tmp_path / "SHA256SUMS").read_text().split()[1::2] == ["a.tar.gz", "b.whl"]
    checked = subprocess.run(["sha256sum", "--check", "SHA256SUMS"], cwd=tmp_path, capture_output=True)
    assert checked.returncode == 0
