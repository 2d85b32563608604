"""What exports and proves a campaign goes through its rows one after the other, however many there are."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from pathlib import Path
from uuid import UUID

import pytest

from workbench.core.records import Judgment, Topic
from workbench.formats.qrels import qrels_lines
from workbench.release.audit.checks import CHECKS
from workbench.release.export import StreamedQrels, export_qrels
from workbench.storage.campaign import Campaign, create_campaign
from workbench.storage.campaign.collection import documents, topics
from workbench.storage.campaign.log import log

EACH = 200
"""Judgments of a topic."""


def campaign_of(path: Path, n_topics: int) -> Campaign:
    """A campaign in which every topic has EACH judgments."""
    campaign = create_campaign(path)
    pairs = [(f"{topic:03d}", f"d{number:04d}") for topic in range(n_topics) for number in range(EACH)]
    with campaign.write():
        topics.put(campaign.by("Olga"), [Topic(f"{topic:03d}", "t") for topic in range(n_topics)], files=[])
        documents.put_ids(campaign, sorted({document_id for _, document_id in pairs}))
        log.append_judgments(campaign, (grade_of(number, *pair) for number, pair in enumerate(pairs)))
    return campaign


def grade_of(number: int, topic_id: str, document_id: str) -> Judgment:
    at = "2026-03-02T09:00:00.000+00:00"
    return Judgment(
        0, str(UUID(int=number)), at, None, "anna", topic_id, document_id, None, None, None, None,
        "grade", number % 3, None, 4.0, "", "screen",
    )  # fmt: skip


def peak_of(work: Callable[[], object]) -> int:
    """The most bytes that Python held at once for some work."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def exporting(campaign: Campaign) -> Callable[[], object]:
    return lambda: sum(map(len, qrels_lines("qrels.txt", StreamedQrels(campaign))))


def checking(question: str) -> Callable[[Campaign], Callable[[], object]]:
    return lambda campaign: lambda: list(CHECKS[question](campaign))


@pytest.mark.parametrize(
    "work",
    [
        exporting,
        checking("the chain of hashes is whole"),
        checking("every judgment was made on the text that is stored"),
        checking("the log replayed gives what the file says now"),
    ],
    ids=["qrels", "chain", "texts", "replay"],
)
def test_four_times_the_judgments_take_no_more_memory(
    tmp_path: Path, work: Callable[[Campaign], Callable[[], object]]
) -> None:
    with campaign_of(tmp_path / "small.db", 4) as small, campaign_of(tmp_path / "large.db", 16) as large:
        work(small)()  # what is loaded and remembered the first time is no part of it
        assert peak_of(work(large)) < 1.5 * peak_of(work(small)) + 20_000


def test_the_streamed_labels_are_those_in_memory(tmp_path: Path) -> None:
    with campaign_of(tmp_path / "small.db", 4) as small:
        streamed = StreamedQrels(small)
        exported = export_qrels(small)
        assert list(streamed) == exported.topics
        assert (streamed.written, streamed.left_out) == (4 * EACH, 0)
        assert (streamed.head, streamed.rule) == (exported.head, exported.rule)
