"""The templates that come with the program, in the folder `texts`, each with or without the narrative of the topic."""

from __future__ import annotations

from pathlib import Path

from workbench.core.about import ANSWERS, CITATIONS, DOCUMENTS, NUGGETS, PAIRS, SPANS

FOLDER = Path(__file__).parent / "texts"

BINARY = "binary"
"""The template whose judge gives two grades: the lowest from 0 on, and the smallest that is relevant."""

USUAL = {DOCUMENTS: "four-grades", CITATIONS: "citation", NUGGETS: "nugget", ANSWERS: "answer", SPANS: "span"}
USUAL |= dict.fromkeys(PAIRS, "pair")
"""The first template for questions about documents or one kind of units."""

NAMES = ("four-grades", BINARY, "criteria", "citation", "nugget", "answer", "span", "pair")


def shipped(name: str, *, narrative: bool) -> str:
    """The text of a template by its name, without the lines of the narrative unless it is wanted."""
    lines = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines(keepends=True)
    return "".join(line for line in lines if narrative or "{{narrative}}" not in line)
