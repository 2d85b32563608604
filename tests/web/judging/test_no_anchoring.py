"""No label of a model is shown to who judges: no page, answer of the API, offline copy or queue has it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.fixture_types import JudgeAs, SignIn
from tests.web.test_routes import ADJUDICATORS, BOARD_READERS, JUDGES, MEMBERS, PARTICIPANTS, SIGNED_IN, TABLE
from workbench.campaign.changing_settings import change_settings
from workbench.core.model_answers import Judge, ModelAnswer
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.grades import shown_labels
from workbench.storage.campaign.grades.shown_labels import ShownLabel
from workbench.storage.campaign.models import answers, judges

SECRETS = ("Umbrela-Zq", "zq raw answer", "zq prompt", "zq family", "26421")
"""What is known of a model's label and nowhere else: the last is its grade, which is on no scale of people."""

SHOWN_TO_THEM = ("Ben", "/account/stored-data")
"""Ben reads there what is stored about him, with the label that he was shown after his own grade."""

QUERIES = ("", "?topic=1", "?topic=1&document=d1", "?topic=1&look=yes", "?q=d1")
MAY_BE_OPEN = {JUDGES, ADJUDICATORS, MEMBERS, SIGNED_IN, BOARD_READERS, PARTICIPANTS}


@pytest.fixture(autouse=True)
def labelled(small: Path, judging_as: JudgeAs) -> None:
    """The campaign `small`, all of topic 1 labelled by a model, and d2 by Ben too, who was then shown its label."""
    judge = Judge("Umbrela-Zq", family="zq family", prompt="zq prompt", scale=(0, 26421))
    with open_campaign(small) as campaign:
        by = campaign.by("Anna")
        with by.write():
            judges.put_judge(by, judge)
            given = [
                ModelAnswer("1", f"d{number}", grade=26421, raw="zq raw answer") for number in range(1, 7)
            ]
            answers.put_answers(by, judge.name, given)
        rules = {"second-look-judge": judge.name, "second-look-control": 0.0}
        change_settings(by, rules)
        judging_as(campaign, "Ben", "1", "d2", 1)
        with by.write():
            shown_labels.put(by, ("1", "d2", "Ben"), ShownLabel(judge.name, 26421))


def reading() -> list[str]:
    """Every address that assessors, adjudicators, observers and participants may read."""
    return [path for (method, path), who in TABLE.items() if method == "GET" and who in MAY_BE_OPEN]


def secrets_in(client: FlaskClient, path: str) -> list[str]:
    address = path.replace("<campaign>", "small")
    if "<" in address:
        return []
    found = []
    for query in QUERIES:
        with client.get(address + query, follow_redirects=True) as answer:
            said = answer.get_data(as_text=True)
        found += [f"{query}: {secret}" for secret in SECRETS if re.search(rf"\b{secret}\b", said)]
    return found


@pytest.mark.parametrize("path", reading())
def test_nothing_that_judges_or_onlookers_read_has_a_models_label(
    app: Flask, client_of: SignIn, path: str
) -> None:
    for name in ("Ben", "Wilma", "Olga", "Paul"):
        found = {each.rpartition(": ")[2] for each in secrets_in(client_of(app, name), path)}
        assert found == ({SECRETS[-1]} if (name, path) == SHOWN_TO_THEM else set()), name


def test_the_organiser_sees_the_label_so_that_the_secrets_are_really_there(anna: FlaskClient) -> None:
    found = secrets_in(anna, "/c/<campaign>/pair")
    assert any("26421" in each for each in found)
    assert any("Umbrela-Zq" in each for each in found)
