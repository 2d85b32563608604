"""Plant faults in modules drawn at random, with mutmut, and print which of them the tests do not notice.

    make faults ARGS="--modules 12 --seed 1"
    .venv/bin/python benchmarks/planted_faults.py workbench/methods/statistics/intervals.py

Of the tests, those in the folder that mirrors the module's run, without what is slow or in a browser; so the share is a
lower bound of what all tests notice. A module whose mirrored tests fail without a fault ends the program.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COPIED = [
    "templates",
    "static",
    "docs",
    "deploy",
    "benchmarks",
    "README.md",
    "CHANGELOG.md",
    "pyproject.toml",
]
NOTICED, DRAWN = "killed", ("killed", "survived", "no_tests", "timeout", "suspicious", "segfault")


def main() -> None:
    """Try each module, and print what came of it as soon as it is known."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--modules", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("module", nargs="*")
    words = parser.parse_args()
    drawn = random.Random(words.seed).sample(with_tests(), words.modules)
    planted = noticed = 0
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        shutil.copytree(
            ROOT, copy, ignore=shutil.ignore_patterns(".*", "node_modules", "build", "__pycache__")
        )
        for module in words.module or drawn:
            counts, survivors = tried(copy, module)
            planted += sum(counts[kind] for kind in DRAWN)
            noticed += counts[NOTICED]
            print(
                f"{module}: {counts[NOTICED]} of {sum(counts[kind] for kind in DRAWN)}",
                *survivors,
                sep="\n  ",
            )
    if planted:
        print(f"noticed: {noticed} of {planted} faults, {noticed / planted:.1%}")


def with_tests() -> list[str]:
    """The modules whose folder has a mirror in tests/, in order."""
    modules = (path.relative_to(ROOT) for path in sorted((ROOT / "workbench").rglob("*.py")))
    return [str(module) for module in modules if module.name[0] != "_" and (ROOT / mirror(module)).is_dir()]


def mirror(module: Path) -> Path:
    """The folder of tests for a module's folder."""
    return Path("tests", *module.parent.parts[1:])


def tried(copy: Path, module: str) -> tuple[dict[str, int], list[str]]:
    """How many faults of a module ended how, and the names of those that no test noticed."""
    config = {
        "source_paths": ["workbench"],
        "only_mutate": [module],
        "also_copy": COPIED,
        "pytest_add_cli_args_test_selection": [str(mirror(Path(module)))],
        "pytest_add_cli_args": ["-p", "no:xdist", "-m", "not slow and not browser"],
    }
    lines = [f"{name} = {json.dumps(value)}" for name, value in config.items()]
    original = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    (copy / "pyproject.toml").write_text("\n".join([original, "[tool.mutmut]", *lines, ""]), encoding="utf-8")
    shutil.rmtree(copy / "mutants", ignore_errors=True)
    mutmut(copy, "run", "--max-children", "2")
    mutmut(copy, "export-cicd-stats")
    counts: dict[str, int] = json.loads((copy / "mutants" / "mutmut-cicd-stats.json").read_text())
    return counts, [line.strip() for line in mutmut(copy, "results").splitlines() if line.strip()]


def mutmut(copy: Path, *words: str) -> str:
    """What mutmut prints, run in the copy."""
    program = [str(Path(sys.prefix) / "bin" / "mutmut"), *words]
    done = subprocess.run(program, cwd=copy, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(words)} failed:\n{done.stdout[-4000:]}{done.stderr[-2000:]}")
    return done.stdout


if __name__ == "__main__":
    main()
