"""Assessor activity as sheets of rows and columns, and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from workbench.analysis.assessors.grades_over_time import describe_drift
from workbench.analysis.assessors.profile import Profile, Summary, agreement_of
from workbench.core.results import Column
from workbench.formats.tables.sheets import Sheet

ALL_ASSESSORS = (
    Column("Assessor", "assessor", "text"),
    Column("Pairs", "pairs", "count"),
    Column("Topics", "topics", "count"),
    Column("Could not tell", "cannot_tell", "count"),
    Column("Seconds", "median_seconds", "size"),
    Column("Hours", "hours", "size"),
    Column("Relevant", "relevant", "size"),
    Column("In common", "in_common", "count"),
    Column("Left out", "left_out", "count"),
    Column("Higher", "higher", "count"),
    Column("Lower", "lower", "count"),
    Column("Above", "above", "signed"),
    Column("99% low", "above_low", "signed"),
    Column("99% high", "above_high", "signed"),
    Column("With self", "self_agreement", "size"),
)

HISTORY = (
    Column("First", "first", "count"),
    Column("Last", "last", "count"),
    Column("From", "begins", "text"),
    Column("To", "ends", "text"),
    Column("Seconds", "median_seconds", "size"),
    Column("Relevant", "relevant", "size"),
    Column("In common", "in_common", "count"),
    Column("Above others", "above", "signed"),
)


def all_assessors(found: Sequence[Summary]) -> Sheet:
    """A row for each assessor; what is not known is empty."""
    return Sheet(ALL_ASSESSORS, tuple(_row(each) for each in found))


def _row(each: Summary) -> tuple[Any, ...]:
    peers = each.peers
    low, high = peers.interval or (None, None) if peers else (None, None)
    counts: tuple[Any, ...] = (peers.compared, peers.left_out) if peers else (0, 0)
    steps = (peers.higher, peers.lower, peers.above) if peers and peers.compared else (None, None, None)
    return (
        each.assessor,
        each.pairs,
        each.topics,
        each.cannot_tell,
        each.pace.median,
        each.pace.hours if each.pace.timed else None,
        each.relevant,
        *counts,
        *steps,
        low,
        high,
        agreement_of(each.again),
    )


def history(profile: Profile) -> Sheet:
    """One assessor's judgments in their order, in parts."""
    rows = tuple(
        (
            part.first,
            part.last,
            part.begins[:10],
            part.ends[:10],
            part.seconds,
            part.relevant,
            part.shared,
            part.above,
        )
        for part in profile.parts
    )
    return Sheet(HISTORY, rows)


def content_of_one(profile: Profile) -> dict[str, Any]:
    """One assessor as JSON: as in the list, and whether their grades drift against those of others."""
    drift = profile.drift
    changes = {"between_topics": drift.between._asdict(), "within_topics": drift.within._asdict()}
    return content([profile.summary]) | {"drift": changes | {"in_words": describe_drift(drift)}}


def content(found: Sequence[Summary]) -> dict[str, Any]:
    """All assessors as JSON, with the findings."""
    names = [column.name for column in ALL_ASSESSORS]
    return {
        "assessors": [
            dict(zip(names, _row(each), strict=True)) | {"role": each.role, "remarks": list(each.remarks)}
            for each in found
        ]
    }
