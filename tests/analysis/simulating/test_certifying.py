from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from workbench.analysis.simulating import certifying as module
from workbench.analysis.simulating.certifying import ALL_PAIRS, LEVELS, OPEN_PAIRS, Certified, certified
from workbench.analysis.simulating.collection import Collection, collection_from_files
from workbench.analysis.simulating.selection import named_strategies
from workbench.analysis.trust.next_documents import over_all_pairs, over_open_pairs
from workbench.core.errors import UnknownName
from workbench.methods.measures import parse_measure

OPEN = "separate(p=0.8,pairs=open)"

# One topic; d is relevant alone. By P@2 of the first two documents of each run:
RUNS = {"one": "abx", "two": "cdx", "three": "dax"}


@pytest.fixture
def collection(tmp_path: Path) -> Collection:
    (tmp_path / "qrels").write_text("".join(f"1 0 {each} {int(each == 'd')}\n" for each in "abcdx"))
    for tag, documents in RUNS.items():
        lines = (f"1 Q0 {each} 1 {9 - rank} {tag}\n" for rank, each in enumerate(documents))
        (tmp_path / tag).write_text("".join(lines))
    found, _ = collection_from_files(str(tmp_path / "qrels"), [str(tmp_path / tag) for tag in RUNS], 3)
    return found


def by_hand(order: str, k: int = 2) -> list[float]:
    """The share of pairs that are certain after each document of an order, by P@k with d relevant alone."""
    shares = []
    for number in range(len(order) + 1):
        judged, certain = set(order[:number]), 0
        for one, other in combinations(RUNS.values(), 2):
            weights = {each: (each in one[:k]) - (each in other[:k]) for each in "abcdx"}
            base = sum(weights[each] for each in judged & {"d"})
            rest = [weights[each] for each in set("abcdx") - judged]
            low = base + sum(min(0, each) for each in rest)
            high = base + sum(max(0, each) for each in rest)
            certain += low > 0 or high < 0 or low == high == 0
        shares.append(certain / 3)
    return shares


def test_levels_are_reached_when_the_bounds_by_hand_say_so(
    collection: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "STEP", 1)
    (*_, found) = certified(collection, parse_measure("P@2"), named_strategies(["document-id"], 3))
    shares = by_hand("abcd")  # x weighs nothing
    assert (found.order, found.pairs, found.documents) == ("document-id", 3, 4)
    assert found.judged == tuple(
        next((number for number, share in enumerate(shares) if share >= level), None) for level in LEVELS
    )


def test_the_documents_of_open_pairs_come_first_by_their_widths(
    collection: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "STEP", 1)
    first, second = certified(collection, parse_measure("P@2"), [])
    assert (first.order, second.order) == (OPEN_PAIRS, ALL_PAIRS)
    whole = by_hand("abcd").index(1.0)
    for found in (first, second):
        assert found.judged[-1] is not None
        assert found.judged[-1] <= whole


def test_by_open_pairs_the_best_documents_of_all_topics_are_judged_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # On topic 1 the runs have another document at rank 1, on topic 2 the same one, and another at rank 2.
    (tmp_path / "qrels").write_text("1 0 a 1\n1 0 b 0\n2 0 c 1\n2 0 d 0\n2 0 e 0\n")
    (tmp_path / "one").write_text("1 Q0 a 1 9 one\n2 Q0 c 1 9 one\n2 Q0 d 2 8 one\n")
    (tmp_path / "two").write_text("1 Q0 b 1 9 two\n2 Q0 c 1 9 two\n2 Q0 e 2 8 two\n")
    files = [str(tmp_path / tag) for tag in ("one", "two")]
    two_topics, _ = collection_from_files(str(tmp_path / "qrels"), files, 3)
    monkeypatch.setattr(module, "STEP", 1)
    names = ["separate(p=0.5,pairs=open)", "separate(p=0.5,pairs=all)"]
    (_, _, together, in_turn) = certified(two_topics, parse_measure("RBP(p=0.5)"), named_strategies(names, 3))
    # With a and b judged `one` is ahead by 1/2, and d and e weigh 1/4 each; in turn d comes before b.
    assert (together.order, together.judged) == (names[0], (2,) * len(LEVELS))
    assert (in_turn.order, in_turn.judged) == (names[1], (3,) * len(LEVELS))


def test_measures_that_do_not_add_up_and_samples_are_refused(collection: Collection) -> None:
    with pytest.raises(UnknownName, match="AP is not additive; take one that is"):
        next(certified(collection, parse_measure("AP"), []))
    with pytest.raises(UnknownName, match="uniform draws a sample, and a sample certifies nothing"):
        next(certified(collection, parse_measure("P@2"), named_strategies(["uniform"], 3)))


@pytest.mark.slow
def test_the_curves_of_robust_2003_are_those_of_the_page(data_folder: Path) -> None:
    folder = data_folder / "robust03"
    runs = [str(file) for file in sorted((folder / "runs").glob("*.gz"))]
    collection, _ = collection_from_files(str(folder / "qrels.txt"), runs, 100)
    found = {
        row.order: row
        for row in certified(collection, parse_measure("RBP(p=0.8)"), named_strategies(["depth", OPEN], 100))
    }
    assert {(row.pairs, row.documents) for row in found.values()} == {(136, 49_528)}
    assert found[OPEN_PAIRS].judged == pytest.approx((3_750, 5_100, 6_100, 7_350, 8_000, 9_800), abs=100)
    assert found[ALL_PAIRS].judged == pytest.approx((4_050, 4_750, 6_500, 8_650, 9_000, 13_150), abs=100)
    assert found[OPEN].judged == pytest.approx((3_900, 4_850, 6_100, 7_750, 8_250, 9_850), abs=100)
    depth = found["depth"]
    assert isinstance(depth, Certified)
    assert np.array(depth.judged[3], np.float64) == pytest.approx(10_600, abs=100)


def test_each_order_is_told_when_it_is_done(collection: Collection) -> None:
    done: list[str] = []
    orders = certified(
        collection, parse_measure("P@2"), named_strategies(["document-id"], 3), on_order=done.append
    )
    assert [(found.order, list(done)) for found in orders] == [
        (OPEN_PAIRS, []),
        (ALL_PAIRS, [OPEN_PAIRS]),
        ("document-id", [OPEN_PAIRS, ALL_PAIRS]),
    ]
    assert done == [OPEN_PAIRS, ALL_PAIRS, "document-id"]


def test_the_widths_of_a_document_are_summed_over_pairs_by_their_factors() -> None:
    rng = np.random.default_rng(1)
    weight, factor = rng.integers(0, 4, (5, 4)) / 4, rng.integers(0, 3, (4, 4)).astype(np.float64)
    summed = [
        sum(factor[one, other] * abs(each[one] - each[other]) for one, other in combinations(range(4), 2))
        for each in weight
    ]
    assert module._over_pairs(weight, factor).tolist() == pytest.approx(summed)
    everyone = np.ones((4, 4), np.bool_)
    assert over_all_pairs(weight) == pytest.approx(module._over_pairs(weight, everyone * 1.0))
    for open_ in (everyone, factor > 0, ~everyone):
        assert over_open_pairs(weight, open_) == pytest.approx(module._over_pairs(weight, open_ * 1.0))
