"""Pairs of things for a topic, of which assessors prefer one: two documents, two answers, or two lists of results.

A thing is known by what it says: a document by its id, an answer by `answer_id_of`, a list by the hash of the first
documents of a ranking. So what several runs have alike is one thing, and never stands on both sides. A pair is `first`
and `second` in byte order of these ids, and its own id is the hash of both. There are as many pairs as were chosen:
the choices in the log name the things, and with which probability they were chosen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from workbench.core.about import ANSWER_PAIRS, DOCUMENT_PAIRS, LIST_PAIRS, PAIRS
from workbench.storage.campaign.collection import changed_ids, run_records, withdrawals
from workbench.storage.campaign.collection.answers_of_runs import answer_id_of, answers_in, first_results
from workbench.storage.campaign.collection.question_topics import about, question_of, topic_of
from workbench.storage.campaign.collection.unit_records import BETWEEN, PREFIX, Unit, hashed
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.log import log
from workbench.storage.campaign.log.cache import Cache
from workbench.storage.campaign.log.kinds import CHOICE, RUN
from workbench.storage.campaign.log.log import Event, newest_event
from workbench.storage.campaign.log.state import part
from workbench.storage.campaign.organising import settings


class Thing(NamedTuple):
    """What can stand on one side of a pair.

    Attributes:
        runs: the numbers of the runs that have it, withdrawn ones too; () for a document.
        documents: what is shown: the document, or those of the list; () for an answer.
        text: what an answer says, with an empty line between its sentences; "" for others.
    """

    thing_id: str
    runs: tuple[int, ...] = ()
    documents: tuple[str, ...] = ()
    text: str = ""


class ChosenPair(NamedTuple):
    """A pair as a row `seq` of the log chose it: its id, its things, and with which probability it was chosen."""

    unit_id: str
    first: str
    second: str
    probability: float
    seq: int


def pair_id(kind: str, first: str, second: str) -> str:
    """The id of a pair of two things of a kind, one of PAIRS, in their order."""
    return f"{PREFIX}{hashed([kind, first, second])}"


@part(CHOICE, start=dict)
def _choices(found: dict[str, tuple[Any, list[ChosenPair]]], event: Event) -> None:
    """The newest choice of pairs of each topic of a question, behind what stood here before it: values as of several
    rows share what they have in common.
    """
    if compared := event.content.get("compared"):
        named = zip(event.content["pairs"], compared, strict=True)
        new = [ChosenPair(row[0], a, b, chance, event.seq) for row, (a, b, chance) in named]
        found[event.content["topic"]] = found.get(event.content["topic"]), new


def chosen(campaign: Campaign, topic_id: str) -> list[ChosenPair]:
    """The pairs of a topic of a question, in the order in which they were chosen."""
    parts, before = list[list[ChosenPair]](), _choices(campaign).get(topic_id)
    while before is not None:
        before, new = before
        parts.append(new)
    return [each for new in reversed(parts) for each in new]


def things_of_runs(campaign: Campaign, topic_id: str) -> Mapping[str, Thing]:
    """The answers, or lists, of all runs for a topic of a question, by their ids; cached. None are documents.

    Raises DamagedCampaign where an answer is not the one that was sent.
    """
    plain = campaign.asking("")
    with plain.snapshot():
        newest = log.head(campaign.at(newest_event(plain, {RUN, changed_ids.KIND}).seq))
        key = topic_id, len(run_records.all_runs(plain))
        return _things.at(plain, newest, key, lambda: _things_of_runs(plain, topic_id))


_things: Cache[Mapping[str, Thing]] = Cache(of_one=2_000, in_all=4_000)


def thing_of(campaign: Campaign, topic_id: str, thing_id: str) -> Thing | None:
    """A thing of a topic of a question; None where no run has it, as after the import of a bundle without runs."""
    if about(campaign, topic_id) == DOCUMENT_PAIRS:
        return Thing(thing_id, (), (thing_id,))
    return things_of_runs(campaign, topic_id).get(thing_id)


def runs_in_force(campaign: Campaign, thing: Thing) -> list[int]:
    """Those of a thing's runs that take part."""
    out = withdrawals.withdrawn(campaign)
    return [run for run in thing.runs if run not in out]


def in_force(campaign: Campaign, topic_id: str) -> list[str]:
    """The chosen pairs of a topic of which no thing is only that of withdrawn runs; of documents, all.

    Things that no run ever had are those of a bundle without runs.
    """
    pairs = chosen(campaign, topic_id)
    if about(campaign, topic_id) != DOCUMENT_PAIRS:
        things = things_of_runs(campaign, topic_id)
        out = {each for each, thing in things.items() if not runs_in_force(campaign, thing)}
        pairs = [each for each in pairs if not {each.first, each.second} & out]
    return list(dict.fromkeys(each.unit_id for each in pairs))


def has_unknown(campaign: Campaign, topic_id: str) -> bool:
    """Whether pairs of things that no run has were chosen for a topic, as in a bundle without runs."""
    things = {each for pair in chosen(campaign, topic_id) for each in (pair.first, pair.second)}
    return any(thing_of(campaign, topic_id, each) is None for each in things)


def units_of(campaign: Campaign, topic_id: str) -> Iterator[Unit]:
    """The chosen pairs of a topic as units; without a text where no run has one of its things."""
    for place, each in enumerate(chosen(campaign, topic_id)):
        sides = [thing_of(campaign, topic_id, side) for side in (each.first, each.second)]
        known = [side for side in sides if side is not None]
        listed = tuple(document_id for side in known for document_id in side.documents)
        said = [side.text or ", ".join(side.documents) for side in known]
        text = (BETWEEN if known and known[0].text else " · ").join(said) if len(known) == len(sides) else ""
        yield Unit(each.unit_id, text, "", "", 0, place, None, (each.first, each.second), listed)


def by_id(campaign: Campaign, topic_id: str) -> dict[str, ChosenPair]:
    """All pairs that were chosen for a topic, by their ids; of one that was chosen again, the newest choice."""
    return {each.unit_id: each for each in chosen(campaign, topic_id)}


def is_of_pairs(campaign: Campaign, topic_id: str | None = None) -> bool:
    """Whether pairs are judged of a topic, or by the question by which the campaign is seen."""
    return about(campaign, topic_id) in PAIRS


def _things_of_runs(campaign: Campaign, topic_id: str) -> dict[str, Thing]:
    kind, itself, found = about(campaign, topic_id), topic_of(campaign, topic_id), dict[str, Thing]()

    def put(thing: Thing, run: int) -> None:
        before = found.setdefault(thing.thing_id, thing)
        found[thing.thing_id] = before._replace(runs=(*before.runs, run))

    if kind == LIST_PAIRS:
        question = settings.read(campaign).question(question_of(campaign, topic_id))
        for number, listed in first_results(campaign, itself, question.depth).items():
            put(Thing(hashed(["list", list(listed)]), (), listed), number)
    for run in run_records.all_runs(campaign) if kind == ANSWER_PAIRS else ():
        for answer in answers_in(campaign, run, itself):
            text = BETWEEN.join(sentence.text for sentence in answer.sentences)
            put(Thing(answer_id_of(answer), text=text), run.run)
    return found
