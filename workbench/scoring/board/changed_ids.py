"""Rankings and labels of a campaign whose documents have other ids in a new release of the collection."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from workbench.core.ranking import POOLED, UNJUDGED, IntArray, Labels
from workbench.scoring.board.labelling import answers_to_questions
from workbench.scoring.board.loading import Scoring
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import runs
from workbench.storage.campaign.collection.changed_ids import (
    Table,
    id_tables,
    named_ids,
    newest_id,
    under_new_ids,
)

NO_ESTIMATES = "ids of its documents changed since it was drawn; score the round that it was drawn in"


def by_new_ids(campaign: Campaign, scoring: Scoring) -> Scoring:
    """The same with each document once, under the id that it has as of this row of the log: with its label, and in
    every ranking at its best rank. Where no run has that id it keeps the number of the old one.
    """
    if not (tables := id_tables(campaign)):
        return scoring
    label, starts, numbers = scoring.labels.label.copy(), scoring.labels.topic_start, dict(scoring.numbers)
    rows, n_runs, moved = scoring.rankings, len(scoring.runs), False
    document, kept = rows.document.copy(), np.ones(len(rows.document), np.bool_)
    for topic, topic_id in enumerate(scoring.topic_ids):
        cells, judged = label[starts[topic] : starts[topic + 1]], numbers.get(topic_id, {})
        ranked = zip(runs.vocabulary(campaign, topic_id), range(len(cells)), strict=False)
        known = {each: number for each, number in (*ranked, *judged.items()) if each in named_ids(campaign)}
        changed = {old: new for old in sorted(known) if (new := newest_id(tables, old)) != old}
        place = _renumbered(tables, changed, known, cells)
        # A number is named by the last of its ids, so that old ones come first.
        olds = {old: known.pop(old) for old in changed}
        numbers[topic_id] = olds | {each: judged[each] for each in judged if each not in olds} | known
        if (place == np.arange(len(cells))).all():
            continue
        moved, (first, end) = True, rows.row_start[[topic * n_runs, (topic + 1) * n_runs]].tolist()
        document[first:end] = place[document[first:end]]
        row = np.repeat(np.arange(n_runs), rows.lengths[topic * n_runs : (topic + 1) * n_runs])
        best = np.unique(row * len(cells) + document[first:end], return_index=True)[1]
        kept[first:end] = np.isin(np.arange(end - first), best)
    labels, start_of = Labels(starts, label), dict(zip(scoring.topic_ids, starts.tolist(), strict=False))
    unsure = {start_of[pair[0]] + numbers[pair[0]][pair[1]]: pair for pair in scoring.without_grade}
    lost = moved and (scoring.sample is not None or bool(scoring.why_no_sample))
    return replace(
        scoring.with_labels(labels),
        rankings=replace(rows, document=document).where(kept),
        without_grade={pair for cell, pair in unsure.items() if label[cell] == POOLED},
        numbers=numbers,
        questions=answers_to_questions(campaign, scoring.topic_ids, labels, numbers) or scoring.questions,
        sample=None if lost else scoring.sample,
        why_no_sample=NO_ESTIMATES if lost else scoring.why_no_sample,
    )


def _renumbered(
    tables: Sequence[Table], changed: Mapping[str, str], known: dict[str, int], cells: NDArray[np.int16]
) -> IntArray:
    """The new number of each of a topic's documents, int64 (D,), by their newest ids and by the numbers that are known;
    these and the labels, int16 (D,), are put right.
    """
    labels = {each: int(cells[number]) for each, number in known.items() if cells[number] > POOLED}
    place = np.arange(len(cells))
    for old, new in changed.items():
        number, target = known[old], known.setdefault(new, known[old])
        waiting = max(cells[number], cells[target])
        cells[number], cells[target] = UNJUDGED, waiting
        known[old] = place[number] = target
    for each, grade in under_new_ids(tables, labels).items():
        cells[known[each]] = grade
    return place


def numbers_now(
    campaign: Campaign, scoring: Scoring, topic_ids: Sequence[str], topic: IntArray, document: IntArray
) -> IntArray:
    """The numbers in a scoring of documents by those that runs are stored with, both int64 (N,); `topic`, int64 (N,),
    counts through `topic_ids`.
    """
    if not id_tables(campaign):
        return document
    found = document.copy()
    for place in np.unique(topic).tolist():
        here, topic_id = topic == place, topic_ids[place]
        known, vocabulary = scoring.numbers.get(topic_id, {}), runs.vocabulary(campaign, topic_id)
        found[here] = [known.get(vocabulary[each], each) for each in document[here].tolist()]
    return found
