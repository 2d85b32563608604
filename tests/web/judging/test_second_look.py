"""After an assessor's own grade is stored they may see a model's label; what they say from then on is a second look."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.fixture_types import JudgeAs, Post, SignIn
from tests.sentences import refused
from tests.web.judging.sent import judged, shown
from workbench.analysis.models.against_people import QUALITY
from workbench.analysis.models.showing import LAST
from workbench.campaign.assessing import set_repeats
from workbench.campaign.campaign_settings import SETTINGS, SettingRefused
from workbench.campaign.changing_settings import change_settings
from workbench.campaign.label_rules import choose_sources
from workbench.core.model_answers import Judge, ModelAnswer
from workbench.release.audit.checks import audit
from workbench.release.bundle.importing import import_bundle
from workbench.release.bundle.writing import save_bundle
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.grades import labels, shown_labels
from workbench.storage.campaign.log import log
from workbench.storage.campaign.models import answers, judges
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.people.stored_about import stored_about

DOCUMENTS = ("d1", "d2", "d3", "d4", "d5")
SECRET = 26421
"""A grade that no person gives."""
ADDRESS = "/c/small/api/second-look"


def label(path: Path, grade: int = 1, **rules: str) -> None:
    """Have gpt label all of topic 1, and show its labels under these rules."""
    with open_campaign(path) as campaign:
        by = campaign.by("Anna")
        with by.write():
            judges.put_judge(by, Judge("gpt", scale=tuple(sorted({0, 1, grade}))))
            answers.put_answers(by, "gpt", [ModelAnswer("1", each, grade=grade) for each in DOCUMENTS])
        set_rules(by, second_look_judge="gpt", **rules)


def set_rules(campaign: Campaign, **rules: str) -> None:
    """Change settings as an organiser does."""
    names = {name.replace("_", "-"): text for name, text in rules.items()}
    change_settings(campaign, {name: SETTINGS[name].value_of(text) for name, text in names.items()})


class Ben(NamedTuple):
    """A browser in which Ben, an assessor, judges topic 1, and the numbers of what he sends."""

    client: FlaskClient
    post: Post
    numbers: Iterator[int]

    def judge(self, document_id: str, **changes: object) -> Any:
        """Judge a document as the page would."""
        document = shown(self.client, document_id)
        replaces = (document["mine"] or {}).get("seq")
        sent = judged(document, next(self.numbers), replaces=replaces, **changes)
        return self.post(self.client, "/c/small/api/judgments", sent)

    def look(self, document_id: str = "d1") -> Any:
        """Ask for the model's label."""
        sent = {"log": shown(self.client, document_id)["log"], "topic_id": "1", "document_id": document_id}
        return self.post(self.client, ADDRESS, sent)


def judge_in(campaign: Campaign) -> str:
    """The model whose labels are shown."""
    return settings.read(campaign).second_look_judge


def rows(path: Path) -> list[tuple[str, int | None]]:
    """Kinds and grades of Ben's judgments in the log."""
    with open_campaign(path) as campaign:
        every = [each for each, _ in log.hashed_judgments(campaign)]
        return [(each.kind, each.grade) for each in every if each.assessor == "Ben"]


def qrels(path: Path) -> dict[str, int]:
    """The labels of topic 1."""
    with open_campaign(path) as campaign:
        return {each.document_id: each.grade for each in labels.qrels(campaign)}


@pytest.fixture
def ben(app: Flask, client_of: SignIn, post_json: Post) -> Ben:
    """Ben in his browser."""
    return Ben(client_of(app, "Ben"), post_json, count(1))


def test_a_label_is_refused_until_a_grade_of_ones_own_is_stored(ben: Ben, small: Path) -> None:
    label(small, second_look_control="0")
    refusal = ben.look()
    assert (refusal.status_code, refusal.get_json()["reason"]) == (403, "not judged")
    assert ben.judge("d1", kind="can't tell", grade=None).status_code == 201
    assert ben.look().status_code == 403
    assert "gpt" not in ben.judge("d1", grade=1).get_data(as_text=True)
    assert ben.look().get_json() == {"judge": "gpt", "grade": 1}


