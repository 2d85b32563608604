"""Sending files of a new campaign, by itself, without a server."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.fixture_types import PageOf

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PAGE = """<head><meta name=csrf-token content=t><meta name=session-url content=/session></head>
<p id=drop-hint hidden></p><p id=summary hidden></p><p id=there></p><p id=step-there></p><p id=onward hidden></p>
<form id=upload action=/send data-most=1000 data-account="Ben B">
<input name=csrf_token value=t1><input name=complete value=yes>
<input type=file id=files name=files multiple><div id=drop></div><button value=add id=add>Add</button>
<button value=check id=check>Check</button></form>
<details id=repairs></details><ul id=reports></ul><div id=preview>Old</div>"""


def report(file: str, **more: Any) -> dict[str, Any]:
    return {
        "file": file,
        "added": True,
        "sentence": "2 topics",
        "problems": [],
        "warnings": [],
        "more": 0,
    } | more


PROBLEMS = {
    "added": False, "sentence": "1 error",
    "problems": [{"line": 3, "message": "no id"}, {"line": None, "message": "empty"}],
}  # fmt: skip


class Server:
    """Answers each file with the next of `answers`; what was sent is in `sent`."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.answers: list[tuple[int, dict[str, Any] | None]] = []
        self.sent: list[dict[str, list[str]]] = []
        self.headers: dict[str, str] = {}
        page.route("**/send", self._send)

    def _send(self, route: Route) -> None:
        text = (route.request.post_data_buffer or b"").decode()
        fields: dict[str, list[str]] = {}
        for name, file, value in re.findall(
            r'name="(\w+)"(?:; filename="([^"]*)")?\r\n(?:Content-Type:[^\r]*\r\n)?\r\n(.*?)\r\n--',
            text,
            re.DOTALL,
        ):
            fields.setdefault(name, []).append(file or value)
        self.sent.append(fields)
        self.headers = route.request.headers
        status, body = self.answers.pop(0)
        if body is None:
            route.abort()
        else:
            route.fulfill(status=status, json=body)

    def send(self, *files: str, press: str = "add") -> list[str]:
        """What the rows say of these files, sent together."""
        named = [
            {"name": name, "mimeType": "text/plain", "buffer": b"x" * (1001 if name == "large" else 1000)}
            for name in files
        ]
        self.page.locator("#files").set_input_files(named)  # type: ignore[arg-type]
        self.page.locator(f"#{press}").click()
        self.page.wait_for_function("!document.querySelector('button').disabled")
        return [
            row.replace("\n\n", "\n") for row in self.page.locator("#reports li.report").all_inner_texts()
        ]

    def said(self) -> str:
        return self.page.locator("#summary").inner_text()

    def chosen(self) -> list[str]:
        """The files that one press would send again."""
        return self.page.evaluate("[...document.querySelector('#files').files].map(({ name }) => name)")  # type: ignore[no-any-return]


@pytest.fixture
def server(page_of: PageOf) -> Server:
    page = page_of(PAGE)
    page.evaluate("import('/static/setup/new_campaign.js')")
    page.wait_for_function("!document.querySelector('#drop-hint').hidden")
    return Server(page)


def test_files_are_sent_one_after_the_other_and_the_last_completes_the_collection(server: Server) -> None:
    server.answers = [
        (200, {"reports": [report("a")], "there": "0 topics"}),
        (200, {"reports": [report("b")], "there": "4 topics"}),
    ]
    rows = server.send("a", "b")
    assert rows == ["a 2 topics", "b 2 topics"]
    first, last = server.sent
    assert first == {"csrf_token": ["t1"], "do": ["add"], "files": ["a"], "named": ["a", "b"]}
    assert last == {
        "csrf_token": ["t1"],
        "complete": ["yes"],
        "do": ["add"],
        "files": ["b"],
        "named": ["a", "b"],
    }
    assert (server.headers["accept"], server.headers["x-account"]) == ("application/json", "Ben%20B")
    assert (server.said(), server.chosen()) == ("2 files added.", [])
    assert server.page.evaluate("['there', 'step-there'].map((id) => document.getElementById(id).textContent)") == [
        "4 topics", "4 topics",
    ]  # fmt: skip
    assert server.page.evaluate("['onward', 'summary'].map((id) => document.getElementById(id).hidden)") == [
        False,
        False,
    ]
    assert server.page.locator("#reports .report-added").count() == 2
    assert server.page.locator("#reports svg").count() == 0
    server.answers = [(200, {"reports": [report("a")], "there": "0 topics"})]
    server.send("a")
    assert server.said() == "1 file added."
    assert server.page.evaluate("document.querySelector('#onward').hidden") is True


