"""How the judgments of a release came about: who judged how many pairs, which twice, how well they agree, what settled
what they differ on. In questions and answers, for the datasheet and the README.
"""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from typing import NamedTuple

from workbench.analysis.between_assessors.coefficients import CampaignAgreement, agreement
from workbench.analysis.between_assessors.gathering import drawn_sample
from workbench.analysis.reuse.declared import summary
from workbench.analysis.reuse.report import BRIEF, Reuse, reuse
from workbench.analysis.reuse.rows import LeftOut
from workbench.core.wording import capital, counted
from workbench.methods.statistics.agreement import Coefficient
from workbench.release.bundle.readme import rule_of_conflicts
from workbench.release.campaign_summary import CampaignSummary
from workbench.release.markdown import plain, table
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning import assignments, draws, norming
from workbench.storage.campaign.assigning.draws import StoredDraw
from workbench.storage.campaign.assigning.norming import Session
from workbench.storage.campaign.counts import publication
from workbench.storage.campaign.grades import adjudications
from workbench.storage.campaign.grades.current_judgments import independent_grades
from workbench.storage.campaign.log.cache import Cache

Answers = tuple[tuple[str, str], ...]
"""Questions, each with its answer in Markdown."""

KINDS = {
    "grade": ("grade", None),
    "can't tell": ("“can't tell”", "“can't tell”"),
    "cleared": ("judgment taken back", "judgments taken back"),
    "import": ("grade out of a file", "grades out of a file"),
    "model": ("label of a model", "labels of models"),
    "adjudication": ("adjudication", None),
    "repeat": ("hidden repeat", None),
    "second look": ("second look", None),
    "norming": ("judgment in norming sessions", "judgments in norming sessions"),
}
"""The names of rows of each kind, singular and plural, in the order of the report."""


class HowJudged(NamedTuple):
    """What is known of a campaign's judging as of a row of its log.

    Attributes:
        kinds: rows of the log by their kind, those out of force included.
        pairs_by_assessors: how many pairs have own grades of a number of assessors, by that number.
        adjudicated: pairs with an adjudication in force.
        closed: how many topics are closed.
        draws: the draws of pairs to be judged twice.
        sessions: the norming sessions.
        shared: agreement on all pairs that several graded; None where there are none.
        drawn: the same on pairs drawn, weighted; None where there are none.
        again: self-agreement; None if no pair was judged twice by the same assessor.
    """

    kinds: dict[str, int]
    pairs_by_assessors: dict[int, int]
    adjudicated: int
    closed: int
    draws: tuple[StoredDraw, ...]
    sessions: tuple[Session, ...]
    shared: CampaignAgreement | None
    drawn: CampaignAgreement | None
    again: CampaignAgreement | None


def how_judged(campaign: Campaign) -> HowJudged:
    """How judging went up to a row of the log."""
    with campaign.snapshot():
        by_pair = groupby(independent_grades(campaign), lambda each: (each.topic_id, each.document_id))
        by_assessors = Counter(sum(1 for _ in grades) for _, grades in by_pair)
        found = HowJudged(
            kinds=publication.judgments_by_kind(campaign),
            pairs_by_assessors=dict(sorted(by_assessors.items())),
            adjudicated=len(adjudications.in_force(campaign)),
            closed=len(assignments.closed(campaign)),
            draws=tuple(draws.all_draws(campaign)),
            sessions=tuple(norming.all_sessions(campaign)),
            shared=None,
            drawn=None,
            again=None,
        )
        if any(number > 1 for number in found.pairs_by_assessors):
            found = found._replace(shared=agreement(campaign))
            if found.draws:
                sample = drawn_sample(campaign)
                found = found._replace(drawn=agreement(campaign, sample=sample))
        if found.kinds.get("repeat"):
            found = found._replace(again=agreement(campaign, "assessor"))
    return found


