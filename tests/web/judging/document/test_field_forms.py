"""Fields of a document as their campaign shows them."""

from __future__ import annotations

from base64 import b64encode

import pytest

from tests.images import png, png_bomb
from workbench.campaign.campaign_settings import document_fields
from workbench.web.judging.document.field_forms import Field, chosen_fields, field_as

FIELDS = {"Score": "9.3", "brand": "Otter", "price": "12", "empty": " "}


def named(chosen: str) -> tuple[list[str], list[str]]:
    shown, others = chosen_fields(FIELDS, document_fields(chosen))
    return [field.name for field in shown], [field.name for field in others]


@pytest.mark.parametrize(
    ("chosen", "names"),
    [
        ("", ([], ["Score", "brand", "price"])),
        ("price; brand", (["price", "brand"], ["Score"])),
        ("score: hidden", ([], ["brand", "price"])),
        ("price; *: hidden", (["price"], [])),
        ("price; unknown; empty", (["price"], ["Score", "brand"])),
    ],
)
def test_named_fields_come_first_in_their_order_and_hidden_ones_nowhere(
    chosen: str, names: tuple[list[str], list[str]]
) -> None:
    assert named(chosen) == names


@pytest.mark.parametrize("chosen", ["price: picture", "price; Price", "x; " * 101, "x" * 2_001])
def test_a_choice_that_cannot_be_read_is_refused(chosen: str) -> None:
    with pytest.raises(ValueError, match=r"is no form|is named twice|at most"):
        document_fields(chosen)


@pytest.mark.parametrize(
    ("value", "rows"),
    [
        ('{"width": "3 m", "gates": 2}', (("width", "3 m"), ("gates", "2"))),
        ('[{"a": 1, "b": null}, {"a": [2]}]', (("a", "b"), ("1", ""), ("2", ""))),
        ('[["a", 1], ["b", 2]]', (("a", "1"), ("b", "2"))),
        ("width: 3 m\ngates: 2", (("width", "3 m"), ("gates", "2"))),
        ("red; green", (("red", ""), ("green", ""))),
    ],
)
def test_a_table_has_the_rows_of_json_or_of_lines(value: str, rows: tuple[tuple[str, ...], ...]) -> None:
    assert field_as("spec", value, "table").rows == rows


def test_a_table_is_never_larger_than_a_screen_can_hold() -> None:
    assert len(field_as("spec", str([1] * 30_000), "table").rows) == 200
    wide = field_as("spec", str([[1] * 30_000]), "table").rows
    assert len(wide[0]) == 30


def test_an_image_is_shown_from_its_bytes_alone() -> None:
    encoded = b64encode(png()).decode()
    shown = f"data:image/png;base64,{encoded}"
    assert field_as("photo", encoded, "image").source == shown
    assert field_as("photo", f"data:text/html;base64,{encoded}", "image").source == shown
    for value in (
        "https://example.org/a.png",
        b64encode(b"<svg/>").decode(),
        b64encode(png_bomb(20_000, 20_000)).decode(),
    ):
        assert field_as("photo", value, "image").form == "text"


@pytest.mark.parametrize(
    "value", ["javascript:alert(1)", "data:text/html,x", "//example.org", "see https://a"]
)
def test_only_an_address_of_the_web_is_a_link(value: str) -> None:
    assert field_as("url", value, "link") == Field("url", value, source=value)
    assert field_as("url", "https://example.org/", "link").form == "link"


@pytest.mark.parametrize("value", ["[" * 500 + "]" * 500, "[" * 100_001, "1;" * 60_000])
def test_a_value_that_would_take_long_is_no_table_or_a_short_one(value: str) -> None:
    assert len(str(field_as("spec", value, "table").rows)) < 1_000
