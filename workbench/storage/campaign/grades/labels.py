"""Labels: the one grade that counts for each pair, by the rule that the campaign has chosen.

Several assessors may have judged a pair. Which of their grades the qrels, the scores and every count take is a setting,
`label_rule`, and so an event of the log: each moment of it has its own rule. Whatever asks for labels asks here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from heapq import merge
from itertools import groupby, repeat
from operator import itemgetter

from workbench.core.errors import CampaignError
from workbench.storage.campaign.assigning import assignments
from workbench.storage.campaign.collection.pools import then
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.grades import label_rules, newest_labels
from workbench.storage.campaign.grades.label_rules import (
    DAWID_SKENE,
    LABEL_RULES,
    NEWEST,
    Label,
    Material,
    Settled,
    modelled,
)
from workbench.storage.campaign.grades.newest_labels import Given, TopicLabels
from workbench.storage.campaign.grades.sources import (
    ALIKE,
    STEP,
    Pair,
    Precedence,
    Vote,
    adjudicated,
    counting,
    precedence_at,
    votes,
)
from workbench.storage.campaign.organising import settings


def rule_at(campaign: Campaign) -> str:
    """The rule in force, one of LABEL_RULES, now or as of a row of the log; CampaignError for an unknown one."""
    rule = settings.read(campaign).label_rule
    if rule not in tuple(LABEL_RULES):
        message = f"{campaign.name}: this workbench does not know the label rule {rule!r}; update it"
        raise CampaignError(message)
    return rule


def qrels(
    campaign: Campaign, *, rule: str | None = None, precedence: Precedence | None = None
) -> list[Label]:
    """Every pair's label, in byte order of topic and document, by the campaign's rule unless another is named.

    An assessor's newest judgment of a pair is the one in force. Pairs without a grade (cleared, "can't tell") have
    no line. Whose labels count before whose is the campaign's setting too, unless `precedence` says otherwise.
    """
    return list(each_qrel(campaign, rule=rule, precedence=precedence))


def each_qrel(
    campaign: Campaign, *, rule: str | None = None, precedence: Precedence | None = None
) -> Iterator[Label]:
    """The same labels one after the other; arguments as in `qrels`, and what is held as in `each_topic`."""
    for topic in each_topic(campaign, rule=rule, precedence=precedence):
        rows = zip(topic.seqs, repeat(topic.topic_id), topic.document_ids, topic.grades)
        yield from map(partial(tuple.__new__, Label), rows)


def each_topic(
    campaign: Campaign, *, rule: str | None = None, precedence: Precedence | None = None
) -> Iterator[TopicLabels]:
    """The same labels topic by topic, in byte order, so that however many there are take no memory; arguments as in
    `qrels`. There are topics without any.

    Only pairs with several judgments that count are held. Go through them inside `campaign.snapshot()`, so that nothing
    is written meanwhile.
    """
    rule = rule or rule_at(campaign)
    precedence = precedence or precedence_at(campaign)
    newest = newest_labels.each_topic(campaign, precedence)
    if rule == NEWEST and (precedence.here is None or not adjudicated(campaign)):
        return newest
    return _overlaid(newest, LABEL_RULES[rule].settle(material(campaign, precedence=precedence)))


def _overlaid(whole: Iterable[TopicLabels], settled: Settled) -> Iterator[TopicLabels]:
    """Labels in byte order of their topics, with those of `settled` in the place of others of the same pairs."""
    others: defaultdict[str, dict[str, Given]] = defaultdict(dict)
    for label in settled.values():
        others[label.topic_id][label.document_id] = label.grade, label.seq
    without = map(TopicLabels, sorted(others))
    for topic_id, same in groupby(merge(whole, without, key=itemgetter(0)), key=itemgetter(0)):
        topic = next(same)
        yield topic.replaced(others[topic_id]) if topic_id in others else topic


def of_models(campaign: Campaign) -> list[Label]:
    """The labels in force that models gave, which is none unless the settings let them count."""
    precedence = precedence_at(campaign)
    if precedence.models is None:
        return []
    rows = campaign.execute(
        f"""SELECT topic, document FROM (
            SELECT topic, document, max(place) AS place FROM ({newest_labels.own(precedence)}) GROUP BY topic, document
        ) WHERE place <= -{STEP}""",
        then(campaign),
    )
    without = set(rows.fetchall()) - adjudicated(campaign).keys()
    return [label for label in qrels(campaign) if label.pair in without] if without else []


def graded_alone(campaign: Campaign) -> int:
    """How many pairs have a grade in force by one assessor alone or a model that counts, not by adjudication."""
    return campaign.number(
        f"SELECT count(*) FROM (SELECT 1 FROM ({newest_labels.own(precedence_at(campaign))}) GROUP BY topic, document)",
        then(campaign),
    )


def grades_by_topic(campaign: Campaign) -> Callable[[str], dict[str, int]]:
    """A function from a topic to the label of each of its documents that has one."""
    rule = rule_at(campaign)
    if rule == NEWEST:
        return partial(_newest_of_topic, campaign)
    settled: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for label in LABEL_RULES[rule].settle(material(campaign)).values():
        settled[label.topic_id][label.document_id] = label.grade
    return lambda topic_id: _newest_of_topic(campaign, topic_id) | settled.get(topic_id, {})


def grades_of_topic(campaign: Campaign, topic_id: str) -> dict[str, int]:
    """The label of each of a topic's documents that has one."""
    found, rule = _newest_of_topic(campaign, topic_id), rule_at(campaign)
    settled = _settled(campaign, rule, topic_id)
    return found | {label.document_id: label.grade for label in settled.values()}


