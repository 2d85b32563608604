"""Repairs of runs that need the campaign: its topics and its documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from workbench.core.wording import counted, listed
from workbench.formats.run_repairs import Repair, Repairs
from workbench.formats.runs import RunFile
from workbench.setup.ingest.naming import likely_topics, topics_at
from workbench.setup.ingest.unknown import first_rows, unknown_values

if TYPE_CHECKING:
    import polars as pl

NAMES = {"topic_id": ("extra-topics drop", "topic"), "document_id": ("extra-documents drop", "document")}


def repaired_topics(run: RunFile, ordered: Sequence[str], repairs: Repairs) -> RunFile:
    """The run with its topics named as in the campaign, as far as the repairs do that; without others if they say so.

    `ordered` are the campaign's topics in the order of their files. A run that has no unknown topic stays as it is.
    """
    if not (repairs.topics or repairs.extra_topics):
        return run
    unknown = first_rows(run.frame, "topic_id", ordered)["topic_id"].to_list()
    if not unknown:
        return run
    if repairs.topics == "by-position":
        found = topics_at(run.frame["topic_id"].unique().to_list(), ordered)
        if found is not None:
            run = _renamed(run, found, "topics by-position")
    elif repairs.topics == "as-suggested":
        mapping = likely_topics(unknown, ordered)
        if mapping is not None and not set(mapping.topics.values()).intersection(run.frame["topic_id"]):
            run = _renamed(run, mapping.topics, "topics as-suggested")
    if not repairs.extra_topics:
        return run
    return without(run, "topic_id", unknown_values([run.frame["topic_id"]], ordered))


def _renamed(run: RunFile, names: Mapping[str, str], repair: str) -> RunFile:
    import polars as pl

    given = run.frame["topic_id"]
    renamed = given.replace(list(names), list(names.values()))
    text = next(text for text in given.unique(maintain_order=True) if names.get(text, text) != text)
    count = int((given != renamed).sum())
    how = "by their position in the campaign" if repair == "topics by-position" else "as suggested"
    topics = counted(sum(old != new for old, new in names.items()), "topic")
    message = f"{topics} in {counted(count, 'line')} renamed {how}, such as {text!r} to {names[text]!r}"
    frame = run.frame.with_columns(pl.Series("topic_id", renamed))
    return replace(run, frame=frame, repairs=(*run.repairs, Repair(repair, count, message)))


def without(run: RunFile, column: str, unknown: pl.Series) -> RunFile:
    """The run without lines whose topic or document is `unknown`."""
    kept = ~run.frame[column].is_in(unknown.implode())
    if kept.all():
        return run
    repair, what = NAMES[column]
    others = run.frame.filter(~kept)[column]
    ids = others.unique(maintain_order=True).to_list()
    message = (
        f"{counted(len(others), 'line')} left out, of {counted(len(ids), what)} that the campaign does not have: "
        f"{listed(ids)}"
    )
    layout = run.layout.keeping(kept.to_list())
    done = (*run.repairs, Repair(repair, len(others), message))
    return replace(run, frame=run.frame.filter(kept), layout=layout, repairs=done)
