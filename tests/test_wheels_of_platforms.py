"""Wheels for platforms other than this one are what they say, and one that is not is never kept."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path
from types import ModuleType

import pytest
from packaging.tags import platform_tags

from tests.at_length import AT_LENGTH
from tests.conftest import ROOT, skip_or_fail

SCRIPT, HOOK = ROOT / "deploy" / "wheels.py", ROOT / "deploy" / "compile_lines.py"
LIBRARY = "workbench/scoring/evaluation/lines-50c049be.shared"


def loaded(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


WHEELS = loaded(SCRIPT)
TARGETS = WHEELS.TARGETS


@pytest.mark.parametrize("name", [name for name in TARGETS if name != "any"])
def test_each_target_is_compiled_for_the_machine_and_the_system_in_its_tag(name: str) -> None:
    assert len({target.platforms for target in TARGETS.values()}) == len(TARGETS), "no two have the same tag"
    target = TARGETS[name]
    machines = {"x86_64": ("_x86_64", "_amd64"), "aarch64": ("_aarch64", "_arm64")}
    systems = {
        WHEELS.GLIBC: ("manylinux_2_17_", "manylinux2014_"),
        WHEELS.MUSL: ("musllinux_1_2_",),
        WHEELS.MACOS: ("macosx_11_0_",),
        WHEELS.WINDOWS: ("win_",),
    }
    for platform in target.platforms.split("."):
        assert platform.endswith(machines[target.machine])
        assert platform.startswith(systems[target.system])


@pytest.mark.parametrize(
    ("target", "platforms", "libraries", "faults"),
    [
        # What is left where the compiler fails.
        (
            "linux-x86_64",
            "any",
            0,
            [
                "its tag is not py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64",
                "it holds 0 libraries instead of 1",
            ],
        ),
        ("windows-arm64", "win_arm64", 0, ["it holds 0 libraries instead of 1"]),
        ("macos-arm64", "macosx_11_0_arm64", 2, ["it holds 2 libraries instead of 1"]),
        ("any", "any", 1, ["it holds 1 libraries instead of 0"]),
        ("any", "any", 0, []),
    ],
)
def test_a_wheel_with_another_tag_or_number_of_libraries_is_refused(
    tmp_path: Path, target: str, platforms: str, libraries: int, faults: list[str]
) -> None:
    wheel = tmp_path / f"relevance_workbench-0.1.0-py3-none-{platforms}.whl"
    with zipfile.ZipFile(wheel, "w") as content:
        content.writestr("workbench/scoring/evaluation/lines.c", "")
        for number in range(libraries):
            content.writestr(LIBRARY.replace("50c049be", str(number)), "")
    assert list(WHEELS.faults_of(wheel, TARGETS[target])) == faults


def test_cc_may_name_a_compiler_with_options_and_a_path_with_blanks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "my compiler"
    program.touch(0o755)
    compiler = loaded(HOOK).compiler
    for named, words in {
        str(program): [str(program)],
        f"'{program}' -target any": [str(program), "-target", "any"],
        "none": None,
        "": None,
    }.items():
        monkeypatch.setenv("CC", named)
        assert compiler() == words


def here() -> str:
    """The target whose wheel this machine installs."""
    known = set(platform_tags())
    names = [name for name, target in TARGETS.items() if known & set(target.platforms.split("."))]
    if not names:
        pytest.skip("no wheel is built for this platform")
    return names[0]


FOREIGN = "macos-arm64"


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The wheels of this machine and of another, at length of all of them."""
    if importlib.util.find_spec("ziglang") is None:
        skip_or_fail("ziglang is not installed: make test-slow")
    folder = tmp_path_factory.mktemp("dist")
    names = list(TARGETS) if AT_LENGTH else [here(), FOREIGN]
    subprocess.run([sys.executable, SCRIPT, "--to", folder, *names], check=True)
    assert len(list(folder.glob("*.tar.gz"))) == 1
    return {name: next(folder.glob(f"*-{TARGETS[name].platforms}.whl")) for name in names}


PROGRAM = """
from workbench.formats.text.parse_mode import STRICT
from workbench.scoring.evaluation.compiled import compiled_qrels, library_path
assert compiled_qrels(b"1 0 a 1\\n", STRICT) is not None
print(library_path())
"""


@pytest.mark.slow
def test_the_wheel_of_this_machine_evaluates_with_its_library(
    tmp_path: Path, wheels: dict[str, Path]
) -> None:
    environment = tmp_path / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    python = environment / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-deps", "--no-index"]
    subprocess.run([*pip, wheels[here()]], check=True)
    (packages,) = environment.glob("lib/python*/site-packages")
    (packages / "needed.pth").write_text(sysconfig.get_path("purelib"))  # numpy and the others
    library = subprocess.run(
        [python, "-c", PROGRAM], cwd=tmp_path, check=True, capture_output=True, text=True
    ).stdout
    assert Path(library.strip()).is_relative_to(packages)
    (tmp_path / "qrels").write_text("1 0 a 1\n1 0 b 0\n2 0 c 1\n")
    (tmp_path / "run").write_text("1 Q0 b 1 2 x\n1 Q0 a 2 1 x\n2 Q0 c 1 1 x\n")
    printed = [
        subprocess.run(
            [environment / "bin" / "workbench", "eval", "-m", "map", tmp_path / "qrels", tmp_path / "run"],
            env={**os.environ, "WORKBENCH_COMPILED": compiled},
            check=True,
            capture_output=True,
            text=True,
        ).stdout.split()
        for compiled in ("on", "off")
    ]
    assert printed == [["map", "all", "0.7500"]] * 2


@pytest.mark.slow
def test_a_wheel_with_the_library_of_another_machine_is_refused(
    tmp_path: Path, wheels: dict[str, Path]
) -> None:
    wrong = tmp_path / wheels[here()].name
    shutil.copy(wheels[FOREIGN], wrong)
    assert list(WHEELS.faults_of(wrong, TARGETS[here()])) == ["its library is for MACHO ARM64"]
    assert list(WHEELS.faults_of(wheels[FOREIGN], TARGETS[FOREIGN])) == []
