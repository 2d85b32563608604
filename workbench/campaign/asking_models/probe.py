"""A probe for judges: documents without sense that repeat the words of each topic, to see how many are called relevant.

They follow from the campaign's topics and texts and a seed. Their texts are stored nowhere, and they are in no pool;
what a judge answers about them is stored with its other answers, and is no label.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import islice

import numpy as np

from workbench.campaign.near_duplicates import plain_text
from workbench.core.errors import CampaignError
from workbench.core.model_answers import COMMON_WORDS, TOPIC_WORDS
from workbench.core.records import Topic
from workbench.core.seed import SEED
from workbench.methods.text.compared_words import words_of
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import documents, topics

MOST = 100
TEXTS, COMMON = 300, 400
"""Common words are those that most of the first so many texts of the collection have, so many words."""
LENGTH, SHARES = 120, {TOPIC_WORDS: 0.25, COMMON_WORDS: 0.0}
"""Words of a document, and by its kind the share of them that repeats the topic's."""


def probe_documents(campaign: Campaign, *, each: int, seed: int = SEED) -> dict[str, dict[str, str]]:
    """The texts of `each` documents of both kinds for every topic, by topic and id; the id names the kind.

    CampaignError where there are no topics, or too many documents.
    """
    if not 1 <= each <= MOST:
        raise CampaignError(f"{each:,} documents of a probe for each topic; take 1 to {MOST}")
    stored = [found.topic for found in topics.by_id(campaign).values()]
    if not stored:
        raise CampaignError(f"{campaign.name} has no topics to make a probe of; add some first")
    common = _common_words(campaign, stored)
    return {topic.topic_id: dict(_of_topic(topic, common, each, seed)) for topic in stored}


def _of_topic(topic: Topic, common: Sequence[str], each: int, seed: int) -> Iterator[tuple[str, str]]:
    words = topic.title.split() or topic.description.split()
    own = {word.casefold() for word in words}
    others = [word for word in common if word not in own]
    for kind, share in SHARES.items():
        for number in range(each):
            key = sha256(f"{seed} {kind} {number} {topic.topic_id}".encode("utf-8", "surrogatepass")).digest()
            rng = np.random.default_rng(int.from_bytes(key[:16], "big"))
            yield (
                f"probe-{kind}-{key.hex()[:16]}",
                nonsense(words, others, length=LENGTH, share=share, rng=rng),
            )


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


def probe_lines(campaign: Campaign, made: Mapping[str, Mapping[str, str]]) -> Iterator[dict[str, object]]:
    """A record for each topic, as UMBRELA reads it: the query and its candidates, both kinds in a drawn order."""
    stored = topics.by_id(campaign)
    for topic_id, found in made.items():
        yield {
            "query": {"qid": topic_id, "text": stored[topic_id].topic.title},
            "candidates": [
                {"docid": each, "doc": {"segment": found[each]}}
                for each in sorted(found, key=lambda name: name.rpartition("-")[2])
            ],
        }
