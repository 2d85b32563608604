"""Lists that the address searches, filters, sorts and pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple
from urllib.parse import parse_qsl

import pytest
from flask import Flask
from hypothesis import given, settings
from hypothesis import strategies as st
from werkzeug.datastructures import MultiDict

from tests.sentences import refused, says
from workbench.core.errors import CampaignError
from workbench.core.natural_order import natural
from workbench.web.requests.lists import (
    LONGEST_LIST,
    LONGEST_SEARCH,
    Choice,
    Column,
    Filter,
    Listing,
    ListView,
    fingerprint,
    list_address,
)


class River(NamedTuple):
    """A river; `length` is None where it is unknown."""

    name: str
    length: int | None


RIVERS = [
    River("Rhine", 1233), River("Elbe", 1094), River("Styx", None), River("Ems", 371), River("Aare", 288),
]  # fmt: skip

LISTING = Listing[River](
    noun="river",
    columns=(
        Column("name", "Name", lambda river: natural(river.name)),
        Column("length", "Length", lambda river: river.length, numeric=True),
    ),
    filters=(
        Filter(
            "size",
            "Size",
            {
                "long": Choice("over 1,000 km", lambda river: (river.length or 0) > 1000),
                "huge": Choice("over 9,000 km", lambda river: (river.length or 0) > 9000),
            },
        ),
    ),
    text=lambda river: river.name,
    ident=lambda river: river.name,
    size=2,
)


@pytest.fixture(scope="module", autouse=True)
def inside() -> Iterator[None]:
    """A request of an application with the list's address."""
    app = Flask(__name__)
    app.add_url_rule("/c/<campaign>/rivers", "rivers", lambda campaign: "")
    with app.test_request_context("/"):
        yield


def view(**args: str) -> ListView[River]:
    return LISTING.view(RIVERS, MultiDict(args), "rivers", campaign="world", m="AP")


def names(found: ListView[River]) -> str:
    return " ".join(river.name for river in found.rows)


@pytest.mark.parametrize(
    ("shown", "addresses"),
    [
        ("Rhine Elbe", " ?page=0 page=-1 page=two sort=-length sort=depth q=e q=+ size=small"),
        ("Rhine Elbe", f"page={'9' * 19}"),
        ("Styx Ems", "page=2"),
        ("Aare", f"page=3 page=99 page=999999999 page={'9' * 18}"),
        ("Aare Elbe", "sort=name"),
        ("Styx Rhine", "sort=-name"),
        ("Aare Ems", "sort=length"),
        ("Ems", "q=E+s"),
        ("Elbe Rhine", "size=long&sort=length"),
        ("", "size=huge"),
        ("Styx", "sort=length&page=3 sort=-length&page=3"),  # which has no length
    ],
)
def test_an_address_shows_its_part_of_the_list(shown: str, addresses: str) -> None:
    for address in addresses.split(" "):
        assert names(view(**dict(parse_qsl(address)))) == shown, address


@pytest.mark.parametrize(
    "args", [{}, {"page": "3"}, {"q": "ems"}, {"size": "long"}, {"q": "Nile"}], ids=lambda args: str(args)
)
def test_a_sentence_says_how_many_match_and_which_are_shown(args: dict[str, str]) -> None:
    assert says(view(**args).sentence)


def test_headings_sort_numbers_from_the_largest_and_turn_the_second_time() -> None:
    plain = view(q="e", page="2").headings()
    assert [(one.address, one.order) for one in plain] == [
        ("/c/world/rivers?m=AP&q=e&sort=name", "none"),
        ("/c/world/rivers?m=AP&q=e&sort=-length", "none"),
    ]
    turned = view(sort="-length").headings()[1]
    assert (turned.address, turned.order) == ("/c/world/rivers?m=AP&sort=length", "descending")


def test_pages_keep_what_is_searched_for_and_show_all_does_not() -> None:
    found = view(q="e", sort="name")
    assert (found.is_filtered, view(sort="name", page="2").is_filtered) == (True, False)
    assert found.turned(2) == "/c/world/rivers?m=AP&q=e&sort=name&page=2"
    assert found.plain() == "/c/world/rivers?m=AP&sort=name"
    assert (list(found.hidden()), list(found.hidden(("m",)))) == ([("m", "AP")], [])


