"""Battles as files: a record for each, as JSON or as a table with the same columns.

The columns are battle_id, topic_id, left_run, right_run, winner (left, right, tie or both bad: the sides as they were
shown), and if known assessor, assessor_class (person, model or agent), side_seed, seconds, criteria (an object of names
with such winners; in a table its JSON) and reason. Records of arenas have model_a and model_b, the winner model_a,
model_b, tie or tie (bothbad), and judge; their question_id is the topic, and each record is a battle of its own.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from workbench.core.battles import BOTH_BAD, CLASSES, LEFT, NO_CRITERIA, OUTCOMES, PERSON, RIGHT, TIE, Battle
from workbench.core.errors import InputError, Problem
from workbench.core.wording import counted
from workbench.formats.answers.nodes import Node
from workbench.formats.tables.csv_cells import table_rows
from workbench.formats.text.column_names import spelled_together
from workbench.formats.text.content import Content, load, stream_of
from workbench.formats.text.files import refused
from workbench.formats.text.guesses import is_number
from workbench.formats.text.json_values import JsonValue, json_objects
from workbench.formats.text.lines import STOP_AFTER, shown

COLUMNS = Battle._fields
ARENA = {"left_run": "model_a", "right_run": "model_b", "topic_id": "question_id", "assessor": "judge"}
"""What arenas call a column."""
WINNERS = {
    **{spelled_together(outcome): outcome for outcome in OUTCOMES},
    "modela": LEFT,
    "modelb": RIGHT,
    "tie(bothbad)": BOTH_BAD,
}
LONGEST_WINNER = 40
SEED_LIMIT = 2**63
WHOLE = "write a whole number, or leave it out"
BY_SPELLING = {spelled_together(name): name for name in (*COLUMNS, *ARENA.values())}


class BattleFiles(NamedTuple):
    """The battles of files, and what is odd without being wrong."""

    battles: tuple[Battle, ...]
    warnings: tuple[Problem, ...]


def read_battles(paths: Iterable[str | Path]) -> BattleFiles:
    """Read and check files of battles; `-` is standard input. A battle that is there again, the same, counts once.

    Raises InputError with all that is wrong with them.
    """
    found = dict[str, tuple[Battle, str]]()
    problems, warnings = list[Problem](), list[Problem]()
    for path in paths:
        content = load(path)
        number, start = 0, len(found)
        for line, value in _values(content):
            number += 1
            node = Node(value)
            battle = _battle(node, f"{content.file}:{line}")
            before, place = found.setdefault(battle.battle_id, (battle, f"{content.file}:{line}"))
            if before != battle and not node.faults:
                id_ = shown(battle.battle_id)
                node.fault(
                    f"the battle {id_} is at {place} with other content; give one of both its own battle_id"
                )
            problems += (Problem(content.file, line, message) for message in node.faults)
            if len(problems) >= STOP_AFTER:
                raise InputError(problems)
        if not number:
            raise refused(path, "there are no battles in it; name a file with a record for each battle")
        if (again := number - len(found) + start) and not problems:
            warnings.append(
                Problem(content.file, None, f"{counted(again, 'battle')} there again; each counts once")
            )
    if problems:
        raise InputError(problems)
    battles = tuple(battle for battle, _ in found.values())
    return BattleFiles(battles, tuple(warnings))


def _values(content: Content) -> Iterator[tuple[int, JsonValue]]:
    """The line and the object of each record."""
    if content.data.lstrip()[:1] in (b"{", b"["):
        yield from json_objects(stream_of(content), content.file)
        return
    (_, head), *rows = table_rows(content)
    names = [BY_SPELLING.get(spelled_together(cell), cell) for cell in head]
    if missing := _missing(names):
        message = (
            f"the table has no column {' and no column '.join(missing)}; it has: {', '.join(head)[:200]}"
        )
        raise InputError([Problem(content.file, 1, message)])
    for line, cells in rows:
        if len(cells) > len(names):
            message = (
                f"{len(cells)} cells under {len(names)} columns; put cells with commas into quotation marks"
            )
            raise InputError([Problem(content.file, line, message)])
        yield line, {name: cell for name, cell in zip(names, cells, strict=False) if cell}


def _missing(names: Collection[str]) -> list[str]:
    """The columns that a table lacks; where one of an arena will do, both."""
    needed = (
        "winner",
        "topic_id",
        "left_run",
        "right_run",
        *(() if ARENA["left_run"] in names else ("battle_id",)),
    )
    other = {name: ARENA.get(name, name) for name in needed}
    return [
        f"{name} (or {other[name]})" if name != other[name] else name
        for name in needed
        if name not in names and other[name] not in names
    ]


def _battle(node: Node, place: str) -> Battle:
    """The battle of a record; what is wrong with it is among the faults of the node."""
    is_of_arena = "left_run" not in node.value and "model_a" in node.value
    names = {name: ARENA.get(name, name) if is_of_arena else name for name in COLUMNS}
    topic_id = node.text("topic_id", "question_id", needed="write the topic's id as text")
    left, right = (
        node.text(names[side], needed="write the run that was shown there")
        for side in ("left_run", "right_run")
    )
    needed = "" if is_of_arena else "write an id of its own for each battle"
    for run in dict.fromkeys((left, right)):
        node.check_ids(topic_id, run)
    if left and left == right:
        node.fault(
            f"{names['left_run']} and {names['right_run']} are both {shown(left)}; a battle has two runs"
        )
    assessor_class = node.text("assessor_class") or PERSON
    if assessor_class not in CLASSES:
        node.wrong("assessor_class", f"write one of {', '.join(CLASSES)}")
    return Battle(
        node.text("battle_id", needed=needed) or place,
        topic_id,
        left,
        right,
        _outcome(node, "winner"),
        node.text(names["assessor"]),
        assessor_class,
        _seed(node),
        _seconds(node),
        _criteria(node),
        node.text("reason"),
    )


def _outcome(node: Node, name: str) -> str:
    value = node.value.get(name)
    is_short = isinstance(value, str) and len(value) <= LONGEST_WINNER
    outcome = WINNERS.get(spelled_together(value), "") if is_short else ""
    if not outcome:
        node.wrong(name, f"write one of {', '.join(OUTCOMES)}")
    return outcome or TIE


def _seed(node: Node) -> int | None:
    text = node.text("side_seed")
    if text and (not text.lstrip("-").isdecimal() or len(text) > 20 or abs(int(text)) >= SEED_LIMIT):
        node.wrong("side_seed", WHOLE)
        return None
    return int(text) if text else None


def _seconds(node: Node) -> float | None:
    text = node.text("seconds")
    if not text:
        return None
    if not is_number(text.encode()) or not 0 <= float(text) < math.inf:
        node.wrong("seconds", "write a number from 0 on, or leave it out")
        return None
    return float(text)


def _criteria(node: Node) -> Mapping[str, str]:
    """The winner by each criterion; of a table it is an object in a cell."""
    value = node.value.get("criteria")
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (json.JSONDecodeError, RecursionError):
            value = 0
    if value is not None and not isinstance(value, dict):
        node.wrong("criteria", 'write an object, such as {"accuracy": "left"}')
        return NO_CRITERIA
    inner = Node(value or {}, "criteria", node.faults)
    return {name: _outcome(inner, name) for name in inner.value} or NO_CRITERIA
