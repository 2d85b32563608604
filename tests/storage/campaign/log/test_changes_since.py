from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.log_rows import row
from workbench.core.records import Topic
from workbench.storage.campaign import Campaign, create_campaign
from workbench.storage.campaign.collection import documents, topics
from workbench.storage.campaign.log import log
from workbench.storage.campaign.log.log import changes_since
from workbench.storage.campaign.organising import settings


@pytest.fixture
def campaign(tmp_path: Path) -> Iterator[Campaign]:
    with create_campaign(tmp_path / "small.db") as campaign:
        with campaign.write():
            topics.put(campaign.by("org"), [Topic("1", "one")], files=[])
            documents.put_ids(campaign, ["a", "b"])
        yield campaign


def judge(campaign: Campaign, uuid: str, document_id: str) -> None:
    with campaign.write():
        log.append_judgments(campaign, [row("ann", "1", document_id, 1, uuid=uuid)])


def test_news_are_the_pairs_judged_and_the_kinds_of_events_since_a_row_of_this_log(
    campaign: Campaign,
) -> None:
    read = log.head(campaign)
    judge(campaign, "uuid-0001", "b")
    with campaign.write():
        settings.change(campaign.by("org"), {"title": "new"})
    judge(campaign, "uuid-0002", "a")
    judge(campaign, "uuid-0003", "b")
    news = changes_since(campaign, read)
    assert news is not None
    assert news.head.seq == read.seq + 4
    assert news.events == {"settings"}
    assert news.judged == (("1", "b"), ("1", "a"))
    news = changes_since(campaign, log.head(campaign))
    assert news is not None
    assert (news.head, news.events, news.judged) == (log.head(campaign), frozenset(), ())
    read = log.head(campaign)
    assert changes_since(campaign, read._replace(seq=read.seq + 1)) is None
    assert changes_since(campaign, read._replace(hash=bytes(32))) is None
