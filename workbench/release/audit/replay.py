"""Judgments in force and labels, from the rows of the log alone, compared with the views of a campaign file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from operator import itemgetter

from workbench.release.audit.round_trip import same
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import topic_withdrawals
from workbench.storage.campaign.file.schema import COUNTED_KINDS
from workbench.storage.campaign.grades import judgments, labels
from workbench.storage.campaign.grades.label_rules import LABEL_RULES, NEWEST
from workbench.storage.campaign.grades.sources import ADJUDICATION, MODEL, Precedence, precedence_at
from workbench.storage.campaign.log import log

REPLAYED = frozenset((*COUNTED_KINDS, MODEL))
"""Kinds of judgments that can give a label."""


def differences(campaign: Campaign) -> Iterator[str]:
    """A sentence for each view of the file that does not say what the log says."""
    replayed, rule = _Replayed(campaign), labels.rule_at(campaign)
    in_sql, view = LABEL_RULES[rule].of_one_pair, judgments.each_of_view_of_qrels(campaign)
    newest = _labels(campaign, NEWEST)
    if in_sql == NEWEST:  # then one pass over the labels is enough
        newest_are_the_same, view_is_the_same = same(newest, replayed.newest(), view)
    else:
        (newest_are_the_same,) = same(newest, replayed.newest())
        (view_is_the_same,) = same(_labels(campaign, in_sql), view)
    if replayed.current_differ():
        yield "the view current_judgment is not what the log says"
    if not newest_are_the_same:
        yield "the labels by the newest grade are not what the log says"
    if not view_is_the_same:
        yield f"the view qrel is not what the log says by the rule {rule}"


def _labels(campaign: Campaign, rule: str) -> Iterator[tuple[str, str, int]]:
    return map(itemgetter(1, 2, 3), labels.each_qrel(campaign, rule=rule))


class _Replayed:
    """The judgments in force and the labels by the newest grade, from the log alone, a topic at a time."""

    def __init__(self, campaign: Campaign) -> None:
        self._campaign, self._precedence = campaign, precedence_at(campaign)
        self._topics = iter(log.judged_topics(campaign))
        self._current_differ = False

    def newest(self) -> Iterator[tuple[str, str, int]]:
        """Topic, document and label in byte order; each topic's judgments are compared with the view on the way."""
        out = topic_withdrawals.withdrawn(self._campaign)
        for topic_id in self._topics:
            current, newest = _replayed(judgments.log_of_topic(self._campaign, topic_id), self._precedence)
            view = judgments.seqs_of_view_of_current(self._campaign, topic_id)
            self._current_differ |= view != [(seq, 1) for seq in current]
            yield from [
                (topic_id, document_id, grade) for document_id, grade in newest if topic_id not in out
            ]

    def current_differ(self) -> bool:
        """Whether the view of judgments in force says anything else, on any topic."""
        for _ in self.newest():
            pass
        return self._current_differ


def _replayed(
    rows: Iterable[tuple[int, str, str, str, int | None]], precedence: Precedence
) -> tuple[list[int], list[tuple[str, int]]]:
    """The `seq` of each of a topic's judgments in force, none of a model, and its documents with their labels by the
    newest grade; adjudications are one line.
    """
    said: dict[tuple[str, str | None, bool], tuple[int, str, str, str, int | None]] = {}
    for row in rows:
        kind = row[3]
        if kind in REPLAYED:
            said[row[1], None if kind == ADJUDICATION else row[2], kind == MODEL] = row
    in_force = sorted(said.values())
    tiers = {kind: precedence.tier(kind) for kind in REPLAYED}
    grades: dict[str, int] = {}
    lowest: dict[str, int] = {}
    for _, document_id, _, kind, grade in in_force:
        tier = tiers[kind]
        if grade is not None and tier is not None and tier <= lowest.get(document_id, tier):
            grades[document_id], lowest[document_id] = grade, tier
    return [row[0] for row in in_force if row[3] != MODEL], sorted(grades.items())
