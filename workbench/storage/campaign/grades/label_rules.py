"""The rules by which the votes of a pair make one label: a registry, so that a new rule is one function here.

    @label_rule("strictest")
    def strictest_grade(material: Material, topic_id: str, given: Sequence[Vote]) -> Vote:
        \"\"\"The lowest grade counts.\"\"\"

The docstring is what screens, command line and bundles say of it. The file's own view `qrel` has each rule in SQL too
(storage/campaign/file), except those that look at all pairs together.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from statistics import median_low
from typing import NamedTuple

from workbench.core.model_answers import mode
from workbench.core.registry import Entry, Registry
from workbench.jobs.observing import observed
from workbench.storage.campaign.grades.sources import (
    ALIKE,
    Pair,
    Precedence,
    Vote,
    counting,
    own_grades_among,
)

NEWEST, OWNER, ADJUDICATED, DAWID_SKENE = "newest", "owner", "adjudicated first", "Dawid-Skene"
MAJORITY = "majority"


class Label(NamedTuple):
    """A pair's label, and the row of the log that gave it: of several with this grade the newest. A model may find a
    grade that no assessor gave; then it is the pair's newest.
    """

    seq: int
    topic_id: str
    document_id: str
    grade: int

    @property
    def pair(self) -> Pair:
        """Topic and document."""
        return self.topic_id, self.document_id


Settled = dict[Pair, Label]
"""Labels of pairs; a pair has one by every rule or by none."""


class Material(NamedTuple):
    """What rules look at.

    Attributes:
        votes: the votes of each pair.
        owners: of each topic that is assigned, those who judge the whole of it, in the order of their assignment.
        seconds: topic and assessor, of those who judge, or judged, no more than what is to be judged twice.
        grades: the scale's grades.
        precedence: whose votes count before whose.
    """

    votes: Mapping[Pair, Sequence[Vote]]
    owners: Mapping[str, Sequence[str]]
    seconds: Collection[tuple[str, str]]
    grades: tuple[int, ...]
    precedence: Precedence = ALIKE

    def counted(self) -> dict[Pair, Sequence[Vote]]:
        """The votes that count, of each pair that has some."""
        counted = {
            pair: counting(given, self.precedence)
            for pair, given in observed(list(self.votes.items()), "Settling labels")
        }
        return {pair: given for pair, given in counted.items() if given}


@dataclass(frozen=True, eq=False)
class LabelRule(Entry):
    """A rule: `function(material, topic_id, votes)` -> Vote, of at least one vote that counts.

    Attributes:
        of_all: whether it looks at all pairs together; then it is `function(material)` -> Settled.
    """

    of_all: bool = False

    @property
    def says(self) -> str:
        """What it does where several assessors judged a pair, as half a sentence."""
        sentence = " ".join(self.prose.split()).removesuffix(".")
        return f"{sentence[0].lower()}{sentence[1:]}"

    @property
    def of_one_pair(self) -> str:
        """The rule that what looks at one pair at a time follows, as the file's own view `qrel` does."""
        return MAJORITY if self.of_all else self.name

    def settle(self, material: Material) -> Settled:
        """The labels of pairs with several judgments that count."""
        if self.of_all:
            return dict(self.function(material))
        found: Settled = {}
        for pair, given in material.counted().items():
            chosen = self.function(material, pair[0], given)
            found[pair] = Label(chosen.seq, *pair, chosen.grade)
        return found


LABEL_RULES = Registry("label rule", "label rules", LabelRule)
label_rule = LABEL_RULES.register


@label_rule(NEWEST)
def newest_grade(material: Material, topic_id: str, given: Sequence[Vote]) -> Vote:
    """The newest grade counts."""
    return newest(given)


