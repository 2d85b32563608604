"""The script that follows jobs, by itself, without a server."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Route, expect

from tests.fixture_types import PageOf

pytestmark = [pytest.mark.browser, pytest.mark.slow]


JOB = """<article class="job" id="job-7" data-address="/api/job"><p class="job-state"><b>Waiting</b></p>
<progress></progress><span class="job-percent"></span><span class="job-what"></span><button>Cancel</button></article>
<article class="job" id="job-8"></article>"""
JOB_ENDED = """<article class="job job-done" id="job-7"><p class="job-state"><b>Finished</b></p>
<a href="/result">Result</a></article>"""


def test_a_job_is_shown_until_it_has_ended_and_what_came_of_it_in_its_place(page_of: PageOf) -> None:
    page = page_of(JOB)
    job = {"state": "running", "step": "reading", "message": "", "result": None, "detail": None}
    answers: list[tuple[int, dict[str, Any] | None]] = []

    def answer(route: Route) -> None:
        status, changes = answers.pop(0) if answers else (200, {})
        if changes is None:
            route.abort()
        else:
            route.fulfill(status=status, json=job | changes)

    def tell(*parts: tuple[int, dict[str, Any] | None]) -> None:
        answers.extend(parts)
        while answers:
            page.clock.run_for(500)

    def shows(percent: str, what: str, state: str) -> None:
        expect(page.locator("#job-7 .job-percent")).to_have_text(percent)
        expect(page.locator("#job-7 .job-what")).to_have_text(what)
        expect(page.locator("#job-7 .job-state b")).to_have_text(state)

    page.route("**/api/job", answer)
    job |= {"done": 1, "total": 3}
    page.evaluate(
        "window.card = document.querySelector('#job-7'), window.said = card.querySelector('.job-state')"
    )
    page.evaluate("import('/static/setup/jobs.js')")
    shows("33 %", "reading", "Running")
    assert page.evaluate("[card.querySelector('progress').max, card.querySelector('progress').value]") == [
        100,
        33,
    ]
    tell((500, {}), (200, None), (200, {"done": 5, "state": "waiting"}))
    shows("100 %", "reading", "Waiting for other jobs")
    job |= {"total": None, "step": "counting"}
    tell((200, {}))
    shows("", "counting", "Running")
    assert page.evaluate("card.querySelector('progress').hasAttribute('value')") is False
    page.route("http://localhost/", lambda route: route.fulfill(body=JOB_ENDED, content_type="text/html"))
    page.locator("#job-7 button").focus()
    answers.append((200, {"state": "done"}))
    page.clock.run_for(600)
    expect(page.locator("#job-7 a")).to_be_focused()
    assert page.evaluate("[card.className, said.isConnected, said.textContent]") == [
        "job job-done",
        True,
        "Finished",
    ]


def test_a_job_that_is_gone_is_asked_for_no_more(page_of: PageOf) -> None:
    page = page_of()
    page.route("**/api/job", lambda route: route.fulfill(status=404, json={}))
    found = page.evaluate("""async () => {
        const { followed, percent } = await import("/static/setup/jobs.js");
        const parts = [[0, 0], [1, null], [0, 3], [2, 3], [3, 3], [4, 3]];
        const shares = parts.map(([done, total]) => percent({ done, total }));
        return [await followed("/api/job", () => {}), shares];
    }""")
    assert found == [None, [None, None, 0, 66, 100, 100]]
