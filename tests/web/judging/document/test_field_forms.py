"""Fields of a document as their campaign shows them."""

from __future__ import annotations

from base64 import b64encode

import pytest

from tests.images import png, png_bomb
from workbench.campaign.campaign_settings import document_fields
from workbench.web.judging.document.field_forms import Field, chosen_fields, field_as

FIELDS = {"Score": "9.3", "brand": "Otter", "price": "12", "empty": " "}


@pytest.mark.parametrize(
    ("chosen", "shown", "others"),
    [("", "", "Score brand price"), ("price; brand", "price brand", "Score"),
     ("score: hidden", "", "brand price"), ("price; *: hidden", "price", ""),
     ("price; unknown; empty", "price", "Score brand")],
)  # fmt: skip
def test_named_fields_come_first_in_their_order_and_hidden_ones_nowhere(
    chosen: str, shown: str, others: str
) -> None:
    found = chosen_fields(FIELDS, document_fields(chosen))
    assert [" ".join(field.name for field in fields) for fields in found] == [shown, others]


@pytest.mark.parametrize("chosen", ["price: picture", "price; Price", "x; " * 101, "x" * 2_001])
def test_a_choice_that_cannot_be_read_is_refused(chosen: str) -> None:
    with pytest.raises(ValueError, match=r"is not a form|is named twice|at most"):
        document_fields(chosen)


@pytest.mark.parametrize(
    ("value", "rows"),
    [
        ('{"width": "3 m", "gates": 2}', (("width", "3 m"), ("gates", "2"))),
        ('[{"a": 1, "b": null}, {"a": [2]}]', (("a", "b"), ("1", ""), ("2", ""))),
        ('[["a", 1], ["b", 2]]', (("a", "1"), ("b", "2"))),
        ("width: 3 m\ngates: 2", (("width", "3 m"), ("gates", "2"))),
        ("red; green", (("red", ""), ("green", ""))),
        ('[{"a": {"b": {"c": 1}, "d": 2}}]', (("a",), ("b: c: 1; d: 2",))),
        *((nothing, ()) for nothing in ("7", "[]", "{}", " ")),
    ],
)
def test_a_table_has_the_rows_of_json_or_of_lines(value: str, rows: tuple[tuple[str, ...], ...]) -> None:
    assert field_as("spec", value, "table").rows == rows


def test_a_table_is_never_larger_than_a_screen_can_hold_or_takes_long() -> None:
    assert len(field_as("spec", str([1] * 30_000), "table").rows) == 200
    assert len(field_as("spec", str([[1] * 30_000]), "table").rows[0]) == 30
    for value in ("[" * 500 + "]" * 500, "[" * 100_001, "1;" * 60_000):
        assert len(str(field_as("spec", value, "table").rows)) < 1_000


def test_an_image_is_shown_from_its_bytes_alone() -> None:
    encoded, svg, bomb = (b64encode(data).decode() for data in (png(), b"<svg/>", png_bomb(20_000, 20_000)))
    for value in (encoded, f"data:text/html;base64,{encoded}"):
        assert field_as("photo", value, "image").source == f"data:image/png;base64,{encoded}"
    for value in ("https://example.org/a.png", svg, bomb):
        assert field_as("photo", value, "image").form == "text"


def test_only_an_address_of_the_web_is_a_link() -> None:
    for value in ("javascript:alert(1)", "data:text/html,x", "//example.org", "see https://a"):
        assert field_as("url", value, "link") == Field("url", value, source=value)
    assert field_as("url", "https://example.org/", "link").form == "link"
