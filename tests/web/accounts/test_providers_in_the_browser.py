"""Chromium goes to the provider and back: the content policy, cookies and redirects are those of a browser."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.fixture_types import MakeApp
from tests.stories import own_port
from tests.web.accounts.openid_provider import provider
from tests.web.conftest import serving
from workbench.people.accounts import Accounts, open_accounts
from workbench.people.members.inviting import Invitation, invite
from workbench.storage.campaign import open_campaign
from workbench.web.app import ServerRules

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_an_invitation_is_accepted_and_a_form_is_confirmed_at_the_provider_without_losing_what_was_typed(
    browser: Browser, make_app: MakeApp, instance: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_accounts(instance) as accounts, open_campaign(instance / "robust.db") as campaign:
        token = invite(campaign.by("Anna"), accounts.by("Anna", "10.0.0.1"), Invitation("assessor"))
    with own_port() as port, provider(f"http://127.0.0.1:{port}/sign-in/with/uni") as uni:
        here = f"http://127.0.0.1:{port}"
        app = make_app(operated=ServerRules(providers=[uni.declared(here)]))
        with serving(app, port), browser.new_context() as context:
            page = context.new_page()
            page.goto(f"{here}/invitation/{token}")
            page.get_by_label("User name").fill("Dora")
            page.get_by_role("button", name="Accept with Example University").click()
            page.get_by_label("Name").fill("d-1")
            page.get_by_role("button", name="Sign in there").click()
            page.wait_for_url(f"{here}/c/robust/**")
            now = Accounts.now.fget  # type: ignore[attr-defined]
            monkeypatch.setattr(Accounts, "now", property(lambda self: now(self) + timedelta(minutes=20)))
            page.goto(f"{here}/account")
            page.locator("#purpose").fill("nightly scores")
            page.get_by_role("button", name="Create token").click()
            with context.expect_page() as opened:
                page.get_by_role("button", name="Confirm with Example University").click()
            there = opened.value
            there.get_by_label("Name").fill("d-1")
            there.get_by_role("button", name="Sign in there").click()
            expect(there.get_by_role("heading", name="Confirmed")).to_be_visible()
            page.get_by_role("button", name="Continue", exact=True).click()
            expect(page.get_by_role("rowheader", name="nightly scores")).to_be_visible()
            page.get_by_role("button", name="Sign out", exact=True).first.click()
            page.goto(f"{here}/sign-in?next=/account")
            page.get_by_role("button", name="Sign in with Example University").click()
            page.wait_for_url(f"{here}/account")
