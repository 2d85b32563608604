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


def test_judged_support_is_scored_with_bounds_and_the_number_of_citations_that_count(
    done: Workbench, folder: Path
) -> None:
    sentences = [("A b.", [0, 1], ["PS", "FS"]), ("C.", [], []), ("D.", [1], [None])]
    record = {
        "run_id": "x",
        "topic_id": "17",
        "references": ["d1", "d2"],
        "answer": [{"text": text, "citations": cited} for text, cited, _ in sentences],
        "support_eval": [{"answer": text, "eval_scores": scores} for text, _, scores in sentences],
    }
    (folder / "s.jsonl").write_text(json.dumps(record))
    result = done("eval-answers s.jsonl")
    topic, means = map(json.loads, result.stdout.splitlines())
    shown = {name: topic[name] for name in ("qid", "most_citations", "weighted_precision", "words")}
    assert shown == {"qid": "17", "most_citations": 3, "weighted_precision": 1.5 / 3, "words": 4}
    assert topic["weighted_recall_mean(bound=upper)"] == (0.75 + 0 + 1) / 3
    assert (means["qid"], means["strict_recall_micro"]) == ("all", 1 / 3)
    assert says(result.stderr, "s.jsonl", "1", "3")
    assert (
        json.loads(done("eval-answers s.jsonl --most-citations 1").stdout.splitlines()[0])["strict_precision"]
        == 0
    )
    assert done("eval-answers - --format csv", given=json.dumps(record)).stdout.count("\n") == 3


def test_the_number_of_citations_is_refused_for_nuggets(fails: Fails, folder: Path) -> None:
    (folder / "n.jsonl").write_text('{"qid": "1", "nuggets": []}')
    assert says(fails("eval-answers n.jsonl --most-citations 1"), "n.jsonl", "--most-citations")
