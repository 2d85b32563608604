"""Nugget banks as files of several forms, read as one record each.

    for bank in read_banks("nuggets.jsonl").banks:
        for nugget in bank.nuggets: ...

Sources: castorini/nuggetizer, core/types.py; trec-auto-judge/auto-judge-base, nugget_data/; hltcoe/rag-annotation-tool,
data_manager.py; trec-dragun/resources, utils/score.py and auto_judge/auto_judge.py.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from workbench.core.errors import InputError, Problem
from workbench.formats.answers.assigned import IMPORTANCES
from workbench.formats.answers.banks import (
    AGGREGATORS,
    ALL,
    ANY,
    EACH,
    Bank,
    BankFile,
    Creator,
    GoldAnswer,
    Nugget,
    Reference,
)
from workbench.formats.answers.fields import Fields
from workbench.formats.answers.nodes import Node, named, read_each
from workbench.formats.text.content import Content, name_of
from workbench.formats.text.json_values import JsonValue
from workbench.formats.text.lines import shown

LETTERS = ("A", "B", "C")
"""How important a question of a rubric is: have to know, good to know, nice to know."""

DEEPEST = 64
"""The most objects and lists inside one another in a bank."""


def creators_of(node: Node) -> tuple[Creator, ...]:
    """Who made an object."""
    value = node.value.get("creator")
    makers = Node({"creator": [value] if isinstance(value, dict) else value}, node.where, node.faults)
    return tuple(
        Creator(each.text("assessor_id", "llm_model"), each.value.get("is_human") is True)
        for each in makers.nodes("creator")
    )


def reference_of(node: Node) -> Reference:
    """A reference of ARGUE's form that is an object."""
    span = None
    if node.value.get("offsets") is not None:
        texts = [node.node("offsets").text(name) for name in ("start_offset", "end_offset")]
        places = [int(text) for text in texts if text.isdecimal() and len(text) < 19]
        if len(places) == 2 and places[0] <= places[1]:
            span = places[0], places[1]
        else:
            node.wrong("offsets", "write start_offset and end_offset, places of characters from 0")
    return Reference(node.text("doc_id", needed="write the document's id"), span, node.value)


def _references(node: Node, name: str = "references") -> tuple[Reference, ...]:
    """Documents, as ids or objects."""
    return tuple(
        Reference(str(value), given=value)
        if isinstance(value, str)
        else reference_of(Node(value, way, node.faults))
        for _, value, way in node.values(name)
    )


