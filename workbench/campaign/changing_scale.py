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
from itertools import groupby
from typing import NamedTuple
from uuid import uuid4

import numpy as np

from workbench.campaign.campaign_settings import SETTINGS, SettingRefused
from workbench.campaign.changing_settings import Change, Changed, notes_on, refuse_conflicts
from workbench.core.records import NO_ANSWER, REMAPPED, REPEAT, TAKEN_BACK, Grade, Judgment
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
ASKED = -(1 << 31)
"""In the place of a grade: the pair is asked again."""

KINDS = {IMPORT: "imported", MODEL: "labels of models", ADJUDICATION: "adjudicated", REPEAT: "hidden repeats"}
"""What judgments in force are called by their kind, where they are no assessor's own."""


class NewScale(NamedTuple):
    """A scale, and what becomes of the grades that were given under the one in force.

    Attributes:
        grades, relevant_from: the new scale.
        mapped: the new grade of each old one. One that keeps number and name need not be there.
        asked_again: the old grades whose pairs are asked again; `mapped` has them too where judgments hold them for
            which no assessor can be asked.
        special: whether special (negative) grades may become relevant ones.
    """

    grades: Sequence[Grade]
    relevant_from: int
    mapped: Mapping[int, int]
    asked_again: frozenset[int] = frozenset()
    special: bool = False


class GivenGrade(NamedTuple):
    """What is in force of one grade, by what it is ("" for assessors' own, else of KINDS) and who gave it; and what
    else holds it: training pairs, which follow the map, and answers in norming and practice, which stay as given.
    """

    grade: int
    name: str
    judgments: Mapping[str, Mapping[str, int]]
    others: Mapping[str, int]

    @property
    def total(self) -> int:
        """How many judgments are in force."""
        return sum(sum(each.values()) for each in self.judgments.values())

    @property
    def by(self) -> str:
        """Who gave it how often, and what else holds it."""
        said = [
            f"{kind}{': ' if kind else ''}" + listed([f"{name} {number:,}" for name, number in names.items()])
            for kind, names in self.judgments.items()
        ]
        return "; ".join([*said, *(f"{number:,} {what}" for what, number in self.others.items())])


class Effect(NamedTuple):
    """What a new scale does.

    Attributes:
        given: what is in force of each old grade.
        remapped: judgments that get another grade.
        asked: how many judgments each assessor is asked again.
        reopened: adjudications that are taken back.
        unasked: judgments of grades that are asked again, for which no assessor can be asked: they are mapped.
        lines, changed, relevant: lines of the qrels and relevant ones, each before and after; those that change, go
            or come.
    """

    given: tuple[GivenGrade, ...]
    remapped: int
    asked: Mapping[str, int]
    reopened: int
    unasked: int
    lines: tuple[int, int]
    changed: int
    relevant: tuple[int, int]


def given_grades(campaign: Campaign) -> tuple[GivenGrade, ...]:
    """What is in force of each grade that is on the scale, or was given; ascending."""
    with campaign.snapshot():
        names = {grade.grade: grade.name for grade in settings.read(campaign).grades}
        found: dict[int, dict[str, Counter[str]]] = {grade: {} for grade in names}
        for topic_id in observed(log.judged_topics(campaign), "Counting grades"):
            for grade, kind, name, number in scales.counts_of_topic(campaign, topic_id):
                found.setdefault(grade, {}).setdefault(KINDS.get(kind, ""), Counter())[name] += number
        trained = Counter(pair.grade for use in training.USES for pair in training.pairs(campaign, use))
        others = {
            "training pairs": trained,
            "answers in norming": scales.given_in_norming(campaign),
            "answers in practice": training.grades_answered(campaign),
        }
    return tuple(
        GivenGrade(
            grade,
            names.get(grade, str(grade)),
            {kind: dict(by.most_common()) for kind, by in sorted(found.get(grade, {}).items())},
            {what: by[grade] for what, by in others.items() if grade in by},
        )
        for grade in sorted(found.keys() | trained.keys())
    )


