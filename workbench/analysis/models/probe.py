"""A probe for judges: documents without sense that repeat the words of each topic, to see how many are called relevant.

The documents follow from the campaign's topics and texts and a seed, so that labels are read back without anything
having been stored: they are in no pool, in no qrels and on no leaderboard.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import groupby, islice
from operator import attrgetter
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np

from workbench.campaign.near_duplicates import plain_text
from workbench.core.errors import CampaignError
from workbench.core.records import Topic
from workbench.core.results import Column
from workbench.core.seed import SEED
from workbench.formats.qrels import read_qrels
from workbench.methods.statistics.over_topics import above, estimate
from workbench.methods.text.compared_words import words_of
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import documents, topics

TEXTS, COMMON = 300, 400
"""Common words are those that most of the first so many texts of the collection have, so many words."""
LENGTH, SHARE = 120, 0.25
"""Words of a document, and the share of them that repeats the topic's."""
WITH, WITHOUT = "with the topic's words", "common words alone"


class ProbeDocument(NamedTuple):
    """A document of a probe; `kind` is WITH or WITHOUT."""

    topic_id: str
    document_id: str
    kind: str
    text: str


class ProbeShare(NamedTuple):
    """How many documents of a kind a judge did not call worthless.

    Attributes:
        kind: which documents.
        documents: how many were made.
        labelled: how many have a label.
        found: how many of these have a label above 0.
        share: the same as a share; None without labels.
        low, high: its interval over topics; None where there is none.
        holds: in how many simulations such intervals held the truth; "" without one.
        note: why there is no interval.
    """

    kind: Annotated[str, Column("Documents")]
    documents: Annotated[int, Column("Made")]
    labelled: int
    found: Annotated[int, Column("Above 0")]
    share: Annotated[float | None, Column(kind="score")]
    low: Annotated[float | None, Column(kind="score")]
    high: Annotated[float | None, Column(kind="score")]
    holds: str
    note: str


def probe_documents(campaign: Campaign, *, each: int, seed: int = SEED) -> list[ProbeDocument]:
    """`each` documents of both kinds for every topic; CampaignError where there are no topics."""
    stored = [found.topic for found in topics.by_id(campaign).values()]
    if not stored:
        raise CampaignError(f"{campaign.name} has no topics to make a probe of; add some first")
    common = _common_words(campaign, stored)
    return [document for topic in stored for document in _of_topic(topic, common, each, seed)]


def _of_topic(topic: Topic, common: Sequence[str], each: int, seed: int) -> Iterator[ProbeDocument]:
    words = topic.title.split() or topic.description.split()
    own = {word.casefold() for word in words}
    others = [word for word in common if word not in own]
    for kind, share in ((WITH, SHARE), (WITHOUT, 0.0)):
        for number in range(each):
            key = sha256(f"{seed} {kind} {number} {topic.topic_id}".encode("utf-8", "surrogatepass")).digest()
            rng = np.random.default_rng(int.from_bytes(key[:16], "big"))
            text = nonsense(words, others, length=LENGTH, share=share, rng=rng)
            yield ProbeDocument(topic.topic_id, f"probe-{key.hex()[:16]}", kind, text)


def nonsense(
    query: Sequence[str], common: Sequence[str], *, length: int, share: float, rng: np.random.Generator
) -> str:
    """So many words, shuffled, of which a share repeats the query's and all others are common words, drawn at random.

    Without words of the query, or a share of 0, all are common ones; without common words all are the query's.

    Source: M. Alaofi, P. Thomas, F. Scholer and M. Sanderson, LLMs can be fooled into labelling a document as relevant,
    2024 (arXiv 2501.17969).
    """
    from_query = round(length * share) if common else length
    repeated = [query[place % len(query)] for place in range(from_query)] if query else []
    others = rng.choice(len(common), length - len(repeated)) if common else ()
    words = [*repeated, *(common[place] for place in others)]
    return " ".join(words[place] for place in rng.permutation(len(words)))


def _common_words(campaign: Campaign, stored: Sequence[Topic]) -> list[str]:
    """The words that most texts have, the commonest first; of topics where the campaign has no texts."""
    texts = [plain_text(found.document) for found in islice(documents.all_texts(campaign), TEXTS)]
    texts = texts or [f"{topic.title} {topic.description} {topic.narrative}" for topic in stored]
    counts = Counter(word for text in texts for word in dict.fromkeys(words_of(text)))
    return [word for word, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:COMMON]]


def probe_lines(campaign: Campaign, made: Sequence[ProbeDocument]) -> Iterator[dict[str, object]]:
    """A record for each topic, as UMBRELA reads it: the query and its candidates, both kinds by their ids."""
    stored = topics.by_id(campaign)
    for topic_id, found in groupby(made, attrgetter("topic_id")):
        ordered = sorted(found, key=attrgetter("document_id"))
        yield {
            "query": {"qid": topic_id, "text": stored[topic_id].topic.title},
            "candidates": [{"docid": each.document_id, "doc": {"segment": each.text}} for each in ordered],
        }


def read_probe(campaign: Campaign, labels: str | Path, made: Sequence[ProbeDocument]) -> list[ProbeShare]:
    """The share of labels above 0 among the documents of each kind, from a file of qrels.

    Raises:
        InputError: the file cannot be read.
        CampaignError: a line is about a document that is none of this probe.
    """
    known = {(each.topic_id, each.document_id): each for each in made}
    grades = {(topic, document): grade for topic, document, grade in read_qrels(labels).frame.iter_rows()}
    if strange := sorted(grades.keys() - known.keys()):
        topic_id, document_id = strange[0]
        raise CampaignError(
            f"{labels}: topic {topic_id}, document {document_id} is none of this probe; give the number of documents "
            "and the seed with which it was written"
        )
    return [_share(kind, [each for each in made if each.kind == kind], grades) for kind in (WITH, WITHOUT)]


def _share(kind: str, made: Sequence[ProbeDocument], grades: dict[tuple[str, str], int]) -> ProbeShare:
    place = {
        topic_id: number for number, topic_id in enumerate(dict.fromkeys(each.topic_id for each in made))
    }
    tables = np.zeros((len(place), 2, 2))
    for each in made:
        grade = grades.get((each.topic_id, each.document_id))
        if grade is not None:
            tables[place[each.topic_id], 0, int(grade > 0)] += 1
    found = estimate(tables, above, lowest=0.0)
    low, high = found.interval or (None, None)
    counts = int(tables.sum()), int(tables[:, 0, 1].sum())
    return ProbeShare(kind, len(made), *counts, found.value, low, high, found.holds, found.note)
