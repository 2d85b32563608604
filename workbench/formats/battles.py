"""Battles as files: a record for each, as JSON or as a table with the same columns.

The columns are battle_id, topic_id, left_run, right_run, winner (left, right, tie or both bad: the sides as they were
shown), and if known assessor, assessor_class (person, model or agent), side_seed, seconds, criteria (an object of names
with such winners; in a table its JSON) and reason. Records of arenas have model_a and model_b, the winner model_a,
model_b, tie or tie (bothbad), and judge; their question_id is the topic, and each record is a battle of its own.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from workbench.core.battles import BOTH_BAD, CLASSES, LEFT, NO_CRITERIA, OUTCOMES, PERSON, RIGHT, TIE, Battle
from workbench.core.errors import Problem
from workbench.core.wording import counted
from workbench.formats.answers.nodes import Node, read_each
from workbench.formats.tables.records import Columns
from workbench.formats.text.column_names import spelled_together
from workbench.formats.text.content import name_of
from workbench.formats.text.guesses import is_number, is_whole_number
from workbench.formats.text.json_values import loads
from workbench.formats.text.lines import shown

NEEDED = (
    ("winner",),
    ("topic_id", "question_id"),
    ("left_run", "model_a"),
    ("right_run", "model_b"),
    ("battle_id", "model_a"),
)
"""The columns that a table has, each or what arenas have in its place."""
WINNERS = {
    **{spelled_together(outcome): outcome for outcome in OUTCOMES},
    "modela": LEFT,
    "modelb": RIGHT,
    "tie(bothbad)": BOTH_BAD,
}
LONGEST_WINNER = 40
SEED_LIMIT = 2**63
MOST_BATTLES = 2_000_000
"""These need about 1.5 GB of memory."""
COLUMNS = Columns(
    ",".join(Battle._fields[:5]),
    {
        spelled_together(name): name
        for name in (*Battle._fields, "judge", *(name for names in NEEDED for name in names))
    },
    needed=NEEDED,
)


class BattleFiles(NamedTuple):
    """The battles of files, and what is odd without being wrong."""

    battles: tuple[Battle, ...]
    warnings: tuple[Problem, ...]


def read_battles(paths: Iterable[str | Path]) -> BattleFiles:
    """Read and check files of battles; `-` is standard input. A battle that is there again, the same, counts once.

    Raises InputError with all that is wrong with them.
    """
    found, warnings = dict[str, tuple[Battle, str]](), list[Problem]()
    for path in paths:
        file, start = name_of(path), len(found)

        def read(line: int, node: Node, file: str = file) -> Iterator[Battle]:
            battle = _battle(node, here := f"{file}:{line}")
            before, place = found.setdefault(battle.battle_id, (battle, here))
            if before != battle and not node.faults:
                id_ = shown(battle.battle_id)
                way_out = "give one of both its own battle_id"
                node.fault(f"the battle {id_} is at {place} with other content; {way_out}")
            yield battle

        number = len(read_each(path, "battles", read, columns=COLUMNS, most=MOST_BATTLES - start))
        if again := number - len(found) + start:
            message = f"{counted(again, 'battle')} there again; each counts once"
            warnings.append(Problem(file, None, message))
    return BattleFiles(tuple(battle for battle, _ in found.values()), tuple(warnings))


def _battle(node: Node, place: str) -> Battle:
    """The battle of a record; what is wrong with it is among the faults of the node."""
    topic_id = node.text("topic_id", "question_id", needed="write the topic's id as text")
    left, right = (
        node.text(*names, needed=f"write the run that was shown there, as {' or '.join(names)}")
        for names in NEEDED[2:4]
    )
    for run in dict.fromkeys((left, right)):
        node.check_ids(topic_id, run)
    if left and left == right:
        node.fault(f"both runs are {shown(left)}; a battle has two")
    id_needed = "" if "model_a" in node.value else "write an id of its own for each battle"
    seed = _number(node, "side_seed", _is_seed, "write a whole number, or leave it out")
    seconds = _number(node, "seconds", _is_time, "write a number from 0 on, or leave it out")
    return Battle(
        node.text("battle_id", needed=id_needed) or place,
        topic_id,
        left,
        right,
        _outcome(node, "winner"),
        node.text("assessor", "judge"),
        node.word("assessor_class", ("", *CLASSES)) or PERSON,
        int(seed) if seed else None,
        float(seconds) if seconds else None,
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


def _number(node: Node, name: str, is_right: Callable[[bytes], bool], way_out: str) -> str:
    """The text of a number, "" without one; a fault where it is not right."""
    text = node.text(name)
    if not text or is_right(text.encode(errors="replace")):
        return text
    node.wrong(name, way_out)
    return ""


def _is_seed(text: bytes) -> bool:
    return len(text) <= 20 and is_whole_number(text) and abs(int(text)) < SEED_LIMIT


def _is_time(text: bytes) -> bool:
    return is_number(text) and 0 <= float(text) < math.inf


def _criteria(node: Node) -> Mapping[str, str]:
    """The winner by each criterion; of a table it is an object in a cell."""
    value = node.value.get("criteria")
    if isinstance(value, str):
        try:
            value = loads(value)
        except json.JSONDecodeError:
            value = 0
    if value is None:
        return NO_CRITERIA
    if not isinstance(value, dict) or not all(map(str.isprintable, value)):
        node.wrong("criteria", 'write an object of names and winners, such as {"accuracy": "left"}')
        return NO_CRITERIA
    inner = Node(value, "criteria", node.faults)
    return {name: _outcome(inner, name) for name in value} or NO_CRITERIA
