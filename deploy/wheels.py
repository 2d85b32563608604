"""Builds a wheel for each of the usual platforms, all of them on any machine, and the source archive: `make wheels`.

    python deploy/wheels.py [--to dist] [TARGET...]

Zig's C compiler, which comes as a Python package, compiles for every platform; deploy/compile_lines.py calls it as it
calls any other. Where a compiler fails, the build makes a wheel without the library: so a wheel is kept only if it has
the right tag and one library, which is for the right machine, exports what the program calls, and needs nothing that
its platform might lack.

`any` is the wheel without a library. It is built only if it is named: where pip finds it beside the source archive, it
compiles nothing on the platforms that have no wheel of their own.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator
from fnmatch import fnmatch
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import ZipFile

import click

ROOT = Path(__file__).resolve().parent.parent
CALLER = ROOT / "workbench" / "scoring" / "evaluation" / "compiled.py"
LIBRARY = "workbench/scoring/evaluation/lines-*.shared"
TOOLS = ("hatchling", "lief", "ziglang")


class System(NamedTuple):
    """A system: what Zig calls it, with its oldest version; the format of libraries; those that are always there."""

    zig: str
    format: str
    libraries: str

    def oldest(self) -> tuple[int, ...]:
        """The version that a library for this system may need, empty where none is named."""
        return tuple(map(int, re.findall(r"\d+", self.zig)))


GLIBC = System("linux-gnu.2.17", "ELF", r"libc\.so\.6")
MUSL = System("linux-musl", "ELF", r"libc\.so")
# On macOS a library also names itself.
MACOS = System("macos.11.0", "MACHO", r"/usr/lib/libSystem\.B\.dylib|lines-\w+\.shared")
WINDOWS = System("windows-gnu", "PE", r"(?i:kernel32|api-ms-win-crt-[a-z0-9-]+)\.dll")

MACHINES = {"x86_64": "X86_64", "aarch64": "ARM64"}
"""What lief calls the machines of Zig."""


class Target(NamedTuple):
    """A wheel to build: the platforms in its tag, its machine and system; without a machine the pure one."""

    platforms: str
    machine: str = ""
    system: System = GLIBC


TARGETS = {
    "linux-x86_64": Target("manylinux_2_17_x86_64.manylinux2014_x86_64", "x86_64", GLIBC),
    "linux-aarch64": Target("manylinux_2_17_aarch64.manylinux2014_aarch64", "aarch64", GLIBC),
    "alpine-x86_64": Target("musllinux_1_2_x86_64", "x86_64", MUSL),
    "alpine-aarch64": Target("musllinux_1_2_aarch64", "aarch64", MUSL),
    "macos-x86_64": Target("macosx_11_0_x86_64", "x86_64", MACOS),
    "macos-arm64": Target("macosx_11_0_arm64", "aarch64", MACOS),
    "windows-x86_64": Target("win_amd64", "x86_64", WINDOWS),
    "windows-arm64": Target("win_arm64", "aarch64", WINDOWS),
    "any": Target("any"),
}


@click.command(help=__doc__)
@click.option("--to", default="dist", type=click.Path(file_okay=False, path_type=Path), help="A folder.")
@click.argument("targets", nargs=-1, type=click.Choice(list(TARGETS)), metavar="[TARGET]...")
def main(to: Path, targets: tuple[str, ...]) -> None:
    """Build the wheels; end with status 1 at the first that is not what it should be."""
    absent = [name for name in TOOLS if find_spec(name) is None]
    if absent:
        raise click.ClickException(f"{', '.join(absent)}: not installed; use make wheels")
    to.mkdir(parents=True, exist_ok=True)
    chosen = targets or [name for name in TARGETS if name != "any"]
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        archive = source_archive(Path(folder))
        for number, name in enumerate(chosen, start=1):
            click.echo(f"{number}/{len(chosen)} {name} ...")
            wheel = built(archive, Path(folder) / name, TARGETS[name])
            keep(wheel, to)
        keep(archive, to)
    click.echo(f"{time.monotonic() - begun:.0f} s")


def keep(file: Path, to: Path) -> None:
    """Put a file that is whole into the folder."""
    click.echo(f"{to / file.name} ({file.stat().st_size / 1e6:.2f} MB)")
    shutil.move(file, to / file.name)


def source_archive(folder: Path) -> Path:
    """The source archive of this checkout."""
    build("sdist", ROOT, folder, dict(os.environ))
    return next(folder.glob("*.tar.gz"))


def built(archive: Path, folder: Path, target: Target) -> Path:
    """The wheel for a target, built in a tree of its own: the name of the library does not say for which it is."""
    with tarfile.open(archive) as source:
        source.extractall(folder, filter="data")
    (tree,) = folder.iterdir()
    said = build("wheel", tree, folder, {**os.environ, "CC": "none", **environment(target)})
    (wheel,) = folder.glob("*.whl")
    faults = list(faults_of(wheel, target))
    if faults:
        raise click.ClickException("\n".join([f"{wheel.name} is not kept: {'; '.join(faults)}", said]))
    return wheel


def environment(target: Target) -> dict[str, str]:
    """The variables with which deploy/compile_lines.py compiles for a target."""
    if not target.machine:
        return {}
    # -s: with symbols a library for Windows is three times as large, and another one in every folder.
    zig = f"{target.machine}-{target.system.zig}"
    words = [sys.executable, "-m", "ziglang", "cc", "-target", zig, "-s"]
    return {"CC": shlex.join(words), "WORKBENCH_PLATFORM": target.platforms}


def build(kind: str, tree: Path, folder: Path, variables: dict[str, str]) -> str:
    """Let hatchling build, and hand back what it and the compiler said."""
    words = [sys.executable, "-m", "hatchling", "build", "--target", kind, "--directory", str(folder)]
    done = subprocess.run(words, cwd=tree, env=variables, capture_output=True, text=True, check=False)
    said = done.stdout + done.stderr
    if done.returncode:
        raise click.ClickException(f"the {kind} was not built\n{said}")
    return said


def faults_of(wheel: Path, target: Target) -> Iterator[str]:
    """What is wrong with a wheel that was built for a target."""
    if not wheel.name.endswith(f"-py3-none-{target.platforms}.whl"):
        yield f"its tag is not py3-none-{target.platforms}"
    with ZipFile(wheel) as content:
        libraries = [content.read(name) for name in content.namelist() if fnmatch(name, LIBRARY)]
    if len(libraries) != bool(target.machine):
        yield f"it holds {len(libraries)} libraries instead of {int(bool(target.machine))}"
    elif target.machine:
        yield from faults_of_library(libraries[0], target)


def faults_of_library(library: bytes, target: Target) -> Iterator[str]:
    """What is wrong with a library that was compiled for a target."""
    import lief  # only `make wheels` and the slow tests have it

    lief.logging.disable()
    binary = lief.parse(library)
    if binary is None:
        yield "its library cannot be read"
        return
    found = (binary.format.name, binary.abstract.header.architecture.name)
    if found != (target.system.format, MACHINES[target.machine]):
        yield f"its library is for {' '.join(found)}"
        return
    # In Mach-O every name of C begins with another underscore.
    exported = {function.name.removeprefix("_") for function in binary.abstract.exported_functions}
    called = set(re.findall(r"\bwb_\w+", CALLER.read_text(encoding="utf-8")))
    if called - exported:
        yield f"its library does not export {', '.join(sorted(called - exported))}"
    for name in binary.abstract.libraries:
        if not re.fullmatch(target.system.libraries, name):
            yield f"its library needs {name}"
    for version in needed_versions(binary, target.system):
        if version > target.system.oldest():
            yield f"its library needs version {'.'.join(map(str, version))} of the system"
    if target == TARGETS["macos-arm64"] and not binary.has_code_signature:
        yield "its library is not signed, and these machines load no other"


def needed_versions(binary: Any, system: System) -> Iterator[tuple[int, ...]]:
    """The versions of glibc whose symbols a library uses, or the oldest macOS that it is for."""
    if system is GLIBC:
        for library in binary.symbols_version_requirement:
            for version in library.get_auxiliary_symbols():
                yield tuple(map(int, version.name.removeprefix("GLIBC_").split(".")))
    if system is MACOS:
        yield tuple(binary.build_version.minos[:2])


if __name__ == "__main__":
    main()
