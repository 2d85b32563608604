"""Judgments of people, as other tools for judging write them: known by content, read pair by pair.

Books of Quepid as JSON and as CSV with a column for each judge, ratings of its cases as CSV (views/api/v1/export and
books_controller.rb there); tasks of Label Studio with annotations (guide/task_format), and records of Argilla 2
(records/_io/_json.py), which name topic and document in their data, fields or metadata. Texts are comments.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

from workbench.core.errors import InputError
from workbench.core.records import Source
from workbench.formats.answers.nodes import Node, read_each
from workbench.formats.tables.csv_cells import table_rows
from workbench.formats.tables.records import Columns
from workbench.formats.text.column_names import DOCUMENT_NAMES, GRADE_NAMES, TOPIC_NAMES, place_of
from workbench.formats.text.content import Content, is_json, stream_of
from workbench.formats.text.json_values import json_objects
from workbench.formats.text.lines import shown

COMMENTS = ("comment", "explanation", "note", "reason")
"""Questions of Argilla whose answers are comments."""
GRADES = ("choices", "rating", "number")
"""Types of Label Studio's results that may be a grade; a textarea is a comment."""
NO_ADDRESS = "@example.invalid"
"""Ends the address of people who have none, in books of Quepid, which takes no others."""


class JudgedPair(NamedTuple):
    """What one person said of a document; `person` is '' where the file names none, `topic` an id or a query's text."""

    line: int
    person: str
    topic: str
    document_id: str
    value: str
    comment: str = ""

    @property
    def called(self) -> str:
        """What it is called in messages."""
        by = f" by {shown(self.person)}" if self.person else ""
        return f"document {shown(self.document_id)} for {shown(self.topic)}{by}"


class JudgedRecords(NamedTuple):
    """The judgments of a file, the file as it is stored, and how many of what else is left out."""

    source: Source
    pairs: Sequence[JudgedPair]
    left_out: Counter[str]


def judged_records(content: Content, source: Source) -> JudgedRecords | None:
    """The judgments of a file of one of these tools; None for any other file. InputError with all that is wrong."""
    first, reader = set(_first_names(content)), _Reader()
    read = next((read for names, read in READERS.items() if first.issuperset(names.split())), None)
    if read is None:
        return None
    columns = Columns("query,docid,rating", needed=(("query",), ("docid",)))
    pairs = read_each(content, "judgments", partial(read, reader), lambda pair: pair.called, columns=columns)
    return JudgedRecords(source, pairs, +reader.left_out)


def _first_names(content: Content) -> Sequence[str]:
    """The names in the first record; none of a table that has a column of grades, as qrels have."""
    with suppress(InputError):  # the reader of qrels says what is wrong
        if is_json(content):
            with stream_of(content) as stream:
                _, first = next(json_objects(stream, content.file), (1, None))
            return list(first) if isinstance(first, dict) else []
        if content.data[:8].lower().lstrip(b'"').startswith(b"query"):
            _, names = next(table_rows(content._replace(data=content.data.partition(b"\n")[0])))
            return names if place_of(GRADE_NAMES, names) is None else []
    return []


