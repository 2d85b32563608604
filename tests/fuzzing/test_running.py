from __future__ import annotations

import pytest
from hypothesis import strategies as st

from tests.fuzzing.running import NUMBERS, PROMISED, feed


def test_the_slow_tests_are_given_as_many_inputs_as_are_promised() -> None:
    assert sum(numbers.whole for numbers in NUMBERS.values()) >= PROMISED


def test_a_check_that_was_given_too_few_inputs_fails() -> None:
    with pytest.raises(AssertionError):
        feed(st.booleans(), lambda given: None, 5)


def test_what_a_check_finds_is_raised_as_it_is() -> None:
    def no_threes(given: int) -> None:
        if given == 3:
            raise KeyError(given)

    with pytest.raises(KeyError):
        feed(st.integers(0, 9), no_threes, 50)
