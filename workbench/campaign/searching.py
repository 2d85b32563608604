"""Searching the stored texts for a topic, and pooling what is found: interactive searching and judging."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from workbench.campaign.near_duplicates import near_duplicate_steps, plain_text
from workbench.campaign.pools.making import MadePool, add_pool
from workbench.core.errors import AlreadyDone, CampaignError, NotThere
from workbench.core.wording import listed, none_such
from workbench.jobs.processes import OnStep
from workbench.methods.pooling.strategies.listed import write_pair
from workbench.methods.text.compared_words import words_of
from workbench.methods.text.passage import Piece, excerpt_of
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import documents, pools, topic_withdrawals
from workbench.storage.campaign.collection.text_index import TextIndex
from workbench.storage.campaign.grades import judgments

LONGEST_QUERY = 1000
"""Characters of a query."""

MOST_FOUND = 1000
"""Documents that a search shows at most."""

MOST_EXCERPTS = 100
"""This many of them, the best ones, are shown with an excerpt."""

NO_EXCERPTS: Mapping[str, tuple[Piece, ...]] = MappingProxyType({})


class Found(NamedTuple):
    """A document that a search found, whether it is pooled and judged for the topic, and a part of its text with the
    words that were searched for; the first MOST_EXCERPTS documents have one.
    """

    rank: int
    document_id: str
    title: str
    pooled: bool
    judged: bool
    excerpt: tuple[Piece, ...] = ()


class Search(NamedTuple):
    """What a search found for a topic, best first; `texts` is how many texts were searched."""

    topic_id: str
    found: tuple[Found, ...]
    texts: int


class Query(NamedTuple):
    """What is searched for.

    Attributes:
        topic_id: for which topic.
        words: with blanks between them; nothing in it is syntax.
        any_word: whether one of the words is enough.
        limit: how many documents to find at most, up to MOST_FOUND.
    """

    topic_id: str
    words: str
    any_word: bool = False
    limit: int = 20


def search_texts(
    campaign: Campaign, query: Query, *, on_step: OnStep = lambda done, total, what: None
) -> Search:
    """Search titles and texts of the documents whose texts the campaign holds.

    Documents are found that have all words of the query, by BM25, and of equal ones the lower id in bytes first. Words
    are compared without case and diacritics; they are not stemmed. What is between two blanks is a phrase: `e-mail`
    is `e` before `mail`, and of scripts without blanks between words each character is a word.

    Raises:
        NotThere: there is no such topic.
        CampaignError: the query has no words, or too many characters; the limit is out of range; or the campaign has no
            texts.
    """
    topic_id, words, any_word, limit = query
    _check(words, limit)
    on_step(0, None, "Reading the texts")
    with campaign.snapshot():
        if topic_id not in (known := topic_withdrawals.taking_part(campaign)):
            raise NotThere(none_such("topic", topic_id, known, of=campaign.name))
        texts = (
            (each.document.document_id, f"{each.document.title}\n{plain_text(each.document)}")
            for each in documents.all_texts(campaign)
        )
        with TextIndex(texts) as index:
            if not len(index):
                raise CampaignError(
                    "there are no texts to search; add documents with all their texts: "
                    f"workbench add documents {campaign.command_name} FILE... --all"
                )
            ids = index.best(words.split(), any_phrase=any_word, limit=limit)
            sought = words_of(words)
            excerpts = {
                each.document.document_id: excerpt_of(plain_text(each.document), sought)
                for each in documents.some(campaign, ids[:MOST_EXCERPTS])
            }
            return Search(topic_id, described(campaign, topic_id, ids, excerpts), len(index))


def _check(words: str, limit: int) -> None:
    if not 1 <= limit <= MOST_FOUND:
        raise CampaignError(f"the number of documents to show must be from 1 to {MOST_FOUND:,}")
    if len(words) > LONGEST_QUERY:
        raise CampaignError(f"the query has {len(words):,} characters; shorten it to {LONGEST_QUERY:,}")
    if not words_of(words):
        raise CampaignError(f"the query {words!r} has no words; write at least one")


def described(
    campaign: Campaign,
    topic_id: str,
    document_ids: Sequence[str],
    excerpts: Mapping[str, tuple[Piece, ...]] = NO_EXCERPTS,
) -> tuple[Found, ...]:
    """Documents in the order in which they were found, as they stand now; excerpts are as they were found."""
    titles = documents.titles(campaign, document_ids)
    return tuple(
        Found(
            rank,
            document_id,
            titles.get(document_id, ""),
            pools.is_pooled(campaign, topic_id, document_id),
            judgments.stands(campaign, topic_id, document_id),
            excerpts.get(document_id, ()),
        )
        for rank, document_id in enumerate(document_ids, start=1)
    )


def pool_found(
    campaign: Campaign,
    search: Search,
    document_ids: Sequence[str],
    *,
    on_step: OnStep = lambda done, total, what: None,
) -> MadePool:
    """Put documents that a search found into the pool of its topic, as a pool of strategy `list` found by search.

    Those that are pooled already stay with the pool that brought them in.

    Raises:
        NotThere: the search did not find one of them.
        AlreadyDone: all of them are pooled; no pool was made.
    """
    on_step(0, None, "Pooling")
    found = {each.document_id for each in search.found}
    if strange := [document_id for document_id in document_ids if document_id not in found]:
        message = f"not found by this search: {listed(strange)}; name documents that it shows, or show more"
        raise NotThere(message)
    if all(pools.is_pooled(campaign, search.topic_id, document_id) for document_id in document_ids):
        message = f"all of these documents are pooled for topic {search.topic_id} already; no pool was made"
        raise AlreadyDone(message)
    pairs = [write_pair(search.topic_id, document_id) for document_id in document_ids]
    steps = near_duplicate_steps(on_step)
    return add_pool(campaign, strategy="list", pairs=pairs, found_by="search", on_topic=steps)
