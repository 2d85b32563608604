"""Assessors at work: pace, grades against others', change over time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.cli.campaigns import Opened, say
from workbench.cli.options import argument, command
from workbench.cli.tables import format_option, write_results

if TYPE_CHECKING:
    from workbench.analysis.assessors.profile import AssessorSummary, Profile


@command()
def assessors(campaign: Opened, name: str | None = argument(), kind: str = format_option) -> None:
    """List the assessors: pace, strictness against others on the same pairs, and self-agreement.

    Seconds is the median time of a judgment. In common are pairs that another assessor judged too, on how many of
    them the grade is higher or lower than the others' mean, and by how many steps it is above it (mean over topics).
    Left out of these are pairs that a grade may have selected for the second assessor. With a NAME: one assessor's
    judgments over time, and whether their grades drift against those of others.

    Example:
      workbench judging assessors robust
      workbench judging assessors robust anna
    """
    from workbench.analysis.assessors.profile import AssessorSummary, profile_of, summaries

    if name is not None:
        _one(profile_of(campaign, name), kind)
        return
    found = summaries(campaign)
    write_results(kind, AssessorSummary, found)
    _say_remarks(found)
    _say_why_left_out(found)


def _one(profile: Profile, kind: str) -> None:
    from workbench.analysis.assessors.drift import Part

    write_results(kind, Part, profile.parts, profile)
    _say_remarks([profile.summary])
    _say_why_left_out([profile.summary])
    say(*profile.drift.in_words)


def _say_why_left_out(found: list[AssessorSummary]) -> None:
    if any(each.peers and each.peers.left_out for each in found):
        say(
            "Left out: pairs that a grade may have selected for the other assessor, since they would make a fair "
            "assessor look strict or lenient."
        )


def _say_remarks(found: list[AssessorSummary]) -> None:
    for each in found:
        if each.remarks:
            say(f"{each.assessor}: {'; '.join(each.remarks)}.")
