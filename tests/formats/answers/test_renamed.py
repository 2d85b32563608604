"""Records of answers under other names."""

from __future__ import annotations

import json

from tests.made_answers import answer
from workbench.formats.answers.renamed import renamed


def test_names_and_all_fields_that_a_task_does_not_need_are_gone() -> None:
    record = json.loads(answer("17", run="best", team="uni"))
    record["metadata"] |= {"creator": "Ann", "email": "a@uni.example", "run_desc": "our BM25"}
    record |= {"program": "uni-rag 2.0", "response_length": 4, "run_id": "best"}
    record["answer"][0] |= {"metadata": {"model": "uni-7b"}, "trace": "uni"}
    found = renamed(json.dumps(record), "kxv", "kxv-07")
    assert json.loads(found) == {
        "metadata": {
            "team_id": "kxv",
            "run_id": "kxv-07",
            "narrative_id": "17",
            "narrative": "How …",
            "run_desc": "kxv-07",
        },
        "references": record["references"],
        "answer": [
            {"text": "Reefs recover slowly.", "citations": [1], "metadata": {}},
            {"text": "Cooler years help.", "citations": [0, 1]},
        ],
        "response_length": 4,
        "run_id": "kxv-07",
    }


def test_numbers_stay_as_they_are_written_and_texts_in_any_script() -> None:
    found = renamed(
        '{"topic_id": 7.10, "answer": [{"text": "نعم", "citations": {"d": 1.50}}, "odd"]}', "kxv", "kxv-07"
    )
    assert found == '{"topic_id": 7.10, "answer": [{"text": "نعم", "citations": {"d": 1.50}}, "odd"]}'
