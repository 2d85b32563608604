"""What the pool page is asked for: a pool as the command line knows it, and how people judge."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeVar

from workbench.campaign.pools.making import named_runs
from workbench.core.parameters import Parameter, written
from workbench.core.values import LARGEST_INTEGER
from workbench.methods.pooling import STRATEGIES, Strategy
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import pools, rounds
from workbench.storage.campaign.people import members
from workbench.web.setup.strategy_fields import addressed, read_fields, usual_values

FIRST_STRATEGY = "depth"
HOURS_PER_DAY = 4.0
MOST_PER_HOUR = 100_000.0
MOST_ASSESSORS = 10_000
YES, NO = "yes", "no"
PAIRS = "pairs"
"""The parameter that a list which was sent as a file fills."""
LONGEST_RUNS = 100_000
"""Letters of a list of runs that are read."""

Number = TypeVar("Number", int, float)


class PoolRequest(NamedTuple):
    """A pool to be planned or made. Texts are as they were typed; None is what the campaign has or the log measures.

    `parameters` are those of the strategy, none where there is no such strategy; `residual` is whether what was judged
    before the open round is taken out, None in the first round; `viewing_seed` is the seed of the viewing order.
    `listed` names a list of pairs that was sent as a file (see pool_lists), in place of pairs that were typed.
    `per_hour` are judgments of one person in an hour, `hours_per_day` hours of one person in a day.
    """

    strategy: str
    parameters: dict[str, Any]
    ties: str
    runs: str
    residual: bool | None
    viewing: str | None
    viewing_seed: int | None
    per_hour: float | None
    hours_per_day: float
    assessors: int
    listed: str = ""

    def of_pool(self) -> dict[str, object]:
        """What makes the pool, by the names of the form's fields; what was left open is left out."""
        wanted = {"strategy": self.strategy, "ties": self.ties, "runs": self.runs}
        residual = None if self.residual is None else YES if self.residual else NO
        rest = self._only(residual=residual, viewing=self.viewing, seed=self.viewing_seed)
        return self.of_strategy() | wanted | rest

    def of_strategy(self) -> dict[str, object]:
        """The strategy's parameters, likewise."""
        known = STRATEGIES.get(self.strategy)
        found: dict[str, object] = dict(addressed(known, self.parameters)) if known else {}
        return found | ({"list": self.listed, PAIRS: ""} if self.listed else {})

    def of_work(self) -> dict[str, object]:
        """How people judge, likewise."""
        given = {"hours_per_day": f"{self.hours_per_day:g}", "assessors": self.assessors}
        return given | self._only(per_hour=None if self.per_hour is None else f"{self.per_hour:g}")

    def planned(self) -> dict[str, Any]:
        """What `plan_pool` and `add_pool` are given."""
        drawn = {"ties": self.ties, "tags": named_runs(self.runs), "residual": bool(self.residual)}
        return {"strategy": self.strategy, **drawn, **self.parameters}

    def known(self) -> tuple[Parameter, ...]:
        """The parameters that its strategy takes; none where there is no such strategy."""
        return STRATEGIES[self.strategy].parameters if self.strategy in STRATEGIES else ()

    def assignments(self) -> list[str]:
        """Its parameters as `name=value`; each of several texts is one."""
        found: list[str] = []
        for parameter in self.known():
            value = self.parameters.get(parameter.name)
            if isinstance(value, list) and not parameter.takes_commas:
                found += [f"{parameter.name}={written(one)}" for one in value]
            elif value not in (None, []):
                found.append(f"{parameter.name}={written(value)}")
        return found

    @staticmethod
    def _only(**values: object) -> dict[str, object]:
        return {name: value for name, value in values.items() if value is not None}


def usual(campaign: Campaign) -> PoolRequest:
    """What the page begins with: the newest pool's strategy, parameters and order of ties, all runs.

    A pool that names its pairs is passed over: they are pooled, and the next pool names others. So is one of a strategy
    that is not known here.
    """
    records = [pool.record for pool in pools.in_force(campaign) if pool.record.strategy in STRATEGIES]
    made = [record for record in records if STRATEGIES[record.strategy].listed is None]
    record = made[-1] if made else None
    in_rounds = len(rounds.all_rounds(campaign)) > 1
    people = sum(role == "assessor" for role in members.all_members(campaign).values())
    strategy = record.strategy if record else FIRST_STRATEGY
    return PoolRequest(
        strategy=strategy,
        parameters=_beginning(strategy, record.parameters if record else {}),
        ties=record.ties if record else "descending",
        runs="",
        residual=record is not None and record.residual is not None if in_rounds else None,
        viewing=None,
        viewing_seed=None,
        per_hour=None,
        hours_per_day=HOURS_PER_DAY,
        assessors=max(1, people),
    )


def read_request(given: Mapping[str, str], defaults: PoolRequest) -> tuple[PoolRequest, dict[str, str]]:
    """What a form or an address asks for, and what is wrong with it by field; what is wrong is as `defaults`."""
    numbers = _Numbers(given)
    strategy = given.get("strategy", "") or defaults.strategy
    pool_request = PoolRequest(
        strategy=strategy,
        parameters=numbers.of_strategy(strategy, defaults),
        ties=given.get("ties", "") or defaults.ties,
        runs=given.get("runs", "")[:LONGEST_RUNS].strip(),
        residual=None
        if defaults.residual is None
        else {YES: True, NO: False}.get(given.get("residual", ""), defaults.residual),
        viewing=given.get("viewing", "") or None,
        viewing_seed=numbers.read("seed", "The seed", -LARGEST_INTEGER, LARGEST_INTEGER),
        per_hour=numbers.read("per_hour", "Judgments an hour", 0.1, MOST_PER_HOUR),
        hours_per_day=numbers.read("hours_per_day", "Hours a day", 0.1, 24.0) or defaults.hours_per_day,
        assessors=numbers.read("assessors", "Assessors", 1, MOST_ASSESSORS) or defaults.assessors,
    )
    return pool_request, numbers.wrong


def _beginning(strategy: str, known: Mapping[str, Any]) -> dict[str, Any]:
    found: Strategy | None = STRATEGIES.get(strategy)
    return usual_values(found, known) if found else {}


def _plain(number: float) -> str:
    """A number without a point where it is a whole one: 0.1, 24, 100,000."""
    return f"{number:,}" if isinstance(number, int) else f"{number:,g}"


class _Numbers:
    """Reads parameters and numbers from text, and remembers what is wrong."""

    def __init__(self, given: Mapping[str, str]) -> None:
        self.given = given
        self.wrong: dict[str, str] = {}

    def of_strategy(self, name: str, defaults: PoolRequest) -> dict[str, Any]:
        """The parameters of a strategy; none where it is unknown, which planning then says."""
        if name not in STRATEGIES:
            return {}
        usual = defaults.parameters if name == defaults.strategy else _beginning(name, {})
        values, wrong = read_fields(STRATEGIES[name], self.given, usual)
        self.wrong |= wrong
        return values

    def read(self, name: str, words: str, least: Number, most: Number) -> Number | None:
        """The number called `name`, of the type of `least`; None where it is left open, none, or out of bounds."""
        text = self.given.get(name, "").strip()
        if not text:
            return None
        try:
            value = type(least)(text)
        except ValueError:
            value = None
        if value is None or not least <= value <= most:
            self.wrong[name] = (
                f"{words} must be a number from {_plain(least)} to {_plain(most)}, not {text[:40]!r}."
            )
            return None
        return value
