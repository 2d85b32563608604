"""What a text has that another has not is found word by word, however long the texts are."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.reading.compared_words import placed_words
from workbench.reading.differences import differences


def marked(text: str, before: str) -> str:
    """The text with its differences in brackets."""
    for start, end in reversed(differences(text, before)):
        text = f"{text[:start]}[{text[start:end]}]{text[end:]}"
    return text


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("The river froze in March.", "The river froze in [April]."),
        ("The river froze.", "The [broad] river froze."),
        ("The broad river froze.", "The river froze."),
        ("The river froze.", "The river froze. [It broke up, in May]."),
        ("It was cold. The river froze.", "[In March] it was cold. The river froze."),
        ("one two three four", "one [2], three [4]"),
        ("The river froze.", "THE  river\n\nfroze"),
        ("", "[All is new]."),
        ("All is gone.", ""),
        ("", ""),
        ("東京は寒い", "東京は[暑]い"),
        ("It costs $5.", "It costs [€5]."),
        ("a a a", "a a a [a]"),
    ],
)
def test_the_words_that_are_new_are_in_the_ranges(before: str, text: str) -> None:
    plain = text.replace("[", "").replace("]", "")
    assert marked(plain, before) == text


def test_ranges_count_code_points() -> None:
    assert differences("😀 one new two", "one two") == [(6, 9)]


def test_a_text_that_is_wrapped_otherwise_is_the_same() -> None:
    words = [f"w{number}" for number in range(2000)]
    lines = "\n".join(" ".join(words[start : start + 12]) for start in range(0, 2000, 12))
    assert differences(lines, " ".join(words)) == []


def test_in_a_long_text_each_changed_word_is_found_by_itself() -> None:
    words = [f"w{number}" for number in range(3000)]
    changed = [f"new{place}" if place % 500 == 250 else word for place, word in enumerate(words)]
    text = " ".join(changed)
    assert [text[start:end] for start, end in differences(text, " ".join(words))] == [
        f"new{place}" for place in range(250, 3000, 500)
    ]


def test_a_part_that_moved_is_marked_once() -> None:
    one, other = ([f"{name}{number}" for number in range(900)] for name in "ab")
    text = " ".join([*other, *one])
    ranges = differences(text, " ".join([*one, *other]))
    assert [text[start:end] for start, end in ranges] in ([" ".join(one)], [" ".join(other)])


def test_words_that_stand_once_hold_a_text_together_where_no_run_does() -> None:
    # Every second word is another, so no five words in a row are the same in both.
    before = " ".join(f"w{number} old{number}" for number in range(400))
    text = " ".join(f"w{number} new{number}" for number in range(400))
    assert len(differences(text, before)) == 400


def test_a_long_stretch_without_anything_that_stands_once_differs_as_a_whole() -> None:
    chance = random.Random(1)
    one, other = (" ".join(chance.choices("xy", k=5000)) for _ in range(2))
    text = f"begin {one} end"
    (whole,) = differences(text, f"begin {other} end")
    assert whole[0] < 100
    assert whole[1] > len(text) - 100


def test_only_so_much_is_compared_word_by_word() -> None:
    # 120 stretches of 190 by 190 words are more than 100 of 200 by 200: the last ones differ as a whole.
    chance = random.Random(2)

    def text() -> str:
        return " ".join(
            f"u{number} v{number} w{number} {' '.join(chance.choices('ab', k=190))}" for number in range(120)
        )

    one = text()
    ranges = differences(one, text())
    assert sum(end < one.index("u1 ") for _, end in ranges) > 1
    assert sum(start > one.index("u119 ") for start, _ in ranges) == 1


def is_subsequence(words: list[str], of: list[str]) -> bool:
    rest = iter(of)
    return all(word in rest for word in words)


@pytest.mark.parametrize("separator", [" ", "\n"])
@given(st.lists(st.sampled_from("abcde")), st.lists(st.sampled_from("abcde")))
def test_without_the_ranges_nothing_is_left_that_is_not_in_the_other_text_in_this_order(
    separator: str, new: list[str], old: list[str]
) -> None:
    text, before = separator.join(new), " ".join(old)
    ranges = differences(text, before)
    left = [
        word for word in placed_words(text) if not any(start <= word.start < end for start, end in ranges)
    ]
    assert is_subsequence([word.word for word in left], old)
    assert all(first[1] < second[0] for first, second in pairwise(ranges))
    if new == old:
        assert ranges == []


@given(st.integers(0, 10_000))
def test_long_texts_too_leave_only_what_the_other_text_has(seed: int) -> None:
    chance = random.Random(seed)
    old = [f"w{int(chance.paretovariate(0.7))}" for _ in range(600)]
    new = [word for word in old if chance.random() > 0.1]
    for _ in range(40):
        new.insert(chance.randrange(len(new)), f"new{chance.randint(0, 5)}")
    text = " ".join(new)
    ranges = differences(text, " ".join(old))
    left = [
        word for word in placed_words(text) if not any(start <= word.start < end for start, end in ranges)
    ]
    assert is_subsequence([word.word for word in left], old)
    assert not any(word.word.startswith("new") for word in left)
    assert len(left) > 400
