"""Hidden repeats: a sample of documents is shown twice to the same assessor, which measures self-agreement.

Which pairs are repeated follows from the campaign's settings and the log alone: each pair that an assessor graded is
drawn with the probability `repeat_share`, by a hash of the seed, the assessor and the pair, and is due once the
assessor has given `repeat_gap` more judgments. It then looks like any open document. What is said of it is stored as a
`repeat`, which never replaces the first judgment; until then the first one can still be corrected by who has it before
their eyes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from hashlib import blake2b
from typing import NamedTuple

from workbench.core.errors import CampaignError
from workbench.core.records import SAID_LATER, Judgment
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import broken
from workbench.storage.campaign.grades import judgments, off_record
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.organising.settings import Settings

Pair = tuple[str, str]

LARGEST_GAP = 10_000
OPEN = "open"


class Repeats(NamedTuple):
    """One assessor's repeats: pairs drawn so far (repeated ones too), of these due now, and repeated."""

    assessor: str
    drawn: int
    due: int
    repeated: int


def set_repeats(campaign: Campaign, share: float, gap: int, seed: int) -> None:
    """Have a share of each assessor's pairs judged again, after at least `gap` more judgments; a share of 0 ends it.

    Raises CampaignError for a share that is not from 0 to 1, or a gap that is not from 1 to LARGEST_GAP.
    """
    if not 0 <= share <= 1:
        raise CampaignError(f"the share of repeats is a number from 0 to 1, such as 0.03, not {share}")
    if not 1 <= gap <= LARGEST_GAP:
        raise CampaignError(f"a repeat comes after 1 to {LARGEST_GAP:,} more judgments, not {gap}")
    changes = {"repeat_share": float(share), "repeat_gap": gap, "repeat_seed": seed}
    with campaign.write():
        settings.change(campaign, changes)


def state_of_repeats(campaign: Campaign) -> list[Repeats]:
    """How far each assessor's repeats are, by name in byte order; who has none is left out."""
    with campaign.snapshot():
        rules = settings.read(campaign)
        made = Counter(twice.assessor for twice in off_record.repeated_judgments(campaign))
        rows = []
        for name in sorted({*off_record.assessors_on_screen(campaign), *made}):
            candidates = off_record.repeatable(campaign, name) if rules.repeat_share else []
            drawn = sum(is_drawn(rules, name, pair) for pair in candidates) + made[name]
            rows.append(Repeats(name, drawn, len(due(campaign, name)), made[name]))
    return [row for row in rows if row.drawn]


def is_drawn(rules: Settings, assessor: str, pair: Pair) -> bool:
    """Whether a pair is repeated for an assessor."""
    words = ("repeat", str(rules.repeat_seed), assessor, *pair)
    number = int.from_bytes(blake2b("\0".join(words).encode(), digest_size=8).digest())
    return number < rules.repeat_share * 2**64


def due(campaign: Campaign, assessor: str, topic_id: str | None = None) -> list[Pair]:
    """The pairs, of all topics or one, that an assessor is to judge again now, in byte order."""
    rules = settings.read(campaign)
    if not rules.repeat_share:
        return []
    last = off_record.nth_newest(campaign, assessor, rules.repeat_gap)
    found = off_record.repeatable(campaign, assessor, last, topic_id)
    drawn = [pair for pair in found if is_drawn(rules, assessor, pair)]
    held_back = broken.held_back(campaign) if drawn else set()
    return [pair for pair in drawn if pair[1] not in held_back]


def is_due(campaign: Campaign, assessor: str, pair: Pair) -> bool:
    """Whether an assessor is to judge a pair again now."""
    drawn = is_drawn(settings.read(campaign), assessor, pair)
    return drawn and pair in due(campaign, assessor, pair[0])


def hidden_again(campaign: Campaign, assessor: str) -> frozenset[int]:
    """The places in the log of an assessor's judgments that they are not to see: the pairs are due again."""
    pairs = due(campaign, assessor)
    given = judgments.in_force_of(campaign, assessor) if pairs else {}
    return frozenset(given[pair].seq for pair in pairs)


def said_again(campaign: Campaign, assessor: str, topic_id: str | None = None) -> dict[Pair, str]:
    """What an assessor said when shown a pair again, by pair, of all topics or one: a kind, and OPEN for a pair that is
    due, or whose repeat they took back.

    To its assessor each of these is one more document of the topic, beside the one that it was at first, so that no
    count of what they judged ever falls.
    """
    given = map(Judgment.as_given, off_record.newest_repeats(campaign, assessor, topic_id))
    found = {(each.topic_id, each.document_id): each.kind for each in given}
    open_again = [pair for pair, kind in found.items() if kind == "cleared"]
    return found | dict.fromkeys([*open_again, *due(campaign, assessor, topic_id)], OPEN)


def newly_due(campaign: Campaign, judgment: Judgment, rules: Settings) -> str | None:
    """The document of the same topic that this judgment made due, and that is due now; None for none."""
    if not rules.repeat_share:
        return None
    last = off_record.nth_newest(campaign, judgment.assessor, rules.repeat_gap, judgment.seq)
    pair = off_record.pair_at(campaign, last)
    if pair is None or pair[0] != judgment.topic_id or not is_drawn(rules, judgment.assessor, pair):
        return None
    return pair[1] if pair in due(campaign, judgment.assessor, judgment.topic_id) else None


def own_judgments_in_topic(
    campaign: Campaign, topic_id: str, assessor: str, current: Sequence[Judgment]
) -> tuple[dict[str, Judgment], set[str]]:
    """An assessor's judgments of a topic by document as they may see them, and the documents that are due again.

    `current` are all judgments in force of the topic.
    """
    again = {document_id for _, document_id in due(campaign, assessor, topic_id)}
    own = [judgment.as_given() for judgment in current if judgment.assessor == assessor]
    own += map(Judgment.as_given, off_record.newest_repeats(campaign, assessor, topic_id, SAID_LATER))
    return {each.document_id: each for each in own if each.document_id not in again}, again
