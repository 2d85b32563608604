"""What runs cost, each figure declared once: its unit, which way is better, and where ir_metadata has it.

Sources of the paths: Breuer, Keller and Schaer, "ir_metadata", SIGIR 2022 (schema 0.1: platform), and schema 0.2 as
tirex_tracker exports it (resources). What neither has is read from `resources`, by its title here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, timedelta
from types import MappingProxyType
from typing import NamedTuple

from workbench.core import values

Costs = Mapping[str, float | str | None]
"""Figures by the names in COST_FIELDS, in their units, with a `currency` beside money; None takes one away."""

NO_COSTS: Costs = {}
Read = dict[str, float | str | None]
TIME = MappingProxyType({"us": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0, "h": 3600.0})
ENERGY = MappingProxyType({"mJ": 1e-3, "J": 1.0, "kJ": 1e3, "MJ": 1e6, "Wh": 3600.0, "kWh": 3.6e6})
BYTES = MappingProxyType(
    {"B": 1e-9, "kB": 1e-6, "MB": 1e-3, "GB": 1.0, "TB": 1e3}
    | {"KiB": 2**10 / 1e9, "MiB": 2**20 / 1e9, "GiB": 2**30 / 1e9, "TiB": 2**40 / 1e9}
)
NOTHING: Mapping[str, float] = MappingProxyType({})
LONGEST_QUANTITY, LONGEST_HARDWARE = 60, 500
LARGEST = 10**15
"""The largest number that is written; what it becomes in another unit, or with two others, is at most SUM_OF_ALL."""
SUM_OF_ALL = 3 * 3_600_000 * LARGEST
NONE = "none"
"""What takes a figure away."""

_QUANTITY = re.compile(r"([-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]{1,3})?)\s*([A-Za-zµμ]*)")
_DAY = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})([T ].{0,40})?")


class CostField(NamedTuple):
    """A figure of what a run costs.

    Attributes:
        name: the word for programs.
        title: for people, and in the `resources` of ir_metadata.
        units: those that are read, by their size in its own unit, which has 1; empty for money and words.
        best: whether less or more of it is better.
        is_spent: whether it is used up, so that a score for each unit of it says something.
        paths: where else ir_metadata has it; the numbers of several are added up, and words are joined.
        usual: the unit of a number that is written there without one.
    """

    name: str
    title: str
    units: Mapping[str, float] = NOTHING
    best: str = "lowest"
    is_spent: bool = True
    paths: tuple[str, ...] = ()
    usual: str = ""

    @property
    def unit(self) -> str:
        """The unit in which it is kept; "" for a number, for money, and for words."""
        return next((unit for unit, size in self.units.items() if size == 1), "")

    @property
    def kept(self) -> str:
        """The name of what is kept: of the date of an index its age."""
        return "index_age" if self.name == "index_date" else self.name

    @property
    def example(self) -> str:
        """A value as it may be written."""
        return {"money": "3.20 EUR", "documents_indexed": "528155"}.get(self.name, f"12 {self.unit}")


_MACHINE = tuple(f"platform.hardware.{part}" for part in ("cpu.model", "gpu.model", "ram"))
_JOULES = tuple(f"resources.{part}.energy used system" for part in ("cpu", "gpu", "ram"))
HARDWARE = CostField("hardware", "Hardware", is_spent=False, paths=_MACHINE)
INDEX_DATE = CostField("index_date", "Index date")
"""From it the age of the index follows."""
READ_FIELDS: Mapping[str, CostField] = {
    each.name: each
    for each in (
        CostField("query_time", "Query time", TIME),
        CostField("query_time_p95", "Query time p95", TIME),
        CostField("run_time", "Run time", TIME, paths=("resources.runtime.wallclock",)),
        CostField("indexing_time", "Indexing time", TIME),
        CostField("energy", "Energy", ENERGY, paths=_JOULES, usual="J"),
        CostField("money", "Money"),
        CostField("memory", "Memory", BYTES, paths=("resources.ram.used process.max",), usual="kB"),
        CostField("index_size", "Index size", BYTES),
        CostField("documents_indexed", "Documents indexed", {"": 1.0}, "highest", is_spent=False),
        CostField("index_age", "Index age", {"days": 1.0}, is_spent=False),
        HARDWARE,
        INDEX_DATE,
    )
}
"""All that a table or a header may give."""
COST_FIELDS = {name: field for name, field in READ_FIELDS.items() if field != INDEX_DATE}
FIGURES = tuple(name for name in COST_FIELDS if name != HARDWARE.name)
"""The figures that are numbers."""
CURRENCY = "currency"
_KEPT = {name: values.number("a number", SUM_OF_ALL) for name in FIGURES} | {
    CURRENCY: values.text(3),
    HARDWARE.name: values.text(LONGEST_HARDWARE),
}


class Given(NamedTuple):
    """A figure as a file gives it: which, the unit of a number without one, its text, where it is, and its line."""

    field: CostField
    unit: str
    text: str
    where: str
    line: int


def read_costs(given: Iterable[Given], on: date) -> tuple[Read, list[tuple[int, str]]]:
    """The figures of a run as of a day, and what is wrong with others, with the line and the way out.

    >>> read_costs([Given(COST_FIELDS["query_time"], "", "12 ms", "query_time", 2)], date(2026, 1, 1))
    ({'query_time': 0.012}, [])
    """
    found, wrong = Read(), list[tuple[int, str]]()
    spoilt = set()  # a sum with a part that cannot be read would be too small
    for each in given:
        try:
            _take(each, on, found)
        except ValueError as error:
            wrong.append((each.line, f"{each.where}: {error}"))
            spoilt.add(each.field.kept)
    return {name: value for name, value in found.items() if name not in spoilt}, wrong


def _take(each: Given, on: date, found: Read) -> None:
    """Put a figure beside the others; ValueError says why it cannot be."""
    field, text = each.field, " ".join(each.text.split())
    before = found.get(field.kept)
    if text.casefold() == NONE:
        found |= {field.kept: before} | ({CURRENCY: None} if field.name == "money" else {})
    elif field == HARDWARE:
        whole = "; ".join(filter(None, [str(before or ""), text]))
        if len(whole) > LONGEST_HARDWARE or not text.isprintable():
            raise ValueError(f"write at most {LONGEST_HARDWARE} characters, all of which can be printed")
        found[field.name] = whole
    elif field == INDEX_DATE:
        day = day_of(text)
        if day > on + timedelta(days=1):  # it may be the next day already where the index was made
            raise ValueError(f"{day} is after the run, of {on}; correct the date")
        found[field.kept] = float(max((on - day).days, 0))
    else:
        number, unit = quantity(field, text, each.unit)
        if field.name == "money":
            if not re.fullmatch("[A-Z]{3}", unit):
                raise ValueError(f"{text!r} names no currency; write such as {field.example}")
            found[CURRENCY] = unit
        found[field.name] = float(before or 0.0) + number


def size_of(field: CostField, unit: str, place: str = "") -> float:
    """The size of a unit in that of the field; ValueError for one that is unknown, or none, with the place before it.

    Capitals count only where they tell units apart: mJ is not MJ, and mj is neither.
    """
    word = unit.replace("µ", "u").replace("μ", "u")
    if word in field.units:
        return field.units[word]
    sizes = [size for name, size in field.units.items() if name.casefold() == word.casefold()]
    if len(sizes) != 1:
        said = f"the unit {unit!r} is unknown" if unit else "the unit is missing"
        written = f"one of {', '.join(field.units)}" if field.unit else "the number alone"
        raise ValueError(f"{place}{said}; write {written}, such as {field.example}")
    return sizes[0]


def quantity(field: CostField, text: str, unit: str = "") -> tuple[float, str]:
    """A number from 0 in the unit of a field, and the unit that is written, or else `unit`; ValueError for all else."""
    short = text[:LONGEST_QUANTITY]
    match = _QUANTITY.fullmatch(text) if len(text) <= LONGEST_QUANTITY else None
    if match is None:
        raise ValueError(f"{short!r} is not a number with a unit; write such as {field.example}")
    number, own = float(match[1]) + 0.0, match[2]  # -0.0 is 0.0
    if not 0 <= number <= LARGEST:
        wrong = "negative" if number < 0 else "too large"
        raise ValueError(f"{short!r} is {wrong}; write such as {field.example}")
    size, of_column = (size_of(field, each) if field.units else 1.0 for each in (own or unit, unit or own))
    if size != of_column or (own and unit and own.casefold() != unit.casefold()):
        raise ValueError(f"{short!r} has another unit than {unit!r}; keep one of the two")
    return number * size, own or unit


def day_of(text: str) -> date:
    """The day of a date or moment such as 2026-03-01; ValueError where it is none."""
    try:
        if match := _DAY.fullmatch(text):
            return date.fromisoformat(match[1])
    except ValueError:
        pass
    raise ValueError(f"{text[:LONGEST_QUANTITY]!r} is not a date; write such as 2026-03-01")


def checked_costs(found: Mapping[str, object]) -> dict[str, float | str]:
    """Costs that come from elsewhere, as they are kept; ValueError for what cannot be one."""
    if unknown := found.keys() - _KEPT.keys():
        raise ValueError(f"{min(map(str, unknown))[:LONGEST_QUANTITY]!r} is no cost of a run")
    return {name: _KEPT[name].read(value) for name, value in found.items()}


def shown_cost(name: str, costs: Costs) -> str:
    """A figure of a run as people read it, "" where it is missing: 0.012 s."""
    value = costs.get(name)
    if value is None or isinstance(value, str):
        return value or ""
    unit = costs.get(CURRENCY) if name == "money" else COST_FIELDS[name].unit
    return f"{value:{',.0f' if value >= 1e5 else ',.6g'}} {unit or ''}".strip()


def titled_costs(costs: Costs) -> Iterator[tuple[str, str]]:
    """The figures that are there, with their titles, as people read them."""
    shown = ((field.title, shown_cost(name, costs)) for name, field in COST_FIELDS.items())
    return (each for each in shown if each[1])
