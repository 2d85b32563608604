"""A sample that was drawn elsewhere comes into a campaign, which then gives what the file gives."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

import workbench as wb
from tests.conftest import write_run
from tests.found_wrong import wrong
from tests.judged_pairs import judge_as
from tests.sentences import says
from workbench.campaign.ingest import add_documents, add_runs, add_topics
from workbench.campaign.pools import refusals
from workbench.campaign.pools.making import add_pool
from workbench.campaign.pools.pool_job import retire_pool
from workbench.campaign.sample_import import add_sample
from workbench.cli import main
from workbench.core.errors import InputError
from workbench.release.export import prels, sample_csv, sampling_qrels
from workbench.scoring.board import score_campaign
from workbench.storage.campaign import Campaign, create_campaign
from workbench.storage.campaign.collection import pools
from workbench.storage.campaign.grades import judgments
from workbench.storage.campaign.log.log import newest_seq

RUNS = {
    "alpha": {"1": "d1 d2 d3 d4 d5 d6 d7", "2": "d9 d8 d7 d6"},
    "beta": {"1": "d5 d7 d1 d8 d2", "2": "d1 d9 d6"},
}
# Of each topic all of stratum 1 and a part of stratum 2 was drawn; nothing has x1, x2 and y1 among its runs.
STRATA = """\
1 0 d1 1 2
1 0 d2 2 -1
1 0 d3 2 1
1 0 d4 2 -1
1 0 d5 1 0
1 0 d7 2 1
1 0 x1 2 -1
1 0 x2 2 0
2 0 d1 1 0
2 0 d6 2 -1
2 0 d8 2 1
2 0 d9 1 1
2 0 y1 2 -1
"""
PRELS = """\
1 d1 2 1 1.0
1 d3 1 1 0.1
1 d5 0 1 0.30000000000000004
1 x2 1 1 0.7
2 d8 1 1 0.25
2 d9 0 1 1.0
"""
OF_STRATA = "xinfAP infNDCG infP@3 statAP statP@3 statRBP(p=0.8) statDCG@4 statPVariance@3".split()
OF_PRELS = "statAP statP@3 statRBP(p=0.8) statDCG@4 statNumRel statPVariance@3".split()


@pytest.fixture
def run_files(tmp_path: Path) -> list[str]:
    return [write_run(tmp_path / f"{tag}.run", tag, topics) for tag, topics in RUNS.items()]


def with_runs(path: Path, run_files: list[str]) -> Campaign:
    campaign = create_campaign(path)
    texts = "".join(f'{{"id": "d{number}", "text": "Text {number}."}}\n' for number in range(1, 10))
    documents = written(path.parent, texts, "documents.jsonl")
    add_documents(campaign.by("Olga"), [documents], keep_all=True)
    add_runs(campaign.by("Olga"), run_files)
    return campaign


def written(folder: Path, text: str, name: str = "sample.txt") -> str:
    (folder / name).write_text(text)
    return str(folder / name)


def graded(campaign: Campaign) -> dict[tuple[str, str], tuple[str, int | None, int | None]]:
    return {
        (row.topic_id, row.document_id): (row.assessor, row.grade, row.pool)
        for row in judgments.log(campaign)
    }


def estimates(campaign: Campaign, measures: list[str]) -> dict[str, list[float]]:
    return {row.tag: list(row.values) for row in score_campaign(campaign, measures).rows}


@pytest.mark.parametrize(
    ("text", "export", "measures"),
    [(STRATA, sampling_qrels, OF_STRATA), (PRELS, prels, OF_PRELS)],
    ids=["strata", "prels"],
)
def test_the_campaign_estimates_what_eval_estimates_from_the_file_and_exports_it_again(
    tmp_path: Path, run_files: list[str], text: str, export: Callable[[Campaign], object], measures: list[str]
) -> None:
    path = written(tmp_path, text)
    with with_runs(tmp_path / "fresh.db", run_files) as campaign:
        added = add_sample(campaign.by("Olga"), path, assessor="NIST")
        assert "".join(export(campaign)) == text  # type: ignore[arg-type]
        of_file = wb.evaluate(path, run_files, measures).mean
        for tag, values in estimates(campaign, measures).items():
            assert values == [of_file[tag][name] for name in measures]
        drawn = sum(" -1" not in line for line in text.splitlines())
        assert (added.there, added.drawn, added.qrels.judgments) == (1, drawn, drawn)
        assert {each[0] for each in graded(campaign).values()} == {"NIST"}
        assert wrong(campaign) == []


@pytest.mark.parametrize(
    "design", [{"strategy": "uniform", "percent": 60.0}, {"strategy": "pps", "percent": 60.0}]
)
def test_what_a_campaign_exports_another_takes_in_with_the_same_estimates(
    tmp_path: Path, run_files: list[str], design: dict[str, object]
) -> None:
    measures = ["statAP", "statP@3", "statRBP(p=0.8)"]
    with (
        with_runs(tmp_path / "first.db", run_files) as first,
        with_runs(tmp_path / "next.db", run_files) as after,
    ):
        add_pool(first.by("Olga"), depth=7, seed=4, **design)  # type: ignore[arg-type]
        for place, pair in enumerate(pools.all_pairs(first)[1:]):
            judge_as(first, "anna", *pair, place % 2)
        table = "".join(sample_csv(first))
        add_sample(after.by("Olga"), written(tmp_path, table))
        assert "".join(sample_csv(after)) == table
        assert "".join(prels(after)) == "".join(prels(first))
        assert estimates(after, measures) == estimates(first, measures)


def test_the_same_file_again_changes_nothing(tmp_path: Path, run_files: list[str]) -> None:
    with with_runs(tmp_path / "fresh.db", run_files) as campaign:
        path = written(tmp_path, STRATA)
        add_sample(campaign.by("Olga"), path)
        before = newest_seq(campaign)
        again = add_sample(campaign.by("Olga"), path)
        assert (again.pool, again.there, again.qrels.judgments, newest_seq(campaign)) == (None, 1, 0, before)


def test_estimates_follow_the_log_and_its_past(tmp_path: Path, run_files: list[str]) -> None:
    with with_runs(tmp_path / "fresh.db", run_files) as campaign:
        add_sample(campaign.by("Olga"), written(tmp_path, STRATA))
        then, scores = newest_seq(campaign), estimates(campaign, ["xinfAP"])
        # A run that has x1 now, a grade of an assessor, and the pool retired: as of then all is as it was.
        add_runs(campaign.by("Olga"), [write_run(tmp_path / "late.run", "late", {"1": "x1 d1"})])
        judge_as(campaign, "anna", "1", "d5", 1)
        assert estimates(campaign, ["xinfAP"])["alpha"] != scores["alpha"]
        assert {
            row.tag: list(row.values) for row in score_campaign(campaign.at(then), ["xinfAP"]).rows
        } == scores
        retire_pool(campaign.by("Olga"), 1, reason="test")
        assert {
            row.tag: list(row.values) for row in score_campaign(campaign.at(then), ["xinfAP"]).rows
        } == scores


HEADER = "topic_id,document_id,stratum,inclusion_probability,drawn,grade\n"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("1 d1 1 1 0\n1 d2 1 1 0.5\n", 1),
        ("1 d1 1 1 0.2\n1 d2 1 1 1.5\n", 2),
        ("1 0 d1 1 1\n1 0 d2 2 -1\n", 2),
        ("1 0 d1 1 1\n1 0 d1 1 0\n", 2),
        ("1 0 d1 top 1\n", 1),
        ("1 0 d1 1 many\n", 1),
        ("3 0 d1 1 1\n9 0 d1 1 1\n", 2),
        ("1 0 d1\n", 1),
        (HEADER + "1,d1,1,0.0,1,1\n", 2),
        (HEADER + "1,d1,0,1.0,1,1\n", 2),
        (HEADER + "\n1,d1,1,1.0,yes,1\n", 3),
        (HEADER + "1,d1,1,0.5,0,1\n", 2),
        (HEADER + "1,d1,1,0.5,1,1\n1,d1,1,0.5,1,1\n", 3),
        (HEADER + "1,d 1,1,0.5,1,1\n", 2),
        (HEADER + "9,d1,1,0.5,1,1\n", 2),
        (HEADER, None),
        ("topic_id,inclusion_probability\n", 1),
    ],
)
def test_what_is_wrong_is_said_with_its_line_and_nothing_is_kept(
    tmp_path: Path, run_files: list[str], text: str, line: int | None
) -> None:
    with with_runs(tmp_path / "fresh.db", run_files) as campaign:
        topics = "".join(f"{number}\tTitle\n" for number in (1, 2, 3))
        add_topics(campaign.by("Olga"), [written(tmp_path, topics, "topics.tsv")])
        before = newest_seq(campaign)
        with pytest.raises(InputError) as error:
            add_sample(campaign.by("Olga"), written(tmp_path, text))
        first = error.value.problems[0]
        assert (first.line, says(first.message)) == (line, True)
        assert newest_seq(campaign) == before


def test_the_command_line_imports_and_its_scores_are_those_of_eval(
    tmp_path: Path, run_files: list[str]
) -> None:
    path = written(tmp_path, STRATA)
    with_runs(tmp_path / "fresh.db", run_files).close()

    def shown(*words: str) -> str:
        result = CliRunner().invoke(main, words, catch_exceptions=False)
        assert result.exit_code == 0, result.output
        return result.stdout + result.stderr if "add" in words else result.stdout

    fresh = str(tmp_path / "fresh.db")
    assert "Pool 1 would be the sample: 13 candidates, 8 of them drawn" in shown(
        "add", "sample", fresh, path, "--dry-run"
    )
    assert "8 judgments imported for assessor 'NIST'" in shown(
        "add", "sample", fresh, path, "--assessor", "NIST"
    )
    names = [part for name in ("xinfAP", "statAP") for part in ("-m", name)]
    scores = list(csv.reader(io.StringIO(shown("score", fresh, *names, "--format", "csv"))))
    again = list(csv.reader(io.StringIO(shown("eval", path, *run_files, *names, "--format", "csv"))))
    assert {row[0]: row[-2:] for row in scores} == {row[0]: row[-2:] for row in again}


@pytest.mark.parametrize(("answer", "status", "pooled"), [("n\n", 1, 1), ("y\n", 0, 2)])
def test_a_sample_much_larger_than_the_pools_is_imported_after_a_question(
    tmp_path: Path,
    run_files: list[str],
    monkeypatch: pytest.MonkeyPatch,
    answer: str,
    status: int,
    pooled: int,
) -> None:
    monkeypatch.setattr(refusals, "MANY_NEW", 1)
    monkeypatch.setattr(refusals, "MUCH_LARGER", 2)
    path = written(tmp_path, STRATA)
    with with_runs(tmp_path / "fresh.db", run_files) as campaign:
        add_pool(campaign.by("Olga"), depth=1)
        result = CliRunner().invoke(main, ["add", "sample", str(campaign.path), path], input=answer)
        assert (result.exit_code, says(result.stderr, "4", "8")) == (status, True)
        assert len(pools.all_pools(campaign)) == pooled
