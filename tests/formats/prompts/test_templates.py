"""Templates of prompts: what they may name, how they are filled, and that no text ends its own fence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sentences import refused
from workbench.core.about import ANSWER_PAIRS, CITATIONS, DOCUMENTS, NUGGETS
from workbench.core.errors import CampaignError
from workbench.core.records import Topic
from workbench.formats.prompts.templates import (
    FIRST_SHIPPED,
    PROMPTS,
    TEXTS,
    fenced,
    parse,
    refuse_lacking,
    shipped,
)


def test_roles_stand_behind_their_names_and_marks_apart() -> None:
    template = parse(
        "[system]\nBe brief.\n[user]\n{{ title }}: {{document}}\n[marks]\nexact, full\n", DOCUMENTS
    )
    assert template.marks == ("exact", "full")
    assert template.filled({"title": "ice", "document": "Snow."}) == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "ice: Snow."},
    ]


def test_what_is_filled_in_is_no_template() -> None:
    (message,) = parse("{{title}} {{document}}", DOCUMENTS).filled({"title": "t", "document": "{{title}}"})
    assert message["content"] == "t {{title}}"


@pytest.mark.parametrize(
    ("text", "about", "named"),
    [
        ("{{titel}} {{document}}", DOCUMENTS, "titel"),
        ("{{nugget}} {{document}}", DOCUMENTS, "nugget"),
        ("{{title}}", DOCUMENTS, "{{document}}"),
        ("{{sentence}}", CITATIONS, "{{document}}"),
        ("{{nugget}}", NUGGETS, "{{answer}}"),
        ("{{left_text}}", ANSWER_PAIRS, "{{right_text}}"),
        ("{{right_text}}", ANSWER_PAIRS, "{{left_text}}"),
        ("{{left_text}} {{right_text}} {{document}}", ANSWER_PAIRS, "document"),
        ("[system]\n{{document}}", DOCUMENTS, "[user]"),
        ("", DOCUMENTS, "[user]"),
    ],
)
def test_a_template_that_cannot_work_is_refused(text: str, about: str, named: str) -> None:
    with refused(CampaignError, named):
        parse(text, about)


def test_topics_that_lack_a_field_are_named() -> None:
    topics = [Topic("7", "ice", narrative=" "), Topic("8", "snow", fields={"background": "b"})]
    with refused(CampaignError, "narrative", "7, 8"):
        refuse_lacking({"title", "narrative", "document"}, topics)
    with refused(CampaignError, "topic.background", "7"):
        refuse_lacking({"topic.background"}, topics)
    refuse_lacking({"title", "scale"}, topics)


@pytest.mark.parametrize("name", PROMPTS)
@pytest.mark.parametrize("narrative", [True, False])
def test_every_shipped_template_fits_its_questions(name: str, narrative: bool) -> None:
    for about in {each for each in TEXTS if FIRST_SHIPPED[each] == name} or {DOCUMENTS}:
        template = parse(shipped(name, narrative=narrative), about)
        assert {"title", "scale", *TEXTS[about]} <= template.fields
        assert ("narrative" in template.fields) is narrative


@given(st.text())
def test_a_text_cannot_hold_its_own_fence(text: str) -> None:
    opening, *_, closing = fenced(text).split("\n")
    assert opening[1:-1] not in text
    assert closing == f"</{opening[1:]}"


def test_a_text_that_has_the_fence_of_another_gets_its_own() -> None:
    inner = fenced("ice")
    assert fenced(inner).partition("\n")[0] not in inner
