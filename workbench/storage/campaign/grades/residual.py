"""The residual collection of a round: what is left of rankings when the pairs judged before the round are taken out.

TREC-COVID pooled and scored each of its rounds so, since the judgments of earlier rounds were known to the teams
(E. Voorhees et al., TREC-COVID: Constructing a Pandemic Information Retrieval Test Collection, SIGIR Forum 54(1),
2020); the idea is older (G. Salton and C. Buckley, JASIS 41(4), 1990).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from workbench.core.errors import UnknownName
from workbench.core.ranking import Rankings
from workbench.methods.pooling.reach import cell_starts
from workbench.storage.campaign.collection import changed_ids, rounds, runs, topics
from workbench.storage.campaign.collection.rankings import StoredRankings
from workbench.storage.campaign.collection.rounds import ALL, OfRound, Round
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.grades.labels import grades_by_topic
from workbench.storage.campaign.log import log
from workbench.storage.campaign.log.cache import Cache

Judged = Mapping[str, Collection[str]]
"""Document ids by topic id."""


_judged: Cache[Judged] = Cache(of_one=4)


def judged_before(campaign: Campaign, at: Round) -> Judged:
    """The pairs that had a label when the round was opened, by the rule of that moment; topics without any left out.

    A document is there by each id that it has had since, as of the row that the campaign is read as of. It is cached.
    """
    if not at.opened:
        return {}
    names, head = changed_ids.id_tables(campaign), log.head(campaign.at(at.opened))
    return _judged.at(campaign, head, len(names), lambda: _read(campaign, at, names))


def not_counted(campaign: Campaign) -> Judged:
    """The pairs whose labels do not count in the campaign as it is seen: none but by a round's own judgments."""
    part: OfRound | None = campaign.part
    return {} if part is None or part.judged == ALL else judged_before(campaign, part.round)


def _read(campaign: Campaign, at: Round, names: Sequence[changed_ids.Table]) -> Judged:
    grades_of = grades_by_topic(campaign.at(at.opened))
    found = {topic_id: set(grades_of(topic_id)) for topic_id in topics.topic_ids(campaign.at(at.opened))}
    pairs = [(topic_id, each) for topic_id, documents in found.items() for each in documents]
    for topic_id, document_id in changed_ids.newer(names, pairs):
        found[topic_id].add(document_id)
    return {topic_id: documents for topic_id, documents in found.items() if documents}


def residual(campaign: Campaign, stored: StoredRankings, name: str | None) -> StoredRankings:
    """The rankings without pairs judged before a round, None for all; UnknownName if there is no such round."""
    if name is None:
        return stored
    found = rounds.find(campaign.now, name)  # out of a release its pools come before it
    if found is None:
        raise UnknownName(
            f"no row of the log opens round {name}, so the pairs judged before it are not known"
        )
    judged = judged_before(campaign, found)
    return stored._replace(rankings=without(campaign, stored.rankings, stored.topic_ids, judged))


def without(campaign: Campaign, rankings: Rankings, topic_ids: Sequence[str], judged: Judged) -> Rankings:
    """The rankings without these pairs; what is below one moves up.

    Args:
        campaign: that they are from.
        rankings: numbers of documents are those of the topics' vocabularies.
        topic_ids: of the rankings' numbers of topics.
        judged: the pairs to be taken out; those that no ranking has change nothing.
    """
    if not judged:
        return rankings
    starts = cell_starts(rankings, len(topic_ids))
    kept = np.ones(int(starts[-1]), np.bool_)
    for topic, topic_id in enumerate(topic_ids):
        taken = judged.get(topic_id, ())
        cells = kept[starts[topic] : starts[topic + 1]]
        vocabulary = runs.vocabulary(campaign, topic_id)[: len(cells)] if taken else ()
        cells[[number for number, document_id in enumerate(vocabulary) if document_id in taken]] = False
    return rankings.where(kept[np.repeat(starts[rankings.topic], rankings.lengths) + rankings.document])
