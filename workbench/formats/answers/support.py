"""Judged support: of each sentence of an answer and each document that it cites, what the document says of it.

Sources: TREC RAG's support_evaluation_gpt4o.py (2024) and its successor of 2025, which write the first two layouts; the
script that scores labels and judgments of BioGen 2025, task A; deepaknlp/MedAESQA, src/medaesqa_eval.py (BioGen 2024).
"""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import zip_longest
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from workbench.core.wording import counted
from workbench.formats.answers.fields import Fields, fields_of
from workbench.formats.answers.forms import CONTRADICTED, SUPPORTED
from workbench.formats.answers.nodes import Node, named, read_each
from workbench.formats.answers.reading import at_place
from workbench.formats.text.content import Content, name_of
from workbench.formats.text.files import refused
from workbench.formats.text.json_values import JsonValue, NumberText
from workbench.formats.text.lines import identifier_problem, shown

VALUES = ("supports", "partial", "contradicts", "neutral", "none", "not relevant")
"""What a document says of a sentence, the strongest first: none is TREC RAG's "no support"; contradicts, neutral and
not relevant are BioGen's.
"""
SUPPORTS, PARTIAL, CONTRADICTS, NEUTRAL, NONE, IRRELEVANT = VALUES

SPELLINGS: Mapping[str, str] = MappingProxyType(
    {
        SUPPORTS: "fs|full support|support(s|ed|ing)?",
        PARTIAL: "ps|partial(ly)?( support(s|ed)?)?",
        CONTRADICTS: "contradict(s|ed|ing)?",
        NEUTRAL: "neutral",
        NONE: "ns|no support",
        IRRELEVANT: "not relevant",
    }
)
"""The words of files for each value, in lower case, with blanks for hyphens and underscores."""

ANSWERED = re.compile(r"\b(full|partial|no) support\b")
AN_ID, A_SENTENCE = "write its id", "write the sentence"
PMID = re.compile(r"^[ \t]*pmid:[ \t]*(\S+)", re.IGNORECASE | re.MULTILINE)


class JudgedCitation(NamedTuple):
    """A sentence of an answer with one document that it cites.

    Attributes:
        run: '' where the file does not say it.
        topic_id: the topic.
        place: of the sentence in the answer, from 0; its text in a file that does not say the place.
        sentence: its text.
        document_id: '' for a sentence that cites nothing.
        value: one of VALUES; None where the pair is not judged, or the judgment cannot be read.
        contradicting: the sentence cites it as a document that contradicts it.
    """

    run: str
    topic_id: str
    place: int | str
    sentence: str
    document_id: str
    value: str | None
    contradicting: bool = False


class SupportFile(NamedTuple):
    """The citations of a file; `whole`: every sentence of each answer is there, with all that it cites."""

    citations: tuple[JudgedCitation, ...]
    whole: bool


class Layout(NamedTuple):
    """How a track writes judged support.

    Attributes:
        fields: sets of fields, any of which tells the layout.
        read: the citations in one record.
        pairs: a record is one judged pair, of a run that it does not name; else it has whole answers.
        is_table: it is CSV.
    """

    fields: tuple[tuple[str, ...], ...]
    read: Callable[[Node], Iterator[JudgedCitation]]
    pairs: bool = False
    is_table: bool = False

    def fits(self, fields: Fields) -> bool:
        """Whether a file with these fields has this layout."""
        return fields.is_table == self.is_table and any(fields.has(*names) for names in self.fields)


def holds_support(fields: Fields) -> bool:
    """Whether a file with these fields has judged support in any layout."""
    return any(layout.fits(fields) for layout in LAYOUTS.values())


def read_support(path: str | Path | Content) -> SupportFile:
    """Read a file of judged support, plain or compressed, in any layout of LAYOUTS.

    Of a document that a sentence of a whole answer cites twice the strongest value counts. Raises InputError with all
    faults, and where no layout fits.
    """
    file, fields = name_of(path), fields_of(path)
    layout = next((each for each in LAYOUTS.values() if each.fits(fields)), None)
    if layout is None:
        message = "no judged support: no record with support_eval, support_output or labels of citations"
        raise refused(file, message)
    found = dict[tuple[object, ...], JudgedCitation]()
    first, texts = dict[tuple[str, str], int](), dict[tuple[object, ...], str]()

    def read(line: int, node: Node) -> Iterator[JudgedCitation]:
        for each in layout.read(node):
            node.check_ids(each.topic_id, each.run)
            if (before := first.setdefault(each[:2], line)) != line and not layout.pairs:
                node.fault(f"{named(each.topic_id, each.run)} is in line {before} already; keep one of both")
            if problem := identifier_problem("document", each.document_id):
                node.fault(problem)
            if texts.setdefault(each[:3], each.sentence) != each.sentence:
                node.fault(f"answer_index {each.place} had another text; name one file for each run")
            if not node.faults:
                key = (*each[:3], each.document_id, each.contradicting)
                found[key] = _both(found.get(key, each), each, node if layout.pairs else None)
            yield each

    read_each(path, "answers whose sentences are judged", read)
    return SupportFile(tuple(found.values()), not layout.pairs)


def _both(one: JudgedCitation, other: JudgedCitation, once: Node | None) -> JudgedCitation:
    """Of two judgments of one pair the stronger; it is a fault of the record `once` if they differ."""
    judged = [each for each in (one, other) if each.value is not None]
    if once and len({each.value for each in judged}) > 1:
        once.fault(f"the pair with {shown(one.document_id)} is judged {one.value} before; keep one of both")
    return min(judged, key=lambda each: VALUES.index(str(each.value)), default=one)


