"""Nugget banks of judges against those of one or more truths, for the topics that both have, by the words of nuggets.

Nuggets that say the same in other words count by the words that they share alone: so a bank is compared with what the
same bank shares with nuggets of another topic, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Annotated, Any, NamedTuple

import numpy as np

from workbench.analysis.judges.labels import Agreed, agreed
from workbench.core.results import FLAT, Column
from workbench.formats.answers.assigned import VITAL
from workbench.methods.text.compared_words import words_of

Row = Sequence[Any]


class Nuggets(NamedTuple):
    """What a judge or a truth is called, and topic, text and importance of each nugget."""

    name: str
    rows: Iterable[Row]


class JudgedBank(NamedTuple):
    """How much of a truth's nuggets a judge has, by words: 2 |A ∩ B| / (|A| + |B|) of the words of two nuggets.

    Attributes:
        truth, judge: what they are called.
        topics, topics_missing: how many topics both have nuggets of, and how many only the truth has.
        nuggets, judge_nuggets: how many each has of these topics.
        same: the share of the truth's nuggets that the judge has in the same words; None without any.
        recall: of each of the truth's nuggets the words shared with the nearest of the judge's.
        vital: the same of those that are vital.
        precision: of each of the judge's nuggets the words shared with the nearest of the truth's.
        by_chance: recall by the judge's nuggets of the next topic; None with one topic.
    """

    truth: str
    judge: str
    topics: int
    topics_missing: int
    nuggets: int
    judge_nuggets: int
    same: Annotated[float | None, Column("Same words", kind="score")]
    recall: Annotated[Agreed, FLAT, Column("Recall", "recall")]
    vital: Annotated[Agreed, FLAT, Column("Vital recall", "vital")]
    precision: Annotated[Agreed, FLAT, Column("Precision", "precision")]
    by_chance: Annotated[float | None, Column("By chance", kind="score")]


Words = list[tuple[frozenset[str], bool]]
"""The words of each nugget of a topic, and whether it is vital."""


def _by_topic(rows: Iterable[Row]) -> dict[str, Words]:
    found: dict[str, Words] = {}
    for topic_id, text, importance in rows:
        found.setdefault(topic_id, []).append((frozenset(words_of(text)), importance == VITAL))
    return found


def compared_banks(given: Nuggets, judge: Nuggets) -> JudgedBank:
    """The bank of a judge against the given one of a truth."""
    truth, other = _by_topic(given.rows), _by_topic(judge.rows)
    topics = sorted(truth.keys() & other.keys())
    ours, theirs = ([side[topic_id] for topic_id in topics] for side in (truth, other))
    nearest = list(map(_nearest, ours, theirs))
    vital = [
        [share for share, (_, is_vital) in zip(shares, words, strict=True) if is_vital]
        for shares, words in zip(nearest, ours, strict=True)
    ]
    every = list(chain(*nearest))
    chance = list(chain(*map(_nearest, ours, theirs[1:] + theirs[:1]))) if len(topics) > 1 else []
    return JudgedBank(  # type: ignore[call-arg]
        given.name,
        judge.name,
        len(topics),
        len(truth) - len(topics),
        len(every),
        sum(map(len, theirs)),
        sum(share == 1 for share in every) / len(every) if every else None,
        *map(_means, (nearest, vital, list(map(_nearest, theirs, ours)))),  # type: ignore[arg-type]
        float(np.mean(chance)) if chance else None,
    )


def _nearest(some: Words, others: Words) -> list[float]:
    """Of each nugget the share of words with the nearest of others."""
    return [max(2 * len(a & b) / ((len(a) + len(b)) or 1) for b, _ in others) for a, _ in some]


def _means(by_topic: Sequence[Sequence[float]]) -> Agreed:
    every = [float(np.mean(shares)) for shares in by_topic if shares]
    whole = float(np.mean(list(chain(*by_topic)))) if every else np.nan
    return agreed(whole, np.array(every))
