"""Measures of support: do the documents that an answer cites say what its sentences say? They are 0 without any.

Each is a function of the citations of many answers that gives one value per answer, and one decorator line for each
name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.core.ranking import FloatArray, IntArray
from workbench.core.registry import Entry, Registry

MOST_CITATIONS = 3
"""So many citations of a sentence are judged by TREC RAG and BioGen."""

CONTRADICTING = "contradicting_"
"""How names of measures begin that are of the documents cited as contradicting a sentence."""
OF_CONTRADICTING = ("strict_sentence_precision", "strict_recall")
"""The measures that there are of these, by BioGen's task A."""


class CitedSentence(NamedTuple):
    """A sentence with its citations that count, the most important first.

    Attributes:
        words: how many words it has.
        worth: of each citation 1 for full support, 0.5 for partial support, else 0.
        contradicts: of each citation whether the document contradicts the sentence.
    """

    words: int
    worth: tuple[float, ...] = ()
    contradicts: tuple[bool, ...] = ()


class Cited(NamedTuple):
    """The S sentences of A answers and their C citations that count, one after another.

    Attributes:
        words: int64 (A), how many words each answer has.
        answer: int64 (S), ascending, the answer that a sentence is of.
        sentence: int64 (C), ascending, the sentence that a citation is of; the most important one is the first.
        worth: float64 (C), 1 for full support, 0.5 for partial support, else 0.
        contradicts: bool (C), whether the document contradicts the sentence.
    """

    words: IntArray
    answer: IntArray
    sentence: IntArray
    worth: FloatArray
    contradicts: NDArray[np.bool_]


def packed(answers: Iterable[Sequence[CitedSentence]]) -> Cited:
    """Answers as sequences of sentences."""
    each = list(answers)
    sentences = [sentence for answer in each for sentence in answer]
    of_sentence = [len(sentence.worth) for sentence in sentences]
    return Cited(
        np.array([sum(sentence.words for sentence in answer) for answer in each], np.int64),
        np.repeat(np.arange(len(each)), [len(answer) for answer in each]),
        np.repeat(np.arange(len(sentences)), np.array(of_sentence, np.int64)),
        np.array([worth for sentence in sentences for worth in sentence.worth], np.float64),
        np.array([against for sentence in sentences for against in sentence.contradicts], np.bool_),
    )


@dataclass(frozen=True, eq=False)
class SupportMeasure(Entry):
    """A measure; `given` are the parameters that its name stands for, `judged` whether it needs judgments."""

    given: Mapping[str, Any] = field(default_factory=dict)
    judged: bool = True

    def of(self, cited: Cited) -> FloatArray:
        """Its value of each answer, float64 (A)."""
        found: FloatArray = self.function(cited, **self.given)
        return found


SUPPORT_MEASURES: Registry[SupportMeasure] = Registry(
    "measure of support", "measures of support", SupportMeasure
)
measure = SUPPORT_MEASURES.register


def _mean(group: IntArray, values: FloatArray | NDArray[np.bool_], groups: int) -> FloatArray:
    """The mean of the values of each group, float64 (groups); 0 of one that has none."""
    order = np.argsort(values)  # the smallest first, so that the order of sentences changes no digit
    counts, sums = np.bincount(group, minlength=groups), np.bincount(group[order], values[order], groups)
    return np.divide(sums, counts, out=np.zeros(groups), where=counts > 0)


def _first(sentence: IntArray, values: FloatArray, sentences: int) -> FloatArray:
    found, places = np.zeros(sentences), np.flatnonzero(np.diff(sentence, prepend=-1))
    found[sentence[places]] = values[places]
    return found


def _maximum(sentence: IntArray, values: FloatArray, sentences: int) -> FloatArray:
    found = np.zeros(sentences)
    np.maximum.at(found, sentence, values)
    return found


WEIGHTED, STRICT, RELAXED = {"value": np.positive}, {"value": np.floor}, {"value": np.ceil}
"""What partial support counts: half, nothing, as much as full support."""

FIRST, MAXIMUM, MEAN = {"rule": _first}, {"rule": _maximum}, {"rule": _mean}
"""What several citations of a sentence count together: the first, the best, or their mean."""

Value = Callable[[FloatArray], FloatArray]
Rule = Callable[[IntArray, FloatArray, int], FloatArray]


@measure("relaxed_precision", given=RELAXED)
@measure("strict_precision", given=STRICT)
@measure("weighted_precision", given=WEIGHTED)
def precision(cited: Cited, *, value: Value) -> FloatArray:
    """How far the citations support their sentences; partial support counts half (weighted), nothing (strict) or 1.

    Formula: sum of what the citations count / citations

    Source: weighted: Thakur et al., arXiv 2504.15205 (TREC RAG 2024), and vectara/open-rag-eval at 0320283,
    citation_metric.py, for the first citation of each sentence (that program counts a document once, and its later
    versions average over documents first). strict: the citation support rate of BioGen 2024, deepaknlp/MedAESQA,
    src/medaesqa_eval.py.
    """
    return _mean(cited.answer[cited.sentence], value(cited.worth), len(cited.words))


@measure("relaxed_sentence_precision", given=RELAXED | MEAN)
@measure("strict_sentence_precision", given=STRICT | MEAN)
@measure("relaxed_recall", given=RELAXED | MAXIMUM)
@measure("strict_recall", given=STRICT | MAXIMUM)
@measure("weighted_recall_mean", given=WEIGHTED | MEAN)
@measure("weighted_recall_maximum", given=WEIGHTED | MAXIMUM)
@measure("weighted_recall_first", given=WEIGHTED | FIRST)
def recall(cited: Cited, *, value: Value, rule: Rule) -> FloatArray:
    """How far the sentences are supported; of several citations the first, the best or their mean counts.

    Formula: sum over sentences of the first, largest or mean value of their citations / sentences

    A sentence without citation counts 0, partial support as in precision. strict_recall and relaxed_recall are the
    shares of sentences with a supporting citation; in sentence_precision the mean of a sentence's citations counts.

    Source: as weighted_precision, where each sentence has one judged citation. strict_recall: the citation coverage of
    BioGen 2024, and the soft recall of BioGen 2025, task A, whose script (evaluate_runs) has sentence_precision too; it
    leaves out pairs without a judgment.
    """
    held = rule(cited.sentence, value(cited.worth), len(cited.answer))
    return _mean(cited.answer, held, len(cited.words))


@measure("contradicted_share")
def contradicted_share(cited: Cited) -> FloatArray:
    """Share of the citations whose document contradicts the sentence.

    Formula: contradicting citations / citations

    Source: as strict_precision; the citation contradict rate of BioGen 2024.
    """
    return _mean(cited.answer[cited.sentence], cited.contradicts, len(cited.words))


@measure("cited_share", judged=False)
def cited_share(cited: Cited) -> FloatArray:
    """Share of the sentences that cite a document.

    Formula: sentences with a citation / sentences

    Source: own; nothing is judged for it.
    """
    return _mean(cited.answer, np.bincount(cited.sentence, minlength=len(cited.answer)) > 0, len(cited.words))


@measure("words", judged=False)
def words(cited: Cited) -> FloatArray:
    """Length in words, split at blanks.

    Formula: sum of the sentences' words

    Source: the validators of TREC RAG and BioGen, which limit it.
    """
    return cited.words.astype(np.float64)
