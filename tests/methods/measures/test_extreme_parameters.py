"""Whatever its parameters are within their limits, a measure gives numbers, or refuses with a reason."""

from __future__ import annotations

from math import inf, nextafter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.at_length import at_length
from tests.methods.measures.conftest import judged_rows
from workbench.core.errors import WorkbenchError
from workbench.core.ranking import POOLED, UNJUDGED
from workbench.methods.measures import MEASURES, parse_measure
from workbench.methods.measures.gains import Gains
from workbench.methods.measures.parameters import Parameter

GAINS = ("linear", "exp", "{0:1e15,1:0}", "{0:0.6,1:1}", "{1:1e-300,2:1e15}", "{1:-1e15,2:1e15}")
NUMBERS = (0, 1, 2, 0.5, 1e-300, 1e-9, 0.999999999, 3, 1000, 2**31, 1e15, 1e300)
LABELS = st.sampled_from([UNJUDGED, POOLED, -32766, -1, 0, 0, 1, 1, 2, 3, 974, 975, 1000, 32767])
ROWS = st.lists(st.tuples(st.lists(LABELS, max_size=6), st.lists(LABELS, max_size=3)), min_size=1, max_size=3)
NAMES = [name for name, one in MEASURES.items() if not one.of_sample and one.of != "subtopics"]


def words_of(parameter: Parameter) -> list[str]:
    """Values at and near the limits of a parameter, and far from them, as they are written."""
    limits = parameter.limits
    if parameter.kind is Gains:
        return list(GAINS)
    if limits.choices or parameter.kind in (str, bool):
        return [*limits.choices] or ["true", "false"]
    ends: list[float] = [each for each in (limits.least, limits.most) if each is not None]
    ends += [nextafter(limits.above, inf)] if limits.above is not None else []
    ends += [nextafter(limits.below, -inf)] if limits.below is not None else []
    numbers: list[Any] = [each for each in (*NUMBERS, *ends) if limits.allow(each) and abs(each) < inf]
    if parameter.kind is int:
        return [str(int(each)) for each in numbers if each == int(each)]
    return [repr(float(each)) for each in numbers] if parameter.kind is float else [limits.example]


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=at_length(600, 12))
@given(data=st.data(), rows=ROWS)
def test_no_value_of_a_parameter_gives_what_is_no_number(
    name: str, data: st.DataObject, rows: list[tuple[list[int], list[int]]]
) -> None:
    written = [
        f"{parameter.name}={data.draw(st.sampled_from(words_of(parameter)))}"
        for parameter in MEASURES[name].parameters
        if parameter.required or data.draw(st.booleans())
    ]
    try:
        values = parse_measure(f"{name}({','.join(written)})" if written else name)(judged_rows(*rows))
    except WorkbenchError:
        return
    assert np.isfinite(values).all(), (written, values)