def test_a_file_with_errors_shows_them_and_completes_nothing(server: Server) -> None:
    warned = report(
        "b", warnings=[{"line": 2, "message": "odd"}, {"line": None, "message": "old"}], more=1200
    )
    server.answers = [(200, {"reports": [report("a", **PROBLEMS)]}), (200, {"reports": [warned]})]
    rows = server.send("a", "b")
    assert [row.split("\n") for row in rows] == [
        ["a 1 error", "line 3 no id", "empty"],
        ["b 2 topics", "warning, line 2 odd", "warning old", "and 1,200 more"],
    ]
    assert "complete" not in server.sent[1]
    assert server.page.locator(".report-refused .findings-problem").count() == 1
    assert server.page.locator(".report-added .findings-warning").count() == 1
    assert (server.said(), server.chosen()) == (
        "1 file added. 1 file with errors: nothing was added from there.",
        [],
    )
    assert server.page.evaluate("document.querySelector('#repairs').open") is False
    server.answers = [(200, {"reports": [report("a", **PROBLEMS)]})] * 2
    server.send("a", "b")
    assert server.said() == "Nothing was added: 2 files with errors."


def test_what_was_checked_alone_or_can_be_repaired_stays_chosen(server: Server) -> None:
    good = report("a", added=False)
    bad = report("b", **PROBLEMS, check={})
    server.answers = [(200, {"reports": [good]}), (200, {"reports": [bad], "job": "7 8"})]
    server.send("a", "b", press="check")
    assert [one["do"] for one in server.sent] == [["check"], ["check"]]
    assert server.said() == "1 file good, 1 with errors. This was a check: nothing was added."
    assert server.chosen() == ["a", "b"]
    assert server.page.evaluate("document.querySelector('#repairs').open") is True
    assert server.page.locator(".report-checked").count() == 1
    link = server.page.locator("#reports a")
    assert (link.get_attribute("href"), link.inner_text().split()) == (
        "//report/7%208?file=0",
        "Page for the team on b".split(),
    )
    assert server.page.locator("#preview").inner_text() == "Old"


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ((0, None), "not sent: the server cannot be reached, or the file has changed since it was chosen"),
        ((401, {}), "not sent: you are signed out. Sign in in another tab, then send this file again"),
        ((413, {}), "not sent: that is more than the server accepts at once"),
        ((503, {}), "not added: the campaign is busy. Send this file again"),
        ((500, {"message": "Broken."}), "not added: Broken."),
        ((500, {}), "not added: the server answered 500"),
    ],
)
def test_a_file_that_did_not_arrive_says_why_and_stays_chosen(
    server: Server, answer: tuple[int, dict[str, Any] | None], why: str
) -> None:
    server.answers = [answer]
    assert server.send("a")[0].split("\n") == ["a not added", why]
    assert (server.said(), server.chosen()) == ("Nothing was added: 1 file with errors.", ["a"])


def test_a_file_that_is_larger_than_the_server_takes_is_not_sent(server: Server) -> None:
    assert server.send("large")[0].split("\n")[1] == "not sent: that is more than the server accepts at once"
    assert server.sent == []


def test_an_old_token_is_renewed_for_the_same_account_alone(server: Server) -> None:
    session: dict[str, Any] = {"account": "Ben B", "csrf_token": "t2"}
    server.page.route("**/session", lambda route: route.fulfill(json=session))
    server.answers = [(400, {"reason": "csrf"}), (200, {"reports": [report("a")]})]
    assert server.send("a") == ["a 2 topics"]
    assert [one["csrf_token"] for one in server.sent] == [["t1"], ["t2"]]
    session["account"] = "Anna"
    server.answers = [(400, {"reason": "csrf"})]
    assert server.send("a")[0].endswith("not added: the server answered 400")
    server.answers = [(400, {"reason": "form"})]
    session["account"] = "Ben B"
    assert server.send("a")[0].endswith("not added: the server answered 400")


