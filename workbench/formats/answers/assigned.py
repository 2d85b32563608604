"""Assigned answers as nuggetizer writes them: one JSON record per answer, with what the answer holds of each nugget.

    {"query": "how do reefs recover", "qid": "17", "answer_text": "Reefs recover slowly.", "response_length": 3,
     "run_id": "x-best", "nuggets": [{"text": "recovery takes decades", "importance": "vital",
                                      "assignment": "partial_support"}]}

Source: castorini/nuggetizer, src/nuggetizer/core/{types,metrics}.py and cli/adapters.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from workbench.formats.answers.forms import words
from workbench.formats.answers.nodes import Node, named, read_each
from workbench.formats.text.content import Content
from workbench.formats.text.json_values import JsonValue, NumberText, json_of

VITAL, OKAY = "vital", "okay"
IMPORTANCES = (VITAL, OKAY, "failed")
"""How important a nugget is; failed is what the model did not say."""

SUPPORT, PARTIAL, UNSUPPORTED = "support", "partial_support", "not_support"
FAILED = "failed"
ASSIGNMENTS = (SUPPORT, PARTIAL, UNSUPPORTED, FAILED)
"""What an answer holds of a nugget; failed is an assignment that could not be read."""

SPELLINGS = {"fail": FAILED}
"""Other words of the program, in lower case."""


class AssignedNugget(NamedTuple):
    """One nugget with what the answer holds of it: words of IMPORTANCES and ASSIGNMENTS."""

    text: str
    importance: str
    assignment: str


class AssignedAnswer(NamedTuple):
    """One answer: its line, its run, its topic, and the nuggets in the file's order.

    `run` is '' where the record does not say it. `is_number`: the file writes the topic id as a whole number.
    """

    line: int
    run: str
    topic_id: str
    is_number: bool
    nuggets: tuple[AssignedNugget, ...]


def read_assigned(path: str | Path | Content) -> list[AssignedAnswer]:
    """Read a file of assigned answers, plain or compressed; `-` is standard input.

    Raises InputError with all that is wrong: what is no JSON, a record without a topic id or nuggets, a word that is
    none of IMPORTANCES or ASSIGNMENTS, two answers of one run for one topic.
    """
    return read_each(path, "assigned answers", _answers, lambda each: named(each.topic_id, each.run))


def written_answer(
    run: str, topic_id: str, query: str, sentences: Sequence[str], nuggets: Iterable[AssignedNugget]
) -> str:
    """The line of an answer; `query` is the topic's title."""
    record: dict[str, JsonValue] = {
        "query": query,
        "qid": topic_id,
        "answer_text": " ".join(sentences),
        "response_length": words(sentences),
        "run_id": run,
        "nuggets": [dict(each._asdict()) for each in nuggets],
    }
    return json_of(record) + "\n"


def _answers(line: int, node: Node) -> Iterator[AssignedAnswer]:
    topic_id, run = node.text("qid", needed="write the topic's id"), node.text("run_id")
    node.check_ids(topic_id, run)
    if "candidate_text" in node.value:
        node.fault("this is an assigned passage, not an answer; name the file that assign wrote for answers")
    if node.value.get("nuggets") is None:
        node.wrong("nuggets", "write a list of objects with text, importance, assignment")
    nuggets = tuple(
        AssignedNugget(
            each.text("text", needed="write what the nugget says"),
            each.word("importance", IMPORTANCES),
            SPELLINGS.get(word := each.word("assignment", (*ASSIGNMENTS, *SPELLINGS)), word),
        )
        for each in node.nodes("nuggets")
    )
    is_number = isinstance(node.value.get("qid"), NumberText) and topic_id.isdecimal()
    yield AssignedAnswer(line, run, topic_id, is_number, nuggets)
