"""The judgment log as it may leave the organisers: who judged is a pseudonym, and what might tell is left out.

Left out are the assessors' names, the hashes of the rows (they cover the names, so that a guess at a name could be
tried against them), uuids, the time of day, the file that an import came from, comments unless they are asked for, and
the words of rationales, which belong to the documents; where these stand is kept. A row with `taken_back` takes back a
hidden repeat, or what was said in a norming session: without it such a row says that the assessor could not tell. A row
with `norming` was said in the session of that number, or is a grade that was taken over from it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from workbench.core.records import NORMING, TAKEN_BACK, Judgment
from workbench.core.values import declared
from workbench.formats.tables.json_text import json_line
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning import norming
from workbench.storage.campaign.log import log
from workbench.storage.campaign.log.log import up_to

PUBLISHED = tuple(field for field in declared(Judgment) if field.given.published)
"""Fields of a judgment that are published as they are."""


def judgment_rows(campaign: Campaign, names: Mapping[str, str], *, comments: bool = False) -> Iterator[str]:
    """The log's judgments as JSONL, in its order, those out of force included.

    Args:
        campaign: an open campaign.
        names: what each assessor is called; one that is missing goes by their own name.
        comments: whether to tell what assessors wrote.
    """
    sessions = norming.all_sessions(campaign)
    for judgment, _ in log.hashed_judgments(campaign):
        yield json_line(_row(judgment, names, sessions, comments=comments))


def _row(
    judgment: Judgment, names: Mapping[str, str], sessions: Sequence[norming.Session], *, comments: bool
) -> dict[str, Any]:
    places = [[kept.field, kept.start, kept.end] for kept in judgment.rationales]
    row = {
        "seq": judgment.seq,
        "day": judgment.received_at[:10],
        "assessor": names.get(judgment.assessor, judgment.assessor),
        **{field.name: getattr(judgment, field.name) for field in PUBLISHED},
        "rationales": places,
        **({"taken_back": True} if judgment.source == TAKEN_BACK else {}),
        **_session(judgment, sessions),
    }
    return {**row, "comment": judgment.comment} if comments else row


def _session(judgment: Judgment, sessions: Sequence[norming.Session]) -> dict[str, int]:
    """The session in which a judgment was said, or from which it was taken over; one is open at a time."""
    for each in sessions:
        within = each.opened < judgment.seq < up_to(each.closed)
        if within and (judgment.kind == NORMING or judgment.source == norming.source_of(each.norming)):
            return {"norming": each.norming}
    return {}