def test_a_job_that_checks_a_file_is_followed_and_can_be_cancelled(server: Server) -> None:
    page = server.page
    job: dict[str, Any] = {
        "state": "waiting",
        "done": 1,
        "total": 4,
        "detail": None,
        "message": "",
        "id": "9",
    }
    cancelled: list[str] = []
    page.route("**/api/jobs/9", lambda route: route.fulfill(json=job))
    page.route(
        "**/jobs/9/cancel", lambda route: (cancelled.append(route.request.url), route.fulfill(json={}))
    )
    server.answers = [(202, {"address": "/api/jobs/9"})]
    page.locator("#files").set_input_files([{"name": "a", "mimeType": "text/plain", "buffer": b"x"}])
    page.locator("#add").click()
    expect(page.locator(".report-said")).to_have_text("waiting for other jobs")
    assert page.locator("#reports svg").get_attribute("aria-valuenow") == "25"
    assert page.locator("#reports rect").get_attribute("width") == "25%"
    assert page.locator("#summary").inner_text() == "Sending 1 file …"
    assert page.locator("#reports button").inner_text() == "Cancel a"
    leaves = "!dispatchEvent(new Event('beforeunload', { cancelable: true }))"
    assert page.evaluate(leaves) is False, "the server has the last file"
    job |= {"state": "running", "total": None}
    page.clock.run_for(500)
    expect(page.locator(".report-said")).to_have_text("checking")
    assert page.locator("#reports svg").get_attribute("aria-valuenow") == "100"
    page.locator("#reports button").click()
    assert page.locator("#reports button").is_disabled()
    page.wait_for_function("true")
    job |= {"state": "done", "detail": {"there": "3 topics", "reports": [report("a", check={})]}}
    page.clock.run_for(500)
    expect(page.locator("#summary")).to_have_text("1 file added.")
    assert cancelled == ["http://localhost/jobs/9/cancel"]
    assert page.locator("#there").inner_text() == "3 topics"
    assert page.locator("#reports button").count() == 0
    assert page.locator("#reports a").get_attribute("href") == "//report/9?file=0"
    for state in ({"detail": None, "message": ""}, {"detail": {"reports": []}, "message": "Too late."}):
        job |= state
        server.answers = [(202, {"address": "/api/jobs/9"})]
        why = state["message"] or "not added: the check was cancelled"
        assert server.send("a")[0].split("\n")[1] == why


def test_while_files_are_on_their_way_the_page_is_not_left_and_none_are_added(server: Server) -> None:
    page = server.page
    held: list[Route] = []
    page.unroute("**/send")
    page.route("**/send", lambda route: held.append(route))
    leaves = "!dispatchEvent(new Event('beforeunload', { cancelable: true }))"
    assert page.evaluate(leaves) is False
    files = [{"name": name, "mimeType": "text/plain", "buffer": b"x"} for name in ("a", "b")]
    page.locator("#files").set_input_files(files)  # type: ignore[arg-type]
    page.locator("#add").click()
    expect(page.locator("#summary")).to_have_text("Sending 2 files …")
    page.wait_for_function("document.querySelectorAll('.report-said')[1].textContent === 'waiting'")
    assert page.evaluate(leaves) is True
    assert (
        page.evaluate("[...document.querySelectorAll('#upload button')].every(({ disabled }) => disabled)")
        is True
    )


def test_dropped_files_are_chosen_and_folders_are_not(server: Server) -> None:
    page = server.page
    page.evaluate("""() => {
        window.drag = (kind, data = new DataTransfer()) => {
            const event = new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true });
            dispatchEvent(event);
            return [event.defaultPrevented, document.querySelector("#drop").classList.contains("drop-over")];
        };
        window.carried = new DataTransfer();
        carried.items.add(new File(["x"], "a"));
    }""")
    assert page.evaluate("[drag('dragenter'), drag('dragover'), drag('dragleave')]") == [
        [True, True], [True, True], [False, False],
    ]  # fmt: skip
    assert page.evaluate("(drag('dragenter'), drag('drop', carried))") == [True, False]
    assert server.chosen() == ["a"]
    page.evaluate("drag('drop')")
    assert server.chosen() == ["a"]
    page.evaluate("""() => {
        window.folder = new DataTransfer();
        folder.items.add(new File(["x"], "b"));
        DataTransferItem.prototype.webkitGetAsEntry = () => ({ isDirectory: true });
        drag("drop", folder);
    }""")
    assert (server.said(), server.chosen()) == (
        "A folder cannot be sent. Choose or drop the files in it.",
        ["a"],
    )


def test_a_topic_is_shown_as_assessors_see_it_once_there_are_other_ones(server: Server) -> None:
    page = server.page
    page.evaluate("""() => {
        const own = window.fetch;
        window.fetch = async (address, ...more) => address === location.pathname
            ? new Response('<div id=preview>New</div>') : own(address, ...more);
    }""")
    server.answers = [(200, {"reports": [report("a", **PROBLEMS)]})]
    server.send("a")
    assert page.locator("#preview").inner_text() == "Old"
    server.answers = [(200, {"reports": [report("a")]})]
    server.send("a")
    expect(page.locator("#preview")).to_have_text("New")
