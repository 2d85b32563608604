"""The smaller scripts of the judging page, each by itself, without a server."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page, Route

from tests.fixture_types import PageOf

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_active_seconds_are_counted_up_to_a_minute_without_a_sign_of_life(page_of: PageOf) -> None:
    page = page_of()
    page.evaluate("""async () => {
        const { Pace } = await import("/static/judging/pace.js");
        window.now = 1000;
        performance.now = () => now;
        window.pace = new Pace("small");
        window.hide = (hidden) => {
            Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
            document.dispatchEvent(new Event("visibilitychange"));
        };
    }""")
    assert page.evaluate("now += 1_260, pace.seconds()") == 1.3
    page.evaluate("now += 200_000, dispatchEvent(new Event('keydown'))")
    assert page.evaluate("now += 60_000, pace.seconds()") == 121.3
    assert page.evaluate("now += 5_000, pace.start(), now += 2_000, pace.seconds()") == 2
    assert page.evaluate("now += 3_000, hide(true), now += 9_000, hide(false), pace.seconds()") == 5


def test_the_time_left_is_the_median_pace_times_the_open_documents(page_of: PageOf) -> None:
    page = page_of()
    page.evaluate("""async () => {
        const { Pace } = await import("/static/judging/pace.js");
        window.pace = new Pace("small");
        window.left = (open, ...seconds) => {
            localStorage.clear();
            for (const one of seconds) pace.remember(one);
            return pace.timeLeft(open);
        };
    }""")
    assert page.evaluate("[left(10, 60, 60), left(0, 60, 60, 60)]") == ["", ""]
    assert page.evaluate("left(4, 600, 60, 120)") == "about 8 min left"
    assert page.evaluate("left(2, 600, 60, 120, 180)") == "about 5 min left"
    assert page.evaluate("(left(1, ...Array(40).keys()), pace.remembered())") == list(range(10, 40))
    page.evaluate("""localStorage.setItem("workbench:pace:small:seconds", '[1, "x", null, 2]')""")
    assert page.evaluate("pace.remembered()") == [1, 2]
    page.evaluate("""localStorage.setItem("workbench:pace:small:seconds", "7")""")
    assert page.evaluate("pace.remembered()") == []


def test_a_time_is_reported_as_exactly_as_it_is_known(page_of: PageOf) -> None:
    minutes = [0, 1, 59, 60, 64, 65, 294, 295, 299, 300, 329, 330, 600]
    told = page_of().evaluate(
        """async (minutes) => {
            const { inWords } = await import("/static/judging/pace.js");
            return minutes.map((each) => inWords(60 * each));
        }""",
        minutes,
    )
    assert [words.removeprefix("about ").removesuffix(" left") for words in told] == [
        "1 min", "1 min", "59 min", "1 h", "1 h", "1 h 10", "4 h 50", "5 h", "5 h", "5 h", "5 h", "6 h", "10 h",
    ]  # fmt: skip


def test_coming_back_is_coming_from_another_window_and_not_from_a_frame(page_of: PageOf) -> None:
    page = page_of()
    page.evaluate("""async () => {
        const { whenBack } = await import("/static/judging/presence.js");
        window.returns = 0;
        whenBack(() => returns++);
        window.goes = (name, hasFocus) => {
            document.hasFocus = () => hasFocus;
            dispatchEvent(new Event(name));
            return returns;
        };
        window.shows = (hidden) => {
            Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
            document.dispatchEvent(new Event("visibilitychange"));
            return returns;
        };
    }""")
    assert page.evaluate('[goes("focus", true), goes("blur", true), goes("focus", true)]') == [0, 0, 0]
    assert page.evaluate('[goes("blur", false), goes("focus", true), goes("focus", true)]') == [0, 1, 1]
    assert page.evaluate("[shows(true), shows(false)]") == [1, 2]


GRADES = "".join(f"<button {more}>{name}</button>" for name, more in {
    "none": "", "some": "aria-checked='true'", "shut": "disabled", "much": "",
}.items())  # fmt: skip


def test_arrows_go_around_among_the_grades_and_tab_stops_at_one(page_of: PageOf) -> None:
    page = page_of(
        f"<div id=group>{GRADES}</div><div id=other>{GRADES.replace('aria-checked', 'data-x')}</div>"
    )
    page.evaluate("""async () => {
        const { moveAmong, stopAtChecked } = await import("/static/judging/grades.js");
        for (const group of [document.querySelector("#group"), document.querySelector("#other")]) {
            moveAmong(group);
            stopAtChecked(group);
        }
        window.stops = (id) => [...document.querySelectorAll(`#${id} button`)].map(({ tabIndex }) => tabIndex);
        window.focused = () => document.activeElement.textContent;
    }""")
    assert page.evaluate("[stops('group'), stops('other')]") == [[-1, 0, -1, -1], [0, -1, -1, -1]]
    page.locator("#group button").first.focus()
    assert page.evaluate("stops('group')") == [0, -1, -1, -1]
    found = []
    for key in (
        "ArrowRight",
        "ArrowDown",
        "ArrowRight",
        "ArrowLeft",
        "ArrowUp",
        "Control+ArrowUp",
        "Alt+ArrowUp",
    ):
        page.keyboard.press(key)
        found.append(page.evaluate("focused()"))
    assert found == ["some", "much", "none", "much", "some", "some", "some"]
    assert page.evaluate("stops('group')") == [-1, 0, -1, -1]
    kept = """(key) => {
        const press = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
        return !document.activeElement.dispatchEvent(press);
    }"""
    assert [page.evaluate(kept, key) for key in ("ArrowLeft", "x")] == [True, False]


def test_the_map_has_ticks_for_hits_and_differences_a_window_and_takes_a_click(page_of: PageOf) -> None:
    page = page_of("<div id=map style='position: absolute; top: 50px; height: 200px; width: 8px'></div>")
    page.evaluate("""async () => {
        const { HitMap } = await import("/static/judging/hitmap.js");
        window.map = new HitMap(document.querySelector("#map"), (fraction) => (window.picked = fraction));
        window.part = () => ["y", "height"].map((name) => map.part.getAttribute(name));
    }""")
    page.evaluate("map.show([0, 0.5, 1], [0.25])")
    assert page.evaluate("map.ticks.getAttribute('d')") == "M1 2h6M1 500h6M1 998h6"
    assert page.evaluate("map.differences.getAttribute('d')") == "M0 251h8"
    assert page.evaluate("(map.window([0.1, 0.35]), part())") == ["100", "250"]
    assert page.evaluate("(map.window(null), part())") == ["0", "0"]
    assert page.evaluate(
        "(map.show([]), [map.ticks, map.differences].map((one) => one.getAttribute('d')))"
    ) == ["", ""]
    assert page.evaluate("[...map.host.querySelector('svg').children].map((one) => one.classList[0])") == [
        "map-window", "map-density", "map-differences", "map-ticks",
    ]  # fmt: skip
    page.mouse.click(12, 100)
    assert page.evaluate("picked") == 0.25


def test_from_sixty_hits_on_the_map_has_bars_as_long_as_there_are_hits(page_of: PageOf) -> None:
    page = page_of("<div id=map></div>")
    page.evaluate("""async () => {
        const { HitMap } = await import("/static/judging/hitmap.js");
        const map = new HitMap(document.querySelector("#map"), () => {});
        window.shown = (hits) => (map.show(hits), [map.ticks, map.density].map((one) => one.getAttribute("d")));
    }""")
    hits = [*[0.5] * 40, *[0.511] * 10, 1]
    ticks, bars = page.evaluate("shown", [*hits, *[0.03] * 8])
    assert (ticks.count("M"), bars) == (59, "")
    assert page.evaluate("shown", [*hits, *[0.03] * 25]) == [
        "",
        "M0 20h4v16H0zM0 500h8v16H0zM0 980h0.16v16H0z",
    ]
    assert page.evaluate("shown", [0.5]) == ["M1 500h6", ""]


FOLDS = """async () => {
    const { Folds, isFolded, unfold } = await import("/static/judging/folds.js");
    window.told = [];
    window.folds = new Folds("small", { inside: document }, (why) => told.push(why));
    window.isFolded = isFolded;
    window.unfold = unfold;
    window.all = () => folds.all().map(({ open }) => open);
    window.set = (...open) => folds.all().forEach((fold, at) => (fold.open = open[at]));
    window.left = (id, ...open) => { folds.open(id); set(...open); folds.leave(); };
}"""
TWO_FOLDS = """<details class=fold open><p id=p>One</p></details>
<details class=fold><p id=q>Two</p></details><b id=folds></b>"""


def test_folds_are_found_again_as_they_were_left_in_the_last_two_hundred_documents(page_of: PageOf) -> None:
    page = page_of(TWO_FOLDS)
    page.evaluate(FOLDS)
    page.evaluate("left('d1', false, true), set(true, false), folds.open('d2')")
    assert page.evaluate("[all(), document.querySelector('#folds').hidden]") == [[True, False], False]
    page.evaluate("folds.leave(), set(true, true), folds.open('d1')")
    assert page.evaluate("all()") == [False, True]
    page.evaluate("folds.leave(), set(true, true), folds.leave()")
    page.evaluate("for (let at = 3; at <= 200; at++) left(`d${at}`, true, true)")
    assert page.evaluate("(set(true, false), folds.open('d1'), folds.documentId = null, all())") == [
        False,
        True,
    ]
    page.evaluate("left('d201', true, true)")
    assert page.evaluate("[Object.keys(folds.kept()).length, folds.kept().d2 ?? null]") == [200, None]
    assert page.evaluate("folds.kept().d1") == [False, True]


def test_folds_of_a_document_that_has_other_ones_now_stay_as_they_are(page_of: PageOf) -> None:
    page = page_of(TWO_FOLDS)
    page.evaluate(FOLDS)
    page.evaluate("""sessionStorage.setItem("workbench:folds:small", '{"d1": [false]}')""")
    assert page.evaluate("(folds.open('d1'), all())") == [True, False]
    page.evaluate("""sessionStorage.setItem("workbench:folds:small", "{")""")
    assert page.evaluate("folds.kept()") == {}
    page.evaluate("for (const fold of folds.all()) fold.remove()")
    assert page.evaluate("(folds.open('d3'), folds.leave(), document.querySelector('#folds').hidden)") is True
    assert page.evaluate("(folds.toggle(), told)") == ["No folded parts"]


def test_a_key_opens_all_folds_and_closes_them_once_all_are_open(page_of: PageOf) -> None:
    page = page_of(TWO_FOLDS)
    page.evaluate(FOLDS)
    assert page.evaluate("['p', 'q'].map((id) => isFolded(document.getElementById(id)))") == [False, True]
    assert page.evaluate("(folds.toggle(), all())") == [True, True]
    assert page.evaluate("(folds.toggle(), all())") == [False, False]
    assert page.evaluate("(unfold(document.querySelector('#q')), unfold(null), all())") == [False, True]
    page.evaluate("document.querySelector('.fold').remove(), folds.toggle()")
    assert page.evaluate("told") == ["2 folded parts opened", "2 folded parts closed", "1 folded part closed"]


def test_images_of_pages_are_asked_for_once_their_fold_is_open(page_of: PageOf) -> None:
    fold = "<details class='fold pages'><img data-src='data:,%s'></details>"
    page = page_of(f"{fold % 1}{fold % 2}<details class=fold><p>Three</p></details><b id=folds></b>")
    page.evaluate(FOLDS)
    asked = "[...document.querySelectorAll('img')].map((image) => image.getAttribute('src'))"
    assert page.evaluate(f"(folds.look(), {asked})") == [None, None]
    page.evaluate("folds.watch(document), set(true, false, true)")
    page.wait_for_function(f"{asked}[0] === 'data:,1'")  # as by the mouse
    assert page.evaluate(f"(folds.open('d1'), {asked})") == ["data:,1", None]
    assert page.evaluate(f"(folds.toggle(), {asked})") == ["data:,1", "data:,2"]


def test_saving_is_news_when_it_takes_long_or_stops_and_when_all_is_saved_again(page_of: PageOf) -> None:
    page = page_of("<p id=news></p>")
    page.evaluate("""async () => {
        const { SaveNews } = await import("/static/judging/save_news.js");
        window.news = new SaveNews(document.querySelector("#news"));
    }""")
    told = page.locator("#news")

    def hear(*states: str) -> str:
        for state in states:
            page.evaluate("(state) => news.heard(state)", state)
        return told.inner_text()

    assert hear("saving", "saved", "saved") == ""
    page.clock.run_for(15_000)
    assert told.inner_text() == ""
    hear("saving", "saving")
    page.clock.run_for(9_900)
    assert hear("saving") == ""
    page.clock.run_for(200)
    assert told.inner_text() == "Judgments are waiting to be saved."
    assert hear("saved") == "All judgments are saved."
    assert hear("offline") == "Offline. Judgments are kept here."
    assert hear("signed out") == "Signed out. Judgments are kept here."
    assert hear("outdated").startswith("This page is older than the server.")
    assert hear("problem") == ""


SENTENCES = """<p>A first one. The river <b>froze
 in <mark>January</mark></b> of 1709. And then it thawed. </p><p>Another.</p>"""


def test_a_sentence_is_selected_around_a_marked_word_and_reaches_into_nothing_else(page_of: PageOf) -> None:
    page = page_of(SENTENCES)
    found = page.evaluate("""async () => {
        const { sentenceAround } = await import("/static/judging/sentences.js");
        const told = (mark) => {
            const range = sentenceAround(mark);
            const { startContainer: start, startOffset, endContainer: end, endOffset } = range;
            return [String(range), start.data, startOffset, end.data, endOffset];
        };
        const mark = document.querySelector("p mark");
        const first = told(mark);
        mark.closest("p").innerHTML = "It is <mark>cold</mark>. <i>So they <mark>skate.</mark></i> <b>Home.</b>";
        const others = [...document.querySelectorAll("p mark")].map(told);
        return [first, ...others, told(Object.assign(document.createElement("mark"), { textContent: "Bare. Yes" }))];
    }""")
    assert found == [
        [
            "The river froze\n in January of 1709.",
            "A first one. The river ",
            13,
            " of 1709. And then it thawed. ",
            9,
        ],
        ["It is cold.", "It is ", 0, ". ", 1],
        ["So they skate.", ". ", 2, "skate.", 6],
        ["Bare.", "Bare. Yes", 0, "Bare. Yes", 5],
    ]


def test_what_an_answer_means_for_a_judgment_on_its_way(page_of: PageOf) -> None:
    found: dict[str, Any] = page_of().evaluate("""async () => {
        const verdicts = await import("/static/judging/verdicts.js");
        const entry = { uuid: "u2", after: "u1", judgment: { topic_id: "1", document_id: "d", replaces: null } };
        const trouble = (status, reason) => verdicts.troubleOf({ status, body: { reason } });
        const different = (stored) => verdicts.storedDifferently(entry, stored);
        return {
            follows: verdicts.following(entry, new Map([["u1", 7]])),
            waits: verdicts.following(entry, new Map([["u3", 7]])) === entry,
            alone: verdicts.following({ ...entry, after: null }, new Map([[null, 7]])).judgment.replaces,
            trouble: [[401, "x"], [409, "other version"], [429, "too many in a minute"], [400, "form"], [499, "gone"],
                [400, "csrf"], [408, "x"], [429, "x"], [500, "x"], [399, "x"], [403, undefined],
            ].map((one) => trouble(...one)),
            of: different({ topic_id: "1", document_id: "d", grade: 2 }),
            ofOthers: [["1", "e"], ["2", "d"]].map(([topic_id, document_id]) => {
                const { current } = different({ topic_id, document_id });
                return current === undefined;
            }),
            older: [[{ seq: 4 }, 5], [{ seq: 5 }, 5], [null, 1], [undefined, 5], [{ seq: 4 }, null]].map(
                (one) => verdicts.isOlder(...one)),
            sentBack: verdicts.SENT_BACK,
        };
    }""")
    assert found == {
        "follows": {
            "uuid": "u2",
            "after": None,
            "judgment": {"topic_id": "1", "document_id": "d", "replaces": 7},
        },
        "waits": True,
        "alone": None,
        "trouble": ["signed out", "outdated", "saving", "", "", *["offline"] * 6],
        "of": {
            "reason": "stored differently",
            "message": "The server stored another judgment",
            "current": {"topic_id": "1", "document_id": "d", "grade": 2},
        },
        "ofOthers": [True, True],
        "older": [True, False, True, False, False],
        "sentBack": ["uuid", "topic_id", "document_id", "kind", "grade", "text_hash"],
    }


LATER = """async () => {
    const { Queue } = await import("/static/judging/queue.js");
    const { Later } = await import("/static/judging/later.js");
    const open = { state: "open", kind: null, grade: null, seq: null, near: null, later: false };
    const item = (document_id) => ({ ...open, document_id });
    window.queue = new Queue(["d1", "d2", "d3"].map(item));
    window.later = new Later("small", { later_url: "/later", topic_id: "1", account: "Ben" }, queue);
    window.put = () => queue.items.filter((one) => one.later).map(({ document_id }) => document_id);
    window.kept = () => later.unsent.names();
}"""


def test_what_is_postponed_counts_at_once_and_is_sent_until_the_server_knows(page_of: PageOf) -> None:
    page = page_of()
    sent: list[dict[str, Any]] = []
    answers = [503, 401, 429, 200, 404]

    def answer(route: Route) -> None:
        sent.append(json.loads(route.request.post_data or ""))
        status = answers.pop(0) if answers else 200
        route.fulfill(status=status, json={})

    page.route("**/later", answer)
    page.evaluate("localStorage.setItem('workbench:later:small:d3', 'true')")
    page.evaluate("localStorage.setItem('workbench:later:small:gone', 'true')")
    page.evaluate(LATER)
    assert page.evaluate("put()") == ["d3"]
    page.wait_for_function("!later.sending")
    assert [one["document_id"] for one in sent] == ["d3"]
    page.clock.run_for(14_900)
    assert len(sent) == 1
    page.clock.run_for(200)
    page.wait_for_function("!later.sending")
    assert len(sent) == 2
    assert page.evaluate("[later.toggle('d1'), put()]") == [True, ["d1", "d3"]]
    page.wait_for_function("!later.sending")
    assert page.evaluate("kept()") == ["d1", "d3", "gone"]
    page.evaluate("dispatchEvent(new Event('online'))")
    page.wait_for_function("!kept().length")
    assert sent[-3:] == [
        {"topic_id": "1", "document_id": document_id, "later": True} for document_id in ("d1", "d3", "gone")
    ]
    assert page.evaluate("[later.toggle('d1'), put()]") == [False, ["d3"]]
    page.wait_for_function("!kept().length")
    assert sent[-1] == {"topic_id": "1", "document_id": "d1", "later": False}


def test_what_is_changed_while_it_is_sent_is_sent_once_more_and_what_is_judged_no_more(
    page_of: PageOf,
) -> None:
    page = page_of()
    waiting: list[Route] = []
    page.route("**/later", lambda route: waiting.append(route))
    page.evaluate(LATER)
    page.evaluate("later.toggle('d1'), later.toggle('d2')")
    page.evaluate("later.toggle('d1'), later.judged('d2')")
    until_answered(page, waiting, 1)
    until_answered(page, waiting, 2)
    page.wait_for_function("!later.sending")
    assert [json.loads(route.request.post_data or "")["later"] for route in waiting] == [True, False]
    assert page.evaluate("kept()") == []


def until_answered(page: Page, waiting: list[Route], number: int) -> None:
    while len(waiting) < number:
        page.evaluate("0")
    waiting[number - 1].fulfill(json={})


def test_several_notices_are_one_line_until_they_are_asked_for(page_of: PageOf) -> None:
    page = page_of(
        "<section><p id=notices hidden><b id=notices-count></b><button id=notices-way aria-expanded=false></button></p>"
        "<p id=one class=alert hidden>One</p><p id=two class=alert hidden>Two</p>"
        "<p id=three class='alert alert-open' hidden>Three</p></section>",
        """async () => {
            const { watchNotices } = await import("/static/judging/notices.js");
            watchNotices();
            window.section = document.querySelector("section");
            window.seen = async (...shown) => {
                for (const id of ["one", "two", "three"]) document.getElementById(id).hidden = !shown.includes(id);
                await null;
                const line = document.getElementById("notices");
                return [section.className, line.hidden ? "" : line.textContent];
            };
        }""",
    )
    assert page.evaluate("seen('one')") == ["", ""]
    assert page.evaluate("seen('one', 'three')") == ["", ""], "a decision stays open and is not counted"
    assert page.evaluate("seen('one', 'two', 'three')") == ["alerts-closed", "2 noticesShow"]
    page.evaluate("document.getElementById('notices-way').click()")
    assert page.evaluate("seen('one', 'two')") == ["", "2 noticesHide"]
    assert page.evaluate("seen()") == ["", ""]
    page.evaluate("section.append(document.createElement('p'), document.createElement('p'))")
    assert page.evaluate("seen()") == ["", "2 noticesHide"]
    page.evaluate("document.getElementById('notices-way').click()")
    assert page.evaluate("seen()") == ["alerts-closed", "2 noticesShow"]