def effect_of(campaign: Campaign, new: NewScale) -> Effect:
    """What a new scale would do; errors as of `change_scale`."""
    with campaign.snapshot():
        return _checked(campaign, new)[1]


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


def change_scale(campaign: Campaign, new: NewScale, *, base: int | None = None) -> tuple[Changed, Effect]:
    """Put a scale in the place of the one in force, with all that was given; `base` as in `change_settings`.

    Raises:
        SettingsConflict: another organiser changed the scale since `base`.
        SettingRefused: the scale makes no sense; the map names a grade that there is not, loses one that was given, or
            makes special ones relevant; a norming session is open; or nothing would change.
    """
    with campaign.write():
        current = settings.read(campaign)
        after = {"grades": [list(each) for each in sorted(new.grades)], "relevant_from": new.relevant_from}
        chosen = [SETTINGS["grades"], SETTINGS["relevant-from"]]
        changes = [Change(each, each.in_force(current), after[each.field]) for each in chosen]
        refuse_conflicts(campaign, changes, current if base is None else settings.read(campaign.at(base)))
        plan, effect = _checked(campaign, new)
        notes = notes_on(campaign, changes)
        replaced = sorted(map(list, plan.becomes.items())), sorted(new.asked_again)
        version = settings.change(campaign, after | dict(zip(settings.REPLACED, replaced, strict=True)))
        plan.append(campaign, version)
    return Changed(tuple(each for each in changes if each.before != each.after), version, notes), effect


def change_scale_of(campaign: Campaign, new: NewScale, base: int | None, *, on_step: OnStep) -> int | None:
    """The same in a job; the log row that has the new scale."""
    on_step(0, None, "Changing the scale")
    return change_scale(campaign, new, base=base)[0].seq


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


def _checked(campaign: Campaign, new: NewScale) -> tuple[_Plan, Effect]:
    try:
        scale = {grade.grade: grade for grade in checked_scale(new.grades, new.relevant_from)}
    except ScaleError as error:
        raise SettingRefused(f"grades: {error.why}") from None
    if (session := norming.open_session(campaign)) is not None:
        raise SettingRefused(f"grades: norming session {session.norming} is open; close it first")
    given, current = given_grades(campaign), settings.read(campaign)
    _check_numbers(new, scale, {each.grade: each.name for each in given})
    same = {each.grade for each in current.grades if (now := scale.get(each.grade)) and now.name == each.name}
    plan = _Plan(campaign, {grade: grade for grade in same} | dict(new.mapped), new)
    _refuse_losing(new, {each.grade: each.name for each in given}, plan.lost)
    is_same = tuple(sorted(scale.values())) == current.grades and new.relevant_from == current.relevant_from
    if is_same and not (len(plan.seqs) or plan.trained):
        raise SettingRefused("grades: the scale is so already, and no judgment would change")
    return plan, plan.effect(campaign, given)


def _check_numbers(new: NewScale, scale: Mapping[int, Grade], old: Mapping[int, str]) -> None:
    for numbers, there, which in (
        ({*new.mapped, *new.asked_again}, old.keys(), "the scale in force"),
        (set(new.mapped.values()), scale.keys(), "the new scale"),
    ):
        if unknown := sorted(numbers - there):
            named, on = (listed(list(map(str, each))) for each in (unknown, sorted(there)))
            are = "is" if len(unknown) == 1 else "are"
            raise SettingRefused(f"grades: {named} {are} not on {which}, which has {on}")
    merged = [
        f"{grade} ({old[grade]}) would become {after} ({scale[after].name})"
        for grade, after in sorted(new.mapped.items())
        if grade < 0 and after >= new.relevant_from
    ]
    if merged and not new.special:
        raise SettingRefused(
            f"grades: special {listed(merged)}, a relevant grade; confirm it, or map it elsewhere"
        )


