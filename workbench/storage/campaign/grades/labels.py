"""Labels: the one grade that counts for each pair, by the rule that the campaign has chosen.

Several assessors may have judged a pair. Which of their grades the qrels, the scores and every count take is a setting,
`label_rule`, and so an event of the log: each moment of it has its own rule. Whatever asks for labels asks here.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

from workbench.core.errors import CampaignError
from workbench.methods.statistics.label_rules import RULES
from workbench.storage.campaign.collection import settings
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.grades import newest_labels
from workbench.storage.campaign.grades.sources import ALIKE, STEP, Precedence, precedence_at
from workbench.storage.campaign.grades.votes import Pair, Vote, adjudicated, counting, opinions_among, votes
from workbench.storage.campaign.log.log import up_to
from workbench.storage.campaign.people import assignments

NEWEST, OWNER, ADJUDICATED, DAWID_SKENE = "newest", "owner", "adjudicated first", "Dawid-Skene"

LABEL_RULES = MappingProxyType(
    {
        NEWEST: "the newest grade counts",
        OWNER: "the grade of the topic's assignee counts; if there is none, the newest, "
        "that of a second assessor last",
        "majority": "the grade that most assessors gave counts, of several such grades the lowest: of two that differ "
        "the lower, which makes pairs judged twice stricter than others",
        "median": "the grade in the middle counts, of two in the middle the lower, which makes pairs judged twice "
        "stricter than others",
        "strictest": "the lowest grade counts",
        "most lenient": "the highest grade counts",
        ADJUDICATED: "an adjudication counts before any other grade, else the newest grade",
        DAWID_SKENE: "the most probable grade by the model of Dawid and Skene counts where at least three assessors "
        "graded a pair, elsewhere the grade that most gave",
    }
)
"""Every rule with what it does where several assessors judged a pair, as half a sentence."""

IN_SQL = MappingProxyType({DAWID_SKENE: "majority"})
"""What looks at one pair at a time, as the file's own view `qrel` does, follows another rule in place of these."""


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
        told = {pair: counting(given, self.precedence) for pair, given in self.votes.items()}
        return {pair: given for pair, given in told.items() if given}


def rule_at(campaign: Campaign, as_of: int | None = None) -> str:
    """The rule in force, one of LABEL_RULES, now or as of a row of the log; CampaignError for an unknown one."""
    if as_of is None:
        rule = settings.value(campaign, "label_rule", NEWEST)
    else:
        rule = settings.read(campaign, as_of).label_rule
    if rule not in tuple(LABEL_RULES):
        message = f"{campaign.name}: this workbench does not know the rule of labels {rule!r}; update it"
        raise CampaignError(message)
    return str(rule)


def qrels(
    campaign: Campaign,
    as_of: int | None = None,
    *,
    rule: str | None = None,
    precedence: Precedence | None = None,
) -> list[Label]:
    """Every pair's label, in byte order of topic and document, by the campaign's rule unless another is named.

    An assessor's newest judgment of a pair is the one in force. Pairs cleared or not told by all who judged them have
    no line. Whose labels count before whose is the campaign's setting too, unless `precedence` says otherwise.
    """
    return list(each_qrel(campaign, as_of, rule=rule, precedence=precedence))


def each_qrel(
    campaign: Campaign,
    as_of: int | None = None,
    *,
    rule: str | None = None,
    precedence: Precedence | None = None,
) -> Iterator[Label]:
    """The same labels one after the other, so that however many there are take no memory; arguments as in `qrels`.

    Only pairs that several had a say in are held. Who goes through them sees to it that nothing is written meanwhile,
    by `campaign.snapshot()`.
    """
    rule = rule or rule_at(campaign, as_of)
    precedence = precedence or precedence_at(campaign, as_of)
    newest = map(partial(tuple.__new__, Label), newest_labels.each(campaign, precedence, as_of))
    if rule == NEWEST and (precedence.here is None or not adjudicated(campaign, as_of)):
        return newest
    return _overlaid(newest, settle(material(campaign, as_of, precedence=precedence), rule))


def _overlaid(whole: Iterable[Label], settled: Settled) -> Iterator[Label]:
    """Labels in byte order of their pairs, with those of `settled` in the place of others of the same pairs."""
    waiting = deque(sorted(settled.values(), key=lambda label: label.pair))
    for label in whole:
        while waiting and waiting[0].pair < label.pair:
            yield waiting.popleft()
        yield waiting.popleft() if waiting and waiting[0].pair == label.pair else label
    yield from waiting


def of_models(campaign: Campaign, as_of: int | None = None) -> list[Label]:
    """The labels in force that models gave, which is none unless the settings let them count."""
    precedence = precedence_at(campaign, as_of)
    if precedence.models is None:
        return []
    rows = campaign.db.conn.execute(
        f"""SELECT topic, document FROM (
            SELECT topic, document, max(place) AS place FROM ({newest_labels.own(precedence)}) GROUP BY topic, document
        ) WHERE place <= -{STEP}""",
        {"as_of": up_to(as_of)},
    )
    without = set(rows.fetchall()) - adjudicated(campaign, as_of).keys()
    return [label for label in qrels(campaign, as_of) if label.pair in without] if without else []


