"""A bundle of a campaign of several rounds: qrels and scores of each, which come out of it again."""

from __future__ import annotations

import csv
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.release.bundle.test_importing import changed
from tests.three_rounds import ROUNDS, three_rounds
from workbench.campaign.content_changes import withdraw_runs
from workbench.campaign.rounds import seen_by_name
from workbench.cli import main
from workbench.release.bundle.importing import import_bundle
from workbench.release.bundle.writing import BundleOptions, save_bundle
from workbench.release.tables import scores_of
from workbench.scoring.board.table import RENDERINGS
from workbench.storage.campaign import Campaign, open_campaign

PARTS = ("1", "2", "2-residual", "2-own", "3", "3-residual", "3-own")
QRELS = {"d1_j1": ("--round", "1"), "d2_j2": ("--round", "2"), "d2_j1-2": ("--up-to-round", "2")}
QRELS |= {"d3_j3": ("--round", "3"), "d3_j1-3": ("--up-to-round", "3")}


@pytest.fixture
def covid(tmp_path: Path) -> Iterator[Campaign]:
    with three_rounds(tmp_path) as campaign:
        yield campaign


def files_of(campaign: Campaign, path: Path) -> dict[str, bytes]:
    """What the bundle holds, by paths."""
    save_bundle(campaign, path, options=BundleOptions(runs=True))
    with zipfile.ZipFile(path) as archive:
        return {name.partition("/")[2]: archive.read(name) for name in archive.namelist()}


def test_its_qrels_of_rounds_are_those_of_the_command_to_the_byte(covid: Campaign, tmp_path: Path) -> None:
    files = files_of(covid, tmp_path / "covid.zip")
    assert {name for name in files if name.startswith("qrels/")} == {
        f"qrels/qrels-covid_{name}.txt" for name in QRELS
    }
    for name, words in QRELS.items():
        written = tmp_path / name
        call = ["export", "qrels", str(covid.path), *words, "-o", str(written)]
        assert CliRunner().invoke(main, call, catch_exceptions=False).exit_code == 0
        assert files[f"qrels/qrels-covid_{name}.txt"] == written.read_bytes()


def test_it_has_the_scores_of_each_round_by_whatever_counts(covid: Campaign, tmp_path: Path) -> None:
    files = files_of(covid, tmp_path / "covid.zip")
    assert {name for name in files if name.startswith("scores/round-")} == {
        f"scores/round-{part}/{name}.csv" for part in PARTS for name in ("board", "topics")
    }
    for part in PARTS:
        board = "".join(RENDERINGS["csv"](scores_of(seen_by_name(covid, part)).board))
        assert files[f"scores/round-{part}/board.csv"] == board.encode()


def test_it_lists_the_rounds_in_a_table_and_in_the_datasheet(covid: Campaign, tmp_path: Path) -> None:
    files = files_of(covid, tmp_path / "covid.zip")
    rows = list(csv.DictReader(files["rounds.csv"].decode().splitlines()))
    assert [(row["round"], row["runs"], row["topics"], row["judgments"]) for row in rows] == [
        ("1", "2", "2", "5"),
        ("2", "2", "1", "8"),
        ("3", "1", "0", "5"),
    ]
    datasheet = files["DATASHEET.md"].decode()
    assert (
        "There were 3 rounds, round 1: 2 runs, 2 topics, 0 pools, 5 judgments; round 2: 2 runs" in datasheet
    )


@pytest.mark.parametrize("withdrawn", [[], ["b2"]])
def test_read_back_it_has_the_same_rounds(covid: Campaign, tmp_path: Path, withdrawn: list[str]) -> None:
    if withdrawn:  # after the end of its round, in which it is still seen
        withdraw_runs(covid.by("org"), withdrawn, reason="by accident")
    before = files_of(covid, tmp_path / "covid.zip")
    (tmp_path / "again").mkdir()
    restored = import_bundle(tmp_path / "covid.zip", tmp_path / "again" / "covid.db", actor="org")
    assert restored.same_scores
    with open_campaign(tmp_path / "again" / "covid.db") as again:
        after = files_of(again, tmp_path / "again.zip")
    same = [name for name in before if name.startswith(("qrels/", "scores/round-3"))]
    assert [name for name in same if before[name] != after[name]] == []
    assert len(same) == len(QRELS) + 6
    assert all(tag.encode() in before["scores/round-2/board.csv"] for tag in ROUNDS["2"].runs)


def test_a_board_of_a_round_that_was_changed_does_not_come_out_the_same(
    covid: Campaign, tmp_path: Path
) -> None:
    files = files_of(covid, tmp_path / "covid.zip")
    wrong = files["scores/round-2-own/board.csv"].replace(b"a2,", b"a2,no team", 1)

    path = changed(tmp_path / "covid.zip", "scores/round-2-own/board.csv", lambda _: wrong)
    assert import_bundle(path, tmp_path / "again.db", actor="org").same_scores is False


def test_a_campaign_of_one_round_has_no_files_of_rounds(small: Campaign, tmp_path: Path) -> None:
    names = files_of(small, tmp_path / "small.zip")
    assert not [name for name in names if "round" in name or name.startswith("qrels/")]
