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
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter
from typing import Annotated, Any, NamedTuple
from uuid import uuid4

from workbench.campaign import questions
from workbench.campaign.campaign_settings import SETTINGS, SettingRefused
from workbench.campaign.changing_settings import Change, refuse_conflicts
from workbench.core import records
from workbench.core.results import Column
from workbench.core.values import LARGEST_INTEGER
from workbench.core.wording import counted, listed
from workbench.formats.scale import ScaleError, checked_scale
from workbench.jobs.observing import observed
from workbench.jobs.processes import OnStep
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning import assignments, norming, training
from workbench.storage.campaign.collection import pools, topic_withdrawals, topics
from workbench.storage.campaign.grades import judging_again, judgments, labels, scales
from workbench.storage.campaign.grades.label_rules import LABEL_RULES
from workbench.storage.campaign.grades.scales import Said, Scales
from workbench.storage.campaign.grades.sources import ADJUDICATION, IMPORT, MODEL
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings

BATCH, A_SECOND = 5_000, 10_000
"""Rows that are written together, and about how many in a second (7,000 to 13,000 on 2 cores)."""

_OF_ROWS = "WHERE seq IN (SELECT value FROM json_each(?)) ORDER BY seq"
KINDS = {IMPORT: "imported: ", MODEL: "models: ", ADJUDICATION: "adjudicated: "}
KINDS |= zip(records.SAID_LATER, ("hidden repeats: ", "second looks: "), strict=True)


class NewScale(NamedTuple):
    """A scale, and the new grade of each old one; one that keeps number and name need not be in `mapped`. Pairs of the
    grades `asked_again` are asked again; `mapped` has these too where no assessor can be asked for some. `special` says
    whether special (negative) grades may become relevant ones.
    """

    grades: Sequence[records.Grade]
    relevant_from: int
    mapped: Mapping[int, int]
    asked_again: frozenset[int] = frozenset()
    special: bool = False


class GivenGrade(NamedTuple):
    """A grade, how many judgments in force hold it, and who gave it how often, with what else holds it."""

    grade: int
    name: str
    total: Annotated[int, Column("Judgments")]
    by: str


@dataclass
class Effect:
    """What a new scale does: what was given; judgments that get another grade, how many each assessor is asked again,
    adjudications taken back, judgments mapped since no assessor can be asked; of the qrels all lines and relevant ones,
    before and after, and those that change, go or come; rows that are written. `row` has the new settings, 0 before.
    """

    given: tuple[GivenGrade, ...] = ()
    remapped: int = 0
    asked: Counter[str] = field(default_factory=Counter)
    reopened: int = 0
    unasked: int = 0
    lines: tuple[int, int] = (0, 0)
    changed: int = 0
    relevant: tuple[int, int] = (0, 0)
    written: int = 0
    row: int = 0


def given_grades(campaign: Campaign) -> tuple[GivenGrade, ...]:
    """What is in force of each grade that is on the scale, or was given; ascending."""
    return _Plan(campaign, {}, frozenset()).effect.given


def sentences_on(effect: Effect) -> list[str]:
    """What a new scale does, in sentences."""
    asked = listed([f"{name} {number:,}" for name, number in effect.asked.most_common()])
    lines, relevant = ("{:,} before, {:,} after".format(*each) for each in (effect.lines, effect.relevant))
    seconds = effect.written // A_SECOND
    said = {
        f"Another grade: {counted(effect.remapped, 'judgment')}.": True,
        f"Asked again: {asked}.": effect.asked,
        f"Taken back: {counted(effect.reopened, 'adjudication')}.": effect.reopened,
        f"Mapped, since no assessor can be asked: {counted(effect.unasked, 'judgment')}.": effect.unasked,
        f"Lines of the qrels: {effect.changed:,} change; {lines}.": True,
        f"Relevant lines: {relevant}.": True,
        f"For about {seconds} seconds open pages keep new judgments, and send them afterwards.": seconds > 2,
    }
    return [sentence for sentence, is_so in said.items() if is_so]


