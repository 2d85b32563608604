"""One assessor as the organiser sees them: pace, grades against others', change over time, and what stands out."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import Annotated, NamedTuple

from workbench.analysis.assessors.against_peers import (
    NAMED,
    AgainstPeers,
    SharedPair,
    against_peers,
    comparable,
)
from workbench.analysis.assessors.drift import Drift, Part, drift_of, parts_of
from workbench.analysis.assessors.speed import Pace, is_unusual, paces_of
from workbench.analysis.between_assessors.coefficients import Scope, agreement, is_large
from workbench.analysis.between_assessors.gathering import gather
from workbench.analysis.registry import ANALYSES, analysis
from workbench.core.errors import NotThere
from workbench.core.results import FLAT, HIDDEN, IN_JSON, Column, shown
from workbench.formats.tables.sheets import sheet_of
from workbench.jobs.observing import observed
from workbench.jobs.processes import OnStep
from workbench.methods.statistics.betting import against_mean
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.counts import assessor_activity
from workbench.storage.campaign.counts.assessor_activity import GradeCounts, GradingEvent
from workbench.storage.campaign.grades import rationales
from workbench.storage.campaign.grades.off_record import repeated_judgments
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.organising.settings import Settings
from workbench.storage.campaign.organising.settings import parts_of as parts_of_list
from workbench.storage.campaign.people import members

SHOWN = 10
"""At most this many of each kind of judgment that stands out are named."""

FAR = 1.5
"""From this many steps away from the others' mean a grade stands out, on a scale of more than two grades."""

HASTE = 0.2
"""A judgment in less than this share of one's own median seconds is a quick one."""

ENOUGH_REPEATS = 10
OFTEN = 0.7
"""Below this share of the same answer, relevant or not, self-agreement needs attention."""


class AssessorSummary(NamedTuple):
    """One assessor in a line.

    Attributes:
        assessor: who.
        role: the role in the campaign, if there is one.
        pairs, topics: how many have a judgment in force.
        cannot_tell: how many of the pairs could not be graded.
        relevant: the share of relevant grades.
        remarks: what stands out.
    """

    assessor: str
    role: Annotated[str | None, IN_JSON]
    pairs: int
    topics: int
    cannot_tell: Annotated[int, Column("Could not tell")]
    pace: Annotated[Pace, FLAT]
    relevant: Annotated[float | None, Column(kind="size")]
    peers: Annotated[AgainstPeers | None, FLAT]
    again: Annotated[Scope | None, HIDDEN]
    remarks: Annotated[tuple[str, ...], IN_JSON]

    @property
    @shown(Column("With self", kind="size"))
    def self_agreement(self) -> float | None:
        """The share of pairs judged again that have the same relevance both times."""
        return self.again.raw_agreement if self.again else None


class Profile(NamedTuple):
    """Everything about one assessor.

    Attributes:
        summary: as in the list.
        grades: how often each grade is in force.
        changed: how many judgments replaced one of their own.
        parts: the judgments in their order, in parts.
        drift: whether grades move against those of others.
        gaps: the grades furthest from those of others.
        quick: those given in haste.
    """

    summary: Annotated[AssessorSummary, FLAT]
    grades: Annotated[tuple[tuple[int, int], ...], HIDDEN]
    changed: Annotated[int, HIDDEN]
    parts: Annotated[tuple[Part, ...], HIDDEN]
    drift: Drift
    gaps: Annotated[tuple[SharedPair, ...], HIDDEN]
    quick: Annotated[tuple[GradingEvent, ...], HIDDEN]


def summaries(campaign: Campaign) -> list[AssessorSummary]:
    """All who judge in a campaign or have judged, sources of imports too, by name in byte order."""
    with campaign.snapshot():
        roles = members.all_members(campaign)
        found = gather(campaign)
        rules = settings.read(campaign)
        said = {each.assessor: each for each in assessor_activity.grade_counts(campaign, rules.relevant_from)}
        usable = comparable(campaign, found)
        paces = paces_of(observed(assessor_activity.timed(campaign), "Measuring pace"))
        again = {scope.name: scope for scope in agreement(campaign, "assessor", resamples=0).scopes}
        same = _same_by_topic(campaign, rules.relevant_from)
        names = sorted(
            {name for name, role in roles.items() if role in members.JUDGES}
            | set(found.assessors)
            | set(said)
        )
        own = {name: paces[name] for name in names}
        every = []
        for name in observed(names, "Comparing assessors"):
            counts = said.get(name, GradeCounts(name, 0, 0, 0, 0, 0))
            peers = against_peers(found, name, usable)
            unusual = is_unusual(own[name], [pace for other, pace in own.items() if other != name])
            every.append(
                AssessorSummary(
                    assessor=name,
                    role=roles.get(name),
                    pairs=counts.pairs,
                    topics=counts.topics,
                    cannot_tell=counts.cannot_tell,
                    pace=own[name],
                    relevant=counts.relevant / counts.graded if counts.graded else None,
                    peers=peers,
                    again=again.get(name),
                    remarks=tuple(remarks(peers, unusual, is_low(same.get(name, {}).values()))),
                )
            )
    return every