def test_a_form_carries_each_of_several_values_and_nothing_that_is_empty() -> None:
    found = LISTING.view(RIVERS, MultiDict(), "rivers", campaign="world", run=["a", "b"], m="", k=None, at=0)
    assert list(found.hidden()) == [("run", "a"), ("run", "b"), ("at", 0)]
    assert found.action == "/c/world/rivers"


def test_a_form_offers_both_orders_of_each_column_that_of_its_heading_first() -> None:
    assert view().orders() == [
        ("name", "Name, A to Z"),
        ("-name", "Name, Z to A"),
        ("-length", "Length, largest first"),
        ("length", "Length, smallest first"),
    ]


SECOND = replace(LISTING, prefix="r-", order="-length", looks_in="names")
"""A second list of a page, whose words in the address have a prefix."""


def test_a_list_with_a_prefix_hears_its_own_words_alone_and_has_its_own_order() -> None:
    args = MultiDict({"q": "rhine", "page": "2", "r-q": "e", "r-size": "long", "r-page": "7", "r-sort": "?"})
    found = SECOND.view(RIVERS, args, "rivers", campaign="world")
    assert (names(found), found.query, found.is_filtered, found.sort) == ("Rhine Elbe", "e", True, "-length")
    assert found.turned(3) == "/c/world/rivers?r-q=e&r-sort=?&r-page=3&r-size=long"
    assert found.plain() == "/c/world/rivers?r-sort=?"
    assert [heading.order for heading in found.headings()] == ["none", "descending"]
    assert found.headings()[1].address == "/c/world/rivers?r-q=e&r-sort=length&r-size=long"
    ((_, name, offered),) = found.filters()
    assert (name, [one.value for one in offered]) == ("r-size", ["long"])


def test_a_search_is_cut_at_its_limit_and_a_long_list_of_a_form_too() -> None:
    assert names(view(q="e" + " " * (LONGEST_SEARCH - 2) + "sx")) == "Ems"
    assert names(view(q="e" + " " * (LONGEST_SEARCH - 1) + "s")) == "Rhine Elbe"
    kept = "q=" + "+" * (LONGEST_LIST - 3) + "e"
    assert list_address(MultiDict({"list": kept + "s"}))["q"].strip() == "e"
    assert list_address(MultiDict({"list": "&".join(["q=e"] * 51)})) == MultiDict()


def test_rows_of_equal_value_stay_in_the_order_in_which_they_come() -> None:
    equal = Listing[River](noun="river", columns=(Column("all", "All", lambda river: 0),), size=9)
    for sort in ("all", "-all"):
        assert names(equal.view(RIVERS, MultiDict({"sort": sort}), "rivers")) == "Rhine Elbe Styx Ems Aare"


def test_a_form_offers_the_choices_that_have_rows_and_the_one_that_is_chosen() -> None:
    (size,) = view().filters()
    assert [(one.value, one.rows) for one in size[2]] == [("long", 2)]
    (size,) = view(size="huge").filters()
    assert [(one.value, one.rows) for one in size[2]] == [("long", 2), ("huge", 0)]


def test_the_ticked_rows_are_chosen_or_all_that_match_if_they_are_those_that_were_seen() -> None:
    ticked = MultiDict([("river", "Ems"), ("river", "Aare"), ("list", "q=e")])
    assert LISTING.chosen(RIVERS, ticked, ticked.getlist("river")) == ["Ems", "Aare"]
    every = MultiDict(
        {"list": view(q="e").as_query, "every": view(q="e", page="2").fingerprint, "river": "Ems"}
    )
    assert LISTING.chosen(RIVERS, every, []) == ["Rhine", "Elbe", "Ems", "Aare"]
    with refused(CampaignError):
        LISTING.chosen(RIVERS[1:], every, [])
    with refused(CampaignError, "rivers"):
        LISTING.chosen(RIVERS, MultiDict({"list": ""}), [])


@settings(max_examples=30)
@given(st.dictionaries(st.sampled_from(["q", "sort", "page", "size", "list", "every"]), st.text(max_size=20)))
def test_no_address_is_refused(args: dict[str, str]) -> None:
    found = view(**args)
    assert set(found.rows) <= set(RIVERS)
    assert found.plain()
    assert found.headings()


@given(st.lists(st.text(max_size=3), max_size=5))
def test_a_fingerprint_is_that_of_the_rows_in_any_order(rows: list[str]) -> None:
    assert fingerprint(rows) == fingerprint(sorted(rows))
    assert re.fullmatch("[0-9a-f]{16}", fingerprint(rows))
