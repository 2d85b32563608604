"""Exports: what leaves a campaign, in the formats that the field reads, as of any point of its log."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator
from functools import partial
from typing import NamedTuple

from workbench.campaign import Campaign, judgments, labels, log, pools, rationales, runs
from workbench.campaign.packed import unpack_documents, unpack_scores
from workbench.campaign.sources import precedence_at
from workbench.errors import NotThere
from workbench.formats.csv_cells import csv_lines
from workbench.records import Qrel


class ExportedQrels(NamedTuple):
    """Qrels sorted by topic and document in byte order, and what a reader of them should know.

    `left_out` counts pairs whose grade is special (negative) and was not asked for, `conflicts` pairs on
    which assessors disagree, where `rule` (one of LABEL_RULES) chose. `head` is the point of the log that the qrels
    stand for.
    """

    qrels: list[Qrel]
    left_out: int
    conflicts: int
    head: log.Head
    rule: str


def export_qrels(
    campaign: Campaign,
    *,
    special: bool = False,
    as_of: int | None = None,
    only: Collection[str] = (),
) -> ExportedQrels:
    """Every pair's label by the rule in force; negative grades only with `special`.

    `only` are some of sources.CLASSES: the labels that there would be without all other judgments.
    """
    with campaign.snapshot():
        chosen = precedence_at(campaign, as_of).of(only) if only else None
        found = labels.qrels(campaign, as_of, precedence=chosen)
        disagreements = judgments.conflicts(campaign, as_of)
        head, rule = log.head_at(campaign, as_of), labels.rule_at(campaign, as_of)
    every = [Qrel(label.topic_id, label.document_id, label.grade) for label in found]
    kept = [qrel for qrel in every if special or qrel.grade >= 0]
    return ExportedQrels(kept, len(every) - len(kept), len(disagreements), head, rule)


def pool_lines(campaign: Campaign, as_of: int | None = None) -> Iterator[str]:
    """One pooled pair a line, topic and document, in byte order."""
    for pair in pools.pooled_pairs(campaign, as_of=as_of):
        yield f"{pair.pooled.topic_id} {pair.pooled.document_id}\n"


def pool_csv(campaign: Campaign, as_of: int | None = None) -> Iterator[str]:
    """Every pooled pair with the pool that brought it in, its best rank, and how many runs had it."""
    header = ("topic_id", "document_id", "pool", "best_rank", "runs", "stratum", "inclusion_probability")
    pairs = pools.pooled_pairs(campaign, as_of=as_of)
    rows = ((*pair.pooled[:2], pair.pool, *pair.pooled[2:]) for pair in pairs)
    return csv_lines([header, *rows])


def judgment_lines(campaign: Campaign, as_of: int | None = None) -> Iterator[str]:
    """The judgment log as JSONL in its own order: every row by the names of its columns, its hash in hexadecimal.

    Rationales are a list of objects with field, start, end and text, empty where there are none.
    """
    for judgment, row_hash in log.hashed_judgments(campaign, as_of):
        kept = [rationale._asdict() for rationale in judgment.rationales]
        row = {**judgment._asdict(), "rationales": kept, "hash": row_hash.hex()}
        yield json.dumps(row, ensure_ascii=False) + "\n"


def rationale_lines(campaign: Campaign, as_of: int | None = None) -> Iterator[str]:
    """The rationales of all judgments in force as JSONL, by topic, document and assessor in byte order.

    `start` and `end` count code points of `field`, from 0, the end not included; `seq` is the judgment's row.
    """
    for rationale in rationales.in_force(campaign, as_of):
        yield json.dumps(rationale._asdict(), ensure_ascii=False) + "\n"


class ExportedRun(NamedTuple):
    """A run as it can be written again: its tag, the comment lines of its file, and its rows (topic, document,
    score) in the order that scores use.
    """

    tag: str
    header: str
    rows: Iterator[tuple[str, str, float]]


def export_run(campaign: Campaign, tag: str) -> ExportedRun:
    """One run in rank order; NotThere for an unknown tag."""
    stored = next((run for run in runs.all_runs(campaign) if run.record.tag == tag), None)
    if stored is None:
        message = f"no run is called {tag!r} in {campaign.name}"
        raise NotThere(message)
    return ExportedRun(
        tag, stored.record.header, rows_of_run(campaign, stored, partial(runs.vocabulary, campaign))
    )


def rows_of_run(
    campaign: Campaign, stored: runs.StoredRun, vocabulary_of: Callable[[str], list[str]]
) -> Iterator[tuple[str, str, float]]:
    """A run's rows (topic, document, score) in the order that scores use; `vocabulary_of` a topic gives its ids."""
    for ranking in runs.packed_rankings(campaign, run=stored.run):
        vocabulary = vocabulary_of(ranking.topic_id)
        numbers, scores = unpack_documents(ranking.documents).tolist(), unpack_scores(ranking.scores).tolist()
        for number, score in zip(numbers, scores, strict=True):
            yield ranking.topic_id, vocabulary[number], score