def test_the_grade_of_another_assessor_does_not_open_the_label(
    ben: Ben, small: Path, judging_as: JudgeAs
) -> None:
    label(small, second_look_control="0")
    with open_campaign(small) as campaign:
        judging_as(campaign, "Anna", "1", "d1", 1)
    assert ben.look().status_code == 403


def test_no_label_is_shown_without_the_setting_or_where_labels_are_forbidden(ben: Ben, small: Path) -> None:
    label(small, second_look_control="0")
    ben.judge("d1")
    with open_campaign(small) as campaign:
        choose_sources(campaign.by("Anna"), model_labels="forbidden")
    assert ben.look().get_json() == {"judge": None, "grade": None}
    with open_campaign(small) as campaign:
        choose_sources(campaign.by("Anna"), model_labels="never")
        set_rules(campaign.by("Anna"), second_look_judge="")
    assert ben.look().get_json() == {"judge": None, "grade": None}


def test_a_second_look_is_a_row_of_its_own_and_the_first_grade_counts(ben: Ben, small: Path) -> None:
    label(small, second_look_control="0")
    ben.judge("d1", grade=0)
    ben.look()
    assert ben.judge("d1", grade=1).status_code == 201
    assert shown(ben.client, "d1")["mine"]["grade"] == 1
    assert rows(small) == [("grade", 0), ("second look", 1)]
    assert qrels(small) == {"d1": 0}


def test_taking_the_grade_back_after_the_label_does_not_make_the_next_one_the_first(
    ben: Ben, small: Path
) -> None:
    label(small, second_look_control="0")
    ben.judge("d1", grade=0)
    ben.look()
    ben.judge("d1", kind="cleared", grade=None)
    ben.judge("d1", grade=1)
    assert rows(small) == [("grade", 0), ("second look", None), ("second look", 1)]
    assert qrels(small) == {"d1": 0}


def test_second_looks_count_from_the_row_on_that_says_so(ben: Ben, small: Path) -> None:
    label(small, second_look_control="0")
    for document_id in ("d1", "d2"):
        ben.judge(document_id, grade=0)
        ben.look(document_id)
    ben.judge("d1", grade=1)
    with open_campaign(small) as campaign:
        set_rules(campaign.by("Anna"), second_looks="count")
        before = log.head(campaign).seq
    ben.judge("d2", grade=1)
    assert qrels(small) == {"d1": 0, "d2": 1}
    with open_campaign(small) as campaign:
        then = {each.document_id: each.grade for each in labels.qrels(campaign.at(before))}
    assert then == {"d1": 0, "d2": 0}


def test_pairs_of_the_control_group_are_never_shown_and_follow_from_the_seed(ben: Ben, small: Path) -> None:
    label(small, second_look_control="0.5", second_look_seed="4")
    for document_id in DOCUMENTS:
        ben.judge(document_id, grade=0)
    found = {each: ben.look(each).get_json()["grade"] for each in DOCUMENTS}
    with open_campaign(small) as campaign:
        rules = settings.read(campaign)
        control = {each for each in DOCUMENTS if shown_labels.is_control(rules, "1", each)}
    assert 0 < len(control) < len(DOCUMENTS)
    assert found == {each: None if each in control else 1 for each in DOCUMENTS}


def test_a_pair_that_was_shown_does_not_come_again_as_a_hidden_repeat(ben: Ben, small: Path) -> None:
    label(small, second_look_control="0")
    with open_campaign(small) as campaign:
        set_repeats(campaign.by("Anna"), 1.0, 1, 0)
    ben.judge("d1", grade=0)
    ben.look()
    again = [ben.judge(each, grade=0).get_json()["again"] for each in ("d2", "d3")]
    assert again == [None, "d2"]
    assert ben.look("d2").status_code == 403


READ = (
    *("judge?topic=1", "api/queue?topic=1", "judgments", "offline", "topics"),
    *(f"api/document?topic=1&document={each}" for each in DOCUMENTS),
)
"""Where an assessor reads about a topic while they judge it."""


