"""A file that goes by another name than its path is spoken of, and recorded, by that name alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.campaign.ingest import add_documents, add_topics
from workbench.core.errors import InputError
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import documents
from workbench.storage.campaign.log.log import events


def written(folder: Path, text: str) -> str:
    path = folder / "0"
    path.write_text(text, encoding="utf-8")
    return str(path)


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
