"""A team learns how its runs did on every topic, against the median and the best of all runs."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import pytest
from lxml import html

from tests.fixture_types import WriteRun
from tests.sentences import refused, says
from workbench.campaign.content_changes import withdraw_runs
from workbench.campaign.ingest import add_qrels, add_runs, senders
from workbench.campaign.new_campaign import choose_least_teams, new_campaign
from workbench.core.errors import CampaignError, NotThere, UnknownName
from workbench.core.extras import NotInstalled
from workbench.release.team_sheets import rendering
from workbench.release.team_sheets.rendering import content_of, lead, render_sheet, write_sheets
from workbench.release.team_sheets.sheets import NO_TEAM, sheet_names, sheets_of, teams_of
from workbench.scoring.board import score_campaign
from workbench.scoring.board.past_boards import topic_scores_of
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log import log

HOSTILE = [
    "../A/B\\C",
    '#set page(fill: red) #read("/etc/passwd") $x^2$ *b* `c` @d <e> [f] \\g //h',
    "\\input{/etc/passwd}\\end{document}",
    "<script>alert(1)</script>{{ 7*7 }}{% raise %}",
    "فريق البحث",
    "研究チーム",
    "🙂 e\u0301",
    "a\u202eb",
]


@pytest.fixture
def campaign(tmp_path: Path, written_run: WriteRun) -> Iterator[Campaign]:
    """Three runs on topics 2 and 10 with d1 relevant: `one` and `two` by team A, `three` by nobody."""
    told = {
        "one": {"2": "d1 d2", "10": "d2 d1"},
        "two": {"2": "d2 d1", "10": "d2 d3"},
        "three": {"2": "d1", "10": "d1"},
    }
    files = {tag: written_run(tmp_path / f"{tag}.run", tag, ranking) for tag, ranking in told.items()}
    (tmp_path / "qrels.txt").write_text("2 0 d1 1\n10 0 d1 1\n", encoding="utf-8")
    with new_campaign(tmp_path / "c.db", title="The campaign", actor="Olga") as opened:
        add_runs(opened.by("Olga"), [files["one"], files["two"]], team="A")
        add_runs(opened.by("Olga"), [files["three"]])
        add_qrels(opened.by("Olga"), [str(tmp_path / "qrels.txt")])
        choose_least_teams(opened.by("Olga"), 1)
        yield opened


def test_each_topic_stands_with_the_median_and_the_best_and_each_mean_with_its_place(
    campaign: Campaign,
) -> None:
    (sheet,) = sheets_of(campaign, teams=["A"], measures=["RR"])
    one, two = sheet.parts
    assert [line[:1] + line[2:] for line in one.lines] == [("2", 1.0, 1.0, 1.0), ("10", 0.5, 0.5, 1.0)]
    assert [line[:1] + line[2:] for line in two.lines] == [("2", 0.5, 1.0, 1.0), ("10", 0.0, 0.5, 1.0)]
    told = {
        run["tag"]: run["against_median"]
        for sheet in sheets_of(campaign, measures=["RR"])
        for run in content_of(sheet)["runs"]
    }
    assert told == {
        "one": ": above the median on 0, below it on 0 of 2",
        "two": ": above the median on 0, below it on 2 of 2",
        "three": ": above the median on 1, below it on 0 of 2",
    }
    (sheet,) = sheets_of(campaign, teams=["A"], measures=["RR", "num_ret"])
    rr, num_ret = sheet.parts[1].means
    assert rr[1:] == (0.25, 0.75, 1.0, 3)
    assert num_ret[1:] == (4, 4, None, None)
    (sheet,) = sheets_of(campaign, teams=["A"], measures=["num_ret"])
    assert sheet.scale == (0.0, 2.0)
    line = content_of(sheet)["runs"][0]["topics"][0]
    assert line["at"] == {"value": 1.0, "median": 1.0, "best": None}
    assert (line["value"], line["best"]) == ("2", "")


def numbers_in(content: object) -> set[str]:
    """Every number as a sheet prints it, and every position on a line."""
    if isinstance(content, dict):
        return set().union(*map(numbers_in, content.values()))
    if isinstance(content, list):
        return set().union(*map(numbers_in, content))
    return {str(content)} if isinstance(content, float) else set(re.findall(r"\d+\.\d+", str(content)))


def add_teams(tmp_path: Path, written_run: WriteRun, opened: Campaign, number: int) -> None:
    """Runs of so many teams: `mine` has d1 at rank 4, the others at ranks that nothing of `mine` has."""
    qrels = tmp_path / "qrels.txt"
    qrels.write_text("1 0 d1 1\n2 0 d1 1\n", encoding="utf-8")
    for team in range(number):
        before = " ".join(f"x{place}" for place in range(3 if team == 0 else 6 + team))
        ranking = (
            {"1": f"{before} d1", "2": f"{before} d1 y"} if team == 0 else {"1": f"z {before} d1", "2": "d1"}
        )
        run = written_run(tmp_path / f"r{team}.run", f"r{team}", ranking)
        add_runs(opened.by("Olga"), [run], team=f"Team {team}")
    add_qrels(opened.by("Olga"), [str(qrels)])


@pytest.mark.parametrize("number", [1, 2, 4])
def test_with_fewer_than_five_teams_a_sheet_has_no_number_that_others_have_a_share_in(
    tmp_path: Path, written_run: WriteRun, number: int
) -> None:
    with new_campaign(tmp_path / "c.db", title="C", actor="Olga") as opened:
        add_teams(tmp_path, written_run, opened, 1)
        (alone,) = sheets_of(opened, measures=["RR", "num_ret"], least_teams=1)
    with new_campaign(tmp_path / "d.db", title="C", actor="Olga") as opened:
        add_teams(tmp_path, written_run, opened, number)
        sheet = sheets_of(opened, teams=["Team 0"], measures=["RR", "num_ret"])[0]
    assert numbers_in(content_of(sheet)["runs"]) <= numbers_in(content_of(alone)["runs"])
    assert content_of(sheet)["scale"] == content_of(alone)["scale"]
    page = html.document_fromstring(render_sheet(sheet, "html").decode())
    assert [cell.text_content() for cell in page.xpath("//thead//th")] == [
        "Measure",
        "This run",
        "Topic",
        "This run",
    ]
    assert page.xpath("//*[@class='median' or @class='best']") == []
    assert "once runs of 5 teams take part" in page.text_content()
    assert render_sheet(sheet, "pdf").startswith(b"%PDF-")


def test_from_five_teams_on_or_from_as_many_as_the_organisers_say_a_sheet_tells_the_best(
    tmp_path: Path, written_run: WriteRun
) -> None:
    with new_campaign(tmp_path / "c.db", title="C", actor="Olga") as opened:
        add_teams(tmp_path, written_run, opened, 5)
        seq = log.newest_seq(opened)

        def told(as_of: int | None = None, **asked: int) -> tuple[float | None, int | None]:
            (sheet,) = sheets_of(opened.at(as_of), teams=["Team 0"], measures=["RR"], **asked)
            assert sheet.parts[0].lines[0].best == (0.25 if sheet.least_teams == 0 else None)
            return sheet.parts[0].means[0].best, sheet.parts[0].means[0].place

        assert told()[1] == 5
        withdraw_runs(opened.by("Olga"), ["r4"])
        assert told() == (None, None)
        choose_least_teams(opened.by("Olga"), 4)
        assert told()[1] == 4
        choose_least_teams(opened.by("Olga"), 6)
        assert told(as_of=seq) == (None, None)  # whatever the setting was then
        assert told(as_of=seq, least_teams=5)[1] == 5


def test_the_numbers_are_those_of_the_engine(campaign: Campaign) -> None:
    board, by_topic = score_campaign(campaign, ["AP", "nDCG@10"]), topic_scores_of(campaign, "AP")
    sheets = sheets_of(campaign, measures=["AP", "nDCG@10"])
    told = {part.run.record.tag: part for sheet in sheets for part in sheet.parts}
    for place, row in enumerate(board.rows):
        assert tuple(mean.value for mean in told[row.tag].means) == row.values
        values = dict(zip(by_topic.topic_ids, by_topic.values[:, place].tolist(), strict=True))
        assert {line.topic_id: line.value for line in told[row.tag].lines} == values
    medians = {line.topic_id: line.median for line in told["one"].lines}
    assert medians == {
        topic_id: median(row)
        for topic_id, row in zip(by_topic.topic_ids, by_topic.values.tolist(), strict=True)
    }


def test_a_sheet_names_the_row_of_the_log_and_can_be_had_again(campaign: Campaign) -> None:
    seq = log.head(campaign).seq
    before = render_sheet(sheets_of(campaign, teams=["A"])[0], "pdf")
    withdraw_runs(campaign.by("Olga"), ["three"])
    after = sheets_of(campaign, teams=["A"])[0]
    assert (after.others, after.head.seq) == (2, seq + 1)
    again = sheets_of(campaign.at(seq), teams=["A"])[0]
    assert again.others == 3
    assert render_sheet(again, "pdf") == before


def test_each_team_that_takes_part_has_a_sheet_and_runs_without_a_team_have_one_together(
    campaign: Campaign,
) -> None:
    assert teams_of(campaign) == {"": 1, "A": 2}
    (sheet,) = sheets_of(campaign, teams=[""])
    assert (sheet.name, lead(sheet)) == (NO_TEAM, "1 run of 3, scored on 2 topics with 2 judged pairs.")
    with pytest.raises(NotThere, match=r"no run of c is by team 'B'; the teams are '' .*, A"):
        sheets_of(campaign, teams=["B"])
    with pytest.raises(UnknownName, match="html, pdf"):
        render_sheet(sheet, "docx")
    withdraw_runs(campaign.by("Olga"), ["three"])
    assert teams_of(campaign) == {"A": 2}
    assert [sheet.team for sheet in sheets_of(campaign)] == ["A"]
    names = sheet_names(["Team A", "team-a", "TEAM/A", ""], "pdf")
    assert names == ["Team-A.pdf", "team-a-2.pdf", "TEAM-A-3.pdf", "unnamed.pdf"], (
        "some systems take two for one"
    )


def test_without_the_typesetter_the_way_out_is_said_and_html_is_made(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    sheet = sheets_of(campaign)[0]
    with refused(NotInstalled, "relevance-workbench[sheets]"):
        render_sheet(sheet, "pdf")
    assert render_sheet(sheet, "html")


def test_where_the_typesetter_fails_its_reason_is_said(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "sheet.typ").write_text("#fonts")
    monkeypatch.setattr(rendering, "HERE", tmp_path)
    with pytest.raises(CampaignError) as told:
        render_sheet(sheets_of(campaign)[0], "pdf")
    assert says(str(told.value))


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("kind", ["html", "pdf"])
def test_a_name_is_text_in_a_sheet_and_harmless_in_its_file_name(
    tmp_path: Path, written_run: WriteRun, name: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Teams out of a bundle have any name.
    monkeypatch.setattr(senders, "wrong_team", lambda team: "")
    run = written_run(tmp_path / "x.run", "".join(name.split()), {"1": "d1"})
    (tmp_path / "q.txt").write_text("1 0 d1 1\n", encoding="utf-8")
    with new_campaign(tmp_path / "c.db", title=name, actor="Olga") as opened:
        add_runs(opened.by("Olga"), [run], team=name)
        add_qrels(opened.by("Olga"), [str(tmp_path / "q.txt")])
        (written,) = write_sheets(opened, tmp_path / "sheets", kind)
    assert written.parent == tmp_path / "sheets"
    assert list((tmp_path / "sheets").iterdir()) == [written]
    data = written.read_bytes()
    if kind == "pdf":
        assert data.startswith(b"%PDF-")
    else:
        page = html.document_fromstring(data.decode())
        assert page.xpath("//h1")[0].text_content() == name
        assert page.xpath("//script") == []


def test_a_campaign_without_judgments_has_sheets_that_say_so(tmp_path: Path, written_run: WriteRun) -> None:
    run = written_run(tmp_path / "x.run", "x", {"1": "d1"})
    with new_campaign(tmp_path / "c.db", title="C", actor="Olga") as opened:
        assert sheets_of(opened) == []
        add_runs(opened.by("Olga"), [run], team="A")
        (sheet,) = sheets_of(opened)
        assert lead(sheet) == "1 run of 1, scored on 0 topics with 0 judged pairs."
        assert render_sheet(sheet, "pdf").startswith(b"%PDF-")
        assert b"by topic" not in render_sheet(sheet, "html")