def change_scale(
    campaign: Campaign,
    new: NewScale,
    base: int | None = None,
    *,
    dry_run: bool = False,
    on_step: OnStep | None = None,
) -> Effect:
    """Put a scale in the place of the one in force, with all that was given; `base` as in `change_settings`. With
    `dry_run` nothing is written, and no one waits; `on_step` is called by a job.

    Raises:
        SettingsConflict: another organiser changed the scale since `base`.
        SettingRefused: the scale makes no sense; the map names a grade that there is not, loses one that was given, or
            makes special ones relevant; a norming session is open; or nothing would change.
    """
    if on_step is not None:
        on_step(0, None, "Changing the scale")
    with campaign.snapshot() if dry_run else campaign.write():
        current, shown = settings.read(campaign), campaign if base is None else campaign.at(base)
        values = {"grades": [list(each) for each in sorted(new.grades)], "relevant-from": new.relevant_from}
        changes = [
            Change(SETTINGS[name], SETTINGS[name].in_force(current), value) for name, value in values.items()
        ]
        refuse_conflicts(campaign, changes, settings.read(shown))
        plan = _planned(campaign, new, changes)
        replaced = {"remapped": sorted(plan.becomes.items()), "asked_again": sorted(new.asked_again)}
        if not dry_run:
            scale = {change.setting.field: change.after for change in changes}
            if current.questions:
                asked = questions.with_scale(current.questions, plan.becomes, new.relevant_from)
                scale["questions"] = [each.content for each in asked]
            plan.append(campaign, settings.change(campaign, scale | replaced))
            questions.put_due(campaign)
        return plan.effect


def _planned(campaign: Campaign, new: NewScale, changes: Sequence[Change]) -> _Plan:
    current, named = settings.read(campaign), {grade[:2] for grade in new.grades}
    same = {grade.grade: grade.grade for grade in current.grades if grade[:2] in named}
    plan = _Plan(campaign, same | dict(new.mapped), new.asked_again)
    names = {each.grade: each.name for each in plan.effect.given}
    _check(campaign, new, names)
    if plan.lost:
        lost = listed([f"{grade} ({names[grade]})" for grade in sorted(plan.lost)])
        raise SettingRefused(
            f"grades: {lost} would be lost; map it, or have it asked again, which cannot be done for imported labels, "
            "models, training, overruled pairs, closed topics and pairs without a pool or a text"
        )
    if not (plan.rewritten or plan.trained or any(each.before != each.after for each in changes)):
        raise SettingRefused("grades: the scale is so already, and no judgment would change")
    pairs = Counter(plan.labels(campaign, tuple(grade.grade for grade in new.grades)))

    def least(*grades: int) -> tuple[int, int]:
        was, now = (sum(n for pair, n in pairs.items() if pair[at] >= grades[at]) for at in (0, 1))
        return was, now

    plan.effect.lines, plan.effect.relevant = least(0, 0), least(current.relevant_from, new.relevant_from)
    plan.effect.changed = sum(number for (was, now), number in pairs.items() if was != now)
    return plan


def history(campaign: Campaign) -> list[str]:
    """What became of each grade whenever a scale replaced another, in sentences, oldest first."""
    found, every = [], Scales(campaign)
    for version, _, now in every.replaced:
        before = every.at(version - 1)
        asked = list(map(before.called, now.asked_again))
        names = [(before.called(old), now.called(new)) for old, new in now.remapped]
        said = [f"“{old}” became “{new}”" for old, new in names if old != new and old not in asked]
        said += [f"“{old}” is asked again" for old in asked]
        found.append(f"Log row {version:,}: {', '.join(said) or 'given grades stayed'}.")
    return found


