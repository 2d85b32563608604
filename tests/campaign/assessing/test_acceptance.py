"""What is refused, and as which kind of row the rest is stored: from the state of a pair alone, without a campaign."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from workbench.campaign.assessing import Shown
from workbench.campaign.assessing.permission import Access, Permit
from workbench.campaign.assessing.showing import OwnJudgments
from workbench.campaign.assessing.storing import PairState, kind_of_row
from workbench.core.errors import JudgmentRefused
from workbench.core.records import Document, Judgment, Rationale, Topic
from workbench.storage.campaign.assigning.norming import Session
from workbench.storage.campaign.grades.judgments import Earlier
from workbench.storage.campaign.organising.settings import Settings

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
ANYBODY = Permit(Access("whole", ("", ""), 0, frozenset()))
SHOWN = Shown(Topic("1", "birds"), 4, Document("d1", "Owls", "Owls fly"), "hash", 1, 2, None)
GRADED = Judgment(
    7, "0" * 36, "", None, "Ann", "1", "d1", 1, "hash", 4, 2, "grade", 1, None, None, "", "screen",
)  # fmt: skip
OPEN = PairState(Settings("Birds"), SHOWN, OwnJudgments(), "", False, Earlier(None, None), None, ANYBODY)
SEEN = OPEN._replace(own=OwnJudgments(GRADED, GRADED))
DUE_AGAIN = OPEN._replace(own=OwnJudgments(None, GRADED))
REPEATED = OPEN._replace(own=OwnJudgments(GRADED._replace(seq=9), GRADED, has_repeat=True))
IN_SESSION = OPEN._replace(session=Session(1, "1", ("d1", "d2"), 3), permit=None)
SENT = GRADED._replace(seq=0)


def came_in(seconds: int) -> Earlier:
    return Earlier(None, (NOW + timedelta(seconds=seconds)).isoformat())


@pytest.mark.parametrize(
    ("state", "sent", "kind"),
    [
        (OPEN, {}, "grade"),
        (OPEN, {"kind": "can't tell", "grade": None}, "can't tell"),
        (SEEN, {"replaces": 7, "grade": 0}, "grade"),
        (SEEN, {"replaces": 7, "kind": "cleared", "grade": None}, "cleared"),
        (DUE_AGAIN, {}, "repeat"),
        (DUE_AGAIN, {"replaces": 7}, "grade"),
        (REPEATED, {"replaces": 9}, "repeat"),
        (IN_SESSION, {}, "norming"),
        (OPEN._replace(twin_is_pooled=True), {"same_as": "d2"}, "grade"),
        (OPEN, {"rationales": (Rationale("text", 0, 4, "Owls"),)}, "grade"),
        (OPEN._replace(earlier=came_in(-60)), {}, "grade"),
        (OPEN._replace(earlier=came_in(1)), {}, "grade"),
    ],
)
def test_what_fits_is_stored_as_its_kind(state: PairState, sent: dict[str, Any], kind: str) -> None:
    assert kind_of_row(state, SENT._replace(**sent), now=NOW) == kind


@pytest.mark.parametrize(
    ("state", "sent", "reason"),
    [
        (OPEN, {"pool": 2}, "unknown pair"),
        (OPEN._replace(shown=SHOWN._replace(text_hash=None)), {}, "text changed"),
        (OPEN, {"text_hash": "other"}, "text changed"),
        (OPEN._replace(never_shown="the topic is another"), {}, "text changed"),
        (OPEN._replace(never_shown="so are the guidelines"), {}, "text changed"),
        (OPEN, {"replaces": 7}, "replaced elsewhere"),
        (SEEN, {}, "replaced elsewhere"),
        (REPEATED, {"replaces": 7}, "replaced elsewhere"),
        (OPEN, {"kind": "cleared", "grade": None}, "bad value"),
        (OPEN, {"rationales": (Rationale("text", 0, 4, "Hens"),)}, "bad value"),
        (OPEN, {"same_as": "d2"}, "bad value"),
        (OPEN, {"grade": 2}, "bad grade"),
        (OPEN._replace(earlier=came_in(-59)), {}, "too many in a minute"),
        (IN_SESSION._replace(session=Session(1, "1", ("d2",), 3)), {}, "unknown pair"),
        (IN_SESSION._replace(session=Session(1, "1", ("d1",), 3, closed=8)), {}, "norming closed"),
        (
            OPEN._replace(permit=Permit(Access("", ("topic closed", "closed"), 0, frozenset()))),
            {},
            "topic closed",
        ),
        (
            OPEN._replace(
                rules=Settings("Birds", who_judges="assigned"),
                permit=Permit(Access("whole", ("", ""), 1, frozenset()), frozenset({"Ben"})),
            ),
            {},
            "judged by another",
        ),
        (
            OPEN._replace(
                rules=Settings("Birds", who_judges="assigned"),
                permit=Permit(Access("second", ("", ""), 1, frozenset({"Ann"})), frozenset({"Ben"})),
            ),
            {},
            "not yours",
        ),
    ],
)
def test_what_does_not_fit_is_refused(state: PairState, sent: dict[str, Any], reason: str) -> None:
    with pytest.raises(JudgmentRefused) as error:
        kind_of_row(state, SENT._replace(**sent), now=NOW)
    assert error.value.reason == reason
