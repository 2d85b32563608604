"""Plant faults in scripts drawn at random, with Stryker, and print which of them the tests do not notice.

    make faults-of-scripts ARGS="--scripts 6 --seed 1"
    .venv/bin/python benchmarks/faults_in_scripts.py static/judging/queue.js

Of the tests, the file that mirrors the script runs, so the share is a lower bound of what all tests notice. Faults in
words are left out: tests are of what scripts do. A script whose tests fail without a fault ends the program.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
STRYKER = ROOT / ".ci" / "faults" / "node_modules" / "@stryker-mutator" / "core" / "bin" / "stryker.js"
NODE = Path(sys.prefix) / "bin" / "node"
NOTICED, MISSED = {"Killed", "Timeout"}, {"Survived", "NoCoverage"}
LEFT_OUT = ["StringLiteral", "ObjectLiteral", "Regex"]


def main() -> None:
    """Try each script, and print what came of it as soon as it is known."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--scripts", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("script", nargs="*")
    words = parser.parse_args()
    drawn = random.Random(words.seed).sample(with_tests(), words.scripts)
    planted = noticed = 0
    for script in words.script or drawn:
        faults = tried(script)
        counts = Counter(fault["status"] for fault in faults)
        found, missed = (sum(counts[kind] for kind in kinds) for kinds in (NOTICED, MISSED))
        planted, noticed = planted + found + missed, noticed + found
        survivors = (described(fault) for fault in faults if fault["status"] in MISSED)
        print(f"{script}: {found} of {found + missed}", *survivors, sep="\n  ", flush=True)
    if planted:
        print(f"noticed: {noticed} of {planted} faults, {noticed / planted:.1%}")


def with_tests() -> list[str]:
    """The scripts that a file of tests mirrors, in order."""
    scripts = (path.relative_to(ROOT) for path in sorted((ROOT / "static").rglob("*.js")))
    return [str(script) for script in scripts if (ROOT / mirror(script)).is_file()]


def mirror(script: Path) -> Path:
    """The file of tests for a script."""
    return Path("tests", "scripts", *script.parts[1:]).with_suffix(".test.js")


def tried(script: str) -> list[dict[str, object]]:
    """The faults that were planted in a script, each with what became of it."""
    # The program itself: what starts it is another process, and Stryker knows a test by its process.
    node = subprocess.run(
        [NODE, "-p", "process.execPath"], capture_output=True, text=True, check=True
    ).stdout.strip()
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        config = {
            "testRunner": "tap",
            "tap": {
                "testFiles": [str(mirror(Path(script)))],
                "nodeArgs": ["--test-reporter=tap", "-r", "{{hookFile}}", "{{testFile}}"],
            },
            "coverageAnalysis": "off",
            "concurrency": 2,
            "ignorePatterns": ["**", "!static/**/*.js", "!tests/scripts/**", "!package.json"],
            "mutate": [script],
            "mutator": {"excludedMutations": LEFT_OUT},
            "disableTypeChecks": False,
            "reporters": ["json"],
            "jsonReporter": {"fileName": str(report)},
            "tempDirName": ".cache/faults",
        }
        named = Path(folder) / "stryker.json"
        named.write_text(json.dumps(config), encoding="utf-8")
        environment = os.environ | {"PATH": f"{Path(node).parent}{os.pathsep}{os.environ['PATH']}"}
        done = subprocess.run(
            [node, STRYKER, "run", named],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if not report.exists():
            sys.exit(f"Stryker failed on {script}:\n{done.stdout[-4000:]}{done.stderr[-2000:]}")
        faults: list[dict[str, object]] = json.loads(report.read_text())["files"][script]["mutants"]
        return faults


def described(fault: dict[str, object]) -> str:
    """Where a fault was, and what stood there then."""
    place: dict[str, dict[str, int]] = fault["location"]  # type: ignore[assignment]
    return f"{place['start']['line']}:{place['start']['column']} {fault['mutatorName']} {fault.get('replacement', '')}"[
        :120
    ]


if __name__ == "__main__":
    main()