def graded_alone(campaign: Campaign) -> int:
    """How many pairs have a grade in force that an assessor gave alone, or a model's that counts; all others with a
    label are adjudicated.
    """
    (number,) = campaign.db.conn.execute(
        f"SELECT count(*) FROM (SELECT 1 FROM ({newest_labels.own(precedence_at(campaign))}) GROUP BY topic, document)",
        {"as_of": up_to(None)},
    ).fetchone()
    return int(number)


def grades_by_topic(campaign: Campaign, as_of: int | None = None) -> Callable[[str], dict[str, int]]:
    """A function from a topic to the label of each of its documents that has one."""
    rule = rule_at(campaign, as_of)
    if rule == NEWEST:
        return partial(_newest_of_topic, campaign, as_of)
    settled: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for label in settle(material(campaign, as_of), rule).values():
        settled[label.topic_id][label.document_id] = label.grade
    return lambda topic_id: _newest_of_topic(campaign, as_of, topic_id) | settled.get(topic_id, {})


def grades_of_topic(campaign: Campaign, topic_id: str, as_of: int | None = None) -> dict[str, int]:
    """The label of each of a topic's documents that has one."""
    found, rule = _newest_of_topic(campaign, as_of, topic_id), rule_at(campaign, as_of)
    settled = _settled(campaign, rule, as_of, topic_id)
    return found | {label.document_id: label.grade for label in settled.values()}


def label_of(campaign: Campaign, topic_id: str, document_id: str) -> int | None:
    """The label of one pair now, or None."""
    return labels_after(campaign, [(topic_id, document_id)])[topic_id, document_id]


def labels_after(campaign: Campaign, judged: Collection[Pair]) -> dict[Pair, int | None]:
    """The labels, now, of all pairs whose label may be another since these pairs were judged.

    By most rules these are the pairs themselves; by the model of Dawid and Skene every pair that several judged.
    """
    rule = rule_at(campaign)
    found = {pair: _newest_of_pair(campaign, *pair) for pair in judged}
    if rule == DAWID_SKENE:
        return found | _grades(settle(material(campaign), rule))
    for pair in judged:
        found |= _grades(_settled(campaign, rule, None, *pair))
    return found


def material(
    campaign: Campaign,
    as_of: int | None = None,
    *,
    topic_id: str | None = None,
    document_id: str | None = None,
    known: Mapping[Pair, Sequence[Vote]] | None = None,
    precedence: Precedence | None = None,
) -> Material:
    """What rules look at, of all pairs that several had a say in, or of one topic's, or of one; `known` are the votes
    if they were read already, `precedence` as in `qrels`.
    """
    precedence = precedence or precedence_at(campaign, as_of)
    models = precedence.models is not None
    return Material(
        votes(campaign, as_of, topic_id=topic_id, document_id=document_id, models=models)
        if known is None
        else known,
        assignments.owners(campaign, as_of),
        assignments.second_assessors(campaign, as_of),
        tuple(grade.grade for grade in settings.read(campaign, as_of).grades),
        precedence,
    )


def settled(campaign: Campaign, known: Mapping[Pair, Sequence[Vote]] | None = None) -> Settled:
    """The labels of all pairs that several had a say in, by the campaign's rule; `known` as in `material`."""
    return settle(material(campaign, known=known), rule_at(campaign))


def settle(material: Material, rule: str) -> Settled:
    """The labels of pairs that several had a say in, by a rule."""
    if rule == DAWID_SKENE:
        return _by_the_model(material)
    found: Settled = {}
    for pair, given in material.counted().items():
        chosen = _choose(material, rule, pair[0], given)
        found[pair] = Label(chosen.seq, *pair, chosen.grade)
    return found


def _choose(material: Material, rule: str, topic_id: str, given: Sequence[Vote]) -> Vote:
    """The label's vote, of at least one that counts."""
    if rule in RULES:
        own = opinions_among(given)
        return _newest_with(RULES[rule]([vote.grade for vote in own]), own)
    if rule == OWNER:
        return _of_the_owner(material, topic_id, given)
    first = [vote for vote in given if vote.adjudicated] if rule == ADJUDICATED else []
    return _newest(first or given)


def chooser(campaign: Campaign, topic_id: str, as_of: int | None = None) -> Callable[[Sequence[Vote]], int]:
    """A function from the votes of one of a topic's pairs, at least one that may count, to the grade that counts.

    Where the rule is a model of all pairs together it is the majority.
    """
    rule, precedence = rule_at(campaign, as_of), precedence_at(campaign, as_of)
    if rule == NEWEST and precedence == ALIKE:
        return newest
    seen, local = material(campaign, as_of, topic_id=topic_id), IN_SQL.get(rule, rule)
    return lambda given: _choose(seen, local, topic_id, counting(given, precedence)).grade


