"""Says how many lines workbench/ has, and fails beyond the budget of pyproject.toml, or where a word has two rooms."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TOO_MANY = "Take out as many as were added, or say in pyproject.toml why the budget rises."
DOORS = {"web", "cli"}


def main() -> None:
    """Count, say, and end with the status."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["workbench"]
    most: int = settings["most-lines"]
    files = sorted((ROOT / "workbench").rglob("*.py"))
    lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files)
    sys.stdout.write(f"workbench/ has {lines:,} lines, of {most:,} at most\n")
    paths = [path.relative_to(ROOT / "workbench") for path in files]
    shared = list(words_of_several_rooms(settings["words-of-one-room"], paths))
    sys.exit("\n".join([TOO_MANY] * (lines > most) + shared) or 0)


def words_of_several_rooms(words: Iterable[str], paths: Iterable[Path]) -> Iterator[str]:
    """A sentence for each word that names modules or packages of several rooms; doors are not counted."""
    named = [(path.parts[0], part) for path in paths for part in path.with_suffix("").parts[1:]]
    for word in words:
        rooms = {room for room, name in named if word in name.split("_")} - DOORS
        if len(rooms) > 1:
            yield f"{word} names modules of several rooms: {', '.join(sorted(rooms))}; rename those of all but one."


if __name__ == "__main__":
    main()
