from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from workbench.methods.text.matching import Hit
from workbench.methods.text.passage import best_passage, best_start


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
