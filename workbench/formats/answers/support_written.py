"""Files of judged support as the tracks write them; `support.py` reads them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from types import MappingProxyType
from typing import NamedTuple

from workbench.core.errors import WorkbenchError
from workbench.core.wording import listed
from workbench.formats.answers.forms import CONTRADICTED, SUPPORTED, words
from workbench.formats.answers.support import (
    CONTRADICTS,
    IRRELEVANT,
    NEUTRAL,
    NONE,
    PARTIAL,
    SUPPORTS,
    JudgedCitation,
)
from workbench.formats.text.json_values import json_of

WORDS: Mapping[str, Mapping[str | None, str]] = MappingProxyType(
    {
        "rag24": {SUPPORTS: "FS", PARTIAL: "PS", NONE: "NS", None: ""},
        "rag25": {SUPPORTS: "Full Support", PARTIAL: "Partial Support", NONE: "No Support", None: ""},
        "biogen25-labels": {
            SUPPORTS: "Supports",
            CONTRADICTS: "Contradicts",
            NEUTRAL: "Neutral",
            IRRELEVANT: "Not relevant",
            None: "",
        },
    }
)
"""The layouts that are written, with their words for VALUES and for what is not judged."""


class Texts(NamedTuple):
    """The texts of topics and of documents, by their ids."""

    topics: Mapping[str, str] = MappingProxyType({})
    documents: Mapping[str, str] = MappingProxyType({})


NO_TEXTS = Texts()
Sentences = Sequence[tuple[str, Sequence[JudgedCitation]]]


def written_support(
    citations: Iterable[JudgedCitation], layout: str, texts: Texts = NO_TEXTS
) -> Iterator[str]:
    """The lines of a file of judged support in a layout of WORDS.

    The pairs of rag25 name no run and leave out sentences that cite nothing; the layouts of RAG do not say that a
    document is cited as contradicting. Raises WorkbenchError for a value that the layout has no word for.
    """
    rows = sorted(citations, key=lambda each: each[:3])
    if strange := sorted({str(each.value) for each in rows if each.value not in WORDS[layout]}):
        raise WorkbenchError(f"files of {layout} have no word for {listed(strange)}; choose another layout")
    for (run, topic_id), answer in groupby(rows, lambda each: each[:2]):
        sentences = [
            (text, [each for each in cited if each.document_id])
            for (_, text), cited in groupby(answer, lambda each: each[2:4])
        ]
        record = {"rag24": _rag24, "rag25": _pairs, "biogen25-labels": _biogen_labels}[layout]
        yield from (json_of(each) + "\n" for each in record(run, topic_id, sentences, texts))


def _rag24(run: str, topic_id: str, sentences: Sentences, texts: Texts) -> Iterator[dict[str, object]]:
    references = list(dict.fromkeys(each.document_id for _, cited in sentences for each in cited))
    places = {document: place for place, document in enumerate(references)}
    answer = [(text, [places[each.document_id] for each in cited], cited) for text, cited in sentences]
    yield {
        "run_id": run,
        "topic_id": topic_id,
        "topic": texts.topics.get(topic_id, ""),
        "references": references,
        "response_length": words([text for text, _ in sentences]),
        "answer": [{"text": text, "citations": cites} for text, cites, _ in answer],
        "segments": {document: texts.documents.get(document, "") for document in references},
        "support_eval": [
            {
                "answer": text,
                "citations": cites,
                "count": len(cites),
                "eval_scores": [WORDS["rag24"][each.value] or None for each in cited],
            }
            for text, cites, cited in answer
        ],
    }


def _pairs(run: str, topic_id: str, sentences: Sentences, texts: Texts) -> Iterator[dict[str, object]]:
    for each in (each for _, cited in sentences for each in cited):
        yield {
            "narrative_id": topic_id,
            "narrative": texts.topics.get(topic_id, ""),
            "answer_index": each.place,
            "statement": each.sentence,
            "citation_id": each.document_id,
            "citation_doc": texts.documents.get(each.document_id, ""),
            "support_output": f"<support>{WORDS['rag25'][each.value]}</support>",
        }


def _biogen_labels(
    run: str, topic_id: str, sentences: Sentences, texts: Texts
) -> Iterator[dict[str, object]]:
    answer = list[dict[str, object]]()
    for text, cited in sentences:
        answer.append({"text": text})
        for field, against in ((SUPPORTED, False), (CONTRADICTED, True)):
            own = {
                each.document_id: WORDS["biogen25-labels"][each.value] for each in cited if each[6] == against
            }
            answer[-1] |= {
                field: [*own],
                f"{field}_labels": {name: label for name, label in own.items() if label},
            }
    yield {
        "metadata": {"run_id": run, "qa_id": topic_id, "question": texts.topics.get(topic_id, "")},
        "answer": answer,
    }
