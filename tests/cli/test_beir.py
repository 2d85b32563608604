"""A campaign goes out as a folder of BEIR, and comes in from one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.fixture_types import Workbench
from tests.sentences import says


@pytest.fixture
def exported(done: Workbench) -> Path:
    """The campaign `small` as such a folder: a special grade, and ids that a table would quote."""
    Path("qrels.txt").write_text('1 0 d1 2\n1 0 d2 0\n2 0 d1 -2\n10 0 "d,6" 1\n', encoding="utf-8")
    Path("topics.jsonl").write_text(json.dumps({"qid": "1", "title": "ice", "narrative": "in ✓ winter"}))
    done("add topics small topics.jsonl")
    done("add qrels small qrels.txt")
    assert says(done("export beir small -o out/beir").stderr, "3 judgments", "1 special")
    return Path("out/beir")


def test_the_three_files_have_the_texts_topics_and_labels(exported: Path) -> None:
    corpus = [json.loads(line) for line in (exported / "corpus.jsonl").read_text().splitlines()]
    first = {"_id": "d1", "title": "Document d1", "text": "The text of document 1.", "metadata": {}}
    assert (len(corpus), corpus[0]) == (5, first)
    queries = [
        json.loads(line) for line in (exported / "queries.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    assert queries[0] == {"_id": "1", "text": "ice", "metadata": {"narrative": "in ✓ winter"}}
    head, *lines = (exported / "qrels" / "test.tsv").read_text().splitlines()
    assert head.split("\t") == ["query-id", "corpus-id", "score"]
    assert lines == ["1\td1\t2", "1\td2\t0", '10\t"""d,6"""\t1']


def test_a_campaign_takes_them_one_command_each(exported: Path, done: Workbench) -> None:
    done("new again --grades 0:No,1:Yes,2:Very")
    done(f"add topics again {exported}/queries.jsonl")
    done(f"add documents again {exported}/corpus.jsonl --all")
    done(f"add qrels again {exported}/qrels/test.tsv")
    done("export beir again -o twice")
    for name in ("queries.jsonl", "corpus.jsonl", "qrels/test.tsv"):
        assert Path("twice", name).read_text(encoding="utf-8") == (exported / name).read_text(
            encoding="utf-8"
        ), name
