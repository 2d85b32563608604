from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from workbench.methods.text.matching import Hit
from workbench.methods.text.passage import best_passage, best_start

TEN_OF_100 = [(start, start + 100) for start in range(0, 1000, 100)]


def hit(start: int, term: int = 0) -> Hit:
    return Hit(start, start + 5, term)


def test_a_text_without_hits_has_no_passage() -> None:
    assert best_passage(TEN_OF_100, [], longest=200) is None
    assert best_passage([], [hit(0)], longest=200) is None


def test_a_text_that_fits_has_no_passage() -> None:
    assert best_passage(TEN_OF_100, [hit(500)], longest=1000) is None


def test_the_passage_begins_with_a_hit_and_goes_on_as_far_as_fits() -> None:
    assert best_passage(TEN_OF_100, [hit(350)], longest=250) == (3, 5)


def test_different_terms_count_more_than_many_hits() -> None:
    hits = [hit(0), hit(10), hit(20), hit(30), hit(500, term=0), hit(510, term=1)]
    assert best_passage(TEN_OF_100, hits, longest=100) == (5, 6)


def test_among_as_many_terms_more_hits_win() -> None:
    assert best_passage(TEN_OF_100, [hit(0), hit(500), hit(510)], longest=100) == (5, 6)


def test_the_earlier_of_equal_windows_wins() -> None:
    assert best_passage(TEN_OF_100, [hit(200), hit(700)], longest=100) == (2, 3)


def test_a_piece_that_is_too_long_stands_alone_and_is_measured_by_its_best_stretch() -> None:
    pieces = [(0, 5000), (5000, 5100), (5100, 5200)]
    spread = [hit(0, 0), hit(2000, 1), hit(4000, 2)]
    assert best_passage(pieces, [*spread, hit(5000, 0), hit(5050, 1)], longest=300) == (1, 3)
    assert best_passage(pieces, [hit(0, 0), hit(100, 1), hit(200, 2), hit(5000, 0)], longest=300) == (0, 1)


def test_the_best_stretch_begins_with_the_hit_that_the_most_terms_follow() -> None:
    assert best_start([hit(0), hit(10), hit(2000), hit(2010, 1)], longest=100) == 2
    assert best_start([hit(0), hit(50), hit(2000)], longest=100) == 0
    assert best_start([], longest=100) is None


def test_the_whole_is_no_passage() -> None:
    assert best_passage([(0, 5000)], [hit(10)], longest=300) is None


def test_blanks_between_pieces_belong_to_the_length() -> None:
    pieces = [(0, 100), (150, 250), (300, 400)]
    assert best_passage(pieces, [hit(0), hit(150, 1), hit(300)], longest=250) == (0, 2)
    assert best_passage(pieces, [hit(0), hit(150, 1), hit(300)], longest=249) == (0, 1)


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
