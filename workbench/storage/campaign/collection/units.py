"""What the answers of runs are judged in: the units of a question that is not about documents.

A unit of citations is a sentence with one document that it cites; a unit of nuggets is a nugget with an answer; a unit
of answers is an answer as a whole; a unit of spans is a span of a document with the nugget, or answer of one, that
refers to it. Its id is a hash of what is judged: the same sentence with the same document, or the same answer, is
judged once and counts wherever it occurs, and a nugget whose text changes is another unit. A run ranks the units of its
answer to a topic in the order of its sentences, or of the nuggets, and spans in that of the documents that it ranks or
cites: pools, samples, queues and leaderboards take them as documents.

A unit of a question about pairs is a pair that was chosen (`pairs`), and no run ranks it.

Nothing of this is stored but the text of units that are pooled: it follows from the answers and the nuggets as of a
row of the log. Units are numbered in the order in which the log brings them: later ones leave the numbers as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from hashlib import sha256
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from workbench.core.about import ANSWERS, CITATIONS, DOCUMENTS, NUGGETS, PAIRS, SPANS
from workbench.formats.answers.assigned import VITAL
from workbench.formats.answers.banks import ALL, EACH, Bank, Nugget, weight_of
from workbench.formats.answers.reading import Answer
from workbench.storage.campaign.collection import changed_ids, nuggets, pairs, run_records, withdrawals
from workbench.storage.campaign.collection.answers_of_runs import answer_id_of, answers_in, ranked_in
from workbench.storage.campaign.collection.question_topics import about, asked, topic_of
from workbench.storage.campaign.collection.run_records import RUN, StoredRun
from workbench.storage.campaign.collection.unit_records import (
    ID_DIGITS,
    PREFIX,
    TopicUnits,
    Unit,
    as_bytes,
    hashed,
    units_of_run,
)
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.log import log
from workbench.storage.campaign.log.cache import Cache
from workbench.storage.campaign.log.log import newest_event

KINDS = frozenset({RUN, nuggets.NUGGETS})
"""The kinds of events that units follow from."""


Entry = tuple[Unit, int, bool, float, bool]
"""A unit of a run, and what the arrays of `RunUnits` say of it: place, extra, weight, rests."""


def of_topic(campaign: Campaign, topic_id: str) -> TopicUnits:
    """The units of a topic of a question (`17!support`) as of the row seen; cached. DamagedCampaign if changed."""
    plain = campaign.asking("")
    with plain.snapshot():
        return _units.at(plain, *_then(plain, topic_id), lambda: _of_topic(plain, topic_id))


_units: Cache[TopicUnits] = Cache(of_one=2_000, in_all=4_000)


def _then(campaign: Campaign, topic_id: str) -> tuple[log.Head, tuple[str, int, int]]:
    """What the units of a topic follow from, as of the row by which the campaign is seen: not from banks of others."""
    is_of_bank = about(campaign, topic_id) in OF_BANK
    banks = nuggets.rows(campaign).get(topic_of(campaign, topic_id), ()) if is_of_bank else ()
    chosen = [each.seq for each in pairs.chosen(campaign, topic_id)]
    newest = max([newest_event(campaign, {RUN, changed_ids.KIND}).seq, *banks, *chosen[-1:]])
    known = len(banks) + len(chosen)
    return log.head(campaign.at(newest)), (topic_id, len(run_records.all_runs(campaign)), known)


def find(campaign: Campaign, topic_id: str, unit_id: str) -> Unit | None:
    """A unit of a topic of a question, or None."""
    found = of_topic(campaign, topic_id)
    number = found.numbers.get(unit_id)
    return None if number is None else found.units[number]


def answer_of(campaign: Campaign, topic_id: str, run: int) -> Answer:
    """The answer of a run to the topic that a topic of a question is about; of spans the documents that it ranks."""
    plain, read = campaign.asking(""), ranked_in if about(campaign, topic_id) == SPANS else answers_in
    stored = next(each for each in run_records.all_runs(plain) if each.run == run)
    return next(read(plain, stored, topic_of(plain, topic_id)))


class UnitPlace(NamedTuple):
    """Where a unit is asked about: with the others of `group` (the answer of a nugget, the sentence of a citation, the
    document of a span), at this place among them, and in how many answers of runs in force it occurs.
    """

    group: str
    place: int
    answers: int


def places(campaign: Campaign, topic_id: str) -> dict[str, UnitPlace]:
    """The units of a topic of a question that answers of runs in force have, by id; none where documents are judged."""
    if about(campaign, topic_id) == DOCUMENTS:
        return {}
    plain = campaign.asking("")
    with plain.snapshot():
        newest, then = _then(plain, topic_id)
        key = then, frozenset(withdrawals.withdrawn(plain))
        return _places.at(plain, newest, key, lambda: _places_of(plain, topic_id))


def gone(campaign: Campaign, topic_ids: Iterable[str]) -> list[tuple[str, str]]:
    """The units that answers to these topics had, and no answer of a run in force has: topic and id."""
    return [
        (topic_id, unit_id)
        for topic_id in topic_ids
        if about(campaign, topic_id) != DOCUMENTS
        for unit_id in of_topic(campaign, topic_id).numbers.keys() - places(campaign, topic_id).keys()
    ]


_places: Cache[dict[str, UnitPlace]] = Cache(of_one=2_000, in_all=4_000)


def _places_of(campaign: Campaign, topic_id: str) -> dict[str, UnitPlace]:
    found, kind = of_topic(campaign, topic_id), about(campaign, topic_id)
    if kind in PAIRS:
        return {each: UnitPlace(each, 0, 1) for each in pairs.in_force(campaign, topic_id)}
    out, there = withdrawals.withdrawn(campaign), dict[str, UnitPlace]()
    for of_run in (units for run, units in found.by_run.items() if run not in out):
        for number, place in dict(zip(of_run.number.tolist(), of_run.place.tolist(), strict=True)).items():
            unit = found.units[number]
            group = {CITATIONS: unit.text, SPANS: unit.cited}.get(kind, unit.answer_id)
            group = group.encode(errors="replace").decode()  # half a character has no hash to order by
            place = 0 if kind == CITATIONS else place
            before = there.get(unit.unit_id)
            there[unit.unit_id] = UnitPlace(group, place, before.answers + 1 if before else 1)
    return there


def packed(
    campaign: Campaign, runs: Collection[int], only: Collection[str] | None
) -> Iterator[tuple[int, str, bytes]]:
    """Run, topic and packed units of these runs that have any, by run and topic as rankings; `only` as there."""
    topic_ids = sorted(only) if only is not None else topics(campaign)
    found = {topic_id: of_topic(campaign, topic_id).by_run for topic_id in topic_ids}
    for run in sorted(runs):
        for topic_id in topic_ids:
            own = found[topic_id].get(run)
            if once := list(dict.fromkeys(own.number.tolist())) if own else []:
                yield run, topic_id, np.array(once, "<u4").tobytes()


def vocabulary(campaign: Campaign, topic_id: str) -> list[str]:
    """The ids of a topic's units in the order of their numbers."""
    return [unit.unit_id for unit in of_topic(campaign, topic_id).units]