def answers(facts: CampaignSummary, how: HowJudged) -> Answers:
    """The questions that any reader of judgments by several people has, with what this campaign has to answer."""
    return (
        ("How many judged each pair, and what else is in the log?", _counts(facts, how)),
        ("Which pairs were judged by a second assessor, and how were these chosen?", _draws(how)),
        ("How well do assessors agree with each other?", _agreement(how)),
        ("How well do they agree with themselves?", _repeats(facts, how)),
        ("Did they judge the same documents first, to come to one understanding?", _norming(how)),
        ("How was one grade made of several?", _settled(facts, how)),
    )


def _counts(facts: CampaignSummary, how: HowJudged) -> str:
    pairs = [
        f"{counted(count, 'pair')} by {counted(number, 'assessor')}"
        for number, count in how.pairs_by_assessors.items()
    ]
    rows = [counted(how.kinds[kind], *words) for kind, words in KINDS.items() if kind in how.kinds]
    may = {
        "anybody": "Any assessor could judge any topic",
        "assigned": "Topics were assigned to assessors",
        "claimed": "Assessors claimed unassigned topics",
    }[facts.settings.who_judges]
    closed = f", {counted(how.closed, 'topic')} closed" if how.closed else ""
    return (
        f"{may} (as of this row{closed}; `arrangements.jsonl`, if it is there, tells how it came to that). "
        f"Graded, each on their own: {', '.join(pairs) or 'no pair'}. "
        f"Rows of `judgments.jsonl`, those out of force included: {', '.join(rows) or 'none'}. "
        "Repeats and judgments in norming sessions never reach the qrels; grades taken over from a session are rows of "
        "their own."
    )


STRATA = {
    "none": "out of all pairs alike",
    "topic": "within each topic",
    "grade": "within each grade they had then",
}


def _draws(how: HowJudged) -> str:
    if not how.draws:
        return "None were drawn: where several judged a pair, it was not chosen by chance."
    return (
        " ".join(_draw(number, draw) for number, draw in enumerate(how.draws, start=1))
        + " Within a stratum every set of pairs of that size was as likely as any other; `drawn.json` has each pair "
        "drawn with its stratum and probability. The judging page does not show which pairs these are, nor "
        "another assessor's grade. Pairs that several judged without being drawn were not chosen at random."
    )


def _draw(number: int, draw: StoredDraw) -> str:
    record, chances = draw.record, [pair.inclusion_probability for pair in draw.drawn]
    low, high = (f"{chance:.4g}" for chance in (min(chances, default=0), max(chances, default=0)))
    shared = (
        "in proportion to its size" if record.allocate == "proportional" else "as equally as sizes allowed"
    )
    return (
        f"Draw {number} (row {draw.seq}): {counted(len(draw.drawn), 'pair')} of {record.pairs:,}, "
        f"{STRATA[record.stratify]} (a share of {record.share:g}, each stratum {shared}, seed {record.seed}), "
        f"with inclusion probabilities {f'from {low} to {high}' if low != high else f'of {low}'}."
    )


def _agreement(how: HowJudged) -> str:
    if how.shared is None:
        return "No pair has the own grades of two assessors, so nothing is known of it."
    found = [each for each in (how.drawn, how.shared) if each is not None and each.shared]
    return " ".join(
        [*(f"{each.about} {capital(_coefficients(each))}." for each in found), _intervals(how.shared)]
    )


def _repeats(facts: CampaignSummary, how: HowJudged) -> str:
    rules = facts.settings
    drawn = (
        f"Of the pairs that an assessor graded a share of {rules.repeat_share:g} came again, after at least "
        f"{counted(rules.repeat_gap, 'other judgment')} (seed {rules.repeat_seed}), and looked like any other. "
        if rules.repeat_share
        else ""
    )
    if how.again is None or not how.again.judged:
        return f"{drawn}No pair was judged twice by the same assessor, so it is unknown."
    found = how.again
    result = f": {_coefficients(found)}. {_intervals(found)}" if found.shared else "."
    return (
        f"{drawn}{counted(found.judged, 'pair')} judged again, {found.shared:,} of them with a grade both times"
        f"{result} The first judgment counts."
    )


def _norming(how: HowJudged) -> str:
    if not how.sessions:
        return "There was no norming session in this campaign."
    return " ".join(
        f"Norming session {session.norming}: {counted(len(session.documents), 'document')} of topic "
        f"{plain(session.topic_id)}, {_state(session)}."
        for session in how.sessions
    )


