"""Asks PyPI, by pip-audit, whether a version in constraints.txt has a known hole: `make known-holes`.

Ends with 1 where there is one that is not in ACCEPTED, and with 3 when nothing could be checked: the service cannot be
reached, or knows nothing of holes. LAST keeps when everything was last checked, and is to be committed. CI says at its
end that nothing was checked, and since when; it does not fail by that alone, since nobody could repair it there.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

PINS = Path(__file__).resolve().parent.parent / "constraints.txt"
TOOLS = Path(sys.prefix) / "audit"
LAST = PINS.parent / ".ci" / "known_holes.json"
UNCHECKED = 3
PROBE = "flask=="
LONGEST = 300  # seconds
ACCEPTED: dict[str, str] = {}
"""Holes that do not concern this program, by their id, each with the reason."""


def main() -> int:
    """Check one pin, to see whether there is an answer, then all of them; the exit status."""
    lines = PINS.read_text(encoding="utf-8").splitlines()
    pins = [line.partition(" ;")[0] for line in lines if not line.startswith("#")]
    if not any(answered(audit([pin])) for pin in pins if pin.lower().startswith(PROBE)):
        sys.stdout.write(
            f"known holes: the service does not answer here: NOTHING WAS CHECKED, {last_check()}\n"
        )
        return UNCHECKED
    found = audit(pins)
    checked = sum("skip_reason" not in package for package in found)
    known = list(holes(found))
    sys.stdout.write(f"known holes: {checked} of {len(pins)} packages checked\n")
    sys.stdout.writelines(known)
    note = {"checked_on": f"{datetime.now(UTC):%Y-%m-%d}", "packages": checked, "holes": known}
    LAST.write_text(json.dumps(note, indent=2) + "\n", encoding="utf-8")
    return 1 if known else 0


def last_check() -> str:
    """When there last was an answer, as a phrase."""
    if not LAST.is_file():
        return "and never was"
    note = json.loads(LAST.read_text(encoding="utf-8"))
    return f"last on {note['checked_on']} ({note['packages']} packages, {len(note['holes'])} holes)"


def audit(pins: Sequence[str]) -> list[dict[str, Any]]:
    """What pip-audit says of each package; nothing where it got no answer."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("\n".join(pins))
        file.flush()
        words = [sys.executable, "-m", "pip_audit", "--no-deps", "--disable-pip", "-r", file.name]
        words += ["--format", "json", "--progress-spinner", "off", "--timeout", "10"]
        try:
            done = subprocess.run(  # noqa: S603 - the words are our own
                words,
                env={**os.environ, "PYTHONPATH": str(TOOLS)},
                capture_output=True,
                text=True,
                timeout=LONGEST,
                check=False,
            )
            return list(json.loads(done.stdout)["dependencies"])
        except (subprocess.TimeoutExpired, ValueError, KeyError):
            return []


def answered(found: Sequence[dict[str, Any]]) -> bool:
    """Whether the service knew at least one of the packages."""
    return any("skip_reason" not in package for package in found)


def holes(found: Sequence[dict[str, Any]]) -> Iterator[str]:
    """A line for each hole that is not accepted."""
    for package in found:
        for hole in package.get("vulns", []):
            if not {hole["id"], *hole["aliases"]} & set(ACCEPTED):
                repaired = ", ".join(hole["fix_versions"]) or "no version yet"
                yield f"{package['name']} {package['version']}: {hole['id']}, repaired in {repaired}\n"


if __name__ == "__main__":
    sys.exit(main())
