"""Records of interleaved lists, JSON lines: which run each document counts for, and from which random seed.

{"list_id": "303-1", "topic_id": "303", "runs": ["bm25", "dense"], "seed": 1, "documents": ["d7", "d1", "d2"],
 "teams": [null, "dense", "bm25"]}
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from workbench.core.impressions import LONGEST_LIST, InterleavedList
from workbench.formats.answers.nodes import Node, read_each
from workbench.formats.text.content import Content
from workbench.formats.text.guesses import is_whole_number
from workbench.formats.text.json_values import JsonValue, json_of
from workbench.formats.text.lines import shown as quoted

LONGEST_NUMBER = 4_000
"""Digits; Python reads no number of more than 4,300."""


def read_interleaved(path: str | Path | Content) -> list[InterleavedList]:
    """Read records, plain or compressed. Raises InputError with all that is wrong with them."""
    return read_each(path, "interleaved lists", _lists, lambda each: f"list {each.list_id}")


def written_interleaved(made: InterleavedList) -> str:
    """The line of a list."""
    record: dict[str, JsonValue] = {**made._asdict(), "runs": list(made.runs)}
    record |= {"documents": list(made.documents), "teams": [team or None for team in made.teams]}
    return json_of(record) + "\n"


def _lists(line: int, node: Node) -> Iterator[InterleavedList]:
    list_id, topic_id, seed = (node.text(name, needed="write it") for name in ("list_id", "topic_id", "seed"))
    runs, documents, teams = (tuple(node.texts(name)) for name in ("runs", "documents", "teams"))
    node.check_ids(topic_id)
    if seed and not (is_whole_number(seed.encode()) and len(seed) < LONGEST_NUMBER):
        node.wrong("seed", "write the whole number that workbench online interleave was given")
    if len(set(runs)) != 2 or len(runs) != 2 or "" in runs:
        node.wrong("runs", "write the tags of two runs")
    if "" in documents or not 0 < len(set(documents)) == len(documents) <= LONGEST_LIST:
        node.wrong("documents", f"write each document once, by rank, and at most {LONGEST_LIST:,}")
    if len(teams) != len(documents):
        node.fault(f"{len(documents)} documents and {len(teams)} teams; write a team for each document")
    if unknown := next((team for team in teams if team and team not in runs), ""):
        node.fault(f"a team is {quoted(unknown)}; write one of the runs, or null")
    if not node.faults:
        yield InterleavedList(list_id, topic_id, (runs[0], runs[1]), int(seed), documents, teams)
