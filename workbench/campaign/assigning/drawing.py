"""Double judging: pairs drawn at random to be judged by a second assessor, and who that is.

A draw takes pairs that were in no earlier draw's frame, so each pair has had one chance in all: the probability that is
kept with it. The frame is every pooled pair, or every graded one when strata are grades. Within a
stratum every set of pairs of the size wanted is as likely as any other: pairs are ordered by a hash of seed, topic and
document, and the first ones are drawn (simple random sampling without replacement).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from hashlib import blake2b
from typing import NamedTuple

from workbench.campaign.assigning.changing import able, put_checked
from workbench.core.errors import CampaignError, UnknownName
from workbench.core.natural_order import natural
from workbench.core.wording import none_such
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning import assignments, claims, draws
from workbench.storage.campaign.assigning.assignments import SECOND, WHOLE, Assignment
from workbench.storage.campaign.assigning.draws import ALLOCATIONS, STRATA, DrawnPair, DrawRecord
from workbench.storage.campaign.collection import pools
from workbench.storage.campaign.grades import current_judgments, labels
from workbench.storage.campaign.organising import settings

Pair = tuple[str, str]

ALL = "all"


class Drawn(NamedTuple):
    """What a draw brought: how many pairs of each stratum (drawn, and there), the second assessor of each topic."""

    strata: dict[str, tuple[int, int]]
    seconds: dict[str, str]
    pairs: int


def draw_double(
    campaign: Campaign,
    share: float,
    seed: int,
    *,
    stratify: str = "none",
    allocate: str = "proportional",
    assessors: Sequence[str] | None = None,
    disabled: Collection[str] = (),
) -> Drawn:
    """Draw pairs for a second judgment, and give every topic with drawn pairs a second assessor.

    Args:
        campaign: an open campaign in which topics are assigned or claimed.
        share: which share of the pairs, above 0, at most 1.
        seed: the same seed on the same pairs draws the same.
        stratify: one of STRATA: draw from all pairs, within each topic, or within each grade.
        allocate: one of ALLOCATIONS: each stratum's share, or as many from every stratum.
        assessors, disabled: who may become second assessors, as in `able`.

    Raises CampaignError for another share, where any assessor judges any topic, there is nothing to draw from, or a
    topic has no possible second assessor; UnknownName for other ways to stratify or allocate.
    """
    if not 0 < share <= 1:
        raise CampaignError(f"a share is above 0 and at most 1, such as 0.1, not {share}")
    for what, word, known in (("stratum", stratify, STRATA), ("allocation", allocate, ALLOCATIONS)):
        if word not in known:
            raise UnknownName(none_such(what, word, list(known)))
    with campaign.write():
        if settings.read(campaign).who_judges == "anybody":
            raise CampaignError(
                "any assessor may judge any topic in this campaign, so there is no first and no second assessor; "
                f"first choose: workbench assign who {campaign.command_name} assigned"
            )
        frame = _frame(campaign, stratify)
        if not frame:
            raise CampaignError(_nothing_to_draw(campaign, stratify))
        drawn = draw(frame, share, seed, allocate)
        record = DrawRecord(share, seed, stratify, allocate, len(frame))
        draws.put(campaign, record, drawn)
        seconds = _seconds(campaign, drawn, seed, able(campaign, assessors, disabled))
        if seconds:
            rows = [(topic_id, SECOND, name) for topic_id, name in seconds.items()]
            put_checked(campaign, {(topic_id, SECOND) for topic_id in seconds}, rows)
    sizes = Counter(frame.values())
    taken = Counter(pair.stratum for pair in drawn)
    strata = {name: (taken[name], sizes[name]) for name in sorted(sizes, key=natural)}
    return Drawn(strata, seconds, len(drawn))


def draw(frame: Mapping[Pair, str], share: float, seed: int, allocate: str) -> list[DrawnPair]:
    """The pairs drawn and their probabilities, in byte order; at least one of each stratum, halves rounded up."""
    strata: dict[str, list[Pair]] = {}
    for pair, stratum in frame.items():
        strata.setdefault(stratum, []).append(pair)
    sizes = {name: len(pairs) for name, pairs in strata.items()}
    wanted = allocated(sizes, share, allocate)
    found = []
    for name, pairs in strata.items():
        first = sorted(pairs, key=lambda pair: _place(seed, pair))[: wanted[name]]
        found += [DrawnPair(*pair, name, wanted[name] / len(pairs)) for pair in first]
    return sorted(found)


def allocated(sizes: Mapping[str, int], share: float, allocate: str) -> dict[str, int]:
    """How many pairs each stratum gives, by its size; with `equal` what a small one lacks comes from the others."""
    if allocate == "proportional":
        return {name: _count(share, size) for name, size in sizes.items()}
    left, wanted = _count(share, sum(sizes.values())), {}
    by_size = sorted(sizes.items(), key=lambda entry: (entry[1], entry[0]))
    for number, (name, size) in enumerate(by_size):
        wanted[name] = min(size, max(1, left // (len(by_size) - number)))
        left -= wanted[name]
    return wanted


def _count(share: float, size: int) -> int:
    """The share of a number, rounded to the nearest (halves up), at least 1; 0.1 is a tenth, not a binary number."""
    exact = Fraction(repr(share)) * size
    return min(size, max(1, int(exact + Fraction(1, 2))))


def _place(seed: int, pair: Pair) -> bytes:
    return blake2b("\0".join(("double", str(seed), *pair)).encode(), digest_size=16).digest()


def _nothing_to_draw(campaign: Campaign, stratify: str) -> str:
    if not pools.in_force(campaign):
        return (
            f"{campaign.name} has no pool to draw from; "
            f"make one: workbench pool {campaign.command_name} --depth 10"
        )
    if draws.all_draws(campaign):
        what = "graded pair" if stratify == "grade" else "pooled pair"
        return f"there is no {what} that an earlier draw could not have drawn"
    return "no pair has a grade yet; draw once some are judged, or without strata of grades"


def _frame(campaign: Campaign, stratify: str) -> dict[Pair, str]:
    there = strata_of(campaign, stratify)
    for earlier in draws.all_draws(campaign):
        for pair in strata_of(campaign.at(earlier.seq - 1), earlier.record.stratify):
            there.pop(pair, None)
    return there


def strata_of(campaign: Campaign, stratify: str) -> dict[Pair, str]:
    """The pairs that there are to draw from, now or as of a place in the log, each with its stratum."""
    pooled = [(pair.pooled.topic_id, pair.pooled.document_id) for pair in pools.pooled_pairs(campaign)]
    naming: dict[str, Callable[[Pair], str]] = {"none": lambda _: ALL, "topic": lambda pair: pair[0]}
    if stratify != "grade":
        return {pair: naming[stratify](pair) for pair in pooled}
    graded = {(row.topic_id, row.document_id): row.grade for row in labels.qrels(campaign)}
    return {pair: str(graded[pair]) for pair in pooled if pair in graded}


def _seconds(
    campaign: Campaign, drawn: Sequence[DrawnPair], seed: int, names: Sequence[str]
) -> dict[str, str]:
    pairs = Counter(pair.topic_id for pair in drawn)
    there = assignments.all_assignments(campaign)
    if settings.read(campaign).who_judges == "claimed":  # who took a topic last judges the whole of it
        taken = claims.all_claims(campaign).items()
        there = [*there, *(Assignment(topic_id, claim.assessor, WHOLE, 0) for topic_id, claim in taken)]
    judged = {(each.topic_id, each.assessor) for each in current_judgments.of_topics(campaign, list(pairs))}
    return choose_seconds(pairs, there, names, seed, judged)


def choose_seconds(
    pairs: Mapping[str, int],
    there: Iterable[Assignment],
    names: Sequence[str],
    seed: int,
    judged: Collection[Pair] = (),
) -> dict[str, str]:
    """A second assessor for each of these topics that has none: who has the fewest pairs to judge twice so far.

    `pairs` are the drawn pairs by topic; who `judged` in a topic (topic, assessor) is chosen only where no other
    assessor can be: what they judged they would not judge a second time. Raises CampaignError for a topic of which
    every assessor judges the whole.
    """
    whole: dict[str, set[str]] = {}
    second: dict[str, str] = {}
    for row in there:
        if row.part == WHOLE:
            whole.setdefault(row.topic_id, set()).add(row.assessor)
        else:
            second[row.topic_id] = row.assessor
    load = Counter(dict.fromkeys(names, 0))
    load.update({second[topic_id]: number for topic_id, number in pairs.items() if topic_id in second})
    found: dict[str, str] = {}
    for topic_id in sorted(pairs.keys() - second.keys(), key=lambda topic: (-pairs[topic], natural(topic))):
        able = [name for name in names if name not in whole.get(topic_id, ())]
        if not able:
            raise CampaignError(f"topic {topic_id} has no possible second assessor; name one with --by NAME")
        found[topic_id] = min(
            able, key=lambda name: ((topic_id, name) in judged, load[name], _place(seed, (topic_id, name)))
        )
        load[found[topic_id]] += pairs[topic_id]
    return dict(sorted(found.items(), key=lambda entry: natural(entry[0])))
