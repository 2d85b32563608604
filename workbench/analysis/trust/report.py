"""Decisions and what is found, as programs read them, and as sentences."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Annotated, NamedTuple

from workbench.analysis.trust.decisions import Decision, Decisions, Look
from workbench.analysis.trust.found import TopicFound
from workbench.campaign.pools.chances import OF_SIZE
from workbench.core.results import AS_TEXT
from workbench.core.wording import counted, listed
from workbench.methods.measures import BoundMeasure
from workbench.storage.campaign.collection import pools


class OfOrder(NamedTuple):
    """What is decided about all pairs of runs.

    Attributes:
        seq: the row of the log that it is as of.
        measure: by which runs are compared.
        alpha: the risk of each decision that it is wrong.
        pools: those that were drawn in the order.
        other_orders: pools that were drawn in other orders, each with its own risk.
        topics: how many topics a mean is over.
        documents: all documents of the order.
        pooled: how many of the first are pooled.
        drawn: how many of the first are judged: evidence is from these.
        judged: all that are judged, those behind a gap included.
        elsewhere: pairs of other pools, which are not of the order.
        left_out: runs that are not compared, since there are too many.
        likely: how many pairs are likely to be known after as many documents again; a guess.
        history: how it came about.
        pairs: all pairs of runs.
    """

    seq: int
    measure: Annotated[BoundMeasure, AS_TEXT]
    alpha: float
    pools: tuple[int, ...]
    other_orders: tuple[int, ...]
    topics: int
    documents: int
    pooled: int
    drawn: int
    judged: int
    elsewhere: int
    left_out: tuple[str, ...]
    likely: int
    history: tuple[Look, ...]
    pairs: tuple[Decision, ...]


class Stopping(NamedTuple):
    """What judgments decide about the whole pool.

    Attributes:
        decisions: about pairs of runs; null where no pool was drawn in a random order.
        topics: what each can still have; null where no part of a pool was drawn uniformly.
    """

    decisions: OfOrder | None
    topics: tuple[TopicFound, ...] | None


def stopping(found: Decisions | None, topics: Sequence[TopicFound] | None) -> Stopping:
    """All of it, for programs."""
    return Stopping(None if found is None else _of_order(found), None if topics is None else tuple(topics))


def _of_order(found: Decisions) -> OfOrder:
    drawn = found.drawn
    return OfOrder(
        drawn.head.seq,
        drawn.measure,
        found.alpha,
        drawn.series.numbers,
        drawn.series.others,
        drawn.topics,
        documents=len(drawn.pairs),
        pooled=drawn.pooled,
        drawn=len(drawn.gain),
        judged=drawn.judged,
        elsewhere=drawn.elsewhere,
        left_out=found.left_out,
        likely=found.likely,
        history=found.history,
        pairs=found.pairs,
    )


def summary(found: Decisions) -> str:
    """How many pairs are known, and how."""
    certain, decided = found.number("certain", "tied for certain"), found.number("decided")
    together, in_list = sum(pair.together for pair in found.pairs), sum(pair.in_list for pair in found.pairs)
    risk = f"a risk of {found.alpha:g}"
    return (
        f"{certain + decided:,} of {counted(len(found.pairs), 'pair')} of runs known by {found.drawn.measure}: "
        f"{certain:,} for certain, {decided:,} decided at {risk} each. At {risk} for all together {together:,} are "
        f"known; {in_list:,} make a list of which on average at most {100 * found.alpha:g} % are wrong."
    )


def notes(found: Decisions, name: str) -> list[str]:
    """What holds for these decisions, and what to do next; `name` is the campaign’s in commands."""
    drawn = found.drawn
    number, several = len(drawn.gain), len(drawn.series.numbers) > 1
    pools = f"pool{'s' * several} {listed([str(each) for each in drawn.series.numbers])}"
    said = [
        f"{number:,} of {counted(len(drawn.pairs), 'document')} of the order of {pools} are judged, as of log row "
        f"{drawn.head.seq:,}. What is known is what all of them judged would show, on {counted(drawn.topics, 'topic')} "
        "and by these assessors, whenever you look. Whether other topics would show the same is a question of "
        f"significance: workbench compare {name} --all."
    ]
    if drawn.gap:
        topic_id, document_id = drawn.gap[0]
        said.append(
            f"{counted(drawn.judged - number, 'judged document')} behind document {document_id} of topic {topic_id} do "
            "not count yet: it is the first of the order that waits."
        )
    if found.number("open"):
        said.append(_next(found, name))
    if drawn.series.others:
        said.append(_of_other_orders(drawn.series.others))
    if drawn.elsewhere:
        said.append(
            f"{counted(drawn.elsewhere, 'pair')} of other pools {'is' if drawn.elsewhere == 1 else 'are'} not of this "
            "order, and left out."
        )
    if found.left_out:
        said.append(
            "Left out, since evidence for all pairs would take too long: "
            f"{counted(len(found.left_out), 'run')} of lower scores. Their pairs are allowed for in what holds for all "
            "pairs together."
        )
    return said


def _of_other_orders(numbers: Sequence[int]) -> str:
    named = listed([str(each) for each in numbers])
    were = f"Pool {named} was" if len(numbers) == 1 else f"Pools {named} were"
    return (
        f"{were} drawn in another order, which decides nothing here. Each order has its own risk: who also counts what "
        "another one decided is wrong with at most the sum of their risks."
    )


def _next(found: Decisions, name: str) -> str:
    drawn, whole = found.drawn, len(found.drawn.pairs)
    more = min(len(drawn.gain), whole - len(drawn.gain))
    record = drawn.series.record
    if drawn.pooled > len(drawn.gain):
        return f"{counted(drawn.pooled - len(drawn.gain), 'pooled document')} of the order can be judged now."
    budget = len(drawn.gain) + max(more, 1)
    likely = (
        f"After {more:,} more about {found.likely:,} pairs are known, if the rest is like what was drawn. "
        if more
        else ""
    )
    return f"{likely}To go on: {_command(record, name, budget)}"


def _command(record: pools.PoolRecord, name: str, budget: int) -> str:
    """What pools the first `budget` documents of the same order: the same runs, ties and parameters."""
    of_order = [
        f"{key}={value}" for key, value in record.parameters.items() if key not in (*OF_SIZE, "depth")
    ]
    words = ["--strategy", record.strategy, "--depth", record.parameters["depth"]]
    words += ["--budget", budget, "--runs", ",".join(record.runs)]
    words += [] if record.ties == "descending" else ["--ties", record.ties]
    words += [] if record.residual is None else ["--residual"]
    words += [word for each in of_order for word in ("--set", each)]
    return f"workbench pool {name} {shlex.join(map(str, words))}"


def found_summary(topics: Sequence[TopicFound], alpha: float) -> str:
    """How much can be missing, over all topics."""
    known = [each for each in topics if each.missing is not None]
    waiting = len(topics) - len(known)
    has = "has" if waiting == 1 else "have"
    rest = (
        f" {counted(waiting, 'topic')} of which drawn documents wait {has} no limit yet." if waiting else ""
    )
    if not known:
        return f"No topic has all of its drawn documents judged.{rest}"
    nearly = sum(each.recall is not None and each.recall >= 0.9 for each in known)
    return (
        f"Of {nearly:,} of {counted(len(known), 'topic')} at least 90 % of the pool’s relevant documents are found. "
        f"For each topic the limit is wrong with a risk of {alpha:g}, if it is looked at once, at the end.{rest}"
    )
