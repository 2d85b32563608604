"""A campaign as a folder of BEIR: corpus.jsonl, queries.jsonl and qrels/test.tsv (beir/datasets/data_loader.py)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from workbench.formats.tables.json_text import json_line
from workbench.formats.text.writing import write_atomically
from workbench.release.export import StreamedQrels
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import documents, topics


def write_beir(campaign: Campaign, folder: Path) -> StreamedQrels:
    """Write the stored texts, the topics and the labels in force, and give what was counted of these."""
    qrels = StreamedQrels(campaign)
    (folder / "qrels").mkdir(parents=True, exist_ok=True)
    with campaign.snapshot():
        write_atomically(folder / "corpus.jsonl", _corpus(campaign))
        write_atomically(folder / "queries.jsonl", _queries(campaign))
        write_atomically(folder / "qrels" / "test.tsv", _qrels(qrels))
    return qrels


def _corpus(campaign: Campaign) -> Iterator[str]:
    for document, _ in documents.all_texts(campaign):
        text = {"title": document.title, "text": document.text, "metadata": dict(document.fields)}
        yield json_line({"_id": document.document_id, **text})


def _queries(campaign: Campaign) -> Iterator[str]:
    for topic, _ in topics.all_topics(campaign):
        more = {"description": topic.description, "narrative": topic.narrative, **topic.fields}
        metadata = {name: text for name, text in more.items() if text}
        yield json_line({"_id": topic.topic_id, "text": topic.title or topic.topic_id, "metadata": metadata})


def _qrels(qrels: StreamedQrels) -> Iterator[str]:
    yield "query-id\tcorpus-id\tscore\n"
    for of_topic in qrels:
        for row in of_topic.rows():
            yield f"{_cell(row.topic_id)}\t{_cell(row.document_id)}\t{row.grade}\n"


def _cell(text: str) -> str:
    """An id as csv reads it."""
    return '"' + text.replace('"', '""') + '"' if '"' in text else text
