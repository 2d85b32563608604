"""A scale in place of another that turned out wrong: what was given under the old one gets a grade of the new one, or
its pairs come back to their assessors; all in one transaction, or nothing.

What changes is appended as judgments that replace those in force, with the source REMAPPED, and not said by an event
that readers would apply: then all that reads the log (labels, scores, agreement, the file's own views, audits, bundles,
`--as-of`) follows without knowing of scales. The price is a row for each judgment of a changed pair. All that is in
force of such a pair is appended once more, in its order: a rule by which the newest counts finds the same one. A row
without a grade clears, and its pair is open as after a changed text. The event that changes the settings has the map,
by which a page that was opened under the old scale is known.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import NamedTuple
from uuid import uuid4

from workbench.campaign.campaign_settings import SETTINGS, SettingRefused
from workbench.campaign.changing_settings import Change, refuse_conflicts
from workbench.core.records import NO_ANSWER, REMAPPED, REPEAT, TAKEN_BACK, Grade, Judgment
from workbench.core.values import LARGEST_INTEGER
from workbench.core.wording import counted, listed
from workbench.formats.scale import ScaleError, checked_scale
from workbench.jobs.observing import observed
from workbench.jobs.processes import OnStep
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning import assignments, norming, training
from workbench.storage.campaign.collection import pools, topic_withdrawals
from workbench.storage.campaign.grades import judging_again, labels, scales
from workbench.storage.campaign.grades.label_rules import LABEL_RULES
from workbench.storage.campaign.grades.scales import Said
from workbench.storage.campaign.grades.sources import ADJUDICATION, IMPORT, MODEL, Pair, Vote
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings

BATCH = 5_000
_OF_ROWS = "WHERE seq IN (SELECT value FROM json_each(?)) ORDER BY seq"
KINDS = {IMPORT: "imported: ", MODEL: "models: ", ADJUDICATION: "adjudicated: ", REPEAT: "hidden repeats: "}


class NewScale(NamedTuple):
    """A scale, and the new grade of each old one; one that keeps number and name need not be in `mapped`. Pairs of the
    grades `asked_again` are asked again; `mapped` has these too where no assessor can be asked for some.
    """

    grades: Sequence[Grade]
    relevant_from: int
    mapped: Mapping[int, int]
    asked_again: frozenset[int] = frozenset()
    special: bool = False  # whether special (negative) grades may become relevant ones


class GivenGrade(NamedTuple):
    """A grade, how many judgments in force hold it, and who gave it how often, with what else holds it."""

    grade: int
    name: str
    total: int
    by: str


class Effect(NamedTuple):
    """What a new scale does: judgments that get another grade, how many each assessor is asked again, adjudications
    taken back, judgments mapped since no assessor can be asked; of the qrels all lines and relevant ones, before and
    after, and those that change, go or come. `row` has the new settings, 0 before.
    """

    given: tuple[GivenGrade, ...]
    remapped: int
    asked: Mapping[str, int]
    reopened: int
    unasked: int
    lines: tuple[int, int]
    changed: int
    relevant: tuple[int, int]
    row: int = 0


def given_grades(campaign: Campaign) -> tuple[GivenGrade, ...]:
    """What is in force of each grade that is on the scale, or was given; ascending."""
    names = {grade.grade: grade.name for grade in settings.read(campaign).grades}
    found: dict[int, Counter[tuple[str, str]]] = {grade: Counter() for grade in names}
    for topic_id in observed(log.judged_topics(campaign), "Counting grades"):
        for row in scales.in_force_of_topic(campaign, topic_id):
            if row.grade is not None:
                found.setdefault(row.grade, Counter())[KINDS.get(row.kind, ""), row.assessor] += 1
    others = {
        "training": Counter(pair.grade for use in training.USES for pair in training.pairs(campaign, use)),
        "norming": scales.given_in_norming(campaign),
        "practice answers": training.grades_answered(campaign),
    }
    given = []
    for grade, by in sorted(found.items()):
        kinds = groupby(
            sorted(by.items(), key=lambda one: (one[0][0], -one[1], one[0][1])), key=lambda one: one[0][0]
        )
        said = [kind + listed([f"{name} {number:,}" for (_, name), number in some]) for kind, some in kinds]
        said += [f"{what}: {held[grade]:,}" for what, held in others.items() if held.get(grade)]
        given.append(GivenGrade(grade, names.get(grade, str(grade)), by.total(), "; ".join(said)))
    return tuple(given)


def sentences_on(effect: Effect) -> list[str]:
    """What a new scale does, in sentences."""
    asked = listed([f"{name} {number:,}" for name, number in effect.asked.items()])
    lines, relevant = ("{:,} before, {:,} after".format(*each) for each in (effect.lines, effect.relevant))
    said = {
        f"Another grade: {counted(effect.remapped, 'judgment')}.": True,
        f"Asked again: {asked}.": effect.asked,
        f"Taken back: {counted(effect.reopened, 'adjudication')}.": effect.reopened,
        f"Mapped, since no assessor can be asked: {counted(effect.unasked, 'judgment')}.": effect.unasked,
        f"Lines of the qrels: {effect.changed:,} change; {lines}.": True,
        f"Relevant lines: {relevant}.": True,
    }
    return [sentence for sentence, is_so in said.items() if is_so]


def effect_of(campaign: Campaign, new: NewScale) -> Effect:
    """What a new scale would do; errors as of `change_scale`."""
    with campaign.snapshot():
        return _planned(campaign, new)[1]


def change_scale(campaign: Campaign, new: NewScale, base: int | None = None) -> Effect:
    """Put a scale in the place of the one in force, with all that was given; `base` as in `change_settings`.

    Raises:
        SettingsConflict: another organiser changed the scale since `base`.
        SettingRefused: the scale makes no sense; the map names a grade that there is not, loses one that was given, or
            makes special ones relevant; a norming session is open; or nothing would change.
    """
    with campaign.write():
        after = {"grades": [list(each) for each in sorted(new.grades)], "relevant_from": new.relevant_from}
        shown = settings.read(campaign if base is None else campaign.at(base))
        refuse_conflicts(campaign, _changes(campaign, new), shown)
        plan, effect = _planned(campaign, new)
        replaced = sorted(map(list, plan.becomes.items())), sorted(new.asked_again)
        row = settings.change(campaign, after | dict(zip(settings.REPLACED, replaced, strict=True)))
        plan.append(campaign, row)
        return effect._replace(row=row)


def _changes(campaign: Campaign, new: NewScale) -> list[Change]:
    current, grades = settings.read(campaign), [list(each) for each in sorted(new.grades)]
    values = {SETTINGS["grades"]: grades, SETTINGS["relevant-from"]: new.relevant_from}
    return [Change(each, each.in_force(current), value) for each, value in values.items()]


def _planned(campaign: Campaign, new: NewScale) -> tuple[_Plan, Effect]:
    current, given = settings.read(campaign), given_grades(campaign)
    _check(campaign, new, {each.grade: each.name for each in given})
    named = {grade[:2] for grade in new.grades}
    same = {grade.grade: grade.grade for grade in current.grades if grade[:2] in named}
    plan = _Plan(campaign, same | dict(new.mapped), new.asked_again)
    if lost := [f"{each.grade} ({each.name})" for each in given if each.grade in plan.lost]:
        raise SettingRefused(
            f"grades: {listed(lost)} would be lost; map it, or have it asked again, which cannot be done for "
            "imported labels, models, training, overruled pairs, closed topics and pairs without a pool or a text"
        )
    is_same = all(each.before == each.after for each in _changes(campaign, new))
    if is_same and not plan.after and not plan.trained:
        raise SettingRefused("grades: the scale is so already, and no judgment would change")
    before = {label.pair: label.grade for label in labels.each_qrel(campaign) if label.grade >= 0}
    now = plan.labels(campaign, [grade.grade for grade in new.grades])
    was, is_now = (
        sum(grade >= least for grade in each.values())
        for each, least in ((before, current.relevant_from), (now, new.relevant_from))
    )
    changed = sum(before.get(pair) != now.get(pair) for pair in before | now)
    asked, lines = dict(plan.asked.most_common()), (len(before), len(now))
    return plan, Effect(
        given, plan.remapped, asked, plan.reopened, plan.unasked, lines, changed, (was, is_now)
    )


def change_scale_of(campaign: Campaign, new: NewScale, base: int | None, *, on_step: OnStep) -> int:
    """The same in a job; the log row that has the new scale."""
    on_step(0, None, "Changing the scale")
    return change_scale(campaign, new, base).row


def history(campaign: Campaign) -> list[str]:
    """What became of each grade whenever a scale replaced another, in sentences, oldest first."""
    found, before = [], settings.Settings("")
    for version, _, now in settings.guideline_versions(campaign):
        if now.scale_version == version:
            mapped, asked = settings.replaced_at(campaign, version)
            old, new = ({grade.grade: grade.name for grade in each.grades} for each in (before, now))
            said = {old.get(one, str(one)): new[to] for one, to in mapped.items() if one not in asked}
            became = [f"“{one}” became “{other}”" for one, other in said.items() if one != other]
            again = [f"“{old.get(one, one)}” is asked again" for one in asked]
            found.append(f"Log row {version:,}: {', '.join([*became, *again]) or 'given grades stayed'}.")
        before = now
    return found


def _check(campaign: Campaign, new: NewScale, old: Mapping[int, str]) -> None:
    try:
        scale = {grade.grade: grade.name for grade in checked_scale(new.grades, new.relevant_from)}
    except ScaleError as error:
        raise SettingRefused(f"grades: {error.why}") from None
    if (session := norming.open_session(campaign)) is not None:
        raise SettingRefused(f"grades: norming session {session.norming} is open; close it first")
    for numbers, there in (({*new.mapped, *new.asked_again}, old), (set(new.mapped.values()), scale)):
        if unknown := sorted(numbers - there.keys()):
            which = "the scale in force" if there is old else "the new scale"
            message = (
                f"{listed(list(map(str, unknown)))} not on {which}: {listed(list(map(str, sorted(there))))}"
            )
            raise SettingRefused(f"grades: {message}")
    merged = [
        f"{old[grade]} would become {scale[after]}"
        for grade, after in new.mapped.items()
        if grade < 0 and after >= new.relevant_from
    ]
    if merged and not new.special:
        raise SettingRefused(
            f"grades: special {listed(merged)}, a relevant grade; confirm it, or map it elsewhere"
        )


class _Plan:
    """What becomes of each row in force, by `seq`: its new grade, None where its pair is asked again."""

    def __init__(self, campaign: Campaign, becomes: Mapping[int, int], again: frozenset[int]) -> None:
        self.becomes, self._again = becomes, again
        self.lost, self.asked = Counter[int](), Counter[str]()
        self.reopened = self.remapped = self.unasked = 0
        self.after: dict[int, int | None] = {}
        self._requests: list[tuple[str, str, str]] = []
        shut = {*assignments.closed(campaign), *topic_withdrawals.withdrawn(campaign)}
        for topic_id in observed(log.judged_topics(campaign), "Reading grades"):
            judged = pools.pooled_of_topics(campaign, [topic_id])[topic_id] if topic_id not in shut else {}
            rows = scales.in_force_of_topic(campaign, topic_id)
            for document_id, group in groupby(rows, key=lambda row: row.document_id):
                self._add(topic_id, list(group), is_open=judged.get(document_id, False))
        pairs = [pair for use in training.USES for pair in training.pairs(campaign, use)]
        self.trained = [
            new for pair in pairs if (new := pair._replace(grade=self._mapped(pair.grade))) != pair
        ]

    def _add(self, topic_id: str, pair: Sequence[Said], *, is_open: bool) -> None:
        """All rows in force of one pair; nothing where none of them changes."""
        graded = [(row, row.grade) for row in pair if row.grade is not None]
        asked = [row for row, grade in graded if is_open and row.kind == "grade" and grade in self._again]
        gone = {row.assessor: row.seq for row in pair if row.kind == "cleared"}
        gone |= {row.assessor: LARGEST_INTEGER for row in asked}
        after: dict[int, int | None] = {}
        own: set[int | None] = set()
        for row, grade in sorted(graded, key=lambda entry: entry[0].kind == ADJUDICATION):
            if row.kind == REPEAT and gone.get(row.assessor, 0) > row.seq:
                continue  # it goes with the judgment that it repeats
            can_be_asked = {"grade": True, REPEAT: True, ADJUDICATION: bool(asked) or len(own) > 1}
            is_asked = is_open and grade in self._again and can_be_asked.get(row.kind, False)
            after[row.seq] = None if is_asked else self._mapped(grade)
            own |= {after[row.seq]} if row.kind in ("grade", IMPORT) else set()
            self.reopened += is_asked and row.kind == ADJUDICATION
            self.remapped += after[row.seq] not in (grade, None)
        self.asked.update(row.assessor for row in asked)
        if any(after.get(row.seq, grade) != grade for row, grade in graded):
            self.after |= after
        # Another one has judged the pair, or fills its one place: it would not be open to these.
        standing = any(row.kind in ("grade", "can't tell", IMPORT) and row not in asked for row in pair)
        self._requests += [(topic_id, row.document_id, row.assessor) for row in asked[0 if standing else 1 :]]

    def _mapped(self, grade: int) -> int:
        """The new grade of an old one that is not asked again; itself where it has none, which is counted as lost."""
        self.unasked += grade in self._again
        if grade not in self.becomes:
            self.lost[grade] += 1
        return self.becomes.get(grade, grade)

    def labels(self, campaign: Campaign, scale: Sequence[int]) -> dict[Pair, int]:
        """The labels that there will be, special ones left out."""
        seen, found = labels.material(campaign), {}
        votes: dict[Pair, list[Vote]] = {}
        for pair, given in seen.votes.items():
            now = ((vote, self.after.get(vote.seq, vote.grade)) for vote in given)
            votes[pair] = [vote._replace(grade=grade) for vote, grade in now if grade is not None]
        voted = {pair: given for pair, given in votes.items() if given}
        rule = LABEL_RULES[labels.rule_at(campaign)]
        settled = rule.settle(seen._replace(votes=voted, grades=tuple(scale)))
        for label in labels.each_qrel(campaign):
            alone = None if label.pair in votes else self.after.get(label.seq, label.grade)
            grade = settled[label.pair].grade if label.pair in settled else alone
            if grade is not None and grade >= 0:
                found[label.pair] = grade
        return found

    def append(self, campaign: Campaign, version: int) -> None:
        """Append all rows as of a version of the guidelines, inside the open write transaction."""
        for at in range(0, len(self._requests), BATCH):
            judging_again.put(campaign, self._requests[at : at + BATCH], reason=REMAPPED)
        every, made = sorted(self.after), log.timestamp(campaign.moment)
        for at in observed(range(0, len(every), BATCH), "Writing judgments"):
            rows = log.select_judgments(campaign, _OF_ROWS, [json.dumps(every[at : at + BATCH])])
            log.append_judgments(campaign, [_under(row, self.after[row.seq], version, made) for row in rows])
        for pair in self.trained:
            training.put_pair(campaign, pair)


def _under(old: Judgment, grade: int | None, version: int, received_at: str) -> Judgment:
    """The row that replaces another under a new scale; of imports and models none names a version."""
    shown = {} if old.guideline_version is None else {"guideline_version": version}
    row = old.follows(uuid=str(uuid4()), received_at=received_at, replaces=old.seq, source=REMAPPED, **shown)
    row = row._replace(grade=grade)
    if grade is not None:
        return row
    if old.kind == REPEAT:
        return row._replace(**NO_ANSWER, source=TAKEN_BACK)
    return row._replace(**NO_ANSWER, kind=old.kind if old.kind == ADJUDICATION else "cleared")