def _check(campaign: Campaign, new: NewScale, old: Mapping[int, str]) -> None:
    try:
        scale = {grade.grade: grade.name for grade in checked_scale(new.grades, new.relevant_from)}
    except ScaleError as error:
        raise SettingRefused(f"grades: {error.why}") from None
    if (session := norming.open_session(campaign)) is not None:
        raise SettingRefused(f"grades: norming session {session.norming} is open; close it first")
    in_force, becoming = {*new.mapped, *new.asked_again}, {*new.mapped.values()}
    for which, numbers, there in (("scale in force", in_force, old), ("new scale", becoming, scale)):
        if unknown := numbers - there.keys():
            found, known = (", ".join(map(str, sorted(each))) for each in (unknown, there))
            raise SettingRefused(f"grades: {found} not on the {which}: {known}")
    relevant = {
        grade: after for grade, after in new.mapped.items() if grade < 0 and after >= new.relevant_from
    }
    if relevant and not new.special:
        merged = listed([f"{old[grade]} would become {scale[after]}" for grade, after in relevant.items()])
        raise SettingRefused(f"grades: special {merged}, a relevant grade; confirm it, or map it elsewhere")


class _Plan:
    """What is given, and what becomes of it: `becomes` has new grades by old ones, and pairs of the grades `again` are
    asked again where that can be. `rewritten` are the rows in force that others replace, `cleared` those of them that
    get no grade.
    """

    def __init__(self, campaign: Campaign, becomes: dict[int, int], again: frozenset[int]) -> None:
        self.becomes, self._again, self.effect = becomes, again, Effect()
        self.rewritten, self.cleared, self.lost = array("q"), set[int](), set[int]()
        self._requests: list[tuple[str, str, str]] = []
        held = {grade.grade: Counter[tuple[str, str]]() for grade in settings.read(campaign).grades}
        shut = {*assignments.closed(campaign), *topic_withdrawals.withdrawn(campaign)}
        for topic_id in observed(topics.judged(campaign), "Reading grades"):
            judged = pools.pooled_of_topics(campaign, [topic_id])[topic_id] if topic_id not in shut else {}
            rows = scales.in_force_of_topic(campaign, topic_id)
            for row in rows:
                if row.grade is not None:
                    held.setdefault(row.grade, Counter())[KINDS.get(row.kind, ""), row.assessor] += 1
            for document_id, pair in groupby(rows, attrgetter("document_id")):
                self._add(topic_id, list(pair), is_open=judged.get(document_id, False))
        pairs = [pair for use in training.USES for pair in training.pairs(campaign, use)]
        mapped = [pair._replace(grade=self._mapped(pair.grade)) for pair in pairs]
        self.trained = [pair for pair in mapped if pair not in pairs]
        self.effect.given = tuple(_given(campaign, held, Counter(pair.grade for pair in pairs)))
        self.effect.written = len(self.rewritten)

    def _add(self, topic_id: str, pair: Sequence[Said], *, is_open: bool) -> None:
        """All rows in force of one pair; nothing where none of them changes."""
        again = self._again if is_open else frozenset()
        asked = [row for row in pair if row.kind == "grade" and row.grade in again]
        gone = {row.assessor: row.seq for row in pair if row.kind == "cleared"}
        gone |= {row.assessor: LARGEST_INTEGER for row in asked}
        # A repeat or second look goes with the judgment before it.
        here = [
            row for row in pair if row.kind not in records.SAID_LATER or row.seq > gone.get(row.assessor, 0)
        ]
        graded = [(row, row.grade) for row in here if row.grade is not None]
        own = {self.becomes.get(grade, grade) for row, grade in graded if row.kind in ("grade", IMPORT)}
        can_be_asked = {
            "grade",
            *records.SAID_LATER,
            ADJUDICATION if asked or len(own) > 1 else records.REPEAT,
        }
        changed = 0
        for row, grade in graded:
            if grade in again and row.kind in can_be_asked:
                self.cleared.add(row.seq)
                self.effect.reopened += row.kind == ADJUDICATION
                changed += 1
            elif self._mapped(grade) != grade:
                self.effect.remapped += 1
                changed += 1
        self.rewritten.extend(row.seq for row, _ in graded if changed)
        self.effect.asked.update(row.assessor for row in asked)
        # Another one has judged the pair, or fills its one place: it would not be open to these.
        standing = any(row.kind in ("grade", "can't tell", IMPORT) and row not in asked for row in pair)
        self._requests += [(topic_id, row.document_id, row.assessor) for row in asked[0 if standing else 1 :]]

    def _mapped(self, grade: int) -> int:
        """The new grade of an old one that is not asked again; itself where it has none, which is lost."""
        self.effect.unasked += grade in self._again
        if grade not in self.becomes:
            self.lost.add(grade)
        return self.becomes.get(grade, grade)

    def labels(self, campaign: Campaign, scale: tuple[int, ...]) -> Iterator[tuple[int, int]]:
        """Of each pair with a label the one before and the one after; -1 for special ones and for none."""
        seen, votes = labels.material(campaign), {}
        for pair, given in seen.votes.items():
            kept = [vote for vote in given if vote.seq not in self.cleared]
            if kept:
                votes[pair] = [vote._replace(grade=self.becomes[vote.grade]) for vote in kept]
        settled = LABEL_RULES[labels.rule_at(campaign)].settle(seen._replace(votes=votes, grades=scale))
        for label in labels.each_qrel(campaign):
            alone = -1 if label.pair in seen.votes or label.seq in self.cleared else self.becomes[label.grade]
            after = settled[label.pair].grade if label.pair in settled else alone
            yield max(label.grade, -1), max(after, -1)

    def append(self, campaign: Campaign, version: int) -> None:
        """Append all rows as of a version of the guidelines, inside the open write transaction."""
        self.effect.row = version
        for at in range(0, len(self._requests), BATCH):
            judging_again.put(campaign, self._requests[at : at + BATCH], reason=records.REMAPPED)
        every, made = sorted(self.rewritten), log.timestamp(campaign.moment)
        for at in observed(range(0, len(every), BATCH), "Writing judgments"):
            rows = log.select_judgments(campaign, _OF_ROWS, [json.dumps(every[at : at + BATCH])])
            log.append_judgments(campaign, [self._under(row, version, made) for row in rows])
        for pair in self.trained:
            training.put_pair(campaign, pair)

    def _under(self, old: records.Judgment, version: int, received_at: str) -> records.Judgment:
        """The row that replaces another under the new scale; of imports and models none names a version."""
        said: dict[str, Any] = {"grade": self.becomes.get(old.grade or 0), "source": records.REMAPPED}
        if old.seq in self.cleared:
            said |= records.NO_ANSWER | {"kind": "cleared" if old.kind == "grade" else old.kind}
            said["source"] = records.TAKEN_BACK if old.kind in records.SAID_LATER else records.REMAPPED
        if old.guideline_version is not None:
            said["guideline_version"] = version
        return old.follows(uuid=str(uuid4()), received_at=received_at, replaces=old.seq, **said)


def _given(
    campaign: Campaign, held: Mapping[int, Counter[tuple[str, str]]], trained: Mapping[int, int]
) -> Iterator[GivenGrade]:
    names = {grade.grade: grade.name for grade in settings.read(campaign).grades}
    normed, answered = judgments.times_given(campaign, records.NORMING), training.grades_answered(campaign)
    others = {"training": trained, "norming": normed, "practice answers": answered}
    for grade, by in sorted(held.items()):
        ordered = sorted(by, key=lambda one: (one[0], -by[one], one[1]))
        kinds = groupby(ordered, key=lambda one: one[0])
        said = [kind + listed([f"{one[1]} {by[one]:,}" for one in some]) for kind, some in kinds]
        said += [f"{what}: {each[grade]:,}" for what, each in others.items() if each.get(grade)]
        yield GivenGrade(grade, names.get(grade, str(grade)), by.total(), "; ".join(said))
