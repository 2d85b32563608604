"""Decisions and what is found, as sheets, as JSON and as sentences."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Any

from workbench.analysis.stopping.decisions import Decision, Decisions
from workbench.analysis.stopping.found import TopicFound
from workbench.core.wording import counted, listed
from workbench.formats.tables.sheets import Column, Sheet
from workbench.scoring.board import certainty_tables
from workbench.setup.pools.chances import OF_SIZE
from workbench.storage.campaign.collection import pools

PAIRS = (
    *certainty_tables.PAIRS,
    Column("Better", "better", "text"),
    Column("Risk", "risk", "value"),
    Column("All pairs", "together", "text"),
    Column("In the list", "in_list", "text"),
)
TOPICS = (
    Column("Topic", "topic_id", "text"),
    Column("Relevant", "found", "count"),
    Column("Drawn", "drawn", "count"),
    Column("Of", "of", "count"),
    Column("Waiting", "waiting", "count"),
    Column("Missing at most", "missing", "count"),
    Column("Recall at least", "recall", "value"),
)


def sheet_of_decisions(found: Decisions) -> Sheet:
    """One row for each pair of runs."""
    return sheet_of_pairs(found.pairs)


def sheet_of_pairs(pairs: Sequence[Decision]) -> Sheet:
    """One row for each of these."""
    words = {True: "yes", False: "no"}
    return Sheet(PAIRS, tuple((*pair[:8], words[pair.together], words[pair.in_list]) for pair in pairs))


def sheet_of_found(found: Sequence[TopicFound]) -> Sheet:
    """One row for each topic."""
    return Sheet(TOPICS, tuple((*each, each.recall) for each in found))


def content(found: Decisions | None, topics: Sequence[TopicFound] | None) -> dict[str, Any]:
    """All of it, for programs."""
    content: dict[str, Any] = {"decisions": None, "topics": None}
    if found is not None:
        drawn = found.drawn
        content["decisions"] = {
            "seq": drawn.head.seq,
            "measure": str(drawn.measure),
            "alpha": found.alpha,
            "pools": list(drawn.series.numbers),
            "other_orders": list(drawn.series.others),
            "topics": drawn.topics,
            "documents": len(drawn.pairs),
            "pooled": drawn.pooled,
            "drawn": len(drawn.gain),
            "judged": drawn.judged,
            "elsewhere": drawn.elsewhere,
            "left_out": list(found.left_out),
            "likely": found.likely,
            "history": [look._asdict() for look in found.history],
            "pairs": [pair._asdict() for pair in found.pairs],
        }
    if topics is not None:
        content["topics"] = [each._asdict() | {"recall": each.recall} for each in topics]
    return content


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
    """What holds for these decisions, and what to do next; `name` is what a command calls the campaign."""
    drawn = found.drawn
    number, several = len(drawn.gain), len(drawn.series.numbers) > 1
    pools = f"pool{'s' * several} {listed([str(each) for each in drawn.series.numbers])}"
    said = [
        f"{number:,} of {counted(len(drawn.pairs), 'document')} of the order of {pools} are judged, as of log row "
        f"{drawn.head.seq:,}. What is known is what all of them judged would show, on {counted(drawn.topics, 'topic')} "
        "and by these assessors, whenever you look. Whether other topics would show the same is a question of "
        f"significance: workbench compare {name}."
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
    words = ["workbench", "pool", name, "--strategy", record.strategy, "--depth", record.parameters["depth"]]
    words += ["--budget", budget, "--runs", ",".join(record.runs)]
    words += [] if record.ties == "descending" else ["--ties", record.ties]
    words += [] if record.residual is None else ["--residual"]
    words += [word for each in of_order for word in ("--set", each)]
    return shlex.join(map(str, words))


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
