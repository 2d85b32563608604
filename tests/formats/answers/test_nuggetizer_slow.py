"""Nuggets of nuggetizer, which `make test-slow` installs, become banks, and nuggets of its classes again."""

from __future__ import annotations

import importlib
import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.at_length import at_length
from tests.conftest import skip_or_fail
from workbench.formats.answers.bank_forms import read_banks
from workbench.formats.answers.banks_written import banks_text

pytestmark = pytest.mark.slow

nuggets = st.lists(
    st.tuples(st.text(min_size=1), st.sampled_from(["vital", "okay", "failed"])), min_size=1, max_size=30
)


@given(nuggets)
@settings(max_examples=at_length(300, 60), deadline=None)
def test_what_nuggetizer_scores_is_read_and_what_is_written_is_what_it_scored(
    scored: list[tuple[str, str]],
) -> None:
    try:
        types = importlib.import_module("nuggetizer.core.types")
    except ImportError:
        skip_or_fail("nuggetizer is not installed: make test-slow")
    made = [types.ScoredNugget(text, importance) for text, importance in scored]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "nuggets.jsonl"
        file.write_text(json.dumps({"query": "reefs", "qid": "17", "nuggets": [vars(each) for each in made]}))
        read = read_banks(file)
    assert [(each.text, each.importance) for each in read.banks[0].nuggets] == scored
    for form in ("nuggetizer", "v4"):
        record = json.loads(banks_text(read, form))
        record = record["banks"]["17"] if form == "v4" else record
        assert [types.ScoredNugget(**each) for each in record["nuggets"]] == made
