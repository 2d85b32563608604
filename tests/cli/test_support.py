"""Citations on the command line: `workbench check` of BioGen's task A, `workbench eval-answers` of judged support."""

from __future__ import annotations

import json
from pathlib import Path

from tests.fixture_types import Fails, Workbench
from tests.sentences import says


def grounded(folder: Path, supported: list[int]) -> None:
    """A run of BioGen's task A."""
    metadata = {"team_id": "uni", "run_id": "best", "qa_id": "116", "question": "Does it help?"}
    sentence = {"text": "It helps.", "supported_citations": supported, "contradicted_citations": []}
    (folder / "a.jsonl").write_text(json.dumps({"metadata": metadata, "answers": [sentence]}))


def test_a_run_of_biogens_task_a_is_checked(done: Workbench, folder: Path) -> None:
    grounded(folder, [1, 2, 3])
    assert says(done("check a.jsonl").stdout, "a.jsonl", "task A")


def test_a_fourth_citation_is_refused(fails: Fails, folder: Path) -> None:
    grounded(folder, [1, 2, 3, 4])
    assert says(fails("check a.jsonl"), "answers[0].supported_citations", "4")
