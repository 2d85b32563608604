"""What a release says about the log: how long it is, who judged, and when a row was written."""

from __future__ import annotations

from collections import Counter
from sqlite3 import Cursor
from typing import NamedTuple

from workbench.storage.campaign.collection import pools
from workbench.storage.campaign.collection.pools import THEN, then
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.file.schema import shown
from workbench.storage.campaign.grades import labels, sources
from workbench.storage.campaign.grades.current_judgments import INDEPENDENT_KINDS, OWN_KINDS
from workbench.storage.campaign.grades.label_rules import LABEL_RULES, NEWEST
from workbench.storage.campaign.grades.sources import IMPORT, MODEL, Pair, adjudicated


def judgments_by_kind(campaign: Campaign) -> dict[str, int]:
    """How many rows of the log are judgments of each kind that there is, those out of force included."""
    return campaign.mapping(
        "SELECT kind, count(*) FROM judgment WHERE seq <= ? GROUP BY kind ORDER BY kind", [campaign.up_to]
    )


def assessors(campaign: Campaign) -> list[str]:
    """All assessors who judged, without models, in the order of their first rows, which later rows do not change."""
    return campaign.column(
        f"SELECT {shown('assessor')} FROM judgment WHERE seq <= ? AND kind <> '{MODEL}' "
        "GROUP BY assessor ORDER BY min(seq)",
        [campaign.up_to],
    )


def written_at(campaign: Campaign, seq: int) -> str | None:
    """When a row of the log was written, UTC in ISO 8601; None when there is no such row."""
    return campaign.value(
        "SELECT at FROM event WHERE seq = :seq UNION ALL SELECT received_at FROM judgment WHERE seq = :seq",
        {"seq": seq},
    )


def span(campaign: Campaign) -> tuple[str, str] | None:
    """The first and the last time at which a judgment was received; None when there is none."""
    first, last = campaign.execute(
        "SELECT min(received_at), max(received_at) FROM judgment WHERE seq <= ?", [campaign.up_to]
    ).fetchone()
    return None if first is None else (first, last)


class Labelled(NamedTuple):
    """How many pairs of a topic have this label, how many of them were graded differently, how many are pooled."""

    topic_id: str
    grade: int
    pairs: int
    conflicts: int
    pooled: int


def labelled(campaign: Campaign) -> list[Labelled]:
    """The pairs of `labels.qrels`, counted by topic and grade, in byte order of the topics."""
    # Nearly every label is the newest grade, which SQLite counts fast; the others then move from grade to grade.
    found = {
        (topic_id, grade): Counter(pairs=pairs, conflicts=conflicts, pooled=pooled)
        for topic_id, grade, pairs, conflicts, pooled in _newest(campaign)
    }
    for (topic_id, document_id), newest, grade, is_disputed in _moved(campaign):
        known = pools.is_pooled(campaign, topic_id, document_id)
        one = Counter(pairs=1, conflicts=int(is_disputed), pooled=int(known))
        if newest is not None:
            found[topic_id, newest].subtract(one)
        found.setdefault((topic_id, grade), Counter()).update(one)
    return [
        Labelled(*key, counts["pairs"], counts["conflicts"], counts["pooled"])
        for key, counts in sorted(found.items())
        if counts["pairs"]
    ]


class SourceCounts(NamedTuple):
    """How many pairs have an imported label, how many a model's, and how many of these no label of a person."""

    imports: int
    models: int
    only_models: int


def source_counts(campaign: Campaign) -> SourceCounts:
    """How many pairs were imported and labelled by models, whether these labels count or not."""
    imports = campaign.number(
        f"""SELECT count(*) FROM (
            SELECT DISTINCT topic, document FROM judgment INDEXED BY judgment_import
            WHERE kind = '{IMPORT}' AND seq <= ?
        )""",
        [campaign.up_to],
    )
    rows = campaign.execute(
        f"""SELECT DISTINCT topic, document FROM judgment INDEXED BY judgment_model
        WHERE kind = '{MODEL}' AND seq <= ?""",
        [campaign.up_to],
    )
    modelled = set(rows.fetchall())
    if not modelled:
        return SourceCounts(imports, 0, 0)
    people = sources.precedence_at(campaign)._replace(models=None)
    theirs = {label.pair for label in labels.qrels(campaign, rule=NEWEST, precedence=people)}
    return SourceCounts(imports, len(modelled), len(modelled - theirs))


def _moved(campaign: Campaign) -> list[tuple[Pair, int | None, int, bool]]:
    """The pairs whose label is not their newest independent grade: that (None: without one), the label's grade, and
    whether grades differ.
    """
    rule = labels.rule_at(campaign)
    plain = rule == NEWEST and not sources.are_apart(campaign)
    if plain and not adjudicated(campaign):
        return []
    seen, found = labels.material(campaign), []
    for pair, label in LABEL_RULES[rule].settle(seen).items():
        own = [vote for vote in seen.votes[pair] if vote.kind in INDEPENDENT_KINDS]
        before = labels.newest(own) if own else None
        if before != label.grade:
            found.append((pair, before, label.grade, len({vote.grade for vote in own}) > 1))
    alone = (label for label in labels.of_models(campaign) if label.pair not in seen.votes)
    return found + [(label.pair, None, label.grade, False) for label in alone]


def _newest(campaign: Campaign) -> Cursor:
    # Beside max(seq) SQLite takes the grade from the row that has it, as in `labels.qrels`.
    return campaign.execute(
        f"""SELECT topic, grade, count(*), sum(grades > 1), sum(EXISTS (
            SELECT 1 FROM {THEN} AS then_pooled
            WHERE then_pooled.topic = pair.topic AND then_pooled.document = pair.document))
        FROM (
            SELECT topic, document, grade, max(seq), count(DISTINCT grade) AS grades FROM (
                SELECT topic, document, grade, max(seq) AS seq FROM judgment
                WHERE kind IN ({OWN_KINDS}) AND seq <= :as_of GROUP BY topic, document, assessor
            ) WHERE grade IS NOT NULL GROUP BY topic, document
        ) AS pair GROUP BY topic, grade""",
        then(campaign),
    )
