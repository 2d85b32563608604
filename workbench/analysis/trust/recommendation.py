"""Can judging stop: one answer from what bounds and decisions say, which claims nothing beyond them.

Where a pool was drawn in a random order, the answer is about all documents of the order, also those that are not drawn
yet: so only decisions give it, which allow for them. Bounds of pairs are about what is pooled; without an order they
give the answer. Without a pair of runs, or anything pooled, it cannot be said.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from workbench.analysis.trust.certain_pairs import CertainPairs
from workbench.analysis.trust.decisions import Decisions
from workbench.analysis.trust.found import TopicFound
from workbench.analysis.trust.sentences import from_a_judge, gap, next_draws, of_other_pools
from workbench.core.wording import counted

Answer = Literal["yes", "yes at a risk", "not yet", "cannot be said"]


class Decided(NamedTuple):
    """What draws at random say.

    Attributes:
        decisions: about pairs; None where no pool was drawn in an order, or it says nothing.
        refused: why an order says nothing of this measure, or any more; "" otherwise.
        topics: what topics can still have; None where no part of a pool was drawn uniformly.
    """

    decisions: Decisions | None
    refused: str
    topics: tuple[TopicFound, ...] | None


class Recommendation(NamedTuple):
    """Whether judging can stop, by one measure.

    Attributes:
        seq: the row of the log that it is as of.
        measure: with all its parameters.
        alpha: the risk of each decision.
        answer: yes, yes at a risk, not yet, or that it cannot be said.
        text: the answer in a sentence or two.
        next: what to do next; empty where nothing is left.
        limits: what the answer does not say, and why.
    """

    seq: int
    measure: str
    alpha: float
    answer: Answer
    text: str
    next: str
    limits: tuple[str, ...]


class _Said(NamedTuple):
    answer: Answer
    text: str
    next: str = ""


def recommendation(certain: CertainPairs, decided: Decided, alpha: float, name: str) -> Recommendation:
    """Whether judging can stop, from its evidence; `name` is the campaign’s in commands."""
    said = _said(certain, decided, name)
    limits = () if said.answer == "cannot be said" else _limits(certain, decided, name)
    return Recommendation(certain.head.seq, str(certain.measure), alpha, *said, limits)


def _said(certain: CertainPairs, decided: Decided, name: str) -> _Said:
    runs = len(certain.tags) + len(certain.left_out)
    if runs < 2:
        why = "no run takes part" if not runs else "there is a single run, so there is no pair to compare"
        return _Said(
            "cannot be said", f"Cannot be said: {why}.", f"Add runs: workbench add runs {name} RUN..."
        )
    if not certain.n_topics:
        pool = f"Make a pool: workbench pool {name} --depth 100"
        return _Said("cannot be said", "Cannot be said: nothing is pooled or judged.", pool)
    if decided.refused:
        return _Said("cannot be said", f"Cannot be said: {decided.refused}.")
    if decided.decisions is not None:
        return _by_draws(decided.decisions, name, runs)
    pairs = len(certain.tags) * (len(certain.tags) - 1) // 2
    known = pairs - certain.number("open")
    if known == pairs and not certain.left_out:
        return _Said("yes", f"Yes: {_all_certain(certain, pairs)}")
    share = f"{_share(known, pairs)} certain by {certain.measure}"
    if not certain.n_to_judge:
        hang = (
            f"; {counted(certain.n_waiting, 'document')} judged without a grade may still change the others"
        )
        return _Said("yes", f"Yes: nothing is left to judge. {share}{hang if certain.n_waiting else ''}.")
    if not certain.n_judged:
        share = f"nothing is judged, and {share}"
    return _Said("not yet", f"Not yet: {share}.", _whole(certain))


def _by_draws(found: Decisions, name: str, runs: int) -> _Said:
    pairs, together = len(found.pairs), sum(pair.together for pair in found.pairs)
    certain, decided = found.number("certain", "tied for certain"), found.number("decided")
    how = f"{certain:,} certain, {decided:,} decided at a risk of {found.alpha:g} each"
    compared = len(found.order.tags) - len(found.left_out)
    some = f" among {compared:,} of the {runs:,} runs" if compared < runs else " of runs"
    if certain == pairs:
        return _Said("yes", f"Yes: {_all(pairs, some)} certain by {found.measure}.")
    if together == pairs:
        text = (
            f"Yes, at a risk of {found.alpha:g} for all pairs together: {_all(pairs, some)} "
            f"known by {found.measure}, {certain:,} of them certain."
        )
        return _Said("yes at a risk", text)
    if certain + decided == pairs:
        text = (
            f"Yes, if a risk of {found.alpha:g} for each pair is enough: {_all(pairs, some)} "
            f"known by {found.measure} ({how}). For all together at that risk {together:,} are."
        )
        return _Said("yes at a risk", text, next_draws(found, name))
    text = f"Not yet: {_share(certain + decided, pairs, some)} known by {found.measure} ({how})."
    return _Said("not yet", text, next_draws(found, name))


def _all_certain(certain: CertainPairs, pairs: int) -> str:
    """That every pair is certain; what is still to be judged then changes nothing about their order."""
    tied = certain.number("tied for certain")
    also = f" ({tied:,} of them tied)" if tied else ""
    text = f"{_all(pairs)} certain by {certain.measure}{also}"
    if certain.n_waiting:
        text += (
            f", whatever the {counted(certain.n_waiting, 'pooled document')} without a grade turn out to be"
        )
    return f"{text}."


def _whole(certain: CertainPairs) -> str:
    text = f"{counted(certain.n_to_judge, 'pooled document')} can be judged."
    if certain.n_to_judge == certain.n_waiting:
        text += " With a grade for each, every pair is certain, or tied for certain."
    return text


def _limits(certain: CertainPairs, decided: Decided, name: str) -> tuple[str, ...]:
    said = []
    if decided.decisions is None:
        said.append(
            "Documents that were never pooled count as not relevant, and a pool that grows can open pairs again."
        )
        if decided.topics is not None:
            said.append("A part of the pool was drawn uniformly: so do the documents that were not drawn.")
        said.append(
            "No pool was drawn in a random order, so nothing is decided at a risk about what is not judged. To draw "
            f"one: workbench pool {name} --strategy sequential-pps --depth 100 --budget 1000"
        )
    else:
        said += gap(decided.decisions)
        if decided.decisions.order.judge:
            said.append(from_a_judge(decided.decisions))
        if decided.decisions.elsewhere:
            said.append(of_other_pools(decided.decisions))
    if certain.n_topics == 1:
        said.append("With a single topic nothing can be said about other topics.")
    else:
        said.append(
            f"This is about these {certain.n_topics:,} topics and these assessors; intervals show how much "
            "other topics could change."
        )
    if certain.left_out:
        verb = "is" if len(certain.left_out) == 1 else "are"
        runs = f"{counted(len(certain.left_out), 'run')} of lower means"
        said.append(f"{runs} {verb} not compared: it would take too long.")
    return tuple(said)


def _all(pairs: int, some: str = " of runs") -> str:
    return f"the only pair{some} is" if pairs == 1 else f"all {pairs:,} pairs{some} are"


def _share(known: int, pairs: int, some: str = " of runs") -> str:
    return f"{known:,} of {counted(pairs, 'pair')}{some} {'is' if known == 1 else 'are'}"
