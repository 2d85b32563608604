"""The menu of measures: what a campaign can be scored by."""

from __future__ import annotations

import pytest

from workbench.methods.measures import MEASURES, parse_measure
from workbench.web.scoring.board_request import choices, is_offered, known


def test_the_menu_offers_every_measure_that_needs_neither_subtopics_nor_more_than_a_cutoff() -> None:
    offered = {parse_measure(choice.name).name for choice in choices([])}
    assert offered == {name for name, entry in MEASURES.items() if is_offered(entry)}
    assert {"AP", "P", "nDCG", "RBP"} <= offered
    assert "alpha_nDCG" not in offered
    names = [choice.name for choice in choices(["P@7", "AP"])]
    assert len(names) == len(set(names))
    assert names[-1] == "P@7"
    assert [choice.name for choice in choices(["P@7", "AP"]) if choice.chosen] == ["AP", "P@7"]


def test_what_does_not_exist_or_needs_subtopics_is_handed_back() -> None:
    assert known(["AP", "nonsense", "P(rel=2)@5", "alpha_nDCG@10"]) == (
        ["AP", "P(rel=2)@5"],
        ["nonsense", "alpha_nDCG@10"],
    )


def test_a_menu_that_was_made_before_reads_no_name_again(monkeypatch: pytest.MonkeyPatch) -> None:
    first = choices(["P@7"])
    monkeypatch.setattr("workbench.methods.measures.parsing.bind", None)
    assert choices(["P@7"]) == first
    with pytest.raises(TypeError):
        choices(["P@8"])
