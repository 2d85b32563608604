"""The command of a judge against people."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from tests.sentences import says
from workbench.cli.main import main
from workbench.storage.campaign import Campaign


def run(*words: str) -> str:
    found = CliRunner().invoke(main, list(words))
    assert found.exit_code == 0, found.output
    return found.output


def add(campaign: Campaign, folder: Path, name: str, source: str, text: str) -> None:
    path = folder / "labels.qrels"
    path.write_text(text, encoding="utf-8")
    words = ("qrels", "--assessor") if source == "human" else ("model-labels", "--form", "qrels", "--judge")
    run("add", words[0], str(campaign.path), str(path), *words[1:], name)


def test_without_a_judge_it_says_how_to_get_one(small: Campaign) -> None:
    assert says(run("judging", "judge-quality", str(small.path)), "add model-labels")
    assert says(run("judging", "judge-quality", str(small.path), "-m", "AP"), "add model-labels")


def test_it_shows_the_judge_and_with_a_measure_both_boards(small: Campaign, tmp_path: Path) -> None:
    add(small, tmp_path, "Zoe", "human", "1 0 d1 1\n2 0 d2 0\n")
    add(small, tmp_path, "gpt", "model", "1 0 d1 2\n2 0 d2 0\n2 0 d1 1\n")
    add(small, tmp_path, "tiny", "model", "2 0 d2 0\n")
    found = run("judging", "judge-quality", str(small.path))
    assert says(found[found.index("gpt: 3 labels") :], "gpt: 3 labels", "tiny")
    boards = run("judging", "judge-quality", str(small.path), "-m", "P@1", "--family", "gpt")
    assert says(boards[boards.index("P@1 on") :], "family gpt")
    rows = run("judging", "judge-quality", str(small.path), "--judge", "tiny", "--format", "csv").splitlines()
    assert rows[0] == "part,scope,coefficient,value,low,high,holds,topics,pairs,note"


def test_corrected_scores_say_what_is_missing_and_then_are_a_table(small: Campaign, tmp_path: Path) -> None:
    campaign = str(small.path)
    assert says(run("analyse", "corrected", campaign))
    path = tmp_path / "labels.qrels"
    path.write_text("1 0 d1 2\n2 0 d2 0\n", encoding="utf-8")
    run("add", "model-labels", campaign, str(path), "--form", "qrels", "--judge", "gpt")
    assert says(run("analyse", "corrected", campaign).splitlines()[-1], "--strategy pps")


def test_a_family_without_a_measure_is_wrong_usage(small: Campaign) -> None:
    found = CliRunner().invoke(main, ["judging", "judge-quality", str(small.path), "--family", "gpt"])
    assert found.exit_code == 2
