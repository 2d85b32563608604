"""Rankings with labels of relevance and the answers to further questions about the same documents.

Measures of several questions look at this one thing. A document without an answer to a question is worth nothing there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from workbench.core.errors import UnknownName
from workbench.core.wording import none_such
from workbench.methods.measures.judged import JudgedRankings, Shared

QUESTIONS = "questions"
"""What such measures are of."""

NO_QUESTIONS = (
    "scores answers to further questions about the documents beside their relevance, and these judgments answer one "
    "question alone; in a campaign that asks several (workbench campaign question) score relevance"
)


class Answered(NamedTuple):
    """The rankings with the answers to one question as labels, its smallest good grade, and its highest, at least 1."""

    judged: JudgedRankings
    relevant_from: int
    top: int


@dataclass(eq=False, repr=False)
class QuestionRankings(Shared):
    """R rows with the labels of relevance, and those of each question by its name."""

    relevance: JudgedRankings
    questions: Mapping[str, Answered]

    def __len__(self) -> int:
        return len(self.relevance)

    def of(self, question: str | None) -> list[Answered]:
        """The answers to one question, or to all; UnknownName, with the nearest names, for one that is not there."""
        if question is None:
            return list(self.questions.values())
        if question not in self.questions:
            raise UnknownName(none_such("question about documents", question, list(self.questions)))
        return [self.questions[question]]

    @property
    def condensed(self) -> QuestionRankings:
        """The same rankings without the documents that have no grade of relevance from 0 on; those below move up."""
        kept = self.relevance.label >= 0
        found = {name: each._replace(judged=each.judged.where(kept)) for name, each in self.questions.items()}
        return QuestionRankings(self.relevance.where(kept), found)
