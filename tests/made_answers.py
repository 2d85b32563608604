"""Runs of answers in the form of TREC RAG 2026, in the tests' own words."""

from __future__ import annotations

import json
from typing import Any

REEFS, YEARS, GRAZERS = "shard_3_90", "shard_7_12", "shard_9_4"
"""Segments that the answers cite."""

Said = tuple[str, list[Any]]
"""A sentence, and what it cites."""

USUAL: tuple[Said, ...] = (("Reefs recover slowly.", [1]), ("Cooler years help.", [0, 1]))


def answer(topic: str, *said: Said, run: str = "best", team: str = "uni", cites: Any = (REEFS, YEARS)) -> str:
    """A line of a file: the answer to a topic; without sentences the usual ones."""
    named = {"team_id": team, "run_id": run, "narrative_id": topic, "narrative": "How …", "run_desc": "a"}
    sentences = [{"text": text, "citations": cited} for text, cited in said or USUAL]
    record = {"metadata": named, "references": list(cites), "answer": sentences}
    return json.dumps(record, ensure_ascii=False) + "\n"
