"""A campaign read from Python: the tables of the commands as frames, and nothing is written."""

from __future__ import annotations

import csv
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest
from click.testing import CliRunner

import workbench as wb
from tests.conftest import judge_as
from tests.sentences import refused, says
from tests.three_rounds import three_rounds
from workbench.cli import main
from workbench.core.errors import CampaignError, NotThere, UnknownName
from workbench.storage.campaign import open_campaign

JUDGED = [("Ann", "1", "d1", 2), ("Ben", "1", "d1", 0), ("Ann", "2", "d2", 1), ("Ann", "1", "d2", -2)]


@pytest.fixture
def path(small_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """`instance/small.db` of the working directory, judged in part by two assessors."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "instance").mkdir()
    file = tmp_path / "instance" / "small.db"
    file.write_bytes(small_file.read_bytes())
    with open_campaign(file) as campaign:
        for words in JUDGED:
            judge_as(campaign, *words)
    return file


@pytest.fixture
def campaign(path: Path) -> Iterator[wb.Campaign]:
    with wb.Campaign("small") as opened:
        yield opened


def printed(*words: str) -> list[dict[str, str]]:
    done = CliRunner().invoke(main, [*words, "--format", "csv"], catch_exceptions=False)
    return list(csv.DictReader(done.stdout.splitlines()))


def as_text(frame: pl.DataFrame) -> list[dict[str, str]]:
    """The rows as CSV has them."""
    return [
        {name: "" if value is None else str(value) for name, value in row.items()} for row in frame.to_dicts()
    ]


@pytest.mark.parametrize(
    ("method", "options", "words"),
    [
        ("runs", {}, ["runs", "small"]),
        ("topics", {}, ["topics", "small"]),
        ("topics", {"measure": "P@2"}, ["topics", "small", "-m", "P@2"]),
        ("agreement", {}, ["agreement", "small"]),
        ("agreement", {"by": "topic"}, ["agreement", "small", "--by", "topic"]),
        ("assessors", {}, ["assessors", "small"]),
        ("certain_pairs", {"measure": "P@2"}, ["certain", "small", "-m", "P@2"]),
        ("scores", {"measures": ["AP", "P@2"]}, ["score", "small", "-m", "AP", "-m", "P@2"]),
    ],
)
def test_frames_have_what_the_commands_print(
    campaign: wb.Campaign, method: str, options: dict[str, Any], words: list[str]
) -> None:
    rows = as_text(getattr(campaign, method)(**options))
    expected = printed(*words)
    assert [{name: row[name] for name in expected[0]} for row in rows] == expected


def test_as_of_a_row_it_has_what_commands_print_as_of_it(campaign: wb.Campaign) -> None:
    then = campaign.at(7)
    rows, expected = as_text(then.scores()), printed("score", "small", "--as-of", "7")
    assert [{name: row[name] for name in expected[0]} for row in rows] == expected
    assert (then.head, then.at(None).head) == (7, campaign.head)
    assert says(repr(then))


def test_pools_pairs_judgments_qrels_and_topic_scores_are_frames(campaign: wb.Campaign) -> None:
    assert campaign.pools().rows() == [(1, "depth", "depth=2", 2, 7, 6, None)]
    assert campaign.pooled().rows()[:2] == [("1", "d1", 1, 1, 1), ("1", "d2", 1, 2, 2)]
    assert campaign.pooled().columns == ["topic_id", "document_id", "pool", "best_rank", "runs"]
    assert len(campaign.pooled()) == 7
    judgments = campaign.judgments()
    assert judgments.select("assessor", "topic_id", "document_id", "grade").rows() == JUDGED
    assert judgments["seq"].to_list() == [7, 8, 9, 10]
    assert campaign.qrels().rows() == [("1", "d1", 0), ("2", "d2", 1)]
    assert ("1", "d2", -2) in campaign.qrels(special=True).rows()
    assert campaign.at(7).qrels().rows() == [("1", "d1", 2)]
    scores = campaign.topic_scores("P@1")
    assert scores.filter(pl.col("run") == "beta").select("topic_id", "P@1").rows() == [("1", 0.0), ("2", 1.0)]


def test_every_frame_can_be_one_of_pandas(path: Path) -> None:
    with wb.Campaign(path, library="pandas") as campaign:
        for name in ("runs", "topics", "pools", "pooled", "judgments", "qrels", "scores", "topic_scores"):
            assert isinstance(getattr(campaign, name)(), pd.DataFrame)
        scores = campaign.scores(["P@1"]).set_index("run")
        assert scores["P@1"].to_dict() == {"alpha": 0.0, "beta": 0.5}


def test_one_run_is_named_by_a_text(campaign: wb.Campaign) -> None:
    found = campaign.compare("beta", baseline="alpha", measure="P@1", permutations=10)
    same = campaign.compare(["beta"], baseline="alpha", measure="P@1", permutations=10)
    assert repr(found) == repr(same)
    with pytest.raises(CampaignError, match="two different runs"):
        campaign.compare("beta")
    assert campaign.certain_pairs(runs="beta").equals(campaign.certain_pairs(runs=["beta"]))


def test_a_campaign_shows_itself_and_nothing_is_written(path: Path, campaign: wb.Campaign) -> None:
    assert says(repr(campaign).splitlines()[0])
    assert [line.split() for line in repr(campaign).splitlines()[2:]] == [
        ["Topics", "3"],
        ["Runs", "2"],
        ["Pooled", "pairs", "7"],
        ["Judged", "pairs", "3"],
    ]
    assert '<td style="text-align: left">Runs</td>' in campaign._repr_html_()
    assert (campaign.name, campaign.title, campaign.head) == ("small", "Small", 10)
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        campaign._opened.db.conn.execute("DELETE FROM member")
    before = path.read_bytes()
    campaign.scores()
    campaign.agreement(by="pair")
    assert campaign.agreement(by="assessor").rows() == []  # nobody judged a pair twice
    assert path.read_bytes() == before


def test_a_campaign_that_is_not_there_and_a_wrong_word_are_named(path: Path, campaign: wb.Campaign) -> None:
    with refused(NotThere):
        wb.Campaign("other")
    with pytest.raises(UnknownName, match="write 'polars' or 'pandas'"):
        wb.Campaign("small", library="excel")
    with refused(UnknownName, "run", "campaign"):
        campaign.agreement(by="run")  # type: ignore[arg-type]


def test_a_campaign_is_seen_by_a_round(tmp_path: Path) -> None:
    with three_rounds(tmp_path):
        pass
    with wb.Campaign(tmp_path / "covid.db") as campaign:
        second = campaign.of_round("2-own")
        assert second.scores(["AP"])["run"].to_list() == ["a2", "b2"]
        assert len(campaign.of_round("all").scores(["AP"])) == len(campaign.scores(["AP"])) == 5
        with refused(NotThere, "7"):
            campaign.of_round("7")
