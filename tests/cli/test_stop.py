"""`workbench analyse stop`: what judgments along a random order decide."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import write_run
from tests.fixture_types import Fails, Workbench
from tests.sentences import says
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.collection import pools

GOOD = " ".join(f"good{number}" for number in range(60))
POOR = " ".join(f"poor{number}" for number in range(60))
POOL = "pool apart --strategy sequential-pps --depth 60 --set measure=P@60 --seed 1".split()


@pytest.fixture
def apart(done: Workbench, folder: Path) -> Iterator[Path]:
    """A campaign of two runs that share no document, 40 of 120 drawn in an order, one of them relevant throughout."""
    (folder / "apart.tsv").write_text("1\tcats\n")
    done("new apart")
    done("add topics apart apart.tsv")
    files = [write_run(folder / tag, tag, {"1": ranking}) for tag, ranking in (("far", GOOD), ("off", POOR))]
    done("add runs apart", *files)
    done(*POOL, "--budget", "40")
    judge_all(folder, done)
    yield folder


def judge_all(folder: Path, done: Workbench) -> None:
    """Judge what is pooled: documents of the run `far` are relevant."""
    with open_campaign("instance/apart.db") as campaign:
        ids = [pair.pooled.document_id for pair in pools.each_pair(campaign)]
    (folder / "apart.qrels").write_text("".join(f"1 0 {id_} {int(id_[0] == 'g')}\n" for id_ in ids))
    done("add qrels apart apart.qrels")


def test_it_answers_and_shows_pairs_or_topics(apart: Path, done: Workbench) -> None:
    assert says(done("stop apart").stdout)
    shown = done("stop apart --pairs")
    assert "far" in shown.stdout
    assert "decided" in shown.stdout
    assert says(shown.stderr, "40 of 120")
    done("pool apart --strategy uniform --depth 60 --budget 60")
    shown = done("stop apart --topics")
    assert "Missing at most" in shown.stdout
    assert says(shown.stderr)


def test_what_is_open_comes_with_the_command_that_goes_on(apart: Path, done: Workbench) -> None:
    # A run that came later is none of the order.
    done("add runs apart", write_run(apart / "late", "late", {"1": GOOD[::-1]}))
    told = " ".join(done("stop apart --alpha 1e-9").stdout.split())
    command = re.search(r"To go on: workbench (pool apart .*? seed=1)", told)
    assert command is not None
    assert says(command[1])
    done(*shlex.split(command[1]))
    told = " ".join(done("stop apart --alpha 1e-9").stdout.split())
    assert says(told)


def test_ties_and_runs_of_the_order_are_in_the_command_that_goes_on(apart: Path, done: Workbench) -> None:
    order = ("--ties", "ascending", "--runs", "off,far", "--set", "measure=RBP(p=0.8)", "--seed", "2")
    done(*POOL[:6], "--budget", "5", *order)
    judge_all(apart, done)
    said = "--budget 8 --runs far,off --ties ascending --set 'measure=RBP(p=0.8)' --set seed=2"
    told = " ".join(done("stop apart --alpha 1e-9").stdout.split())
    assert said in told
    done(*POOL[:6], *shlex.split(said))
    told = " ".join(done("stop apart --pairs").stderr.split())
    assert says(told)


def test_a_dry_run_says_that_the_pool_would_be_refused(apart: Path, done: Workbench) -> None:
    told = " ".join(
        done(*POOL[:4], "--depth", "50", "--budget", "5", "--seed", "1", "--dry-run").stdout.split()
    )
    assert says(told)
    told = done(*POOL[:4], "--depth", "50", "--budget", "5", "--seed", "2", "--dry-run").stdout
    assert "refused" not in told


@pytest.mark.parametrize("option", ["--pairs", "--topics"])
def test_a_campaign_without_such_a_pool_is_told_how_to_make_one(fails: Fails, option: str) -> None:
    assert says(fails(f"stop small {option}"))


@pytest.mark.parametrize(
    ("given", "status"),
    [("-m AP --pairs", 1), ("--format csv", 2), ("--pairs --topics", 2), ("--alpha 0", 1)],
)
def test_what_cannot_be_told_is_refused(apart: Path, fails: Fails, given: str, status: int) -> None:
    assert says(fails(f"stop apart {given}", status=status))
