"""Runs are ordered once and packed; vocabularies grow at their end, so that old rankings keep their meaning."""

from __future__ import annotations

import hashlib
import struct
from pathlib import Path

import pytest

from tests.fixture_types import WriteRun
from workbench.campaign.content_changes import withdraw_runs
from workbench.campaign.ingest import add_runs
from workbench.core.errors import AlreadyDone
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import runs
from workbench.storage.campaign.collection.ranking_blobs import checksum_of_ids, unpack_documents
from workbench.storage.campaign.log import log


def rankings_of(campaign: Campaign, number: int) -> dict[str, list[str]]:
    vocabularies = runs.vocabularies(campaign)
    return {
        row.topic_id: [vocabularies[row.topic_id][place] for place in unpack_documents(row.documents)]
        for row in runs.packed_rankings(campaign, run=number)
    }


def test_a_run_is_kept_with_its_rankings_in_rank_order(small: Campaign) -> None:
    alpha, beta = runs.all_runs(small)
    assert (alpha.run, alpha.record.tag, alpha.record.lines, alpha.record.topics) == (1, "alpha", 5, 2)
    assert alpha.record.contributes is True
    assert rankings_of(small, beta.run) == {"1": ["d4", "d2", "d1"], "2": ["d2", "d5"], "10": ["d6"]}


def test_two_runs_have_no_tag_in_common(small: Campaign) -> None:
    before = log.newest_seq(small)
    with pytest.raises(AlreadyDone, match="small has a run 'alpha' already"), small.by("Olga").write():
        runs.put_run(small.by("Olga"), runs.all_runs(small)[0].record, [])
    assert log.newest_seq(small) == before


def test_runs_are_those_added_up_to_a_place_in_the_log(small: Campaign) -> None:
    alpha, _ = runs.all_runs(small)
    assert runs.all_runs(small.at(alpha.seq - 1)) == []
    assert runs.all_runs(small.at(alpha.seq)) == [alpha]
    assert {row.run for row in runs.packed_rankings(small.at(alpha.seq))} == {alpha.run}


def test_withdrawn_runs_do_not_count_among_the_runs_of_a_topic(small: Campaign) -> None:
    assert runs.numbers_by_topic(small) == {"1": 2, "10": 1, "2": 2}
    withdraw_runs(small.by("Olga"), ["beta"])
    assert runs.numbers_by_topic(small) == {"1": 1, "2": 1}


def test_a_vocabulary_grows_at_its_end(small: Campaign, written_run: WriteRun, tmp_path: Path) -> None:
    before = {number: rankings_of(small, number) for number in (1, 2)}
    old = runs.vocabularies(small)
    add_runs(small.by("Olga"), [written_run(tmp_path / "c.run", "gamma", {"1": "a0 d2 d9 d1", "2": "d2"})])
    assert old["1"] == ["d1", "d2", "d3", "d4"]
    assert runs.vocabulary(small, "1") == [*old["1"], "a0", "d9"]
    assert runs.vocabulary(small, "2") == old["2"]
    assert runs.vocabulary(small, "none") == []
    assert {number: rankings_of(small, number) for number in (1, 2)} == before
    assert rankings_of(small, 3) == {"1": ["a0", "d2", "d9", "d1"], "2": ["d2"]}


def test_ids_with_quotes_and_in_any_script_stay_themselves(
    small: Campaign, written_run: WriteRun, tmp_path: Path
) -> None:
    strange = ["it's", 'a"b', "%", "007", "7", "雪", "😀", "a\\n", ";--"]
    add_runs(small.by("Olga"), [written_run(tmp_path / "c.run", "gämma", {"1": " ".join(strange)})])
    assert rankings_of(small, 3)["1"] == strange
    assert runs.all_runs(small)[-1].record.tag == "gämma"


def test_the_checksum_covers_topics_documents_and_scores_with_their_lengths() -> None:
    ids, scores = "d2\nd1\n", struct.pack("<2d", 2.0, 1.0)
    parts = [b"1", ids.encode(), scores]
    expected = hashlib.sha256(b"".join(len(part).to_bytes(8, "little") + part for part in parts)).hexdigest()
    assert checksum_of_ids([("1", ids, scores)]) == expected
    assert checksum_of_ids([("1" + "\0", ids, scores)]) != expected
