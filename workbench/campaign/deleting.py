"""Deleting topics and documents that nothing refers to: header lines, the wrong file; what it takes is shown first."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from heapq import nsmallest
from typing import NamedTuple

from workbench.core.errors import CampaignError, NotThere
from workbench.core.natural_order import natural
from workbench.core.wording import counted, listed
from workbench.jobs.processes import OnStep
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import documents, topics
from workbench.storage.campaign.collection.references import referred_to

MOST = 1_000_000
"""Ids that one row of the log names."""

SHOWN = 20


class Unused(NamedTuple):
    """What to delete: topics or documents (`kind`: 'topic' or 'document'), all of them where `ids` is None, else those
    named and, with `sources`, the documents of these sources that no other has.

    What something refers to stays, or with `all_or_none` is refused with all others. `seen` is the `mark` of what was
    shown before; `reason` is for the log.
    """

    kind: str
    ids: tuple[str, ...] | None = None
    sources: tuple[int, ...] = ()
    reason: str = ""
    all_or_none: bool = False
    dry_run: bool = False
    seen: str = ""


class Deletion(NamedTuple):
    """How many go, the first of them, how many stay by what refers to them, a `mark` of the former, and the log row."""

    kind: str
    number: int
    some: tuple[str, ...]
    kept: dict[str, int]
    mark: str
    seq: int = 0

    def __str__(self) -> str:
        said = counted(self.number, self.kind)
        said += f" deleted (log row {self.seq})" if self.seq else " can be deleted"
        if stay := sum(self.kept.values()):
            why = ", ".join(f"{count:,} {word}" for word, count in self.kept.items())
            said += f"; {counted(stay, self.kind)} {'stays' if stay == 1 else 'stay'}: {why}"
        return said


def delete_unused(campaign: Campaign, asked: Unused, *, on_step: OnStep | None = None) -> Deletion:
    """Delete those of these topics or documents that nothing refers to, documents from all sources, in one transaction.

    The log keeps the texts of topics, and the ids of documents. Files stay as they are: a file that is added again
    brings its documents back.

    Raises:
        NotThere: there is no such topic, or no source has such a document.
        CampaignError: something refers to one of them, and it was all or none; others would be deleted than were seen;
            or more than MOST.
    """
    kind, delete = asked.kind, topics.remove if asked.kind == "topic" else documents.remove
    with campaign.snapshot() if asked.dry_run else campaign.write():
        gone, stay = _sorted_out(campaign, asked)
        if asked.all_or_none and stay and not asked.dry_run:
            named = listed([f"{one} ({why})" for one, why in sorted(stay.items())])
            raise CampaignError(
                f"what something refers to cannot be deleted: {kind} {named}; with --unused they stay and the others go"
            )
        mark = sha256("\n".join(gone).encode()).hexdigest()[:16]
        if asked.seen not in {"", mark}:
            raise CampaignError(f"the campaign has changed: {len(gone):,} would be deleted now; look again")
        seq = 0 if asked.dry_run or not gone else delete(campaign, gone, reason=asked.reason)
    kept = dict(sorted(Counter(stay.values()).items(), key=lambda each: (-each[1], each[0])))
    return Deletion(kind, len(gone), tuple(nsmallest(SHOWN, gone, natural)), kept, mark, seq)


def _sorted_out(campaign: Campaign, asked: Unused) -> tuple[list[str], dict[str, str]]:
    """What can be deleted, in byte order, and why the others stay."""
    kind, named, why = asked.kind, set(asked.ids or ()), referred_to(campaign, asked.kind)
    found, elsewhere = set[str](), set[str]()
    for source, ids in (
        documents.ids_by_source(campaign) if kind == "document" else [(0, topics.topic_ids(campaign))]
    ):
        if asked.ids is None or source in asked.sources:
            found.update(ids)
        else:
            found |= named.intersection(ids)
            elsewhere.update(ids if asked.sources else ())
        if len(found.difference(why)) > MOST:
            raise CampaignError(f"more than {MOST:,} {kind}s at once; choose fewer")
    if missing := sorted(named - found):
        raise NotThere(f"{campaign.name} has no {kind} {listed(list(map(repr, missing)))}")
    why |= dict.fromkeys(elsewhere - named - why.keys(), "in another file")
    stay = {one: why[one] for one in found if one in why}
    return sorted(found - stay.keys()), stay
