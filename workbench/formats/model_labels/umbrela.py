"""Labels as UMBRELA writes them: a JSON record for each pair of query and passage, without the ids of either.

    {"query": "how do bees find home", "passage": "Bees use the sun", "judgment": 2, "result_status": 1,
     "model": "local-7b", "prompt": "...", "prediction": "... ##final score: 2"}

A record whose `result_status` is 0 was not parsed; its judgment is 0 all the same, and is no label. Records without
that field cannot tell. The ids are those of the input file, by its order or else by the texts, where they have to be
unique. Runs of blanks in texts are one blank.

Source: castorini/umbrela, src/umbrela/cli/{adapters,normalize}.py, release notes of 0.0.7.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from workbench.core.errors import NOTE, InputError, Problem
from workbench.core.model_answers import UNREADABLE, ModelAnswer
from workbench.formats.answers.nodes import Node, read_each
from workbench.formats.model_labels.columns import WHOLE, LabelFile
from workbench.formats.text.content import name_of
from workbench.formats.text.json_values import NumberText
from workbench.formats.text.lines import shown

REDACTED = "[redacted]"


class Record(NamedTuple):
    """Query and passage with their line and place there: the answer without ids, or, of the input, the ids alone."""

    line: int
    place: int
    texts: tuple[str, str]
    answer: ModelAnswer
    has_status: bool = True

    @property
    def where(self) -> str:
        """Which record of its file it is."""
        return f"{self.line}.{self.place}"


def read_umbrela(path: str | Path, against: str | Path) -> LabelFile:
    """Read what UMBRELA wrote, and what it was given: by its order where all texts are the same, else by the texts.

    Raises InputError with all that is wrong, such as texts that belong to no pair of the input, or to several.
    """
    judged = read_each(path, "labels of UMBRELA", _judged, lambda each: each.where)
    given = read_each(against, "UMBRELA's input", _candidates, lambda each: each.where)
    found = [[each.answer.pair] for each in given]
    if [each.texts for each in judged] != [each.texts for each in given]:
        known: dict[tuple[str, str], dict[tuple[str, str], None]] = {}
        for each in given:
            known.setdefault(each.texts, {})[each.answer.pair] = None
        found = [list(known.get(each.texts, ())) for each in judged]
    file, problems, answers = name_of(path), list[Problem](), list[ModelAnswer]()
    for record, pairs in zip(judged, found, strict=True):
        if len(pairs) == 1:
            answers.append(record.answer._replace(topic_id=pairs[0][0], document_id=pairs[0][1]))
        else:
            many = "no pair has" if not pairs else f"{len(pairs)} pairs have"
            query, passage = map(shown, record.texts)
            message = f"{many} the query {query} with the passage {passage} in {name_of(against)}"
            problems.append(Problem(file, record.line, f"{message}; name the input of exactly this file"))
    if problems:
        raise InputError(problems)
    unknown = sum(not each.has_status for each in judged)
    message = f"{unknown:,} without result_status: a grade of 0 may be an answer that could not be read"
    warnings = (Problem(file, None, message, NOTE),) if unknown else ()
    return LabelFile(file, answers, [each.line for each in judged], warnings)


def _judged(line: int, node: Node) -> Iterator[Record]:
    grade, status, prompt = node.value.get("judgment"), node.value.get("result_status"), node.text("prompt")
    if not isinstance(grade, NumberText) or not WHOLE.fullmatch(grade.encode()):
        node.wrong("judgment", "write a whole number")
        grade = NumberText("0")
    if status not in (None, "0", "1"):
        node.wrong("result_status", "write 1 where the answer was read, else 0")
    answer = ModelAnswer(
        *("", ""),
        grade=None if status == "0" else int(grade),
        failure=UNREADABLE if status == "0" else "",
        raw=node.text("prediction", "reasoning"),
        model=node.text("model"),
        prompt_sha256=sha256(prompt.encode("utf-8", "replace")).hexdigest()
        if prompt not in ("", REDACTED)
        else "",
    )
    yield Record(line, 0, (_text(node, "query"), _text(node, "passage")), answer, status is not None)


def _candidates(line: int, node: Node) -> Iterator[Record]:
    envelope = [each for artifact in node.nodes("artifacts") for each in artifact.nodes("value")]
    for number, record in enumerate(envelope or [node]):
        query = record.node("query") if isinstance(record.value.get("query"), dict) else None
        topic_id = "" if query is None else query.text("qid")
        if not topic_id:
            record.fault("the query has no qid; without ids nothing can be joined")
        text = _text(record, "query") if query is None else _text(query, "text")
        for place, each in enumerate(record.nodes("candidates", needed=True)):
            inner = each.node("doc") if isinstance(each.value.get("doc"), dict) else None
            passage = _text(each, "doc") if inner is None else _text(inner, "segment", "contents")
            ids = ModelAnswer(topic_id, each.text("docid", needed="write the document's id"))
            yield Record(line, number << 32 | place, (text, passage), ids)


def _text(node: Node, *names: str) -> str:
    """The first of these fields that is there, each run of blanks as one blank."""
    return " ".join(node.text(*names, needed="write the text").split())
