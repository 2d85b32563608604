"""Says how many lines workbench/ has, and fails beyond the budget of pyproject.toml: who adds says what goes."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TOO_MANY = "Take out as many as were added, or say in pyproject.toml why the budget rises."


def main() -> None:
    """Count, say, and end with the status."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    most: int = settings["tool"]["workbench"]["most-lines"]
    files = (ROOT / "workbench").rglob("*.py")
    lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files)
    sys.stdout.write(f"workbench/ has {lines:,} lines, of {most:,} at most\n")
    sys.exit(0 if lines <= most else TOO_MANY)


if __name__ == "__main__":
    main()
