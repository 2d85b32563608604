"""The wheel, built from the source archive, works where there is nothing but itself."""

from __future__ import annotations

import re
import subprocess
import sys
import urllib.request
import zipfile
from collections.abc import Iterator
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
    assert outer_files() | {"workbench/py.typed"} <= names
    assert len(outer_files()) > 1
    assert {name.split("/")[0] for name in names} == {"workbench", "relevance_workbench-0.1.0.dist-info"}


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of a new environment that holds the wheel and what it asks for."""
    folder = tmp_path_factory.mktemp("installed") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    pip = [sys.executable, "-m", "pip", "--python", folder / "bin" / "python", "install"]
    pip += "--quiet --no-compile --disable-pip-version-check".split()
    subprocess.run([*pip, "-c", ROOT / "constraints.txt", wheel], check=True)
    return folder / "bin"


@pytest.fixture
def served(installed: Path, tmp_path: Path) -> Iterator[str]:
    """The address of a server that was started in an empty folder."""
    command = [installed / "workbench", "serve", "--port", "0", "--no-open"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        greeting = server.stdout.readline()
        yield greeting.split()[-1]
        server.terminate()


def test_the_installed_package_serves_a_page_and_its_static_files(served: str) -> None:
    with urllib.request.urlopen(served) as answer:
        page = answer.read().decode()
    assert "<html" in page
    files = re.findall(r"/static/[^\"?]+", page)
    assert files
    for file in files:
        with urllib.request.urlopen(served.rstrip("/") + file) as answer:
            assert answer.status == 200
