"""All that battles say, for a command and a page: strengths, the agreement of assessors, and what people correct."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from workbench.analysis.battles.agreement import BattleAgreement, agreements
from workbench.analysis.battles.coded import coded
from workbench.analysis.battles.corrected import CorrectedStrength, CorrectedStrengths, corrections
from workbench.analysis.battles.strengths import DRAWS, BattlePlan, RunStrength, Strengths, chosen, strengths
from workbench.core.battles import AGENT, MODEL, PERSON, Battle
from workbench.core.seed import SEED
from workbench.core.wording import counted, listed
from workbench.formats.tables.sheets import Sheet, sheet_of

PEOPLE = {PERSON: "people", MODEL: "models", AGENT: "agents"}


class BattleReport(NamedTuple):
    """What battles say.

    Attributes:
        strengths: the runs, by the battles of the classes that were asked for.
        agreement: of the assessors of all classes.
        corrected: strengths by the battles of each other class than people, corrected by people's.
        without_seed: battles that do not record how their sides were drawn.
    """

    strengths: Strengths
    agreement: tuple[BattleAgreement, ...]
    corrected: tuple[CorrectedStrengths, ...]
    without_seed: int


def report(
    battles: Sequence[Battle],
    *,
    position: bool = True,
    classes: Sequence[str] = (),
    criterion: str = "",
    precision: float | None = None,
    seed: int = SEED,
) -> BattleReport:
    """Strengths by the battles of some classes (all by default), and what else all battles show.

    The winner is that by the criterion, on the whole without one. Raises as `chosen` and `strengths` do.
    """
    every = chosen(battles, criterion=criterion)
    counting = chosen(every, classes) if classes else every
    whole = coded(every)
    found = strengths(
        coded(counting) if classes else whole, position=position, precision=precision, seed=seed
    )
    unknown = sum(each.side_seed is None for each in counting)
    return BattleReport(found, tuple(agreements(whole)), corrections(whole), unknown)


def sheets_of(found: BattleReport) -> tuple[Sheet, Sheet, Sheet]:
    """The tables for people: runs, those corrected by people, and agreement; without rows where there is nothing."""
    return (
        sheet_of(RunStrength, found.strengths.runs),
        sheet_of(CorrectedStrength, [run for each in found.corrected for run in each.runs]),
        sheet_of(BattleAgreement, found.agreement),
    )


def sentences(found: BattleReport) -> Iterator[str]:
    """What stands below the tables."""
    whole = found.strengths
    by = ", ".join(f"{PEOPLE[name]} {number:,}" for name, number in whole.classes.items())
    topics = counted(whole.topics, "topic")
    checked = "" if PERSON in whole.classes else "; not checked by people"
    yield f"{counted(whole.battles, 'battle')} on {topics}; by {by}{checked}."
    if whole.holds:
        yield f"Low and high: interval over topics, which held the truth in {whole.holds} of simulations."
    if any(run.best_rank for run in whole.runs):
        yield f"Ranks: in 95 % of {DRAWS:,} draws of topics, no confidence interval."
    noted: dict[str, list[str]] = {}
    for run in whole.runs:
        noted.setdefault(run.note, []).append(run.run)
    yield from (f"{listed(runs)}: {note}." for note, runs in noted.items() if note)
    yield _position(found)
    tied, both_bad = (f"{100 * share:.1f} %" for share in (whole.tied, whole.both_bad))
    yield f"Ties: {tied} of battles; {both_bad} with two bad sides, which count as ties."
    yield f"Cycles: {whole.cycles:,} of {counted(whole.triples, 'triple')} of runs with a majority for each pair."
    if whole.plan is not None:
        yield _plan(whole.plan)
    for each in found.corrected:
        part = f"{each.of_people:,} of {each.units:,} pairs of runs on a topic"
        said = f"corrected by people's of {part}; right where these were drawn at random"
        yield f"Battles of {PEOPLE[each.by]}: {f'not corrected: {each.reason}' if each.reason else said}."


def _position(found: BattleReport) -> str:
    effect, interval, note, _ = found.strengths.position
    if effect is None:
        return f"Position effect: {note}."
    reach = f"{interval.low:+.4f} to {interval.high:+.4f}" if interval else note
    drawn = (
        f"; {found.without_seed:,} battles do not record how sides were drawn" if found.without_seed else ""
    )
    return f"Position effect: {effect:+.4f} for the left side ({reach}){drawn}."


def _plan(plan: BattlePlan) -> str:
    wanted = f"Plan for ± {plan.half_width:g}"
    if plan.now is None:
        return f"{wanted}: not known, since a run has no interval."
    now, needed = f"the widest interval is ± {plan.now:.4f} now", "out of reach"
    if plan.battles is not None and plan.topics is not None:
        needed = f"about {plan.battles:,} battles in all, on {plan.topics:,} topics with as many each as now"
    return f"{wanted}: {needed}; {now}."
