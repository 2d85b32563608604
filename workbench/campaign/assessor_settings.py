"""An assessor's own settings: what they postponed, highlighted terms. They change no scores and no counts."""

from __future__ import annotations

import unicodedata
from collections import Counter
from typing import NamedTuple

from workbench.core.errors import NotThere, WorkbenchError
from workbench.core.normal_forms import normal_form
from workbench.core.records import Topic
from workbench.core.wording import none_such
from workbench.methods.text.terms import COLOURS, topic_terms
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import pools, topics
from workbench.storage.campaign.people import bookmarks, own_terms, preferences

POSTPONED = "postponed topics"
"""Under which name the postponed topics stand among an assessor's preferences."""

MOST_TERMS = 50
LONGEST_TERM = 100
_NO_TEXT = frozenset({"Cc", "Cs", "Zl", "Zp"})
"""Unicode's categories for control characters, halves of characters, and separators of lines and paragraphs."""


class TermRefused(WorkbenchError):
    """What was sent cannot be one of an assessor's own terms, or is one too many."""


class MarkedWords(NamedTuple):
    """What an assessor chose for a topic: own terms with their colours, and words of the topic switched off."""

    own: dict[str, int]
    off: list[str]


def postpone(campaign: Campaign, assessor: str, topic_id: str, document_id: str, *, later: bool) -> bool:
    """Postpone a pooled pair, or no longer; whether it is postponed now. NotThere for a pair in no pool."""
    with campaign.write():
        if pools.pool_of(campaign, topic_id, document_id) is None:
            message = f"document {document_id!r} is not pooled for topic {topic_id!r} in {campaign.name}"
            raise NotThere(message)
        change = bookmarks.put if later else bookmarks.remove
        change(campaign, assessor, topic_id, document_id)
    return later


def postponed_topics(campaign: Campaign, assessor: str) -> frozenset[str]:
    """The topics that an assessor wants to judge after the others."""
    return frozenset(preferences.of(campaign, assessor).get(POSTPONED, ()))


def postpone_topic(campaign: Campaign, assessor: str, topic_id: str, *, later: bool) -> None:
    """Put a topic off, or no longer; NotThere for an unknown one."""
    with campaign.write():
        ids = topics.topic_ids(campaign)
        if topic_id not in ids:
            raise NotThere(none_such("topic", topic_id, ids, of=campaign.name))
        there = postponed_topics(campaign, assessor).intersection(ids)
        changed = there | {topic_id} if later else there - {topic_id}
        preferences.put(campaign, assessor, {POSTPONED: sorted(changed)})


def marked_words(campaign: Campaign, assessor: str, topic_id: str) -> MarkedWords:
    """What an assessor has chosen to see marked in a topic; nothing for an unknown topic."""
    return MarkedWords(
        own_terms.colours(campaign, assessor, topic_id), own_terms.unmarked(campaign, assessor, topic_id)
    )


def change_terms(
    campaign: Campaign,
    assessor: str,
    topic_id: str,
    *,
    add: str | None = None,
    remove: str | None = None,
    off: str | None = None,
    on: str | None = None,
) -> MarkedWords:
    """Remove and add a term of an assessor's own, switch a word of the topic on and off; returns what is chosen now.

    A term that is there in another case is not added again. NotThere for an unknown topic; TermRefused for a term
    that cannot be one, for one too many, and for a word to switch off that is none of the topic's.
    """
    wanted = None if add is None else as_term(add)
    with campaign.write():
        stored = topics.named(campaign, topic_id)
        if remove is not None:
            own_terms.remove(campaign, assessor, topic_id, _normal(remove))
        if wanted is not None:
            _add(campaign, assessor, stored.topic, wanted)
        if on is not None:
            own_terms.switch(campaign, assessor, topic_id, on, off=False)
        if off is not None:
            if off not in {term.text for term in topic_terms(stored.topic)}:
                raise TermRefused(
                    f"{off[:LONGEST_TERM]!r} is not a marked word of topic {topic_id!r}; reload the page"
                )
            own_terms.switch(campaign, assessor, topic_id, off, off=True)
        return marked_words(campaign, assessor, topic_id)


def _add(campaign: Campaign, assessor: str, topic: Topic, term: str) -> None:
    """Add a term in the colour that the fewest words of the topic have, the first one of several."""
    terms = own_terms.colours(campaign, assessor, topic.topic_id)
    if term.casefold() in {each.casefold() for each in terms}:
        return
    if len(terms) == MOST_TERMS:
        raise TermRefused(f"a topic takes {MOST_TERMS} terms of your own; remove one first")
    taken = Counter([*terms.values(), *(place % COLOURS for place in range(len(topic_terms(topic))))])
    own_terms.put(campaign, assessor, topic.topic_id, term, min(range(COLOURS), key=taken.__getitem__))


def as_term(text: str) -> str:
    """A term as it is kept: in normal form C, without blanks around it; TermRefused where none is left."""
    term = _normal(text)
    if not term:
        raise TermRefused("a term needs at least one character")
    if len(term) > LONGEST_TERM:
        raise TermRefused(f"a term may have {LONGEST_TERM} characters at most")
    if any(unicodedata.category(character) in _NO_TEXT for character in term):
        raise TermRefused("a term is one line of text, without control characters")
    return term


def _normal(text: str) -> str:
    return normal_form("NFC", text).strip()
