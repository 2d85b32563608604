from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.sentences import says
from workbench.campaign.ingest import add_qrels, add_runs
from workbench.campaign.pools.making import add_pool
from workbench.cli import main
from workbench.storage.campaign import create_campaign


@pytest.fixture(autouse=True)
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two runs of one topic, and the judgment of alpha's first document."""
    monkeypatch.chdir(tmp_path)
    Path("alpha.run").write_text("1 Q0 a 1 3 alpha\n1 Q0 b 2 2 alpha\n")
    Path("beta.run").write_text("1 Q0 b 1 3 beta\n1 Q0 c 2 2 beta\n1 Q0 d 3 1 beta\n")
    Path("qrels.txt").write_text("1 0 a 1\n")
    Path("instance").mkdir()
    with create_campaign(Path("instance/small.db")) as campaign:
        add_runs(campaign.by("org"), ["alpha.run", "beta.run"])
        add_pool(campaign.by("org"), depth=3)
        add_qrels(campaign.by("org"), ["qrels.txt"])
    return tmp_path


def out(*words: str) -> str:
    """What the command prints on standard output."""
    done = CliRunner().invoke(main, ["certain", "small", *words])
    assert done.exit_code == 0, done.output
    return done.stdout


def test_each_pair_is_a_line_with_the_fixed_columns() -> None:
    # a is relevant, b is of both, c of beta alone.
    assert out("-m", "P@2", "--format", "csv") == (
        "run_a,run_b,difference,lower,upper,state\nalpha,beta,0.5,0.0,0.5,open\n"
    )


def test_the_table_has_a_sentence_and_what_the_bounds_hold_for() -> None:
    done = CliRunner().invoke(main, ["certain", "small", "-m", "P@1"])
    assert says(done.stderr, "P@1")


def test_json_says_all_of_it() -> None:
    told = json.loads(out("-m", "P@2", "--format", "json"))
    assert (told["measure"], told["topics"], told["open"], told["exact"]) == ("P@2", 1, 1, True)
    assert told["runs"] == [{"run": "alpha", "mean": 0.5}, {"run": "beta", "mean": 0.0}]
    assert told["pairs"][0]["state"] == "open"


def test_the_documents_that_would_swap_a_pair() -> None:
    # alpha has 1 for a. b would give beta 1 and alpha 0.63; c would give beta 0.63, and d 0.5.
    told = out("-m", "DCG@3", "--witness", "alpha", "beta", "--format", "csv")
    assert says("\n".join(told.splitlines()))


def test_the_history_and_an_earlier_row() -> None:
    lines = out("--history", "--format", "csv").splitlines()
    assert lines[0] == "seq,judged,waiting,pairs,certain,tied,share"
    row = lines[1].partition(",")[0]
    assert out("--as-of", row, "--format", "csv") == out("--format", "csv")


@pytest.mark.parametrize(
    ("words", "status"),
    [("-m Bpref", 1), ("alpha gamma", 1), ("--history alpha", 2), ("--witness alpha alpha", 1)],
)
def test_what_cannot_be_answered_is_refused(words: str, status: int) -> None:
    done = CliRunner().invoke(main, ["certain", "small", *words.split()])
    assert (done.exit_code, says(done.stderr.splitlines()[-1])) == (status, True)
