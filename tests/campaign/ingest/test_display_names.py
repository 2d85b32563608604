"""A file that goes by another name than its path is spoken of, and recorded, by that name alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.campaign.ingest import RunOptions, add_documents, add_runs, add_topics, check_runs
from workbench.campaign.ingest.naming import with_display_names
from workbench.campaign.ingest.run_checks import RunsRefused
from workbench.core.errors import InputError, Problem
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import documents, runs
from workbench.storage.campaign.log.log import events


def written(folder: Path, text: str) -> str:
    path = folder / "0"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_where_files_have_no_other_names_an_error_stays_the_one_that_it_is() -> None:
    error = RunsRefused([], [Problem("a.run", 1, "no score")], 0)
    with pytest.raises(RunsRefused) as told, with_display_names({}):
        raise error
    assert told.value is error


def test_problems_that_are_not_listed_are_counted_under_other_names_too() -> None:
    with pytest.raises(InputError) as error, with_display_names({"0": "a.run"}):
        raise InputError([Problem("0", 1, "no score")], more=7)
    assert str(error.value) == "a.run:1: no score\n... and 7 more problems"


def test_a_run_is_recorded_under_its_name(small: Campaign, tmp_path: Path) -> None:
    path = written(tmp_path, "1 Q0 d1 1 2.5 gamma\n")

    added = add_runs(small.by("Olga"), [path], options=RunOptions(display_names={path: "gamma.txt"}))

    assert added.runs[0].file == "gamma.txt"
    assert {warning.file for warning in added.warnings} == {"gamma.txt"}
    assert runs.all_runs(small)[-1].record.file == "gamma.txt"


def test_a_run_named_by_its_file_is_named_by_the_files_name(small: Campaign, tmp_path: Path) -> None:
    path = written(tmp_path, "1 Q0 d1 1 2.5 gamma\n")
    assert (
        check_runs([path], small, options=RunOptions(name="file", display_names={path: "late.run"}))
        .runs[0]
        .tag
        == "late"
    )


def test_what_is_wrong_with_a_run_is_said_under_its_name(small: Campaign, tmp_path: Path) -> None:
    path = written(tmp_path, "1 Q0 d1 1 high gamma\n")
    with pytest.raises(InputError) as error:
        add_runs(small.by("Olga"), [path], options=RunOptions(display_names={path: "gamma.txt"}))
    assert str(error.value).startswith("gamma.txt:1: ")
    assert str(tmp_path) not in str(error.value)


def test_topics_in_two_files_are_said_under_both_names(small: Campaign, tmp_path: Path) -> None:
    one, other = tmp_path / "0", tmp_path / "1"
    for path in (one, other):
        path.write_text("7\twide seas\n", encoding="utf-8")
    display_names = {str(one): "a.tsv", str(other): "b.tsv"}
    with pytest.raises(InputError, match=r"^b\.tsv: topic '7' is in a\.tsv too"):
        add_topics(small.by("Olga"), list(display_names), display_names=display_names)


def test_the_log_has_the_name_of_a_file_of_topics(small: Campaign, tmp_path: Path) -> None:
    path = written(tmp_path, "7\twide seas\n")
    add_topics(small.by("Olga"), [path], display_names={path: "a.tsv"})
    (file,) = events(small, "topics")[-1].content["files"]
    assert (file["file"], file["path"]) == ("a.tsv", "a.tsv")


def test_a_single_document_is_named_by_its_files_name(small: Campaign, tmp_path: Path) -> None:
    path = written(tmp_path, "<!doctype html><html><title>Seas</title><p>Wide ones.</html>")
    add_documents(small.by("Olga"), [path], keep_all=True, display_names={path: "seas.html"})
    assert documents.find(small, "seas") is not None
    assert documents.sources(small)[-1].file.path == "seas.html"