@label_rule(OWNER)
def grade_of_the_owner(material: Material, topic_id: str, given: Sequence[Vote]) -> Vote:
    """The grade of the topic's assignee counts; if there is none, the newest, that of a second assessor last."""
    by_name = {vote.assessor: vote for vote in given if not vote.adjudicated}
    own = [by_name[name] for name in material.owners.get(topic_id, ()) if name in by_name]
    first = [vote for vote in given if vote.adjudicated or (topic_id, vote.assessor) not in material.seconds]
    return own[0] if own else newest(first or given)


@label_rule(MAJORITY)
def grade_of_the_majority(material: Material, topic_id: str, given: Sequence[Vote]) -> Vote:
    """The grade that most assessors gave counts, of several such grades the lowest: of two that differ the lower,
    which makes pairs judged twice stricter than others.
    """
    return _by_grades(mode, given)


@label_rule("median")
def median_grade(material: Material, topic_id: str, given: Sequence[Vote]) -> Vote:
    """The grade in the middle counts, of two in the middle the lower, which makes pairs judged twice stricter than
    others.
    """
    return _by_grades(median_low, given)


@label_rule("strictest")
def strictest_grade(material: Material, topic_id: str, given: Sequence[Vote]) -> Vote:
    """The lowest grade counts."""
    return _by_grades(min, given)


@label_rule("most lenient")
def most_lenient_grade(material: Material, topic_id: str, given: Sequence[Vote]) -> Vote:
    """The highest grade counts."""
    return _by_grades(max, given)


@label_rule(ADJUDICATED)
def adjudicated_grade(material: Material, topic_id: str, given: Sequence[Vote]) -> Vote:
    """An adjudication counts before any other grade, else the newest grade."""
    return newest([vote for vote in given if vote.adjudicated] or given)


@label_rule(DAWID_SKENE, of_all=True)
def most_probable_grades(material: Material) -> Settled:
    """The most probable grade by the model of Dawid and Skene counts where at least three assessors graded a pair,
    elsewhere the grade that most gave.
    """
    from workbench.methods.statistics.dawid_skene import dawid_skene
    from workbench.methods.statistics.ratings import MISSING

    found, labelled = LABEL_RULES[MAJORITY].settle(material), modelled(material)
    if not labelled:
        return found
    given = {vote.grade for graded in labelled.values() for vote in graded}
    categories = sorted(given.union(material.grades))
    people = {
        name: number
        for number, name in enumerate(
            sorted({vote.assessor for graded in labelled.values() for vote in graded})
        )
    }
    table = [[MISSING] * len(people) for _ in labelled]
    for row, graded in zip(table, labelled.values(), strict=True):
        for vote in graded:
            row[people[vote.assessor]] = categories.index(vote.grade)
    labels = dawid_skene(table, len(categories)).labels.tolist()
    for (pair, graded), label in zip(labelled.items(), labels, strict=True):
        grade = categories[label]
        found[pair] = Label(_newest_with(grade, graded).seq, *pair, grade)
    return found


def modelled(material: Material) -> dict[Pair, Sequence[Vote]]:
    """The pairs that the model of Dawid and Skene says something of: those with enough grades, and these."""
    from workbench.methods.statistics.dawid_skene import FEWEST_LABELS

    labelled = {pair: own_grades_among(given) for pair, given in material.counted().items()}
    return {pair: own for pair, own in labelled.items() if len(own) >= FEWEST_LABELS}


def newest(given: Sequence[Vote]) -> Vote:
    """The newest of at least one vote."""
    return max(given, key=lambda vote: vote.seq)


def _by_grades(choose: Callable[[Sequence[int]], int], given: Sequence[Vote]) -> Vote:
    """The newest vote for the grade chosen of each assessor's own."""
    own = own_grades_among(given)
    return _newest_with(choose([vote.grade for vote in own]), own)


def _newest_with(grade: int, given: Sequence[Vote]) -> Vote:
    """The newest of the votes for a grade, or with that grade in place of its own if no assessor gave it."""
    return max(given, key=lambda vote: (vote.grade == grade, vote.seq))._replace(grade=grade)
