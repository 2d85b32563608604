"""Names of files keep to their folder, and people stay unnamed."""

from __future__ import annotations

import pytest

from workbench.release.names import LONGEST, file_name, numbered_names, pseudonyms


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("bm25", "bm25"),
        ("../../etc/passwd", "etc-passwd"),
        ("a\\b", "a-b"),
        ("C:\\CON", "C-CON"),
        ("فريق البحث", "فريق-البحث"),
        ("$(rm -rf /) `x`", "rm--rf-x"),
        ("..", "unnamed"),
        ("", "unnamed"),
        ("🙂", "unnamed"),
        (".hidden", "hidden"),
        ("Aux", "x-Aux"),
        ("com1.run", "x-com1.run"),
        ("console", "console"),
        ("X_", "X"),
    ],
)
def test_nothing_in_a_name_leads_out_of_a_folder(name: str, file: str) -> None:
    assert file_name(name) == file


def test_names_and_people_are_numbered_in_their_order() -> None:
    assert numbered_names(["BM25", "bm25", "a/b"], ".run") == ["001-BM25.run", "002-bm25.run", "003-a-b.run"]
    assert pseudonyms(["Zoë", "Anna"]) == {"Zoë": "assessor-1", "Anna": "assessor-2"}


def test_a_name_is_cut_at_a_whole_letter_to_what_systems_allow() -> None:
    assert file_name("a" + "语" * 200) == "a" + "语" * ((LONGEST - 1) // 3)
