"""How many judgments decide pairs of runs at a risk of .05 each, without a model and from a model's labels.

    .venv/bin/python benchmarks/decisions_with_a_model.py [ORDERS]

First the 136 pairs of the 17 runs of Robust 2003, depth 100, with judges that are simulated: each calls so many of the
relevant documents relevant, and so many of the others. Then the real labels of a model and of people for 10,284 pairs
of TREC RAG 2025 (agreement/, grade 3 and above relevant), of which there are no runs here: 12 runs are simulated, each
an order of a topic's documents by what people say plus noise, from little to much. Medians over ORDERS random orders
(12), and wrong decisions when nine tenths of the pairs are decided.
"""

from __future__ import annotations

import sys
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import polars as pl
from data import data_folder, machine, robust_qrels, robust_runs
from numpy.typing import NDArray

from workbench.core.ranking import Names, Packed, order_run, pack_rankings
from workbench.formats.qrels import read_qrels
from workbench.formats.runs import read_run
from workbench.methods.pooling.strategies.sequential_pps import Drawing, draw, weights_of
from workbench.methods.pooling.topic_table import table_of
from workbench.methods.statistics.betting import evidence

FloatArray = NDArray[np.float64]
DEPTH, ALPHA, ORDERS, STEP = 100, 0.05, 12, 50
SHARES = (0.5, 0.75, 0.9)
JUDGES = {"none": None, "TPR .74, FPR .10": (0.74, 0.10), "TPR .9, FPR .03": (0.9, 0.03)}


class Bed(NamedTuple):
    """All documents of an order: what they weigh in each run, (runs, documents), their gains, and the drawing."""

    weight: FloatArray
    gain: FloatArray
    drawing: Drawing

    @property
    def truth(self) -> FloatArray:
        """The difference of each two runs, all judged."""
        whole = self.weight @ self.gain
        return whole[:, None] - whole


def bed_of(packed: Packed, tags: Sequence[str], measure: str, relevant_from: int = 1) -> Bed:
    """The documents of all topics of these runs."""
    ids = packed.pairs.group_by("topic_id", maintain_order=True).all()
    known = dict(zip(ids["topic_id"].to_list(), ids["document_id"].to_list(), strict=True))
    rankings = replace(packed.rankings, names=Names(packed.topic_ids, known, list(tags)))
    drawing = draw(rankings, depth=DEPTH, measure=measure, seed=0)
    weight, gain = np.zeros((len(tags), len(drawing.size))), np.zeros(len(drawing.size))
    of_rank, start = weights_of(measure, DEPTH), 0
    for topic in range(len(packed.topic_ids)):
        table = table_of(rankings.of_topic(topic), depth=DEPTH, runs=range(len(tags)))
        end = start + len(table)
        weight[:, start:end] = of_rank[np.minimum(table.rank, len(of_rank) - 1)]
        gain[start:end] = packed.labels.of_topic(topic).label[table.document] >= relevant_from
        start = end
    return Bed(weight, gain, drawing)


def robust(measure: str) -> Bed:
    """Robust 2003."""
    runs = [order_run(read_run(file).frame) for file in robust_runs()]
    return bed_of(pack_rankings(runs, read_qrels(robust_qrels()).frame), robust_runs(), measure)


