"""Records of files, read field by field: what is wrong is said with line, field, value and way out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import inf
from pathlib import Path
from typing import TypeVar

from workbench.core.errors import InputError, Problem
from workbench.formats.tables.records import Columns, records
from workbench.formats.text.content import Content, name_of
from workbench.formats.text.files import refused
from workbench.formats.text.json_values import JsonValue
from workbench.formats.text.lines import STOP_AFTER, identifier_problem, shown

Record = TypeVar("Record")
NO_COLUMNS = Columns()


class Node:
    """An object, the way to it, and the faults of all that is read with it: reading goes on after each."""

    def __init__(self, value: JsonValue, where: str = "", faults: list[str] | None = None) -> None:
        self.value = value if isinstance(value, dict) else {}
        self.where, self.faults = where, [] if faults is None else faults
        if not isinstance(value, dict):
            what = "missing" if value is None else shown(str(value))
            self.fault(f"{where or 'a record'} is {what}; write an object")

    def fault(self, message: str) -> None:
        """Note what is wrong."""
        if len(self.faults) < STOP_AFTER:
            self.faults.append(message)

    def wrong(self, name: str, way_out: str) -> None:
        """Note what is wrong with a field."""
        value = self.value.get(name)
        self.fault(f"{self.at(name)} is {'missing' if value is None else shown(str(value))}; {way_out}")

    def at(self, name: str) -> str:
        """The way to a field."""
        return f"{self.where}.{name}" if self.where and name else self.where or name

    def node(self, name: str) -> Node:
        """The object in a field."""
        return Node(self.value.get(name), self.at(name), self.faults)

    def text(self, *names: str, needed: str = "") -> str:
        """The first of these fields that is there, as text; '' for none, a fault with the way out if `needed`."""
        found = next((name for name in names if self.value.get(name) is not None), names[0])
        value = self.value.get(found)
        if (needed and value in (None, "")) or not isinstance(value, str | None):
            self.wrong(found, needed or "write a text")
            return ""
        return str(value or "")

    def word(self, name: str, known: Iterable[str]) -> str:
        """One of these words, in small letters; they may hold ''."""
        if (word := self.text(name).lower()) not in known:
            self.wrong(name, f"write one of {', '.join(filter(None, known))}")
        return word

    def values(self, name: str, needed: bool = False) -> Iterator[tuple[str, JsonValue, str]]:
        """The key ('' in a list), value and way of all that a list or an object holds; nothing for null.

        A fault if it is `needed` and not there.
        """
        value = self.value.get(name)
        if isinstance(value, dict):
            yield from ((key, each, f"{self.at(name)}[{shown(key)}]") for key, each in value.items())
        elif isinstance(value, list):
            yield from (("", each, f"{self.at(name)}[{place}]") for place, each in enumerate(value))
        elif needed or value is not None:
            self.wrong(name, "write a list or an object")

    def texts(self, name: str) -> Iterator[str]:
        """The texts of a list or an object, '' for null; a fault for another value, and where it is not there."""
        for _, value, where in self.values(name, needed=True):
            if not isinstance(value, str | None):
                self.fault(f"{where} is no text; write the id or the tag")
            yield str(value or "")

    def cells(self) -> dict[str, str]:
        """The texts of all fields, without blanks around them, where one is left."""
        return {name: text for name in self.value if (text := self.text(name).strip())}

    def nodes(self, name: str, needed: bool = False) -> Iterator[Node]:
        """The objects of a list or an object."""
        return (Node(value, where, self.faults) for _, value, where in self.values(name, needed))

    def check_ids(self, topic_id: str, run: str = "") -> None:
        """Note the id of a topic, or the tag of a run if there is one, that other files cannot name."""
        for what, name in (("topic", topic_id), ("run", run)):
            if name and (problem := identifier_problem(what, name)):
                self.fault(problem)


def named(topic_id: str, run: str = "") -> str:
    """What an answer is called in messages."""
    return f"topic {topic_id}" + f" of run {run}" * bool(run)


def read_each(
    path: str | Path | Content,
    what: str,
    read: Callable[[int, Node], Iterable[Record]],
    name: Callable[[Record], str] | None = None,
    *,
    columns: Columns = NO_COLUMNS,
    most: float = inf,
) -> list[Record]:
    """What the records of a file hold, JSON or a table; `name` says what may be there only once.

    Raises InputError with all faults, or where the file has no record, or more than `most`.
    """
    file = name_of(path)
    found, problems, first = list[Record](), list[Problem](), dict[str, int]()
    for line, value in records(path, columns):
        node = Node(value)
        for record in read(line, node) if isinstance(value, dict) else ():
            if node.faults:
                break
            if name is not None:
                if (called := name(record)) in first:
                    node.fault(f"{called} is in line {first[called]} already; keep one of both")
                first[called] = line
            found.append(record)
        if is_full := len(found) > most:
            node.fault(f"there are more than {most:,} {what}; take a random sample")
        problems += (Problem(file, line, message) for message in node.faults)
        if is_full or len(problems) >= STOP_AFTER:
            break
    if problems:
        raise InputError(problems)
    if not found:
        raise refused(file, f"the file has no records; name a file of {what}")
    return found
