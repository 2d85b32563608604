"""Measures of the retrieved documents as a set, without regard to their order.

Of the N documents of a collection, TP are retrieved and relevant, FP retrieved only, FN relevant only, TN neither:
precision is TP / (TP + FP), recall TP / (TP + FN), accuracy (TP + TN) / N. Three slips occur in textbooks:
precision and recall swapped, recall as TP / (TP + TN), and accuracy with TP + FN above the line.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from workbench.core.errors import WorkbenchError
from workbench.core.ranking import IntArray
from workbench.methods.measures.judged import FloatArray, JudgedRankings, ratio
from workbench.methods.measures.parameters import (
    Alpha,
    Beta,
    BetaSquared,
    Collection,
    Rel,
    Relative,
    Value,
    Worth,
)
from workbench.methods.measures.reference_names import TrecEvalName
from workbench.methods.measures.registry import measure


@measure("SetP", trec_eval="set_P", end_counts=True)
def set_precision(judged: JudgedRankings, *, rel: Rel = 1, relative: Relative = False) -> FloatArray:
    """Share of relevant documents among all that were retrieved.

    Formula: H_n / n = TP / (TP + FP); with relative=true H_n / min(n, R)

    0 where nothing was retrieved. With relative=true it is SetRelP. Where a textbook has TP / (TP + FN), it has
    swapped precision and recall.

    Source: m_set_P.c of trec_eval.
    """
    if relative:
        return relative_set_precision(judged, rel=rel)
    return ratio(judged.num_found(rel), judged.num_ret)


@measure("SetRelP", trec_eval="set_relative_P", end_counts=True)
def relative_set_precision(judged: JudgedRankings, *, rel: Rel = 1) -> FloatArray:
    """Set precision divided by the highest that as many documents could have.

    Formula: H_n / min(n, R)

    0 where nothing was retrieved or nothing is relevant.

    Source: m_set_rel_P.c of trec_eval.
    """
    return ratio(judged.num_found(rel), np.minimum(judged.num_ret, judged.num_rel(rel)))


@measure("SetR", trec_eval="set_recall")
def set_recall(judged: JudgedRankings, *, rel: Rel = 1) -> FloatArray:
    """Share of the topic's relevant documents that were retrieved.

    Formula: H_n / R = TP / (TP + FN)

    The sensitivity and hit rate of other fields, and the value of SetTPR. 0 for a topic without relevant documents.
    TP / (TP + TN), as some textbooks print it, is a slip; so is TP / (TP + FP), which is precision.

    Source: m_set_recall.c of trec_eval.
    """
    return ratio(judged.num_found(rel), judged.num_rel(rel))


@measure("SetMeanPR", end_counts=True)
def mean_of_precision_and_recall(judged: JudgedRankings, *, rel: Rel = 1) -> FloatArray:
    """Arithmetic mean of set precision and set recall.

    Formula: (H_n / n + H_n / R) / 2

    Retrieving the whole collection gives at least 0.5 by it: F, the harmonic mean, does not have this flaw.

    Source: van Rijsbergen, Information Retrieval, 2nd edition, 1979, chapter 7, where F is preferred to it.
    """
    return (set_precision(judged, rel=rel) + set_recall(judged, rel=rel)) / 2.0


def _numbers(text: str) -> list[float]:
    """The numbers between commas; ValueError with a reason if one is none."""
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise ValueError(f"{text!r} is not a list of numbers such as 1,-1,0,0") from None


# Of the text after the dot in `set_F.2` the reference program heeds the first number only.
@measure(
    "SetF",
    trec_eval=TrecEvalName("set_F", reads=lambda text: {"beta_squared": _numbers(text)[0]}),
    end_counts=True,
)
def set_f(
    judged: JudgedRankings,
    *,
    rel: Rel = 1,
    beta: Beta = 1.0,
    beta_squared: BetaSquared | None = None,
    alpha: Alpha | None = None,
) -> FloatArray:
    """Weighted harmonic mean of set precision and set recall.

    Formula: F = (beta^2 + 1) p r / (beta^2 p + r) = 1 / (alpha / p + (1 - alpha) / r)
    with p = H_n / n, r = H_n / R and alpha = 1 / (beta^2 + 1)

    Give at most one of beta, beta_squared and alpha. The number after `set_F.` in the reference program is
    beta_squared, and so is what ir-measures calls beta. 0 where nothing relevant was retrieved.

    Source: m_set_F.c of trec_eval; after van Rijsbergen, Information Retrieval, 2nd edition, 1979, chapter 7.
    """
    found = judged.num_found(rel)
    share, recall = ratio(found, judged.num_ret), ratio(found, judged.num_rel(rel))
    if alpha is not None:
        return ratio(share * recall, alpha * recall + (1.0 - alpha) * share)
    square = beta * beta if beta_squared is None else beta_squared
    return ratio((square + 1.0) * share * recall, square * share + recall)


@measure("SetE", end_counts=True, best="lowest")
def set_e(
    judged: JudgedRankings,
    *,
    rel: Rel = 1,
    beta: Beta = 1.0,
    beta_squared: BetaSquared | None = None,
    alpha: Alpha | None = None,
) -> FloatArray:
    """1 - F, so lower is better; parameters are those of SetF.

    Formula: 1 - F

    1 where nothing relevant was retrieved, for an empty ranking as well.

    Source: van Rijsbergen, Information Retrieval, 2nd edition, 1979, chapter 7.
    """
    return 1.0 - set_f(judged, rel=rel, beta=beta, beta_squared=beta_squared, alpha=alpha)


@measure("SetAP", trec_eval="set_map", end_counts=True)
def set_average_precision(judged: JudgedRankings, *, rel: Rel = 1) -> FloatArray:
    """Set precision times set recall: AP if every relevant document had the precision of the whole set.

    Formula: (H_n / n) * (H_n / R)

    Source: m_set_map.c of trec_eval.
    """
    found = judged.num_found(rel)
    return ratio(found * found, judged.num_ret.astype(np.float64) * judged.num_rel(rel))


@measure("SetAccuracy", aliases=("Accuracy",), end_counts=True)
def set_accuracy(judged: JudgedRankings, *, collection: Collection, rel: Rel = 1) -> FloatArray:
    """Share of the collection that is rightly retrieved or rightly left out.

    Formula: (TP + TN) / N, with TP = H_n and TN = N - (n + R - H_n)

    Nearly everything is rightly left out of any ranking, so nearly every ranking is near 1, the empty one too.
    (TP + FN) / N, as a textbook prints it, is a slip: the FN are wrongly left out. What ir-measures calls Accuracy
    is another thing: the share of pairs of retrieved documents in right order.

    Source: Manning, Raghavan and Schütze, Introduction to Information Retrieval, 2008, section 8.3.
    """
    found = judged.num_found(rel)
    rightly_left = collection - num_known(judged, rel, collection)
    return (found + rightly_left) / collection


@measure("SetTPR", aliases=("TPR",))
def true_positive_rate(judged: JudgedRankings, *, collection: Collection, rel: Rel = 1) -> FloatArray:
    """Share of the topic's relevant documents that were retrieved, to show beside SetFPR.

    Formula: TP / (TP + FN) = H_n / R

    The value is that of SetR, which asks for no collection size. Here it is asked for, so that both rates of a
    topic speak of the same four counts, checked against it. 0 for a topic without relevant documents.

    Source: Fawcett, Pattern Recognition Letters 27(8), 2006.
    """
    num_known(judged, rel, collection)
    return set_recall(judged, rel=rel)


@measure("SetFPR", aliases=("FPR", "Fallout"), end_counts=True, best="lowest")
def false_positive_rate(judged: JudgedRankings, *, collection: Collection, rel: Rel = 1) -> FloatArray:
    """Share of the collection's non-relevant documents that were retrieved (fallout); lower is better.

    Formula: FP / (FP + TN) = (n - H_n) / (N - R)

    0 where everything is relevant.

    Source: van Rijsbergen, Information Retrieval, 2nd edition, 1979, chapter 7 (fallout).
    """
    num_known(judged, rel, collection)
    return ratio(judged.num_ret - judged.num_found(rel), collection - judged.num_rel(rel))


def _reads_worths(text: str) -> Mapping[str, Value]:
    """What the reference program means by the text after the dot in `utility.1,-1,0,0`."""
    worths = _numbers(text)
    if len(worths) != 4:
        raise ValueError("utility takes four numbers, as in utility.1,-1,0,0")
    return dict(zip("abcd", worths, strict=True))


@measure(
    "Utility",
    trec_eval=TrecEvalName("utility", reads=_reads_worths),
    lowest=None,
    highest=None,
    end_counts=True,
)
def utility(
    judged: JudgedRankings,
    *,
    rel: Rel = 1,
    a: Worth = 1.0,
    b: Worth = -1.0,
    c: Worth = 0.0,
    d: Worth = 0.0,
    collection: Collection | None = None,
) -> FloatArray:
    """Sum of what each document is worth: retrieved or not, relevant or not.

    Formula: a TP + b FP + c FN + d TN
    with TP = H_n, FP = n - H_n, FN = R - H_n and TN = N - (n + R - H_n)

    As in the reference program N is 0 where no collection size is given: with d other than 0, give one.

    Source: m_utility.c of trec_eval.
    """
    found = judged.num_found(rel)
    num_ret, num_rel = judged.num_ret, judged.num_rel(rel)
    left = (collection or 0) + found - num_ret - num_rel
    worth: FloatArray = a * found + b * (num_ret - found) + c * (num_rel - found) + d * left
    return worth


def num_known(judged: JudgedRankings, rel: int, collection: int) -> IntArray:
    """How many documents of each row are retrieved or relevant, or both, int64 (R).

    WorkbenchError where these are more than the collection is said to have.
    """
    known: IntArray = judged.num_ret + judged.num_rel(rel) - judged.num_found(rel)
    most = int(known.max(initial=0))
    if most > collection:
        raise WorkbenchError(
            f"a collection of {collection} documents is too small: for one topic {most} are retrieved or "
            "relevant; give the size of the whole collection"
        )
    return known
