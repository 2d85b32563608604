"""A topic's bank of nuggets is kept whole in each version, and is written again as the file that came in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sentences import says
from workbench.core.errors import CampaignError
from workbench.core.records import Topic
from workbench.formats.answers.bank_forms import read_banks
from workbench.formats.answers.banks import Bank, Creator, GoldAnswer, Nugget, Reference
from workbench.formats.answers.banks_written import banks_text
from workbench.formats.text.content import Content
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.collection import nuggets, references, topics
from workbench.storage.campaign.log import log
from workbench.storage.campaign.people import identities

DECADES = Nugget("Recovery takes decades.", "n1", importance="vital")
GRAZERS = Nugget("Grazers keep algae down.", "n2", proposed=True)
REEFS = Bank("17", (DECADES, GRAZERS), "", "Reefs")


def put(campaign: Campaign, bank: Bank, actor: str = "Olga", **more: Any) -> int:
    with campaign.write():
        return nuggets.put(campaign.by(actor), bank, **more)


def test_each_version_of_a_bank_stays_with_when_it_was_set_and_by_whom(campaign: Campaign) -> None:
    first = put(campaign, REEFS)
    put(campaign, Bank("4", (DECADES,), ""))
    accepted = REEFS._replace(nuggets=(DECADES, GRAZERS._replace(proposed=False)))
    second = put(campaign, accepted, "Ann")
    assert nuggets.bank_of(campaign, "17") == accepted
    assert nuggets.bank_of(campaign.at(first), "17") == REEFS
    assert nuggets.bank_of(campaign.at(first), "4") is None
    assert nuggets.topics_with_bank(campaign) == ["17", "4"]
    assert nuggets.topics_with_bank(campaign.at(first)) == ["17"]
    found = nuggets.versions(campaign, "17")
    assert [(each.seq, each.actor, each.bank) for each in found] == [
        (first, "Olga", REEFS),
        (second, "Ann", accepted),
    ]
    assert found[0].at <= found[1].at
    assert nuggets.versions(campaign, "5") == []


def test_answers_are_judged_about_what_is_accepted_in_the_order_of_the_bank(campaign: Campaign) -> None:
    other = Nugget("Storms break corals.", "n0")
    assert nuggets.judged(REEFS._replace(nuggets=(other, GRAZERS, DECADES))) == (other, DECADES)


def test_a_nugget_without_an_id_gets_the_beginning_of_its_texts_sha_256(campaign: Campaign) -> None:
    part = Nugget("b")
    put(campaign, Bank("17", (Nugget("a", parts=(part,)), Nugget("c", "own")), ""))
    bank = nuggets.bank_of(campaign, "17")
    assert bank is not None
    first, second = bank.nuggets
    assert (first.nugget_id, second.nugget_id) == ("ca978112ca1bbdca", "own")
    assert first.parts[0].nugget_id == "3e23e8160039594a"


def test_a_topic_with_nuggets_is_not_deleted(campaign: Campaign) -> None:
    with campaign.write():
        topics.put(campaign.by("Olga"), [Topic("17", "Reefs"), Topic("18", "Rivers")], files=[])
        nuggets.put(campaign.by("Olga"), REEFS)
    assert list(references.referred_to(campaign, "topic")) == ["17"]


def test_who_made_a_nugget_is_an_id_in_the_log_and_follows_corrections_of_names(campaign: Campaign) -> None:
    made = Nugget("a", "n1", creators=(Creator("Ann", is_human=True), Creator("a-model", is_human=False)))
    seq = put(campaign, Bank("17", (made,), "", creators=(Creator("Ann", is_human=True),)))
    (stored,) = log.logged_at(campaign, [seq])
    assert "Ann" not in json.dumps(stored.content)
    assert "a-model" in json.dumps(stored.content)
    with campaign.write():
        identities.correct(campaign.by("Olga"), "Ann", "Anna")
    bank = nuggets.bank_of(campaign, "17")
    assert bank is not None
    assert bank.creators == (Creator("Anna", is_human=True),)
    assert bank.nuggets[0].creators == (Creator("Anna", is_human=True), Creator("a-model", is_human=False))


ARGUE = {
    "query_id": "17",
    "title_query": "Reefs",
    "format_version": "v3",
    "nugget_bank": {
        "How long?": {
            "question": "How long?",
            "question_id": "q1",
            "aggregator_type": "AND",
            "importance": 1.50,
            "answers": {"decades": {"answer": "decades", "references": ["d1"], "quality": 3}},
            "sub_nuggets": [{"question": "Who counts?", "question_id": "q1.1"}],
            "creator": [{"is_human": True, "assessor_id": "ann"}],
        }
    },
    "claim_bank": [
        {
            "claim": "Grazers help.",
            "references": [{"doc_id": "d2", "offsets": {"start_offset": 3, "end_offset": 9}}],
            "metadata": {"seen": None, "half": "\ud800"},
        }
    ],
}
NUGGETIZER = {
    "qid": "17",
    "query": "how do reefs recover",
    "nuggets": [{"text": "takes decades", "importance": "vital", "trace": {"usage": [1.0]}}, {"text": "x"}],
    "full_query": {"words": 1.50},
}
V4 = {"format_version": "v4", "made": {"by": "us"}, "banks": {"reefs": NUGGETIZER}}
FORMS = [(ARGUE, "argue"), (NUGGETIZER, "nuggetizer"), (V4, "v4")]


@pytest.mark.parametrize(("value", "form"), FORMS, ids=[form for _, form in FORMS])
def test_what_came_in_is_written_again_to_the_last_letter(campaign: Campaign, value: Any, form: str) -> None:
    text = json.dumps(value) + "\n"
    read = read_banks(Content("bank.json", text.encode()))
    put(campaign, read.banks[0], file="bank.json", container=read.container)
    assert banks_text(nuggets.bank_file(campaign, ["17"]), form) == text
    assert nuggets.bank_of(campaign, "17") == nuggets.with_ids(read.banks[0])


def test_a_change_of_a_bank_is_written_into_the_object_that_it_came_in(campaign: Campaign) -> None:
    read = read_banks(Content("bank.json", json.dumps(V4).encode()))
    put(campaign, read.banks[0], file="bank.json", container=read.container)
    bank = nuggets.bank_of(campaign, "17")
    assert bank is not None
    put(campaign, bank._replace(nuggets=bank.nuggets[:1]))
    changed = {**NUGGETIZER, "nuggets": NUGGETIZER["nuggets"][:1]}
    written = json.loads(banks_text(nuggets.bank_file(campaign, ["17"]), "v4"))
    assert written == {**V4, "banks": {"reefs": changed}}


def test_banks_of_two_files_are_lines(campaign: Campaign) -> None:
    for topic_id in ("17", "4"):
        own = {**V4, "made": topic_id, "banks": {topic_id: {**NUGGETIZER, "qid": topic_id}}}
        read = read_banks(Content("bank.json", json.dumps(own).encode()))
        put(campaign, read.banks[0], file="bank.json", container=read.container)
    lines = banks_text(nuggets.bank_file(campaign, ["17", "4", "5"]), "nuggetizer").splitlines()
    assert [json.loads(line)["qid"] for line in lines] == ["17", "4"]


TEXTS = st.text(max_size=5)
MAKERS = st.tuples(st.sampled_from(["Ann", "m", " ", "a\0"]), st.booleans())
CREATORS = st.lists(MAKERS.map(Creator._make), max_size=2).map(tuple)
PLACES = st.tuples(TEXTS, st.none() | st.just((0, 3)), st.none() | TEXTS)
REFERENCES = st.lists(PLACES.map(Reference._make), max_size=2).map(tuple)
SAID = st.tuples(TEXTS, TEXTS, REFERENCES, CREATORS)
ANSWERS = st.lists(SAID.map(lambda said: GoldAnswer(*said)), max_size=2).map(tuple)
GIVEN = st.none() | st.just({"a": {"b": "c"}})
FACTS = st.tuples(TEXTS.map("t{}".format), TEXTS, st.booleans(), TEXTS, TEXTS, ANSWERS)
NUGGETS = st.recursive(
    st.tuples(FACTS, GIVEN, st.booleans()).map(
        lambda made: Nugget(*made[0], given=made[1], proposed=made[2])
    ),
    lambda inner: st.lists(inner, max_size=2).map(lambda parts: Nugget("whole", parts=tuple(parts))),
    max_leaves=3,
)


@given(st.lists(NUGGETS, max_size=3).map(tuple), CREATORS, TEXTS, st.integers(0, 9))
def test_any_bank_is_read_from_its_event_as_it_was(
    found: tuple[Nugget, ...], creators: tuple[Creator, ...], query: str, line: int
) -> None:
    bank = Bank("17", found, "argue", query, creators, line, {"x": [{"y": "1"}]})
    content = json.loads(json.dumps(nuggets.content_of(bank, "a.jsonl")))
    assert nuggets.bank_in(content) == bank


@pytest.mark.parametrize(
    "bank",
    [
        Bank("17", (Nugget("x" * 1_001, "n1"),), ""),
        Bank("17", (Nugget("x", answers=(GoldAnswer("y" * 1_001),)),), ""),
        Bank("17", (Nugget("x", creators=(Creator("y" * 201, is_human=True),)),), ""),
        Bank("17", tuple(Nugget(f"{number}") for number in range(1_001)), ""),
        Bank("17", (Nugget("x", parts=tuple(Nugget(f"{number}") for number in range(1_000))),), ""),
        Bank("17", (Nugget("x"), Nugget("x")), ""),
        Bank("17", (Nugget("x", "n1"), Nugget("y", parts=(Nugget("z", "n1"),))), ""),
        Bank("17", (Nugget(""),), ""),
        Bank("17", (Nugget("\ud800"),), ""),
        Bank("17", (), "", given={"trace": "x" * 10_000_000}),
    ],
    ids="text answer name many parts twice id empty half trace".split(),
)
def test_what_a_bank_may_not_hold_is_refused(campaign: Campaign, bank: Bank) -> None:
    with pytest.raises(CampaignError) as error:
        put(campaign, bank)
    assert says(str(error.value), "17")
    assert nuggets.topics_with_bank(campaign) == []


def test_a_bank_as_large_as_it_may_be_is_kept(campaign: Campaign) -> None:
    bank = Bank("17", tuple(Nugget(f"{number:01000}", f"{number}") for number in range(1_000)), "")
    put(campaign, bank)
    assert nuggets.bank_of(campaign, "17") == bank


@pytest.mark.parametrize(
    "wrong",
    [
        {"nuggets": [{"text": 1}]},
        {"nuggets": [{"words": "x"}]},
        {"nuggets": [{"text": "x", "is_question": "yes"}]},
        {"nuggets": [{"text": "x", "given": 7}]},
        {"nuggets": [{"text": "x", "creators": [{"name": 3, "is_human": True}]}]},
        {"line": "1"},
    ],
)
def test_a_content_that_is_none_is_not_read(wrong: dict[str, Any]) -> None:
    content = {"topic": "17", "people": [], "file": "", "bank": {"form": "", "nuggets": [], **wrong}}
    with pytest.raises((TypeError, ValueError, LookupError)):
        nuggets.bank_in(content)


def test_a_bank_is_read_from_the_file_when_it_is_opened_again(campaign: Campaign, tmp_path: Path) -> None:
    put(campaign, REEFS)
    campaign.close()
    with open_campaign(tmp_path / "new.db") as again:
        assert nuggets.bank_of(again, "17") == REEFS
