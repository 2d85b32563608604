"""Changing what an organiser can set, all or nothing, without overwriting what another organiser set meanwhile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from workbench.campaign.campaign_settings import SETTINGS, Setting, SettingRefused
from workbench.core.errors import CampaignError, UnknownName
from workbench.core.records import Grade
from workbench.core.wording import counted, listed
from workbench.formats.scale import ScaleError, checked_scale
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.grades import judgments
from workbench.storage.campaign.log import log
from workbench.storage.campaign.models.judges import judge_named
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.organising.settings import SettingChange


class Change(NamedTuple):
    """A setting with what was and what is now, as the log keeps values."""

    setting: Setting
    before: Any
    after: Any


class Changed(NamedTuple):
    """What was changed, the log row that has it (None where nothing was), and sentences about what follows from it."""

    changes: tuple[Change, ...]
    seq: int | None
    notes: tuple[str, ...] = ()


class Conflict(NamedTuple):
    """A setting that two organisers changed: what it was, what each of them wants, and the change that came first."""

    setting: Setting
    before: Any
    yours: Any
    theirs: SettingChange


class SettingsConflict(CampaignError):
    """Another organiser changed the same settings meanwhile; nothing was stored."""

    def __init__(self, conflicts: Sequence[Conflict]) -> None:
        self.conflicts = tuple(conflicts)
        names = listed([conflict.setting.label for conflict in conflicts])
        others = listed(sorted({conflict.theirs.actor for conflict in conflicts}))
        super().__init__(
            f"{names}: changed by {others} since the page was opened; nothing was stored. Compare both and save again"
        )


class RenamesGiven(CampaignError):
    """A grade that was given would get another name, and no one has confirmed it; nothing was stored."""


def change_settings(
    campaign: Campaign, values: Mapping[str, Any], *, base: int | None = None, renames: bool = False
) -> Changed:
    """Set settings by their names in SETTINGS; one that has its value already is left alone.

    Args:
        values: the values as `Setting.value_of` gives them.
        base: the log row as of which the person who changed them saw them: those that are as they were are
            left alone, and what another organiser changed since is a conflict. None takes all values as they are.
        renames: whether grades that were given may get other names.

    Raises:
        RenamesGiven: a grade that was given would be renamed, without `renames`.
        SettingsConflict: another organiser changed the same settings since `base`.
        SettingRefused: the scale makes no sense, a grade would go that was given, or a judge is not there.
    """
    with campaign.write():
        current = settings.read(campaign)
        shown = current if base is None else settings.read(campaign.at(base))
        chosen = {SETTINGS.find(name): value for name, value in values.items()}
        wanted = {each: value for each, value in chosen.items() if value != each.in_force(shown)}
        changes = [
            Change(each, each.in_force(current), value)
            for each, value in wanted.items()
            if value != each.in_force(current)
        ]
        refuse_conflicts(campaign, changes, shown)
        if not changes:
            return Changed((), None)
        _check_scale(campaign, current, changes)
        _check_judge(campaign, changes)
        if not renames:
            _refuse_renaming(campaign, current, changes)
        notes = notes_on(campaign, changes)
        seq = settings.change(campaign, {each.field: value for each, _, value in changes})
        return Changed(tuple(changes), seq, notes)


def refuse_conflicts(campaign: Campaign, changes: Sequence[Change], shown: settings.Settings) -> None:
    """SettingsConflict for what is no more as it was in `shown`, the settings when the changes were made up."""
    touched = [change for change in changes if change.before != change.setting.in_force(shown)]
    if touched:
        newest = settings.last_changes(campaign)
        raise SettingsConflict(
            [Conflict(each, each.in_force(shown), after, newest[each.field]) for each, _, after in touched]
        )


def _check_judge(campaign: Campaign, changes: Sequence[Change]) -> None:
    """Refuse labels for second looks of a judge that is not there."""
    for each, _, name in changes:
        if each.field == "second_look_judge" and name:
            try:
                judge_named(campaign, name)
            except UnknownName as error:
                raise SettingRefused(f"{each.name}: {error}") from None


def _check_scale(campaign: Campaign, current: settings.Settings, changes: Sequence[Change]) -> None:
    """Refuse a scale that makes no sense together with `relevant_from`, or lacks a grade that was given."""
    after = {change.setting.field: change.after for change in changes}
    if not after.keys() & {"grades", "relevant_from"}:
        return
    scale = [Grade(*grade) for grade in after.get("grades", current.grades)]
    name = "grades" if "grades" in after else "relevant-from"
    try:
        checked_scale(scale, after.get("relevant_from", current.relevant_from))
    except ScaleError as error:
        raise SettingRefused(f"{name}: {error.why}") from None
    kept = {grade.grade for grade in scale}
    gone = [grade for grade in current.grades if grade.grade not in kept]
    given = judgments.times_given(campaign) if gone else {}
    for grade in gone:
        if times := given.get(grade.grade):
            raise SettingRefused(
                f"grades: grade {grade.grade} ({grade.name}) stays on the scale, since it was given "
                f"{counted(times, 'time')} and the log keeps every judgment. Rename it, or change the scale "
                "together with what becomes of the grades given (Settings, Change the scale; workbench campaign set "
                "grades --map)"
            )


def _refuse_renaming(campaign: Campaign, current: settings.Settings, changes: Sequence[Change]) -> None:
    """RenamesGiven says how often a grade was given, and by which assessors, before all of it reads otherwise."""
    scale = next((change.after for change in changes if change.setting.field == "grades"), ())
    names = {grade: name for grade, name, *_ in scale}
    said = []
    for grade in current.grades:
        name = names.get(grade.grade, grade.name)
        if name != grade.name and (given := judgments.times_given_by(campaign, grade.grade)):
            times, people = counted(sum(given.values()), "time"), listed(list(given))
            said.append(
                f"grade {grade.grade} was given {times} as “{grade.name}” by {people}, and would read “{name}”"
            )
    if said:
        raise RenamesGiven(
            f"{'; '.join(said)}. Correct the wording of a grade so, not its meaning: if it means something else now, "
            "change the scale together with what becomes of the grades given (Settings, Change the scale; workbench "
            "campaign set grades --map)"
        )


def notes_on(campaign: Campaign, changes: Sequence[Change]) -> tuple[str, ...]:
    """What follows from changes that assessors read, in sentences; none before the first judgment."""
    fields = {change.setting.field for change in changes}
    if not fields & set(settings.GUIDELINE_SETTINGS) or not judgments.times_given(campaign):
        return ()
    notes = [
        "Judgments given so far name the earlier version of the guidelines; assessors are shown what changed."
    ]
    if "relevant_from" in fields:
        head = log.newest_seq(campaign)
        changes_scores = (
            f"Scores change from the next log row on; scores as of row {head} and earlier stay as they were "
            f"(workbench score --as-of {head})."
        )
        notes.insert(0, changes_scores)
    return tuple(notes)