def topics(campaign: Campaign) -> list[str]:
    """The topics of the question by which the campaign is seen, in byte order."""
    return asked(campaign, campaign.column("SELECT topic FROM topic ORDER BY topic"))


def _of_topic(campaign: Campaign, topic_id: str) -> TopicUnits:
    found, itself, kind = TopicUnits([], {}, {}), topic_of(campaign, topic_id), about(campaign, topic_id)
    if kind in PAIRS:
        for unit in pairs.units_of(campaign, topic_id):
            _number(found, unit)
        return found
    read = ranked_in if kind == SPANS else answers_in
    every = run_records.all_runs(campaign)
    answers = [(run, answer) for run in every for answer in read(campaign, run, itself)]
    if of_each := OF_EACH.get(kind):
        for run, answer in answers:
            _put(found, run, answer, of_each(run.run, answer))
        return found
    seqs = nuggets.rows(campaign).get(itself, ())
    written = [event for seq in seqs for event in log.events(campaign, nuggets.NUGGETS, at=seq)]
    versions = [(each.seq, nuggets.bank_in(each.content)) for each in written]  # units keep ids that change
    bank: Bank | None = None
    for seq, step in sorted([*versions, *((run.seq, None) for run, _ in answers)], key=itemgetter(0)):
        bank = step or bank
        # A run is there from its row on; another bank makes other units of all that are there.
        for run, answer in answers:
            if bank and (run.seq == seq or (step and run.seq < seq)):
                _put(found, run, answer, OF_BANK[kind](run.run, answer, bank))
    return found


