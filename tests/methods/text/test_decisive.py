"""A grade is not taken over between near duplicates where what differs may decide it."""

from __future__ import annotations

import pytest

from workbench.methods.text.decisive import (
    MARKED,
    NEGATION,
    NEGATIONS,
    NUMBER,
    REASONS,
    SENTENCE,
    Side,
    reasons_to_differ,
)
from workbench.methods.text.differences import differences
from workbench.methods.text.matching import Matcher
from workbench.methods.text.terms import Term

MATCHER = Matcher([Term("frozen rivers"), Term("New York"), Term("结冰")], "en")


def reasons(text: str, before: str) -> tuple[str, ...]:
    found = differences(text, before)
    return reasons_to_differ(
        Side(text, MATCHER.hits(text), [(each.start, each.end) for each in found]),
        Side(before, MATCHER.hits(before), [(each.before_start, each.before_end) for each in found]),
    )


@pytest.mark.parametrize(
    ("text", "before"),
    [
        ("It was cold in the city.", "It was cold in the town."),
        ("It was very cold.", "It was cold."),
        ("Ice lay on frozen rivers, they say.", "Ice lay on frozen rivers, we heard."),
        ("It was cold.", "It was cold. So it ended."),
        ("IT WAS COLD!", "It was cold"),
    ],
)
def test_small_words_apart_from_those_of_the_topic_decide_nothing(text: str, before: str) -> None:
    assert reasons(text, before) == ()


@pytest.mark.parametrize(
    ("text", "before", "reason"),
    [
        ("All lay still.", "Frozen rivers: all lay still.", MARKED),
        ("It froze on the frozen river.", "It froze on the lake.", MARKED),  # in another form
        ("They met in New Orleans.", "They met in New York.", MARKED),  # half of the words are in both
        ("They met in a new and loud York.", "They met in a New York.", MARKED),  # nothing of it is missing
        ("河水冻了。", "河水结冰了。", MARKED),
        ("It is safe.", "It is not safe.", NEGATION),
        ("You can cross.", "You can't cross.", NEGATION),
        ("You can cross.", "You can’t cross.", NEGATION),
        ("Es ist kein Eis.", "Es ist Eis.", NEGATION),
        ("Il n'y a pas de glace.", "Il y a de la glace.", NEGATION),
        ("الماء بارد", "الماء ليس بارد", NEGATION),
        ("水は凍らない", "水は凍る", NEGATION),
        ("น้ำไม่เย็น", "น้ำเย็น", NEGATION),
        ("It fell by 3 degrees.", "It fell by 4 degrees.", NUMBER),
        ("It fell to -4°", "It fell to ٤°", NUMBER),
        ("三月很冷", "二月很冷", NUMBER),
        ("So it was.", "So it was. Children walked over to their school on that day.", SENTENCE),
        ("天气很好。", "天气很好。孩子们走路去了学校。", SENTENCE),
    ],
)
def test_what_may_decide_a_grade_is_named_whichever_text_has_it(text: str, before: str, reason: str) -> None:
    assert reason in reasons(text, before)
    assert reasons(text, before) == reasons(before, text)


def test_reasons_have_one_order_and_negations_are_no_common_words() -> None:
    assert reasons("All quiet.", "All quiet: no frozen river on the 3rd, they say and say again.") == REASONS
    # English "be", "sense" and "cap", German "Mai" and "Mitte", French "et" and "en", Hungarian "ez"
    assert NEGATIONS.isdisjoint(
        ["be", "sense", "cap", "mai", "mitte", "et", "en", "ez", "a", "in", "de", "la"]
    )
