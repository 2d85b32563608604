"""Hidden repeats: some documents come again, so that it can be told how well somebody agrees with themself.

Which pairs come again follows from the campaign's settings and the log alone: each pair that an assessor graded is
drawn with the probability `repeat_share`, by a hash of the seed, the assessor and the pair, and is due once the
assessor has given `repeat_gap` more judgments. It then looks like any open document. What is said of it is stored as a
`repeat`, which never replaces the first judgment; until then the first one can still be corrected by who has it before
their eyes.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from hashlib import blake2b
from typing import NamedTuple

from workbench.campaign import Campaign, judgments, off_record, settings
from workbench.campaign.settings import Settings
from workbench.errors import CampaignError
from workbench.judging.submissions import Submission
from workbench.records import Judgment

Pair = tuple[str, str]

LARGEST_GAP = 10_000


class Repeats(NamedTuple):
    """One assessor's repeats: pairs drawn so far (repeated ones too), of these due now, and repeated."""

    assessor: str
    drawn: int
    due: int
    repeated: int


def set_repeats(
    campaign: Campaign, share: float, gap: int, seed: int, *, actor: str, now: datetime | None = None
) -> None:
    """Have a share of each assessor's pairs judged again, after at least `gap` more judgments; a share of 0 ends it.

    Raises CampaignError for a share that is not from 0 to 1, or a gap that is not from 1 to LARGEST_GAP.
    """
    if not 0 <= share <= 1:
        message = f"the share of repeats is a number from 0 to 1, such as 0.03, not {share}"
        raise CampaignError(message)
    if not 1 <= gap <= LARGEST_GAP:
        message = f"a repeat comes after 1 to {LARGEST_GAP:,} more judgments, not {gap}"
        raise CampaignError(message)
    changes = {"repeat_share": float(share), "repeat_gap": gap, "repeat_seed": seed}
    with campaign.write():
        settings.change(campaign, changes, actor=actor, now=now)


def state_of_repeats(campaign: Campaign) -> list[Repeats]:
    """How far each assessor's repeats are, by name in byte order; who has none is left out."""
    with campaign.snapshot():
        rules = settings.read(campaign)
        made: dict[str, int] = {}
        for twice in off_record.said_twice(campaign):
            made[twice.assessor] = made.get(twice.assessor, 0) + 1
        rows = []
        for name in sorted({*off_record.assessors_on_screen(campaign), *made}):
            candidates = off_record.repeatable(campaign, name) if rules.repeat_share else []
            open_pairs = [pair for pair in candidates if is_drawn(rules, name, pair)]
            rows.append(
                Repeats(
                    name, len(open_pairs) + made.get(name, 0), len(due(campaign, name)), made.get(name, 0)
                )
            )
    return [row for row in rows if row.drawn]


def is_drawn(rules: Settings, assessor: str, pair: Pair) -> bool:
    """Whether a pair is one of those that come again for an assessor."""
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
    return [pair for pair in found if is_drawn(rules, assessor, pair)]


def hidden_again(campaign: Campaign, assessor: str) -> frozenset[int]:
    """The places in the log of an assessor's judgments that they are not to see: the pairs are due again."""
    pairs = due(campaign, assessor)
    given = judgments.in_force_of(campaign, assessor) if pairs else {}
    return frozenset(given[pair].seq for pair in pairs)


def came_due(campaign: Campaign, judgment: Judgment) -> str | None:
    """The document of the same topic that this judgment, the newest of its assessor, made due; None for none."""
    rules = settings.read(campaign)
    if not rules.repeat_share:
        return None
    last = off_record.nth_newest(campaign, judgment.assessor, rules.repeat_gap)
    pair = off_record.pair_at(campaign, last)
    if pair is None or pair[0] != judgment.topic_id or not is_drawn(rules, judgment.assessor, pair):
        return None
    return pair[1] if pair in due(campaign, judgment.assessor, judgment.topic_id) else None


def seen_by_its_assessor(
    campaign: Campaign, topic_id: str, document_id: str, assessor: str
) -> Judgment | None:
    """What an assessor may see of their own judgment of a pair: a repeat, if there is one; none while one is due."""
    found = off_record.newest(campaign, topic_id, document_id, assessor)
    if found is None or found.kind == off_record.REPEAT:
        return found and off_record.as_given(found)
    rules = settings.read(campaign)
    is_due = is_drawn(rules, assessor, (topic_id, document_id)) and (topic_id, document_id) in due(
        campaign, assessor, topic_id
    )
    return None if is_due else found


def own_in_topic(
    campaign: Campaign, topic_id: str, assessor: str, current: Sequence[Judgment]
) -> tuple[dict[str, Judgment], set[str]]:
    """An assessor's judgments of a topic by document as they may see them, and the documents that are due again.

    `current` are all judgments in force of the topic.
    """
    again = {document_id for _, document_id in due(campaign, assessor, topic_id)}
    own = [judgment for judgment in current if judgment.assessor == assessor]
    own += map(off_record.as_given, off_record.repeats_of_topic(campaign, topic_id, assessor))
    return {each.document_id: each for each in own if each.document_id not in again}, again


def replaced_by(
    campaign: Campaign, submission: Submission, assessor: str, mine: Judgment | None
) -> Judgment | None:
    """The judgment that a submission has to replace: `mine`, which its assessor sees, or the first one of a pair that
    came due while they had it before their eyes.
    """
    if mine is None and submission.replaces is not None and submission.norming is None:
        return judgments.current(campaign, submission.topic_id, submission.document_id, assessor)
    return mine


def as_stored(campaign: Campaign, judgment: Judgment) -> Judgment:
    """A judgment that has been checked, as a repeat if it is one."""
    pair = judgment.topic_id, judgment.document_id
    if judgment.replaces is None:  # of a pair that they have judged, they see nothing only while it is due
        is_again = judgments.current(campaign, *pair, judgment.assessor) is not None
    else:
        is_again = off_record.has_repeat(campaign, *pair, judgment.assessor)
    return off_record.off_record(judgment, off_record.REPEAT) if is_again else judgment
