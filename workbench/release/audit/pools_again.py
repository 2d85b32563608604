"""Pools and choices of the log, made again and compared with what a campaign file has."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from itertools import chain, groupby, pairwise
from operator import itemgetter
from typing import Any

import numpy as np

from workbench.campaign import questions
from workbench.campaign.adaptive_pools import is_adaptive
from workbench.campaign.pools.choosing import PoolChooser, chooser_of, turns_of
from workbench.campaign.pools.made_again import made_again
from workbench.campaign.pools.making import named_rows
from workbench.campaign.pools.pairing import PairChooser
from workbench.core.errors import UnknownName
from workbench.core.wording import counted, listed
from workbench.methods.pairing import PAIRINGS
from workbench.methods.pooling import PoolPairs
from workbench.release.audit.findings import NotChecked
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import changed_ids, choices, pools, runs
from workbench.storage.campaign.collection.pairs import has_unknown
from workbench.storage.campaign.grades import judgments


def wrong_pools(campaign: Campaign) -> Iterator[str]:
    """A sentence for each pair that a pool has and its recipe does not give, or the other way round.

    Each pool is made again from its runs, without the pairs of earlier pools. One that names runs which the log
    did not have by then came out of a release bundle without them, and is NotChecked.
    """
    earlier: list[pools.StoredPool] = []
    for pool in pools.all_pools(campaign):
        if pool.record.strategy in PAIRINGS:
            if pool.pairs:
                yield f"pool {pool.pool} of pairs of things began with {pool.pairs:,} of them; such pools begin empty"
        elif missing := _never_there(campaign, pool):
            yield NotChecked(
                f"pool {pool.pool} draws on runs that this file never had ({listed(missing)}), as one from a release "
                f"bundle without them: whether its recipe gives its {pool.pairs:,} pairs cannot be checked"
            )
        else:
            try:
                known = {each.pool for each in earlier if each.retired is None or each.retired > pool.seq}
                yield from _odd_pairs(campaign.asking(pool.record.question), pool, known)
            except UnknownName as error:
                yield NotChecked(
                    f"pool {pool.pool}: {error}; whether its recipe gives its pairs cannot be checked here"
                )
        earlier.append(pool)


def wrong_choices(campaign: Campaign) -> Iterator[str]:
    """A sentence for each choice of an adaptive pool that is another when made again, or that the pool does not have.

    Each is made again from the rankings, and from the judgments as of the row that it names.
    One that used texts is made again where these are stored as they were, and is NotChecked elsewhere.
    """
    yield from choices.wrong_choices(campaign)
    choosers: dict[int, PoolChooser | PairChooser] = {}
    other_texts: Counter[int] = Counter()
    made = {pool.pool: pool for pool in pools.all_pools(campaign)}
    for choice in sorted(choices.all_choices(campaign), key=turns_of(made)):
        pool = made.get(choice.pool)
        if pool is not None and pool.record.question and not is_adaptive(pool):
            yield from questions.wrong_choices(campaign, choice, pool.record.question)
        elif pool is None or not is_adaptive(pool):
            yield f"log row {choice.seq}: it chose for pool {choice.pool}, which does not choose"
        elif pool.record.strategy in PAIRINGS and has_unknown(campaign, choice.topic_id):
            yield NotChecked(
                f"row {choice.seq} of the log chose among things that no run of this file has, as one from a release "
                "bundle without runs: whether it follows cannot be checked"
            )
        elif choice.pool not in choosers and (missing := _never_there(campaign, pool)):
            yield NotChecked(
                f"pool {pool.pool} chose among runs that this file never had ({listed(missing)}), as one from a "
                f"release bundle without them: whether row {choice.seq} of the log follows cannot be checked"
            )
        else:
            chooser = choosers.setdefault(choice.pool, chooser_of(pool))
            seen = campaign.asking(pool.record.question)
            pooled = pools.pooled_of_topic(seen.at(choice.seq - 1), choice.topic_id)
            again = chooser.choose_beside(seen, choice.topic_id, len(choice.pairs), choice.seen, pooled)
            if again is not None and choice.texts and again.texts and again.texts != choice.texts:
                other_texts[pool.pool] += 1
            elif again is None or again._replace(seq=choice.seq) != choice:
                yield f"log row {choice.seq}: the documents that it chose are not those that pool {pool.pool} chooses"
    for number, count in other_texts.items():
        yield NotChecked(
            f"pool {number}: {counted(count, 'choice')} went by other texts than those that this file has now; whether "
            "they follow cannot be checked"
        )


def _never_there(campaign: Campaign, pool: pools.StoredPool) -> list[str]:
    """The runs of a pool that no event up to its own added."""
    added = {run.record.tag for run in runs.all_runs(campaign.at(pool.seq))}
    return [tag for tag in pool.record.runs if tag not in added]


def _odd_pairs(campaign: Campaign, pool: pools.StoredPool, earlier: Collection[int]) -> Iterator[str]:
    """What is wrong with a pool, topic by topic; `earlier` are those in force before it."""
    then, judged = campaign.at(pool.seq - 1), defaultdict[str, set[str]](set)
    tables = changed_ids.id_tables(then)
    for topic_id, document_id in judgments.judged_pairs(then) if tables else ():
        judged[topic_id].add(document_id)
    again, topic_ids, without_runs = made_again(campaign, pool)
    others = {topic_id: list(pairs) for topic_id, pairs in groupby(without_runs, key=itemgetter(0))}
    by_topic = np.argsort(again.topic, kind="stable")
    starts = np.searchsorted(again.topic[by_topic], np.arange(len(topic_ids) + 1)).tolist()
    rows_of = {
        topic_id: by_topic[slice(*ends)] for topic_id, ends in zip(topic_ids, pairwise(starts), strict=True)
    }
    for topic_id in sorted({*topic_ids, *pools.pooled_topics(campaign)}):
        there = list(pools.rows_of_topic(campaign, topic_id))
        known = {
            pair[1]
            for pair, brought_by, choice in there
            if brought_by in earlier and (choice is None or choice < pool.seq)
        }
        before = [(topic_id, document_id) for document_id in known | judged[topic_id]]
        known |= {document_id for _, document_id in changed_ids.newer(tables, before)}
        found = {pair for pair, brought_by, choice in there if brought_by == pool.pool and choice is None}
        given: set[tuple[Any, ...]] = set()
        if topic_id in rows_of:
            own = PoolPairs._make(column[rows_of[topic_id]] for column in again)
            vocabulary = {topic_id: runs.vocabulary(campaign, topic_id)}
            rows = chain(named_rows(own, topic_ids, vocabulary), map(tuple, others.get(topic_id, ())))
            given = {pair for pair in rows if pair[1] not in known}
        for odd in sorted(given ^ found):
            what = "is there, but is not what" if odd in found else "is not there, but is what"
            yield f"pool {pool.pool}: document {odd[1]!r} of topic {odd[0]!r} {what} its recipe gives"
