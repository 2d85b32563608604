"""What a form asks of a pool: numbers to the last one that is taken, and what is wrong in a sentence each."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.campaign.pools.making import add_pool
from workbench.storage.campaign import create_campaign, open_campaign
from workbench.web.setup.pool_request import PoolRequest, read_request, usual

DEFAULTS = PoolRequest(
    strategy="depth",
    parameters={"depth": 10},
    ties="descending",
    runs="",
    residual=None,
    viewing=None,
    viewing_seed=None,
    per_hour=None,
    hours_per_day=4.0,
    assessors=2,
)


@pytest.mark.parametrize(
    ("name", "field", "text", "value"),
    [
        ("viewing_seed", "seed", str(2**63 - 1), 2**63 - 1),
        ("viewing_seed", "seed", str(1 - 2**63), 1 - 2**63),
        ("viewing_seed", "seed", " 7 ", 7),
        ("per_hour", "per_hour", "0.1", 0.1),
        ("per_hour", "per_hour", "100000", 100_000.0),
        ("hours_per_day", "hours_per_day", "0.1", 0.1),
        ("hours_per_day", "hours_per_day", "24", 24.0),
        ("hours_per_day", "hours_per_day", "", 4.0),
        ("assessors", "assessors", "1", 1),
        ("assessors", "assessors", "10000", 10_000),
        ("assessors", "assessors", "", 2),
        ("runs", "runs", " a, b ", "a, b"),
        ("ties", "ties", "", "descending"),
        ("ties", "ties", "ascending", "ascending"),
        ("viewing", "viewing", "", None),
        ("viewing", "viewing", "shuffle", "shuffle"),
        ("residual", "residual", "yes", None),
    ],
)
def test_what_is_typed_is_taken(name: str, field: str, text: str, value: object) -> None:
    found, wrong = read_request({field: text}, DEFAULTS)
    assert (getattr(found, name), wrong) == (value, [])
    assert found._replace(**{name: getattr(DEFAULTS, name)}) == DEFAULTS


@pytest.mark.parametrize(
    ("field", "text", "said"),
    [
        ("per_hour", "0.09", "Judgments an hour must be a number from 0.1 to 100,000, not '0.09'."),
        ("per_hour", "100001", "Judgments an hour must be a number from 0.1 to 100,000, not '100001'."),
        ("per_hour", "nan", "Judgments an hour must be a number from 0.1 to 100,000, not 'nan'."),
        ("hours_per_day", "24.1", "Hours a day must be a number from 0.1 to 24, not '24.1'."),
        ("hours_per_day", "many", "Hours a day must be a number from 0.1 to 24, not 'many'."),
        ("assessors", "0", "Assessors must be a number from 1 to 10,000, not '0'."),
        ("assessors", "10001", "Assessors must be a number from 1 to 10,000, not '10001'."),
        ("assessors", "1.5", "Assessors must be a number from 1 to 10,000, not '1.5'."),
        ("assessors", "x" * 41, f"Assessors must be a number from 1 to 10,000, not '{'x' * 40}'."),
    ],
)
def test_what_cannot_be_is_said_and_is_as_usual(field: str, text: str, said: str) -> None:
    assert read_request({field: text}, DEFAULTS) == (DEFAULTS, [said])


def test_in_later_rounds_the_residue_is_as_asked_or_as_before() -> None:
    later = DEFAULTS._replace(residual=True)
    found = [read_request({"residual": text}, later)[0].residual for text in ("yes", "no", "", "perhaps")]
    assert found == [True, False, True, True]


def test_a_strategy_that_is_not_known_has_no_parameters() -> None:
    found, wrong = read_request({"strategy": "magic", "depth": "3"}, DEFAULTS)
    assert (found.strategy, found.parameters, wrong, found.of_strategy()) == ("magic", {}, [], {})


def test_a_request_is_its_own_address() -> None:
    asked = DEFAULTS._replace(residual=False, viewing="shuffle", viewing_seed=7, runs="a", per_hour=2.5)
    assert asked.of_pool().items() >= {
        ("strategy", "depth"),
        ("ties", "descending"),
        ("runs", "a"),
        ("residual", "no"),
        ("viewing", "shuffle"),
        ("seed", 7),
    }
    assert asked.of_work() == {"hours_per_day": "4", "assessors": 2, "per_hour": "2.5"}
    assert DEFAULTS.of_pool().keys() & {"residual", "viewing", "seed"} == set()
    assert DEFAULTS.of_work() == {"hours_per_day": "4", "assessors": 2}


def test_the_next_pool_is_like_the_newest_one_and_for_as_many_as_judge(small: Path, tmp_path: Path) -> None:
    with open_campaign(small) as campaign:
        add_pool(campaign.by("Anna"), strategy="depth", depth=7, ties="ascending")
        found = usual(campaign)
    assert (found.strategy, found.parameters["depth"], found.ties) == ("depth", 7, "ascending")
    assert (found.assessors, found.hours_per_day, found.residual) == (2, 4.0, None)
    with create_campaign(tmp_path / "empty.db") as empty:
        found = usual(empty)
    assert (found.strategy, found.ties, found.assessors, found.residual) == ("depth", "descending", 1, None)
