"""Measures of support: do the documents that an answer cites say what its sentences say? They are 0 without any.

Each is a function of the sentences of an answer, or of all answers of a run at once (micro), and one decorator line
for each name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil, floor, fsum
from operator import itemgetter
from typing import Any, NamedTuple

from workbench.core.registry import Entry, Registry


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


Sentences = Sequence[CitedSentence]


@dataclass(frozen=True, eq=False)
class SupportMeasure(Entry):
    """A measure; `given` are the parameters that its name stands for, `judged` whether it needs judgments."""

    given: Mapping[str, Any] = field(default_factory=dict)
    judged: bool = True

    def of(self, sentences: Sentences) -> float:
        """Its value."""
        return float(self.function(sentences, **self.given))


SUPPORT_MEASURES: Registry[SupportMeasure] = Registry(
    "measure of support", "measures of support", SupportMeasure
)
measure = SUPPORT_MEASURES.register


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return fsum(found) / len(found) if found else 0.0


WEIGHTED, STRICT, RELAXED = {"value": float}, {"value": floor}, {"value": ceil}
"""What partial support counts: half, nothing, as much as full support."""

FIRST, MAXIMUM, MEAN = {"rule": itemgetter(0)}, {"rule": max}, {"rule": _mean}
"""What several citations of a sentence count together: the first, the best, or their mean."""

Value = Callable[[float], float]
Rule = Callable[[Sequence[float]], float]


@measure("relaxed_precision", given=RELAXED)
@measure("strict_precision", given=STRICT)
@measure("weighted_precision", given=WEIGHTED)
def precision(sentences: Sentences, *, value: Value) -> float:
    """How far the citations support their sentences; partial support counts half (weighted), nothing (strict) or 1.

    Formula: sum of what the citations count / citations

    Source: weighted: Thakur et al., arXiv 2504.15205 (TREC RAG 2024), and vectara/open-rag-eval at 0320283,
    citation_metric.py, for the first citation of each sentence (that program counts a document once, and its later
    versions average over documents first). strict: the citation support rate of BioGen 2024, deepaknlp/MedAESQA,
    src/medaesqa_eval.py.
    """
    return _mean(value(worth) for sentence in sentences for worth in sentence.worth)


@measure("relaxed_sentence_precision", given=RELAXED | MEAN)
@measure("strict_sentence_precision", given=STRICT | MEAN)
@measure("relaxed_recall", given=RELAXED | MAXIMUM)
@measure("strict_recall", given=STRICT | MAXIMUM)
@measure("weighted_recall_mean", given=WEIGHTED | MEAN)
@measure("weighted_recall_maximum", given=WEIGHTED | MAXIMUM)
@measure("weighted_recall_first", given=WEIGHTED | FIRST)
def recall(sentences: Sentences, *, value: Value, rule: Rule) -> float:
    """How far the sentences are supported; of several citations the first, the best or their mean counts.

    Formula: sum over sentences of the first, largest or mean value of their citations / sentences

    A sentence without citation counts 0, partial support as in precision. strict_recall and relaxed_recall are the
    shares of sentences with a supporting citation; in sentence_precision the mean of a sentence's citations counts.

    Source: as weighted_precision, where each sentence has one judged citation. strict_recall: the citation coverage of
    BioGen 2024, and the soft recall of BioGen 2025, task A, whose script (evaluate_runs) has sentence_precision too; it
    leaves out pairs without a judgment.
    """
    return _mean(rule([*map(value, sentence.worth)]) if sentence.worth else 0.0 for sentence in sentences)


@measure("contradicted_share")
def contradicted_share(sentences: Sentences) -> float:
    """Share of the citations whose document contradicts the sentence.

    Formula: contradicting citations / citations

    Source: as strict_precision; the citation contradict rate of BioGen 2024.
    """
    return _mean(contradicts for sentence in sentences for contradicts in sentence.contradicts)


@measure("cited_share", judged=False)
def cited_share(sentences: Sentences) -> float:
    """Share of the sentences that cite a document.

    Formula: sentences with a citation / sentences

    Source: own; nothing is judged for it.
    """
    return _mean(bool(sentence.worth) for sentence in sentences)


@measure("words", judged=False)
def words(sentences: Sentences) -> float:
    """Length in words, split at blanks.

    Formula: sum of the sentences' words

    Source: the validators of TREC RAG and BioGen, which limit it.
    """
    return float(sum(sentence.words for sentence in sentences))