def _hash(text: str) -> str:
    """The id that autojudge-base gives to what has none."""
    return hashlib.md5(text.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest()


def argue_answer(node: Node) -> GoldAnswer:
    """An answer of ARGUE's form."""
    text = node.text("answer", needed="write the answer")
    return GoldAnswer(text, "", _references(node), creators_of(node), node.value)


def argue_nugget(node: Node, above: tuple[str, ...] = ()) -> Nugget:
    """A question or claim with all that is below it; one that is among its own parts is a fault."""
    kind = "question" if "question" in node.value else "claim"
    text = node.text(kind, needed="write a question or a claim")
    nugget_id = node.text(f"{kind}_id") or _hash(text)
    if nugget_id in above:
        node.wrong(f"{kind}_id", "it is the id of a nugget that this is a part of: take it out")
    return Nugget(
        text,
        nugget_id,
        kind == "question",
        node.text("importance"),
        AGGREGATORS.get(node.word("aggregator_type", AGGREGATORS), ""),
        tuple(map(argue_answer, node.nodes("answers"))),
        tuple(argue_nugget(each, (*above, nugget_id)) for each in node.nodes("sub_nuggets")),
        _references(node),
        creators_of(node),
        node.value,
    )


def _argue(node: Node, _: str) -> Bank:
    """ARGUE's v3, and RAGTIME's of 2026, which is v3 with lists and the topic in its metadata."""
    title, topic_id = node.text("title_query"), node.text("query_id")
    if not topic_id and not title:
        topic_id = node.node("metadata").text("topic_id", "query_id", needed="write it, or query_id")
    nuggets = (argue_nugget(each) for name in ("nugget_bank", "claim_bank") for each in node.nodes(name))
    return Bank(topic_id or _hash(title), tuple(nuggets), "argue", title, creators_of(node))


def nuggetizer_nugget(node: Node) -> Nugget:
    """A nugget of nuggetizer's form."""
    text = node.text("text", needed="write what the nugget says")
    return Nugget(text, importance=node.word("importance", ("", *IMPORTANCES)), given=node.value)


def _nuggetizer(node: Node, _: str) -> Bank:
    nuggets = tuple(map(nuggetizer_nugget, node.nodes("nuggets")))
    return Bank(node.text("qid", needed="write the topic's id"), nuggets, "nuggetizer", node.text("query"))


def _pairs(node: Node, name: str) -> Iterator[Nugget]:
    """Questions in pairs with their answers, or as keys of them; before answers may stand how they are combined."""
    for question, value, where in node.values(name):
        pair = value if isinstance(value, list) else [value]
        if not question and len(pair) == 2 and isinstance(pair[0], str):
            question, pair = str(pair[0]), pair[1:]
        aggregator = pair[0] if len(pair) == 2 and pair[0] in (ALL, ANY) else ""
        if not question or len(pair) != 1 + bool(aggregator):
            node.fault(f"{where} is {shown(str(value))}; write a question and an object of its answers")
            continue
        answers = (
            GoldAnswer(answer, references=_references(Node({"": documents}, way, node.faults), ""))
            for answer, documents, way in Node({"": pair[-1]}, where, node.faults).values("")
        )
        yield Nugget(question, is_question=True, aggregator=aggregator, answers=tuple(answers))


def _short(node: Node, file: str) -> Bank:
    named = re.match(r"nuggets_(.+?)(?:\.v\d+)?\.json", file)
    return Bank(_topic(node, named), tuple(_pairs(Node({"": node.value}, "", node.faults), "")), "short")


def _annotation_tool(node: Node, file: str) -> Bank:
    named = re.match(r"nuggets_([^_.]+)(?:_([^.]+))?(?:\.revised|\.preload)?\.json", file)
    name = "nugget_list" if "nugget_list" in node.value else "nugget_dict"
    makers = (Creator(named[2], is_human=True),) if named and named[2] else ()
    return Bank(_topic(node, named), tuple(_pairs(node, name)), "annotation", creators=makers)


def _topic(node: Node, named: re.Match[str] | None) -> str:
    if named is None:
        node.fault("the topic is in no field of this form; call the file nuggets_TOPIC.json")
    return named[1] if named else ""


def _rubric(node: Node, _: str) -> Bank:
    questions = tuple(map(_rubric_question, node.nodes("rubrics")))
    return Bank(node.text("topic_id", needed="write the topic's id"), questions, "rubric")


def _rubric_question(node: Node) -> Nugget:
    importance = node.text("importance")
    if importance[:1] not in LETTERS or importance[1:2] not in ("", ":"):
        node.wrong("importance", "write A: Have to Know, B: Good to Know or C: Nice to Know")
    question_id = node.text("question_id", needed="write the question's id")
    answers = tuple(map(_rubric_answer, node.nodes("short_answers")))
    text = node.text("question_text")
    return Nugget(text, question_id, True, importance, EACH, answers, given=node.value)


def _rubric_answer(node: Node) -> GoldAnswer:
    """What the field of its text is called is not published: it is the one text beside the id."""
    answer_id = node.text("answer_id", needed="write the answer's id")
    texts = [value for name, value in node.value.items() if name != "answer_id" and isinstance(value, str)]
    return GoldAnswer(texts[0] if len(texts) == 1 else "", answer_id, given=node.value)


def _is_nuggetizer(fields: Fields) -> bool:
    others = {"nuggets.assignment", "run_id", "answer_text", "candidate_text"}
    return fields.has("qid", "nuggets") and fields.has("nuggets.text") and not fields.names & others


def _is_short(fields: Fields) -> bool:
    """Whether every field is a question with how its answers are combined and the answers, or the answers alone."""
    values = fields.record.values() if isinstance(fields.record, dict) else ()
    last = [each[-1] if isinstance(each, list) and len(each) == 2 else each for each in values]
    answers = [of for each in last if isinstance(each, dict) for of in each.values()]
    are_answers = all(isinstance(each, dict) for each in last)
    return bool(answers) and are_answers and all(isinstance(of, list) for of in answers)


BANK_FORMS: Mapping[str, tuple[Callable[[Fields], bool], Callable[[Node, str], Bank]]] = MappingProxyType(
    {
        "nuggetizer": (_is_nuggetizer, _nuggetizer),
        "argue": (lambda fields: bool(fields.names & {"nugget_bank", "claim_bank"}), _argue),
        "annotation": (lambda fields: bool(fields.names & {"nugget_list", "nugget_dict"}), _annotation_tool),
        "rubric": (lambda fields: fields.has("topic_id", "rubrics"), _rubric),
        "short": (_is_short, _short),
    }
)
"""Whether an object with these fields has the form, and the bank of it in a file of this name."""


def is_bank(fields: Fields) -> bool:
    """Whether a file with these fields has nugget banks, by themselves or in an object of banks by topic."""
    banks = fields.record.get("banks") if isinstance(fields.record, dict) else None
    inner = Fields.of(next(iter(banks.values()))) if isinstance(banks, dict) and banks else fields
    return any(fits(inner) for fits, _ in BANK_FORMS.values())


def bank_of(node: Node, file: str = "", form: str = "") -> Bank:
    """The bank in an object, of a form or the one that its fields tell; short forms have their topic in the file's
    name.
    """
    fields = Fields.of(node.value)
    fitting = [form] if form else [name for name, (fits, _) in BANK_FORMS.items() if fits(fields)]
    if not fitting and fields.has("query", "qid", "nuggets"):
        fitting = ["nuggetizer"]  # without a nugget
    if len(fitting) != 1:
        way_out = f"write the fields of one of {', '.join(BANK_FORMS)}, or name the form"
        node.fault(f"a bank of {' and '.join(fitting) or 'no form that is known'}; {way_out}")
        return Bank("", (), "")
    bank = BANK_FORMS[fitting[0]][1](node, Path(file).name)
    node.check_ids(bank.topic_id)
    return bank._replace(given=node.value)


def read_banks(path: str | Path | Content, form: str = "") -> BankFile:
    """Read nugget banks: JSON, JSON lines or an object with banks by topic, plain or compressed; `-` is standard input.

    They have the `form`, one of BANK_FORMS, or that which their fields tell.

    Raises InputError with all that is wrong: what is no JSON, a bank of no known form, two banks of one topic, more
    than DEEPEST objects inside one another, a nugget among its own parts.
    """
    file, around = name_of(path), list[Mapping[str, JsonValue]]()

    def banks(line: int, node: Node) -> Iterator[Bank]:
        if _is_too_deep(node.value):
            node.fault(f"more than {DEEPEST} objects are inside one another; take the inner ones out")
        elif isinstance(node.value.get("banks"), dict):
            around.append(node.value)
            yield from (bank_of(each, file, form)._replace(line=line) for each in node.nodes("banks"))
            if len(around) > 1:
                node.fault("a second object of banks; write it to a file of its own")
        else:
            yield bank_of(node, file, form)._replace(line=line)

    found = read_each(path, "nuggets", banks, lambda bank: named(bank.topic_id))
    return BankFile(file, tuple(found), around[0] if around else None)


def banks_by_topic(paths: Iterable[str | Path | Content], form: str = "") -> dict[str, tuple[BankFile, Bank]]:
    """The banks of several files by topic, each with its file; InputError, also where two are of one topic."""
    found, problems = dict[str, tuple[BankFile, Bank]](), list[Problem]()
    for path in paths:
        try:
            read = read_banks(path, form)
        except InputError as error:
            problems += error.problems
            continue
        for bank in read.banks:
            file, _ = found.setdefault(bank.topic_id, (read, bank))
            if file is not read:
                message = f"nuggets of topic {bank.topic_id} are in {file.file} too; name one of both"
                problems.append(Problem(read.file, bank.line, message))
    if problems:
        raise InputError(problems)
    return found


def _is_too_deep(value: JsonValue) -> bool:
    level = [value]
    for _ in range(DEEPEST):
        level = [each for each in level if isinstance(each, dict | list)]
        level = [inner for each in level for inner in (each.values() if isinstance(each, dict) else each)]
    return bool(level)
