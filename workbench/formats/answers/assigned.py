"""Assigned answers as nuggetizer writes them: one JSON record per answer, with what the answer holds of each nugget.

    {"query": "how do reefs recover", "qid": "17", "answer_text": "Reefs recover slowly.", "response_length": 3,
     "run_id": "x-best", "nuggets": [{"text": "recovery takes decades", "importance": "vital",
                                      "assignment": "partial_support"}]}

Source: castorini/nuggetizer, src/nuggetizer/core/{types,metrics}.py and cli/adapters.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from workbench.core.errors import InputError, Problem
from workbench.core.wording import listed
from workbench.formats.text.content import Content, name_of, stream_of
from workbench.formats.text.files import refused
from workbench.formats.text.json_values import JsonValue, NumberText, json_objects
from workbench.formats.text.lines import STOP_AFTER, identifier_problem, shown

VITAL = "vital"
IMPORTANCES = (VITAL, "okay", "failed")
"""How important a nugget is; failed is what the model did not say."""

SUPPORT, PARTIAL = "support", "partial_support"
FAILED = "failed"
ASSIGNMENTS = (SUPPORT, PARTIAL, "not_support", FAILED)
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
    file = name_of(path)
    found, problems, first = list[AssignedAnswer](), list[Problem](), dict[tuple[str, str], int]()
    with stream_of(path) as stream:
        for line, value in json_objects(stream, file):
            wrong = list(_wrong(value))
            if not wrong:
                answer = _answer(line, value)
                found.append(answer)
                before = first.setdefault((answer.run, answer.topic_id), line)
                if before != line:
                    of_run = f" of run {shown(answer.run)}" if answer.run else ""
                    wrong = [f"topic {answer.topic_id}{of_run} is in line {before} already; keep one of both"]
            problems += (Problem(file, line, message) for message in wrong)
            if len(problems) >= STOP_AFTER:
                break
    if problems:
        raise InputError(problems)
    if not found:
        raise refused(file, "the file is empty; name a file of assigned answers")
    return found


def _wrong(record: JsonValue) -> Iterator[str]:
    """What keeps a record from being read, one sentence for each thing."""
    if not isinstance(record, dict):
        yield f"an assigned answer is a JSON object with qid and nuggets, not {shown(str(record))}"
        return
    topic_id = record.get("qid")
    if not isinstance(topic_id, str) or not topic_id:
        yield f"{_lacks('qid', record)}; write the topic's id"
    elif problem := identifier_problem("topic", topic_id):
        yield problem
    if "candidate_text" in record:
        yield "this is an assigned passage, not an answer; name the file that assign wrote for answers"
    run = record.get("run_id", "")
    if not isinstance(run, str):
        yield f"run_id is {shown(str(run))}; write the run's tag as a text"
    elif problem := identifier_problem("run", run):
        yield problem
    nuggets = record.get("nuggets")
    if not isinstance(nuggets, list):
        yield f"{_lacks('nuggets', record)}; write a list of objects with text, importance, assignment"
        return
    for place, nugget in enumerate(nuggets):
        yield from (f"nuggets[{place}]{message}" for message in _wrong_nugget(nugget))


def _wrong_nugget(nugget: JsonValue) -> Iterator[str]:
    if not isinstance(nugget, dict):
        yield f" is {shown(str(nugget))}; write an object with text, importance, assignment"
        return
    if not isinstance(nugget.get("text"), str):
        yield f".{_lacks('text', nugget)}; write what the nugget says"
    for name, known in (("importance", IMPORTANCES), ("assignment", ASSIGNMENTS)):
        if _word(nugget.get(name)) not in known:
            yield f".{_lacks(name, nugget)}; write one of {', '.join(known)}"


def _lacks(name: str, record: Mapping[str, JsonValue]) -> str:
    """What a record has where something else is wanted."""
    if name in record:
        return f"{name} is {shown(str(record[name]))}"
    return f"{name} is missing among {listed(list(record)) or 'no fields'}"


def _word(value: JsonValue) -> str:
    word = value.lower() if isinstance(value, str) else ""
    return SPELLINGS.get(word, word)


def _answer(line: int, record: Mapping[str, JsonValue]) -> AssignedAnswer:
    nuggets = tuple(
        AssignedNugget(each["text"], _word(each["importance"]), _word(each["assignment"]))
        for each in record["nuggets"]
    )
    topic_id = record["qid"]
    is_number = isinstance(topic_id, NumberText) and topic_id.isdecimal()
    return AssignedAnswer(line, str(record.get("run_id", "")), str(topic_id), is_number, nuggets)
