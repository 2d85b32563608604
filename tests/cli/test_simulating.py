"""`workbench pooling simulate`."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.fixture_types import JudgeAs
from tests.release.audit.test_checks import tampering
from tests.sentences import says
from workbench.cli import main
from workbench.storage.campaign import Campaign


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Qrels and two runs, of which abx finds b and cay finds c."""
    (tmp_path / "qrels").write_text("1 0 a 0\n1 0 b 1\n1 0 c 1\n")
    for name in ("abx", "cay"):
        lines = (f"1 Q0 {document} {rank} {9 - rank} {name}\n" for rank, document in enumerate(name))
        (tmp_path / name).write_text("".join(lines))
    return [str(tmp_path / name) for name in ("qrels", "abx", "cay")]


def run(*words: str, status: int = 0) -> str:
    result = CliRunner().invoke(main, ["simulate", *words], catch_exceptions=False)
    assert result.exit_code == status, result.output
    return result.stdout if status == 0 else result.output


def test_csv_has_a_row_for_each_strategy_and_budget_and_json_the_same_with_a_verdict(
    files: list[str],
) -> None:
    words = (*files, "--strategy", "depth", "--depth", "2", "--budget", "67%,100%")
    text = run(*words, "--format", "csv")
    assert text.splitlines()[0] == "strategy,budget,judged,recall,recall_low,recall_high,tau,tau_ap,rmse"
    rows = list(csv.DictReader(text.splitlines()))
    told = [(row["strategy"], float(row["budget"]), int(row["judged"]), float(row["recall"])) for row in rows]
    assert told == [("depth", 67, 2, 0.5), ("depth", 100, 3, 1.0)]
    found = json.loads(run(*words, "--format", "json"))
    assert says(found["verdict"][0])
    assert [(row["strategy"], row["budget"], row["judged"], row["recall"]) for row in found["rows"]] == told


@pytest.mark.parametrize("words", ["--budget 0%", "--strategy hegde", "--strategy cal", "-m XYZ"])
def test_what_cannot_be_simulated_is_refused_with_the_way_out(files: list[str], words: str) -> None:
    assert says(run(*files, *words.split(), status=1))


def test_the_verdict_stands_below_the_table_and_beside_the_csv(files: list[str]) -> None:
    words = [*files, "--depth", "2"]
    shown = run(*words)
    assert all(name in shown for name in ("depth", "rrf", "thompson", "separate", "Recall", "RMSE"))
    assert says(run(*words, "--strategy", "rrf"))
    words += ["--depth", "3", "--strategy", "rrf", "--format", "csv"]
    result = CliRunner().invoke(main, ["simulate", *words])
    assert says(result.stderr)
    assert "other collections" not in result.stdout


def test_a_campaign_is_simulated_on_as_it_is_judged_so_far(small: Campaign, judging_as: JudgeAs) -> None:
    assert says(run(str(small.path), status=1))
    for document, grade in {"d1": 0, "d2": 1, "d4": 2}.items():
        judging_as(small, "Anna", "1", document, grade)
    text = run(str(small.path), "--strategy", "depth", "--budget", "67%,100%", "--format", "csv")
    rows = list(csv.DictReader(text.splitlines()))
    assert [(row["judged"], float(row["recall"])) for row in rows] == [("2", 0.5), ("3", 1.0)]


def test_qrels_without_runs_are_refused_with_the_way_out(files: list[str]) -> None:
    Path(files[0]).write_text("1 0 a 1\n" * 100)
    assert says(run(files[0], status=1))


def test_workers_replay_strategies_on_files_alone(files: list[str]) -> None:
    assert says(run(files[0], "--workers", "2", status=2))


def test_a_damaged_campaign_is_not_taken_for_qrels(small: Campaign) -> None:
    small.close()
    with tampering(small.path) as connection:
        connection.execute("UPDATE event SET actor = 'Mallory' WHERE kind = 'pool'")
    said = run(str(small.path), status=1)
    assert (says(said), "if these are qrels" in said) == (True, False)


@pytest.fixture
def others(tmp_path: Path) -> list[str]:
    """Other qrels and runs, of which one finds b first and one d."""
    folder = tmp_path / "other"
    folder.mkdir()
    (folder / "qrels").write_text("7 0 b 1\n7 0 d 1\n7 0 z 0\n")
    for name in ("bzd", "zdb"):
        lines = (f"7 Q0 {document} {rank} {9 - rank} {name}\n" for rank, document in enumerate(name))
        (folder / name).write_text("".join(lines))
    return [str(folder / name) for name in ("qrels", "bzd", "zdb")]


