"""A team uses its tags in every round: a round is seen by the tags that were sent, all together tell them apart."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import write_run
from tests.release.bundle.test_of_rounds import files_of
from tests.three_rounds import judge
from workbench.analysis.run_profiles.one_run import run_scores
from workbench.analysis.run_profiles.table import run_table
from workbench.campaign.ingest import RunsRefused, add_runs
from workbench.campaign.rounds import open_round, seen_by_name
from workbench.campaign.submissions.correcting import Correction, correct_run
from workbench.core.records import Topic
from workbench.release.bundle.importing import import_bundle
from workbench.release.tables import scores_of
from workbench.release.team_sheets.sheets import sheets_of
from workbench.storage.campaign import Campaign, create_campaign, open_campaign
from workbench.storage.campaign.collection import topics


@pytest.fixture
def twice(tmp_path: Path) -> Iterator[Campaign]:
    """Delft's `bm25` and Athens' `dense`, each with another ranking in round 2; d1 is relevant, and d3 from round 2."""
    with create_campaign(tmp_path / "twice.db") as campaign:
        with campaign.write():
            topics.put(campaign.by("org"), [Topic("1", "")], files=[])
        for documents, grades in (("d1 d2", {("1", "d1"): 1}), ("d4 d3 d1", {("1", "d3"): 1})):
            if documents != "d1 d2":
                open_round(campaign.by("org"), "2")
            for team, tag, ranking in (("Delft", "bm25", documents), ("Athens", "dense", f"x {documents}")):
                folder = tmp_path / documents.replace(" ", "")
                folder.mkdir(exist_ok=True)
                path = write_run(folder / f"{tag}.run", tag, {"1": ranking})
                add_runs(campaign.by("org"), [path], team=team)
            judge(campaign, grades)
        yield campaign


def tags(campaign: Campaign, part: str) -> list[str]:
    """The runs on the board of a part, in the order of their tags."""
    return sorted(row.tag for row in scores_of(seen_by_name(campaign, part)).board.rows)


def test_the_board_of_a_round_has_the_tags_that_were_sent(twice: Campaign) -> None:
    assert [tags(twice, part) for part in ("1", "2", "2-residual")] == [["bm25", "dense"]] * 3
    assert tags(twice, "all") == ["bm25", "bm25.2", "dense", "dense.2"]


def test_scores_by_the_same_tag_are_of_the_round_that_is_looked_at(twice: Campaign) -> None:
    found = [run_scores(seen_by_name(twice, part), "bm25", "RR").mean for part in ("1", "2-own", "all")]
    assert found == [1.0, 0.5, 1.0]
    assert run_scores(twice, "bm25.2", "RR").mean == 0.5, "d4 is not relevant, d3 is"


@pytest.mark.parametrize("part", ["1", "2"])
def test_team_sheets_and_exports_of_a_round_have_the_tags_that_were_sent(twice: Campaign, part: str) -> None:
    seen = seen_by_name(twice, part)
    (sheet,) = sheets_of(seen, teams=["Delft"])
    assert [each.run.record.tag for each in sheet.parts] == ["bm25"]
    assert {row.tag for row in scores_of(seen).board.rows} == {"bm25", "dense"}
    assert [row.run.record.tag for row in run_table(seen).runs] == ["bm25", "dense"]
    assert all(row.judged is not None for row in run_table(seen).runs)


def test_the_same_file_once_more_is_refused_and_a_second_of_its_tag_too(
    twice: Campaign, tmp_path: Path
) -> None:
    for folder in ("d1d2", "d4d3d1"):
        with pytest.raises(RunsRefused, match="there already"):
            add_runs(twice, [str(tmp_path / folder / "bm25.run")], team="Delft")


def test_a_name_that_a_run_has_already_is_not_taken(twice: Campaign, tmp_path: Path) -> None:
    open_round(twice.by("org"), "3")
    for tag in ("bm25.3", "bm25"):
        add_runs(twice.by("org"), [write_run(tmp_path / f"{tag}.run", tag, {"1": f"{tag} d1"})], team="Delft")
    assert tags(twice, "3") == ["bm25", "bm25.3"]
    assert "bm25.3.2" in tags(twice, "all")


def test_a_run_that_is_given_another_tag_is_seen_by_that_one(twice: Campaign) -> None:
    correct_run(twice.by("org"), "bm25.2", Correction(tag="okapi"))
    assert tags(twice, "2") == ["dense", "okapi"]


def test_a_release_keeps_the_tags_that_were_sent(twice: Campaign, tmp_path: Path) -> None:
    files = files_of(twice, tmp_path / "twice.zip")
    sent = {row["run"]: row["sent"] for row in map(json.loads, files["runs.jsonl"].splitlines())}
    assert sent == {"bm25": "", "bm25.2": "bm25", "dense": "", "dense.2": "dense"}
    assert import_bundle(tmp_path / "twice.zip", tmp_path / "again.db", actor="org").same_scores
    with open_campaign(tmp_path / "again.db") as again:
        assert [tags(again, part) for part in ("1", "2")] == [["bm25", "dense"]] * 2
