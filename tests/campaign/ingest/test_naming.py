"""Unknown ids are shown briefly, with what they were probably meant to be."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from tests.sentences import says
from workbench.campaign.ingest import add_documents, naming
from workbench.campaign.ingest.naming import by_position, likely_mapping, likely_topics, topics_at
from workbench.storage.campaign import Campaign


@pytest.mark.parametrize(
    ("unknown", "known"),
    [
        (["001", "010"], {"1", "10"}),
        (["MARCO_D1-11", "MARCO_D2-4"], {"MARCO_D1", "MARCO_D2"}),
        (["msmarco_v2.1_doc_0#3"], {"msmarco_v2.1_doc_0"}),
        (["ft911-3"], {"FT911-3"}),
        (["CLEF-C301"], {"301"}),
    ],
)
def test_a_likely_mapping_is_named_with_an_example(unknown: list[str], known: set[str]) -> None:
    assert says(likely_mapping(unknown, known) or "")


def test_ids_that_have_nothing_in_common_have_no_mapping() -> None:
    assert likely_mapping(["a", "b"], {"1", "2"}) is None
    assert likely_mapping(["001", "x", "y"], {"1"}) is None


def test_a_mapping_is_likely_once_half_of_the_ids_have_it() -> None:
    said = likely_mapping(["01", "x"], {"1"}) or ""
    assert says(said, "'01'", "'1'")
    assert likely_topics(["01", "x"], {"1"}) == (said, {"01": "1"})
    assert likely_topics(["01", "x", "y"], {"1"}) is None


def test_topics_counted_by_position_are_recognised_among_topics_with_other_ids() -> None:
    known = {"301", "302", "310"}
    assert says(by_position(["1", "2", "3"], known))
    for ids in (["1", "2"], ["0", "3"], ["1", "x", "3"], ["3", "9" * 5000], []):
        assert by_position(ids, known) is None


@pytest.mark.parametrize(
    ("unknown", "known", "names"),
    [
        (["ice", "x"], {"ice-thin", "sea-deep", "sea-warm"}, {"ice": "ice-thin"}),  # begins one id alone
        (["sea"], {"ice-thin", "sea-deep", "sea-warm"}, None),
        (["51"], {"051", "52"}, {"51": "051"}),
        (["51"], {"051", "0051"}, None),
        (["51", "051"], {"0051", "7"}, None),  # two would become one
    ],
)
def test_a_topic_is_renamed_to_the_one_that_it_can_only_be(
    unknown: list[str], known: set[str], names: dict[str, str] | None
) -> None:
    found = likely_topics(unknown, known)
    assert (found.names if found else None) == names


def test_ids_that_are_topics_count_positions_only_if_they_reach_the_last_and_one_is_no_topic() -> None:
    known = ["1", "2", "40"]
    assert topics_at(["1", "2", "3"], known) == {"1": "1", "2": "2", "3": "40"}
    assert topics_at(["1", "2"], known) is None
    assert topics_at(["3"], known) == {"3": "40"}
    assert topics_at(["1", "2", "3"], ["1", "2", "3"]) is None


def test_ids_of_a_collection_are_known_however_many_are_in_memory_at_once(
    small: Campaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in "ab":
        (source := tmp_path / f"{name}.jsonl").write_text(
            "".join(json.dumps({"id": f"{name}0{number}", "text": "t"}) + "\n" for number in range(3))
        )
        add_documents(small.by("Olga"), [str(source)])
    monkeypatch.setattr(naming, "IDS_AT_ONCE", 1)
    known = naming.KnownDocuments(small)
    assert [len(ids) for ids in known][-2:] == [3, 3]
    column = pl.Series(["b01", "b1", "a02", "x"])
    assert sorted(naming.unknown_values([column], known)) == ["b1", "x"]
    assert naming.known_variants(["B01", "a02-3"], known) == {"b01", "a02"}
