"""The page Nuggets: who may change which, one nugget after the other, and nothing of another's work is lost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Barrier, Thread

import pytest
from flask import Flask
from flask.testing import FlaskClient
from lxml import html
from werkzeug.test import TestResponse

from tests.fixture_types import JudgeAs, Post, SignIn
from tests.sentences import says
from tests.web.alerts import alerts
from workbench.campaign import assigning
from workbench.core.records import Rationale
from workbench.formats.answers.banks import Bank, Creator, GoldAnswer, Nugget, Reference
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.collection import nuggets
from workbench.storage.campaign.people import members

LIST = "/c/small/nuggets"
TOPIC = f"{LIST}/topic"
BEN = Creator("Ben", is_human=True)
MODEL = Creator("a-model", is_human=False)
DEEP = Nugget("How deep?", "n1", True, "okay", answers=(GoldAnswer("9 m"),), references=(Reference("d1"),))
COLD = Nugget("It is cold.", "n2", importance="vital", references=(Reference("d2", (3, 9)),), creators=(BEN,))
WIDE = Nugget("It is wide.", "n3", creators=(MODEL,), proposed=True)


@pytest.fixture
def stored(small: Path) -> Path:
    """Topic 1 has two nuggets, and one that is proposed."""
    with open_campaign(small) as campaign, campaign.write():
        nuggets.put(campaign.by("Carla"), Bank("1", (DEEP, COLD, WIDE), ""))
    return small


def bank(path: Path, topic_id: str = "1") -> tuple[Nugget, ...]:
    with open_campaign(path) as campaign:
        found = nuggets.bank_of(campaign, topic_id)
        return found.nuggets if found else ()


Send = Callable[..., TestResponse]


@pytest.fixture
def send(post: Post) -> Send:
    """A form of a topic's page, as of the version that the page shows."""

    def sent(client: FlaskClient, do: str, topic: str = "1", **fields: str) -> TestResponse:
        page = html.fromstring(client.get(f"{TOPIC}?topic={topic}").text)
        (version, *_) = page.xpath("//input[@name='version']/@value")
        return post(client, TOPIC, **{"topic": topic, "version": version, "do": do, **fields})

    return sent


def test_the_first_nugget_of_a_topic_is_written_on_its_page(
    small: Path, ben: FlaskClient, send: Send
) -> None:
    fields = {"text": " How  cold? ", "importance": "vital", "answers": "0 C\n\n 32 F \n0 C"}
    assert send(ben, "add", **fields).status_code == 303
    (nugget,) = bank(small)
    said = (GoldAnswer("0 C", creators=(BEN,)), GoldAnswer("32 F", creators=(BEN,)))
    assert nugget[2:7] == (True, "vital", "", said, ())
    assert (nugget.text, nugget.creators, len(nugget.nugget_id)) == ("How cold?", (BEN,), 16)
    page = ben.get(f"{TOPIC}?topic=1").text
    assert all(word in page for word in ("How cold?", "32 F", "vital", "Ben"))


def test_a_change_keeps_the_id_and_what_else_is_known(stored: Path, anna: FlaskClient, send: Send) -> None:
    fields = {"text": "How deep is it?", "importance": "vital", "answers": "9 m\n10 m"}
    assert send(anna, "change", nugget="n1", **fields).status_code == 303
    changed = bank(stored)[0]
    assert changed[:2] == ("How deep is it?", "n1")
    assert (changed.importance, changed.references) == ("vital", DEEP.references)
    assert changed.answers == (
        GoldAnswer("9 m"),
        GoldAnswer("10 m", creators=(Creator("Anna", is_human=True),)),
    )
    assert bank(stored)[1:] == (COLD, WIDE)


def test_the_former_text_of_a_nugget_can_be_another_one(stored: Path, anna: FlaskClient, send: Send) -> None:
    send(anna, "add", text="It is long.")
    first = bank(stored)[-1].nugget_id
    send(anna, "change", nugget=first, text="It is short.")
    send(anna, "add", text="It is long.")
    assert [each.text for each in bank(stored)[-2:]] == ["It is short.", "It is long."]
    assert bank(stored)[-1].nugget_id != first


def test_nuggets_are_deleted_and_proposals_accepted_or_refused(
    stored: Path, anna: FlaskClient, send: Send
) -> None:
    send(anna, "delete", nugget="n2")
    send(anna, "accept", nugget="n3")
    assert bank(stored) == (DEEP, WIDE._replace(proposed=False))
    send(anna, "delete", nugget="n3")
    assert bank(stored) == (DEEP,)


