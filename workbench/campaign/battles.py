"""What assessors prefer, by the answers to a question about pairs: as battles of runs, or of documents."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from itertools import product

from workbench.core.about import DOCUMENT_PAIRS, PAIRS
from workbench.core.battles import MODEL, OUTCOMES, PERSON, PREFERENCES, SECOND, Battle, seen_from
from workbench.core.errors import CampaignError, NotThere
from workbench.core.ranking import HIGHEST_GRADE
from workbench.core.records import Judgment, TopicQrels
from workbench.core.seed import SEED
from workbench.methods.battles.grades import graded
from workbench.methods.pairing import Answered
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import changed_ids, pairs, pools, run_records, topic_withdrawals
from workbench.storage.campaign.collection.pairs import ChosenPair
from workbench.storage.campaign.collection.question_topics import about, topic_of
from workbench.storage.campaign.grades import judgments
from workbench.storage.campaign.organising import settings


def battles(campaign: Campaign, question: str) -> list[Battle]:
    """The preferences in force between answers, or lists, as battles of runs; as of the row by which it is seen.

    A thing that several runs have alike counts for each of them: a preference is one battle for each run that has the
    left thing with each run that has the right one, all of the same assessor and seconds. They are no independent
    observations: what is measured of them is resampled by topics. Runs that have the same thing meet in no battle,
    since identical things are never asked; nor do withdrawn runs and topics. Adjudications are no battles: each
    assessor's own preference is one, and each model's newest. In the order of topics and of the log.
    Criteria are what the same assessor says of the same pair to the questions whose pool follows this one's.

    Raises CampaignError for a question that is not about pairs of answers or lists, UnknownName where there is none.
    """
    _about(campaign, question, about=tuple(kind for kind in PAIRS if kind != DOCUMENT_PAIRS))
    found, criteria = list[Battle](), _criteria(campaign, question)
    tags_of = cache(partial(_tags_of_things, campaign))
    seed_of = cache(partial(pools.side_seed, campaign))
    itself_of = cache(partial(topic_of, campaign))
    for topic_id, pair, row in _preferences(campaign.asking(question)):
        left, right = (pair.second, pair.first) if row.left == SECOND else (pair.first, pair.second)
        drawn_by = SEED if row.kind == MODEL else seed_of(row.pool)
        tags, itself, by = tags_of(topic_id), itself_of(topic_id), (row.assessor, _class_of(row))
        said = criteria.get((itself, pair.unit_id, *by), {})
        found += (
            Battle(
                f"{pair.unit_id}:{row.assessor}:{one}:{other}",
                itself,
                one,
                other,
                _outcome(row, row.grade),
                *by,
                drawn_by if row.left else None,
                row.active_seconds,
                {name: _outcome(row, grade) for name, grade in said.items()},
                row.comment,
            )
            for one, other in product(tags.get(left, ()), tags.get(right, ()))
        )
    return found


def _tags_of_things(campaign: Campaign, topic_id: str) -> dict[str, list[str]]:
    """The runs in force that have each thing of a topic."""
    tags = {run.run: run.record.tag for run in run_records.all_runs(campaign.asking(""))}
    things = pairs.things_of_runs(campaign, topic_id).values()
    return {each.thing_id: [tags[run] for run in pairs.runs_in_force(campaign, each)] for each in things}


def criteria_of(campaign: Campaign, question: str) -> list[str]:
    """The questions that are asked about the pairs of this one: those with a pool in force that follows it."""
    asked = settings.read(campaign.asking("")).questions
    made = {each.name: pools.in_force(campaign.asking(each.name)) for each in asked if each.about in PAIRS}
    return [
        name
        for name, own in made.items()
        if any(each.record.parameters.get("question") == question for each in own)
    ]


def _criteria(campaign: Campaign, question: str) -> dict[tuple[str, str, str, str], dict[str, int | None]]:
    """The label by each criterion, by topic, pair, and assessor with their class."""
    found: dict[tuple[str, str, str, str], dict[str, int | None]] = {}
    for name in criteria_of(campaign, question):
        for topic_id, pair, row in _preferences(campaign.asking(name)):
            key = topic_of(campaign, topic_id), pair.unit_id, row.assessor, _class_of(row)
            found.setdefault(key, {})[name] = row.grade
    return found


def document_grades(
    campaign: Campaign, question: str, most: int | None = None
) -> tuple[list[TopicQrels], int]:
    """What `graded` makes of people's preferences, under the newest ids of documents; errors as in `battles`."""
    _about(campaign, question, about=(DOCUMENT_PAIRS,))
    seen, topics, unlike = campaign.asking(question), list[TopicQrels](), 0
    for topic_id in sorted(topic_withdrawals.taking_part(seen)):
        if said := answered(seen, topic_id):
            grades, otherwise = graded(said, min(most or HIGHEST_GRADE, HIGHEST_GRADE))
            given = sorted(changed_ids.under_new_ids(changed_ids.id_tables(seen), grades).items())
            topics.append(TopicQrels(topic_of(seen, topic_id), *zip(*given, strict=True)))
            unlike += otherwise
    return topics, unlike


def require_graded(campaign: Campaign) -> None:
    """NotThere where the campaign is seen by a question about pairs, whose labels are no grades of documents."""
    kind, name = about(campaign), campaign.question
    if kind in PAIRS:
        way = f"{'export grades' if kind == DOCUMENT_PAIRS else 'battles --campaign'} {campaign.name} --question {name}"
        raise NotThere(f"question {name} is about {kind}, which have no grades; see workbench {way}")


def answered(campaign: Campaign, topic_id: str) -> tuple[Answered, ...]:
    """The preferences in force of people about a topic of a question, in byte order, as strategies get them."""
    return tuple(
        sorted(
            Answered(pair.first, pair.second, PREFERENCES[row.grade or 0], row.assessor)
            for pair, row in _of_topic(campaign, topic_id)
            if row.kind != MODEL
        )
    )


def _about(campaign: Campaign, question: str, *, about: tuple[str, ...]) -> None:
    found = settings.read(campaign.asking("")).question(question)
    if found.about not in about:
        raise CampaignError(
            f"question {question} is about {found.about}; name one about {' or '.join(about)}"
        )


def _preferences(campaign: Campaign) -> Iterator[tuple[str, ChosenPair, Judgment]]:
    for topic_id in sorted(topic_withdrawals.taking_part(campaign)):
        for pair, row in _of_topic(campaign, topic_id):
            yield topic_id, pair, row


def _of_topic(campaign: Campaign, topic_id: str) -> Iterator[tuple[ChosenPair, Judgment]]:
    """The judgments in force of a topic's pairs that say a preference."""
    chosen = pairs.by_id(campaign, topic_id)
    for row in judgments.current_of_topic(campaign, topic_id, models=True):
        pair = chosen.get(row.document_id)
        if pair is not None and row.grade in PREFERENCES:
            yield pair, row


def _outcome(row: Judgment, label: int | None) -> str:
    """A label of a pair by the sides on which a judgment had the things."""
    return OUTCOMES[(seen_from(row.left, label) or 0) - 1]


def _class_of(row: Judgment) -> str:
    return MODEL if row.kind == MODEL else PERSON
