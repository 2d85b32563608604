"""An adjudicator's decision on its way to the server, by itself, without one."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.fixture_types import PageOf
from tests.web.agreement.server_of_decisions import Server

pytestmark = [pytest.mark.browser, pytest.mark.slow]

DECIDING = """async () => {
    const { Deciding } = await import("/static/agreement/deciding.js");
    Math.random = () => 0.5;
    window.calls = [];
    window.deciding = new Deciding("small", "Wilma", {
        onwait: (trouble, { words }) => calls.push(["wait", trouble, words]),
        onstored: ({ words }, next) => calls.push(["stored", words, next]),
        onrefused: ({ words }, message) => calls.push(["refused", words, message]),
    });
    window.decide = (uuid) => deciding.send({ url: "/decide", fields: { uuid, grade: "1" }, words: `of ${uuid}` });
    window.rested = () => !deciding.isSending;
}"""


@pytest.fixture
def page(page_of: PageOf) -> Page:
    return page_of("", DECIDING)


def test_a_decision_is_kept_until_the_server_has_said_what_became_of_it(page: Page) -> None:
    server = Server(page)
    server.answers = [(200, {"next": "/c/small/next"}), (409, {"reason": "replaced", "message": "Too late"})]
    for uuid in ("a", "b"):
        assert page.evaluate(f"(decide('{uuid}'), deciding.kept.names())") == [uuid]
        page.wait_for_function("!deciding.entry")
        assert page.evaluate("deciding.kept.names()") == []
    assert server.sent == ["uuid=a&grade=1", "uuid=b&grade=1"]
    assert page.evaluate("calls") == [
        ["wait", "", "of a"], ["stored", "of a", "/c/small/next"],
        ["wait", "", "of b"], ["refused", "of b", "Too late"],
    ]  # fmt: skip


def test_it_is_sent_again_ever_later_up_to_half_a_minute_and_at_once_when_the_network_is_back(
    page: Page,
) -> None:
    server = Server(page)
    server.answers = [
        None,
        (401, {}),
        (409, {"reason": "other version"}),
        *[(500, {})] * 5,
        (200, {}),
        (200, {"next": "x"}),
    ]
    page.evaluate("decide('a')")
    page.wait_for_function("calls.length === 2")
    found = []
    for seconds in (1, 2, 4, 8, 16, 30, 30):
        page.clock.run_for(seconds * 1000 - 1)
        found.append(len(server.sent))
        page.clock.run_for(1)
        page.wait_for_function(f"calls.length === {2 + len(found)}")
    assert found == [1, 2, 3, 4, 5, 6, 7]
    page.evaluate("dispatchEvent(new Event('online'))")
    page.wait_for_function("calls.length === 10")
    page.clock.run_for(1000)
    page.wait_for_function("!deciding.entry")
    troubles = page.evaluate("calls.map(([what, trouble]) => what === 'wait' ? trouble : what)")
    assert troubles == ["", "offline", "signed out", "outdated", *["offline"] * 6, "stored"]
    page.evaluate("dispatchEvent(new Event('online'))")
    assert page.evaluate("[deciding.isSending, calls.length]") == [False, 11]


def test_what_an_earlier_page_has_left_is_sent_and_what_is_no_decision_is_dropped(page: Page) -> None:
    server = Server(page)
    server.answers = [(200, {"next": "x"})]
    page.evaluate("deciding.resume()")
    assert page.evaluate("calls") == []
    page.evaluate("localStorage.setItem('workbench:adjudication:small:broken', '{'), deciding.resume()")
    assert page.evaluate("[calls, deciding.kept.names()]") == [[], []]
    page.evaluate("deciding.kept.put('c', { url: '/decide', fields: { uuid: 'c' }, words: 'of c' })")
    page.evaluate("deciding.resume()")
    page.wait_for_function("calls.length === 2")
    assert (server.sent, page.evaluate("calls.at(-1)[0]")) == (["uuid=c"], "stored")
