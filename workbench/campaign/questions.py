"""Further questions about documents: declaring them, and pooling the documents about which they are asked.

Each question has one pool, which begins with the pairs that are due when it is declared. It grows by choices, events of
the log as those of adaptive pools: a pair is chosen as soon as it is pooled or judged relevant enough.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, starmap
from pathlib import Path
from typing import Annotated, NamedTuple

from workbench.campaign.adaptive_pools import ACTOR
from workbench.campaign.campaign_settings import SettingRefused
from workbench.core.about import ABOUT, DOCUMENT_PAIRS, DOCUMENTS, LIST_PAIRS, PAIRS
from workbench.core.battles import PREFERENCES
from workbench.core.errors import CampaignError
from workbench.core.records import ANSWERED, LABEL, LABELS, MOST_LABELS, WEIGHT, Grade, Pooled, Question
from workbench.core.results import Column
from workbench.core.wording import counted, listed
from workbench.formats.scale import ScaleError, checked_scale, grades_by_number, parse_weights, written_scale
from workbench.methods.pooling.strategies.listed import OF_A_QUESTION
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import choices, pools, topic_withdrawals, topics
from workbench.storage.campaign.collection.choices import Choice
from workbench.storage.campaign.collection.question_topics import key_of, questions, topic_of
from workbench.storage.campaign.counts.progress import progress_by_topic
from workbench.storage.campaign.grades import judgments, labels
from workbench.storage.campaign.grades.sources import Pair
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings

OF_NUGGETS = "nuggets"
DEEPEST = 50
"""Results of a list that is compared."""
NAME = re.compile(r"[a-z][a-z0-9-]{0,30}")

USUAL = {
    each["about"]: Question(**{**each, "grades": tuple(starmap(Grade, each["grades"]))})
    for each in tomllib.loads(Path(__file__).with_name("usual_questions.toml").read_text("utf-8"))["question"]
}
"""What shared tasks ask about answers, by what it is about."""


def declare(campaign: Campaign, question: Question) -> int:
    """Ask a question from now on, or change the title, scale or guideline of one; returns the event's `seq`.

    Raises SettingRefused for what `check_question` refuses, a scale without a grade that was given, other labels or
    another kind of answer than those given, or a topic whose id is that of a question's topic.
    """
    question = completed(question)
    with campaign.write():
        current = settings.read(campaign)
        known = {each.name: each for each in current.questions}
        check_question(question, current.grades)
        if question.name in known and known[question.name].about != question.about:
            was = known[question.name].about
            raise SettingRefused(f"question {question.name} is about {was}; choose another name")
        if question.name in known and known[question.name].depth != question.depth:
            most = known[question.name].depth
            raise SettingRefused(
                f"question {question.name} compares the first {most} results; choose another name"
            )
        if question.name in known:
            _check_given(campaign, question, known[question.name])
        else:
            _check_topics(campaign, question.name)
            _put_topics(campaign, question.name)
        known[question.name] = question
        seq = settings.change(campaign, {"questions": [each.content for each in known.values()]})
        if question.about == DOCUMENTS and not pools.in_force(campaign.asking(question.name)):
            parameters = {"pairs": [], "found_by": OF_A_QUESTION}
            record = pools.PoolRecord("list", parameters, "descending", (), "shuffle", 0)
            pools.put_pool(campaign, record._replace(question=question.name), [])
        put_due(campaign)
        return seq


def completed(question: Question) -> Question:
    """The question with the grades of so many labels, where an answer chooses several and no grades are named; about
    pairs with the four labels of preferences where it has no grades.
    """
    if question.about in PAIRS:
        return question._replace(grades=question.grades or USUAL[question.about].grades, answered=LABEL)
    if question.answered != LABELS or question.grades:
        return question
    most = len(question.labels) or MOST_LABELS
    counts = question.counts or tuple((each, each) for each in range(most + 1))
    return question._replace(counts=counts, grades=grades_by_number(counts))


def with_scale(asked: Iterable[Question], becomes: Mapping[int, int], relevant_from: int) -> list[Question]:
    """The questions where another scale of relevance replaces the one by which they are asked; `becomes` as there.

    A question is asked from the lowest grade on that one from which it was asked becomes, else from the relevant ones.
    """
    found = []
    for each in asked:
        if each.asked_from is not None:
            kept = (new for old, new in becomes.items() if old >= each.asked_from)
            each = each._replace(asked_from=min(kept, default=relevant_from))
        found.append(each)
    return found


def due(campaign: Campaign, name: str, pairs: Iterable[Pair] | None = None) -> list[Pooled]:
    """The pairs about which a question is to be asked and is not yet, in byte order: of all pooled ones, or of some.

    Where it is asked from a grade on, they are those with such a label.
    """
    asked_from = settings.read(campaign.asking("")).question(name).asked_from
    seen, own = campaign.asking(""), campaign.asking(name)
    if pairs is None:
        found = [each.pooled for each in pools.each_pair(seen)]
        of_own = (each.pooled for each in pools.each_pair(own))
        there = {(topic_of(campaign, pair.topic_id), pair.document_id) for pair in of_own}
        grades: dict[Pair, int | None] = {one.pair: one.grade for one in labels.each_qrel(seen)}
    else:
        known = [pools.find_pair(seen, *pair) for pair in pairs if pair[0] not in questions(campaign)]
        found = [each.pooled for each in known if each is not None]
        there = {pair[:2] for pair in found if pools.is_pooled(own, key_of(pair[0], name), pair[1])}
        grades = {pair[:2]: labels.label_of(seen, *pair[:2]) for pair in found}
    new = (pair for pair in found if pair[:2] not in there)
    return sorted(pair for pair in new if _is_asked(asked_from, grades.get(pair[:2])))


def put_due(campaign: Campaign, pairs: Iterable[Pair] | None = None) -> int:
    """Ask questions about pairs that are due, inside the open write transaction; returns how many are new."""
    asked, number = settings.read(campaign.asking("")).questions, 0
    for name in [each.name for each in asked if each.about == DOCUMENTS]:
        made = pools.in_force(campaign.asking(name))
        chosen = due(campaign, name, pairs) if made else []
        seen = log.newest_seq(campaign)
        for topic_id, of_topic in groupby(chosen, key=lambda pair: pair.topic_id):
            rows = tuple((pair.document_id, pair.best_rank, pair.runs) for pair in of_topic)
            choice = Choice(made[-1].pool, key_of(topic_id, name), rows, seen)
            choices.put_choice(campaign.by(ACTOR, campaign.moment), choice)
            number += len(rows)
    return number


def wrong_choices(campaign: Campaign, choice: Choice, name: str) -> Iterator[str]:
    """A sentence for each pair of a choice that was not due by the judgments that it had."""
    asked_from = settings.read(campaign.at(choice.seen).asking("")).question(name).asked_from
    topic_id, seen = topic_of(campaign, choice.topic_id), campaign.at(choice.seen).asking("")
    grades = {} if asked_from is None else labels.grades_of_topic(seen, topic_id)
    for document_id, *_ in choice.pairs:
        is_asked = _is_asked(asked_from, grades.get(document_id))
        if not (is_asked and pools.is_pooled(seen, topic_id, document_id)):
            yield f"log row {choice.seq}: {name} is asked about document {document_id!r} without being due"


def _is_asked(asked_from: int | None, label: int | None) -> bool:
    return asked_from is None or (label is not None and label >= asked_from)


def _put_topics(campaign: Campaign, name: str) -> None:
    topics.put_question(campaign, name, [stored.topic for stored in topics.all_topics(campaign)])
    known = questions(campaign)
    if out := [each for each in topic_withdrawals.withdrawn(campaign) if each not in known]:
        gone = [key_of(topic_id, name) for topic_id in out]
        topic_withdrawals.withdraw(campaign, gone, reason="withdrawn before the question was asked")


def check_question(question: Question, relevance: Sequence[Grade]) -> None:
    """SettingRefused for a name, a scale or an `asked_from` that makes no sense beside the scale of relevance."""
    if not NAME.fullmatch(question.name):
        way = "take up to 31 of a to z, 0 to 9 and -, with a letter first"
        raise SettingRefused(f"{question.name!r} names no question: {way}")
    for word, known in ((question.about, ABOUT), (question.answered, ANSWERED)):
        if word not in known:
            said = listed(list(known))
            raise SettingRefused(f"{word!r} is nothing to ask about or to answer by; write {said}")
    try:
        if question.answered != WEIGHT:
            checked_scale(question.grades, question.relevant_from)
        elif tuple(parse_weights(scale_of(question))) != question.grades:
            raise ScaleError("a weight is any whole number between two ends", "0..10")
        _check_labels(question)
        if question.about in PAIRS and {each.grade for each in question.grades} != PREFERENCES.keys():
            raise ScaleError("a preference has the labels 0 to 3", "0:Both bad,1:First,2:Second,3:Tie")
    except ScaleError as error:
        raise SettingRefused(f"question {question.name}: {error}") from None
    if question.about == LIST_PAIRS and not 1 <= question.depth <= DEEPEST:
        raise SettingRefused(
            f"question {question.name}: lists show 1 to {DEEPEST} results, not {question.depth}"
        )
    scale = [grade.grade for grade in relevance]
    if question.asked_from is not None and question.about not in (DOCUMENTS, DOCUMENT_PAIRS):
        raise SettingRefused(f"question {question.name}: {question.about} are not asked by relevance")
    if question.asked_from is not None and question.asked_from not in scale:
        raise SettingRefused(
            f"question {question.name}: no document gets the grade {question.asked_from}, from which on it is to be "
            f"asked; the scale of relevance is {listed(list(map(str, scale)))}"
        )


def _check_labels(question: Question) -> None:
    """ScaleError where several labels are chosen, and these or what they count as make no sense."""
    labels, counts = [each.grade for each in question.labels], question.counts
    if question.answered != LABELS and (labels or counts):
        raise ScaleError(f"labels are named and counted where several are chosen, not a {question.answered}")
    names = {each.name for each in question.labels}
    if sorted(labels) != list(range(1, len(names) + 1)) or len(names) > MOST_LABELS:
        said = f"labels are numbered from 1 to {MOST_LABELS} at most, each with a name"
        raise ScaleError(said, "1:Causes,2:Cures")
    numbers = [number for number, _ in counts]
    if question.answered == LABELS and (numbers[:1] != [0] or numbers != sorted(set(numbers))):
        raise ScaleError("what labels count as begins with no label, and goes up", "0=0,1=2,2=3,4=4")
    if unknown := {grade for _, grade in counts} - {each.grade for each in question.grades}:
        raise ScaleError(f"labels count as {min(unknown)}, which is no grade of the scale")


def _check_given(campaign: Campaign, question: Question, before: Question) -> None:
    given = judgments.times_given(campaign.asking(question.name))
    kinds = [(each.answered, each.counts, {one.grade for one in each.labels}) for each in (before, question)]
    if given and kinds[0] != kinds[1]:
        raise SettingRefused(
            f"question {question.name}: {counted(sum(given.values()), 'answer')} were given to it as it is: how it is "
            "answered, its labels and what they count as stay; ask another question"
        )
    gone = given.keys() - {grade.grade for grade in question.grades}
    if gone:
        said = listed([f"{grade} ({counted(given[grade], 'time')})" for grade in sorted(gone)])
        raise SettingRefused(f"question {question.name}: grades that were given stay on its scale: {said}")


def _check_topics(campaign: Campaign, name: str) -> None:
    known = set(topics.topic_ids(campaign))
    taken = [each for each in known if key_of(each, name) in known]
    if taken:
        raise SettingRefused(
            f"topic {key_of(taken[0], name)} is there already, and would hold the answers to {name} about topic "
            f"{taken[0]}; choose another name"
        )


def check_ids(campaign: Campaign, topic_ids: Iterable[str]) -> None:
    """CampaignError where one of these ids, of topics that are added, belongs to the answers to a question."""
    for topic_id in topic_ids:
        if topic_id in questions(campaign):
            raise CampaignError(f"topic {topic_id} has the answers to a question; give it another id")


class Counts(NamedTuple):
    """A question, and how many pairs it is asked about, and how many of these were answered."""

    name: Annotated[str, Column("Question", "question")]
    title: Annotated[str, Column("Title")]
    about: Annotated[str, Column("About")]
    answered_by: Annotated[str, Column("Answer")]
    scale: Annotated[str, Column("Scale")]
    asked_from: Annotated[int | None, Column("Asked from grade")]
    pooled: Annotated[int, Column("Pooled")]
    judged: Annotated[int, Column("Answered", "answered")]


def question_counts(campaign: Campaign) -> list[Counts]:
    """The questions that are asked besides relevance, in the order in which they came."""
    found = []
    for each in settings.read(campaign.asking("")).questions:
        rows = progress_by_topic(campaign.asking(each.name), "")
        counts = each.asked_from, sum(row.pooled for row in rows), sum(row.judged for row in rows)
        found.append(Counts(each.name, each.title, each.about, each.answered, scale_of(each), *counts))
    return found


def scale_of(question: Question) -> str:
    """What a question is answered by, as it is written."""
    if question.answered == WEIGHT:
        return "..".join(str(each.grade) for each in (*question.grades[:1], *question.grades[-1:]))
    if question.answered != LABELS:
        return written_scale(question.grades)
    counts = ", ".join(f"{number}={grade}" for number, grade in question.counts)
    return f"{written_scale(question.labels) or OF_NUGGETS} as {counts}"
