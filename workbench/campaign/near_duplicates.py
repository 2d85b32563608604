"""Near duplicates among a topic's pooled documents: found when texts or pairs have come, kept in the campaign."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from html import unescape
from typing import TYPE_CHECKING

from workbench.core.records import Document
from workbench.formats.images import ADDRESS
from workbench.methods.text.html_repair import (
    without_crowded_tags,
    without_deep_nesting,
    without_repeated_formatting,
)
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import documents, near_duplicates

if TYPE_CHECKING:
    from workbench.jobs.processes import OnStep
    from workbench.methods.text.duplicates import Shingles, Signature

OnTopic = Callable[[int, int, str], object]
"""Called with the number of topics done, the number of all, and what comes next."""

KEPT_BYTES = 256 * 1024 * 1024
"""Shingles of this many bytes stay in memory while a topic's proposed pairs are compared."""

SEPARATING_TAGS = frozenset(
    "address article aside blockquote br caption center dd details div dl dt fieldset figcaption figure footer form "
    "h1 h2 h3 h4 h5 h6 header hgroup hr li main nav ol option p pre section summary table tbody td tfoot th thead tr "
    "ul".split()
)
"""Tags that part words; all others stand inside a line, and perhaps inside a word."""

WITHOUT_WORDS = frozenset("iframe noscript object script select style svg template textarea title".split())
"""Tags whose contents are no words of the page."""


def near_duplicate_steps(on_step: OnStep) -> OnTopic:
    """What `find_near_duplicates` calls, to report to a job or to the terminal."""
    return lambda done, total, now: on_step(done, total, f"Looking for near duplicates: {now}")


def find_near_duplicates(
    campaign: Campaign, topic_ids: Collection[str] | None = None, *, on_topic: OnTopic | None = None
) -> None:
    """Look for near duplicates in the pooled texts of topics, and store what is there now in place of what was.

    A document counts with its title and the words of its text; one whose text has no words is left out.

    Args:
        topic_ids: the topics to look at; None for those where pairs or texts have come since the last time, which
            takes next to no time when there are none.
        on_topic: called as each topic begins.
    """
    waiting = near_duplicates.to_compare(campaign) if topic_ids is None else sorted(topic_ids)
    while waiting:
        texts = near_duplicates.with_text(campaign, waiting)
        clusters = clusters_among(
            campaign, {topic_id: list(found) for topic_id, found in texts.items()}, on_topic=on_topic
        )
        with campaign.write():
            # What has come while the texts were read is looked at in another round.
            now = near_duplicates.with_text(campaign, waiting)
            done = [topic_id for topic_id in waiting if now[topic_id] == texts[topic_id]]
            for topic_id in done:
                near_duplicates.put(campaign, topic_id, clusters[topic_id], texts=len(texts[topic_id]))
        waiting = sorted(set(waiting) - set(done))


def clusters_among(
    campaign: Campaign, texts: Mapping[str, Sequence[str]], *, on_topic: OnTopic | None = None
) -> dict[str, list[tuple[str, ...]]]:
    """The clusters of near duplicates among each topic's documents, by topic; a document is signed once."""
    stored = _Texts(campaign, texts)
    clusters = {}
    for place, (topic_id, document_ids) in enumerate(texts.items()):
        if on_topic is not None:
            on_topic(place, len(texts), f"topic {topic_id}")
        clusters[topic_id] = stored.clusters(document_ids)
    return clusters


def words_to_compare(document: Document) -> str:
    """The plain words of a document, title first; '' when its text is empty.

    >>> words_to_compare(Document("d1", "Rivers", "<p>The <b>R</b>hine<p>freezes", "text/html"))
    'Rivers\\n The Rhine  freezes '
    """
    text = plain_text(document)
    return f"{document.title}\n{text}" if text.strip() else ""


def plain_text(document: Document) -> str:
    """A document's text without the tags of HTML, and without the images that Markdown holds."""
    if document.media_type == "text/markdown":
        return ADDRESS.sub("", document.text)
    return html_words(document.text) if document.media_type == "text/html" else document.text


def html_words(html: str) -> str:
    """The words of an HTML text without its tags, scripts and styles."""
    import nh3

    cleaned = nh3.clean(
        without_crowded_tags(without_repeated_formatting(without_deep_nesting(html))),
        tags=set(SEPARATING_TAGS),
        clean_content_tags=set(WITHOUT_WORDS),
        attributes={},
        strip_comments=True,
        link_rel=None,
    )
    # Only our own tags are left as tags: a < that is text has become &lt;.
    return unescape(re.sub(r"<[^>]*>", " ", cleaned))


class _Texts:
    """The texts of topics as they are compared: read when they are asked for, signed once, and not kept."""

    def __init__(self, campaign: Campaign, texts: Mapping[str, Sequence[str]]) -> None:
        self.campaign = campaign
        self.uses = Counter(document_id for ids in texts.values() for document_id in ids)
        self.signatures: dict[str, Signature | None] = {}
        self.shingles: dict[str, Shingles] = {}
        self.bytes = 0

    def clusters(self, document_ids: Sequence[str]) -> list[tuple[str, ...]]:
        """The clusters among one topic's documents; what no later topic needs is forgotten."""
        from workbench.methods.text import duplicates

        new = [document_id for document_id in document_ids if document_id not in self.signatures]
        self.signatures |= dict.fromkeys(new)
        for stored in documents.some(self.campaign, new) if new else ():
            self.signatures[stored.document.document_id] = duplicates.sign(words_to_compare(stored.document))
        signed = {document_id: self.signatures[document_id] for document_id in document_ids}
        self.uses.subtract(document_ids)
        for document_id in document_ids:
            if not self.uses[document_id]:
                del self.signatures[document_id]
        try:
            return duplicates.clusters(signed, self._shingles)
        finally:
            self._forget_shingles()

    def _shingles(self, document_id: str) -> Shingles:
        from workbench.methods.text.duplicates import shingles_of

        if document_id not in self.shingles:
            if self.bytes > KEPT_BYTES:
                self._forget_shingles()
            stored = documents.find(self.campaign, document_id)
            self.shingles[document_id] = shingles_of(words_to_compare(stored.document) if stored else "")
            self.bytes += self.shingles[document_id].nbytes
        return self.shingles[document_id]

    def _forget_shingles(self) -> None:
        self.shingles.clear()
        self.bytes = 0
