from __future__ import annotations

import io

import pytest

from tests.sentences import refused
from workbench.core.errors import InputError
from workbench.formats.text import json_values
from workbench.formats.text.json_values import json_objects


def read(content: str | bytes) -> list[tuple[int, object]]:
    data = content.encode() if isinstance(content, str) else content
    return list(json_objects(io.BytesIO(data), "a.json"))


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("", []),
        ("\n \n", []),
        ("\n{}\n\n[1]\n", [(2, {}), (4, ["1"])]),
        ('{}\n  {"a": 1} \t\r\n\t\n{}', [(1, {}), (2, {"a": "1"}), (4, {})]),
        (
            '\ufeff{"a": 1.10}\r\n{"a": 12345678901234567890123}',
            [(1, {"a": "1.10"}), (2, {"a": "12345678901234567890123"})],
        ),
        ('{\n"a": NaN\n}\n{"b":\nnull}{}', [(1, {"a": "NaN"}), (4, {"b": None}), (5, {})]),
        ("[]", []),
        ('[{"a": "é"},\n\n{}\n]', [(1, {"a": "é"}), (3, {})]),
    ],
)
def test_values_come_with_their_lines(content: str, expected: list[tuple[int, object]]) -> None:
    assert read(content) == expected


@pytest.mark.parametrize("chunk", [1, 2, 3, 7])
def test_values_may_lie_across_any_boundary(monkeypatch: pytest.MonkeyPatch, chunk: int) -> None:
    monkeypatch.setattr(json_values, "CHUNK", chunk)
    assert read('[\n{"a": "日本"},\n 12, true ,\n{"b": [1]}]') == [
        (2, {"a": "日本"}),
        (3, "12"),
        (3, True),
        (4, {"b": ["1"]}),
    ]


@pytest.mark.parametrize(
    ("content", "place"),
    [
        ("{}\n{\n", "a.json:2"),
        ("{}\n{} {}\n", "a.json:2"),
        ("[{}\n,\n{", "a.json:3"),
        ("[{}", "a.json:1"),
        ("hello", "a.json:1"),
        (b"\n\xff", "a.json:2"),
        (b'[\n{"a": "\xff"}]', "a.json"),
        ("[" * 100_000 + "]" * 100_000, "a.json"),
        ('{"a":' * 100_000, "a.json"),
    ],
)
def test_what_is_not_json_is_refused_with_its_line(content: str | bytes, place: str) -> None:
    with refused(InputError, place):
        read(content)


def test_an_object_without_an_end_is_refused_early(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_values, "LONGEST_OBJECT", 1000)
    monkeypatch.setattr(json_values, "CHUNK", 100)
    with refused(InputError):
        read('[{"a": "' + "x" * 5000)
    with refused(InputError):
        read('{}\n{"a": "' + "x" * 5000)
