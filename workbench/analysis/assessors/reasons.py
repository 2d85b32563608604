"""Why assessors could not tell: the reasons of the campaign's list, counted."""

from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

from workbench.storage.campaign import Campaign
from workbench.storage.campaign.grades import rationales
from workbench.storage.campaign.organising.settings import Settings, parts_of


class ReasonCount(NamedTuple):
    """How many judgments in force have a reason, of how many topics and by how many assessors; "" is without one."""

    reason: str
    judgments: int
    topics: int
    assessors: int


def reason_counts(campaign: Campaign) -> list[ReasonCount]:
    """The reasons for "can't tell" that were given, the most frequent first, and last those without a reason.

    A reason is the first line of a note that is, or was, on the campaign's list.
    """
    lists = [Settings._field_defaults["cannot_tell_reasons"], *rationales.lists_of_reasons(campaign)]
    known = {reason for line in lists for reason in parts_of(line)}
    found: dict[str, list[rationales.CannotTell]] = defaultdict(list)
    for each in rationales.cannot_tell(campaign):
        first = each.comment.split("\n", 1)[0]
        found[first if first in known else ""].append(each)
    counts = [
        ReasonCount(
            reason,
            len(given),
            len({each.topic_id for each in given}),
            len({each.assessor for each in given}),
        )
        for reason, given in found.items()
    ]
    return sorted(counts, key=lambda count: (not count.reason, -count.judgments, count.reason))