def label_of(campaign: Campaign, topic_id: str, document_id: str) -> int | None:
    """The label of one pair now, or None."""
    return labels_after(campaign, [(topic_id, document_id)])[topic_id, document_id]


def labels_after(campaign: Campaign, judged: Collection[Pair]) -> dict[Pair, int | None]:
    """The labels, now, of all pairs whose label may be another since these pairs were judged.

    By most rules these are the pairs themselves; by a model of all pairs every pair that several judged.
    """
    rule = rule_at(campaign)
    found = {pair: _newest_of_pair(campaign, *pair) for pair in judged}
    if LABEL_RULES[rule].of_all:
        return found | _grades(LABEL_RULES[rule].settle(material(campaign)))
    for pair in judged:
        found |= _grades(_settled(campaign, rule, *pair))
    return found


def material(
    campaign: Campaign,
    *,
    topic_id: str | None = None,
    document_id: str | None = None,
    known: Mapping[Pair, Sequence[Vote]] | None = None,
    precedence: Precedence | None = None,
) -> Material:
    """What rules look at, of all pairs with several judgments that count, or of one topic's, or of one; `known` are the
    votes if they were read already, `precedence` as in `qrels`.
    """
    precedence = precedence or precedence_at(campaign)
    models = precedence.models is not None
    return Material(
        votes(campaign, topic_id=topic_id, document_id=document_id, models=models)
        if known is None
        else known,
        assignments.owners(campaign),
        assignments.second_assessors(campaign),
        tuple(grade.grade for grade in settings.read(campaign).grades),
        precedence,
    )


def settled(campaign: Campaign, known: Mapping[Pair, Sequence[Vote]] | None = None) -> Settled:
    """The labels of all pairs with several judgments that count, by the campaign's rule; `known` as in `material`."""
    return LABEL_RULES[rule_at(campaign)].settle(material(campaign, known=known))


def chooser(campaign: Campaign, topic_id: str) -> Callable[[Sequence[Vote]], int]:
    """A function from the votes of one of a topic's pairs, at least one that may count, to the grade that counts.

    Where the rule is a model of all pairs together it is the majority.
    """
    rule, precedence = rule_at(campaign), precedence_at(campaign)
    if rule == NEWEST and precedence == ALIKE:
        return newest
    choose = LABEL_RULES[LABEL_RULES[rule].of_one_pair].function
    seen = material(campaign, topic_id=topic_id)
    return lambda given: int(choose(seen, topic_id, counting(given, precedence)).grade)


def newest(given: Sequence[Vote]) -> int:
    """The newest of at least one grade."""
    return label_rules.newest(given).grade


def not_modelled(campaign: Campaign) -> int:
    """How many pairs have too few grades for the model of Dawid and Skene, if that is the rule; else 0."""
    if rule_at(campaign) != DAWID_SKENE:
        return 0
    return len(qrels(campaign, rule=NEWEST)) - len(modelled(material(campaign)))


def _settled(campaign: Campaign, rule: str, topic_id: str, document_id: str | None = None) -> Settled:
    """The labels of one topic, or of one pair, that are not simply the newest."""
    if rule == NEWEST:
        return {}
    if LABEL_RULES[rule].of_all:  # the grades of all topics tell how each assessor errs
        everything = LABEL_RULES[rule].settle(material(campaign))
        return {pair: label for pair, label in everything.items() if pair[0] == topic_id}
    return LABEL_RULES[rule].settle(material(campaign, topic_id=topic_id, document_id=document_id))


def _grades(settled: Settled) -> dict[Pair, int]:
    return {pair: label.grade for pair, label in settled.items()}


def _newest_of_topic(campaign: Campaign, topic_id: str) -> dict[str, int]:
    own_grades = newest_labels.own(precedence_at(campaign), " AND topic = :topic")
    rows = campaign.execute(
        f"SELECT document, grade, max(place) FROM ({own_grades}) GROUP BY document",
        then(campaign, topic=topic_id),
    ).fetchall()
    found = {document_id: grade for document_id, grade, _ in rows}
    settled = adjudicated(campaign, topic_id)
    if settled:
        own = {document_id: place for document_id, _, place in rows}
        found |= {pair[1]: grade for pair, (seq, grade) in settled.items() if own.get(pair[1], 0) < seq}
    return found


def _newest_of_pair(campaign: Campaign, topic_id: str, document_id: str) -> int | None:
    own_grades = newest_labels.own(precedence_at(campaign), " AND topic = :topic AND document = :document")
    row = campaign.execute(
        f"SELECT grade, max(place) FROM ({own_grades})", then(campaign, topic=topic_id, document=document_id)
    ).fetchone()
    settled = adjudicated(campaign, topic_id, document_id).get((topic_id, document_id))
    if settled is not None and settled[0] > (row[1] or 0):
        return settled[1]
    return None if row[0] is None else int(row[0])
