"""The wheel, built from the source archive, works where there is nothing but itself."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`build` without further options makes the source archive, and the wheel from that."""
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run([sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT], check=True)
    return next(folder.glob("*.whl"))


def outer_files() -> set[str]:
    return {
        f"workbench/{path.relative_to(ROOT).as_posix()}"
        for folder in ("templates", "static")
        for path in (ROOT / folder).rglob("*")
        if path.is_file()
    }


def test_the_wheel_holds_every_template_and_static_file(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert outer_files() <= names
    assert len(outer_files()) > 1


def test_the_wheel_holds_the_package_and_neither_tests_nor_campaigns(wheel: Path) -> None:
    tops = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert tops == {"workbench", "relevance_workbench-0.1.0.dist-info"}
