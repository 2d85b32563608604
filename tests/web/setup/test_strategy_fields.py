"""The fields in which the parameters of a strategy are typed."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tests.sentences import says
from workbench.core.parameters import Limits
from workbench.methods.pooling import STRATEGIES
from workbench.web.setup import strategy_fields
from workbench.web.setup.strategy_fields import (
    LONGEST_VALUE,
    addressed,
    field_name,
    fields_of,
    read_fields,
    usual_values,
)


class One(SimpleNamespace):
    """In the place of a parameter."""

    __hash__ = object.__hash__


def parameter(**given: Any) -> Any:
    """A parameter, required and given once unless it is said otherwise."""
    limits = Limits("", choices=given.pop("choices", ()), example=given.pop("example", "5"))
    usual = {"name": "k", "kind": int, "help": "", "required": True, "repeated": False, "default": None}
    return One(**{**usual, "limits": limits, "read": int, **given})


@pytest.mark.parametrize(
    ("one", "value"),
    [
        (parameter(), 5),
        (parameter(example="a number"), None),
        (parameter(choices=("team", "run")), "team"),
        (parameter(required=False, default=7), 7),
        (parameter(repeated=True, default=[3]), [3]),
    ],
)
def test_a_form_begins_with_the_default_the_first_choice_or_the_example(one: Any, value: object) -> None:
    assert strategy_fields._first(one) == value


def test_pairs_candidates_and_runs_with_a_number_have_a_field_of_many_lines() -> None:
    lines = {
        (strategy.name, one.name)
        for strategy in STRATEGIES.values()
        for one in strategy.parameters
        if strategy_fields._field(one, None).control == "lines"
    }
    assert lines == {
        ("list", "pairs"),
        ("imported", "candidates"),
        ("depth", "run_depths"),
        ("depth", "priorities"),
    }


@pytest.mark.parametrize(
    ("given", "control", "choices"),
    [
        ({}, "number", ()),
        ({"repeated": True}, "text", ()),
        ({"kind": float}, "text", ()),
        ({"kind": bool}, "choice", ("true", "false")),
        ({"kind": bool, "required": False}, "choice", ("", "true", "false")),
        ({"kind": bool, "required": False, "default": False}, "choice", ("true", "false")),
        ({"kind": str, "choices": ("team", "run")}, "choice", ("team", "run")),
        ({"kind": str, "choices": ("team", "run"), "repeated": True}, "text", ("team", "run")),
    ],
)
def test_a_parameter_has_the_field_of_its_kind(
    given: dict[str, Any], control: str, choices: tuple[str, ...]
) -> None:
    field = strategy_fields._field(parameter(**given), None)
    assert (field.control, tuple(field.choices), field.value) == (control, choices, "")


@pytest.mark.parametrize("name", sorted(STRATEGIES))
def test_the_fields_of_each_strategy_give_back_what_is_in_them(name: str) -> None:
    strategy = STRATEGIES[name]
    usual = usual_values(strategy, {})
    fields = fields_of(strategy, usual)
    assert [field.name for field in fields] == [field_name(one) for one in strategy.parameters]
    assert len({field.name for field in fields}) == len(fields)
    assert addressed(strategy, usual).keys() == {field.name for field in fields}
    assert read_fields(strategy, {field.name: field.value for field in fields}, usual) == (usual, {})


def test_a_value_too_long_for_an_address_is_said_and_one_left_open_is_the_default() -> None:
    strategy = STRATEGIES["depth"]
    usual = usual_values(strategy, {"depth": 4, "budget": 9})
    found, wrong = read_fields(strategy, {"depth": "1" * (LONGEST_VALUE + 1)}, usual)
    assert (found, list(wrong), says(wrong["depth"], "depth", "5,000")) == (usual, ["depth"], True)
    found, wrong = read_fields(strategy, {"budget": " ", "depth": ""}, usual)
    assert (found["budget"], found["depth"], wrong) == (None, 4, {})
    _, wrong = read_fields(strategy, {"depth": "deep"}, usual)
    assert (list(wrong), "'deep'" in wrong["depth"]) == (["depth"], True)


@pytest.mark.parametrize("name", sorted(STRATEGIES))
def test_a_strategy_asks_for_three_things_at_most_and_folds_the_rest(name: str) -> None:
    strategy = STRATEGIES[name]
    fields = fields_of(strategy, usual_values(strategy, {}))
    first = [field.name for field in fields if not field.is_extra]
    assert set(first) >= {field.name for field in fields if field.required}
    assert set(first) <= {"depth", "budget", "strata", "pairs", "candidates", "judge"}
    assert all(field.help for field in fields)


def test_a_budget_that_is_given_is_not_folded_away() -> None:
    strategy = STRATEGIES["depth"]
    values = usual_values(strategy, {"depth": 4, "budget": 9})
    assert [field.name for field in fields_of(strategy, values) if not field.is_extra] == ["depth", "budget"]


def test_yes_and_no_are_words_on_the_page() -> None:
    (field,) = [each for each in fields_of(STRATEGIES["rrf"], {}) if each.name == "per_topic"]
    assert (field.control, field.choices) == ("choice", {"true": "yes", "false": "no"})
