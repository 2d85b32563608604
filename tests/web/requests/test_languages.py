"""Pages are in the language that their reader chose, that the browser asks for, or that the campaign has."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask, render_template_string
from flask.testing import FlaskClient
from lxml import html

from tests.fixture_types import SignIn, TokenOf
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.organising import settings
from workbench.web.requests import languages
from workbench.web.requests.catalogues import LANGUAGES


def tags(client: FlaskClient, address: str, **headers: str) -> tuple[str, str]:
    """What a page says of itself: its language and its direction."""
    root = html.document_fromstring(client.get(address, headers=headers).text)
    return root.get("lang"), root.get("dir")


def choose(
    client: FlaskClient, token_of: TokenOf, code: str, address: str = "/language?next=/account"
) -> int:
    return client.post(address, data={"language": code, "csrf_token": token_of(client)}).status_code


def test_the_languages_that_organisers_can_set_are_those_with_a_name() -> None:
    assert tuple(LANGUAGES) == settings.LANGUAGES


@pytest.mark.parametrize(
    ("asked", "tag"),
    [
        ("de", "de"),
        ("de-AT, en;q=0.8", "de"),
        ("en-GB, de;q=0.9", "en"),
        ("pt, fr-CA;q=0.5, de;q=0.4", "fr"),
        ("zh-CN", "zh-Hans"),
        ("de;q=0, pt", "en"),
        ("", "en"),
        ("*", "en"),
        (";;;, \u00ff-\u00ff", "en"),
    ],
)
def test_a_browser_gets_the_first_language_that_it_asks_for_and_there_is(
    app: Flask, asked: str, tag: str
) -> None:
    assert tags(app.test_client(), "/sign-in", accept_language=asked)[0] == tag


def test_arabic_pages_go_from_right_to_left(app: Flask) -> None:
    assert tags(app.test_client(), "/sign-in", accept_language="ar") == ("ar", "rtl")


def test_a_choice_holds_for_the_browser_and_for_the_account(
    app: Flask, client_of: SignIn, token_of: TokenOf
) -> None:
    visitor, ben = app.test_client(), client_of(app, "Ben")
    assert choose(visitor, token_of, "es") == 303
    assert tags(visitor, "/sign-in", accept_language="de")[0] == "es"
    assert tags(ben, "/account")[0] == "en"
    assert choose(ben, token_of, "fr") == 303
    assert tags(client_of(app, "Ben"), "/account", accept_language="de")[0] == "fr"


def test_a_language_that_there_is_not_and_a_page_elsewhere_are_not_taken(
    app: Flask, token_of: TokenOf
) -> None:
    client = app.test_client()
    assert [choose(client, token_of, code) for code in ("", "xx", "../de", "DE")] == [400] * 4
    answer = client.post(
        "/language?next=https://example.org/", data={"language": "de", "csrf_token": token_of(client)}
    )
    assert answer.location == "/"
    client.set_cookie(languages.COOKIE, "../../etc")
    assert tags(client, "/sign-in") == ("en", "ltr")


def test_a_campaign_has_a_language_for_those_who_say_none(small: Path, app: Flask, client_of: SignIn) -> None:
    with open_campaign(small) as campaign, campaign.write():
        settings.change(campaign.by("Anna"), {"language": "de"})
    ben = client_of(app, "Ben")
    assert tags(ben, "/c/small/own-topics")[0] == "de"
    assert tags(ben, "/c/small/own-topics", accept_language="fr")[0] == "fr"
    assert tags(ben, "/account")[0] == "en"


def test_pages_of_organisers_are_english_below_a_menu_in_their_language(
    small: Path, app: Flask, client_of: SignIn
) -> None:
    page = html.document_fromstring(
        client_of(app, "Anna").get("/c/small/settings", headers={"Accept-Language": "ar"}).text
    )
    (masthead,) = page.find_class("masthead")
    assert (page.get("lang"), page.get("dir")) == ("en", "ltr")
    assert (masthead.get("lang"), masthead.get("dir")) == ("ar", "rtl")


@pytest.mark.parametrize(
    ("code", "number", "day", "moment"),
    [
        ("en", "1,480,000", "6 Mar 2026", "6 Mar 2026, 08:05 UTC"),
        ("de", "1.480.000", "6. März 2026", "6. März 2026, 08:05 UTC"),
        ("fr", "1\u202f480\u202f000", "6 mars 2026", "6 mars 2026, 08:05 UTC"),
        ("zh", "1,480,000", "2026年3月6日", "2026年3月6日, 08:05 UTC"),
        ("ar", "1,480,000", "6 مارس 2026", "6 مارس 2026, 08:05 UTC"),
    ],
)
def test_numbers_and_days_are_written_as_the_language_has_them(
    app: Flask, code: str, number: str, day: str, moment: str
) -> None:
    with app.test_request_context("/sign-in", headers={"Accept-Language": code}):
        assert languages.in_figures(1_480_000) == number
        assert languages.day("2026-03-06") == day
        assert languages.moment("2026-03-06T09:05:59+01:00") == moment
        assert languages.day("soon") == "soon"


def test_outside_a_request_messages_are_english() -> None:
    assert languages.gettext("100 %% of %(name)s", name="robust") == "100 % of robust"
    assert languages.ngettext("%(num)s topic", "%(num)s topics", 1480) == "1,480 topics"
    assert languages.gettext("") == ""


def test_data_in_a_template_is_escaped_whether_it_is_a_message_or_a_value(app: Flask) -> None:
    with app.test_request_context("/sign-in"):
        page = render_template_string(
            "{{ _(data) }} {{ _('Topic %(name)s', name=data) }}"
            "{% trans name=data %}Topic <bdi>{{ name }}</bdi>{% endtrans %}",
            data="<b>%s %(x)s %",
        )
    assert page == ("&lt;b&gt;%s %(x)s % Topic &lt;b&gt;%s %(x)s %Topic <bdi>&lt;b&gt;%s %(x)s %</bdi>")
