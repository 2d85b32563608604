"""Judgments of people, as other tools for judging write them: known by content, read pair by pair.

Books of Quepid as JSON and as CSV with a column for each judge, ratings of its cases as CSV (views/api/v1/export and
books_controller.rb there); tasks of Label Studio with annotations (guide/task_format), and records of Argilla 2
(records/_io/_json.py), which name topic and document in their data, fields or metadata. Texts are comments.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

from workbench.core.errors import InputError
from workbench.core.records import Source
from workbench.core.wording import counted
from workbench.formats.answers.nodes import Node, read_each
from workbench.formats.tables.csv_cells import table_rows
from workbench.formats.tables.records import Columns
from workbench.formats.text.column_names import DOCUMENT_NAMES, GRADE_NAMES, TOPIC_NAMES, place_of
from workbench.formats.text.content import Content, is_json, stream_of
from workbench.formats.text.encoding import well_formed
from workbench.formats.text.json_values import json_objects
from workbench.formats.text.lines import shown

COMMENTS = ("comment", "explanation", "note", "reason")
"""Questions whose answers are comments."""
RESULTS = {"choices": "choices", "rating": "rating", "number": "number", "textarea": "text"}
"""Types of Label Studio's results that may be a grade, and the last a comment, with the field of their value."""
NO_ADDRESS = "@example.invalid"
"""Ends the address of people who have none, in books of Quepid, which takes no others."""
OTHER = "other result"
"""In the place of the name of what is no answer."""


class JudgedPair(NamedTuple):
    """What one person said of a document; `person` is '' where the file names none, `topic` an id or a query's text."""

    line: int
    person: str
    topic: str
    document_id: str
    value: str
    comment: str

    @property
    def called(self) -> str:
        """What it is called in messages."""
        by = f" by {shown(self.person)}" if self.person else ""
        return f"document {shown(self.document_id)} for {shown(self.topic)}{by}"


class JudgedRecords(NamedTuple):
    """The judgments of a file, the file as it is stored, and notes on what else is left out."""

    source: Source
    pairs: Sequence[JudgedPair]
    notes: Sequence[str]


def judged_records(content: Content, source: Source) -> JudgedRecords | None:
    """The judgments of a file of one of these tools; None for any other file. InputError with all that is wrong."""
    first, left_out = set(_first_names(content)), Counter[str]()
    read = next((read for names, read in READERS.items() if first.issuperset(names.split())), None)
    if read is None:
        return None
    columns = Columns("query,docid,rating", needed=(("query",), ("docid",)))
    pairs = read_each(content, "judgments", partial(_pairs, read, left_out), columns=columns)
    out = ", ".join(counted(number, what) for what, number in left_out.items() if number)
    return JudgedRecords(source, pairs, [f"left out: {out}"] * bool(out))


def _first_names(content: Content) -> Collection[str]:
    """The names in the first record; none of a table that has a column of grades, as qrels have."""
    with suppress(InputError), stream_of(content) as stream:  # the reader of qrels says what is wrong
        if is_json(stream):
            _, first = next(json_objects(stream, content.file), (1, None))
            return first.keys() - {"docid"} if isinstance(first, dict) else ()  # which a table has
        if content.data[:8].lower().lstrip(b'"').startswith(b"query"):
            _, names = next(table_rows(content._replace(data=stream.readline())))
            return names if place_of(GRADE_NAMES, names) is None else ()
    return ()


Answers = list[tuple[str, Any]]
Said = Iterator[tuple[Node, str, tuple[str, str], Answers]]
"""What a record has of each person: where it is, who says it, the ids, and the answers by questions."""


def _rows(node: Node) -> Said:
    """A row of Quepid's tables: a query, a document if any, and a rating or one of each judge."""
    for name in (name for name in node.value if name not in ("query", "docid")):
        ids = _ids(node, ("query",), ("docid",))
        yield node, "" if name == "rating" else name, ids, [("rating", node.text(name))]


