"""The registries of pooling: strategies that choose pairs, and orders of documents with equal scores.

A strategy is one function from rankings to pairs, with one decorator line, in a module of `strategies/`. Its
keyword-only parameters are what a campaign records with the pool, and what command line and page ask for; its
docstring is its help.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from inspect import Signature, signature
from typing import Any, NamedTuple, get_type_hints

import numpy as np
from numpy.typing import NDArray

from workbench.core.parameters import listed_values
from workbench.core.ranking import IntArray, Rankings, reverse_ties
from workbench.core.records import Pooled
from workbench.core.registry import Entry, Registry
from workbench.methods.pooling.reach import NOWHERE, cell_starts


class PoolPairs(NamedTuple):
    """The pairs of a pool, by topic and document number; all arrays have shape (pairs,).

    `best_rank` counts from 1 over the rankings that were pooled, `runs` is how many of them brought the pair
    in. Pairs that are all to be judged have stratum 1 and inclusion probability 1.
    """

    topic: NDArray[np.int32]
    document: NDArray[np.uint32]
    best_rank: NDArray[np.int32]
    runs: NDArray[np.int32]
    stratum: NDArray[np.int32]
    inclusion_probability: NDArray[np.float64]

    def take(self, places: NDArray[np.bool_] | IntArray) -> PoolPairs:
        """Some of the pairs: a mask, bool (pairs,), or their places."""
        taken: Any = (values[places] for values in self)
        return PoolPairs(*taken)


StrategyFunction = Callable[..., PoolPairs]


class Wish(NamedTuple):
    """What an organiser wants of a pool: a title, a sentence about it, and the strategy to begin with."""

    title: str
    sentence: str
    usual: str


WISHES = {
    "top": Wish("Judge the top K of every run", "Any two runs can be compared down to rank K.", "depth"),
    "find": Wish("Find as many relevant documents as a budget allows", "The likeliest come first.", "rrf"),
    "estimate": Wish("Estimate the scores from a sample", "The estimates have a known precision.", "pps"),
    "decide": Wish("Decide which run is better", "Documents that separate the runs come first.", "separate"),
    "list": Wish("Judge a list of mine", "You name the pairs, whether or not a run has them.", "list"),
}
"""In the order of the page; each strategy names its wish in its decorator."""

TAKEN = frozenset({"strategy", "ties", "tags", "viewing", "viewing_seed", "residual", "on_topic"})
"""What every pool is asked for beside its strategy's parameters (see setup/pools)."""


