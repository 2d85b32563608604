"""The judging page in a real browser: what keys do, and what becomes of a judgment when things go wrong."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from flask import Flask
from playwright.sync_api import Page, Route, expect

from tests.fixture_types import MakeCampaign, SignIn, Visit
from tests.web.judging.judging_page import SEEN_LINES, loaded_ahead, log, ready, saved, short
from workbench.core.records import Document, Topic
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.collection.documents import text_hash

pytestmark = pytest.mark.browser


def judge(page: Page, *keys: str) -> None:
    for key in keys:
        expect(page.locator("#document")).to_have_attribute("aria-busy", "false")
        page.keyboard.press(key)


def test_one_key_grades_saves_and_shows_the_next_document(visit: Visit, small: Path) -> None:
    page = visit("/c/small/judge?topic=1")
    ready(page, "Document 1")
    page.keyboard.press("1")
    ready(page, "Document 2")
    page.keyboard.press("0")
    ready(page, "Document 3")
    page.keyboard.press("x")
    page.keyboard.press("x")
    ready(page, "Document 4")
    saved(page)
    assert short(small) == [("d1", "grade", 1), ("d2", "grade", 0), ("d3", "can't tell", None)]
    assert {row.assessor for row in log(small)} == {"Ben"}
    expect(page.locator("#progress")).to_have_text("2 of 6 judged, 1 can’t tell")
    expect(page.locator("#recent li")).to_have_count(3)
    expect(page).to_have_url(re.compile(r"\?topic=1&document=d4$"))


@pytest.mark.slow
def test_the_place_is_kept_over_a_reload(visit: Visit, small: Path) -> None:
    page = visit("/c/small/judge?topic=1")
    judge(page, "1", "0", "ArrowRight")
    ready(page, "Document 4")
    page.reload()
    ready(page, "Document 4")
    expect(page.locator("#recent li")).to_have_count(2)


def test_keys_during_a_slow_answer_are_dropped(visit: Visit, small: Path) -> None:
    page = visit("/c/small/judge?topic=1", intercepted=True)
    held: list[Route] = []
    page.route(re.compile(r"document=d5|api/texts"), lambda route: held.append(route))
    ready(page, "Document 1")
    judge(page, "1", "1", "1", "1")
    expect(page.locator("#document")).to_contain_text("Loading")
    expect(page.locator("#document")).to_have_attribute("aria-busy", "true")
    page.keyboard.press("0")
    page.keyboard.press("1")
    expect(page.locator("#said[data-kind=ignored]")).to_be_visible()
    page.unroute_all()  # lets the held requests go
    ready(page, "Document 5")
    saved(page)
    assert short(small) == [(f"d{number}", "grade", 1) for number in range(1, 5)]


def test_two_quick_presses_judge_one_document(visit: Visit, small: Path) -> None:
    page = visit("/c/small/judge?topic=1")
    ready(page, "Document 1")
    page.evaluate(
        """for (const key of ["1", "0", "1"])
            document.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}))"""
    )
    ready(page, "Document 2")
    saved(page)
    assert short(small) == [("d1", "grade", 1)]


@pytest.mark.slow
def test_a_slow_save_holds_nobody_up_and_is_never_shown_as_done(visit: Visit, small: Path) -> None:
    page = visit("/c/small/judge?topic=1", intercepted=True)
    held: list[Route] = []
    page.route("**/api/judgments", lambda route: held.append(route))
    ready(page, "Document 1")
    judge(page, "1", "0")
    ready(page, "Document 3")
    expect(page.locator("#save-state")).to_have_text("2 waiting")
    assert log(small) == []
    page.unroute_all()  # lets the held request go
    saved(page)
    assert short(small) == [("d1", "grade", 1), ("d2", "grade", 0)]


@pytest.mark.slow
def test_digits_typed_in_the_comment_judge_nothing_and_go_with_the_judgment(
    visit: Visit, small: Path
) -> None:
    page = visit("/c/small/judge?topic=1")
    ready(page, "Document 1")
    page.keyboard.press("c")
    page.keyboard.type("10 rivers, u x")
    page.keyboard.press("Backspace")
    page.wait_for_timeout(100)
    assert log(small) == []
    page.keyboard.press("Escape")
    page.keyboard.press("1")
    ready(page, "Document 2")
    saved(page)
    assert [(row.grade, row.comment) for row in log(small)] == [(1, "10 rivers, u")]
    expect(page.locator("#note")).to_have_value("")


@pytest.mark.slow
def test_a_comment_waits_while_one_looks_at_other_documents(visit: Visit, small: Path) -> None:
    page = visit("/c/small/judge?topic=1")
    ready(page, "Document 1")
    page.locator("#note").fill("think again")
    page.frame_locator("iframe.current").locator("h1").click()
    judge(page, "ArrowRight")
    ready(page, "Document 2")
    expect(page.locator("#note")).to_have_value("")
    judge(page, "ArrowLeft")
    ready(page, "Document 1")
    expect(page.locator("#note")).to_have_value("think again")


def test_undo_goes_back_step_by_step_and_a_new_grade_replaces_the_old_one(visit: Visit, small: Path) -> None:
    page = visit("/c/small/judge?topic=1")
    judge(page, "1", "1", "0")
    ready(page, "Document 4")
    page.keyboard.press("u")
    ready(page, "Document 3")
    expect(page.locator('[data-grade="0"]')).to_have_attribute("aria-checked", "true")
    page.keyboard.press("Backspace")
    ready(page, "Document 2")
    expect(page.locator("#mine")).to_have_text("You judged this: Relevant")
    page.keyboard.press("0")
    ready(page, "Document 4")
    saved(page)
    rows = log(small)
    assert [(row.document_id, row.grade) for row in rows] == [("d1", 1), ("d2", 1), ("d3", 0), ("d2", 0)]
    assert [row.replaces for row in rows] == [None, None, None, rows[1].seq]


def test_undo_goes_back_over_the_border_of_topics(visit: Visit, small: Path) -> None:
    page = visit("/c/small/judge?topic=1&document=d6")
    judge(page, "1")
    saved(page)
    page.goto(page.url.partition("?")[0] + "?topic=2")
    judge(page, "u")
    ready(page, "Document 6")
    expect(page).to_have_url(re.compile(r"\?topic=1&document=d6$"))
    expect(page.locator("#mine")).to_have_text("You judged this: Relevant")
    judge(page, "0")
    saved(page)
    assert short(small) == [("d6", "grade", 1), ("d6", "grade", 0)]


@pytest.mark.slow
def test_undo_walks_back_over_all_topics_in_the_order_of_the_judgments_and_then_stops(
    visit: Visit, small: Path
) -> None:
    page = visit("/c/small/judge?topic=1")
    address = page.url.partition("?")[0]
    for place, grade in (
        ("1&document=d1", "1"),
        ("2&document=d1", "0"),
        ("1&document=d2", "0"),
        ("2&document=d2", "1"),
    ):
        page.goto(f"{address}?topic={place}")
        judge(page, grade)
        saved(page)
    for topic, title in (("2", "Document 2"), ("1", "Document 2"), ("2", "Document 1"), ("1", "Document 1")):
        judge(page, "u")
        expect(page.locator(".strip-id")).to_have_text(topic)
        ready(page, title)
        expect(page.locator("#mine")).to_contain_text("You judged this: ")
    judge(page, "u")
    expect(page.locator("#said")).to_have_text("Nothing to undo")
    assert len(short(small)) == 4
    judge(page, "0", "u", "u")  # a new grade is the newest judgment, from which undo begins again
    ready(page, "Document 2")
    expect(page.locator(".strip-id")).to_have_text("2")


def test_a_judgment_can_be_cleared_and_made_again(visit: Visit, small: Path) -> None:
    page = visit("/c/small/judge?topic=1")
    judge(page, "1", "u")
    ready(page, "Document 1")
    page.locator("#clear").click()
    expect(page.locator("#clear")).to_be_hidden()
    ready(page, "Document 1")
    page.keyboard.press("0")
    ready(page, "Document 2")
    saved(page)
    assert short(small) == [("d1", "grade", 1), ("d1", "cleared", None), ("d1", "grade", 0)]


@pytest.mark.slow
def test_offline_judgments_are_kept_over_a_closed_page_and_sent_later(visit: Visit, small: Path) -> None:
    page = visit("/c/small/judge?topic=1")
    ready(page, "Document 1")
    loaded_ahead(page)
    page.context.set_offline(True)
    judge(page, "1", "0", "u")
    ready(page, "Document 2")
    page.keyboard.press("1")
    ready(page, "Document 3")
    expect(page.locator("#save-state")).to_have_text("Offline, 3 kept here")
    page.on("dialog", lambda dialog: dialog.accept())
    page.close(run_before_unload=False)
    assert log(small) == []
    again = page.context.new_page()
    page.context.set_offline(False)
    again.goto(page.url)
    saved(again)
    rows = log(small)
    assert [(row.document_id, row.grade) for row in rows] == [("d1", 1), ("d2", 0), ("d2", 1)]
    assert rows[2].replaces == rows[1].seq
    expect(again.locator("#progress")).to_have_text("2 of 6 judged")


@pytest.mark.slow
def test_back_online_what_was_kept_is_sent_without_a_reload(visit: Visit, small: Path) -> None:
    page = visit("/c/small/judge?topic=1")
    ready(page, "Document 1")
    loaded_ahead(page)
    page.context.set_offline(True)
    judge(page, "1")
    expect(page.locator("#save-state")).to_have_text("Offline, 1 kept here")
    page.context.set_offline(False)
    saved(page)
    assert short(small) == [("d1", "grade", 1)]


@pytest.mark.slow
def test_leaving_with_unsent_judgments_is_asked_about(visit: Visit, small: Path) -> None:
    page = visit("/c/small/judge?topic=1", intercepted=True)
    page.route("**/api/judgments", lambda route: route.abort())
    ready(page, "Document 1")
    judge(page, "1")
    ready(page, "Document 2")
    asked: list[str] = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    page.goto("about:blank")
    assert asked == ["beforeunload"]


@pytest.mark.slow
def test_a_session_that_ended_keeps_the_judgment_until_one_signs_in(
    visit: Visit, small: Path, app: Flask, client_of: SignIn, address: str
) -> None:
    page = visit("/c/small/judge?topic=1")
    ready(page, "Document 1")
    loaded_ahead(page)
    page.context.clear_cookies()
    page.keyboard.press("1")
    expect(page.locator("#save-state")).to_have_text("Signed out, 1 kept here")
    expect(page.locator("#signed-out")).to_be_visible()
    cookie = client_of(app, "Ben").get_cookie("workbench_5000")
    assert cookie is not None
    page.context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": address}])
    saved(page)
    expect(page.locator("#signed-out")).to_be_hidden()
    assert short(small) == [("d1", "grade", 1)]


def test_another_persons_session_does_not_get_the_judgment(
    visit: Visit, small: Path, app: Flask, client_of: SignIn, address: str
) -> None:
    page = visit("/c/small/judge?topic=1")
    ready(page, "Document 1")
    loaded_ahead(page)
    cookie = client_of(app, "Anna").get_cookie("workbench_5000")
    assert cookie is not None
    page.context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": address}])
    page.keyboard.press("1")
    expect(page.locator("#save-state")).to_have_text("Signed out, 1 kept here")
    assert log(small) == []


def test_a_judgment_made_elsewhere_meanwhile_is_shown_beside_ones_own(visit: Visit, small: Path) -> None:
    page, elsewhere = visit("/c/small/judge?topic=1"), visit("/c/small/judge?topic=1")
    ready(page, "Document 1")
    ready(elsewhere, "Document 1")
    judge(elsewhere, "0")
    saved(elsewhere)
    judge(page, "1")
    expect(page.locator("#save-state")).to_contain_text("Problem")
    expect(page.locator("#problem-list")).to_contain_text("elsewhere: Not relevant")
    page.get_by_role("button", name="Store Relevant").click()
    saved(page)
    expect(page.locator("#problems")).to_be_hidden()
    assert short(small) == [("d1", "grade", 0), ("d1", "grade", 1)]


@pytest.mark.slow
@pytest.mark.parametrize(("button", "grades"), [("Store Relevant", [0, 1]), ("Keep Not relevant", [0])])
def test_a_judgment_that_the_server_stored_as_another_is_shown_beside_that(
    visit: Visit, small: Path, button: str, grades: list[int]
) -> None:
    page = visit("/c/small/judge?topic=1", intercepted=True)
    ready(page, "Document 1")
    page.route(
        "**/api/judgments",
        lambda route: route.continue_(post_data={**route.request.post_data_json, "grade": 0}),
    )
    judge(page, "1")
    expect(page.locator("#save-state")).to_contain_text("Problem")
    expect(page.locator("#problem-list")).to_contain_text(re.compile(r"^d1 — .*: Relevant\..*: Not relevant"))
    page.unroute_all()
    page.get_by_role("button", name=button).click()
    saved(page)
    expect(page.locator("#problems")).to_be_hidden()
    assert short(small) == [("d1", "grade", grade) for grade in grades]


@pytest.mark.slow
def test_a_refused_judgment_can_be_given_up_for_the_one_made_elsewhere(visit: Visit, small: Path) -> None:
    page, elsewhere = visit("/c/small/judge?topic=1"), visit("/c/small/judge?topic=1")
    ready(page, "Document 1")
    judge(elsewhere, "0")
    saved(elsewhere)
    judge(page, "1", "u")
    page.get_by_role("button", name="Keep Not relevant").click()
    saved(page)
    ready(page, "Document 1")
    expect(page.locator("#mine")).to_have_text("You judged this: Not relevant")
    judge(page, "1")
    saved(page)
    assert short(small) == [("d1", "grade", 0), ("d1", "grade", 1)]


@pytest.mark.slow
def test_a_text_that_changed_meanwhile_is_shown_again_before_it_is_judged(visit: Visit, small: Path) -> None:
    page = visit("/c/small/judge?topic=1")
    ready(page, "Document 1")
    loaded_ahead(page)
    with open_campaign(small) as campaign, campaign.write():
        new = Document("d1", "Document 1, corrected", "Another text.")
        campaign.db["document"].update(
            "d1", {"title": new.title, "text": new.text, "text_hash": text_hash(new)}
        )  # type: ignore[union-attr]
    page.keyboard.press("1")
    page.get_by_role("button", name="Open document").click()
    ready(page, "Document 1, corrected")
    saved(page)
    judge(page, "0")
    saved(page)
    assert short(small) == [("d1", "grade", 0)]


@pytest.mark.slow
def test_keys_work_inside_the_frame_of_a_web_page_and_nothing_in_it_runs(
    visit: Visit, make_campaign: MakeCampaign
) -> None:
    html = "<p>The Rhine</p><script>top.hacked = 1</script><img src=x onerror='top.hacked = 1'>"
    path = make_campaign(
        "pages",
        [Topic("1", "rivers")],
        [Document(name, name, html, "text/html") for name in ("p1", "p2", "p3")],
        {"alpha": {"1": ["p1", "p2", "p3"]}},
    )
    page = visit("/c/pages/judge?topic=1")
    ready(page, "p1")
    frame = page.frame_locator("iframe.current")
    frame.get_by_text("The Rhine").click()
    page.keyboard.press("1")
    ready(page, "p2")
    page.keyboard.press("0")
    ready(page, "p3")
    saved(page)
    assert short(path) == [("p1", "grade", 1), ("p2", "grade", 0)]
    assert page.evaluate("window.hacked") is None
    assert page.locator("iframe").first.get_attribute("sandbox") == "allow-same-origin"


@pytest.mark.slow
def test_a_finished_topic_says_so_and_undo_leads_back(visit: Visit, small: Path) -> None:
    page = visit("/c/small/judge?topic=2")
    judge(page, "1", "1")
    expect(page.locator("#document h2")).to_have_text("Topic complete")
    expect(page.locator(".finished a.button")).to_have_text("Next topic: frozen rivers")
    page.keyboard.press("1")
    page.keyboard.press("u")
    ready(page, "Document 2")
    saved(page)
    assert len(log(small)) == 2


@pytest.mark.slow
def test_a_phone_has_the_grades_under_the_thumb(visit: Visit, small: Path) -> None:
    page = visit("/c/small/judge?topic=1", viewport={"width": 390, "height": 844}, has_touch=True)
    ready(page, "Document 1")
    button = page.locator('[data-grade="1"]')
    box = button.bounding_box()
    assert box is not None
    assert box["y"] > 844 / 2
    assert min(box["width"], box["height"]) >= 44
    button.tap()
    ready(page, "Document 2")
    saved(page)
    assert short(small) == [("d1", "grade", 1)]


@pytest.mark.slow
def test_at_least_half_of_the_height_is_document_also_when_enlarged_to_200_percent(
    visit: Visit, small: Path
) -> None:
    page = visit("/c/small/judge?topic=1")
    for width, height in ((1440, 900), (720, 450), (844, 390), (640, 512), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        page.reload()
        ready(page, "Document 1")
        assert page.evaluate(SEEN_LINES, "#stage") >= 0.5
        for grade in (0, 1):
            expect(page.locator(f'[data-grade="{grade}"]')).to_be_in_viewport(ratio=1)
        assert page.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.slow
def test_many_judgments_that_were_not_stored_leave_half_of_the_height_to_the_document(
    visit: Visit, small: Path
) -> None:
    page = visit("/c/small/judge?topic=1")
    ready(page, "Document 1")
    page.evaluate("""() => {
        const row = "<li>your judgment here: Relevant <button class=small>Keep</button></li>";
        document.getElementById("problem-list").innerHTML = row.repeat(20);
        document.getElementById("problems").hidden = false;
    }""")
    last = page.locator("#problem-list button").last
    for width, height in ((1440, 900), (1366, 768), (720, 450)):
        page.set_viewport_size({"width": width, "height": height})
        page.locator("#problem-list").evaluate("(list) => list.firstElementChild.scrollIntoView()")
        assert page.evaluate(SEEN_LINES, "#stage") >= 0.5
        last.click()
        expect(last).to_be_in_viewport(ratio=1)


@pytest.mark.slow
@pytest.mark.parametrize("size", [(720, 450), (390, 844)])
def test_the_size_of_the_text_is_at_hand_where_there_is_no_room_for_all_buttons(
    visit: Visit, small: Path, size: tuple[int, int]
) -> None:
    page = visit("/c/small/judge?topic=1", viewport={"width": size[0], "height": size[1]})
    ready(page, "Document 1")
    page.evaluate("for (const id of ['whole', 'folds']) document.getElementById(id).hidden = false")
    if size[0] < 560:
        page.get_by_role("button", name="Reading tools").click()
    button = page.get_by_role("group", name="Reading").get_by_role("button", name="Preferences")
    expect(button).to_be_in_viewport(ratio=1)
    button.click()
    expect(page.get_by_role("dialog", name="Preferences")).to_be_visible()


@pytest.mark.slow
def test_at_400_percent_the_page_scrolls_as_a_whole_and_only_downwards(visit: Visit, small: Path) -> None:
    page = visit("/c/small/judge?topic=1", viewport={"width": 320, "height": 256})
    ready(page, "Document 1")
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    page.locator("#stage").scroll_into_view_if_needed()
    assert page.evaluate(SEEN_LINES, "#stage") >= 0.5
    page.locator('[data-grade="1"]').click()
    ready(page, "Document 2")
    saved(page)
    assert short(small) == [("d1", "grade", 1)]


def test_the_last_judgments_have_their_titles_after_a_reload(visit: Visit, small: Path) -> None:
    page = visit("/c/small/judge?topic=1")
    judge(page, "1", "0")
    saved(page)
    page.reload()
    ready(page, "Document 3")
    expect(page.locator("#recent .recent-title")).to_have_text(["Document 2", "Document 1"])


def test_a_link_to_a_document_that_cannot_be_judged_says_so_and_opens_no_other(
    visit: Visit, small: Path
) -> None:
    page = visit("/c/small/judge?topic=1&document=<i>unknown</i>")
    expect(page.locator("#document h2")).to_contain_text("No such document")
    expect(page.locator(".finished bdi")).to_have_text("<i>unknown</i>")
    page.keyboard.press("1")
    page.get_by_role("link", name="Continue with").click()
    ready(page, "Document 1")
    assert log(small) == []


@pytest.mark.slow
def test_the_keys_without_a_grade_stay_on_one_line_from_a_tablet_to_a_wide_screen(
    visit: Visit, small: Path
) -> None:
    page = visit("/c/small/judge?topic=1")
    ready(page, "Document 1")
    rows = {}
    for width in (390, 861, 1024, 1160, 1161, 1280, 1439, 1440):
        page.set_viewport_size({"width": width, "height": 768})
        rows[width] = page.locator(".actions button").evaluate_all(
            "(buttons) => new Set(buttons.map((button) => button.getBoundingClientRect().top)).size"
        )
    assert set(rows.values()) == {1}, rows


@pytest.mark.slow
def test_going_back_and_on_are_arrows_at_1024_pixels_and_never_a_bare_key(visit: Visit, small: Path) -> None:
    page = visit("/c/small/judge?topic=1")
    ready(page, "Document 1")
    shown = {}
    for width in (390, 1024, 1280, 1440):
        page.set_viewport_size({"width": width, "height": 768})
        buttons = page.locator(".actions :is([data-action=previous], [data-action=next])").all()
        seen = "(button) => [...button.children].filter((one) => one.offsetWidth > 1).map((one) => one.textContent)"
        shown[width] = [button.evaluate(seen) for button in buttons]
    assert shown == {
        390: [["Previous"], ["Next"]],
        1024: [["←"], ["→"]],
        1280: [["k", "←"], ["j", "→"]],
        1440: [["k", "Previous"], ["j", "Next"]],
    }


@pytest.mark.slow
def test_the_disc_of_the_highest_grade_is_full_without_a_slit(visit: Visit, small: Path) -> None:
    page = visit("/c/small/judge?topic=1", device_scale_factor=2)
    ready(page, "Document 1")
    disc = page.locator(".grade[data-grade='1'] .shape")
    expect(disc.locator(".shape-fill")).to_have_count(1)
    expect(disc.locator(".shape-pie")).to_have_count(0)


@pytest.mark.slow
def test_over_plain_http_without_modern_crypto_judging_works(visit: Visit, small: Path) -> None:
    page = visit("/c/small/judge?topic=1")
    page.add_init_script("delete Crypto.prototype.randomUUID; delete window.Crypto.prototype.subtle")
    page.reload()
    ready(page, "Document 1")
    page.keyboard.press("1")
    ready(page, "Document 2")
    saved(page)
    assert re.fullmatch(
        r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", log(small)[0].uuid
    )


@pytest.mark.slow
def test_a_note_that_is_too_long_stays_whole_and_keeps_the_judgment_back(visit: Visit, small: Path) -> None:
    page = visit("/c/small/judge?topic=1")
    ready(page, "Document 1")
    page.locator("#note").fill("x" * 10_007)
    expect(page.locator("#note-length")).to_contain_text("7 characters too long: 10,000")
    page.keyboard.press("Escape")
    page.keyboard.press("1")
    expect(page.locator("#said")).to_contain_text("Not stored: the")
    expect(page.locator("#stage")).to_have_attribute("aria-label", "Document 1")
    assert len(page.locator("#note").input_value()) == 10_007
    page.locator("#note").fill("x" * 10_000)
    expect(page.locator("#note-length")).to_have_text("")
    page.keyboard.press("Escape")
    page.keyboard.press("1")
    ready(page, "Document 2")
    saved(page)
    assert [len(judgment.comment) for judgment in log(small)] == [10_000]
