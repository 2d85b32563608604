"""withdraw: out of board and pools, and said wherever it matters."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fixture_types import Fails, Workbench
from tests.sentences import says
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import withdrawals


def test_a_run_is_withdrawn_and_restored(done: Workbench, campaign: Campaign) -> None:
    told = done("withdraw small alpha --reason 'indexed the wrong collection'").stderr
    assert says(told)
    assert [step.content["reason"] for step in withdrawals.steps(campaign)] == [
        "indexed the wrong collection"
    ]
    assert done("withdraw small alpha --restore").stderr == "1 run restored.\n"
    assert withdrawals.withdrawn(campaign) == {}
    assert says(done("withdraw small alpha beta").stderr)


def test_an_unknown_run_is_an_error(fails: Fails) -> None:
    assert says(fails("withdraw small gamma"), "gamma")


def test_scores_pools_and_exports_say_who_is_missing(done: Workbench) -> None:
    done("withdraw small alpha")
    scores = done("export scores small -m P@1")
    assert scores.stdout == "run,P@1\nbeta,0.0\n"
    pool = done("export pool small")
    assert len(pool.stdout.splitlines()) == 7
    for told in (scores, pool, done("score small"), done("pool small --depth 3")):
        assert says(told.stderr)
    done("withdraw small beta")
    assert says(done("score small").stderr)


def test_what_was_before_a_withdrawal_is_exported_as_it_was(done: Workbench) -> None:
    before = done("export scores small --as-of 6")
    done("withdraw small alpha")
    again = done("export scores small --as-of 6")
    assert (again.stdout, again.stderr) == (before.stdout, before.stderr)
    assert "withdrawn" not in again.stderr


@pytest.mark.parametrize("named", [False, True])
def test_a_withdrawn_run_is_exported_when_it_is_named(done: Workbench, named: bool) -> None:
    done("withdraw small alpha")
    done("export runs small", *(["--run", "alpha"] if named else []), "-o", "out/")
    assert [path.name for path in Path("out").iterdir()] == ["alpha.run" if named else "beta.run"]