@dataclass(frozen=True, eq=False)
class Strategy(Entry):
    """A way to choose the pairs to be judged: `function(rankings, **parameters)`.

    Attributes:
        kind: "static" where it looks at the rankings alone, "adaptive" where also at the judgments as they arrive, and
            "sampled" where it draws at random with known probabilities.
        wish: what it is for, one of WISHES.
        planned: `function(rankings, **parameters)` -> PoolPairs, where the pool becomes another than it is when it is
            made: one of the size that it will have.
        order: the function that scores a topic's candidates (see `ordering`); None where it has none.
        across: `function(topics, **own)`, from the table and what is judged of each topic to what the order's function
            gets as `Seen.across`; its scores are then of one scale for all topics. None where topics are alone.
        uses_scores: whether it needs the scores of the runs.
        uses_names: whether it needs the ids behind the numbers (`Rankings.names`); or a function of its parameters.
        uses_labels: whether it needs the labels of the judge that its parameter `judge` names (`Names.grades`).
        uses_texts: whether it needs the texts of the candidates (`TopicTable.texts`).
        grows: whether an adaptive one chooses a tenth more documents of a topic each time (`adaptive.batch_after`).
        down_to: the parameter that says how far down each ranking it looks; without one it looks at all of it.
        part: `function(rankings, **parameters)` -> Rankings, the beginnings that it looks at where some runs have
            another depth than `down_to` says, for which it uses names.
        sparse: whether parameters that are left open stay out of the record, as in pools from before there were any.
        outlook: `function(pooling, **parameters)` -> Outlook, where it knows its pools without making them, else None.
        frame: `function(rankings, **parameters)` -> Frame, for what is sampled: all candidates with their design (see
            `frames`).
        listed: `function(**parameters)` -> pairs by name, each once, as they are in the pool where no run has them; the
            pairs chosen from the rankings are among these.
        design: `function(**parameters)` -> Candidates of a sample by name, where it is known without the rankings (see
            `strategies.imported`).
    """

    function: StrategyFunction
    kind: str = "static"
    wish: str = "top"
    order: Callable[..., Any] | None = None
    across: Callable[..., Any] | None = None
    planned: StrategyFunction | None = None
    uses_scores: bool = False
    uses_names: bool | Callable[..., bool] = False
    uses_labels: bool = False
    uses_texts: bool = False
    grows: bool = False
    down_to: str | None = None
    part: Callable[..., Rankings] | None = None
    sparse: bool = False
    outlook: Callable[..., Any] | None = None
    frame: Callable[..., Any] | None = None
    listed: Callable[..., list[Pooled]] | None = None
    design: Callable[..., Any] | None = None

    def __post_init__(self) -> None:
        """ValueError when there is no such wish, or a parameter has a name that every pool uses."""
        if self.wish not in WISHES:
            raise ValueError(f"{self.name}: there is no wish {self.wish!r}; name one of {', '.join(WISHES)}")
        if taken := TAKEN.intersection(one.name for one in self.parameters):
            message = (
                f"{self.name}: every pool has {', '.join(sorted(taken))}; give the parameter another name"
            )
            raise ValueError(message)

    def check(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """As of every entry, but that a `sparse` one leaves out what is left open."""
        found = super().check(values)
        return {name: value for name, value in found.items() if value not in (None, []) or not self.sparse}

    def goes_by_names(self, parameters: Mapping[str, Any]) -> bool:
        """Whether it needs the ids behind the numbers for these parameters."""
        return self.uses_names(**parameters) if callable(self.uses_names) else self.uses_names

    def deepest(self, parameters: Mapping[str, Any], longest: int) -> int:
        """How far down it looks, at most, at rankings of which the longest has `longest` documents."""
        if self.down_to is None or (self.part is not None and self.goes_by_names(parameters)):
            return longest
        return min(longest, int(parameters[self.down_to]))

    def looks_at(self, rankings: Rankings, parameters: Mapping[str, Any]) -> Rankings:
        """The beginnings of the rankings that it looks at."""
        if self.part is not None:
            return self.part(rankings, **parameters)
        return rankings.to_depth(self.deepest(parameters, int(rankings.lengths.max(initial=0))))


STRATEGIES = Registry("pooling strategy", "strategies", Strategy, PoolPairs)
strategy = STRATEGIES.register

KINDS = ("static", "adaptive", "sampled")


def strategies_by_wish() -> dict[str, list[Strategy]]:
    """The strategies of each wish: the usual one first, then those of a kind together."""
    ordered = sorted(
        STRATEGIES.values(), key=lambda one: (one.name != WISHES[one.wish].usual, KINDS.index(one.kind))
    )
    return {wish: [one for one in ordered if one.wish == wish] for wish in WISHES}


def in_words(strategy: str, parameters: Mapping[str, Any]) -> str:
    """The parameters of a pool in a sentence; by their names for a strategy that is not known here."""
    known = STRATEGIES.get(strategy)
    return known.words(parameters) if known else listed_values(parameters)


TIES: Registry[Callable[[Rankings], Rankings]] = Registry("order of ties", "orders of ties")
TIES.register("descending")(lambda rankings: rankings)
TIES.register("ascending")(reverse_ties)
"""Orders of documents with equal scores, by document id; `descending` is the order of scoring."""


def in_the_guise_of(function: Callable[..., Any], choose: StrategyFunction) -> StrategyFunction:
    """`choose` with the docstring of a function, and the function's parameters in the place of its own `**others`."""
    choose.__doc__, choose.__qualname__ = function.__doc__, function.__qualname__
    common = [p for p in signature(choose).parameters.values() if p.kind is not p.VAR_KEYWORD]
    own = [p for p in signature(function).parameters.values() if p.kind is p.KEYWORD_ONLY]
    choose.__signature__ = Signature([*common, *own])  # type: ignore[attr-defined]
    hints = get_type_hints(function, include_extras=True)
    choose.__annotations__ = get_type_hints(choose, include_extras=True) | hints
    return choose


class Needs(NamedTuple):
    """What has to be loaded with the rankings: the scores of the runs, the ids behind the numbers, and with these the
    labels of a judge; "" for none.
    """

    with_scores: bool
    with_names: bool
    judge: str = ""


def needs(strategy: str, ties: str, parameters: Mapping[str, Any]) -> Needs:
    """What a pool of this strategy, order of ties and parameters has to look at.

    Rankings are in the order of scoring without their scores. UnknownName where there is no such strategy.
    """
    chosen = STRATEGIES.find(strategy)
    judge = parameters["judge"] if chosen.uses_labels else ""
    with_names = bool(judge) or chosen.goes_by_names(parameters)
    return Needs(chosen.uses_scores or ties != "descending", with_names, judge)


def make_pool(
    rankings: Rankings, *, strategy: str = "depth", ties: str = "descending", **parameters: Any
) -> PoolPairs:
    """The pairs that a strategy chooses from rankings in the one order, with what `needs` says.

    UnknownName where there is no such strategy, order of ties or parameter, or a parameter is missing or has a value
    that it does not take.
    """
    chosen = STRATEGIES.find(strategy)
    return chosen.function(TIES.find(ties)(rankings), **chosen.check(parameters))


def candidates(rankings: Rankings) -> PoolPairs:
    """All that rankings have: every document of every topic once, ordered by topic and document number.

    Strategies choose among them: `candidates(rankings).take(...)`.
    """
    starts = cell_starts(rankings, 1 + int(rankings.topic.max(initial=-1)))
    cell = starts[rankings.topic[rankings.entry_rows]] + rankings.document
    best = np.full(int(starts[-1]), NOWHERE, np.int32)
    np.minimum.at(best, cell, rankings.entry_ranks.astype(np.int32))
    pooled = np.flatnonzero(best < NOWHERE)
    topic = np.searchsorted(starts, pooled, side="right") - 1
    return PoolPairs(
        topic=topic.astype(np.int32),
        document=(pooled - starts[topic]).astype(np.uint32),
        best_rank=best[pooled],
        runs=np.bincount(cell, minlength=len(best))[pooled].astype(np.int32),
        stratum=np.ones(len(pooled), np.int32),
        inclusion_probability=np.ones(len(pooled)),
    )