class Decided:
    """What the first draws of one order decide, from what a model said of every document, (documents), if any did."""

    def __init__(self, bed: Bed, seed: int, said: FloatArray | None = None) -> None:
        order = bed.drawing.with_seed(seed).sequence
        order = order[bed.drawing.size[order] > 0]
        self.truth, self.weight, self.size = bed.truth, bed.weight[:, order], bed.drawing.size[order]
        self.model = np.zeros(len(order)) if said is None else said[order]
        self.gain = bed.gain[order] - self.model
        self.known: dict[int, tuple[float, int]] = {}
        self.left = self.size[::-1].cumsum()[::-1]
        self.worst = float((np.ptp(self.weight, axis=0) / self.size).max())

    def after(self, number: int) -> tuple[float, int]:
        """The share of the pairs that are decided after a number of draws, and how many decisions are wrong."""
        if number not in self.known:
            self.known[number] = self._after(number)
        return self.known[number]

    def _after(self, number: int) -> tuple[float, int]:
        found = evidence(
            self.weight[:, :number],
            self.gain[:number],
            self.size[:number],
            self.left[:number],
            known=self.weight @ self.model,
            worst=self.worst,
        ).decided(ALPHA)
        above = np.triu_indices(len(self.weight), 1)
        return float((found | found.T)[above].mean()), int((found & (self.truth < -1e-9)).sum())

    def needed(self, share: float) -> float:
        """After how many draws so many pairs are decided, to STEP; what is decided stays so."""
        numbers = range(STEP, len(self.size), STEP)
        place = bisect_left(numbers, share, key=lambda number: self.after(number)[0])
        return numbers[place] if place < len(numbers) else np.inf


def simulated(gain: FloatArray, hits: float, alarms: float, seed: int) -> FloatArray:
    """What a judge says of documents with these gains."""
    rng = np.random.default_rng(seed)
    return (rng.random(len(gain)) < np.where(gain > 0, hits, alarms)).astype(np.float64)


def agreement() -> tuple[Bed, FloatArray]:
    """The real labels: runs that are simulated, and what the model says of each document of the order."""
    folder, rng = data_folder() / "agreement", np.random.default_rng(25)
    people, model = (
        read_qrels(folder / f"qrels.rag25.test{name}.txt").frame.sort("topic_id", "document_id")
        for name in ("", "-umbrela2")
    )
    grade = people["grade"].to_numpy().astype(np.float64)
    runs = [
        order_run(people.select("topic_id", "document_id").with_columns(pl.Series("score", grade + noise)))
        for noise in (rng.normal(0, spread, len(grade)) for spread in np.linspace(0.8, 3.0, 12))
    ]
    bed = bed_of(pack_rankings(runs, people), [f"simulated{at}" for at in range(12)], "RBP(p=0.8)", 3)
    says = {
        (topic, document): label >= 3
        for topic, document, label in model.select("topic_id", "document_id", "grade").iter_rows()
    }
    return bed, np.array([says[pair] for pair in bed.drawing.ids], np.float64)


def rows(orders: int) -> Iterator[tuple[str, ...]]:
    """The table: labels, measure, draws for each share, and wrong decisions of all pairs."""
    for measure in ("RBP(p=0.8)", "P@10"):
        bed = robust(measure)
        for name, judge in JUDGES.items():
            said = [None if judge is None else simulated(bed.gain, *judge, seed) for seed in range(orders)]
            yield "Robust 2003", measure, name, *figures([Decided(bed, *each) for each in enumerate(said)])
    bed, model = agreement()
    for name, labels in (("none", None), ("UMBRELA", model)):
        found = [Decided(bed, seed, labels) for seed in range(orders)]
        yield "RAG 2025, simulated runs", "RBP(p=0.8)", name, *figures(found)


def figures(found: Sequence[Decided]) -> tuple[str, ...]:
    """The median of draws for each share, and how many decisions are wrong when the last share is reached."""
    draws = [np.array([each.needed(share) for each in found]) for share in SHARES]
    last = [int(min(each, len(one.size))) for one, each in zip(found, draws[-1], strict=True)]
    wrong = sum(one.after(number)[1] for one, number in zip(found, last, strict=True))
    runs = len(found[0].weight)
    pairs = len(found) * runs * (runs - 1) // 2
    return (
        *("–" if np.isinf(np.median(each)) else f"{np.median(each):,.0f}" for each in draws),
        f"{wrong} of {pairs:,}",
    )


def main(orders: int) -> None:
    """Print the table."""
    print(machine())
    print("| collection | measure | model | 50 % | 75 % | 90 % | wrong |\n|---|---|---|---|---|---|---|")
    for row in rows(orders):
        print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else ORDERS)