def _state(session: Session) -> str:
    shown = (
        "grades not shown to all"
        if session.revealed is None
        else f"grades shown to all at row {session.revealed}"
    )
    if session.is_open:
        return f"{shown}, still open"
    taken = "were taken over where an assessor had none" if session.counts else "do not count"
    return f"{shown}, closed at row {session.closed}; its grades {taken}"


def _settled(facts: CampaignSummary, how: HowJudged) -> str:
    few = f"{counted(how.adjudicated, 'pair')} {'has' if how.adjudicated == 1 else 'have'} an adjudication in force."
    return f"{plain(rule_of_conflicts(facts))} {few if how.adjudicated else 'Nothing was adjudicated.'}"


def _coefficients(found: CampaignAgreement) -> str:
    """Some coefficients of the last scope, which is all assessors': as relevant or not, then by grade."""
    scope = found.scopes[-1]
    binary, graded = ({each.name: each for each in side} for side in (scope.binary, scope.graded))
    alpha = graded["Krippendorff's alpha, ordinal"]
    alike = [
        _coefficient(binary[name]) for name in ("raw agreement", "overlap", "Cohen's kappa", "Gwet's AC1")
    ]
    by_grade = f"{_coefficient(graded['raw agreement'])}, {_coefficient(alpha)}"
    return f"as relevant or not {', '.join(alike)}; by grade {by_grade}"


def _coefficient(found: Coefficient) -> str:
    if found.value is None:
        return f"{found.name} {found.note or 'not defined'}"
    interval = f" [{found.interval[0]:.3f}, {found.interval[1]:.3f}]" if found.interval else ""
    return f"{found.name} {found.value:.3f}{interval}"


def _intervals(found: CampaignAgreement) -> str:
    scope = found.scopes[-1]
    if not any(each.interval for each in (*scope.binary, *scope.graded)):
        return f"No intervals: there are too few pairs. Relevant from grade {found.relevant_from}."
    return (
        f"In brackets 95% intervals, pairs drawn again {found.resamples:,} times (seed {found.seed}); relevant from "
        f"grade {found.relevant_from}."
    )


QUESTION = "Would systems that took no part be scored fairly?"
_found: Cache[Reuse] = Cache()
SHOWN = 5
"""How many teams are named, those that lose most."""


def reusable(campaign: Campaign) -> Answers:
    """The answer by AP, every team left out, as of a row of the log.

    A release waits for it, so of very large campaigns it leaves out what would take long, and says so.
    """
    found = _found.now(campaign, BRIEF, lambda: reuse(campaign, effort=BRIEF))
    sentences = " ".join(plain(sentence) for sentence in summary(found))
    lines = [f"By {found.measure}, leaving out each team’s own documents. {sentences}"]
    losing = sorted((row for row in found.rows if row.runs), key=_change)[:SHOWN]
    if losing:
        heads = ("team", "largest change", "most ranks lost", "unique relevant")
        lines += ["", "".join(table(heads, map(_cells, losing)))]
    if kept := _significance(found):
        lines += ["", kept] if not losing else [kept]
    if found.skipped:
        lines += [
            "",
            "The command `workbench analyse reuse` leaves out more of them, for as long as that takes.",
        ]
    return ((QUESTION, "\n".join(lines).rstrip()),)


def _cells(row: LeftOut) -> tuple[str, ...]:
    lost = max(run.ranks_lost for run in row.runs)
    return plain(row.name), f"{_change(row):+z.1f} %", f"{lost}", f"{row.unique_relevant:,}"


def _change(row: LeftOut) -> float:
    return min((run.change_percent or 0.0 for run in row.runs), default=0.0)


def _significance(found: Reuse) -> str:
    tested = [row.preserved for row in found.rows if row.preserved is not None]
    if not tested or not tested[0].before:
        return ""
    most = max(each.lost + each.reversed for each in tested)
    return (
        f"Of {tested[0].before:,} significant differences between runs, at most {most:,} are no longer so, or turn "
        "round, without one team."
    )