def newest(given: Sequence[Vote]) -> int:
    """The newest of at least one grade."""
    return _newest(given).grade


def _of_the_owner(material: Material, topic_id: str, given: Sequence[Vote]) -> Vote:
    """The first owner's who gave a grade; where none did the newest, that of a second assessor last."""
    by_name = {vote.assessor: vote for vote in given if not vote.adjudicated}
    own = [by_name[name] for name in material.owners.get(topic_id, ()) if name in by_name]
    first = [vote for vote in given if vote.adjudicated or (topic_id, vote.assessor) not in material.seconds]
    return own[0] if own else _newest(first or given)


def _newest(given: Sequence[Vote]) -> Vote:
    return max(given, key=lambda vote: vote.seq)


def _newest_with(grade: int, given: Sequence[Vote]) -> Vote:
    """The newest of the votes for a grade, or with that grade in place of its own if no assessor gave it."""
    return max(given, key=lambda vote: (vote.grade == grade, vote.seq))._replace(grade=grade)


def modelled(material: Material) -> dict[Pair, Sequence[Vote]]:
    """The pairs that the model of Dawid and Skene says something of: those with enough grades, and these."""
    from workbench.methods.statistics.dawid_skene import FEWEST_LABELS

    told = {pair: opinions_among(given) for pair, given in material.counted().items()}
    return {pair: own for pair, own in told.items() if len(own) >= FEWEST_LABELS}


def not_modelled(campaign: Campaign, as_of: int | None = None) -> int:
    """How many pairs have too few grades for the model of Dawid and Skene, if that is the rule; else 0."""
    if rule_at(campaign, as_of) != DAWID_SKENE:
        return 0
    return len(qrels(campaign, as_of, rule=NEWEST)) - len(modelled(material(campaign, as_of)))


def _by_the_model(material: Material) -> Settled:
    """The most probable grades where the model says something; the majority's elsewhere."""
    from workbench.methods.statistics.dawid_skene import dawid_skene
    from workbench.methods.statistics.ratings import MISSING

    found, told = settle(material, "majority"), modelled(material)
    if not told:
        return found
    given = {vote.grade for graded in told.values() for vote in graded}
    categories = sorted(given.union(material.grades))
    people = {
        name: number
        for number, name in enumerate(sorted({vote.assessor for graded in told.values() for vote in graded}))
    }
    table = [[MISSING] * len(people) for _ in told]
    for row, graded in zip(table, told.values(), strict=True):
        for vote in graded:
            row[people[vote.assessor]] = categories.index(vote.grade)
    labels = dawid_skene(table, len(categories)).labels.tolist()
    for (pair, graded), label in zip(told.items(), labels, strict=True):
        grade = categories[label]
        found[pair] = Label(_newest_with(grade, graded).seq, *pair, grade)
    return found


def _settled(
    campaign: Campaign, rule: str, as_of: int | None, topic_id: str, document_id: str | None = None
) -> Settled:
    """What `settle` gives of one topic, or of one pair."""
    if rule == NEWEST:
        return {}
    if rule == DAWID_SKENE:  # the grades of all topics tell how each assessor errs
        everything = settle(material(campaign, as_of), rule)
        return {pair: label for pair, label in everything.items() if pair[0] == topic_id}
    return settle(material(campaign, as_of, topic_id=topic_id, document_id=document_id), rule)


def _grades(settled: Settled) -> dict[Pair, int]:
    return {pair: label.grade for pair, label in settled.items()}


def _newest_of_topic(campaign: Campaign, as_of: int | None, topic_id: str) -> dict[str, int]:
    own_grades = newest_labels.own(precedence_at(campaign, as_of), " AND topic = :topic")
    rows = campaign.db.conn.execute(
        f"SELECT document, grade, max(place) FROM ({own_grades}) GROUP BY document",
        {"topic": topic_id, "as_of": up_to(as_of)},
    ).fetchall()
    found = {document_id: grade for document_id, grade, _ in rows}
    settled = adjudicated(campaign, as_of, topic_id)
    if settled:
        own = {document_id: place for document_id, _, place in rows}
        found |= {pair[1]: grade for pair, (seq, grade) in settled.items() if own.get(pair[1], 0) < seq}
    return found


def _newest_of_pair(campaign: Campaign, topic_id: str, document_id: str) -> int | None:
    own_grades = newest_labels.own(precedence_at(campaign), " AND topic = :topic AND document = :document")
    row = campaign.db.conn.execute(
        f"SELECT grade, max(place) FROM ({own_grades})",
        {"topic": topic_id, "document": document_id, "as_of": up_to(None)},
    ).fetchone()
    settled = adjudicated(campaign, None, topic_id, document_id).get((topic_id, document_id))
    if settled is not None and settled[0] > (row[1] or 0):
        return settled[1]
    return None if row[0] is None else int(row[0])
