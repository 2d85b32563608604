"""The demo's runs: variants of BM25 over different fields, as the teams of a shared task would send them in.

They differ in what real runs differ in: the weighting, how much of the topic and of the document is read, stop words
and stemming. The same topics and documents give the same lines on every machine.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from workbench.core.records import Document, Topic

DEPTH = 100
# Names of code count as the words they are made of: OrderedDict.move_to_end is ordered, dict, move, to, end.
WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|[^\W\d_]+")


class Recipe(NamedTuple):
    """How one run is made: weighting and stop words by the names bm25s gives them, and which fields are read.

    Without a list of stop words every word counts.
    """

    tag: str
    team: str
    method: str = "lucene"
    k1: float = 1.2
    b: float = 0.75
    delta: float = 0.5
    document_fields: tuple[str, ...] = ("title", "text")
    topic_fields: tuple[str, ...] = ("title",)
    stop_words: str = "STOPWORDS_EN_PLUS"
    stemmed: bool = False


TITLE_AND_DESCRIPTION = ("title", "description")

RECIPES = (
    Recipe("lucene", "harbour"),
    Recipe("lucene-stemmed", "harbour", stemmed=True),
    Recipe("lucene-long-topics", "harbour", topic_fields=TITLE_AND_DESCRIPTION, stemmed=True),
    Recipe("robertson-text", "lantern", method="robertson", k1=0.9, b=0.4, document_fields=("text",)),
    Recipe("atire-names", "lantern", method="atire", document_fields=("title",), stemmed=True),
    Recipe("atire-every-word", "lantern", method="atire", k1=3.0, b=1.0, stop_words=""),
    Recipe("bm25l-descriptions", "meadow", method="bm25l", topic_fields=("description",), stemmed=True),
    Recipe(
        "bm25plus", "meadow", method="bm25+", k1=2.0, b=0.9, delta=1.0, topic_fields=TITLE_AND_DESCRIPTION
    ),
)


class Words:
    """Texts as lists of words, prepared by the settings of one recipe."""

    def __init__(self, recipe: Recipe) -> None:
        from bm25s import stopwords

        self.dropped = frozenset(getattr(stopwords, recipe.stop_words, ()))
        self.stemmed = recipe.stemmed

    def of(self, record: Topic | Document, fields: Sequence[str]) -> list[str]:
        """The words of the named fields of a topic or document, in order, in lower case."""
        text = " ".join(getattr(record, field) for field in fields)
        words = [word for word in map(str.lower, WORD.findall(text)) if word not in self.dropped]
        return [singular(word) for word in words] if self.stemmed else words


def singular(word: str) -> str:
    """The word without an English plural's ending.

    The three rules of the "S stemmer" in D. Harman, How effective is suffixing? (JASIS 42, 1991): the first one that
    fits the ending decides, also when one of its exceptions then leaves the word as it is.
    """
    if len(word) < 4 or not word.endswith("s"):
        return word
    if word.endswith("ies"):
        return word if word.endswith(("eies", "aies")) else word[:-3] + "y"
    if word.endswith("es"):
        return word if word.endswith(("aes", "ees", "oes")) else word[:-1]
    return word if word.endswith(("us", "ss")) else word[:-1]


def run_lines(recipe: Recipe, topics: Sequence[Topic], documents: Sequence[Document]) -> Iterator[str]:
    """One run as lines of six columns: at most 100 documents a topic, best first, each with a word of the topic.

    Scores are printed with six decimals; documents with equal printed scores are in descending order of their ids.
    """
    import bm25s
    import numpy as np

    # Descending ids first: a stable sort by score then leaves them so wherever scores are equal.
    documents = sorted(documents, key=lambda document: document.document_id.encode(), reverse=True)
    words = Words(recipe)
    texts = [words.of(document, recipe.document_fields) for document in documents]
    index = bm25s.BM25(method=recipe.method, k1=recipe.k1, b=recipe.b, delta=recipe.delta, backend="numpy")
    index.index(texts, show_progress=False)
    vocabularies = [frozenset(text) for text in texts]
    for topic in topics:
        wanted = words.of(topic, recipe.topic_fields)
        scores = index.get_scores(wanted).astype(np.float64).round(6)
        best = np.argsort(-scores, kind="stable").tolist()
        found = (row for row in best if not vocabularies[row].isdisjoint(wanted))
        for rank, row in enumerate(islice(found, DEPTH), start=1):
            yield f"{topic.topic_id} Q0 {documents[row].document_id} {rank} {scores[row]:.6f} {recipe.tag}"
