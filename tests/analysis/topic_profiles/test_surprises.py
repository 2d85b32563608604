"""Documents on which runs and assessors see things differently."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.fixture_types import JudgeAs, WriteRun
from workbench.analysis.topic_profiles import Surprise, _names, surprises
from workbench.campaign.ingest import add_qrels, add_runs
from workbench.core.errors import UnknownName
from workbench.scoring.board.past_boards import scoring_of
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import runs


def test_what_at_least_half_of_the_runs_found_and_is_not_relevant_is_named(judged: Campaign) -> None:
    found = surprises(judged, "1")
    assert (found.runs, found.depth) == (2, 100)
    assert found.not_relevant == (Surprise("d2", "Document d2", 0, 2, 2),)
    assert found.relevant == ()
    assert surprises(judged, "1", most=0).not_relevant == ()
    # d2 has rank 2 in both runs; alpha, half of the runs, has d1 at rank 1.
    found = surprises(judged, "1", depth=1)
    assert (found.not_relevant, found.relevant) == ((), ())
    with pytest.raises(UnknownName, match="there is no topic '7'"):
        surprises(judged, "7")


def test_a_relevant_document_that_no_run_has_comes_first(judged: Campaign, tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("1 0 d77 1\n1 0 d5 2\n", encoding="utf-8")
    add_qrels(judged.by("Olga"), [str(tmp_path / "qrels")])
    titles = [
        (one.document_id, one.title, one.grade, one.best_rank) for one in surprises(judged, "1").relevant
    ]
    assert titles == [("d5", "Document d5", 2, None), ("d77", "", 1, None)]


def test_a_run_without_the_topic_is_not_one_of_its_runs(
    judged: Campaign, written_run: WriteRun, tmp_path: Path
) -> None:
    add_runs(judged.by("Olga"), [written_run(tmp_path / "gamma.run", "gamma", {"2": "d1 d2"})])
    assert [surprises(judged, topic_id).runs for topic_id in ("1", "2")] == [2, 3]


def test_the_one_nearest_the_top_comes_first_among_equals(judged: Campaign, judging_as: JudgeAs) -> None:
    judging_as(judged, "Ann", "1", "d1", -2)
    found = surprises(judged, "1").not_relevant
    assert [(one.document_id, one.best_rank) for one in found] == [("d1", 1), ("d2", 2)]


def test_all_documents_that_no_run_has_are_named_by_the_numbers_of_the_topic(judged: Campaign) -> None:
    scoring = scoring_of(judged)
    vocabulary = list(runs.vocabulary(judged, "1"))
    every = list(range(len(vocabulary)))
    unknown = replace(scoring, numbers={})
    assert _names(judged, unknown, "1", every) == dict(enumerate(vocabulary))
    assert _names(judged, scoring, "1", []) == {}
