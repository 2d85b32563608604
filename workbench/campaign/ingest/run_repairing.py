"""Repairs of runs and qrels that need the campaign: its topics and its documents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from workbench.campaign.ingest import naming
from workbench.core.wording import counted, listed
from workbench.formats.qrels import QrelsFile
from workbench.formats.run_repairs import Changed, Done, Repair, Repairs, left_out, without_own_documents
from workbench.formats.runs import RunFile

if TYPE_CHECKING:
    import polars as pl

File = TypeVar("File", RunFile, QrelsFile)

NAMES = {"topic_id": ("extra-topics drop", "topic"), "document_id": ("extra-documents drop", "document")}


def repaired_topics(file: File, ordered: Sequence[str], repairs: Repairs) -> File:
    """The file with its topics named as in the campaign, as far as the repairs do that; without others if they say so.

    `ordered` are the campaign's topics in the order of their files. A file that has no unknown topic stays as it is.
    """
    if repairs.topics and (names := _topic_names(file, ordered).get(repairs.topics)):
        file = _renamed(file, "topic_id", names, f"topics {repairs.topics}")
    if not repairs.extra_topics:
        return file
    return without(file, "topic_id", naming.unknown_values([file.frame["topic_id"]], ordered))


def _topic_names(file: RunFile | QrelsFile, ordered: Sequence[str]) -> dict[str, Mapping[str, str]]:
    """The new names of topics in each way that changes something in the file, and makes no two topics one."""
    ids = file.frame["topic_id"].unique(maintain_order=True).to_list()
    if not set(ids).difference(ordered):
        return {}
    suggested = naming.likely_topics(ids, ordered)
    found = {"by-position": naming.topics_at(ids, ordered), "as-suggested": suggested and suggested.names}
    return {way: names for way, names in found.items() if names}


def repaired_documents(
    file: File, strange: pl.Series, known: naming.KnownDocuments, repairs: Repairs
) -> File:
    """The file with its documents named as in the collection, where that is chosen and none becomes another one's.

    `strange` are the unknown documents of this file and maybe others, `known` those of the collection.
    """
    if not repairs.documents:
        return file
    suggested = suggested_documents(file, strange, known)
    if suggested is None:
        return file
    return _renamed(file, "document_id", suggested.names, "documents as-suggested")


def suggested_documents(
    file: RunFile | QrelsFile, strange: pl.Series, known: naming.KnownDocuments
) -> naming.Renaming | None:
    """How most unknown documents of the file would become known ones, none of which it has already."""
    ids = file.frame["document_id"].unique()
    unknown = ids.filter(ids.is_in(strange.implode())).sort().to_list()
    found = naming.likely_documents(unknown, naming.known_variants(unknown, known)) if unknown else None
    return None if found is None or ids.is_in([*found.names.values()]).any() else found


def offers(
    file: RunFile | QrelsFile,
    ordered: Sequence[str],
    strange: pl.Series | None = None,
    known: naming.KnownDocuments | None = None,
) -> Iterator[tuple[str, str]]:
    """The options that change something in a file with unknown topics or documents: the kind of finding, the option."""
    topics, kind = file.frame["topic_id"], "unknown-topic"
    yield from ((kind, f"--topics-{way}") for way in (_topic_names(file, ordered) if ordered else ()))
    if 0 < int(topics.is_in(ordered).sum()) < len(topics):
        yield kind, "--extra-topics drop"
    if strange is None or known is None:
        return
    kind, others = "unknown-document", file.frame["document_id"].is_in(strange.implode())
    if others.any() and suggested_documents(file, strange, known) is not None:
        yield kind, "--documents-as-suggested"
    if others.any() and not others.all():
        yield kind, "--extra-documents drop"


def _renamed(file: File, column: str, names: Mapping[str, str], repair: str) -> File:
    import polars as pl

    given = file.frame[column]
    renamed = given.replace(list(names), list(names.values()))
    rows = (given != renamed).arg_true()
    text = given[int(rows[0])]
    how = "by their position in the campaign" if repair == "topics by-position" else "as suggested"
    what = counted(sum(old != new for old, new in names.items()), NAMES[column][1])
    message = f"{what} in {counted(len(rows), 'line')} renamed {how}, such as {text!r} to {names[text]!r}"
    lines = [file.line_of(row) for row in rows]
    changed = Changed(repair, lines, given.gather(rows), renamed.gather(rows))
    done = (*file.done, Done(Repair(repair, len(rows), message), changed))
    return replace(file, frame=file.frame.with_columns(pl.Series(column, renamed)), done=done)


def without(file: File, column: str, unknown: pl.Series) -> File:
    """The file without lines whose topic or document is `unknown`."""
    kept = ~file.frame[column].is_in(unknown.implode())
    if kept.all():
        return file
    repair, what = NAMES[column]
    others = file.frame.filter(~kept)[column]
    ids = others.unique(maintain_order=True).to_list()
    message = (
        f"{counted(len(others), 'line')} left out, of {counted(len(ids), what)} that the campaign does not have: "
        f"{listed(ids)}"
    )
    return _keeping(file, kept, left_out(file.frame, file.layout, kept, repair, message))


def without_own(file: File, repairs: Repairs) -> File:
    """The file without lines whose document is the topic itself, where that is chosen."""
    found = without_own_documents(file.frame, file.layout) if repairs.own_documents else None
    return file if found is None else _keeping(file, *found)


def _keeping(file: File, kept: pl.Series, done: Done) -> File:
    layout = file.layout.keeping(kept.to_list())
    return replace(file, frame=file.frame.filter(kept), layout=layout, done=(*file.done, done))
