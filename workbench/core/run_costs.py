"""What runs cost, each figure declared once: its unit, which way is better, and where ir_metadata has it.

Sources of the paths: Breuer, Keller and Schaer, "ir_metadata", SIGIR 2022 (schema 0.1: platform), and schema 0.2 as
tirex_tracker exports it (resources). What neither has is read from `resources`, by its title here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from types import MappingProxyType
from typing import NamedTuple

Costs = Mapping[str, float | str | None]
"""Figures by the names in COST_FIELDS, in their units, with a `currency` beside money; None takes one away."""

NO_COSTS: Costs = {}
TIME = MappingProxyType({"us": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0, "h": 3600.0})
ENERGY = MappingProxyType({"J": 1.0, "kJ": 1e3, "MJ": 1e6, "Wh": 3600.0, "kWh": 3.6e6})
BYTES = MappingProxyType(
    {"B": 1e-9, "kB": 1e-6, "MB": 1e-3, "GB": 1.0, "TB": 1e3}
    | {"KiB": 2**10 / 1e9, "MiB": 2**20 / 1e9, "GiB": 2**30 / 1e9, "TiB": 2**40 / 1e9}
)
NUMBER = MappingProxyType({"": 1.0})
ANY: Mapping[str, float] = MappingProxyType({})
LONGEST_QUANTITY, LONGEST_HARDWARE = 60, 500
LARGEST = 1e15
"""The largest number that is written; what it becomes in another unit, or with two others, is at most SUM_OF_ALL."""
SUM_OF_ALL = 3 * 3.6e6 * LARGEST
NONE = "none"
"""What takes a figure away."""

_QUANTITY = re.compile(r"([-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]{1,3})?)\s*([A-Za-zµ]*)")


class CostField(NamedTuple):
    """A figure of what a run costs.

    Attributes:
        name: the word for programs.
        title: for people, and in the `resources` of ir_metadata.
        means: what it is, for help.
        units: those that are read, by their size in its own unit, which has 1; empty for money and words.
        best: whether less or more of it is better.
        is_spent: whether it is used up, so that a score for each unit of it says something.
        paths: where else ir_metadata has it, with the unit of a number that is written there without one; the numbers
            of several are added up, and words are joined.
    """

    name: str
    title: str
    means: str
    units: Mapping[str, float] = ANY
    best: str = "lowest"
    is_spent: bool = True
    paths: tuple[tuple[str, str], ...] = ()

    @property
    def unit(self) -> str:
        """The unit in which it is kept; "" for a number, for money, and for words."""
        return next((unit for unit, size in self.units.items() if size == 1), "")

    @property
    def example(self) -> str:
        """A value as it may be written."""
        return {"money": "3.20 EUR", "documents_indexed": "528155"}.get(self.name, f"12 {self.unit}")


HARDWARE = CostField(
    "hardware",
    "Hardware",
    "the machine, as text",
    is_spent=False,
    paths=tuple((f"platform.hardware.{name}", "") for name in ("cpu.model", "gpu.model", "ram")),
)
COST_FIELDS: Mapping[str, CostField] = {
    each.name: each
    for each in (
        CostField("query_time", "Query time", "mean time from sending a query to having its ranking", TIME),
        CostField("query_time_p95", "Query time p95", "95th percentile of the times of queries", TIME),
        CostField(
            "run_time", "Run time", "time by the clock that making the whole run took", TIME,
            paths=(("resources.runtime.wallclock", ""),),
        ),
        CostField("indexing_time", "Indexing time", "time by the clock that making the index took", TIME),
        CostField(
            "energy", "Energy", "energy of processors, graphics cards and memory for the run", ENERGY,
            paths=tuple((f"resources.{part}.energy used system", "J") for part in ("cpu", "gpu", "ram")),
        ),
        CostField("money", "Money", "what the run cost, in one currency for all runs"),
        CostField(
            "memory", "Memory", "the most memory that was in use", BYTES,
            paths=(("resources.ram.used process.max", "kB"),),
        ),
        CostField("index_size", "Index size", "size of the index on disk", BYTES),
        CostField(
            "documents_indexed", "Documents indexed", "how many documents the index has", NUMBER, "highest", False
        ),
        CostField(
            "index_age", "Index age", "days from the date of the index to the run",
            MappingProxyType({"days": 1.0}), is_spent=False,
        ),
        HARDWARE,
    )
}  # fmt: skip
INDEX_DATE = CostField("index_date", "Index date", "date of the index, from which its age follows")
READ_FIELDS = {**COST_FIELDS, INDEX_DATE.name: INDEX_DATE}
"""All that a table or a header may give."""
FIGURES = tuple(name for name in COST_FIELDS if name != HARDWARE.name)
"""The figures that are numbers."""
CURRENCY = "currency"


class Given(NamedTuple):
    """A figure as a file gives it: which, its text, the unit of a number without one, where it is, and its line."""

    field: CostField
    text: str
    unit: str
    where: str
    line: int


def read_costs(
    given: Iterable[Given], on: date
) -> tuple[dict[str, float | str | None], list[tuple[int, str]]]:
    """The figures of a run as of a day, and what is wrong with others, with the line and the way out.

    >>> read_costs([Given(COST_FIELDS["query_time"], "12 ms", "", "query_time", 2)], date(2026, 1, 1))
    ({'query_time': 0.012}, [])
    """
    found: dict[str, float | str | None] = {}
    wrong: list[tuple[int, str]] = []
    for each in given:
        try:
            _take(each, on, found)
        except ValueError as error:
            wrong.append((each.line, f"{each.where}: {error}"))
    return found, wrong


def _take(each: Given, on: date, found: dict[str, float | str | None]) -> None:
    """Put a figure beside the others; ValueError says why it cannot be."""
    field, text = each.field, " ".join(each.text.split())
    if text.casefold() == NONE:
        found["index_age" if field == INDEX_DATE else field.name] = None
        found |= {CURRENCY: None} if field.name == "money" else {}
    elif field == HARDWARE:
        whole = "; ".join(filter(None, [str(found.get(field.name) or ""), text]))
        if len(whole) > LONGEST_HARDWARE or not text.isprintable():
            message = f"write at most {LONGEST_HARDWARE} characters, all of which can be printed"
            raise ValueError(message)
        found[field.name] = whole
    elif field == INDEX_DATE:
        found["index_age"] = float(days_before(text, on))
    else:
        number, unit = quantity(text, each.unit, field.example)
        if field.name == "money":
            if not re.fullmatch("[A-Z]{3}", unit):
                raise ValueError(
                    f"{text[:LONGEST_QUANTITY]!r} names no currency; write such as {field.example}"
                )
            found[CURRENCY] = unit
        before = found.get(field.name) or 0.0
        found[field.name] = float(before) + number * (size_of(field, unit) if field.units else 1)


def size_of(field: CostField, unit: str) -> float:
    """The size of a unit in that of the field, whatever its capitals; ValueError for one that is unknown, or none."""
    sizes = {name.casefold(): size for name, size in field.units.items()}
    word = unit.casefold().replace("µ", "u").replace("μ", "u")
    if word not in sizes:
        said = f"the unit {unit!r} is unknown" if unit else "the unit is missing"
        units = f"one of {', '.join(field.units)}" if field.unit else "the number alone"
        raise ValueError(f"{said}; write {units}, such as {field.example}")
    return sizes[word]


def quantity(text: str, unit: str = "", example: str = "12 ms") -> tuple[float, str]:
    """A number from 0 and its unit, that which is written or else `unit`; ValueError for all else, such as NaN."""
    short = text[:LONGEST_QUANTITY]
    match = _QUANTITY.fullmatch(text) if len(text) <= LONGEST_QUANTITY else None
    if match is None:
        raise ValueError(f"{short!r} is not a number with a unit; write such as {example}")
    number, own = float(match[1]), match[2]
    if not 0 <= number <= LARGEST:
        raise ValueError(f"{short!r} is {'negative' if number < 0 else 'too large'}; write such as {example}")
    if own and unit and own.casefold() != unit.casefold():
        raise ValueError(f"{short!r} has another unit than {unit!r}; keep one of the two")
    return number, own or unit


def day_of(text: str) -> date:
    """The day of a date or moment such as 2026-03-01; ValueError where it is none."""
    try:
        day = date.fromisoformat(text[:10])
        if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}([T ].{0,40})?", text):
            raise ValueError
    except ValueError:
        raise ValueError(f"{text[:LONGEST_QUANTITY]!r} is not a date; write such as 2026-03-01") from None
    return day


def days_before(text: str, on: date) -> int:
    """How many days a date is before `on`; ValueError where it is none, or later."""
    day = day_of(text)
    if day > on:
        raise ValueError(f"{text[:10]} is after {on}, so it is in the future; correct the date")
    return (on - day).days


def checked_costs(found: Mapping[object, object]) -> dict[str, float | str]:
    """Costs that come from elsewhere, as they are kept; ValueError for what cannot be one."""
    kept: dict[str, float | str] = {}
    for name, value in found.items():
        is_word = (
            name in (CURRENCY, HARDWARE.name) and isinstance(value, str) and len(value) <= LONGEST_HARDWARE
        )
        is_number = name in FIGURES and type(value) in (int, float) and 0 <= float(str(value)) <= SUM_OF_ALL
        if not (is_word or is_number):
            raise ValueError(f"{str(name)[:LONGEST_QUANTITY]!r} is no cost of a run, or has no such value")
        kept[str(name)] = str(value) if is_word else float(str(value))
    return kept


def shown_cost(name: str, costs: Costs) -> str:
    """A figure of a run as people read it, "" where it is missing: 0.012 s."""
    value = costs.get(name)
    if value is None or isinstance(value, str):
        return value or ""
    unit = costs.get(CURRENCY) if name == "money" else COST_FIELDS[name].unit
    return f"{value:,.0f} {unit or ''}".strip() if value >= 1e5 else f"{value:.6g} {unit or ''}".strip()


def titled_costs(costs: Costs) -> Iterator[tuple[str, str]]:
    """The figures that are there, with their titles, as people read them."""
    for name, field in COST_FIELDS.items():
        if text := shown_cost(name, costs):
            yield field.title, text