def _put(found: TopicUnits, run: StoredRun, answer: Answer, entries: Iterable[Entry]) -> None:
    """Have these as the units of the run's answer."""
    rows = [(_number(found, unit), *rest) for unit, *rest in entries]
    words = sum(len(each.text.split()) for each in answer.sentences)
    found.by_run[run.run] = units_of_run(rows, len(answer.sentences), words)


def _number(found: TopicUnits, unit: Unit) -> int:
    number = found.numbers.setdefault(unit.unit_id, len(found.units))
    if number == len(found.units):
        found.units.append(unit)
    return number


def _citations(run: int, answer: Answer) -> Iterator[Entry]:
    """Each sentence with each document that it cites."""
    answer_id = answer_id_of(answer)
    for place, sentence in enumerate(answer.sentences):
        for cited in sentence.citations:
            unit_id = hashed([CITATIONS, sentence.text, cited.document_id])
            unit = Unit(f"{PREFIX}{unit_id}", sentence.text, answer_id, cited.document_id, run, place)
            yield unit, place, cited.contradicts, 1.0, False


def _whole(run: int, answer: Answer) -> Iterator[Entry]:
    """The answer as a whole."""
    said = [sentence.text for sentence in answer.sentences]
    unit_id = hashed([ANSWERS, said])
    unit = Unit(f"{PREFIX}{unit_id}", "\n".join(said), answer_id_of(answer), "", run, 0)
    yield unit, 0, False, 1.0, False


OF_EACH: dict[str, Callable[[int, Answer], Iterator[Entry]]] = {CITATIONS: _citations, ANSWERS: _whole}
"""How an answer becomes units, where nothing else than the answer decides it."""


def _nuggets(run: int, answer: Answer, bank: Bank) -> Iterator[Entry]:
    """Each nugget of a bank with the answer, of which the hash is begun once."""
    answer_id, said = answer_id_of(answer), [sentence.text for sentence in answer.sentences]
    of_answer = sha256(as_bytes([NUGGETS, said]))
    known = nuggets.judged(bank)
    resting = [any(each.references for each in nugget.answers) for nugget in known]
    has_none = not any(resting)
    for place, nugget in enumerate(known):
        said_of = nugget.importance == VITAL, weight_of(nugget.importance), resting[place] or has_none
        for text in texts_of(nugget):
            begun = of_answer.copy()
            begun.update(as_bytes(text))
            unit_id = begun.hexdigest()[:ID_DIGITS]
            yield Unit(f"{PREFIX}{unit_id}", text, answer_id, "", run, place), place, *said_of


def _spans(run: int, ranked: Answer, bank: Bank) -> Iterator[Entry]:
    """The spans of the documents that are ranked, each with what refers to it."""
    spans: dict[str, list[Entry]] = {}
    for place, nugget in enumerate(nuggets.every_nugget(nuggets.judged(bank))):
        head = nugget.text or nugget.nugget_id
        of_answers = ((f"{head}\n– {one.text or one.answer_id}", one.references) for one in nugget.answers)
        for text, references in ((head, nugget.references), *of_answers):
            for name, span, _ in references:
                if span and span[0] < span[1]:
                    unit_id = hashed([SPANS, text, name, list(span)])
                    unit = Unit(f"{PREFIX}{unit_id}", text, "", name, run, place, span)
                    spans.setdefault(name, []).append((unit, place, False, 1.0, False))
    yield from (each for name in ranked.references for each in spans.get(name, ()))


OF_BANK = {NUGGETS: _nuggets, SPANS: _spans}
"""How an answer, or a ranking, becomes units by the nuggets of a bank."""


def texts_of(nugget: Nugget) -> list[str]:
    """A nugget as judged: its sentence or question and answers; each answer by itself where EACH counts."""
    inner = [each.text or each.answer_id for each in nugget.answers]
    inner = inner or ["\n".join(texts_of(part)) for part in nugget.parts]
    head, lines = nugget.text or nugget.nugget_id, [f"– {each}" for each in inner]
    if nugget.aggregator == EACH and lines:
        return [f"{head}\n{line}" for line in lines]
    if len(inner) > 1:
        head += " (all of these)" if nugget.aggregator == ALL else " (any of these)"
    return ["\n".join([head, *lines])]