@pytest.mark.parametrize("seed", range(8))
def test_whatever_is_done_no_label_is_sent_before_ones_own_grade_is_stored(
    ben: Ben, small: Path, seed: int
) -> None:
    chance, graded, seen = Random(seed), set[str](), set[str]()
    label(small, SECRET, second_look_control="0.3", second_look_seed=str(seed))
    for _ in range(25):
        act, document_id = (
            chance.choice(("grade", "can't tell", "cleared", "look")),
            chance.choice(DOCUMENTS[:3]),
        )
        if act == "look":
            answer = ben.look(document_id)
            if str(SECRET) in answer.get_data(as_text=True):
                assert document_id in graded
                seen.add(document_id)
        else:
            answer = ben.judge(document_id, kind=act, grade=chance.choice((0, 1)) if act == "grade" else None)
            assert str(SECRET) not in answer.get_data(as_text=True)
            if answer.status_code == 201 and act == "grade":
                graded.add(document_id)
    for address in READ:
        assert str(SECRET) not in ben.client.get(f"/c/small/{address}", follow_redirects=True).get_data(
            as_text=True
        )
    with open_campaign(small) as campaign:
        every = [each for each, _ in log.hashed_judgments(campaign) if each.assessor == "Ben"]
        found = {each: shown_labels.find(campaign, "1", each, "Ben") for each in DOCUMENTS}
        shown_then = {each: label.seq for each, label in found.items() if label}
    assert seen <= shown_then.keys()
    for each in every:
        if each.seq > shown_then.get(each.document_id, each.seq):
            assert each.kind == "second look"
        else:
            assert each.kind != "second look"


def test_the_page_has_the_address_of_second_looks_only_where_labels_are_shown(ben: Ben, small: Path) -> None:
    assert ADDRESS not in ben.client.get("/c/small/judge?topic=1").get_data(as_text=True)
    label(small)
    assert ADDRESS in ben.client.get("/c/small/judge?topic=1").get_data(as_text=True)


def test_first_grades_of_both_groups_and_what_became_of_them_are_measured(ben: Ben, small: Path) -> None:
    label(small, second_look_control="0.5", second_look_seed="4")
    for document_id in DOCUMENTS:
        ben.judge(document_id, grade=0)
        if ben.look(document_id).get_json()["grade"] is not None:
            ben.judge(document_id, grade=1)
    with open_campaign(small) as campaign:
        given = list(shown_labels.first_grades(campaign, "gpt"))
        found = QUALITY.function(campaign, lambda *_: None, judge="gpt").scopes("showing")
    assert len(given) == len(DOCUMENTS)
    assert all((each.first, each.model) == (0, 1) for each in given)
    assert all(each.shown is not each.control for each in given)
    assert all(each.last == (0 if each.control else 1) for each in given)
    values = {scope: [each.value for each in of.values()] for scope, of in found.items()}
    assert values == {
        "control": [0, 0, 0, 0], "shown": [0, 1, 0, 1], "shown minus control": [0, 1, 0, 1],
    }  # fmt: skip
    assert found["shown"][LAST].low is None


def test_audit_bundle_and_what_is_stored_about_a_person_have_second_looks(
    ben: Ben, small: Path, tmp_path: Path
) -> None:
    label(small, second_look_control="0.5", second_look_seed="4")
    for document_id in DOCUMENTS:
        ben.judge(document_id, grade=0)
        if ben.look(document_id).get_json()["grade"] is not None:
            ben.judge(document_id, grade=1)
            ben.judge(document_id, kind="cleared", grade=None)
    with open_campaign(small) as campaign:
        assert [found for found in audit(campaign) if found.wrong] == []
        about = {table: list(rows) for table, rows in stored_about(campaign, "Ben")}
        given = list(shown_labels.first_grades(campaign, "gpt"))
        path = save_bundle(campaign, tmp_path / "small.zip").path
    shown_to_ben = [row for row in about["event"] if row["kind"] == "label shown"]
    assert len(shown_to_ben) == sum(each.shown for each in given) > 0
    import_bundle(path, tmp_path / "again.db", actor="Olga")
    with open_campaign(tmp_path / "again.db") as again:
        assert [each[3:] for each in shown_labels.first_grades(again, judge_in(again))] == [
            each[3:] for each in given
        ]
        kinds = [each.kind for each, _ in log.hashed_judgments(again)]
    assert kinds.count("second look") == 2 * len(shown_to_ben)


def test_labels_of_a_judge_that_is_not_there_cannot_be_shown(small: Path) -> None:
    label(small)
    with open_campaign(small) as campaign, refused(SettingRefused, "'gtp'", "gpt"):
        set_rules(campaign.by("Anna"), second_look_judge="gtp")