class _Reader:
    """Reads records, and counts what is no judgment."""

    def __init__(self) -> None:
        self.left_out = Counter[str]()

    def row(self, line: int, node: Node) -> Iterator[JudgedPair]:
        """A row of Quepid's tables: a query, a document if any, and a rating or one of each judge."""
        for name in (name for name in node.value if name not in ("query", "docid")):
            ids = (node.text("query", needed="write the query"), node.text("docid", needed="write the id"))
            yield JudgedPair(line, "" if name == "rating" else name, *ids, node.text(name))

    def book(self, line: int, node: Node) -> Iterator[JudgedPair]:
        """A whole book of Quepid."""
        for pair in node.nodes("query_doc_pairs", needed=True):
            query = pair.text("query_text", needed="write the query")
            ids = (query, pair.text("doc_id", needed="write the id"))
            for each in pair.nodes("judgements"):
                rating, comment = each.text("rating"), each.text("explanation")
                grades = [("rating", rating)] if rating and each.value.get("unrateable") is not True else []
                person = each.text("user_email").removesuffix(NO_ADDRESS)
                yield from self._judged(each, JudgedPair(line, person, *ids, "", comment), grades)

    def task(self, line: int, node: Node) -> Iterator[JudgedPair]:
        """A task of Label Studio."""
        ids = _ids(node.node("data"))
        self.left_out["prediction"] += len(list(node.values("predictions")))
        for each in node.nodes("annotations"):
            grades, comments, by = list[tuple[str, Any]](), list[str](), each.value.get("completed_by")
            account = each.node("completed_by") if isinstance(by, dict) else None
            person = account.text("email", "id") if account else str(by or each.text("assessor"))
            for one in each.nodes("result"):
                kind, value = one.text("type"), one.node("value").value
                if kind == "textarea":
                    comments += [_only(value.get("text"), "\n")]
                elif kind in GRADES and each.value.get("was_cancelled") is not True:
                    grades.append((one.text("from_name"), value.get(kind)))
                else:
                    self.left_out["other result"] += 1
            yield from self._judged(each, JudgedPair(line, person, *ids, "", "\n".join(comments)), grades)

    def record(self, line: int, node: Node) -> Iterator[JudgedPair]:
        """A record of Argilla."""
        places = [node.value.get(name) for name in ("metadata", "fields")]
        data = {name: value for place in places if isinstance(place, dict) for name, value in place.items()}
        ids = _ids(Node(data, "fields", node.faults))
        self.left_out["suggestion"] += len(list(node.values("suggestions")))
        by_person = dict[str, list[tuple[str, Any]]]()
        questions = node.node("responses")
        for name in questions.value:
            for each in questions.nodes(name):
                by_person.setdefault(each.text("user_id"), []).append((name, each.value.get("value")))
        for person, answers in by_person.items():
            comment = "\n".join(_only(value, "\n") for name, value in answers if name in COMMENTS)
            grades = [answer for answer in answers if answer[0] not in COMMENTS]
            yield from self._judged(questions, JudgedPair(line, person, *ids, "", comment), grades)

    def _judged(self, node: Node, pair: JudgedPair, grades: list[tuple[str, Any]]) -> Iterator[JudgedPair]:
        """The pair with its grade: the only value, or the one that is called so; a fault where there are several."""
        named = grades if len(grades) == 1 else [each for each in grades if each[0] in GRADE_NAMES]
        self.left_out["other answer"] += len(grades) - len(named)
        if len(named) == 1 and (value := _only(named[0][1]).strip()):
            yield pair._replace(value=value)
        elif grades:
            message = f"{pair.called} has no single grade in {', '.join(name for name, _ in grades)}"
            node.fault(f"{node.where}: {message}; give it one value, and call it grade")
        else:
            self.left_out["ungraded judgment"] += 1
            self.left_out["ungraded comment"] += bool(pair.comment)


READERS = {
    "query docid": _Reader.row,
    "query_doc_pairs": _Reader.book,
    "data annotations": _Reader.task,
    "fields responses": _Reader.record,
}
"""What reads a file, by the names in its first record."""


def _ids(data: Node) -> tuple[str, str]:
    """The topic and the document that a record is about."""
    names, found = list(data.value), list[str]()
    for what, wanted in (("topic", TOPIC_NAMES), ("document", DOCUMENT_NAMES)):
        place = place_of(wanted, names)
        name = wanted[0] if place is None else names[place]
        found.append(data.text(name, needed=f"write the {what}'s id"))
    return found[0], found[1]


def _only(value: object, between: str | None = None) -> str:
    """A text or number, or the only one of a list, or those of a list with something between; '' for anything else."""
    given = value if isinstance(value, list) else [value]
    texts = [text for text in given if isinstance(text, str)]
    return (between or "").join(texts) if len(texts) == len(given) and (len(texts) == 1 or between) else ""
