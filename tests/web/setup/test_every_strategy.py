"""Every strategy goes all the ways: command line, page, record, plan, audit, bundle, figures and contributions.

The registry is asked which strategies there are; for the time of these tests it has four more, with parameters of every
kind, and one without any.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import pytest
from click.testing import CliRunner
from flask import Flask

from tests.fixture_types import SignIn, TokenOf
from tests.labels_of_models import add_labels_of_model
from tests.sentences import refused, says
from workbench.analysis.run_profiles.contribution import brought
from workbench.campaign.pools.making import add_pool
from workbench.campaign.pools.plan import plan_pool
from workbench.cli import main
from workbench.core.errors import UnknownName
from workbench.core.parameters import Limits
from workbench.core.ranking import Rankings
from workbench.methods.pooling import STRATEGIES, PoolPairs
from workbench.methods.pooling.registry import candidates, strategy
from workbench.release.audit.checks import audit
from workbench.release.bundle.importing import import_bundle
from workbench.release.bundle.writing import BundleOptions, save_bundle
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.collection import pools
from workbench.storage.campaign.people import members

Share = Annotated[float, Limits("the share of a topic's documents", above=0, most=1, example="0.5")]

CASES: dict[str, dict[str, Any]] = {
    "depth": {"depth": 2},
    "depth with a budget": {"depth": 2, "budget": 5},
    "depth by run": {
        "depth": 2,
        "run_depths": ["alpha:1"],
        "priorities": ["alpha:2", "beta:1"],
        "runs_per_team": 1,
        "percent": 80.0,
    },
    "rrf": {"depth": 2, "budget": 5},
    "borda": {"depth": 2, "percent": 50.0},
    "combsum": {"depth": 2, "budget": 2, "per_topic": True},
    "combmnz": {"depth": 3, "budget": 5, "burn_in": 1},
    "rbp-a": {"depth": 3, "budget": 4, "p": 0.5},
    "list": {"pairs": ["1 d1", "1 d9", "2 d8"], "found_by": "search"},
    "imported": {
        "candidates": ["1 d1 1 1.0 1", "1 d2 2 0.5 0", "1 d9 2 0.5 1", "2 d8 1 1.0 1"],
        "strata": True,
    },
    "ntcir": {"depth": 3, "budget": 5},
    "document-id": {"depth": 3, "budget": 5},
    "random": {"depth": 3, "budget": 5, "seed": 3},
    "pps": {"depth": 2, "budget": 5, "seed": 3},
    "strata": {"strata": "1:100%,2:50%", "seed": 3},
    "uniform": {"depth": 2, "whole": 1, "percent": 50.0, "seed": 3},
    "sequential-pps": {"depth": 3, "budget": 5, "measure": "P@2", "seed": 3},
    "by-model": {"judge": "gpt", "depth": 3, "percent": 50.0, "floor": 2, "seed": 3},
    "pps-by-model": {"judge": "gpt", "depth": 3, "budget": 5, "measure": "P@2", "evenly": 20.0, "seed": 3},
    "mtf": {"depth": 2, "budget": 5},
    "maxmean": {"depth": 2, "percent": 50.0, "batch": 1},
    "thompson": {"depth": 3, "budget": 5, "seed": 3},
    "hedge": {"depth": 3, "budget": 7, "burn_in": 1, "spread": "by-need", "minimum": 1},
    "rbp-b": {"depth": 3, "budget": 2, "per_topic": True},
    "rbp-c": {"depth": 3, "budget": 5},
    "mtc": {"depth": 3},
    "cal": {"depth": 3, "budget": 5, "seed": 3},
    "cal among all texts": {"depth": 3, "budget": 5, "among": "texts", "seed": 3},
    "separate": {"depth": 2, "budget": 5},
    "separate over all topics": {"depth": 2, "budget": 5, "pairs": "open", "spread": "by-score"},
    "some": {"n": 2, "seed": 7},
    "share": {"share": 0.5, "order": "worst"},
    "ranks": {"ranks": [1, 3], "strict": True},
    "everything": {},
}
OF_ORDERS = {"budget": None, "percent": None, "per_topic": False, "burn_in": 0}
OF_ADAPTIVE = OF_ORDERS | {"batch": 5, "spread": "evenly", "minimum": 0}
DEFAULTS: dict[str, dict[str, Any]] = {
    "mtf": OF_ADAPTIVE | {"seed": 1},
    **dict.fromkeys(("thompson", "maxmean"), OF_ADAPTIVE | {"rate": 1.0, "seed": 1}),
    "hedge": OF_ADAPTIVE | {"beta": 0.1},
    **dict.fromkeys(("rbp-b", "rbp-c"), OF_ADAPTIVE | {"p": 0.8}),
    "mtc": OF_ADAPTIVE,
    "cal": OF_ADAPTIVE | {"among": "runs"},
    "cal among all texts": OF_ADAPTIVE,
    "separate": OF_ADAPTIVE | {"p": 0.95, "pairs": "undecided"},
    "separate over all topics": OF_ADAPTIVE | {"p": 0.95},
    "ranks": {"strict": True, "note": None},
    "rrf": OF_ORDERS | {"k": 60.0},
    **dict.fromkeys(("borda", "combsum", "combmnz", "rbp-a", "ntcir", "document-id", "random"), OF_ORDERS),
    "pps": {"percent": None, "per_topic": False, "prior": "ap", "p": 0.95},
    "uniform": {"budget": None, "per_topic": False},
    "by-model": {"budget": None, "per_topic": False},
    "pps-by-model": {"percent": None, "per_topic": False, "missed": 0.1},
    "sequential-pps": {"percent": None},
}
"""Each strategy with parameters, and the values of the others; `small` is pooled to depth 2 and has 8 pairs in all."""

PRECISION = "estimates of a run’s mean are within"
"""What is said of samples alone."""

WITHOUT_RUNS = {"list": 2, "imported": 2}
"""How many pairs of a case no run has."""


def strategy_of(case: str) -> str:
    """The strategy of a case; what follows its name tells cases of one strategy apart."""
    return case.partition(" ")[0]


LIKE_OTHERS = set(
    "borda combmnz rbp-a ntcir document-id random mtf maxmean thompson rbp-b rbp-c mtc cal separate".split()
)
"""Strategies that go the same ways as `rrf`, `combsum` and `hedge`: all of them go there where there is more time."""

each_strategy = pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name in LIKE_OTHERS)) for name in CASES]
)


def some(
    rankings: Rankings, *, n: Annotated[int, Limits("pairs in all", least=1)], seed: int = 0
) -> PoolPairs:
    """So many pairs at random."""
    pool = candidates(rankings)
    return pool.take(np.sort(np.random.default_rng(seed).permutation(len(pool.topic))[:n]))


def share(rankings: Rankings, *, share: Share, order: Literal["best", "worst"] = "best") -> PoolPairs:
    """A share of all pairs by their best rank."""
    pool = candidates(rankings)
    by_rank = np.argsort(pool.best_rank, kind="stable")[:: 1 if order == "best" else -1]
    return pool.take(np.sort(by_rank[: round(share * len(by_rank))]))


def ranks(
    rankings: Rankings,
    *,
    ranks: Annotated[list[int], Limits("ranks", least=1)],
    strict: bool = False,
    note: str | None = None,
) -> PoolPairs:
    """The documents whose best rank is one of these."""
    pool = candidates(rankings)
    return pool.take(np.isin(pool.best_rank, ranks))


def everything(rankings: Rankings) -> PoolPairs:
    """All that the runs have."""
    return candidates(rankings)


@pytest.fixture(autouse=True)
def more_strategies() -> Iterator[None]:
    for function in (some, share, ranks, everything):
        strategy(function.__name__)(function)
    yield
    for function in (some, share, ranks, everything):
        del STRATEGIES[function.__name__]


@pytest.fixture
def served(instance: Path, small_file: Path) -> Path:
    """The campaign `small` in the instance folder, Anna its organiser, and labels of the judge gpt."""
    path, labels = instance / "small.db", instance / "gpt.qrels"
    shutil.copyfile(small_file, path)
    labels.write_text("1 0 d1 1\n1 0 d2 0\n1 0 d3 0\n2 0 d2 0\n10 0 d6 1\n", encoding="utf-8")
    with open_campaign(path) as campaign:
        add_labels_of_model(campaign, labels, "gpt")
        with campaign.write():
            members.put(campaign.by("Olga"), "Anna", "organiser")
    return path


@pytest.fixture
def opened(served: Path) -> Iterator[Campaign]:
    with open_campaign(served) as campaign:
        yield campaign


def words(name: str) -> list[str]:
    """The parameters as the command line takes them."""
    values = {key: ",".join(map(str, v)) if isinstance(v, list) else str(v) for key, v in CASES[name].items()}
    return [word for key, value in values.items() for word in ("--set", f"{key}={value}")]


def run(path: Path, *given: str) -> str:
    """What the command prints; an exception that would be a traceback fails the test."""
    result = CliRunner().invoke(main, [given[0], str(path), *given[1:]], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def newest(path: Path) -> pools.PoolRecord:
    with open_campaign(path) as campaign:
        return pools.all_pools(campaign)[-1].record


def recorded(name: str) -> dict[str, Any]:
    """The parameters as they are recorded, with the defaults of those that were not given."""
    return DEFAULTS.get(name, {}) | CASES[name]


def test_every_strategy_of_the_registry_is_among_the_cases() -> None:
    assert {strategy_of(name) for name in CASES} == set(STRATEGIES)


def wrong(campaign: Campaign) -> list[Any]:
    return [finding for finding in audit(campaign) if finding.wrong]


@each_strategy
def test_the_plan_is_the_pool_that_is_made_and_the_audit_makes_it_again(opened: Campaign, name: str) -> None:
    plan = plan_pool(opened, strategy=strategy_of(name), **CASES[name])
    made = add_pool(opened.by("Olga"), strategy=strategy_of(name), **CASES[name])
    if (
        STRATEGIES[strategy_of(name)].kind == "adaptive"
    ):  # it grows to that: tests/campaign/pools/test_choosing.py
        assert plan.total >= sum(pools.pooled_by_topic(opened).values()) - 7
    else:
        assert (plan.total, plan.at_depth.new) == (made.pairs, made.pool.pairs)
    assert (plan.strategy, plan.parameters) == (strategy_of(name), recorded(name))
    assert (plan.depth is None) == (name != "depth")
    assert all(0 <= run.new <= run.alone <= run.brings <= plan.total for run in plan.by_run)
    assert sum(run.brings for run in plan.by_run) >= plan.total - WITHOUT_RUNS.get(name, 0)
    assert sum(brought(opened).pooled.values()) >= made.pairs - WITHOUT_RUNS.get(name, 0)
    assert wrong(opened) == []


@each_strategy
def test_the_command_line_tells_and_draws_the_sizes_and_then_pools_by_it(served: Path, name: str) -> None:
    given = ["--strategy", strategy_of(name), *words(name)]
    shown = " ".join(run(served, "pool", *given, "--dry-run").split())
    with open_campaign(served) as campaign:
        plan = plan_pool(campaign, strategy=strategy_of(name), **CASES[name])
        assert len(pools.all_pools(campaign)) == 1
    left = plan.at_depth.to_judge
    assert f" {plan.total} pairs " in shown
    assert (
        f" {plan.pooled_already} of them pooled already. {left} pairs to judge then: {left / 60:.1f} hours"
        in shown
    )
    assert (PRECISION in shown) == (STRATEGIES[strategy_of(name)].frame is not None)
    parameters = [f"parameter={word}" for word in words(name) if word != "--set"]
    for figure in ("pool-topics", "pool-runs"):
        drawn = run(served, "plot", figure, f"strategy={strategy_of(name)}", *parameters, "--format", "csv")
        assert "part,pairs" in drawn
    assert run(served, "pool", *given).startswith("Pool 2: ")
    assert newest(served)[:2] == (strategy_of(name), recorded(name))


@pytest.mark.slow
@each_strategy
def test_a_bundle_gives_the_same_pool_back(opened: Campaign, tmp_path: Path, name: str) -> None:
    add_pool(opened.by("Olga"), strategy=strategy_of(name), **CASES[name])
    bundle = save_bundle(opened, tmp_path / "small.zip", options=BundleOptions(runs=True)).path
    import_bundle(bundle, tmp_path / "again.db", actor="Olga")
    assert newest(tmp_path / "again.db")[:2] == (strategy_of(name), recorded(name))
    with open_campaign(tmp_path / "again.db") as again:
        assert [pair[:2] for pair in pools.pooled_pairs(again)] == [
            pair[:2] for pair in pools.pooled_pairs(opened)
        ]
        assert wrong(again) == []


@each_strategy
def test_the_page_asks_for_its_parameters_and_makes_its_pool(
    app: Flask, client_of: SignIn, token_of: TokenOf, served: Path, name: str
) -> None:
    client = client_of(app, "Anna")
    chosen = client.get(f"/c/small/pool?strategy={strategy_of(name)}&depth=2").text
    assert f'<option value="{strategy_of(name)}"' in chosen
    for parameter in STRATEGIES[strategy_of(name)].parameters:
        assert f'name="{"strategy." if parameter.name == "seed" else ""}{parameter.name}"' in chosen
    given = {key: ",".join(map(str, v)) if isinstance(v, list) else str(v) for key, v in CASES[name].items()}
    query = {
        "strategy": strategy_of(name),
        **{("strategy.seed" if key == "seed" else key): v for key, v in given.items()},
    }
    answer = client.get("/c/small/pool", query_string=query)
    text = answer.text
    assert (answer.status_code, 'role="alert"' in text) == (200, False)
    assert (PRECISION in text) == (STRATEGIES[strategy_of(name)].frame is not None)
    hidden = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', text))
    figures = set(re.findall(r'data-figure="([^"]+)"', text))
    assert {client.get(address.replace("&amp;", "&")).status_code for address in figures} == {200}
    made = client.post("/c/small/pool", data=hidden | {"csrf_token": token_of(client)})
    assert made.status_code == 303
    assert newest(served)[:2] == (strategy_of(name), recorded(name))
    assert client.get(made.location).status_code == 200


@pytest.mark.parametrize(
    "given",
    [
        *(
            "--strategy some",
            "--strategy some --set n=two",
            "--strategy some --set n",
            "--depth 2 --seed 1 --order-seed 1",
        ),
        *("--strategy some --set n=1 --set n=2", "--strategy share --set share=1 --set order=up"),
        "--strategy everything --set n=1",
    ],
)
def test_what_a_strategy_does_not_take_is_refused_with_the_way_out(served: Path, given: str) -> None:
    result = CliRunner().invoke(main, ["pool", str(served), *given.split()], catch_exceptions=False)
    assert (result.exit_code, says(result.output.splitlines()[-1])) == (2, True)


def test_the_seed_is_the_strategys_where_it_has_one(served: Path) -> None:
    run(served, "pool", "--strategy", "some", "--set", "n=2", "--seed", "5")
    assert (newest(served).parameters, newest(served).seed) == ({"n": 2, "seed": 5}, 0)
    run(served, "pool", "--strategy", "some", "--set", "n=2", "--order-seed", "6")
    assert (newest(served).parameters, newest(served).seed) == ({"n": 2, "seed": 0}, 6)
    run(served, "pool", "--depth", "2", "--seed", "7")
    assert (newest(served).parameters, newest(served).seed) == ({"depth": 2}, 7)


def test_a_parameter_that_every_pool_has_is_refused_at_registration() -> None:
    def sampled(rankings: Rankings, *, ties: str) -> PoolPairs:
        return candidates(rankings)

    with refused(ValueError):
        strategy("sampled")(sampled)


def test_a_pool_of_a_strategy_that_is_gone_is_said_to_be_unchecked(opened: Campaign) -> None:
    add_pool(opened.by("Olga"), strategy="everything")
    entry = STRATEGIES.pop("everything")
    try:
        (found,) = [finding for finding in audit(opened) if finding.wrong or finding.not_checked]
        with pytest.raises(UnknownName, match="there is no pooling strategy 'everything'"):
            plan_pool(opened, strategy="everything")
    finally:
        STRATEGIES["everything"] = entry
    assert "there is no pooling strategy 'everything'" in " ".join([*found.wrong, *found.not_checked])
