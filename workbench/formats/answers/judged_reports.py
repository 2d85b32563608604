"""Reports that Auto-ARGUE has judged: of each sentence, what its citations do for it and which answers it gives.

    {"report": {"metadata": {"run_id": "best", "topic_id": "300"}, "responses": [{"text": "Reefs recover slowly."}]},
     "judgments": [{"segment_type": "sentence", "citations": [{"doc_id": "d1"}], "judgments": [
       {"judgment_type_id": "SENTENCE_ATTESTED", "response": {"is_attested": true}, "provenance": {"doc_id": "d1"}}]}]}

Source: hltcoe/argue-viz, src/streamlit_app.py and assets/example-report.judgments.jsonl.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from workbench.formats.answers.banks import Nugget
from workbench.formats.answers.nodes import Node, named, read_each
from workbench.formats.text.content import Content
from workbench.formats.text.json_values import JsonValue, json_of

RELEVANCE, ATTESTED, ANSWERS = "CITED_DOCUMENT_RELEVANCE", "SENTENCE_ATTESTED", "SENTENCE_ANSWERS_QUESTION"
TOPIC_NAMES = ("topic_id", "request_id", "narrative_id")


class JudgedSentence(NamedTuple):
    """How many documents a sentence cites, how many of them are relevant, and how many support it."""

    citations: int
    relevant: int
    supporting: int


class JudgedReport(NamedTuple):
    """A report with the answers that any of its sentences gives to each question; `characters` of all sentences."""

    line: int
    run: str
    topic_id: str
    characters: int
    sentences: tuple[JudgedSentence, ...]
    answered: dict[str, set[str]]


def read_judged_reports(path: str | Path | Content) -> list[JudgedReport]:
    """Read a file of judged reports, plain or compressed.

    Raises InputError with all that is wrong, also two reports of one run on one topic.
    """
    return read_each(path, "judged reports", _reports, lambda each: named(each.topic_id, each.run))


class Cited(NamedTuple):
    """A document that a sentence cites, its text, and whether it is relevant and attests the sentence; None of both
    where that is not judged.
    """

    document_id: str
    text: str
    relevant: bool | None
    attested: bool | None


def written_report(
    run: str,
    team: str,
    topic_id: str,
    sentences: Sequence[tuple[str, Sequence[Cited]]],
    answered: Iterable[Nugget],
) -> str:
    """The line of a report: each sentence with what it cites, and the nuggets that the report answers.

    These stand at the first sentence, with all their answers: which sentence gives which is not known.
    """
    matched = [
        {"question_text": each.text, "matched_answer": texts, "importance": each.importance or None}
        for each in answered
        if (texts := [answer.text for answer in each.answers])
    ]
    judgments = [[each for one in cited for each in _judgments(one)] for _, cited in sentences]
    if matched:
        judgments[0].append(_judgment(ANSWERS, None, matched_nuggets=matched))
    segments = [
        {
            "segment_type": "sentence",
            "text": text,
            "citations": [{"doc_id": each.document_id, "text": each.text} for each in cited],
            "judgments": of_sentence,
        }
        for (text, cited), of_sentence in zip(sentences, judgments, strict=True)
    ]
    responses = [
        {"text": text, "citations": [each.document_id for each in cited]} for text, cited in sentences
    ]
    report = {
        "metadata": {"team_id": team, "topic_id": topic_id, "run_id": run},
        "responses": responses,
        "references": list(dict.fromkeys(name for each in responses for name in each["citations"])),
    }
    return json_of({"report": report, "judgments": segments}) + "\n"


def _judgments(cited: Cited) -> Iterator[JsonValue]:
    if cited.relevant is not None:
        yield _judgment(RELEVANCE, cited.document_id, is_relevant=cited.relevant)
    if cited.attested is not None:
        yield _judgment(ATTESTED, cited.document_id, is_attested=cited.attested)


def _judgment(kind: str, document_id: str | None, **response: JsonValue) -> JsonValue:
    return {
        "judgment_type_id": kind,
        "response": {"judgment_type_id": kind, **response},
        "provenance": {"doc_id": document_id, "sentence": None, "run_id": None, "sent_id": None},
    }


def _reports(line: int, node: Node) -> Iterator[JudgedReport]:
    report = node.node("report")
    metadata = report.node("metadata")
    run, topic_id = metadata.text("run_id"), metadata.text(*TOPIC_NAMES, needed="write the topic's id")
    node.check_ids(topic_id, run)
    texts = [each.text("text", needed="write the sentence") for each in report.nodes("responses")]
    answered = defaultdict[str, set[str]](set)
    sentences = tuple(_sentence(each, answered) for each in node.nodes("judgments"))
    yield JudgedReport(line, run, topic_id, sum(map(len, texts)), sentences, dict(answered))


def _sentence(node: Node, answered: dict[str, set[str]]) -> JudgedSentence:
    if node.value.get("segment_type") != "sentence":
        node.wrong("segment_type", "only sentences are scored")
    cited = [each.text("doc_id", needed="write the document's id") for each in node.nodes("citations")]
    yes: dict[str, set[str]] = {RELEVANCE: set(), ATTESTED: set()}
    for judgment in node.nodes("judgments"):
        kind = judgment.text("judgment_type_id", needed="write what was judged")
        if kind == ANSWERS:
            for nugget in judgment.node("response").nodes("matched_nuggets"):
                question = nugget.text("question_text", needed="write the question")
                answered[question] |= {str(answer) for _, answer, _ in nugget.values("matched_answer")}
        elif kind in yes:
            response = judgment.node("response")
            name = "is_relevant" if kind == RELEVANCE else "is_attested"
            if not isinstance(response.value.get(name), bool):
                response.wrong(name, "write true or false")
            if response.value.get(name) is True:
                yes[kind].add(judgment.node("provenance").text("doc_id", needed="write the document's id"))
    counts = (sum(document in documents for document in cited) for documents in yes.values())
    return JudgedSentence(len(cited), *counts)