def _value(node: Node, word: JsonValue, where: str) -> str | None:
    """The value that a word stands for; None is not judged."""
    if word is None or word == "":
        return None
    spelled = " ".join(re.split(r"[\s_-]+", str(word).strip().lower()))
    value = next((value for value, words in SPELLINGS.items() if re.fullmatch(words, spelled)), None)
    if value is None:
        way_out = f"write {', '.join(VALUES)}, as the track spells it, or null"
        node.fault(f"{where} is {shown(str(word))}; {way_out}")
    return value


def _cited(
    run: str, topic_id: str, place: int | str, text: str, cited: Iterable[tuple[str, str | None, bool]]
) -> Iterator[JudgedCitation]:
    """A sentence with each document, its value, and whether it is cited as contradicting."""
    return (JudgedCitation(run, topic_id, place, text, *each) for each in list(cited) or [("", None, False)])


def _of_rag24(record: Node) -> Iterator[JudgedCitation]:
    topic_id, run = record.text("topic_id", needed=AN_ID), record.text("run_id")
    references = [document for _, document, _ in record.values("references", needed=True)]
    judged = defaultdict[str, deque[list[str | None]]](deque)
    for entry in record.nodes("support_eval", needed=True):
        scores = [_value(entry, value, where) for _, value, where in entry.values("eval_scores", needed=True)]
        judged[entry.text("answer", needed=A_SENTENCE)].append(scores)
    for place, entry in enumerate(record.nodes("answer", needed=True)):
        text, documents = entry.text("text", needed=A_SENTENCE), list[str]()
        for key, each, where in entry.values("citations", needed=True):
            document = key or (at_place(references, each) if isinstance(each, NumberText) else each)
            if not isinstance(document, str):
                there = counted(len(references), "document")
                entry.fault(f"{where} is {shown(str(each))}; references has {there}")
            documents.append(str(document))
        scores = judged[text].popleft() if judged[text] else []
        if len(scores) > len(documents):
            cites = entry.at("citations")
            entry.fault(f"{cites} has {len(documents)} of {len(scores)} documents with scores")
        cited = ((str(document), value, False) for document, value in zip_longest(documents, scores))
        yield from _cited(run, topic_id, place, text, cited)
    if strange := next((text for text, left in judged.items() if left), None):
        record.fault(f"support_eval has {shown(strange)} more often than answer")


def _of_rag25(record: Node) -> Iterator[JudgedCitation]:
    place = record.text("answer_index")
    if not place.isdecimal() or len(place) > 9:
        record.wrong("answer_index", "write the sentence's place from 0")
        return
    # What a model thinks aloud before may name labels that it rejects.
    output = record.text("support_output").lower().rpartition("</support>")[0].rpartition("<support>")[2]
    labels = {*ANSWERED.findall(output)}
    value = _value(record, f"{labels.pop()} support", "support_output") if len(labels) == 1 else None
    topic_id, text = record.text("narrative_id", needed=AN_ID), record.text("statement", needed=A_SENTENCE)
    yield JudgedCitation("", topic_id, int(place), text, record.text("citation_id", needed=AN_ID), value)


def _of_biogen_labels(record: Node) -> Iterator[JudgedCitation]:
    about = record.node("meta_data" if "meta_data" in record.value else "metadata")
    topic_id, run = about.text("qa_id", needed=AN_ID), about.text("run_id")
    name = "answers" if "answers" in record.value else "answer"
    for place, each in enumerate(record.nodes(name, needed=True)):
        labels, cited = dict[str, JsonValue](), list[tuple[str, bool]]()
        for field in (SUPPORTED, CONTRADICTED):  # a document of both lists may be labelled in one of them
            values = each.values(field, needed=True)
            cited += ((key or str(value), field == CONTRADICTED) for key, value, _ in values)
            labels |= each.node(f"{field}_labels").value if each.value.get(f"{field}_labels") else {}
        at = each.at("labels")
        judged = ((name, _value(each, labels.get(name), at), against) for name, against in cited)
        yield from _cited(run, topic_id, place, each.text("text", needed=A_SENTENCE), judged)


def _of_biogen24(record: Node) -> Iterator[JudgedCitation]:
    topic_id = record.text("question_id", needed=AN_ID)
    for run, answer, where in record.values("machine_generated_answers", needed=True):
        sentences = Node(answer, where, record.faults).nodes("answer_sentences", needed=True)
        for place, each in enumerate(sentences):
            values = []
            for one in each.nodes("citation_assessment"):
                document_id, word = one.text("cited_pmid", needed=AN_ID), one.value.get("evidence_relation")
                values.append((document_id, _value(one, word, one.at("evidence_relation")), False))
            yield from _cited(run, topic_id, place, each.text("answer_sentence", needed=A_SENTENCE), values)


def _of_biogen_judgments(record: Node) -> Iterator[JudgedCitation]:
    topic_id, text = record.text("qid", needed=AN_ID), record.text("answer_sentence", needed=A_SENTENCE)
    pmid = PMID.search(record.text("citation"))
    if pmid is None:
        record.fault("citation has no line with PMID: and a number")
        return
    value = _value(record, record.text("judgement"), "judgement")
    yield JudgedCitation("", topic_id, text, text, pmid[1], value)


LAYOUTS: Mapping[str, Layout] = MappingProxyType(
    {
        "rag24": Layout((("support_eval",),), _of_rag24),
        "rag25": Layout((("support_output", "citation_id"),), _of_rag25, pairs=True),
        "biogen25-labels": Layout(
            tuple((f"{name}.{SUPPORTED}_labels",) for name in ("answer", "answers")), _of_biogen_labels
        ),
        "biogen25-judgments": Layout(
            (("qid", "answer_sentence", "citation", "judgement"),),
            _of_biogen_judgments,
            pairs=True,
            is_table=True,
        ),
        "biogen24": Layout((("machine_generated_answers",),), _of_biogen24),
    }
)
