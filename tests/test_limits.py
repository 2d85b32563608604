"""What has a longest length, a largest number or a most: that much is taken, and one more is refused with the limit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from workbench.campaign import assigning, training
from workbench.campaign.assessing.repeats import set_repeats
from workbench.campaign.campaign_settings import SETTINGS
from workbench.campaign.content_changes import correct_topic, mark_broken
from workbench.campaign.ingest.senders import wrong_tag, wrong_team
from workbench.campaign.new_campaign import choose_least_teams
from workbench.campaign.pools.making import add_pool
from workbench.campaign.searching import Query, search_texts
from workbench.campaign.submission_rules import Field, parse_fields, parse_limit, wrong_description
from workbench.campaign.submissions.correcting import Correction, correct_run
from workbench.campaign.working_time import working_days
from workbench.core.errors import WorkbenchError
from workbench.core.records import Judgment, Rationale
from workbench.core.values import declared
from workbench.people.accounts.passwords import problem_with
from workbench.people.accounts.people import clean_name
from workbench.people.members.inviting import check_role
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning.training import EXAMPLE, TrainingPair

FIELDS = {field.name: field for field in declared(Judgment)}
FIELD = (Field("Model"),)


def sent(field: str, value: object) -> None:
    FIELDS[field].read(value)


def piece(text: str) -> dict[str, Any]:
    return Rationale("text", 0, len(text), text)._asdict()


def setting(name: str) -> Callable[[Campaign, int], object]:
    return lambda _, many: SETTINGS.find(name).value_of("x" * many)


TRIES: dict[str, tuple[int, Callable[[Campaign, int], object]]] = {
    "characters of an id": (10_000, lambda _, many: sent("document_id", "x" * many)),
    "characters of a comment": (10_000, lambda _, many: sent("comment", "x" * many)),
    "rationales": (50, lambda _, many: sent("rationales", [piece("x")] * many)),
    "characters of a rationale": (5_000, lambda _, many: sent("rationales", [piece("x" * many)])),
    "seconds at a judgment": (10_000_000, lambda _, many: sent("active_seconds", many)),
    "pairs to judge again": (
        1_000,
        lambda small, many: assigning.judge_again(small.by("O"), [("1", f"d{n}") for n in range(many)]),
    ),
    "characters of why a pair is judged again": (
        1_000,
        lambda small, many: assigning.judge_again(small.by("O"), [("1", "d1")], reason="x" * many),
    ),
    "minutes that a topic is held": (
        10_080,
        lambda small, many: assigning.choose_who_judges(small.by("O"), "claimed", lease_minutes=many),
    ),
    "judgments before a repeat": (
        10_000,
        lambda small, many: set_repeats(small.by("O"), 0.5, gap=many, seed=1),
    ),
    "minutes of a gap": (240, lambda small, many: working_days(small, gap=many)),
    "characters of what is broken": (
        1_000,
        lambda small, many: mark_broken(small.by("O"), ["d1"], reason="x" * many),
    ),
    "characters of why an example has its grade": (
        1_000,
        lambda small, many: training.choose_pair(
            small.by("O"), TrainingPair("1", "d1", EXAMPLE, 1, "x" * many)
        ),
    ),
    "characters of why a run is corrected": (
        1_000,
        lambda small, many: correct_run(small.by("O"), "alpha", Correction(depth=9), reason="x" * many),
    ),
    "fields of a description": (30, lambda _, many: parse_fields([f"f{number}" for number in range(many)])),
    "characters of a field": (60, lambda _, many: parse_fields(["x" * many])),
    "characters of a path": (200, lambda _, many: parse_fields(["Model=" + "x" * many])),
    "characters of a description": (
        2_000,
        lambda _, many: wrong_description(FIELD, {"Model": "x" * many}, complete=False),
    ),
    "runs of a team": (10_000, lambda _, many: parse_limit(many)),
    "teams": (100, lambda small, many: choose_least_teams(small.by("O"), many)),
    "characters of a topic's title": (
        1_000,
        lambda small, many: correct_topic(small.by("O"), "1", {"title": "x" * many}),
    ),
    "characters of a topic's text": (
        100_000,
        lambda small, many: correct_topic(small.by("O"), "1", {"narrative": "x" * many}),
    ),
    "characters of guidelines": (100_000, setting("guidelines")),
    "characters of a title": (200, setting("title")),
    "reasons for can't tell": (
        9,
        lambda _, many: SETTINGS.find("cannot-tell-reasons").value_of(";".join(map(str, range(many)))),
    ),
    "characters of a tag": (200, lambda _, many: wrong_tag("x" * many)),
    "characters of a run's team": (200, lambda _, many: wrong_team("x" * many)),
    "characters of a participant's team": (200, lambda _, many: check_role("participant", "x" * many)),
    "characters of a name": (64, lambda _, many: clean_name("x" * many)),
    "characters of a password": (128, lambda _, many: problem_with("x" * many, "anna")),
    "characters of a query": (1_000, lambda small, many: search_texts(small, Query("1", "x" * many))),
    "documents found": (1_000, lambda small, many: search_texts(small, Query("1", "river", limit=many))),
    "seed": (2**63 - 1, lambda small, many: add_pool(small.by("O"), depth=1, viewing_seed=many)),
}
"""Each limit, and what to do with a number of characters or things."""


@pytest.mark.parametrize("what", TRIES)
def test_the_limit_is_taken_and_one_more_is_refused_with_the_limit(small: Campaign, what: str) -> None:
    limit, tried = TRIES[what]
    assert f"{limit:,}" in refusal(tried, small, limit + 1).replace(str(limit), f"{limit:,}")
    assert f"{limit:,}" not in refusal(tried, small, limit).replace(str(limit), f"{limit:,}")


def refusal(tried: Callable[[Campaign, int], object], small: Campaign, many: int) -> str:
    try:
        said = tried(small, many)
    except (WorkbenchError, ValueError) as error:
        return str(error)
    return said if isinstance(said, str) else ""