def _book(node: Node) -> Said:
    for pair in node.nodes("query_doc_pairs", needed=True):
        ids = _ids(pair, ("query_text",), ("doc_id",))
        for each in pair.nodes("judgements"):
            names = ("explanation",) if each.value.get("unrateable") is True else ("rating", "explanation")
            person = each.text("user_email").removesuffix(NO_ADDRESS)
            yield each, person, ids, [(name, text) for name in names if (text := each.text(name))]


def _task(node: Node) -> Said:
    ids = _ids(node.node("data"))
    for each in node.nodes("annotations"):
        by, answers = each.value.get("completed_by"), Answers()
        account = each.node("completed_by") if isinstance(by, dict) else None
        for result in each.nodes("result"):
            kind, value = result.text("type"), result.node("value").value
            name = "comment" if kind == "textarea" else result.text("from_name")
            is_out = kind not in RESULTS or (name != "comment" and each.value.get("was_cancelled") is True)
            answers.append((OTHER, None) if is_out else (name, value.get(RESULTS[kind])))
        yield each, account.text("email", "id") if account else str(by or each.text("assessor")), ids, answers


def _record(node: Node) -> Said:
    places = [node.value.get(name) for name in ("metadata", "fields")]
    data = {name: value for place in places if isinstance(place, dict) for name, value in place.items()}
    by_person, questions = dict[str, Answers](), node.node("responses")
    for name in questions.value:
        for each in questions.nodes(name):
            by_person.setdefault(each.text("user_id"), []).append((name, each.value.get("value")))
    ids = _ids(Node(data, "fields", node.faults))
    yield from ((questions, person, ids, answers) for person, answers in by_person.items())


READERS = {
    "query docid": _rows,
    "query_doc_pairs": _book,
    "data annotations": _task,
    "fields responses": _record,
}
"""What reads a file, by the names in its first record."""


def _ids(
    data: Node, topic: Sequence[str] = TOPIC_NAMES, document: Sequence[str] = DOCUMENT_NAMES
) -> tuple[str, str]:
    """The topic and the document that a record is about, each under one of these names."""
    names = list(data.value)
    places = ((place_of(wanted, names), wanted[0]) for wanted in (topic, document))
    first, second = (usual if place is None else names[place] for place, usual in places)
    topic_id = data.text(first, needed="write the topic's id, or its query")
    return topic_id, data.text(second, needed="write the document's id")


def _pairs(
    read: Callable[[Node], Said], left_out: Counter[str], line: int, node: Node
) -> Iterator[JudgedPair]:
    """A pair of each person with a grade, which is the only value or the one that is called so; a fault for several."""
    for name in ("prediction", "suggestion"):
        left_out[name] += len(given) if isinstance(given := node.value.get(f"{name}s"), list | dict) else 0
    for where, person, ids, answers in read(node):
        comment = "\n".join(text for name, value in answers if name in COMMENTS for text in _texts(value))
        grades = [each for each in answers if each[0] not in (*COMMENTS, OTHER)]
        named = grades if len(grades) == 1 else [each for each in grades if each[0] in GRADE_NAMES]
        left_out[OTHER] += sum(name == OTHER for name, _ in answers)
        left_out["other answer"] += len(grades) - len(named)
        texts = _texts(named[0][1]) if len(named) == 1 else []
        value = texts[0].strip() if len(texts) == 1 else ""
        pair = JudgedPair(line, well_formed(person), *ids, value, well_formed(comment))
        if value:
            yield pair
        elif grades:
            message = f"{pair.called} has no single grade in {', '.join(name for name, _ in grades)}"
            where.fault(f"{where.where}: {message}; give it one value, and call it grade")
        else:
            left_out["ungraded judgment"] += 1
            left_out["ungraded comment"] += bool(comment)


def _texts(value: object) -> list[str]:
    """A text or number, or those of a list; none for anything else."""
    given: list[Any] = value if isinstance(value, list) else [value]
    return given if all(isinstance(text, str) for text in given) else []