def test_two_that_are_one_are_merged_with_what_is_known_of_both(
    stored: Path, anna: FlaskClient, send: Send, post: Post
) -> None:
    assert send(anna, "merge", both=["n2", "n1"]).status_code == 303  # type: ignore[arg-type]
    merged = bank(stored)[1] if bank(stored)[0].proposed else bank(stored)[0]
    both = COLD._replace(references=(*COLD.references, *DEEP.references), answers=DEEP.answers)
    assert merged == both
    assert send(anna, "merge", both=["n2", "n3"]).status_code == 303  # type: ignore[arg-type]
    assert bank(stored) == (both._replace(creators=(BEN, MODEL)),)


@pytest.mark.parametrize(
    ("do", "fields"),
    [
        ("add", {"text": " "}),
        ("add", {"text": "x" * 1_001}),
        ("add", {"text": "It is cold."}),
        ("add", {"text": "x", "importance": "high"}),
        ("add", {"text": "x", "answers": "y" * 1_001}),
        ("change", {"nugget": "n9", "text": "x"}),
        ("merge", {"both": "n1"}),
        ("merge", {"both": ["n1", "n1"]}),
        ("keep", {"rationale": "1 text 0 4"}),
    ],
)
def test_what_makes_no_sense_is_refused_and_stays_in_sight(
    stored: Path, anna: FlaskClient, send: Send, do: str, fields: dict[str, str]
) -> None:
    page = send(anna, do, **fields)
    assert page.status_code == 422
    assert says(alerts(page.text))
    assert bank(stored) == (DEEP, COLD, WIDE)


@pytest.mark.parametrize("fields", [{"do": "burn"}, {"version": "x"}, {"version": "9" * 50}])
def test_what_is_no_form_is_a_bad_request(
    stored: Path, anna: FlaskClient, post: Post, fields: dict[str, str]
) -> None:
    assert post(anna, TOPIC, **{"topic": "1", "version": "1", "do": "add", **fields}).status_code == 400


def test_of_two_who_change_the_same_version_the_second_is_shown_the_first(
    stored: Path, anna: FlaskClient, post: Post
) -> None:
    with open_campaign(stored) as campaign:
        version = nuggets.rows(campaign)["1"][-1]
    form = {"topic": "1", "version": str(version), "do": "change", "nugget": "n2", "importance": "okay"}
    assert post(anna, TOPIC, **form, text="It is icy.").status_code == 303
    late = post(anna, TOPIC, **form, text="It is freezing.")
    assert late.status_code == 409
    assert says(alerts(late.text), "Anna")
    assert all(text in late.text for text in ("It is icy.", "It is freezing."))
    assert bank(stored)[1].text == "It is icy."
    assert post(anna, TOPIC, topic="2", version="7", do="add", text="x").status_code == 409


def test_of_two_organisers_at_once_one_is_told_to_look_again(
    stored: Path, app: Flask, client_of: SignIn, post: Post
) -> None:
    with open_campaign(stored) as campaign:
        version = str(nuggets.rows(campaign)["1"][-1])
    together, found = Barrier(2), dict[str, int]()

    def change(text: str) -> None:
        client = client_of(app, "Anna")
        client.get(LIST)
        together.wait()
        found[text] = post(client, TOPIC, topic="1", version=version, do="add", text=text).status_code

    threads = [Thread(target=change, args=(text,)) for text in ("One.", "Two.")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found.values()) == [303, 409]
    (kept,) = (text for text, status in found.items() if status == 303)
    assert [each.text for each in bank(stored)[3:]] == [kept]


def test_nothing_changed_is_no_version(stored: Path, anna: FlaskClient, send: Send) -> None:
    send(anna, "change", nugget="n2", text="It is cold.", importance="vital")
    with open_campaign(stored) as campaign:
        assert len(nuggets.rows(campaign)["1"]) == 1


def test_versions_say_what_changed_and_who_did(stored: Path, anna: FlaskClient, send: Send) -> None:
    send(anna, "delete", nugget="n2")
    send(anna, "add", text="It is long.")
    page = html.fromstring(anna.get(f"{TOPIC}?topic=1").text)
    told = [" ".join(each.text_content().split()) for each in page.xpath("//ul[@class='nugget-versions']/li")]
    assert ["Anna" in each for each in told] == [True, True, False]
    newest, before, first = (each.partition(": ")[2] for each in told)
    assert says(newest, "New: It is long.")
    assert says(before, "Gone: It is cold.")
    assert says(first, "proposed")


