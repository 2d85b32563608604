"""Two runs with the same mean on paper: (.1 + .2) + .3 is not (.3 + .2) + .1 in the computer, and puts no run ahead."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

import workbench as wb
from workbench.analysis.comparing.all_pairs import all_pairs
from workbench.analysis.comparing.leaderboards import leaderboard, two_leaderboards
from workbench.analysis.run_profiles.one_run import run_scores
from workbench.campaign.ingest import add_qrels, add_runs
from workbench.campaign.new_campaign import choose_least_teams, new_campaign
from workbench.release.team_sheets.sheets import sheets_of
from workbench.scoring.board import score_campaign
from workbench.scoring.board.table import best_of_teams
from workbench.storage.campaign import Campaign

FOUND = {"first": (3, 2, 1), "second": (1, 2, 3), "third": (0, 0, 0)}
"""How many of ten documents are relevant on three topics."""


@pytest.fixture
def campaign(tmp_path: Path) -> Iterator[Campaign]:
    """The runs of FOUND, `first` and `second` by one team, and `third` by another."""
    with new_campaign(tmp_path / "c.db", title="Rounding", actor="Olga") as opened:
        for tag, counts in FOUND.items():
            lines = [
                f"{topic} Q0 {'good' if rank <= count else f'bad-{tag}'}-{rank} {rank} {11 - rank} {tag}\n"
                for topic, count in enumerate(counts)
                for rank in range(1, 11)
            ]
            file = tmp_path / f"{tag}.run"
            file.write_text("".join(lines), encoding="utf-8")
            add_runs(opened.by("Olga"), [str(file)], team="B" if tag == "third" else "A")
        qrels = tmp_path / "qrels.txt"
        told = [f"{topic} 0 good-{rank} 1\n" for topic in range(3) for rank in range(1, 11)]
        qrels.write_text("".join(told), encoding="utf-8")
        add_qrels(opened.by("Olga"), [str(qrels)])
        choose_least_teams(opened.by("Olga"), 1)
        yield opened


def test_rounding_parts_the_two_means(campaign: Campaign) -> None:
    first, second, _ = (row.values[0] for row in score_campaign(campaign, ["P@10"]).rows)
    assert first < second < first + 1e-15


def test_they_share_every_place_and_stay_in_the_order_in_which_they_were_added(campaign: Campaign) -> None:
    sheets = sheets_of(campaign, measures=["P@10"])
    on_sheets = {part.run.record.tag: part.means[0].place for sheet in sheets for part in sheet.parts}
    on_pages = {tag: run_scores(campaign, tag, "P@10").place for tag in FOUND}
    board = leaderboard(campaign, "P@10")
    on_boards = {each.run: each.rank for each in two_leaderboards(board, board).positions}
    assert on_sheets == on_pages == on_boards == {"first": 1, "second": 1, "third": 3}
    assert all_pairs(campaign, "P@10", permutations=50).tags == ("first", "second", "third")
    best = best_of_teams(score_campaign(campaign, ["P@10"]))
    assert [row.tag for row in best.rows] == ["first", "third"]


@pytest.fixture(scope="module")
def p_at_10(data_folder: Path) -> dict[str, NDArray[np.float64]]:
    """P@10 of the 17 runs of Robust 2003 on 100 topics."""
    folder = data_folder / "robust03"
    runs = sorted(map(str, (folder / "runs").glob("*.gz")))
    found = wb.evaluate(str(folder / "qrels.txt"), runs, "P@10").compare(permutations=10)
    return dict(zip(found.tags, found.values.T, strict=True))


@pytest.mark.data
def test_wilcoxon_on_robust_2003_ranks_no_rounding(p_at_10: dict[str, NDArray[np.float64]]) -> None:
    from workbench.methods.statistics.paired import wilcoxon

    def p_values(one: NDArray[np.float64], other: NDArray[np.float64]) -> tuple[float, float, float]:
        d, tenths = one - other, np.rint(10 * one) - np.rint(10 * other)
        as_subtracted, exact = (
            stats.wilcoxon(each[each != 0], zero_method="wilcox", correction=True, method="asymptotic").pvalue
            for each in (d, tenths)
        )
        return float(wilcoxon(d).p_value or 0), float(exact), float(as_subtracted)

    found = {pair: p_values(*map(p_at_10.__getitem__, pair)) for pair in combinations(p_at_10, 2)}
    assert len(found) == 136
    assert all(ours == pytest.approx(exact) for ours, exact, _ in found.values())
    ours, _, as_subtracted = found["NLPR03vb10", "fub03IeOLKe3"]
    assert (round(as_subtracted, 4), round(ours, 4)) == (0.8415, 0.6387)
    assert sum(abs(ours - old) > 1e-9 for ours, _, old in found.values()) > 100
    crossing = {pair for pair, (ours, _, old) in found.items() if (ours <= 0.05) != (old <= 0.05)}
    assert crossing == {("NLPR03vb10", "aplrob03a"), ("Sel50", "fub03IeOLKe3")}
