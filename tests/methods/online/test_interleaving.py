"""Team draft over all coins: every rank is as often one run's as the other's, and shared documents are nobody's."""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

import pytest

from workbench.methods.online.interleaving import outcome, team_draft


class Coins:
    """Chance that falls as it is told."""

    def __init__(self, sides: tuple[int, ...]) -> None:
        self.sides = list(sides)

    def integers(self, _: int) -> int:
        return self.sides.pop(0)


def drafted(one: str, other: str, depth: int, *sides: int) -> tuple[str, list[int | None]]:
    rng: Any = Coins(sides)
    found = team_draft(one, other, depth=depth, rng=rng)
    return "".join(found), list(found.values())


@pytest.mark.parametrize(
    ("one", "other", "sides", "documents", "teams"),
    [
        ("abcd", "wxyz", (0, 1, 0), "awxbc", [0, 1, 1, 0, 0]),
        ("abcd", "wxyz", (1, 0, 1), "wabxy", [1, 0, 0, 1, 1]),
        ("abcd", "abxy", (0, 0), "abcxd", [None, None, 0, 1, 0]),
        ("abc", "bca", (0,), "abc", [0, 1, None]),
        ("abcd", "x", (1,), "xa", [1, 0]),
        ("ab", "ab", (), "ab", [None, None]),
        ("abc", "", (), "", []),
    ],
)
def test_a_list_is_drafted_in_rounds(
    one: str, other: str, sides: tuple[int, ...], documents: str, teams: list[int | None]
) -> None:
    assert drafted(one, other, 5, *sides) == (documents, teams)


@pytest.mark.parametrize(
    ("one", "other"), [("abcdef", "fedcba"), ("abcdef", "bacxyz"), ("abc", "wxyzabc"), ("aebfcg", "bfaecg")]
)
@pytest.mark.parametrize("depth", [3, 4, 5])
def test_over_all_coins_clicks_by_rank_alone_prefer_neither(one: str, other: str, depth: int) -> None:
    lists = [drafted(one, other, depth, *sides)[1] for sides in product((0, 1), repeat=depth)]
    for size in range(depth + 1):
        for clicked in combinations(range(depth), size):
            assert (
                sum(outcome([*map(str, teams)], ("0", "1"), seen_of(clicked, teams)) for teams in lists) == 0
            )


def seen_of(clicked: tuple[int, ...], teams: list[int | None]) -> list[int]:
    return [place for place in clicked if place < len(teams)]


def test_clicks_on_a_document_count_once_and_those_on_shared_ones_not_at_all() -> None:
    found = [
        outcome(["", "b", "a", "b"], ("a", "b"), clicked) for clicked in ([0], [2, 0], [1, 1, 2], [1, 3, 2])
    ]
    assert found == [0, 1, 0, -1]
