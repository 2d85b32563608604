"""The passage of a text with most hits, and excerpts with the words that were searched for."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from workbench.methods.text.compared_words import words_of
from workbench.methods.text.matching import Hit
from workbench.methods.text.passage import LENGTH, best_passage, best_start, excerpt_of


def hit(start: int, term: int = 0) -> Hit:
    return Hit(start, start + 5, term)


def test_the_best_stretch_begins_with_the_hit_that_the_most_terms_follow() -> None:
    assert best_start([hit(0), hit(10), hit(2000), hit(2010, 1)], longest=100) == 2
    assert best_start([hit(0), hit(50), hit(2000)], longest=100) == 0
    assert best_start([], longest=100) is None


def brute_force(pieces: list[tuple[int, int]], hits: list[Hit], longest: int) -> tuple[int, int] | None:
    if not pieces or not hits or pieces[-1][1] - pieces[0][0] <= longest:
        return None
    candidates = []
    for first, (start, end) in enumerate(pieces):
        inside = [hit for hit in hits if start <= hit.start < end]
        after = max(
            [
                first + 1,
                *(n for n in range(first + 2, len(pieces) + 1) if pieces[n - 1][1] - start <= longest),
            ]
        )
        if not inside:
            continue
        if end - start > longest:
            stretches = [[h for h in inside if at.start <= h.start < at.start + longest] for at in inside]
        else:
            stretches = [[h for h in hits if start <= h.start < pieces[after - 1][1]]]
        worth = max((len({h.term for h in stretch}), len(stretch)) for stretch in stretches)
        candidates.append((worth, -first, after))
    if not candidates:
        return None
    _, first, after = max(candidates)
    return None if (-first, after) == (0, len(pieces)) else (-first, after)


@given(
    sizes=st.lists(st.tuples(st.integers(1, 40), st.integers(0, 3)), max_size=12),
    places=st.lists(st.tuples(st.integers(0, 300), st.integers(0, 3)), unique_by=lambda place: place[0]),
    longest=st.integers(1, 120),
)
def test_the_passage_is_the_one_that_trying_all_windows_finds(
    sizes: list[tuple[int, int]], places: list[tuple[int, int]], longest: int
) -> None:
    pieces, end = [], 0
    for size, gap in sizes:
        pieces.append((end + gap, end + gap + size))
        end += gap + size
    hits = [Hit(start, start + 1, term) for start, term in sorted(places)]
    assert best_passage(pieces, hits, longest=longest) == brute_force(pieces, hits, longest)


def shown(text: str, query: str, length: int = LENGTH) -> str:
    return "".join(
        f"[{part.text}]" if part.found else part.text for part in excerpt_of(text, words_of(query), length)
    )


def test_the_part_with_most_of_the_words_is_shown() -> None:
    text = (
        "A river. "
        + "Nothing here at all. " * 20
        + "The bank of the river Rhine froze. "
        + "More of it. " * 20
    )
    assert shown(text, "rhine river bank", 40) == "… The [bank] of the [river] [Rhine] froze. More of …"
    assert shown("Rivers\n\n  and a Rhine.", "rhine") == "Rivers and a [Rhine]."
    far = f"Rhine, cold. {'x ' * 60}Rhine."  # of equal places the first, also where it is the beginning
    assert shown(far, "rhine", 20).startswith("[Rhine], cold. x ")
    assert shown("one two three", "four") == "one two three"
    assert shown("Le CAFÉ noir", "cafe") == "Le [CAFÉ] noir"
    assert shown("في كِتَاب النهر", "كتاب") == "في [كِتَاب] النهر"
    assert shown("我在东京住", "东京") == "我在[东][京]住"


def test_what_a_terminal_obeys_is_a_blank() -> None:
    assert shown("a\x1b[31m river", "river") == "a [31m [river]"
    assert all(part.text.isprintable() for part in excerpt_of("a\x1b[31m \u2028river\u202e x", ["river"]))


@given(st.text(max_size=400), st.lists(st.text(max_size=10), max_size=3), st.integers(1, 200))
def test_any_text_has_an_excerpt_of_what_is_in_it(text: str, words: list[str], length: int) -> None:
    parts = excerpt_of(text, [word for each in words for word in words_of(each)], length)
    said = "".join(part.text for part in parts).removeprefix("… ").removesuffix(" …")
    plain = "".join(each if each.isprintable() else " " for each in text)
    assert "".join(said.split()) in "".join(plain.split())
    assert all(part.text.isprintable() for part in parts)
