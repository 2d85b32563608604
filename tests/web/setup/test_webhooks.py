"""The page Webhooks, for organisers, who give their password again before they change anything."""

from __future__ import annotations

import re
from pathlib import Path

from flask.testing import FlaskClient

from tests.fixture_types import TokenOf
from tests.sentences import says
from tests.web.alerts import alerts
from workbench.people.accounts import open_accounts
from workbench.people.accounts.webhooks import due, messages, note_attempt, webhooks
from workbench.release.webhooks.sending import secret_of

PAGE = "/c/small/settings/webhooks"
URL = "https://hook.example/a?b=<c>"


def post(client: FlaskClient, token_of: TokenOf, **form: object) -> tuple[int, str]:
    answer = client.post(PAGE, data={"csrf_token": token_of(client), **form})
    return answer.status_code, answer.text


def test_a_webhook_is_added_with_its_secret_shown_once_tried_and_removed(
    small: Path, anna: FlaskClient, token_of: TokenOf, instance: Path
) -> None:
    assert says(anna.get(PAGE).text, "No webhooks yet")
    status, text = post(anna, token_of, do="add", url=URL, event=["topic.finished", "pair.certain"])
    assert status == 201
    with open_accounts(instance) as accounts:
        (webhook,) = webhooks(accounts)
        assert webhook.url == URL
        assert text.count(secret_of(accounts, webhook)) == 1
        assert "whsec_" not in anna.get(PAGE).text
        assert post(anna, token_of, do="try", number=webhook.row)[0] == 303
        (message,) = messages(accounts, webhook.log, 9)
        note_attempt(
            accounts,
            message,
            {"at": "2026-03-01T12:00:00+00:00", "status": 0, "milliseconds": 1234, "error": "no such <host>"},
        )
        seen = anna.get(PAGE).text
        assert re.search(r"<th scope=.row.>test .*waiting.*1,234 ms.*no such &lt;host&gt;", seen, re.DOTALL)
        assert "a?b=&lt;c&gt;" in seen
        assert post(anna, token_of, do="remove", number=webhook.row)[0] == 303
        assert (webhooks(accounts), due(accounts)) == ([], [])


def test_what_cannot_be_added_is_said_and_what_was_typed_is_kept(
    small: Path, anna: FlaskClient, token_of: TokenOf
) -> None:
    status, text = post(anna, token_of, do="add", url="ftp://hook.example/", event="topic.finished")
    assert (status, 'value="ftp://hook.example/"' in text) == (422, True)
    assert says(alerts(text), "ftp://hook.example/")
    assert says(alerts(post(anna, token_of, do="add", url=URL)[1]), "topic.finished")
    assert says(alerts(post(anna, token_of, do="remove", number="7")[1]), "7")
    assert post(anna, token_of, do="try", number="seven")[0] == 422


def test_nobody_else_comes_near(small: Path, ben: FlaskClient, token_of: TokenOf) -> None:
    assert ben.get(PAGE).status_code == 403
    assert post(ben, token_of, do="add", url=URL, event="topic.finished")[0] == 403
