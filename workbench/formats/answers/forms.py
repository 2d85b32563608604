"""The forms in which shared tasks take runs of answers: which fields, which citations, how long.

Each is declared once; a reader asks for the shape, a check for the limits.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

PLACES, IDS, WEIGHTS, NUMBERS = "places", "ids", "weights", "ids as numbers"
"""How a sentence cites: places in `references` from 0, ids of documents, an object of ids with a number each, or ids
that are written as numbers.
"""

SUPPORTED, CONTRADICTED = "supported_citations", "contradicted_citations"
"""The fields of a sentence that says whether the documents it cites support or contradict it."""

LENIENT = frozenset({"empty-answer", "empty-sentence", "topic-twice", "reference-twice"})
"""What most tasks only warn of."""

MARCO = r"msmarco_v2\.1_doc_\d\d_\d+#\d+_\d+"
NEUCLIR = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}_\d+"

Texts = Sequence[str]


def words(texts: Texts) -> int:
    """Words of an answer: its sentences joined by blanks, split at blanks."""
    return len(" ".join(texts).split())


def characters(texts: Texts) -> int:
    """Characters of an answer: its sentences joined by one blank each, composed and compatible (NFKC)."""
    return len(unicodedata.normalize("NFKC", " ".join(texts)))


class AnswerForm(NamedTuple):
    """The form of one task.

    Attributes:
        title: the task with its year.
        sentences: the field with the list of sentences.
        topic: the field with the topic's id.
        required: fields beside that one that must be there, not empty.
        inside: the object that has these fields; '' where they are on top.
        citations: how sentences cite, any of PLACES, IDS, WEIGHTS, NUMBERS.
        cites: the fields of a sentence with citations; where there are several, each sentence has them all.
        given: the field, of a sentence or beside the topic, with documents that may not be cited as supporting.
        other_name: another name of the field with the sentences.
        documents: what ids of documents look like; '' where any do.
        references: whether an answer lists what it may cite; documents that no sentence cites are `uncited` then.
        most_references, most_citations: of an answer, of a field with citations; None where there is no limit.
        count: what measures the length, `words` or `characters`.
        longest: the largest length; None where there is none, or each topic has its own.
        longest_tag: the most characters of a run's tag.
        tolerated: kinds of findings, those of `reading`, that the task only warns of.
    """

    title: str
    sentences: str
    topic: str
    required: tuple[str, ...]
    inside: str = "metadata"
    citations: tuple[str, ...] = (IDS,)
    cites: tuple[str, ...] = ("citations",)
    given: str = ""
    other_name: str = ""
    documents: str = ""
    references: bool = False
    most_references: int | None = None
    most_citations: int | None = None
    count: Callable[[Texts], int] = words
    longest: int | None = None
    longest_tag: int | None = None
    tolerated: frozenset[str] = frozenset()

    def sentences_of(self, record: Mapping[str, object]) -> str:
        """The name that the field with the sentences has in a record."""
        return self.other_name if self.other_name in record else self.sentences

    def is_document(self, document_id: str) -> bool:
        """Whether an id looks as the collection's do."""
        return not self.documents or re.fullmatch(self.documents, document_id) is not None


RAG25 = AnswerForm(
    "TREC RAG 2025",
    "answer",
    "narrative_id",
    ("team_id", "run_id", "type", "narrative"),
    citations=(PLACES, IDS),
    documents=MARCO,
    references=True,
    most_references=100,
    longest=400,
    tolerated=frozenset({"empty-answer", "uncited", "reference-twice", "length"}),
)
RAGTIME25 = AnswerForm(
    "TREC RAGTIME 2025",
    "responses",
    "topic_id",
    ("team_id", "run_id"),
    citations=(WEIGHTS, IDS),
    documents=NEUCLIR,
    references=True,
    most_citations=3,
    count=characters,
    longest_tag=25,
    tolerated=LENIENT | {"references", "most-citations", "length"},
)

FORMS: Mapping[str, AnswerForm] = MappingProxyType(
    {
        "rag24": AnswerForm(
            "TREC RAG 2024",
            "answer",
            "topic_id",
            ("run_id", "topic"),
            inside="",
            citations=(PLACES,),
            documents=MARCO,
            references=True,
            most_references=20,
            longest=400,
            tolerated=frozenset({"uncited"}),
        ),
        "rag25": RAG25,
        "ragnarok": RAG25._replace(
            title="ragnarok, before conversion", required=("team_id", "run_id", "type"), inside=""
        ),
        "rag26": AnswerForm(
            "TREC RAG 2026",
            "answer",
            "narrative_id",
            ("team_id", "run_id", "narrative", "run_desc"),
            citations=(PLACES, IDS),
            documents=r"shard_\d+_\d+",
            references=True,
            most_citations=3,
            longest=1024,
            longest_tag=20,
            tolerated=frozenset({"empty-answer", "uncited", "reference-twice", "most-citations"}),
        ),
        "ragtime25": RAGTIME25,
        "ragtime26": RAGTIME25._replace(
            title="TREC RAGTIME 2026",
            references=False,
            longest_tag=20,
            tolerated=LENIENT | {"most-citations", "length"},
        ),
        "dragun25": AnswerForm(
            "TREC DRAGUN 2025, reports",
            "responses",
            "topic_id",
            ("team_id", "run_id", "type", "use_starter_kit"),
            documents=MARCO,
            most_citations=3,
            longest=250,
            tolerated=LENIENT | {"most-citations"},
        ),
        "biogen25-a": AnswerForm(
            "TREC BioGen 2025, task A",
            "answer",
            "qa_id",
            ("team_id", "run_id", "question"),
            citations=(IDS, NUMBERS),
            cites=(SUPPORTED, CONTRADICTED),
            given="existing_supported_citations",
            other_name="answers",
            documents=r"\d+",
            most_citations=3,
        ),
        "biogen25-b": AnswerForm(
            "TREC BioGen 2025, task B",
            "responses",
            "topic_id",
            ("team_id", "run_id"),
            documents=r"\d+",
            most_citations=3,
            longest=250,
        ),
    }
)

SENTENCES = frozenset(name for form in FORMS.values() for name in (form.sentences, form.other_name) if name)
"""The fields that have an answer's sentences."""
