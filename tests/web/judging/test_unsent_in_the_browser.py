"""Unsent judgments as a file: exported on one machine, imported on another, once or more often."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.fixture_types import Visit
from tests.web.judging.outboxes import all_sent, cut, join, log, stored, until, with_outbox

pytestmark = [pytest.mark.browser, pytest.mark.slow]


TAKE = """async ([name, text]) => {
    const { importUnsent } = await import("/static/judging/unsent.js");
    return importUnsent(outbox, new File([text], name));
}"""


def downloaded(page: Page) -> tuple[str, str]:
    """The name and the text of the file that the browser saves."""
    with page.expect_download() as download:
        page.evaluate(
            'import("/static/judging/unsent.js").then(({ downloadUnsent }) => downloadUnsent(outbox))'
        )
    return download.value.suggested_filename, Path(download.value.path()).read_text(encoding="utf-8")


def take(page: Page, text: str, name: str = "unsent.json") -> str:
    return str(page.evaluate(TAKE, [name, text]))


@pytest.fixture
def file(visit: Visit, small: Path) -> str:
    """What a machine without a connection hands out: d1 is relevant, d2 is not, no: it is."""
    page = with_outbox(visit("/c/small/", intercepted=True))
    cut(page)
    page.evaluate(
        """async () => {
            await judge("d1", 1);
            const second = await judge("d2", 0);
            await judge("d2", 1, null, second);
        }"""
    )
    name, text = downloaded(page)
    assert name.startswith("unsent-small-Ben-20")
    assert name.endswith(".json")
    assert page.evaluate("outbox.entries().length") == 3
    return text


@pytest.fixture
def elsewhere(visit: Visit, small: Path) -> Page:
    """Ben at another machine."""
    return with_outbox(visit("/c/small/", intercepted=True))


def test_a_file_that_is_taken_in_elsewhere_is_sent_in_its_order_and_once_however_often_it_is_taken_in(
    file: str, elsewhere: Page, visit: Visit, small: Path
) -> None:
    content = json.loads(file)
    assert (content["campaign"], content["account"]) == ("small", "Ben")
    entries = content["entries"]
    assert [(row["judgment"]["document_id"], row["judgment"]["grade"]) for row in entries] == [
        ("d1", 1),
        ("d2", 0),
        ("d2", 1),
    ]
    assert [row["after"] for row in entries] == [None, None, entries[1]["uuid"]]
    known = "0 judgments imported. 3 judgments in the file were already known."
    cut(elsewhere)
    assert take(elsewhere, file) == "3 judgments imported."
    assert take(elsewhere, file) == known
    join(elsewhere)
    all_sent(elsewhere)
    assert take(elsewhere, file) == known
    third = with_outbox(visit("/c/small/"))
    take(third, file)
    all_sent(third)
    assert stored(small) == [("d1", 1), ("d2", 0), ("d2", 1)]
    assert log(small)[2].replaces == log(small)[1].seq


def test_what_was_judged_in_a_campaign_that_had_the_same_name_is_set_aside(
    file: str, elsewhere: Page, small: Path
) -> None:
    content = json.loads(file)
    for entry in content["entries"]:
        entry["judgment"]["log"] = "0" * 64
    assert take(elsewhere, json.dumps(content)) == "3 judgments imported."
    until(elsewhere, "outbox.state.refused.length === 2")
    reasons = "outbox.entries().map(({ refused }) => refused?.reason ?? null)"
    assert elsewhere.evaluate(reasons) == ["another campaign", "another campaign", None]
    assert log(small) == []
