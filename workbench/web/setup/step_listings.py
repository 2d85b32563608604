"""What a step of filling a campaign has brought in so far, as a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from flask import g

from workbench.campaign.nuggets import BankCounts, bank_counts
from workbench.campaign.outcomes import in_words
from workbench.campaign.sample_import import STRATEGY
from workbench.core.natural_order import natural
from workbench.release.campaign_summary import base_name
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import documents, nuggets, pools, runs, topics, user_outcomes
from workbench.storage.campaign.models.answers import batches

SAMPLES, NUGGETS, LABELS, OUTCOMES = "samples", "nuggets", "model-labels", "outcomes"
COUNTS = "Documents Topics Lines Pool Candidates Pairs Nuggets Proposed Answers Unlabelled Files".split()


class Listing(NamedTuple):
    """What a step has brought in so far, as a table; columns of counts have their names in COUNTS.

    Files that were added in a terminal are recorded with their paths, which are not for browsers.
    """

    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]


def _topics() -> Listing:
    found = topics.all_topics(g.campaign)
    rows = [(stored.topic.topic_id, stored.topic.title) for stored in found]
    return Listing(("Topic", "Title"), sorted(rows, key=lambda row: natural(row[0])))


def _documents() -> Listing:
    found = reversed(documents.sources(g.campaign))
    rows = [(base_name(source.file.path), f"{source.documents:,}") for source in found]
    return Listing(("File", "Documents"), rows)


def _runs() -> Listing:
    found = [run.record for run in reversed(runs.all_runs(g.campaign))]
    rows = [(run.tag, run.team, base_name(run.file), f"{run.topics:,}", f"{run.lines:,}") for run in found]
    return Listing(("Run", "Team", "File", "Topics", "Lines"), rows)


def _samples() -> Listing:
    rows = [
        (str(pool.pool), f"{len(pool.record.parameters['candidates']):,}", f"{pool.brought:,}")
        for pool in pools.in_force(g.campaign)
        if pool.record.strategy == STRATEGY
    ]
    return Listing(("Pool", "Candidates", "Pairs"), rows)


def _nuggets() -> Listing:
    rows = [(each.topic, f"{each.nuggets:,}", f"{each.proposed:,}") for each in banks(g.campaign)]
    return Listing(("Topic", "Nuggets", "Proposed"), rows)


def _labels() -> Listing:
    rows = [
        (each.judge, base_name(each.source), f"{each.answers:,}", f"{each.unlabelled:,}")
        for each in reversed(batches(g.campaign))
    ]
    return Listing(("Judge", "File", "Answers", "Unlabelled"), rows)


def _outcomes() -> Listing:
    found = user_outcomes.newest(g.campaign).items()
    rows = [(kind.capitalize(), in_words(each), str(len(each.files))) for kind, each in found]
    return Listing(("Summary", "Contents", "Files"), rows)


LISTINGS = {
    "topics": _topics,
    "documents": _documents,
    "runs": _runs,
    SAMPLES: _samples,
    NUGGETS: _nuggets,
    LABELS: _labels,
    OUTCOMES: _outcomes,
}


def banks(campaign: Campaign) -> list[BankCounts]:
    """What is in the nuggets of each topic that has some."""
    return bank_counts(campaign, sorted(nuggets.topics_with_bank(campaign), key=natural))
