"""What bounds and decisions say, as sentences."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from workbench.analysis.trust.certain_pairs import CertainPairs, PairState
from workbench.analysis.trust.decisions import Decisions
from workbench.analysis.trust.found import TopicFound
from workbench.campaign.pools.refusals import OF_SIZE
from workbench.core.wording import counted, listed
from workbench.methods.bounds.pairs import SMALLEST
from workbench.storage.campaign.collection import pools


def certain_sentence(found: CertainPairs) -> str:
    """How many pairs are certain, by which measure."""
    numbers = {state: found.number(state) for state in ("certain", "tied for certain", "open")}
    pairs = sum(numbers.values())
    if not pairs:
        return "There are fewer than two runs to compare."
    tied = numbers["tied for certain"]
    also = f", {tied:,} tied for certain" if tied else ""
    return f"{numbers['certain']:,} of {counted(pairs, 'pair')} of runs certain{also} by {found.measure}."


def what_can_become(found: CertainPairs, row: PairState) -> str:
    """What can become of a pair, in a word or three."""
    if row.state != "open":
        return row.state
    if not found.exact:
        return "open"
    return "can swap" if row.lower < -SMALLEST and row.upper > SMALLEST else "can become level"


def notes_on_certain(found: CertainPairs) -> list[str]:
    """What holds for these bounds."""
    notes = [
        f"Bounds of the difference of means over {counted(found.n_topics, 'topic')}, whatever the "
        f"{counted(found.n_waiting, 'pooled pair')} without a grade turn out to be; as of log row {found.head.seq:,}."
    ]
    if not found.exact:
        notes.append(
            f"The bounds of {found.measure.name} are outer bounds: a pair that is certain is so, and one that is open "
            "may be certain too."
        )
    if found.left_out:
        notes.append(
            f"Left out, since comparing all runs would take too long: {counted(len(found.left_out), 'run')} of lower "
            "means. Name runs to compare these."
        )
    return notes


def decided_sentence(found: Decisions) -> str:
    """How many pairs are known, and how."""
    certain, decided = found.number("certain", "tied for certain"), found.number("decided")
    together, in_list = sum(pair.together for pair in found.pairs), sum(pair.in_list for pair in found.pairs)
    risk = f"a risk of {found.alpha:g}"
    return (
        f"{certain + decided:,} of {counted(len(found.pairs), 'pair')} of runs known by {found.measure}: "
        f"{certain:,} for certain, {decided:,} decided at {risk} each. At {risk} for all together {together:,} are "
        f"known; {in_list:,} make a list of which on average at most {100 * found.alpha:g} % are wrong."
    )


def notes_on_decided(found: Decisions, name: str) -> list[str]:
    """What holds for these decisions; `name` is the campaign’s in commands."""
    pools = f"pool{'s' * (len(found.pools) > 1)} {listed([str(each) for each in found.pools])}"
    said = [
        f"{found.drawn:,} of {counted(found.documents, 'document')} of the order of {pools} are judged, as of log row "
        f"{found.seq:,}. What is known is what all of them judged would show, on {counted(found.topics, 'topic')} "
        "and by these assessors, whenever you look. Whether other topics would show the same is a question of "
        f"significance: workbench analyse compare {name} --all."
    ]
    said += gap(found)
    if found.order.judge:
        said.append(from_a_judge(found))
    if found.other_orders:
        said.append(_of_other_orders(found.other_orders))
    if found.elsewhere:
        said.append(of_other_pools(found))
    if found.left_out:
        said.append(
            "Left out, since evidence for all pairs would take too long: "
            f"{counted(len(found.left_out), 'run')} of lower scores. Their pairs are allowed for in what holds for all "
            "pairs together."
        )
    return said


def from_a_judge(found: Decisions) -> str:
    """That decisions start from a judge's labels, and which of these do not count."""
    late = counted(len(found.order.left_out), "label")
    judge = found.order.judge
    left = f" {late} of it came after people had begun, and {'is' if late == '1 label' else 'are'} left out."
    return (
        f"Decisions start from the labels of {judge}; the risk is the same however wrong they are."
        f"{left if found.order.left_out else ''}"
    )


def gap(found: Decisions) -> list[str]:
    """Where the order has a gap, what it does."""
    if not found.order.gap:
        return []
    topic_id, document_id = found.order.gap[0]
    behind = counted(found.judged - found.drawn, "judged document")
    return [
        f"{behind} behind document {document_id} of topic {topic_id} do not count yet: it is the first of the order "
        "that waits."
    ]


def not_drawn(found: Decisions) -> str:
    """What bounds leave out that decisions allow for."""
    left = counted(found.documents - found.pooled, "document")
    return f"These bounds are about what is pooled: here {left} of the order, not drawn yet, count as not relevant."


def of_other_pools(found: Decisions) -> str:
    """That some pairs are not of the order."""
    verb = "is" if found.elsewhere == 1 else "are"
    return f"{counted(found.elsewhere, 'pair')} of other pools {verb} not of this order, and left out."


def _of_other_orders(numbers: Sequence[int]) -> str:
    named = listed([str(each) for each in numbers])
    were = f"Pool {named} was" if len(numbers) == 1 else f"Pools {named} were"
    return (
        f"{were} drawn in another order, which decides nothing here. Each order has its own risk: who also counts what "
        "another one decided is wrong with at most the sum of their risks."
    )


def next_draws(found: Decisions, name: str) -> str:
    """How to go on in the order, and what that is likely to show; "" where all of it is judged."""
    if found.pooled > found.drawn:
        return f"{counted(found.pooled - found.drawn, 'pooled document')} of the order can be judged now."
    left = found.documents - found.drawn
    if not left:
        return ""
    more = min(found.drawn, left)
    likely = (
        f"After {more:,} more about {found.likely:,} pairs are known, if the rest is like what was drawn. "
        if more
        else ""
    )
    return f"{likely}To go on: {_command(found.order.series.record, name, found.drawn + max(more, 1))}"


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
        f" {counted(waiting, 'topic')} with drawn documents to judge {has} no limit yet." if waiting else ""
    )
    if not known:
        return f"In no topic are all drawn documents judged.{rest}"
    nearly = sum(each.recall is not None and each.recall >= 0.9 for each in known)
    return (
        f"In {nearly:,} of {counted(len(known), 'topic')} at least 90 % of the pool’s relevant documents are found. "
        f"Each topic’s limit is wrong with a risk of {alpha:g}, provided that it is looked at once, at the end.{rest}"
    )
