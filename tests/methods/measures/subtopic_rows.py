"""Rankings and judgments of subtopics, written as what they are: lists of documents, and grades by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from workbench.core.ranking import Rankings, starts_of
from workbench.methods.measures.subtopics import SubtopicLabels, SubtopicRankings

Judgments = Mapping[str, Mapping[str, int]]
"""Grades by document and subtopic."""


def one_row(ranked: Sequence[str], judgments: Judgments) -> SubtopicRankings:
    return rows([judgments], [(0, ranked)])


def rows(topics: Sequence[Judgments], ranked: Sequence[tuple[int, Sequence[str]]]) -> SubtopicRankings:
    """Rankings, each with the number of its topic; documents and subtopics are numbered in the order of ids."""
    documents = [
        sorted({*judgments, *(document for of, ids in ranked if of == topic for document in ids)})
        for topic, judgments in enumerate(topics)
    ]
    subtopics = [sorted({name for grades in judgments.values() for name in grades}) for judgments in topics]
    cell_start = starts_of(np.array([len(ids) for ids in documents], np.int64))
    subtopic_start = starts_of(np.array([len(names) for names in subtopics], np.int64))
    entries = [
        (cell_start[topic] + cell, subtopic_start[topic] + number, judgments[document][name])
        for topic, judgments in enumerate(topics)
        for cell, document in enumerate(documents[topic])
        for number, name in enumerate(subtopics[topic])
        if name in judgments.get(document, {})
    ]
    cell, subtopic, grade = np.array(entries, np.int64).reshape(-1, 3).T
    labels = SubtopicLabels(cell_start, subtopic_start, cell, subtopic, grade.astype(np.int16))
    numbers = [documents[topic].index(document) for topic, ids in ranked for document in ids]
    rankings = Rankings(
        starts_of(np.array([len(ids) for _, ids in ranked], np.int64)),
        np.array(numbers, np.uint32),
        np.arange(len(ranked), dtype=np.int32),
        np.array([topic for topic, _ in ranked], np.int32),
    )
    return SubtopicRankings.join(rankings, labels)
