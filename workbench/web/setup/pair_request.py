"""What the pool page is asked for where a question is about pairs: a strategy for pairs, and its parameters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from workbench.methods.pairing import PAIRINGS, Pairing
from workbench.web.setup.strategy_fields import Field, fields_of, read_fields, usual_values

USUAL = "all-pairs"


class PairRequest(NamedTuple):
    """A pool of pairs to be made, with the fields of its form and what is wrong with them by name."""

    entry: Pairing
    values: dict[str, Any]
    wrong: dict[str, str]

    @property
    def fields(self) -> list[Field]:
        """The parameters as fields."""
        return fields_of(self.entry, self.values)

    @property
    def strategies(self) -> list[Pairing]:
        """All that there are, the usual one first."""
        return sorted(PAIRINGS.values(), key=lambda each: each.name != USUAL)


def read_pairs(given: Mapping[str, str]) -> PairRequest:
    """What a form or an address asks for; the usual strategy where it names none that is known."""
    entry = PAIRINGS.get(given.get("strategy", "")) or PAIRINGS[USUAL]
    return PairRequest(entry, *read_fields(entry, given, usual_values(entry, {})))
