"""Tables for papers: one reads in the table which run is the best, and which are clearly worse."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fixture_types import WriteRun
from workbench.analysis.comparing.runs import compare_runs
from workbench.campaign.ingest import add_qrels, add_runs
from workbench.campaign.new_campaign import new_campaign
from workbench.release.latex import board_latex, comparison_latex, escaped, stars
from workbench.release.tables import scores_of
from workbench.storage.campaign import Campaign

TOPICS = 30
HOSTILE = r"50%_&#${}~^\x"


@pytest.fixture
def three_runs(tmp_path: Path, written_run: WriteRun) -> Campaign:
    """On 30 topics with d1 relevant: `good` has it first, `close` once second, `bad` third or fourth."""
    rankings = {
        "good": {str(topic): "d1 d2 d3 d4" for topic in range(TOPICS)},
        HOSTILE: {str(topic): "d1 d2 d3" if topic else "d2 d1 d3" for topic in range(TOPICS)},
        "bad": {str(topic): "d2 d3 d1" if topic % 2 else "d2 d3 d4 d1" for topic in range(TOPICS)},
    }
    files = [written_run(tmp_path / f"{n}.run", tag, told) for n, (tag, told) in enumerate(rankings.items())]
    qrels = tmp_path / "qrels.txt"
    qrels.write_text("".join(f"{topic} 0 d1 1\n" for topic in range(TOPICS)), encoding="utf-8")
    campaign = new_campaign(tmp_path / "three.db", title="Three", actor="Olga")
    add_runs(campaign.by("Olga"), files)
    add_qrels(campaign.by("Olga"), [str(qrels)])
    return campaign


def rows_of(lines: str) -> list[str]:
    return lines.split("\\midrule\n")[1].split("\\bottomrule")[0].splitlines()


def test_the_best_is_bold_and_what_is_significantly_worse_has_a_dagger(three_runs: Campaign) -> None:
    with three_runs:
        table = "".join(board_latex(scores_of(three_runs, ["RR", "num_rel"])))
    # RR: 1; (29 + 1/2) / 30; 15 topics at 1/3 and 15 at 1/4.
    assert rows_of(table) == [
        r"good & \textbf{1.0000} & 30 \\",
        r"50\%\_\&\#\$\{\}\textasciitilde{}\textasciicircum{}\textbackslash{}x & 0.9833 & 30 \\",
        r"bad & 0.2917$^{\dagger}$ & 30 \\",
    ]
    assert "alpha = 0.05, B = 10000, seed 1" in table
    assert "scores over 30 topics, 30 judged pairs." in table
    assert table.count("\\toprule") == table.count("\\bottomrule") == 1


def test_a_comparison_has_stars_intervals_and_topics_won_and_lost(three_runs: Campaign) -> None:
    with three_runs:
        found = compare_runs(three_runs, ["good", HOSTILE, "bad"], measure="RR")
        baseline, close, bad = rows_of("".join(comparison_latex(found)))
    assert baseline == r"good & 1.0000 &  &  &  &  &  &  \\"
    assert close.startswith(r"50\%\_")
    assert close.split(" & ")[2] == "$-0.0167$"
    assert close.split(" & ")[4:7] == ["0", "29", "1"]
    assert bad.split(" & ")[2] == r"$-0.7083$\rlap{$^{***}$}"
    assert bad.split(" & ")[4:7] == ["0", "0", "30"]


@pytest.mark.parametrize(
    ("p", "mark"), [(None, ""), (0.2, ""), (0.05, ""), (0.049, "*"), (0.0099, "**"), (0.0001, "***")]
)
def test_stars_stand_for_p_values(p: float | None, mark: str) -> None:
    assert stars(p) == mark


def test_without_runs_there_is_an_empty_table(tmp_path: Path) -> None:
    with new_campaign(tmp_path / "none.db", title="None", actor="Olga") as campaign:
        assert rows_of("".join(board_latex(scores_of(campaign, ["AP"])))) == []


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("[3cm]x", "{[}3cm]x"),
        ("*x", "{*}x"),
        ("a\n\\end{tabular} % x", r"a \textbackslash{}end\{tabular\} \% x"),
        ("<a|b>", r"\textless{}a\textbar{}b\textgreater{}"),
    ],
)
def test_a_name_ends_no_row_and_no_comment_and_begins_no_option(name: str, written: str) -> None:
    assert escaped(name) == written
