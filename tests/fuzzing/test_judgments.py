"""Judgments as no page sends them: stored as they should be, or refused in words, and the log still holds."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID

from hypothesis import strategies as st

from tests.fuzzing.mutations import NASTY
from tests.fuzzing.requests import Request
from tests.fuzzing.running import NUMBERS, feed, few_or_many
from tests.fuzzing.watching import Watched
from workbench.release.audit.checks import audit
from workbench.storage.campaign import open_campaign

ADDRESS = "/c/small/api/judgments"
SHOWN = "/c/small/api/document?topic={}&document={}"
PAIRS = [("1", "d1"), ("1", "d2"), ("1", "d4"), ("2", "d1"), ("2", "d5"), ("10", "d6")]

odd_texts = [word.decode() for word in NASTY if len(word) < 600 and word.isascii()]
rationale = st.fixed_dictionaries(
    {
        "field": st.just("text"),
        "start": st.integers(-1, 20),
        "end": st.integers(),
        "text": st.text(max_size=3),
    }
)
odd = st.one_of(
    *(st.none(), st.booleans(), st.integers(-3, 3), st.integers(), st.floats(), st.text(max_size=10)),
    *(st.sampled_from([*odd_texts, "\ud800", "x" * 20_000]), st.lists(rationale, max_size=3)),
    st.dictionaries(st.text(max_size=3), st.none(), max_size=2),
)


def as_the_page_sends(watched: Watched, topic_id: str, document_id: str) -> dict[str, Any]:
    """A good judgment of a pair, but for its uuid."""
    shown = watched.ask(Request("GET", SHOWN.format(topic_id, document_id), b"", {})).get_json()
    same = ("log", "pool", "text_hash", "topic_version", "guideline_version")
    return {
        "topic_id": topic_id,
        "document_id": document_id,
        **{name: shown[name] for name in same},
        "kind": "grade",
        "grade": 1,
        "replaces": None,
        "client_at": "2026-03-01T12:00:00Z",
        "active_seconds": 1.5,
        "comment": "",
        "input": "key",
        "same_as": None,
        "rationales": [],
    }


@few_or_many
def test_a_judgment_that_no_page_sends_is_stored_or_refused_and_the_log_holds(
    watched: Watched, many: bool
) -> None:
    good = [as_the_page_sends(watched, *pair) for pair in PAIRS[:-1]]
    stored = 0

    def check(sent: tuple[dict[str, Any], UUID, dict[str, Any], set[str], bool]) -> None:
        nonlocal stored
        base, uuid, changes, missing, follows = sent
        body = {
            **base,
            "uuid": str(uuid),
            **({"replaces": newest.get(key(base))} if follows else {}),
            **changes,
        }
        asked = {name: value for name, value in body.items() if name not in missing}
        answer = watched.check(
            Request("POST", ADDRESS, json.dumps(asked).encode(), {"Content-Type": "application/json"})
        )
        if answer.status_code == 201:
            stored += 1
            mine = answer.get_json()["stored"]
            newest[mine["topic_id"], mine["document_id"]] = mine["seq"]
        else:
            assert answer.status_code == 200 or answer.get_json()["message"]

    newest: dict[tuple[str, str], int] = {}

    def key(base: dict[str, Any]) -> tuple[str, str]:
        return base["topic_id"], base["document_id"]

    changes = st.dictionaries(st.sampled_from([*good[0], "uuid", "more"]), odd, max_size=3)
    missing = st.sets(st.sampled_from(sorted(good[0])), max_size=1)
    feed(
        st.tuples(st.sampled_from(good), st.uuids(), changes, missing | st.just(set()), st.booleans()),
        check,
        NUMBERS["judgment"].some(many),
    )
    assert stored
    with open_campaign(watched.path) as campaign:
        assert [finding.wrong for finding in audit(campaign) if finding.wrong] == []
