"""A sample goes out as files, which give the numbers of the board when they come in again."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

import workbench as wb
from tests.fixture_types import JudgeAs
from tests.sentences import says
from workbench.campaign.ingest import add_runs
from workbench.campaign.pools.making import add_pool
from workbench.cli import main
from workbench.formats.samples import read_sampled_qrels
from workbench.scoring.board import score_campaign
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import pools

WriteRun = Callable[[Path, str, dict[str, str]], str]
STRATA = ["xinfAP", "infNDCG", "infP@3", "statP@3", "statAP", "statRBP(p=0.8)", "statPVariance@3"]
PROBABILITIES = ["statP@3", "statAP", "statRBP(p=0.8)", "statDCG@4", "statNumRel"]


def prepared(
    campaign: Campaign, folder: Path, written_run: WriteRun, judging_as: JudgeAs, strategy: str
) -> list[str]:
    """Longer runs, a sample below the depth of 2 that is pooled whole, and all but one pair judged; the run files."""
    rankings = {
        "gamma": {"1": "d5 d1 d3 d2 d4", "2": "d4 d3 d1 d2 d5"},
        "delta": {"1": "d3 d5 d4", "2": "d3 d1"},
    }
    files = [written_run(folder / f"{tag}.run", tag, topics) for tag, topics in rankings.items()]
    add_runs(campaign.by("Olga"), files)
    more = {"strata": {"strata": "1-2:70%,3-9:50%"}, "pps": {"depth": 9, "percent": 60.0}}[strategy]
    add_pool(campaign.by("Olga"), strategy=strategy, seed=3, **more)
    pairs = [pair for pair in pools.all_pairs(campaign) if pair[1] != "d6"]
    for place, (topic_id, document_id) in enumerate(pairs[:-1]):
        judging_as(campaign, "anna", topic_id, document_id, place % 3)
    return files


def exported(campaign: Campaign, folder: Path, kind: str, exit_code: int = 0) -> str:
    target = folder / f"out.{kind}"
    given = ["export", "sample", str(campaign.path), "--format", kind, "-o", str(target)]
    result = CliRunner().invoke(main, given, catch_exceptions=False)
    assert result.exit_code == exit_code, result.output
    return target.read_text() if not exit_code else result.output


@pytest.mark.parametrize(
    ("strategy", "kind", "measures"),
    [("strata", "qrels", STRATA), ("strata", "prels", PROBABILITIES), ("pps", "prels", PROBABILITIES)],
)
def test_the_files_give_the_scores_of_the_campaign(
    small: Campaign,
    tmp_path: Path,
    written_run: WriteRun,
    judging_as: JudgeAs,
    strategy: str,
    kind: str,
    measures: list[str],
) -> None:
    files = prepared(small, tmp_path, written_run, judging_as, strategy)
    exported(small, tmp_path, kind)
    scores = wb.evaluate(tmp_path / f"out.{kind}", files, measures)
    table = score_campaign(small, measures)
    values = {row.tag: row.values for row in table.rows}
    counted = len(read_sampled_qrels(tmp_path / f"out.{kind}").frame["topic_id"].unique())
    for tag in ("gamma", "delta"):
        # A topic of which nothing is judged has lines in the sampling qrels, and counts for nothing on the board.
        mean = [scores.mean[tag][name] * counted / table.topics for name in measures]
        assert mean == pytest.approx(values[tag], abs=1e-12)


def test_the_table_has_every_candidate(
    small: Campaign, tmp_path: Path, written_run: WriteRun, judging_as: JudgeAs
) -> None:
    prepared(small, tmp_path, written_run, judging_as, "pps")
    rows = list(csv.DictReader(io.StringIO(exported(small, tmp_path, "csv"))))
    pooled = set(pools.all_pairs(small))
    assert {(row["topic_id"], row["document_id"]) for row in rows if row["drawn"] == "1"} <= pooled
    assert {row["drawn"] for row in rows} == {"0", "1"}
    assert all(row["grade"] == "" for row in rows if row["drawn"] == "0")
    chances = [float(row["inclusion_probability"]) for row in rows]
    assert all(0 < chance <= 1 for chance in chances)
    whole = {(pair.pooled[:2]) for pair in pools.pooled_pairs(small) if pair.pool == 1}
    assert {
        float(r["inclusion_probability"]) for r in rows if (r["topic_id"], r["document_id"]) in whole
    } == {1.0}


def test_a_chance_for_each_document_has_no_five_columns(
    small: Campaign, tmp_path: Path, written_run: WriteRun, judging_as: JudgeAs
) -> None:
    prepared(small, tmp_path, written_run, judging_as, "pps")
    assert says(exported(small, tmp_path, "qrels", exit_code=1))


@pytest.mark.parametrize("kind", ["qrels", "prels", "csv"])
def test_a_campaign_without_a_sample_exports_none(small: Campaign, tmp_path: Path, kind: str) -> None:
    said = " ".join(exported(small, tmp_path, kind, exit_code=1).split())
    assert says(said)
