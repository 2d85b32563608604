"""Robust 2003 judged in the order of its pool: the board of every moment is what the reference prints for it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
import pytrec_eval

from workbench.campaign.ingest import add_qrels, add_runs
from workbench.campaign.new_campaign import new_campaign
from workbench.campaign.pools.making import add_pool
from workbench.core.records import Qrel
from workbench.scoring.board import score_campaign
from workbench.scoring.board.past_boards import board_history_of
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.collection import pools
from workbench.storage.campaign.log import log

pytestmark = [pytest.mark.data, pytest.mark.slow]

PARTS = 5
MEASURES = {"AP": "map", "nDCG@10": "ndcg_cut_10", "P@10": "P_10"}
RUNS = ("aplrob03a", "pircRBa1")
"""The runs that the reference scores; the campaign has all 17."""

Robust = tuple[Campaign, list[list[Qrel]], list[int]]


@pytest.fixture(scope="module")
def robust(data_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Robust]:
    """The campaign, the judgments in parts by the best rank of their documents, and the row after each part."""
    folder, place = data_folder / "robust03", tmp_path_factory.mktemp("robust")
    with new_campaign(place / "robust.db", title="Robust 2003", actor="Olga") as campaign:
        add_runs(campaign.by("Olga"), sorted(map(str, (folder / "runs").iterdir())))
        add_pool(campaign.by("Olga"), depth=100)
        parts = list(in_pool_order(campaign, read_qrels_of(folder / "qrels.txt")))
        rows = []
        for number, part in enumerate(parts):
            file = place / f"{number}.qrels"
            file.write_text("".join(f"{topic} 0 {document} {grade}\n" for topic, document, grade in part))
            add_qrels(campaign.by("Olga"), [str(file)])
            rows.append(log.newest_seq(campaign))
        yield campaign, parts, rows


def read_qrels_of(path: Path) -> list[Qrel]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [
        Qrel(topic_id, document_id, int(grade)) for topic_id, _, document_id, grade in map(str.split, lines)
    ]


def in_pool_order(campaign: Campaign, qrels: Sequence[Qrel]) -> Iterator[list[Qrel]]:
    """PARTS parts: what runs rank highest comes first, what is in no pool of these runs last."""
    rank = {pair.pooled[:2]: pair.pooled.best_rank for pair in pools.pooled_pairs(campaign)}
    ordered = sorted(qrels, key=lambda qrel: (rank.get(qrel[:2], 1_000), qrel))
    size = -(-len(ordered) // PARTS)
    return (ordered[start : start + size] for start in range(0, len(ordered), size))


def reference(data_folder: Path, qrels: Sequence[Qrel]) -> dict[str, tuple[str, ...]]:
    """The means that the reference prints for RUNS, over the topics that have judgments."""
    judged: dict[str, dict[str, int]] = {}
    for topic_id, document_id, grade in qrels:
        judged.setdefault(topic_id, {})[document_id] = grade
    evaluator = pytrec_eval.RelevanceEvaluator(judged, {"map", "ndcg_cut_10", "P_10"})
    found = {}
    for tag in RUNS:
        values = evaluator.evaluate(read_run(data_folder / f"robust03/runs/{tag}.txt.gz"))
        sums = [sum(topic[name] for topic in values.values()) for name in MEASURES.values()]
        found[tag] = tuple(f"{total / len(judged):.4f}" for total in sums)
    return found


def read_run(path: Path) -> dict[str, dict[str, float]]:
    import gzip

    rankings: dict[str, dict[str, float]] = {}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for topic_id, _, document_id, _, score, _ in map(str.split, lines):
            rankings.setdefault(topic_id, {})[document_id] = float(score)
    return rankings


def test_the_board_of_each_moment_is_the_references_for_the_judgments_of_that_time(
    robust: Robust, data_folder: Path
) -> None:
    campaign, parts, rows = robust
    judged: list[Qrel] = []
    assert len(parts) == PARTS
    for part, row in zip(parts, rows, strict=True):
        judged += part
        table = board_history_of(campaign).table(campaign, list(MEASURES), row)
        printed = {run.tag: tuple(f"{value:.4f}" for value in run.values) for run in table.rows}
        assert {tag: printed[tag] for tag in RUNS} == reference(data_folder, judged)


def test_replayed_and_imported_at_once_the_scores_are_the_same(
    robust: Robust, robust_file: Path, tmp_path: Path
) -> None:
    path = shutil.copyfile(robust_file, tmp_path / "imported.db")
    with open_campaign(path) as imported:
        add_pool(imported.by("Olga"), depth=100)
        assert score_campaign(imported).rows == score_campaign(robust[0]).rows
