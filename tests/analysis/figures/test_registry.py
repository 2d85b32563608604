"""The registry of figures: how one is registered, and how its parameters are read from an address or a command."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from tests.sentences import refused
from workbench.analysis.figures import FIGURES, Figure, draw, figure, load_figures
from workbench.analysis.figures.registry import drawing_takes_long
from workbench.core.errors import UnknownName
from workbench.methods.charts import Chart
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log import log


def example(
    campaign: Campaign,
    *,
    run: Sequence[str],
    measure: str = "AP",
    depth: int | None = None,
    share: float = 0.5,
    sure: bool = False,
) -> Chart:
    """What it shows.

    And more about it.
    """
    return Chart("example", f"{run} {measure} {depth} {share} {sure}", {}, [])


EXAMPLE = Figure("example", example)


@pytest.fixture
def registered() -> Iterator[str]:
    figure("example")(example)
    yield "example"
    del FIGURES["example"]


def test_a_figure_tells_what_it_shows_and_what_it_takes() -> None:
    assert EXAMPLE.summary == "What it shows."
    assert [(one.name, one.kind, one.repeated, one.required) for one in EXAMPLE.parameters] == [
        ("run", str, True, True),
        ("measure", str, False, False),
        ("depth", int, False, False),
        ("share", float, False, False),
        ("sure", bool, False, False),
        ("as_of", int, False, False),
        ("round", str, False, False),
    ]


def test_a_figure_is_drawn_with_what_was_asked_for(small: Campaign, registered: str) -> None:
    asked = {"run": ["a", "b"], "depth": ["7"], "sure": ["yes"], "share": ["0.25"], "measure": ["AP", "RR"]}
    assert draw(small, registered, asked).title == "['a', 'b'] RR 7 0.25 True"
    with pytest.raises(ValueError, match="two figures are called example"):
        figure(registered)(example)


@pytest.mark.parametrize(
    "asked", ["", "run=a rnu=b", "run=a depth=deep", "run=a share=half", "run=a sure=maybe"]
)
def test_what_cannot_be_read_is_reported(asked: str) -> None:
    with refused(UnknownName):
        EXAMPLE.read({name: [value] for name, _, value in (each.partition("=") for each in asked.split())})


def test_a_figure_that_is_not_there_is_answered_with_the_nearest(small: Campaign) -> None:
    with refused(UnknownName, "topic-scors", "topic-scores"):
        draw(small, "topic-scors", {})


@pytest.mark.parametrize("as_of", [-1, 10_000])
def test_a_row_that_the_log_does_not_have_is_refused(small: Campaign, as_of: int) -> None:
    newest = log.newest_seq(small)
    with pytest.raises(UnknownName, match=f"from 0 to {newest}, not {as_of}"):
        draw(small, "topics", {"as_of": [str(as_of)]})
    with pytest.raises(UnknownName, match=f"from 0 to {newest}, not {as_of}"):
        drawing_takes_long(small, "topics", {"as_of": [str(as_of)]})


@pytest.mark.parametrize("name", ["one_at", "two_at"])
@pytest.mark.parametrize("row", ["-1", "9" * 30])
def test_each_of_two_moments_is_a_row_of_the_log(small: Campaign, name: str, row: str) -> None:
    with refused(UnknownName):
        draw(small, "compare-boards", {name: [row]})


def test_every_figure_says_in_one_sentence_what_it_shows() -> None:
    assert [name for name, each in load_figures().items() if not each.summary.endswith(".")] == []
