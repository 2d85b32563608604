"""Which strategies are to be simulated, with which parameters, and at which budgets."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from workbench.core.errors import UnknownName
from workbench.methods.pooling import STRATEGIES, Strategy
from workbench.methods.pooling.adaptive import OF_ADAPTIVE
from workbench.methods.pooling.ordering import OF_ORDERS

OF_THE_SIMULATION = ("depth", "budget", "percent", "per_topic")
"""What a simulation sets for all strategies alike."""
_NOT_HERE = {
    **{
        each: f"the simulation sets {each} for all strategies; use --depth and --budget"
        for each in OF_THE_SIMULATION
    },
    **{
        each: f"{each} is for pools that are judged live; the simulation chooses one document after the other, and "
        "judges the same share of each topic's pool"
        for each in OF_ADAPTIVE
    },
    "among": "a simulation chooses among pairs whose judgments are known; leave out among",
    "seed": "strategies are replayed with several seeds; say how many with --seeds",
}
"""The parameters that a strategy is not given here, and why."""
_WRITTEN = re.compile(r"(?P<name>[^()]+?)\s*(?:\((?P<inside>.*)\))?")
_NEXT = re.compile(r",(?=[^,=]*=)")
"""The comma before the next parameter: values such as strata have commas too."""


class SelectedStrategy(NamedTuple):
    """A strategy to simulate: as it is written, its entry, and its own parameters without the burn-in."""

    name: str
    strategy: Strategy
    burn_in: int
    own: dict[str, Any]

    @property
    def by_chance(self) -> bool:
        """Whether it has a seed that is not given."""
        return "seed" in self.own

    @property
    def has_budget(self) -> bool:
        """Whether a budget says how much it judges; else its own parameters do."""
        return self.strategy.frame is None or self.strategy.parameter("percent") is not None

    def seeded(self, seed: int) -> SelectedStrategy:
        """The same with a seed, where it is random."""
        return self._replace(own=self.own | {"seed": seed}) if self.by_chance else self


def named_strategies(names: Sequence[str], depth: int, *, has_texts: bool = False) -> list[SelectedStrategy]:
    """The strategies that names ask for, such as `hedge` and `rbp-c(p=0.95, burn_in=10)`; without names all there are.

    `depth` is how far down the rankings the pools go, `has_texts` whether there may be texts, as in a campaign: files
    of runs and qrels have none. UnknownName: no such strategy or parameter, one that has no order or uses texts that
    are not there, or a parameter that the simulation sets.
    """
    selected = [_selected(name.strip(), depth) for name in names or usual_strategies()]
    for one in selected:
        if one.strategy.uses_texts and not has_texts:
            raise UnknownName(
                f"{one.name} uses the texts, and files of runs and qrels have none; simulate it on a campaign that "
                "has them: workbench pooling simulate CAMPAIGN --strategy cal"
            )
    return selected


def usual_strategies() -> list[str]:
    """The strategies that are simulated where none is named: those that order documents or draw to a budget.

    Those that use texts take much longer, and are simulated where they are named.
    """
    return [
        name for name in _known() if not STRATEGIES[name].uses_texts and not _needs_more(STRATEGIES[name])
    ]


def _needs_more(strategy: Strategy) -> bool:
    """Whether a parameter is required that the simulation does not set."""
    return any(one.required and one.name not in OF_THE_SIMULATION for one in strategy.parameters)


def _known() -> list[str]:
    """The strategies that can be simulated, depth first."""
    others = (
        name
        for name, one in STRATEGIES.items()
        if name != "depth" and not one.uses_labels and (one.order is not None or one.frame is not None)
    )
    return ["depth", *others]


def _selected(name: str, depth: int) -> SelectedStrategy:
    parts = _WRITTEN.fullmatch(name)
    strategy = STRATEGIES.find(parts["name"] if parts else name)
    if strategy.name not in _known():
        raise UnknownName(f"{strategy.name} has no order to follow; simulate one of {', '.join(_known())}")
    inside = parts["inside"] if parts and parts["inside"] else ""
    given = [part.strip() for part in _NEXT.split(inside) if part.strip()]
    for part in given:
        if why := _NOT_HERE.get(part.partition("=")[0].strip()):
            raise UnknownName(f"{name}: {why}")
    to_depth = [f"depth={depth}"] if strategy.parameter("depth") is not None else []
    values = strategy.check(strategy.read_assignments([*to_depth, *given]))
    own = {key: value for key, value in values.items() if key not in (*OF_ORDERS, *OF_ADAPTIVE)}
    if own and strategy.order is None and strategy.frame is None:
        message = f"{name}: a simulation looks at all runs to the same depth; leave out {', '.join(own)}"
        raise UnknownName(message)
    return SelectedStrategy(name, strategy, values.get("burn_in", 0), own)


def read_budgets(text: str) -> list[float]:
    """Budgets in percent of each topic's pool, ascending: `5%,10%,20%`, with or without the signs.

    UnknownName: a part is no number above 0 and at most 100, or there is none.
    """
    budgets = sorted({_budget(part.strip()) for part in text.split(",") if part.strip()})
    if not budgets:
        raise UnknownName(f"{text!r} is not a budget; {_SHARES}")
    return budgets


_SHARES = "write shares of each topic's pool, as in 5%,10%,20%"


def _budget(text: str) -> float:
    try:
        percent = float(text.removesuffix("%"))
    except ValueError:
        raise UnknownName(f"{text!r} is not a budget; {_SHARES}") from None
    if not 0 < percent <= 100:
        message = f"the budget {text!r} is not a share of a pool; give more than 0 % and at most 100 %, as in 5%,10%"
        raise UnknownName(message)
    return percent