class Assessors(NamedTuple):
    """All who judge in a campaign or have judged.

    Attributes:
        seq: the row of the log.
        assessors: by name in byte order.
    """

    seq: int
    assessors: tuple[AssessorSummary, ...]


@analysis(
    "assessors",
    called="Assessor activity",
    sheet=lambda found: sheet_of(AssessorSummary, found.assessors),
    is_large=is_large,
)
def assessors(campaign: Campaign, on_step: OnStep) -> Assessors:
    """Assessors side by side: pace, grades against others' on the same pairs, self-agreement, and what stands out."""
    with campaign.snapshot():
        return Assessors(log.head(campaign).seq, tuple(summaries(campaign)))


ASSESSORS = ANALYSES["assessors"]


def profile_of(campaign: Campaign, assessor: str, known: Sequence[AssessorSummary] | None = None) -> Profile:
    """One assessor, by all summaries if they are known already.

    NotThere for a name that neither judges in the campaign nor has judged.
    """
    every = summaries(campaign) if known is None else known
    summary = next((each for each in every if each.assessor == assessor), None)
    if summary is None:
        raise NotThere(f"{assessor!r} is not an assessor of {campaign.name}")
    with campaign.snapshot():
        made = assessor_activity.grading_events(campaign, assessor)
        counts = assessor_activity.grades_of(campaign, assessor)
        rules = settings.read(campaign)
    pairs = summary.peers.pairs if summary.peers else ()
    above = {(pair.topic_id, pair.document_id): pair.above for pair in pairs if pair.counts}
    scale = sorted({grade.grade for grade in rules.grades} | set(counts))
    return Profile(
        summary=summary,
        grades=tuple((grade, counts.get(grade, 0)) for grade in scale),
        changed=sum(each.is_change for each in made),
        parts=tuple(parts_of(made, rules.relevant_from, above)),
        drift=drift_of(made, pairs, grades=len(summary.peers.grades) if summary.peers else len(scale)),
        gaps=_gaps(pairs, len(scale)),
        quick=_quick(made, summary.pace),
    )


def _same_by_topic(campaign: Campaign, relevant_from: int) -> dict[str, dict[str, list[bool]]]:
    """For each assessor and topic, whether each repeat had the same answer, relevant or not."""
    found: dict[str, dict[str, list[bool]]] = {}
    for each in repeated_judgments(campaign):
        if each.first is not None and each.again is not None:
            same = (each.first >= relevant_from) == (each.again >= relevant_from)
            found.setdefault(each.assessor, {}).setdefault(each.topic_id, []).append(same)
    return found


def is_low(same: Collection[Sequence[bool]]) -> bool:
    """Whether the same answers, by topic, are below OFTEN by more than chance: one observation for each topic."""
    enough = sum(map(len, same)) >= ENOUGH_REPEATS
    return enough and against_mean([sum(each) / len(each) for each in same], OFTEN) >= -math.log(NAMED)


def remarks(peers: AgainstPeers | None, pace: str, is_inconsistent: bool) -> list[str]:
    """Sentences on what an organiser should look at; `pace` is "faster", "slower" or ""."""
    found = []
    if pace:
        found.append(f"judges far {pace} than the others")
    if peers is not None and peers.leaning:
        than = "stricter" if peers.leaning == "strict" else "more lenient"
        found.append(f"{than} than the others on the same pairs")
    if is_inconsistent:
        found.append("often judges a repeated document differently")
    return found


def _gaps(pairs: Sequence[SharedPair], grades: int) -> tuple[SharedPair, ...]:
    """The grades furthest from the others', the furthest first."""
    far = FAR if grades > 2 else 0.5
    found = [pair for pair in pairs if abs(pair.above) >= far]
    return tuple(sorted(found, key=lambda pair: -abs(pair.above)))


def _quick(made: Sequence[GradingEvent], pace: Pace) -> tuple[GradingEvent, ...]:
    """The judgments given in haste, the quickest first; what was changed later no longer counts."""
    if pace.median is None:
        return ()
    newest = {(each.topic_id, each.document_id): each.seq for each in made}
    found = [
        (each.seconds, each)
        for each in made
        if each.seconds is not None
        and each.seconds < HASTE * pace.median
        and newest[each.topic_id, each.document_id] == each.seq
        and not each.is_change
    ]
    return tuple(each for _, each in sorted(found, key=lambda item: item[0]))


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
    known = {reason for line in lists for reason in parts_of_list(line)}
    found: dict[str, list[rationales.CannotTell]] = defaultdict(list)
    for each in rationales.cannot_tell(campaign):
        first = each.comment.split("\n", 1)[0]
        found[first if first in known else ""].append(each)
    counts = [
        ReasonCount(
            reason, len(given), len({each.topic_id for each in given}), len({each.assessor for each in given})
        )
        for reason, given in found.items()
    ]
    return sorted(counts, key=lambda count: (not count.reason, -count.judgments, count.reason))
