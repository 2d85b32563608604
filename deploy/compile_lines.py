"""Compiles workbench/scoring/evaluation/lines.c where a C compiler is; where none is, the workbench runs without it.

Hatchling calls it for wheels and editable installations. By hand: .venv/bin/python deploy/compile_lines.py

CC names another compiler, also one with options (`CC="ccache gcc"`); deploy/wheels.py compiles for other platforms so,
and names what the tag of the wheel then says in WORKBENCH_PLATFORM.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zlib import crc32

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "workbench" / "scoring" / "evaluation" / "lines.c"
HEADER = SOURCE.with_name("text.h")
FLAGS = ("-std=c11", "-O2", "-g0", "-fPIC", "-shared")


class CompileLines(BuildHookInterface[Any]):
    """Puts the library into the wheel, which is then one for this platform and for any Python of it."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called before the wheel is put together."""
        library = compiled()
        if library is not None:
            build_data["artifacts"].append(library.relative_to(ROOT).as_posix())
            build_data["pure_python"] = False
            here = sysconfig.get_platform().replace("-", "_").replace(".", "_")
            build_data["tag"] = f"py3-none-{os.environ.get('WORKBENCH_PLATFORM', here)}"


def compiler() -> list[str] | None:
    """The C compiler that CC names, with its options, else the machine's; None if there is none."""
    named = os.environ.get("CC")
    # A path may hold blanks.
    programs = [["cc"], ["gcc"], ["clang"]] if named is None else [[named], shlex.split(named)]
    found = ((shutil.which(words[0]), words[1:]) for words in programs if words)
    return next(([str(Path(program).absolute()), *options] for program, options in found if program), None)


def compiled() -> Path | None:
    """The library beside its source, None where it cannot be made; those of older sources are removed."""
    program = compiler()
    checksum = crc32(HEADER.read_bytes(), crc32(SOURCE.read_bytes()))
    target = SOURCE.with_name(f"lines-{checksum:08x}.shared")
    for other in SOURCE.parent.glob("lines-*.shared"):
        if other != target:
            other.unlink(missing_ok=True)
    if program is None:
        return None
    # Made again in every case: what is there may have come from another machine. In a folder of its own, since on macOS
    # the library holds the path that the compiler is given.
    with TemporaryDirectory(prefix="lines-", dir=SOURCE.parent) as folder:
        words = [*program, *FLAGS, "-o", target.name, str(SOURCE)]
        made = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
        if made.returncode:
            sys.stderr.write(
                f"{SOURCE.name} was not compiled; evaluations take longer without it:\n{made.stderr}"
            )
            return None
        Path(folder, target.name).replace(target)
    return target


if __name__ == "__main__":
    sys.stdout.write(f"{compiled() or 'no C compiler was found (cc, gcc, clang)'}\n")
