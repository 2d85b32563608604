"""Writes what is installed, with uv: `make constraints`.

`constraints.txt` has the version of every package. `pins/` has the same versions with the hashes of all files of each
release, by what they are for: `run.txt` is what the program needs, and the others what their extra needs besides.
Installed with `--require-hashes`, a file that was changed on its way is refused. No file names
where packages come from.

    .venv/bin/python .ci/pins.py            the newest versions that pyproject.toml allows
    .venv/bin/python .ci/pins.py --keep     the versions that are pinned now, for a pyproject.toml that has changed
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CONSTRAINTS, PINS = ROOT / "constraints.txt", ROOT / "pins"
HEADER = "# {what} Made by `make constraints`.\n"


def main(keep: bool) -> None:
    """Write all files."""
    held = ["-c", CONSTRAINTS] if keep else ["--upgrade"]
    versions = compiled("--all-extras", *held)
    CONSTRAINTS.write_text(HEADER.format(what="Every package of the environment, pinned.") + versions)
    PINS.mkdir(exist_ok=True)
    needed = of_extra("build")
    write("run", needed)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for extra in sorted({*project["optional-dependencies"]} - {"build"}):
        write(extra, [pin for pin in of_extra(extra) if pin not in needed])


def of_extra(extra: str) -> list[str]:
    """What the program needs with an extra: each package with its version and all its hashes."""
    text = compiled("--extra", extra, "-c", CONSTRAINTS, "--generate-hashes")
    return [f"{pin}\n" for pin in re.split(r"\n(?=\S)", text.strip())]


def compiled(*words: str | Path) -> str:
    """What uv finds for the package, for every platform and every Python from 3.11 on."""
    uv = Path(sys.prefix) / "audit" / "bin" / "uv"
    asked = [uv, "pip", "compile", "pyproject.toml", "--universal", "--python-version", "3.11", *words]
    asked += ["--no-header", "--no-annotate", "--quiet"]
    return subprocess.run(asked, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout  # noqa: S603


def write(name: str, pins: Sequence[str]) -> None:
    """Write one file of pins/."""
    what = (
        "What the program needs, with hashes." if name == "run" else f"What `{name}` needs besides run.txt."
    )
    (PINS / f"{name}.txt").write_text(HEADER.format(what=what) + "".join(pins))


if __name__ == "__main__":
    main("--keep" in sys.argv[1:])
