"""The newest grade in force of each pair, among those that count: what most labels are, whatever the rule."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.file.schema import quoted
from workbench.storage.campaign.grades.independent_grades import INDEPENDENT_KINDS
from workbench.storage.campaign.grades.sources import MODEL, STEP, Precedence
from workbench.storage.campaign.log.log import up_to

Row = tuple[int, str, str, int]
"""The `seq` of the judgment that gives a label, topic, document, grade."""

AT_A_TIME = 250
"""Pairs that are read together."""

_LINES = """SELECT max(seq) AS seq, topic, document, kind, grade FROM judgment
    WHERE kind IN ({kinds}) AND seq <= :as_of{chosen} GROUP BY topic, document, assessor"""
"""Assessors' newest own judgments, or models' newest labels."""


def own(precedence: Precedence, chosen: str = "") -> str:
    """A query of the grades in force that count, with their `place`: the newest of a pair's lowest tier is last."""
    lines = [_LINES.format(kinds=quoted(INDEPENDENT_KINDS), chosen=chosen)]
    if precedence.models is not None:
        lines.append(_LINES.format(kinds=quoted((MODEL,)), chosen=chosen))
    tier = precedence.in_sql
    some = f"AND {tier} IS NOT NULL" if None in (precedence.here, precedence.imports) else ""
    return f"""SELECT seq, topic, document, grade, seq - {tier} * {STEP} AS place FROM ({" UNION ALL ".join(lines)})
        WHERE grade IS NOT NULL {some}"""


def each(campaign: Campaign, precedence: Precedence, as_of: int | None) -> Iterator[Row]:
    """The newest grade of the lowest tier of each pair that has one, in byte order of topic and document.

    The newest row of a pair gives it where no other row can count before it, as for nearly all pairs: one pass in the
    order of an index, where the newest row of each assessor has to be sorted. That is looked at for the other pairs.
    """
    rows = campaign.db.conn.execute(_newest_rows(precedence), {"as_of": up_to(as_of)})
    while batch := rows.fetchmany(AT_A_TIME):
        several = [row[1:3] for row in batch if row[3] is None]
        if several:
            exact = _of_pairs(campaign, precedence, as_of, several)
            found = (exact.get(row[1:3]) if row[3] is None else row for row in batch)
            yield from (row for row in found if row is not None)
        else:
            yield from batch


def _newest_rows(precedence: Precedence) -> str:
    """A query of each pair's newest row if it has a grade that counts, without the grade if other rows may count."""
    kinds = INDEPENDENT_KINDS if precedence.models is None else (*INDEPENDENT_KINDS, MODEL)
    tier = precedence.in_sql
    several = f"count(*) > 1 AND (grade IS NULL OR ({tier}) IS NOT 0)"
    return f"""SELECT max(seq), topic, document, iif({several}, NULL, grade)
        FROM judgment WHERE kind IN ({quoted(kinds)}) AND seq <= :as_of GROUP BY topic, document
        HAVING ({several}) OR (grade IS NOT NULL AND ({tier}) IS NOT NULL) ORDER BY topic, document"""


def _of_pairs(
    campaign: Campaign, precedence: Precedence, as_of: int | None, pairs: Sequence[tuple[str, str]]
) -> dict[tuple[str, str], Row]:
    """The same of some pairs, from the newest row of each assessor."""
    chosen = """ AND (topic, document) IN (
        SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(:pairs))"""
    rows = campaign.db.conn.execute(
        f"SELECT seq, topic, document, grade, max(place) FROM ({own(precedence, chosen)}) GROUP BY topic, document",
        {"as_of": up_to(as_of), "pairs": json.dumps(pairs)},
    )
    return {row[1:3]: row[:4] for row in rows}
