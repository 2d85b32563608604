"""Scores of assigned answers are those of nuggetizer, which `make test-slow` installs, byte for byte."""

from __future__ import annotations

import importlib
import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.at_length import at_length
from tests.conftest import skip_or_fail
from workbench.cli import main

pytestmark = pytest.mark.slow

nuggets = st.fixed_dictionaries(
    {
        "text": st.sampled_from(["a", "b", "c"]),
        "importance": st.sampled_from(["vital", "okay", "failed"]),
        "assignment": st.sampled_from(["support", "partial_support", "not_support", "failed"]),
    }
)
topics = st.one_of(st.integers(0, 99), st.from_regex(r"[a-z][0-9]{1,3}", fullmatch=True))
files = st.lists(
    st.tuples(topics, st.lists(nuggets, max_size=30)),
    min_size=1,
    max_size=12,
    unique_by=lambda pair: str(pair[0]),
)


@given(files)
@settings(max_examples=at_length(300, 60), deadline=None)
def test_one_run_is_printed_as_nuggetizer_prints_it(answers: list[tuple[Any, list[dict[str, str]]]]) -> None:
    try:
        metrics = importlib.import_module("nuggetizer.core.metrics")
    except ImportError:
        skip_or_fail("nuggetizer is not installed: make test-slow")
    records = [{"qid": qid, "run_id": "x", "nuggets": nuggets} for qid, nuggets in answers]
    lines = [
        json.dumps(vars(metrics.calculate_nugget_scores(each["qid"], each["nuggets"]))) for each in records
    ]
    lines.append(json.dumps(metrics.calculate_global_metrics(records)))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "a.jsonl"
        file.write_text("".join(json.dumps(each) + "\n" for each in records))
        result = CliRunner().invoke(main, ["eval-answers", str(file)], catch_exceptions=False)
    assert result.stdout == "".join(line + "\n" for line in lines)
