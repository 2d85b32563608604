"""Codes in the place of the names of runs and teams: a blind release says nothing of who sent what."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.fixture_types import Fails, Workbench
from tests.made_answers import answer
from tests.sentences import says

CODE = re.compile(r"[bcdfghjklmnpqrstvwxz]{3}-[0-9]{2}")
NAMES = ("osloteam", "bergenrun", "بيرغن", "alpha", "beta", "secretfile", "ann lee", "bm25secret")
"""What names a sender, in small letters."""

HEADER = "# ir_metadata.start\n# actor:\n#   team: Osloteam\n# by: Ann Lee\n# ir_metadata.end\n"


@pytest.fixture
def codes(done: Workbench, folder: Path) -> dict[str, tuple[str, str]]:
    """The codes of the run and the team of each run of `small`, which has a third, described, and a withdrawn one."""
    for tag in ("bergenrun", "bergenrun2"):
        (folder / f"secretfile-{tag}.run").write_text(
            f"{HEADER}1 Q0 d1 1 2.0 {tag}\n2 Q0 d2 1 {len(tag)} {tag}\n"
        )
        done(f"add runs small secretfile-{tag}.run --team بيرغن")
    done("correct small alpha --team Osloteam")
    done("submissions small --field Method")
    done("correct small bergenrun --describe Method=bm25secret --depth 1 --priority 1")
    (folder / "depths.csv").write_text("run,depth,priority\nbergenrun,1,1\nbergenrun2,2,2\nalpha,1,1\n")
    done("pool small --depth 2 --runs-file depths.csv --runs-per-team 1")
    done("withdraw small bergenrun2 --reason 'sent twice by Ann Lee'")
    (folder / "qrels.txt").write_text("1 0 d1 1\n2 0 d2 1\n")
    done("add qrels small qrels.txt")
    done("task codes small --draw")
    rows = json.loads(done("task codes small --format json").stdout)
    return {row["run"]: (row["run_code"], row["team_code"]) for row in rows}


def assert_blind(text: str) -> None:
    """No name of a run, team, person, file or method is in a text."""
    text = text.replace("(alpha = 0.05", "")  # a level of significance
    assert [text[at - 60 :][:120] for name in NAMES if (at := text.lower().find(name)) >= 0] == []


def test_codes_are_three_letters_and_two_digits_one_team_s_runs_share_the_letters(
    codes: dict[str, tuple[str, str]], done: Workbench
) -> None:
    assert list(codes) == ["alpha", "beta", "bergenrun", "bergenrun2"]
    assert all(CODE.fullmatch(run) and run.startswith(f"{team}-") for run, team in codes.values())
    assert len({run for run, _ in codes.values()}) == 4
    teams = [team for _, team in codes.values()]
    assert teams[2] == teams[3]
    assert len(set(teams)) == 3  # beta has no team, and is one of its own


def test_what_was_drawn_stays_and_new_runs_of_a_team_have_its_letters(
    codes: dict[str, tuple[str, str]], done: Workbench, fails: Fails, folder: Path
) -> None:
    done("correct small alpha --team Elsewhere")
    (folder / "new.run").write_text("1 Q0 d1 1 2.0 new\n")
    done("add runs small new.run --team بيرغن")
    assert says(fails("export runs small --codes -o blind/"), "task codes small --draw")
    assert not (folder / "blind").exists()
    done("task codes small --draw")
    rows = json.loads(done("task codes small --format json").stdout)
    assert {row["run"]: (row["run_code"], row["team_code"]) for row in rows[:4]} == codes
    assert rows[4]["team_code"] == codes["bergenrun"][1]


@pytest.mark.usefixtures("codes")
def test_exports_of_runs_and_scores_name_nobody(
    done: Workbench, codes: dict[str, tuple[str, str]], folder: Path
) -> None:
    done("export runs small --codes -o blind/")
    files = sorted((folder / "blind").iterdir())
    assert [file.name for file in files] == sorted(
        f"{codes[tag][0]}.run" for tag in ("alpha", "beta", "bergenrun")
    )
    for file in files:
        assert_blind(file.name + file.read_text())
        assert {line.split()[5] for line in file.read_text().splitlines()} == {file.stem}
    one = done(f"export runs small --codes --run {codes['bergenrun2'][0]} -o -")
    assert_blind(one.stdout + one.stderr)
    for words in ("scores small", "scores small --layout tot", "topic-scores small", "latex small"):
        result = done(f"export {words} --codes")
        assert_blind(result.stdout + result.stderr)
        assert codes["alpha"][0] in result.stdout
    assert_blind(
        done(f"export latex small --codes --run {codes['alpha'][0]} --run {codes['beta'][0]}").stdout
    )
    named = list(csv.DictReader(done("export scores small").stdout.splitlines()))
    coded = list(csv.DictReader(done("export scores small --codes").stdout.splitlines()))
    assert {row["run"]: row["AP"] for row in coded} == {codes[row["run"]][0]: row["AP"] for row in named}


def test_a_bundle_and_team_sheets_name_nobody_and_the_bundle_comes_back(
    codes: dict[str, tuple[str, str]], done: Workbench, folder: Path
) -> None:
    done("release bundle small --codes --runs --comments -o blind.zip")
    with ZipFile("blind.zip") as archive:
        for name in archive.namelist():
            assert_blind(name + archive.read(name).decode())
        pools = json.loads(
            archive.read(next(name for name in archive.namelist() if name.endswith("pools.json")))
        )
    assert pools[-1]["runs"] == [codes[tag][0] for tag in codes]
    depths = {"bergenrun": 1, "alpha": 1}
    assert {f"{codes[tag][0]}:{depth}" for tag, depth in depths.items()} <= {
        *pools[-1]["parameters"]["run_depths"]
    }
    back = done("release import-bundle back blind.zip")
    assert says(back.stderr, "back")
    assert {row["run"] for row in csv.DictReader(done("export scores back").stdout.splitlines())} == {
        codes[tag][0] for tag in ("alpha", "beta", "bergenrun")
    }
    done("release report small --codes --format html -o sheets")
    sheets = list((folder / "sheets").iterdir())
    assert len(sheets) == 3
    for sheet in sheets:
        assert_blind(sheet.name + sheet.read_text())


def test_answers_are_released_under_codes(done: Workbench, folder: Path) -> None:
    (folder / "secretfile.jsonl").write_text(
        answer("1", run="bergenrun", team="Osloteam") + answer("2", run="bergenrun", team="Osloteam")
    )
    done("new rag")
    done("add topics rag topics.tsv")
    done("add answers rag secretfile.jsonl --team Osloteam")
    done("campaign question rag --about citations supported --title 'Supported?' --grades 0:No,1:Yes")
    done("pool rag --question supported --depth 5")
    done("task codes rag --draw")
    for words in ("export runs rag --codes -o -", "export judged-answers rag --form rag25 --codes"):
        text = done(words).stdout
        assert_blind(text)
        assert bool(CODE.search(text)) == words.startswith("export runs")  # the form names no run
        assert "Reefs recover slowly." in text
    done("release bundle rag --codes --runs -o blind.zip")
    with ZipFile("blind.zip") as archive:
        for name in archive.namelist():
            assert_blind(name + archive.read(name).decode())
    assert says(done("release import-bundle back blind.zip").stderr, "back")


def test_boards_of_judges_are_handed_in_as_runs_and_compared_with_a_truth_that_is_held_back(
    done: Workbench, folder: Path
) -> None:
    """Topics are those of the task, and runs of the task are in the place of documents (the layout `ranking`)."""
    done("new boards")
    done("add topics boards topics.tsv")
    for tag, values in (("alpha", (3, 2, 1)), ("beta", (1, 2, 3))):
        lines = (
            f"{topic} Q0 {run} 1 {value} {tag}\n"
            for topic in "12"
            for run, value in zip("xyz", values, strict=True)
        )
        (folder / f"{tag}.board").write_text("".join(lines))
        done(f"add runs boards {tag}.board --team {tag}team")
    done("task codes boards --draw")
    done("export runs boards --codes -o blind/")
    (folder / "truth").write_text("x 1 M 3\ny 1 M 2\nz 1 M 1\nx 2 M 3\ny 2 M 2\nz 2 M 1\n")
    files = sorted(map(str, (folder / "blind").iterdir()))
    result = done(
        "judges --truth truth --truth-layout ir_measures --layout ranking --format json",
        *files,
        "--page",
        "p.html",
    )
    rows = json.loads(result.stdout)["boards"]
    assert sorted(row["tau_b"] for row in rows) == [-1, 1]
    page = (folder / "p.html").read_text()
    assert_blind(page)
    assert all(row["judge"] in page for row in rows)
