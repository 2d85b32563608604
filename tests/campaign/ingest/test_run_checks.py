"""The check of a run: the name that it goes by, and what is said of ids that nobody knows."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import pytest

from workbench.campaign.ingest import RunOptions, add_documents, check_runs, naming
from workbench.campaign.ingest.run_checks import run_name
from workbench.storage.campaign import Campaign


@pytest.mark.parametrize(
    ("file", "name"),
    [
        *(
            (f"runs/bm25.{suffix}", "bm25")
            for suffix in ("txt", "run", "trec", "res", "gz", "xz", "bz2", "zst")
        ),
        ("bm25.run.gz", "bm25"),
        ("bm25.v2", "bm25.v2"),
        ("bm25.gz.run", "bm25.gz"),
        ("my own run.txt", "my_own_run"),
    ],
)
def test_a_run_named_by_its_file_has_no_usual_suffix_and_no_blanks(file: str, name: str) -> None:
    run: Any = SimpleNamespace(file=file, tag="a tag")
    assert (run_name(run, "file"), run_name(run, "tag")) == (name, "a tag")


@pytest.mark.parametrize(("known", "is_said"), [("D1", True), ("D1 D2", False)])
def test_what_unknown_documents_may_be_is_said_where_most_are_unknown(
    small: Campaign, tmp_path: Path, known: str, is_said: bool
) -> None:
    (source := tmp_path / "more.jsonl").write_text('{"id": "D1", "text": "t"}\n{"id": "D2", "text": "t"}\n')
    add_documents(small.by("Olga"), [str(source)])
    documents = ["D1-1", "D2-1", *known.split()]
    lines = (f"1 Q0 {document} {rank} {9 - rank} a\n" for rank, document in enumerate(documents))
    (path := tmp_path / "a.run").write_text("".join(lines))
    (check,) = check_runs([str(path)], small, options=RunOptions(all_or_nothing=False)).checks
    (found,) = [problem for problem in check.problems if problem.kind == "document-without-text"]
    assert ("'D1-1' would be 'D1'" in found.message) == is_said


def test_the_campaigns_documents_are_looked_through_once_for_all_files(
    small: Campaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (source := tmp_path / "more.jsonl").write_text('{"id": "D1", "text": "t"}\n{"id": "D2", "text": "t"}\n')
    add_documents(small.by("Olga"), [str(source)])
    for tag, documents in {"a": "D1 D3 D3b", "b": "D4 D2", "c": "D1 D2"}.items():
        lines = (
            f"1 Q0 {document} {rank} {9 - rank} {tag}\n" for rank, document in enumerate(documents.split())
        )
        (tmp_path / f"{tag}.run").write_text("".join(lines))
    known = MagicMock(wraps=naming.unknown_values)
    monkeypatch.setattr(naming, "unknown_values", known)
    checks = check_runs([str(tmp_path / f"{tag}.run") for tag in "abc"], small).checks
    found = [each for check in checks for each in check.problems if each.kind == "document-without-text"]
    assert [(Path(each.file).name, each.line, each.message.partition(" are")[0]) for each in found] == [
        ("a.run", 2, "2 of 3 documents"),
        ("b.run", 1, "1 of 2 documents"),
    ]
    assert known.call_count == 1
