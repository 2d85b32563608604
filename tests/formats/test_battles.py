"""Battles as files: the columns of the workbench and of arenas, and everything that can be wrong with them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.sentences import refused, says
from workbench.core.battles import Battle
from workbench.core.errors import InputError
from workbench.formats.battles import read_battles

WHOLE = Battle("b1", "1", "x", "y", "both bad", "ann", "agent", 7, 2.5, {"accuracy": "left"}, "both dull")
RECORD: dict[str, Any] = {**WHOLE._asdict(), "criteria": dict(WHOLE.criteria)}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "battles"


def write(file: Path, *records: dict[str, Any]) -> Path:
    file.write_text("".join(json.dumps(record) + "\n" for record in records))
    return file


def test_a_record_has_every_field_of_a_battle_as_json_and_as_a_table(file: Path, tmp_path: Path) -> None:
    assert read_battles([write(file, RECORD)]).battles == (WHOLE,)
    table = tmp_path / "battles.csv"
    table.write_text(
        "Battle ID,topic_id,left_run,right_run,winner,assessor,assessor_class,side_seed,seconds,criteria,reason\n"
        'b1,1,x,y,both bad,ann,agent,7,2.5,"{""accuracy"": ""left""}",both dull\n'
        "b2,1,x,y,tie,,,,,,\n"
    )
    assert read_battles([table]).battles == (WHOLE, Battle("b2", "1", "x", "y", "tie"))


def test_records_of_arenas_are_read_and_each_is_a_battle(file: Path) -> None:
    arena = {
        "question_id": 3,
        "model_a": "x",
        "model_b": "y",
        "judge": "ann",
        "messages_a": [{"role": "user"}],
    }
    winners = ("model_a", "model_b", "tie", "tie (bothbad)")
    found = read_battles([write(file, *({**arena, "winner": winner} for winner in winners))]).battles
    assert [each.winner for each in found] == ["left", "right", "tie", "both bad"]
    assert {each[1:4] + each[5:7] for each in found} == {("3", "x", "y", "ann", "person")}
    assert len({each.battle_id for each in found}) == 4


def test_a_battle_that_is_there_again_counts_once_and_is_said(file: Path) -> None:
    found = read_battles([write(file, RECORD, RECORD), file])
    assert found.battles == (WHOLE,)
    assert says("\n".join(map(str, found.warnings)), "battles: 1 ", "battles: 2 ")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("winner", "up"),
        ("winner", None),
        ("winner", 1),
        ("right_run", "x"),
        ("left_run", ""),
        ("left_run", "x y"),
        ("topic_id", None),
        ("battle_id", None),
        ("assessor_class", "robot"),
        ("seconds", -1),
        ("seconds", "1e999"),
        ("side_seed", 0.5),
        ("side_seed", "9" * 19),
        ("criteria", ["left"]),
        ("criteria", {"accuracy": "up"}),
        ("reason", ["dull"]),
        ("side_seed", "--5"),
    ],
)
def test_what_is_wrong_is_said_with_line_value_and_way_out(file: Path, name: str, value: object) -> None:
    with refused(InputError, "battles:2", "" if value is None else value if isinstance(value, str) else ""):
        read_battles([write(file, {**RECORD, "battle_id": "b0"}, {**RECORD, name: value})])


def test_half_characters_and_endless_numbers_are_refused(file: Path) -> None:
    wrong = (
        {"seconds": "\ud800"},
        {"criteria": '{"a": ' + "9" * 5000 + "}"},
        {"criteria": {"\ud800": "left"}},
    )
    with refused(InputError, "battles:1", "battles:2", "battles:3"):
        read_battles([write(file, *({**RECORD, **each} for each in wrong))])


def test_a_battle_id_with_other_content_is_refused_also_over_files(file: Path, tmp_path: Path) -> None:
    write(file, RECORD)
    with refused(InputError, "other:1", "battles:1", "'b1'"):
        read_battles([file, write(tmp_path / "other", {**RECORD, "winner": "left"})])


@pytest.mark.parametrize(
    "text",
    [
        "battle_id,left,right,winner\nb1,x,y,left\n",
        "battle_id,topic_id,left_run,right_run,winner\nb1,1,x,y,left,more\n",
        "battle_id,topic_id,left_run,right_run,winner\n",
        "battle_id,topic_id,left_run,right_run\nb1,1,x,y\n",
        "battle_id,topic_id,left_run,right_run,winner,winner\nb1,1,x,y,left,right\n",
        "\ufeff",
        "[]",
        '{"battle_id": "b1"',
        "[1]",
    ],
)
def test_a_table_or_json_without_battles_is_refused(file: Path, text: str) -> None:
    file.write_text(text)
    with refused(InputError, "battles"):
        read_battles([file])