def test_of_many_versions_the_newest_are_shown_each_with_what_it_changed(
    stored: Path, anna: FlaskClient
) -> None:
    with open_campaign(stored) as campaign:
        for number in range(30):
            with campaign.write():
                nuggets.put(campaign.by("Anna"), Bank("1", (DEEP._replace(text=f"{number}"),), ""))
    page = html.fromstring(anna.get(f"{TOPIC}?topic=1").text)
    told = [each.text_content() for each in page.xpath("//ul[@class='nugget-versions']//summary")]
    assert len(told) == 20
    assert all("0 new, 1 changed, 0 gone" in each for each in told)


@pytest.fixture
def marked(stored: Path, judging_as: JudgeAs) -> Path:
    """Ben and Carla marked passages of d1 and d2."""
    with open_campaign(stored) as campaign:
        text = Rationale("text", 4, 8, "text")
        judging_as(campaign, "Ben", "1", "d1", 1, rationales=(text,))
        judging_as(campaign, "Carla", "1", "d2", 1, rationales=(text, Rationale("title", 0, 3, "Doc")))
    return stored


def offered(client: FlaskClient) -> list[str]:
    page = html.fromstring(client.get(f"{TOPIC}?topic=1").text)
    return [str(value) for value in page.xpath("//input[@name='rationale']/@value")]


def test_a_passage_that_was_marked_becomes_a_nugget_that_refers_to_it(
    marked: Path, anna: FlaskClient, send: Send
) -> None:
    first, second, third = offered(anna)
    assert send(anna, "keep", rationale=first).status_code == 303
    kept = bank(marked)[-1]
    assert (kept.text, kept.references) == ("text", (Reference("d1", (4, 8)),))
    assert kept.creators == (Creator("Anna", is_human=True),)
    assert offered(anna) == [second, third]
    send(anna, "keep", rationale=third)
    assert bank(marked)[-1].references == (Reference("d2"),)
    assert send(anna, "keep", rationale=first).status_code == 422


def test_assessors_are_offered_their_own_passages_alone(
    marked: Path, ben: FlaskClient, anna: FlaskClient, send: Send
) -> None:
    assert len(offered(ben)) == 1
    others = next(key for key in offered(anna) if key not in offered(ben))
    assert send(ben, "keep", rationale=others).status_code == 422


def test_assessors_change_the_nuggets_of_topics_that_they_judge(
    stored: Path, ben: FlaskClient, send: Send, post: Post, app: Flask, client_of: SignIn
) -> None:
    with open_campaign(stored) as campaign:
        assigning.choose_who_judges(campaign.by("Anna"), "assigned")
        assigning.assign(campaign.by("Anna"), ["2"], ["Ben"])
        with campaign.write():
            members.put(campaign.by("Anna"), "Wilma", "adjudicator")
    assert ben.get(f"{TOPIC}?topic=1").status_code == 403
    refused = post(ben, TOPIC, topic="1", version="1", do="delete", nugget="n1")
    assert refused.status_code == 403
    assert send(ben, "add", topic="2", text="x").status_code == 303
    assert "?topic=2" in ben.get(LIST).text
    assert "?topic=1" not in ben.get(LIST).text
    assert client_of(app, "Wilma").get(f"{TOPIC}?topic=1").status_code == 200


def test_menus_of_assessors_have_the_page_once_there_are_nuggets(
    small: Path, ben: FlaskClient, anna: FlaskClient, send: Send
) -> None:
    link = f'href="{LIST}"'
    assert link not in ben.get("/c/small/own-topics").text
    assert link in anna.get("/c/small/topics").text
    send(anna, "add", text="x")
    assert link in ben.get("/c/small/own-topics").text


def test_an_unknown_topic_is_not_there(small: Path, anna: FlaskClient) -> None:
    assert anna.get(f"{TOPIC}?topic=7").status_code == 404


def test_what_a_bank_says_is_text_on_the_page(small: Path, anna: FlaskClient) -> None:
    wicked = "<script>alert(1)</script>"
    with open_campaign(small) as campaign, campaign.write():
        answers = (GoldAnswer(wicked, references=(Reference(wicked),)),)
        made = Nugget(wicked, wicked, True, wicked, answers=answers, creators=(Creator(wicked, False),))
        nuggets.put(campaign.by("Anna"), Bank("1", (made,), ""), file=wicked)
    assert "<script>alert" not in anna.get(f"{TOPIC}?topic=1").text
    assert "<script>alert" not in anna.get(LIST).text
