"""Where two texts differ is found word by word, what is new and what is missing, however long the texts are."""

from __future__ import annotations

import random
import re
from itertools import combinations, pairwise, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.methods.text.compared_words import words_of
from workbench.methods.text.differences import _firsts, _in_order, differences


def marked(text: str, before: str) -> str:
    """The text with what is new in brackets, and what is missing in braces before it."""
    for found in reversed(differences(text, before)):
        missing = before[found.before_start : found.before_end]
        new = text[found.start : found.end]
        here = (f"{{{missing}}}" if missing else "") + (f"[{new}]" if new else "")
        text = f"{text[: found.start]}{here}{text[found.end :]}"
    return text


def new_in(text: str, before: str) -> list[str]:
    return [text[found.start : found.end] for found in differences(text, before) if found.new]


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("The river froze in March.", "The river froze in {March}[April]."),
        ("The river froze.", "The [broad] river froze."),
        ("The broad river froze.", "The {broad}river froze."),
        ("In March, it froze. It broke.", "{In March}it froze{It broke}."),
        ("The river froze.", "The river froze. [It broke up, in May]."),
        ("It was cold. The river froze.", "[In March] it was cold. The river froze."),
        ("one two three four", "one {two}[2], three {four}[4]"), ("The river froze.", "THE  river\n\nfroze"),
        ("", "[All is new]."), ("All is gone.", "{All is gone}"), ("", ""), ("東京は寒い", "東京は{寒}[暑]い"),
        ("It costs $5.", "It costs {$5}[€5]."), ("a a a", "a a a [a]"),
    ],
)  # fmt: skip
def test_what_is_new_and_what_is_missing_is_found_at_its_place(before: str, text: str) -> None:
    plain = re.sub(r"\{.*?\}|[\[\]]", "", text)
    assert marked(plain, before) == text


def test_words_and_places_are_those_of_the_text_however_it_is_wrapped() -> None:
    assert differences("😀 one new two", "one two") == [(6, 9, 4, 4, 1, 0)]
    assert differences("one", "😀 one two three") == [(3, 3, 6, 15, 0, 2)]
    words = [f"w{number}" for number in range(2000)]
    lines = "\n".join(" ".join(words[start : start + 12]) for start in range(0, 2000, 12))
    assert differences(lines, " ".join(words)) == []


def test_in_a_long_text_each_changed_word_is_found_also_where_no_run_is_the_same() -> None:
    words = [f"w{number}" for number in range(3000)]
    changed = [f"new{place}" if place % 500 == 250 else word for place, word in enumerate(words)]
    text = " ".join(changed)
    assert new_in(text, " ".join(words)) == [f"new{place}" for place in range(250, 3000, 500)]
    # Every second word is another, so no five words in a row are the same in both.
    before = " ".join(f"w{number} old{number}" for number in range(400))
    text = " ".join(f"w{number} new{number}" for number in range(400))
    assert len(differences(text, before)) == 400


def test_what_moved_or_holds_nothing_together_differs_as_a_whole() -> None:
    one, other = ([f"{name}{number}" for number in range(900)] for name in "ab")
    text = " ".join([*other, *one])
    before = " ".join([*one, *other])
    one_moved = f"{{{' '.join(one)}}}{' '.join(other)} [{' '.join(one)}]"
    other_moved = f"[{' '.join(other)}] {' '.join(one)}{{{' '.join(other)}}}"
    assert marked(text, before) in (one_moved, other_moved)
    chance = random.Random(1)
    one, other = (" ".join(chance.choices("xy", k=5000)) for _ in range(2))
    text = f"begin {one} end"
    (whole,) = differences(text, f"begin {other} end")
    assert whole.start < 100
    assert whole.end > len(text) - 100


def test_only_so_much_is_compared_word_by_word() -> None:
    # 120 stretches of 190 by 190 words are more than 100 of 200 by 200: the last ones differ as a whole.
    chance = random.Random(2)

    def text() -> str:
        return " ".join(
            f"u{number} v{number} w{number} {' '.join(chance.choices('ab', k=190))}" for number in range(120)
        )

    one = text()
    found = differences(one, text())
    assert sum(each.end < one.index("u1 ") for each in found) > 1
    assert sum(each.start > one.index("u119 ") for each in found) == 1


def with_the_words_before(text: str, before: str) -> list[str]:
    """The words of the text, with those that are missing in place of those that are new at each difference."""
    for found in reversed(differences(text, before)):
        missing = before[found.before_start : found.before_end]
        text = f"{text[: found.start]} {missing} {text[found.end :]}"
    return words_of(text)


@pytest.mark.parametrize("separator", [" ", "\n"])
@given(st.lists(st.sampled_from("abcde")), st.lists(st.sampled_from("abcde")))
def test_with_what_is_missing_in_place_of_what_is_new_a_text_is_the_one_before(
    separator: str, new: list[str], old: list[str]
) -> None:
    text, before = separator.join(new), " ".join(old)
    found = differences(text, before)
    assert with_the_words_before(text, before) == old
    assert all(
        one.end < other.start and one.before_end < other.before_start for one, other in pairwise(found)
    )
    assert sum(each.new - each.missing for each in found) == len(new) - len(old)
    assert bool(found) == (new != old)


@given(st.integers(0, 10_000))
def test_the_same_is_true_of_long_texts_which_keep_most_of_their_words(seed: int) -> None:
    chance = random.Random(seed)
    old = [f"w{int(chance.paretovariate(0.7))}" for _ in range(600)]
    new = [word for word in old if chance.random() > 0.1]
    for _ in range(40):
        new.insert(chance.randrange(len(new)), f"new{chance.randint(0, 5)}")
    text, before = " ".join(new), " ".join(old)
    assert with_the_words_before(text, before) == old
    assert len(new) - sum(found.new for found in differences(text, before)) > 400


def test_of_words_that_stand_once_the_longest_part_in_one_order_is_kept() -> None:
    assert _in_order([]) == []
    for size in range(1, 7):
        for order in permutations(range(10, 10 + size)):
            pairs = list(enumerate(order))
            found = _in_order(pairs)
            longest = next(
                length
                for length in range(size, 0, -1)
                if any(list(part) == sorted(part) for part in combinations(order, length))
            )
            assert len(found) == longest
            assert found == sorted(found)
            assert [number for _, number in found] == sorted(number for _, number in found)
            assert set(found) <= set(pairs)


def test_runs_that_overlap_or_touch_in_both_texts_alike_are_one() -> None:
    # Runs of 3 words: 5 goes on at 2, 9 is a word further off, 12 is not where it would be in the other text.
    anchors = [(2, 7), (3, 8), (5, 10), (9, 14), (12, 18), (15, 21)]
    assert list(_firsts(anchors, 3)) == [(2, 7), (9, 14), (12, 18)]
    assert list(_firsts([(0, 0), (1, 1)], 3)) == [(0, 0)]
