"""What a pool names one by one: pairs and runs read from files, and the pairs that no run has.

A strategy with `listed` has pairs whether or not a run has them. The ones that runs have are chosen like all others;
here are the rest, which are in the pool with best rank 0 and 0 runs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import CampaignError, InputError, Problem
from workbench.core.ranking import IntArray, Names
from workbench.core.records import Pooled
from workbench.core.wording import listed
from workbench.formats.pair_lists import read_pairs
from workbench.formats.run_tables import read_run_table
from workbench.formats.text.content import load
from workbench.methods.pooling import Strategy
from workbench.methods.pooling.run_choice import write_of_run
from workbench.methods.pooling.strategies.listed import write_pair
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import pools, runs, topic_withdrawals
from workbench.storage.campaign.grades import judgments

Pair = tuple[str, str]


class PairsOfFile(NamedTuple):
    """The pairs of a file as the strategy `list` takes them, and what is odd about them."""

    pairs: list[str]
    warnings: tuple[Problem, ...]


def pairs_of_file(campaign: Campaign, path: str | Path) -> PairsOfFile:
    """Read a list of pairs for this campaign; `-` is standard input.

    Raises:
        InputError: the file cannot be read, or names topics that are not there; with line, value and way out.
    """
    from workbench.campaign.ingest.naming import unknown_documents, unknown_topics

    file = read_pairs(path)
    if problems := list(
        unknown_topics(file, topic_withdrawals.taking_part(campaign), "take their lines out of the list")
    ):
        raise InputError(problems)
    strange = unknown_documents(campaign, file, "they cannot be judged before a source with them is added")
    pairs = [write_pair(*row) for row in file.frame.iter_rows()]
    return PairsOfFile(pairs, (*file.warnings, *strange))


def pairs_without_runs(
    strategy: Strategy, parameters: Mapping[str, Any], chosen: Iterable[Pair], topic_ids: Collection[str]
) -> list[Pooled]:
    """The listed pairs that are not `chosen` from runs, in byte order; CampaignError for an unknown topic."""
    if strategy.listed is None:
        return []
    pairs = strategy.listed(**parameters)
    if unknown := sorted({pair.topic_id for pair in pairs}.difference(topic_ids)):
        raise CampaignError(
            f"the list names topics that are not in the campaign: {listed(unknown)}; "
            "add these topics first, or take their pairs out of the list"
        )
    of_runs = set(chosen)
    return sorted(pair for pair in pairs if pair[:2] not in of_runs)


class ListedCounts(NamedTuple):
    """Pairs of each topic that no run has: all, those not pooled, judged, judged but not pooled; int64 (T,)."""

    pairs: IntArray
    new: IntArray
    judged: IntArray
    new_judged: IntArray


def listed_counts(campaign: Campaign, pairs: Sequence[Pooled], topic_ids: Sequence[str]) -> ListedCounts:
    """Count such pairs as of now; T topics."""
    wanted = {pair[:2] for pair in pairs}
    new = wanted.difference(pools.all_pairs(campaign)) if wanted else wanted
    judged = wanted.intersection(judgments.judged_pairs(campaign)) if wanted else wanted
    counts = (Counter(topic_id for topic_id, _ in found) for found in (wanted, new, judged, new & judged))
    return ListedCounts(*(np.array([each[topic] for topic in topic_ids], np.int64) for each in counts))


def pairs_of_cells(chosen: NDArray[np.bool_], starts: IntArray, names: Names) -> list[Pair]:
    """The ids of the chosen cells, bool (cells,); `starts` are the first cells of the topics, int64 (T + 1)."""
    cells = np.flatnonzero(chosen)
    topic = np.searchsorted(starts, cells, side="right") - 1
    numbers = (cells - starts[topic]).tolist()
    topic_ids = [names.topic_ids[each] for each in topic.tolist()]
    return [
        (topic_id, names.document_ids[topic_id][number])
        for topic_id, number in zip(topic_ids, numbers, strict=True)
    ]


def runs_of_file(campaign: Campaign, path: str | Path) -> tuple[dict[str, list[str]], tuple[Problem, ...]]:
    """Parameters of the strategy from a table of runs (`-`: standard input), and what is odd about it.

    Lines of withdrawn runs are left out with a warning.

    Raises:
        InputError: the file cannot be read, or names runs that are not there; with line, value and way out.
    """
    content = load(path)
    known = {run.record.tag: run.withdrawn is None for run in runs.all_runs(campaign)}
    table = read_run_table(content)
    there = listed(list(known), 25) or "none"
    if problems := [
        Problem(
            content.file,
            row.line,
            f"no run of the campaign is called {row.tag!r}; the runs are {there}: correct the line",
        )
        for row in table
        if row.tag not in known
    ]:
        raise InputError(problems)
    taken = [row for row in table if known[row.tag]]
    found = {
        "run_depths": [write_of_run(row.tag, row.depth) for row in taken if row.depth is not None],
        "priorities": [write_of_run(row.tag, row.priority) for row in taken if row.priority is not None],
    }
    warnings = tuple(
        Problem(content.file, row.line, f"run {row.tag} is withdrawn, so its line is skipped")
        for row in table
        if not known[row.tag]
    )
    return {name: values for name, values in found.items() if values}, warnings
