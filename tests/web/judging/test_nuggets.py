"""The page Nuggets: who may change which, one nugget after the other, and nothing of another's work is lost."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from threading import Barrier, Thread

import pytest
from flask import Flask
from flask.testing import FlaskClient
from lxml import html
from werkzeug.test import TestResponse

from tests.fixture_types import JudgeAs, MakeCampaign, Post, SignIn, TokenOf
from tests.sentences import says
from tests.web.alerts import alerts
from workbench.campaign import assigning
from workbench.campaign.assessing.showing import shown_to_all
from workbench.campaign.changed_ids import change_ids
from workbench.campaign.questions import declare
from workbench.campaign.rounds import open_round
from workbench.core.about import NUGGETS
from workbench.core.records import Document, Grade, Question, Rationale, Topic
from workbench.formats.answers.banks import Bank, Creator, GoldAnswer, Nugget, Reference
from workbench.formats.text.content import content_of
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.collection import nuggets
from workbench.storage.campaign.collection.question_topics import key_of
from workbench.storage.campaign.people import members

LIST = "/c/small/nuggets"
TOPIC = f"{LIST}/topic"
HELD = (Grade(0, "No"), Grade(1, "Yes"))
TEXT_OF_D1 = Rationale("text", 4, 8, "text")
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


Ask = Callable[..., TestResponse]


@pytest.fixture
def select(small: Path, post_json: Post) -> Ask:
    """Selects pieces of a document, "text" in the text of d1 unless others are named, and makes them a nugget."""
    with open_campaign(small) as campaign:
        hashes = {name: shown_to_all(campaign, "1", name).text_hash for name in ("d1", "d2")}

    def asked(client: FlaskClient, *pieces: Rationale, **changes: object) -> TestResponse:
        document_id = changes.get("document_id", "d1")
        sent = {
            "topic_id": "1",
            "document_id": document_id,
            "text_hash": hashes.get(str(document_id), ""),
            "pieces": [piece._asdict() for piece in pieces or (TEXT_OF_D1,)],
        }
        return post_json(client, "/c/small/api/nuggets", {**sent, **changes})

    return asked


def test_selected_words_begin_a_bank_and_refer_to_where_they_stand(
    small: Path, ben: FlaskClient, select: Ask
) -> None:
    answer = select(ben)
    assert (answer.status_code, answer.get_json()) == (200, {"nuggets": 1, "added": "nugget"})
    (made,) = bank(small)
    assert made[:4] == ("text", sha256(b"text").hexdigest()[:16], False, "")
    assert (made.references, made.creators, made.proposed) == ((Reference("d1", (4, 8)),), (BEN,), False)


def test_selected_words_join_the_newest_bank_whatever_others_do_meanwhile(
    stored: Path, app: Flask, client_of: SignIn, select: Ask
) -> None:
    together, found = Barrier(2), dict[str, int]()

    def add(name: str, piece: Rationale) -> None:
        client = client_of(app, name)
        client.get(LIST)
        together.wait()
        found[name] = select(client, piece).status_code

    pieces = {"Ben": TEXT_OF_D1, "Anna": Rationale("text", 0, 3, "The")}
    threads = [Thread(target=add, args=each) for each in pieces.items()]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {"Ben": 200, "Anna": 200}
    assert bank(stored)[:3] == (DEEP, COLD, WIDE)
    assert {each.text for each in bank(stored)[3:]} == {"text", "The"}


def test_the_same_words_selected_again_change_nothing(
    stored: Path, ben: FlaskClient, anna: FlaskClient, select: Ask, send: Send
) -> None:
    assert select(ben).get_json() == {"nuggets": 3, "added": "nugget"}  # one more is proposed
    send(anna, "change", nugget=bank(stored)[-1].nugget_id, text="It is a text.")
    before = bank(stored)
    for client in (ben, anna):
        answer = select(client)
        assert (answer.status_code, answer.get_json()) == (200, {"nuggets": 3, "added": ""})
    with open_campaign(stored) as campaign:
        assert len(nuggets.rows(campaign)["1"]) == 3
    assert bank(stored) == before


def test_the_same_words_elsewhere_are_one_more_place_of_the_nugget(
    small: Path, ben: FlaskClient, anna: FlaskClient, select: Ask
) -> None:
    (first, second) = (select(ben), select(anna, document_id="d2"))
    assert [answer.get_json()["added"] for answer in (first, second)] == ["nugget", "reference"]
    (made,) = bank(small)
    assert made.references == (Reference("d1", (4, 8)), Reference("d2", (4, 8)))
    assert made.creators == (BEN,)
    assert select(ben, document_id="d2").get_json() == {"nuggets": 1, "added": ""}


def test_words_of_a_title_are_a_nugget_though_another_one_refers_to_the_document(
    stored: Path, ben: FlaskClient, select: Ask
) -> None:
    title = Rationale("title", 0, 8, "Document")
    assert [select(ben, title).get_json()["added"] for _ in range(2)] == ["nugget", ""]
    assert bank(stored)[-1].references == DEEP.references


def test_pieces_of_several_paragraphs_are_one_nugget_in_one_line(
    small: Path, ben: FlaskClient, select: Ask
) -> None:
    select(ben, Rationale("text", 0, 8, "The text"), Rationale("title", 0, 8, "Document"))
    (made,) = bank(small)
    assert made.text == "The text Document"
    assert made.references == (Reference("d1", (0, 8)), Reference("d1"))


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({"pieces": [{**TEXT_OF_D1._asdict(), "text": "best"}]}, 422),
        ({"pieces": [{**TEXT_OF_D1._asdict(), "end": 9}]}, 422),
        ({"pieces": []}, 422),
        ({"pieces": "text"}, 422),
        ({"text_hash": "0" * 64}, 409),
        ({"document_id": "d99"}, 404),
        ({"topic_id": "7"}, 404),
        ({"field": "text"}, 422),
    ],
)
def test_what_does_not_stand_in_a_document_of_the_topic_is_no_nugget(
    stored: Path, ben: FlaskClient, select: Ask, changes: dict[str, object], status: int
) -> None:
    answer = select(ben, **changes)
    assert answer.status_code == status
    assert says(answer.get_json()["message"])
    assert bank(stored) == (DEEP, COLD, WIDE)


def test_a_nugget_of_selected_words_has_at_most_a_thousand_characters(
    ben: FlaskClient, make_campaign: MakeCampaign, post_json: Post
) -> None:
    path = make_campaign(
        "long", [Topic("1", "ice")], [Document("d1", text="x" * 1_001)], {"a": {"1": ["d1"]}}
    )
    with open_campaign(path) as campaign:
        text_hash = shown_to_all(campaign, "1", "d1").text_hash
    sent = {"topic_id": "1", "document_id": "d1", "text_hash": text_hash}
    for length, status in ((1_001, 422), (1_000, 200)):
        pieces = [{"field": "text", "start": 0, "end": length, "text": "x" * length}]
        assert post_json(ben, "/c/long/api/nuggets", {**sent, "pieces": pieces}).status_code == status
    assert [len(each.text) for each in bank(path)] == [1_000]


def test_assessors_select_nuggets_of_topics_that_they_judge(
    stored: Path, ben: FlaskClient, select: Ask
) -> None:
    with open_campaign(stored) as campaign:
        assigning.choose_who_judges(campaign.by("Anna"), "assigned")
        assigning.assign(campaign.by("Anna"), ["2"], ["Ben"])
    assert select(ben).status_code == 403
    assert bank(stored) == (DEEP, COLD, WIDE)


def offers(client: FlaskClient, address: str = "/c/small/judge?topic=1") -> tuple[bool, bool]:
    """Whether a judging page lists the key, and has its button."""
    text = client.get(address).text
    data = json.loads(text.split('id="page-data">')[1].split("</script>")[0])
    (listed,) = (not each["unlisted"] for each in data["actions"] if each["name"] == "nugget")
    assert listed == bool(data["nuggets"])
    return listed, 'data-action="nugget"' in text


def test_documents_are_judged_with_the_key_once_the_campaign_has_nuggets_or_asks_about_them(
    small: Path, ben: FlaskClient, anna: FlaskClient, send: Send
) -> None:
    assert offers(ben) == (False, False)
    with open_campaign(small) as campaign:
        declare(campaign.by("Anna"), Question("easy", "Easy?", HELD))
    assert offers(ben) == (False, False)
    with open_campaign(small) as campaign:
        declare(campaign.by("Anna"), Question("held", "Held?", HELD, about=NUGGETS))
    assert offers(ben) == offers(anna) == (True, True)
    assert offers(ben, f"/c/small/judge?topic={key_of('1', 'easy')}") == (False, False)


def test_who_only_reads_a_topic_is_not_offered_the_key(stored: Path, ben: FlaskClient) -> None:
    assert offers(ben) == (True, True)
    with open_campaign(stored) as campaign:
        assigning.choose_who_judges(campaign.by("Anna"), "assigned")
    assert offers(ben) == (False, False)


def test_an_organiser_sends_a_file_of_nuggets_and_sees_first_what_it_changes(
    stored: Path, anna: FlaskClient, ben: FlaskClient, token_of: TokenOf
) -> None:
    page = "/c/small/add/nuggets"
    assert page in anna.get(LIST).text
    assert page not in ben.get(LIST).text
    assert ben.get(page).status_code == 403

    def sent(do: str) -> TestResponse:
        file = io.BytesIO(
            b'{"qid": "2", "query": "", "nuggets": [{"text": "It is long.", "importance": ""}]}'
        )
        data = {"csrf_token": token_of(anna), "do": do, "proposed": "1", "files": (file, "model.jsonl")}
        return anna.post(page, data=data, content_type="multipart/form-data")

    assert "checked>" in sent("check").text
    assert bank(stored, "2") == ()
    assert sent("add").location.endswith(f"{page}?added=1")
    assert [(each.text, each.proposed) for each in bank(stored, "2")] == [("It is long.", True)]
    (_, other) = html.fromstring(anna.get(page).text).xpath("//details//tbody/tr")
    assert [cell.text for cell in other] == ["2", "0", "1"]


def test_a_rationale_under_an_old_id_is_not_offered_once_a_nugget_refers_to_it_by_the_new_one(
    small: Path, anna: FlaskClient, send: Send, judging_as: JudgeAs
) -> None:
    with open_campaign(small) as campaign:
        judging_as(campaign, "Ben", "1", "d1", 1, rationales=(TEXT_OF_D1,))
        open_round(campaign.by("Anna"), "2")
        change_ids(campaign.by("Anna"), content_of("ids.csv", b"d1,e1\n"))
    (offered,) = html.fromstring(anna.get(f"{TOPIC}?topic=1").text).xpath("//input[@name='rationale']/@value")
    send(anna, "keep", rationale=offered)
    assert bank(small)[0].references == (Reference("e1", (4, 8)),)
    assert 'name="rationale"' not in anna.get(f"{TOPIC}?topic=1").text
