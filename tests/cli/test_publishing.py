"""bundle, import-bundle and report."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from tests.fixture_types import Fails, JudgeAs, Workbench
from tests.release.bundle.test_importing import changed
from tests.sentences import says
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log import log


@pytest.fixture(autouse=True)
def judged(campaign: Campaign, judging_as: JudgeAs) -> None:
    for document_id, grade in (("d1", 2), ("d2", 0)):
        judging_as(campaign, "Zoë", "1", document_id, grade)


def test_a_bundle_carries_the_campaign_and_the_row_of_the_log_in_its_name(
    done: Workbench, campaign: Campaign
) -> None:
    head = log.head(campaign)
    said = done("bundle small").stderr.splitlines()
    name = f"small-{head.seq}.zip"
    assert says("\n".join(said))
    assert zipfile.is_zipfile(name)


def test_the_same_row_gives_the_same_bytes_also_later(
    done: Workbench, campaign: Campaign, judging_as: JudgeAs
) -> None:
    seq = log.head(campaign).seq
    done("bundle small --runs -o one.zip")
    judging_as(campaign, "Ann", "2", "d1", 1)
    done("bundle small --runs --as-of", str(seq), "-o", "two.zip")
    assert Path("one.zip").read_bytes() == Path("two.zip").read_bytes()


def test_a_bundle_comes_back_as_a_campaign_with_the_same_scores_labels_and_agreement(
    done: Workbench, campaign: Campaign, judging_as: JudgeAs
) -> None:
    for document_id, grade in (("d1", 1), ("d2", 0)):
        judging_as(campaign, "Ann", "1", document_id, grade)
    done("bundle small --runs --names names -o small.zip")
    assert says(done("import-bundle again small.zip").stderr)
    for command, words in (
        ("score", "-m AP -m nDCG -m infAP --format csv"),
        ("export qrels", ""),
        ("agreement", "--by pair --format csv"),
    ):
        told = [done(f"{command} {name} {words}").stdout for name in ("small", "again")]
        assert told[0] == told[1] != ""
    done("audit again")
    done("import-bundle another small.zip --instance new")
    done("import-bundle ./beside.db small.zip --instance never")
    assert [Path(name).exists() for name in ("new/another.db", "beside.db", "never")] == [True, True, False]


def test_assessors_are_named_only_when_asked_for(done: Workbench) -> None:
    done("bundle small -o closed.zip")
    done("bundle small --names names -o open.zip")
    told = []
    for name in ("closed.zip", "open.zip"):
        with zipfile.ZipFile(name) as archive:
            told.append(any("Zoë" in archive.read(file).decode() for file in archive.namelist()))
    assert told == [False, True]


def test_what_cannot_be_imported_changes_nothing_and_says_why(workbench: Workbench, fails: Fails) -> None:
    Path("no.zip").write_bytes(b"no archive")
    assert says(fails("import-bundle again no.zip"))
    assert not Path("instance/again.db").exists()
    assert "already exists" in workbench("import-bundle small no.zip").stderr


def test_a_place_that_the_log_has_not_reached_is_refused(fails: Fails) -> None:
    for command in ("bundle", "report"):
        assert says(fails(command, "small", "--as-of", "999"))


def test_a_report_is_a_sheet_for_each_team(done: Workbench, fails: Fails) -> None:
    Path("gamma.run").write_text("1 Q0 d1 1 1.0 gamma\n", encoding="utf-8")
    done("add runs small gamma.run --team '../A B'")
    result = done("report small --format html -o sheets/new -m RR")
    assert says("\n".join(result.stdout.splitlines()))
    assert result.stderr == "2 sheets written.\n"
    sheet = Path("sheets/new/A-B.html").read_text(encoding="utf-8")
    assert ("gamma" in sheet, "RR" in sheet, "nDCG" in sheet) == (True, True, False)
    done("report small --team '../A B'")
    assert Path("reports/A-B.pdf").read_bytes().startswith(b"%PDF-")
    assert "no run of small is by team 'nobody'" in fails("report small --team nobody")


def test_tables_for_papers_are_the_board_or_a_comparison(done: Workbench, workbench: Workbench) -> None:
    board = done("export latex small -m RR").stdout
    assert "alpha & \\textbf{1.0000} \\\\\nbeta & 0.3333 \\\\\n" in board
    words = ("export", "latex", "small", "--run", "beta", "--run", "alpha", "-m", "RR")
    done(*words, "-o", "comparison.tex")
    assert "alpha & 1.0000 & $+0.6667$ &" in Path("comparison.tex").read_text(encoding="utf-8")
    assert workbench(*words, "-m", "AP").exit_code == 2
    assert workbench("export latex small --run beta").exit_code == 1
    assert workbench("export latex small --run beta --run nobody").exit_code == 1


def test_a_leaderboard_that_comes_out_otherwise_is_said(done: Workbench, tmp_path: Path) -> None:
    done("bundle small --runs -o small.zip")
    other = changed(tmp_path / "small.zip", "scores/board.csv", lambda data: data.replace(b"0.5", b"0.6"))
    assert says(done("import-bundle again", str(other)).stderr)