def _refuse_losing(new: NewScale, names: Mapping[int, str], lost: Mapping[int, int]) -> None:
    said = [
        f"grade {grade} ({names[grade]}) is to be asked again, but for {counted(number, 'judgment')} no assessor can "
        "be asked (imported labels, labels of models, training pairs, overruled pairs, and pairs without a pool or a "
        "text or of a closed topic)"
        if grade in new.asked_again
        else f"grade {grade} ({names[grade]}) was given {counted(number, 'time')}, and nothing says what becomes of it"
        for grade, number in sorted(lost.items())
    ]
    if said:
        raise SettingRefused(f"grades: {'; '.join(said)}. Map it to a grade of the new scale")


class _Plan:
    """The rows to append: `seqs` are those that they replace, ascending, `grades` their grades or ASKED; `trained` the
    training pairs that get another grade, and `lost` how many judgments of each grade nothing can be done with.
    """

    def __init__(self, campaign: Campaign, becomes: Mapping[int, int], new: NewScale) -> None:
        self.becomes, self._new = becomes, new
        self.lost, self._asked = Counter[int](), Counter[str]()
        self._reopened = self._remapped = self._unasked = 0
        self._requests: list[tuple[str, str, str]] = []
        found = array("q"), array("q")
        shut = {*assignments.closed(campaign), *topic_withdrawals.withdrawn(campaign)}
        for topic_id in observed(log.judged_topics(campaign), "Reading grades"):
            can_be_judged = {} if topic_id in shut else pools.pooled_of_topics(campaign, [topic_id])[topic_id]
            rows = scales.in_force_of_topic(campaign, topic_id)
            for document_id, group in groupby(rows, key=lambda row: row.document_id):
                pair = list(group)
                after = self._after(pair, is_open=can_be_judged.get(document_id, False))
                found[0].extend(after)
                found[1].extend(after.values())
                if after and new.asked_again:
                    self._request(topic_id, pair, after)
        seqs, grades = (np.array(each, np.int64) for each in found)
        order = np.argsort(seqs)
        self.seqs, self.grades = seqs[order], grades[order]
        every = [pair for use in training.USES for pair in training.pairs(campaign, use)]
        now = [pair._replace(grade=self._mapped(pair.grade)) for pair in every]
        self.trained = [pair for pair in now if pair not in every]

    def _after(self, pair: Sequence[Said], *, is_open: bool) -> dict[int, int]:
        """What the rows in force of one pair become, by `seq`; nothing where none of them changes."""
        again = self._new.asked_again
        graded = [(row, row.grade) for row in pair if row.grade is not None]
        asked = {row.assessor for row, grade in graded if is_open and row.kind == "grade" and grade in again}
        cleared = {row.assessor: row.seq for row in pair if row.kind == "cleared"}
        after: dict[int, int] = {}
        own: set[int] = set()
        settled = [entry for entry in graded if entry[0].kind == ADJUDICATION]
        for row, grade in (*(entry for entry in graded if entry not in settled), *settled):
            if row.kind == REPEAT and (row.assessor in asked or cleared.get(row.assessor, 0) > row.seq):
                continue  # it goes with the judgment that it repeats
            can_be_asked = {"grade": True, REPEAT: True, ADJUDICATION: bool(asked) or len(own) > 1}
            is_asked = is_open and grade in again and can_be_asked.get(row.kind, False)
            after[row.seq] = ASKED if is_asked else self._mapped(grade)
            own |= {after[row.seq]} if row.kind in ("grade", IMPORT) else set()
            self._reopened += is_asked and row.kind == ADJUDICATION
            self._remapped += after[row.seq] not in (grade, ASKED)
        self._asked.update(asked)
        return {} if all(after.get(row.seq, grade) == grade for row, grade in graded) else after

    def _request(self, topic_id: str, pair: Sequence[Said], after: Mapping[int, int]) -> None:
        """Request what would not be open to its assessor, since another one has judged it, or fills its one place."""
        own = [row for row in pair if row.kind in ("grade", "can't tell", IMPORT)]
        asked = [row for row in own if after.get(row.seq) == ASKED]
        of_request = asked if len(asked) < len(own) else asked[1:]
        self._requests += [(topic_id, row.document_id, row.assessor) for row in of_request]

    def _mapped(self, grade: int) -> int:
        """The new grade of an old one that is not asked again; itself where it has none, which is counted as lost."""
        self._unasked += grade in self._new.asked_again
        if grade not in self.becomes:
            self.lost[grade] += 1
        return self.becomes.get(grade, grade)

    def effect(self, campaign: Campaign, given: tuple[GivenGrade, ...]) -> Effect:
        """What the plan comes to."""
        old, new = settings.read(campaign).relevant_from, self._new.relevant_from
        none = np.zeros(0, np.int64)
        found = map(np.concatenate, zip((none, none), *self._labels(campaign), strict=True))
        before, after = (np.maximum(each, -1) for each in found)  # special grades have no line
        return Effect(
            given,
            self._remapped,
            dict(self._asked.most_common()),
            self._reopened,
            self._unasked,
            lines=(int((before >= 0).sum()), int((after >= 0).sum())),
            changed=int((before != after).sum()),
            relevant=(int((before >= old).sum()), int((after >= new).sum())),
        )

    def _of_rows(self, seqs: Sequence[int], grades: Sequence[int]) -> np.ndarray:
        """What the grades of these rows become."""
        rows, now = np.array(seqs, np.int64), np.array(grades, np.int64)
        if not len(self.seqs):
            return now
        at = np.minimum(np.searchsorted(self.seqs, rows), len(self.seqs) - 1)
        return np.where(self.seqs[at] == rows, self.grades[at], now)

    def _labels(self, campaign: Campaign) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """The labels of each topic, and what they become."""
        seen = labels.material(campaign)
        votes: dict[Pair, list[Vote]] = {}
        for pair, given in seen.votes.items():
            after = self._of_rows([vote.seq for vote in given], [vote.grade for vote in given]).tolist()
            now = [vote._replace(grade=grade) for vote, grade in zip(given, after, strict=True)]
            votes[pair] = [vote for vote in now if vote.grade != ASKED]
        voted = {pair: given for pair, given in votes.items() if given}
        scale = tuple(grade.grade for grade in self._new.grades)
        settled = LABEL_RULES[labels.rule_at(campaign)].settle(seen._replace(votes=voted, grades=scale))
        for topic in labels.each_topic(campaign):
            now_of = self._of_rows(topic.seqs, topic.grades)
            for place, document_id in enumerate(topic.document_ids if votes else ()):
                if (pair := (topic.topic_id, document_id)) in votes:
                    now_of[place] = settled[pair].grade if pair in settled else ASKED
            yield np.array(topic.grades, np.int64), now_of

    def append(self, campaign: Campaign, version: int) -> None:
        """Append all rows as of a version of the guidelines, inside the open write transaction."""
        for at in range(0, len(self._requests), BATCH):
            judging_again.put(campaign, self._requests[at : at + BATCH], reason=REMAPPED)
        for at in observed(range(0, len(self.seqs), BATCH), "Writing judgments"):
            seqs, grades = (each[at : at + BATCH].tolist() for each in (self.seqs, self.grades))
            rows = log.select_judgments(campaign, _OF_ROWS, [json.dumps(seqs)])
            made = log.timestamp(campaign.moment)
            new = [_under(row, grade, version, made) for row, grade in zip(rows, grades, strict=True)]
            log.append_judgments(campaign, new)
        for pair in self.trained:
            training.put_pair(campaign, pair)


def _under(old: Judgment, grade: int, version: int, received_at: str) -> Judgment:
    """The row that replaces another under a new scale; of imports and models none names a version."""
    row = old.follows(
        uuid=str(uuid4()),
        received_at=received_at,
        guideline_version=None if old.guideline_version is None else version,
        grade=grade,
        replaces=old.seq,
        source=REMAPPED,
    )
    if grade != ASKED:
        return row
    if old.kind == REPEAT:
        return row._replace(**NO_ANSWER, source=TAKEN_BACK)
    return row._replace(**NO_ANSWER, kind=old.kind if old.kind == ADJUDICATION else "cleared")
