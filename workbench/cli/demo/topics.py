"""The demo's topics, which are in topics.toml, and the grades and guidelines for them."""

from __future__ import annotations

import tomllib
from pathlib import Path

from workbench.core.records import Grade, Topic

GRADES = (
    Grade(0, "Not relevant", "Does not help with what the topic asks for, even if it uses the same words."),
    Grade(
        1,
        "Relevant",
        "Helps in part: a step on the way, a special case, or a tool that one would have to adapt.",
    ),
    Grade(2, "Highly relevant", "A reader with this need would stop looking here."),
)

GUIDELINES = (
    "Imagine a programmer who has the need that the topic describes and finds this piece of documentation. "
    "Judge what it tells her, not what you happen to know about the module.\n\n"
    "Grade 2: she can stop looking. Grade 1: it is useful, but only a part of the answer. Grade 0: she goes on to "
    "the next one. When you cannot tell, say so."
)

TOPICS = tuple(
    Topic(**each)
    for each in tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))["topic"]
)
