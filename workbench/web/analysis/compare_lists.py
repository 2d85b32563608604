"""The lists of pages that compare: the topics of some runs, and every pair of all runs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Literal, NamedTuple

from workbench.analysis.comparing.all_pairs import AllPairs
from workbench.analysis.comparing.runs import Comparison
from workbench.core.natural_order import natural
from workbench.methods.measures.judged import FloatArray
from workbench.web.requests.lists import Choice, Column, Filter, Listing

TopicRow = tuple[str, Sequence[float], Sequence[float]]
"""A topic, the scores of the runs, and their differences from the baseline."""


class PairRow(NamedTuple):
    """Two runs, the better one first: the difference of their means, and its p-value."""

    ahead: str
    behind: str
    difference: float
    p_value: float


def topics_list(found: Comparison) -> Listing[TopicRow]:
    """The list of topics, with a column for each run and each difference; without an order as they come."""
    scores = (
        Column[TopicRow](f"score{place}", tag, partial(_value, 1, place), numeric=True)
        for place, tag in enumerate(found.tags)
    )
    differences = (
        Column[TopicRow](
            f"difference{place}", f"Difference of {tag}", partial(_value, 2, place), numeric=True
        )
        for place, tag in enumerate(found.tags[1:])
    )
    return Listing[TopicRow](
        noun="topic",
        columns=(Column("id", "Topic", lambda row: natural(row[0])), *scores, *differences),
        text=lambda row: row[0],
        looks_in="Topic id",
        ident=lambda row: row[0],
        prefix="topic-",
    )


def pair_rows(pairs: AllPairs, p_values: FloatArray) -> list[PairRow]:
    """Every pair, that of the best two runs first."""
    means, values, tags = pairs.means.tolist(), p_values.tolist(), pairs.tags
    return [
        PairRow(tag, tags[at], means[place] - means[at], values[place][at])
        for place, tag in enumerate(tags)
        for at in range(place + 1, len(tags))
    ]


def pairs_list(pairs: AllPairs) -> Listing[PairRow]:
    """The list of every pair; without an order by the places of its runs."""
    alpha = pairs.alpha
    return Listing[PairRow](
        noun="pair",
        columns=(
            Column("ahead", "Run ahead", lambda row: natural(row.ahead)),
            Column("behind", "Run behind", lambda row: natural(row.behind)),
            Column("difference", "Difference", lambda row: row.difference, numeric=True),
            Column("p", "p", lambda row: row.p_value, numeric=True),
        ),
        filters=(
            Filter(
                "state",
                "Difference",
                {
                    "differ": Choice("significant", lambda row: row.p_value <= alpha),
                    "level": Choice("not significant", lambda row: not row.p_value <= alpha),
                },
                every="any",
            ),
        ),
        text=lambda row: f"{row.ahead} {row.behind}",
        looks_in="One or two runs",
        ident=lambda row: f"{row.ahead}\n{row.behind}",
        prefix="pair-",
    )


def _value(part: Literal[1, 2], place: int, row: TopicRow) -> float:
    return row[part][place]
