"""The environment of the container image, made as `deploy/Containerfile` makes it: smaller, and still whole.

Only what is imported is compiled here, when it is.
"""

from __future__ import annotations

import importlib.metadata
import json
import re
import shlex
import shutil
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import yaml

from tests.conftest import ROOT, skip_or_fail, write_run

pytestmark = pytest.mark.slow

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the pinned packages and the workbench, after `deploy/slim`."""
    if shutil.which("strip") is None:
        skip_or_fail("strip is not installed (binutils)")
    folder = tmp_path_factory.mktemp("slim") / "workbench"
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    options = "-m pip --quiet --disable-pip-version-check install --no-compile".split()
    pip: list[str | Path] = [folder / "bin" / "python", *options]
    pins = re.findall(r"-r (pins/\w+\.txt)", (ROOT / "deploy" / "Containerfile").read_text())
    assert pins[0] == "pins/run.txt"
    requirements = [word for pin in pins for word in ("-r", ROOT / pin)]
    subprocess.run([*pip, "--require-hashes", "--no-deps", *requirements], check=True)
    subprocess.run([*pip, "--no-deps", "--no-build-isolation", ROOT], check=True)
    subprocess.run([ROOT / "deploy" / "slim", folder], check=True)
    return folder


@pytest.fixture
def run(environment: Path, small_file: Path, tmp_path: Path) -> Run:
    """Run a command of the workbench in a folder whose instance holds the campaign `small`; standard output is text."""
    (tmp_path / "instance").mkdir()
    shutil.copyfile(small_file, tmp_path / "instance" / "small.db")

    def done(*words: str) -> subprocess.CompletedProcess[str]:
        program = environment / "bin" / "workbench"
        return subprocess.run([program, *words], cwd=tmp_path, capture_output=True, text=True, check=True)

    return done


def python(environment: Path, code: str) -> str:
    done = subprocess.run(
        [environment / "bin" / "python", "-W", "error", "-c", code],
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def test_what_only_building_debugging_and_testing_need_is_gone(environment: Path) -> None:
    installed = json.loads(
        python(
            environment,
            "import importlib.metadata as m, json; print(json.dumps([d.name for d in m.distributions()]))",
        )
    )
    assert "relevance-workbench" in installed
    assert not {"pip", "setuptools", "hatchling", "trove-classifiers"} & set(installed)
    (packages,) = environment.glob("lib/python3*/site-packages")
    assert not [path for path in packages.rglob("tests") if path.is_dir()]
    assert [path.stem for path in packages.rglob("*.plzma")] == ["de"]
    for library in ("polars-runtime-32", "typst"):
        assert unpacked(packages, library) < 0.9 * shipped(library)


def objects(library: str) -> list[str]:
    files = importlib.metadata.files(library)
    assert files
    return [str(file) for file in files if str(file).endswith(".so")]


def shipped(library: str) -> int:
    """Bytes of a library's compiled files, as installed for these tests."""
    base = importlib.metadata.distribution(library)
    return sum(Path(str(base.locate_file(name))).stat().st_size for name in objects(library))


def unpacked(packages: Path, library: str) -> int:
    return sum((packages / name).stat().st_size for name in objects(library))


def test_every_library_that_is_left_can_be_imported(environment: Path) -> None:
    code = """
import importlib, importlib.metadata as metadata
modules = {name for name, of in metadata.packages_distributions().items() if name[0] != "_" and "." not in name}
for name in sorted(modules): importlib.import_module(name)
from scipy import integrate, interpolate, linalg, optimize, sparse, special, stats
import numpy
assert numpy.allclose(numpy.linalg.inv(numpy.eye(3) * 2), numpy.eye(3) / 2)
print(len(modules))
"""
    assert int(python(environment, code)) > 40


def test_it_evaluates_as_the_whole_environment_does(run: Run, tmp_path: Path) -> None:
    (tmp_path / "qrels.txt").write_text("1 0 d1 2\n1 0 d2 0\n1 0 d4 1\n2 0 d5 1\n")
    write_run(tmp_path / "alpha.run", "alpha", {"1": "d1 d2 d4", "2": "d2 d5"})
    words = ["eval", "-q", "-m", "all_trec", "qrels.txt", "alpha.run"]
    whole = subprocess.run(
        [sys.executable, "-m", "workbench", *words], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert run(*words).stdout == whole.stdout
    assert "map                   \tall" in whole.stdout


def test_it_draws_compares_typesets_and_takes_words_apart(
    run: Run, environment: Path, tmp_path: Path
) -> None:
    for suffix, beginning in (("svg", b"<svg"), ("pdf", b"%PDF"), ("png", b"\x89PNG")):
        run("plot", "small", "topic-map", "topic=1", "-o", f"map.{suffix}")
        assert (tmp_path / f"map.{suffix}").read_bytes().startswith(beginning)
    assert "beta" in run("compare", "small", "alpha", "beta", "-m", "P@5").stdout
    run("report", "small", "-o", "sheets")
    sheets = list((tmp_path / "sheets").iterdir())
    assert sheets
    assert all(sheet.read_bytes().startswith(b"%PDF") for sheet in sheets)
    run("bundle", "small", "--runs", "-o", "small.zip")
    run("import-bundle", "again", "small.zip")
    code = "from workbench.methods.text.relatives import parts; print(*parts('bundestagswahl'))"
    assert python(environment, code) == "bundestags wahl"


@pytest.fixture
def served(environment: Path, run: Run, tmp_path: Path) -> Iterator[str]:
    """The address of a server that the environment started."""
    command: list[str | Path] = [environment / "bin" / "workbench", "serve", "--port", "0", "--no-open"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        yield server.stdout.readline().split()[-1]
        server.terminate()


def test_it_serves_and_the_containers_health_check_is_content(environment: Path, served: str) -> None:
    with urllib.request.urlopen(served) as answer:
        assert "<html" in answer.read().decode()
    with urllib.request.urlopen(f"{served}health/ready") as answer:  # the campaign can be judged
        assert answer.status == 200
    command = healthcheck()
    assert "http://127.0.0.1:5000/health" in command[-1]
    checked = command[-1].replace("http://127.0.0.1:5000", served.rstrip("/"))
    assert python(environment, checked) == ""


def healthcheck() -> list[str]:
    """The command that asks whether the container is well, as its file has it."""
    text = (ROOT / "deploy" / "Containerfile").read_text().replace("\\\n", " ")
    (line,) = [line for line in text.splitlines() if line.startswith("HEALTHCHECK")]
    words: list[str] = yaml.safe_load(line[line.index(" CMD ") + 5 :])
    assert shlex.join(words).startswith("python3 -c ")
    return words
