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

from workbench.core.errors import InputError, Problem
from workbench.core.wording import counted
from workbench.formats.answers.fields import Fields, fields_of
from workbench.formats.answers.forms import CONTRADICTED, SUPPORTED
from workbench.formats.answers.reading import at_place
from workbench.formats.tables.csv_cells import table_rows
from workbench.formats.text.content import Content, load, name_of, stream_of
from workbench.formats.text.files import refused
from workbench.formats.text.json_values import JsonValue, NumberText, Placed, json_objects
from workbench.formats.text.lines import STOP_AFTER, identifier_problem, shown

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


class _Wrong(Exception):
    """What keeps a record from being read."""


class Layout(NamedTuple):
    """How a track writes judged support.

    Attributes:
        fields: sets of fields, any of which tells the layout.
        read: the citations in one record.
        pairs: a record is one judged pair, of a run that it does not name; else it has whole answers.
        is_table: it is CSV.
    """

    fields: tuple[tuple[str, ...], ...]
    read: Callable[[JsonValue], Iterator[JudgedCitation]]
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
    records that cannot be read, one fault of each, and where no layout fits.
    """
    file, fields = name_of(path), fields_of(path)
    layout = next((each for each in LAYOUTS.values() if each.fits(fields)), None)
    if layout is None:
        raise refused(
            file, "no judged support: no record with support_eval, support_output or labels of citations"
        )
    found, problems = dict[tuple[object, ...], JudgedCitation](), list[Problem]()
    first, texts = dict[tuple[str, str], int](), dict[tuple[object, ...], str]()
    for line, record in _records(path, layout):
        try:
            for each in layout.read(record):
                _check_names(each)
                before = first.setdefault(each[:2], line)
                if before != line and not layout.pairs:
                    raise _Wrong(
                        f"topic {each.topic_id} of this run is in line {before} already; keep one of both"
                    )
                if texts.setdefault(each[:3], each.sentence) != each.sentence:
                    raise _Wrong(f"answer_index {each.place} had another text; name one file for each run")
                key = (*each[:3], each.document_id, each.contradicting)
                found[key] = _both(found.get(key, each), each, layout.pairs)
        except _Wrong as wrong:
            problems.append(Problem(file, line, str(wrong)))
            if len(problems) >= STOP_AFTER:
                break
    if problems:
        raise InputError(problems)
    if not found:
        raise refused(file, "the answers have no sentences; name the file in which they are judged")
    return SupportFile(tuple(found.values()), not layout.pairs)


def _records(path: str | Path | Content, layout: Layout) -> Iterator[Placed]:
    if layout.is_table:
        rows = table_rows(load(path))
        _, names = next(rows)
        yield from ((line, dict(zip(names, cells, strict=False))) for line, cells in rows)
        return
    with stream_of(path) as stream:
        yield from json_objects(stream, name_of(path))


def _check_names(citation: JudgedCitation) -> None:
    if not citation.topic_id:
        raise _Wrong("the topic's id is empty")
    for what, name in (
        ("topic", citation.topic_id),
        ("run", citation.run),
        ("document", citation.document_id),
    ):
        if problem := identifier_problem(what, name):
            raise _Wrong(problem)


def _both(one: JudgedCitation, other: JudgedCitation, once: bool) -> JudgedCitation:
    """Of two judgments of one pair the stronger; with `once` they must not differ."""
    judged = [each for each in (one, other) if each.value is not None]
    if once and len({each.value for each in judged}) > 1:
        raise _Wrong(f"the pair with {shown(one.document_id)} is judged {one.value} before; keep one of both")
    return min(judged, key=lambda each: VALUES.index(str(each.value)), default=one)


def _got(record: JsonValue, name: str, kind: type[object], where: str = "") -> JsonValue:
    value = record.get(name) if isinstance(record, dict) else None
    if not isinstance(value, kind):
        wanted = "a text" if kind is str else "a list" if kind is list else "an object"
        raise _Wrong(f"{where}{name} is {'missing' if value is None else shown(str(value))}; write {wanted}")
    return value


def _value(word: JsonValue, where: str) -> str | None:
    """The value that a word stands for; None is not judged."""
    if word is None or word == "":
        return None
    spelled = " ".join(re.split(r"[\s_-]+", str(word).strip().lower()))
    value = next((value for value, words in SPELLINGS.items() if re.fullmatch(words, spelled)), None)
    if value is None:
        raise _Wrong(
            f"{where} is {shown(str(word))}; write {', '.join(VALUES)}, as the track spells it, or null"
        )
    return value


def _cited(
    run: str, topic_id: str, place: int | str, text: str, cited: Iterable[tuple[str, str | None, bool]]
) -> Iterator[JudgedCitation]:
    """A sentence with each document, its value, and whether it is cited as contradicting."""
    return (JudgedCitation(run, topic_id, place, text, *each) for each in list(cited) or [("", None, False)])


def _of_rag24(record: JsonValue) -> Iterator[JudgedCitation]:
    topic_id, judged = _got(record, "topic_id", str), defaultdict[str, deque[list[str | None]]](deque)
    references, run = _got(record, "references", list), str(record.get("run_id") or "")
    for place, entry in enumerate(_got(record, "support_eval", list)):
        where = f"support_eval[{place}]."
        scores = [_value(each, f"{where}eval_scores") for each in _got(entry, "eval_scores", list, where)]
        judged[_got(entry, "answer", str, where)].append(scores)
    for place, entry in enumerate(_got(record, "answer", list)):
        where, documents = f"answer[{place}].", list[str]()
        text = _got(entry, "text", str, where)
        for each in _got(entry, "citations", list, where):
            document = at_place(references, each) if isinstance(each, NumberText) else each
            if not isinstance(document, str):
                raise _Wrong(
                    f"{where}citations has {shown(str(each))}; references has {len(references)} documents"
                )
            documents.append(document)
        scores = judged[text].popleft() if judged[text] else []
        if len(scores) > len(documents):
            raise _Wrong(
                f"{where}citations has {counted(len(documents), 'document')}, support_eval {len(scores)} scores"
            )
        cited = zip_longest(documents, scores)
        yield from _cited(run, topic_id, place, text, ((document, value, False) for document, value in cited))
    if strange := next((text for text, left in judged.items() if left), None):
        raise _Wrong(f"support_eval has {shown(strange)} more often than answer")


def _of_rag25(record: JsonValue) -> Iterator[JudgedCitation]:
    place = _got(record, "answer_index", str)
    if not place.isdecimal() or len(place) > 9:
        raise _Wrong(f"answer_index is {shown(place)}; write the sentence's place from 0")
    # What a model thinks aloud before may name labels that it rejects.
    output = (
        str(_got(record, "support_output", str))
        .lower()
        .rpartition("</support>")[0]
        .rpartition("<support>")[2]
    )
    labels = {*ANSWERED.findall(output)}
    value = _value(f"{labels.pop()} support", "support_output") if len(labels) == 1 else None
    topic_id, text = _got(record, "narrative_id", str), _got(record, "statement", str)
    yield JudgedCitation("", topic_id, int(place), text, _got(record, "citation_id", str), value)


def _of_biogen_labels(record: JsonValue) -> Iterator[JudgedCitation]:
    about = _got(
        record, "meta_data" if isinstance(record, dict) and "meta_data" in record else "metadata", dict
    )
    topic_id, run = _got(about, "qa_id", str, "metadata."), str(about.get("run_id") or "")
    name = "answers" if "answers" in record else "answer"
    for place, each in enumerate(_got(record, name, list)):
        where, labels, cited = f"{name}[{place}].", dict[str, JsonValue](), list[tuple[str, bool]]()
        text = _got(each, "text", str, where)
        for field in (SUPPORTED, CONTRADICTED):  # a document of both lists may be labelled in one of them
            cited += ((str(document), field == CONTRADICTED) for document in _got(each, field, list, where))
            labels |= _got(each, f"{field}_labels", dict, where) if each.get(f"{field}_labels") else {}
        values = (
            (document, _value(labels.get(document), f"{where}labels"), against) for document, against in cited
        )
        yield from _cited(run, topic_id, place, text, values)


def _of_biogen24(record: JsonValue) -> Iterator[JudgedCitation]:
    topic_id = _got(record, "question_id", str)
    for run, answer in _got(record, "machine_generated_answers", dict).items():
        for place, each in enumerate(_got(answer, "answer_sentences", list, f"{shown(run)}.")):
            where, given = f"{shown(run)}.answer_sentences[{place}].", "citation_assessment"
            text, cited = _got(each, "answer_sentence", str, where), list[tuple[str, str | None, bool]]()
            for one in _got(each, given, list, where) if each.get(given) is not None else ():
                document = _got(one, "cited_pmid", str, where)
                cited.append(
                    (document, _value(one.get("evidence_relation"), f"{where}evidence_relation"), False)
                )
            yield from _cited(run, topic_id, place, text, cited)


def _of_biogen_judgments(record: JsonValue) -> Iterator[JudgedCitation]:
    topic_id, text = _got(record, "qid", str), _got(record, "answer_sentence", str)
    pmid = PMID.search(record.get("citation", ""))
    if pmid is None:
        raise _Wrong("citation has no line with PMID: and a number")
    yield JudgedCitation("", topic_id, text, text, pmid[1], _value(record.get("judgement"), "judgement"))


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
