"""What the pool page is asked for: a pool as the command line knows it, and how people judge."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeVar

from workbench.campaign import Campaign, members, pools
from workbench.campaign.log import LARGEST_INTEGER

FIRST_DEPTH = 10
HOURS_PER_DAY = 4.0
MOST_DEPTH = 1_000_000
MOST_PER_HOUR = 100_000.0
MOST_ASSESSORS = 10_000
LONGEST_RUNS = 100_000
"""Letters of a list of runs that are read."""

Number = TypeVar("Number", int, float)


class Asked(NamedTuple):
    """A pool to be planned or made. Texts are as they were typed; None is what the campaign has or the log measures.

    `per_hour` are judgments of one person in an hour, `hours_per_day` hours of one person in a day.
    """

    depth: int
    strategy: str
    ties: str
    runs: str
    viewing: str | None
    seed: int | None
    per_hour: float | None
    hours_per_day: float
    assessors: int

    def of_pool(self) -> dict[str, object]:
        """What makes the pool, by the names of the form's fields; what was left open is left out."""
        wanted = {"depth": self.depth, "strategy": self.strategy, "ties": self.ties, "runs": self.runs}
        return wanted | self._only(viewing=self.viewing, seed=self.seed)

    def of_work(self) -> dict[str, object]:
        """How people judge, likewise."""
        given = {"hours_per_day": f"{self.hours_per_day:g}", "assessors": self.assessors}
        return given | self._only(per_hour=None if self.per_hour is None else f"{self.per_hour:g}")

    @staticmethod
    def _only(**values: object) -> dict[str, object]:
        return {name: value for name, value in values.items() if value is not None}


def usual(campaign: Campaign) -> Asked:
    """What the page shows to somebody who asks for nothing: the newest pool's depth and order of ties, all runs."""
    made = pools.all_pools(campaign)
    record = made[-1].record if made else None
    people = sum(role == "assessor" for role in members.all_members(campaign).values())
    return Asked(
        depth=record.parameters.get("depth", FIRST_DEPTH) if record else FIRST_DEPTH,
        strategy=record.strategy if record else "depth",
        ties=record.ties if record else "descending",
        runs="",
        viewing=None,
        seed=None,
        per_hour=None,
        hours_per_day=HOURS_PER_DAY,
        assessors=max(1, people),
    )


def read_asked(given: Mapping[str, str], otherwise: Asked) -> tuple[Asked, list[str]]:
    """What a form or an address asks for, and what is wrong with it in words; what is wrong is as `otherwise`."""
    numbers = _Numbers(given)
    asked = Asked(
        depth=numbers.read("depth", "The depth", int, 1, MOST_DEPTH) or otherwise.depth,
        strategy=given.get("strategy", "") or otherwise.strategy,
        ties=given.get("ties", "") or otherwise.ties,
        runs=given.get("runs", "")[:LONGEST_RUNS].strip(),
        viewing=given.get("viewing", "") or None,
        seed=numbers.read("seed", "The seed", int, -LARGEST_INTEGER, LARGEST_INTEGER),
        per_hour=numbers.read("per_hour", "Judgments an hour", float, 0.1, MOST_PER_HOUR),
        hours_per_day=numbers.read("hours_per_day", "Hours a day", float, 0.1, 24.0)
        or otherwise.hours_per_day,
        assessors=numbers.read("assessors", "Assessors", int, 1, MOST_ASSESSORS) or otherwise.assessors,
    )
    return asked, numbers.wrong


class _Numbers:
    """Reads numbers from text, and remembers what is wrong."""

    def __init__(self, given: Mapping[str, str]) -> None:
        self.given = given
        self.wrong: list[str] = []

    def read(
        self, name: str, words: str, kind: Callable[[str], Number], least: Number, most: Number
    ) -> Number | None:
        """The number called `name`; None where it is left open, and where it is none or out of bounds."""
        text = self.given.get(name, "").strip()
        if not text:
            return None
        try:
            value = kind(text)
        except ValueError:
            value = None
        if value is None or not least <= value <= most:
            self.wrong.append(f"{words} must be a number from {least:g} to {most:,}, not {text[:40]!r}.")
            return None
        return value
