"""Agreement as JSON."""

from __future__ import annotations

import json

from workbench.analysis.between_assessors.coefficients import agreement
from workbench.analysis.between_assessors.effect import effect_of_disagreement
from workbench.core.results import content
from workbench.formats.tables.json_text import json_text
from workbench.storage.campaign import Campaign


def test_everything_about_agreement_is_there_and_nothing_is_nan(disputed: Campaign) -> None:
    found = agreement(disputed, "topic")
    told = json.loads(json_text(content(found)))
    assert (told["seq"], told["by"], told["grades"]) == (found.seq, "topic", [-2, 0, 1, 2])
    topic = told["scopes"][1]
    assert topic["table"][3] == [0, 0, 1, 0]
    kappa = topic["relevant_or_not"][2]
    assert (kappa["name"], kappa["value"], kappa["interval"]) == ("Cohen's kappa", None, None)
    assert "not defined" in kappa["note"]


def test_everything_about_the_effect_is_there(disputed: Campaign) -> None:
    found = effect_of_disagreement(disputed, choices=20)
    told = json.loads(json_text(content(found)))
    assert (told["seq"], told["measure"], told["choices"]) == (found.seq, "AP", 20)
    assert told["views"][0]["boards"]["tau_b"] == 1
    assert [row["run"] for row in told["ranges"]] == ["beta", "alpha"]
