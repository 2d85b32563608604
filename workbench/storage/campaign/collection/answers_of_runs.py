"""The answers and rankings of runs, as what is judged in them is made of."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from workbench.formats.answers.reading import Answer
from workbench.formats.text.json_values import loads
from workbench.storage.campaign.collection import changed_ids, run_records, sent_answers
from workbench.storage.campaign.collection.ranking_blobs import unpack_documents
from workbench.storage.campaign.collection.run_records import StoredRun
from workbench.storage.campaign.collection.unit_records import hashed
from workbench.storage.campaign.file.connection import Campaign


def answer_id_of(answer: Answer) -> str:
    """The id of an answer by what it says and cites, and nothing else: identical ones have the same."""
    said = [[each.text, [list(cited) for cited in each.citations]] for each in answer.sentences]
    return hashed(["answer", said])


def answers_in(campaign: Campaign, run: StoredRun, topic_id: str) -> Iterator[Answer]:
    """The answer of a run to a topic, if it has one."""
    for sent in run_records.answers_of(campaign, run, topic_id) if run.record.form else ():
        yield sent_answers.read(campaign, sent, run.record.form)


def first_results(campaign: Campaign, topic_id: str, most: int) -> dict[int, tuple[str, ...]]:
    """The first documents that each run ranks for a topic, by its number; withdrawn runs too."""
    known, there = _vocabulary(campaign, topic_id), {run.run for run in run_records.all_runs(campaign)}
    rows = campaign.execute("SELECT run, documents FROM ranking WHERE topic = ? ORDER BY run", [topic_id])
    ranked = ((run, unpack_documents(packed)[:most].tolist()) for run, packed in rows if run in there)
    return {run: tuple(known[number] for number in numbers) for run, numbers in ranked if numbers}


def _vocabulary(campaign: Campaign, topic_id: str) -> list[str]:
    known = "SELECT documents FROM vocabulary WHERE topic = ? ORDER BY first"
    return [each for documents in campaign.column(known, [topic_id]) for each in loads(documents)]


def ranked_in(campaign: Campaign, run: StoredRun, topic_id: str) -> Iterator[Answer]:
    """The documents that a run ranks, each by all ids that it ever had, as an answer that only lists them."""
    ids, key = _vocabulary(campaign, topic_id), [run.run, topic_id]
    newest, names = partial(changed_ids.newest_id, changed_ids.id_tables(campaign)), dict[str, list[str]]()
    for each in sorted(changed_ids.named_ids(campaign)):
        names.setdefault(newest(each), []).append(each)
    for packed in campaign.column("SELECT documents FROM ranking WHERE run = ? AND topic = ?", key):
        ranked = (ids[number] for number in unpack_documents(packed).tolist())
        listed = (name for each in ranked for name in names.get(newest(each), [each]))
        yield Answer(0, topic_id, (), tuple(listed))
