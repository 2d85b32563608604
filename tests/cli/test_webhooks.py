"""Webhooks on the command line."""

from __future__ import annotations

import csv

from tests.fixture_types import Fails, Workbench
from tests.receivers import receiver, statuses
from tests.sentences import says


def rows(done: Workbench, words: str = "") -> list[dict[str, str]]:
    return list(csv.DictReader(done(f"campaign webhooks small {words} --format csv").stdout.splitlines()))


def test_a_webhook_is_added_tried_listed_and_removed(done: Workbench, fails: Fails) -> None:
    with receiver(statuses(204, 404)) as (url, came):
        added = done("campaign webhooks small --event pool.grew --add", url)
        assert added.stdout.startswith("whsec_")
        (webhook,) = rows(done)
        number = webhook["number"]
        assert says(added.stderr, number)
        assert webhook == {"number": number, "address": url, "events": "pool.grew"}
        test = f"campaign webhooks small --try {number}"
        assert "127.0.0.1" in fails(test)
        assert came == []
        assert "204" in done(f"{test} --webhook-network 127.0.0.0/8").stderr
        assert says(fails(f"{test} --webhook-network 127.0.0.0/8"), "404")
    assert [each.event for each in came] == [("test", {"row": int(number)})] * 2
    sent = [(each["event"], each["state"], each["status"]) for each in rows(done, "--sent")]
    assert sent == [("test", "waiting", "404"), ("test", "delivered", "204"), ("test", "waiting", "0")]
    assert says(done(f"campaign webhooks small --remove {number}").stderr, number)
    assert (rows(done), rows(done, "--sent")) == ([], [])
    assert says(fails(f"campaign webhooks small --remove {number}"), number)


def test_without_an_event_all_are_sent_and_what_is_wrong_is_refused(done: Workbench, fails: Fails) -> None:
    done("campaign webhooks small --add https://hook.example/")
    assert [each["events"] for each in rows(done)] == [
        "topic.finished, pool.grew, run.submitted, pair.certain"
    ]
    assert says(fails("campaign webhooks small --add https://hook.example/ --event pool.grow"), "pool.grow")
    assert says(fails("campaign webhooks small --add hook.example"), "hook.example")
    assert "10.0.0.1/8" in fails("campaign webhooks small --webhook-network 10.0.0.1/8", status=2)
    assert says(fails("campaign webhooks small --sent --remove 7", status=2))
