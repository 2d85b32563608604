"""Continuous active learning: the texts of judged documents say which are likely to be relevant."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np
from numpy.typing import NDArray

from workbench.core.parameters import Limits
from workbench.core.ranking import FloatArray, IntArray
from workbench.core.seed import SEED
from workbench.methods.pooling.chance import Seed, numbers
from workbench.methods.pooling.ordering import order
from workbench.methods.pooling.topic_table import Seen, TopicTable, TopicTexts

if TYPE_CHECKING:
    from scipy.sparse import csr_array

PRESUMED = 100
"""Documents that count as not relevant in each training without being judged."""

MOST_TRAINED = 2_000
"""Judged documents of a training, those judged last: its time grows with their third power."""

DIGITS = 6
"""After the point, to which scores are rounded. Training ends with errors of some 1e-12, so machines that add up in
other orders still choose the same; equal scores are put in order by document id.
"""

STEPS, NEARLY = 100, 1e-10
"""Training ends when no score changes by more than NEARLY, which takes 5 to 10 steps; after STEPS in any case."""


Among = Annotated[
    Literal["runs", "texts"],
    Limits(
        "which documents can be chosen: the candidates of the runs, or all whose texts the campaign holds (add "
        "documents --all), so that some come in that no run has"
    ),
]


@order("cal", kind="adaptive", uses_texts=True, grows=True)
def active_learning(table: TopicTable, seen: Seen, *, among: Among = "runs", seed: Seed = SEED) -> FloatArray:
    """The documents whose texts are most like those judged relevant: continuous active learning (AutoTAR).

    A logistic regression on the words is trained by all judgments so far; the topic's text counts as relevant, and 100
    random documents, of other topics where there are enough, as not relevant; with among=texts of all that are not
    judged. The likeliest documents are next, each time a tenth more than the time before. Documents without a text come
    last.

    Formula: argmin ½ (|w|² + b²) + Σ_i c_i ln(1 + exp(-y_i (w·x_i + b))) over TF-IDF vectors x_i of length 1, c_i = 1
    for what is not relevant, and for relevant documents such that both weigh the same

    Source: Cormack and Grossman, "Autonomy and Reliability of Continuous Active Learning for Technology-Assisted
    Review", 2015; its training draws pairs of both classes, in whose place they weigh the same here.
    """
    texts = table.texts
    if texts is None:
        raise ValueError("cal needs the texts of the candidates; give tables with texts")
    own = PRESUMED if among == "texts" else 0
    trained, relevant = _examples(table, texts, seen, seed, own)
    scores = np.round(_scores(trained, relevant, texts.candidates), DIGITS)
    lowest = scores.min(initial=0.0)
    found: FloatArray = np.where(texts.there, scores, lowest - table.best_rank)
    return found


def _examples(
    table: TopicTable, texts: TopicTexts, seen: Seen, seed: int, of_own: int
) -> tuple[csr_array, FloatArray]:
    """What is trained on: vectors, float64 (E, W), and 1 for each that is relevant, else 0, float64 (E).

    Of those that are presumed to be not relevant `of_own` are drawn from the candidates.
    """
    from scipy.sparse import vstack

    judged = seen.sequence[-MOST_TRAINED:]
    judged = judged[texts.there[judged]]
    step = len(seen.sequence)
    others = _some(numbers(table, seed, step, texts.others.shape[0]), PRESUMED - of_own)
    # In a campaign of few topics the rest are the topic's own, at most half of those that are open.
    open_ = np.flatnonzero(~seen.judged & texts.there)
    own = open_[_some(numbers(table, seed, step, len(open_)), min(PRESUMED - len(others), len(open_) // 2))]
    vectors = vstack(
        [texts.topic, texts.candidates[judged], texts.candidates[own], texts.others[others]], format="csr"
    )
    relevant = np.zeros(vectors.shape[0])
    relevant[0] = 1
    relevant[1 : 1 + len(judged)] = seen.relevant[judged]
    return vectors, relevant


def _some(drawn: NDArray[np.uint64], count: int) -> IntArray:
    """The places of the `count` smallest numbers, ascending."""
    return np.sort(np.argsort(drawn, kind="stable")[:count])


def _scores(trained: csr_array, relevant: FloatArray, vectors: csr_array) -> FloatArray:
    """The logarithms of the odds that documents are relevant, float64 (n); Newton's method on the dual problem.

    Source: Rasmussen and Williams, "Gaussian Processes for Machine Learning", 2006, algorithm 3.1; its
    maximum is that of a logistic regression with the kernel x·x' + 1.
    """
    from scipy.linalg import cho_factor, cho_solve
    from scipy.special import expit

    kernel = (trained @ trained.T).toarray() + 1.0
    number = relevant.sum()
    weight = (
        np.where(relevant > 0, (len(relevant) - number) / number, 1.0) if number < len(relevant) else relevant
    )
    log_odds = np.zeros(len(relevant))
    share = log_odds
    for _ in range(STEPS):
        likely = expit(log_odds)
        curve = weight * likely * (1 - likely)
        aim = curve * log_odds + weight * (relevant - likely)
        root = np.sqrt(curve)
        factor = cho_factor(np.eye(len(root)) + root[:, None] * kernel * root)
        share = aim - root * cho_solve(factor, root * (kernel @ aim))
        before, log_odds = log_odds, kernel @ share
        if np.abs(log_odds - before).max() < NEARLY:
            break
    scores: FloatArray = vectors @ (trained.T @ share) + share.sum()
    return scores
