"""The share of relevant pairs among those judged twice and those judged once, by each rule for one grade of several.

    .venv/bin/python benchmarks/rules_of_two.py [--pairs N] [--files FIRST SECOND]

Simulated: every pair has a true grade (70, 15, 10 and 5 % are 0 to 3; relevant from 1). An assessor gives it in 70 % of
cases, else a neighbouring grade; a strict assessor gives the lower neighbour three times as often as the higher one, a
lenient one the other way round. The owner of the topic judges each pair; a tenth, drawn at random, is judged later by
a second assessor too. Both are of the same mixture, or the owners are strict and the seconds lenient. Where they differ
an adjudicator, neither strict nor lenient, settles half of the cases. With --files the labels of two qrels files on the
pairs that both have.
"""

from __future__ import annotations

import argparse
from math import sqrt
from pathlib import Path
from statistics import median_low

import numpy as np
from numpy.typing import NDArray

from workbench.core.model_answers import mode
from workbench.formats.qrels import read_qrels

SEED = 20260322
RULES = {"majority": mode, "median": median_low, "strictest": min, "most lenient": max}
SHARES = (0.70, 0.15, 0.10, 0.05)
GRADES = range(len(SHARES))
RIGHT = 0.7
LOWER = {"strict": 0.75, "even": 0.5, "lenient": 0.25}
"""Of the grades that are not the true one the share that is below it."""

Grades = NDArray[np.int64]


def judged(true: Grades, kind: NDArray[np.str_], chance: np.random.Generator) -> Grades:
    """The grades of assessors of these kinds."""
    lower = np.vectorize(LOWER.__getitem__)(kind)
    step = np.where(chance.random(len(true)) < lower, -1, 1)
    given = np.where(chance.random(len(true)) < RIGHT, true, true + step)
    return np.clip(given, 0, GRADES[-1])


def by_rule(first: Grades, second: Grades, adjudicated: Grades) -> dict[str, Grades]:
    """The label of pairs judged twice, `first` by the owner and `second` later; `adjudicated` is -1 where it is not."""
    lowest = min(int(first.min()), int(second.min()))
    span = range(lowest, max(int(first.max()), int(second.max())) + 1)
    found = {"newest": second, "owner": first}
    found["adjudicated first"] = np.where(adjudicated < 0, second, adjudicated)
    for name, rule in RULES.items():
        table = np.array([[rule([one, other]) for other in span] for one in span])
        found[name] = table[first - lowest, second - lowest]
    return found


def show(name: str, share: float, once: float, number: int) -> None:
    """One line: the share that is relevant, and how far it is from that of the pairs judged once."""
    error = sqrt(once * (1 - once) / number)
    print(
        f"  {name:<18} {100 * share:6.2f} %  {100 * (share - once):+6.2f} points  (standard error {100 * error:.2f})"
    )


def simulate(owners: str, seconds: str, pairs: int) -> None:
    """Print the shares of one scenario."""
    chance = np.random.default_rng(SEED)
    true = chance.choice(len(SHARES), pairs, p=SHARES)
    mixed = np.array(["strict", "even", "lenient"])
    owner, second = (
        chance.choice(mixed, pairs) if kind == "mixed" else np.full(pairs, kind) for kind in (owners, seconds)
    )
    first, later = judged(true, owner, chance), judged(true, second, chance)
    twice = chance.random(pairs) < 0.1
    settles = (first != later) & (chance.random(pairs) < 0.5)
    adjudicated = np.where(settles, judged(true, np.full(pairs, "even"), chance), -1)
    once = float((first[~twice] >= 1).mean())
    print(
        f"owners {owners}, second assessors {seconds}; "
        f"{100 * once:.2f} % of {int((~twice).sum()):,} pairs judged once are relevant"
    )
    for name, label in by_rule(first[twice], later[twice], adjudicated[twice]).items():
        show(name, float((label >= 1).mean()), once, int(twice.sum()))


def of_files(paths: tuple[Path, Path]) -> None:
    """Print the shares on the pairs of two files."""
    one, other = ({row[:2]: row[2] for row in _rows(path)} for path in paths)
    common = sorted(one.keys() & other.keys())
    first, second = (np.array([each[pair] for pair in common]) for each in (one, other))
    once = float((first >= 1).mean())
    print(f"{len(common):,} pairs of two files; {100 * once:.2f} % relevant by the first")
    for name, label in by_rule(first, second, np.full(len(common), -1)).items():
        show(name, float((label >= 1).mean()), once, len(common))


def _rows(path: Path) -> list[tuple[str, str, int]]:
    return read_qrels(str(path)).frame.select("topic_id", "document_id", "grade").rows()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pairs", type=int, default=10_000_000)
    parser.add_argument("--files", type=Path, nargs=2)
    given = parser.parse_args()
    if given.files:
        of_files(tuple(given.files))
        return
    for kinds in (("mixed", "mixed"), ("strict", "lenient")):
        simulate(*kinds, given.pairs)


if __name__ == "__main__":
    main()
