"""The line of a leaderboard that says how many pairs of its runs are certain."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flask import g, url_for

from workbench.analysis.trust.certain_pairs import DEFAULT_MEASURE, PairsRequest, certain_pairs
from workbench.analysis.trust.evidence import IN_A_JOB, pairs_take_long
from workbench.analysis.trust.sentences import certain_sentence
from workbench.core.wording import counted
from workbench.methods.bounds.registry import adds_up
from workbench.scoring.board.of_round import OfRound
from workbench.scoring.board.table import choose
from workbench.storage.campaign.organising import settings


def certain_line(
    names: Sequence[str], tags: Sequence[str], *, row: int | None, part: OfRound | None = None
) -> dict[str, Any] | None:
    """How many pairs are certain by the first additive measure, and where the pairs are; None without a pair.

    Args:
        names: the board's measures.
        tags: its runs; pairs with other runs do not count.
        row: the row of the log that it shows, None for now.
        part: the round whose runs it shows.
    """
    if len(tags) < 2:
        return None
    relevant_from = settings.read(g.campaign, row).relevant_from
    measures = [measure for _, measure in choose(names, relevant_from)]
    name = next((str(each) for each in measures if adds_up(each)), DEFAULT_MEASURE)
    # Bounds of two runs depend on no third one; only what is taken out for a round gives other bounds.
    taken_out = part is not None and part.residual
    asked = PairsRequest(name, as_of=row, part=part if taken_out else None, most_steps=IN_A_JOB)
    moment: dict[str, Any] = {} if row is None else {"as-of": row}
    address = url_for("trust.page", campaign=g.campaign.name, measure=name, **moment)
    link = address if g.role == "organiser" and not taken_out else None
    if pairs_take_long(g.campaign, asked):
        pairs = counted(len(tags) * (len(tags) - 1) // 2, "pair")
        where = " on the page Can we stop?" if link else ""
        return {
            "text": f"Which of {pairs} of runs are certain takes longer to compute{where}",
            "address": link,
        }
    found = certain_pairs(g.campaign, **asked._asdict()).among(tags)
    if len(found.tags) < 2 or not found.n_topics:
        return None
    also = " Without what was judged before the round." if taken_out else ""
    return {"text": certain_sentence(found) + also, "address": link}
