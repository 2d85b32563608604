"""How a judge is asked, what that would cost, and what came of it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, NamedTuple

from workbench.core.results import Column
from workbench.core.wording import counted

MILLION = 1_000_000
MOST_SHOWN = 20
"""Differences that are shown; a table has all."""


class Prices(NamedTuple):
    """What a million tokens cost, of prompts and of answers; 0 where the user gave no price."""

    prompt: float = 0.0
    answer: float = 0.0

    def cost(self, sent: int, received: int) -> float:
        """The cost of so many tokens."""
        return (sent * self.prompt + received * self.answer) / MILLION


class Run(NamedTuple):
    """How a judge is asked.

    Attributes:
        address: the endpoint; "" where all answers come from the cache.
        keys: the file of keys.
        at_once: how many requests are under way at the same time.
        seconds: how long an answer may take.
        prices: of tokens.
        most_cost, most_tokens: the budget of this run, None for none: no prompt is sent that could pass it.
        most_seconds: after which no further prompt is sent, None for any time.
    """

    address: str = ""
    keys: Path = Path("model_keys")
    at_once: int = 4
    seconds: float = 120.0
    prices: Prices = Prices()
    most_cost: float | None = None
    most_tokens: int | None = None
    most_seconds: float | None = None


class Preview(NamedTuple):
    """What a run would send, estimated.

    Attributes:
        prompts: how many have no answer yet.
        kept: how many of them are answered by the cache, for nothing.
        too_long: how many are refused, since a text is longer than the judge takes.
        cut: how many have a text that is cut.
        marked: how many have a text that seems to speak to the model.
        without_text: pooled pairs that cannot be asked about.
        prompt_tokens: of what is sent, one for 3 bytes.
        answer_tokens: the most that can come back.
        cost: of both, by the prices that were given.
    """

    prompts: Annotated[int, Column("Prompts")]
    kept: Annotated[int, Column("In the cache")]
    too_long: Annotated[int, Column("Too long")]
    cut: Annotated[int, Column("Cut")]
    marked: Annotated[int, Column("Marked")]
    without_text: Annotated[int, Column("Without a text")]
    prompt_tokens: Annotated[int, Column("Tokens sent, about")]
    answer_tokens: Annotated[int, Column("Tokens received, at most")]
    cost: Annotated[float, Column("Cost, at most")]


class Finished(NamedTuple):
    """What came of a run.

    Attributes:
        answered: answers that were stored.
        kept: how many of them came from the cache, for nothing.
        labelled: how many have a grade.
        failed: how many have none, by reason.
        cut: how many are about a text that was cut.
        marked: how many are about a text that seems to speak to the model.
        not_answered: requests without an answer, by reason; they are asked again by the next run.
        prompt_tokens: sent in this run.
        answer_tokens: received in this run.
        cost: of this run, by the prices that were given.
        left: prompts without an answer.
        ended: why the run ended before its end; "" where it did not.
        checked: answers that were stored before, compared with the cache.
        differ: a sentence for each that does not follow from the cache, and for labels that do not from answers.
    """

    answered: int
    kept: int
    labelled: int
    failed: dict[str, int]
    cut: int
    marked: int
    not_answered: dict[str, int]
    prompt_tokens: int
    answer_tokens: int
    cost: float
    left: int
    ended: str
    checked: int
    differ: tuple[str, ...]

    def sentences(self) -> list[str]:
        """The same for people."""
        said = [
            f"{counted(self.answered, 'answer')} stored, {self.kept:,} of them from the prompt cache: "
            f"{self.labelled:,} with a grade, {self.answered - self.labelled:,} unlabelled."
        ]
        if self.checked:
            found = counted(len(self.differ), "difference")
            said.append(f"{counted(self.checked, 'stored answer')} compared with the prompt cache: {found}.")
        said += [f"{each}." for each in self.differ[:MOST_SHOWN]]
        said += [f"Unlabelled, {why}: {number:,}." for why, number in self.failed.items()]
        said += [f"Not answered, {why}: {number:,}." for why, number in self.not_answered.items()]
        if self.cut:
            said.append(f"{self.cut:,} about a text that was cut.")
        if self.marked:
            said.append(
                f"{self.marked:,} about a text that seems to tell the model what to answer; look at them."
            )
        tokens = counted(self.prompt_tokens + self.answer_tokens, "token")
        said.append(f"This run took {tokens}{f' and cost {self.cost:,.4f}' if self.cost else ''}.")
        if self.ended:
            said.append(f"It ended early: {self.ended}.")
        if self.left:
            said.append(
                f"{counted(self.left, 'prompt')} left; the same command goes on, and pays for nothing twice."
            )
        return said