def both(files: list[str], others: list[str]) -> list[str]:
    return [f"old={files[0]}", *files[1:], "+", *others]


CHOSEN = ("--strategy", "hedge", "--strategy", "random", "--depth", "3", "--budget", "50%,80%")


def test_what_is_found_in_several_collections_is_that_of_each_alone_with_its_name(
    files: list[str], others: list[str]
) -> None:
    alone = [run(*each, *CHOSEN, "--format", "csv").splitlines() for each in (files, others)]
    header, *rows = run(*both(files, others), *CHOSEN, "--format", "csv").splitlines()
    assert header == f"collection,{alone[0][0]}"
    names = ("old", others[0])
    assert rows == [f"{name},{row}" for name, (_, *own) in zip(names, alone, strict=True) for row in own]
    found = json.loads(run(*both(files, others), *CHOSEN, "--format", "json"))
    for name, each in zip(names, (files, others), strict=True):
        own = json.loads(run(*each, *CHOSEN, "--format", "json"))
        rows_here = [row for row in found["rows"] if row["collection"] == name]
        assert rows_here == [{"collection": name, **row} for row in own["rows"]]
        assert found["collections"][name] == {"verdict": own["verdict"]}
    means = [(mean["strategy"], mean["budget"], mean["collections"]) for mean in found["means"]]
    assert means == [(strategy, budget, 2) for strategy in ("hedge", "random") for budget in (50, 80)]


def test_the_means_of_several_collections_stand_below_the_table_and_beside_the_csv(
    files: list[str], others: list[str]
) -> None:
    words = [*both(files, others), "--strategy", "hedge", "--depth", "3", "--budget", "50"]
    shown = run(*words)
    assert [line.split()[:4] for line in shown.splitlines() if "hedge  " in line] == [
        ["old", "hedge", "50.00", "3"],
        [others[0], "hedge", "50.00", "2"],
        ["hedge", "50.00", "2", "0.5000"],
    ]
    assert says(shown, "these 2 collections")
    result = CliRunner().invoke(main, ["simulate", *words, "--format", "csv"])
    assert says(result.stderr, "these 2 collections")
    assert "hedge 50.00 2 0.5000" in " ".join(result.stderr.split())
    assert "The means" not in result.stdout


def test_a_campaign_and_files_are_simulated_on_in_one_call(
    files: list[str], small: Campaign, judging_as: JudgeAs
) -> None:
    for document, grade in {"d1": 0, "d2": 1, "d4": 2}.items():
        judging_as(small, "Anna", "1", document, grade)
    words = ("--strategy", "depth", "--budget", "67%", "--depth", "3", "--format", "csv")
    _, alone = run(str(small.path), *words).splitlines()
    _, first, second = run(f"now={small.path}", "+", *files, *words).splitlines()
    assert first == f"now,{alone}"
    assert second.startswith(f"{files[0]},depth,67.0,")
    refused = run(str(small.path), "+", *files, "--workers", "2", status=2)
    assert says(refused)


@pytest.mark.parametrize(
    "words", ["QRELS RUN +", "QRELS RUN + + QRELS RUN", "QRELS RUN + QRELS RUN", "a=QRELS RUN + a=QRELS RUN"]
)
def test_several_collections_that_cannot_be_told_apart_are_refused(files: list[str], words: str) -> None:
    assert says(run(*words.replace("QRELS", files[0]).replace("RUN", files[1]).split(), status=2))


def test_broken_files_of_several_collections_are_all_named(files: list[str], others: list[str]) -> None:
    for broken in (files[1], others[2]):
        Path(broken).write_text("not a run\n")
    refused = run(*both(files, others), status=1)
    assert (f"{files[1]}:1: " in refused, f"{others[2]}:1: " in refused) == (True, True)


def test_a_file_whose_name_has_an_equals_sign_is_no_named_collection(
    files: list[str], others: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(Path(files[0]).parent)
    Path("qrels").rename("a=b")
    words = ("--strategy", "depth", "--depth", "2", "--format", "csv")
    rows = list(csv.DictReader(run("a=b", *files[1:], "+", *others, *words).splitlines()))
    assert {row["collection"] for row in rows} == {"a=b", others[0]}
