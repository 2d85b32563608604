"""What a file names that a campaign does not know."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from workbench.campaign.ingest.naming import MAPPINGS, by_position, likely_mapping, likely_topics, so_many_are
from workbench.core.errors import Problem
from workbench.core.wording import listed
from workbench.formats.qrels import QrelsFile
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import documents

if TYPE_CHECKING:
    import polars as pl


def first_rows(
    frame: pl.DataFrame, column: str, known: Sequence[str] | Sequence[int] | pl.Series
) -> pl.DataFrame:
    """The values of `column` that are not known, each with the first row that has it, as `rows_with` gives them."""
    return rows_with(frame, column, unknown_values([frame[column]], known))


def unknown_values(
    columns: Iterable[pl.Series], known: Sequence[str] | Sequence[int] | pl.Series
) -> pl.Series:
    """The values of all the columns that are not known, each once; the known ones may be many, and are hashed once."""
    import polars as pl

    found = pl.concat([column.unique() for column in columns]).unique().alias("value")
    values = known if isinstance(known, pl.Series) else pl.Series(known, dtype=found.dtype)
    return found.to_frame().join(values.to_frame("value"), on="value", how="anti")["value"]


def rows_with(frame: pl.DataFrame, column: str, values: pl.Series) -> pl.DataFrame:
    """Those of the values that `column` has, each with the first row that has it, in the order of the file.

    Columns: `column`, and `row`, from 0.
    """
    rows = frame.select(column).with_row_index("row")
    found = rows.join(values.to_frame(column), on=column, how="semi", maintain_order="left")
    return found.unique(column, keep="first", maintain_order=True).select(column, "row")


def known_documents(campaign: Campaign) -> pl.Series | None:
    """The ids of all documents in the recorded sources, each once; None where there is no source."""
    import polars as pl

    parts = [
        pl.Series(ids, dtype=pl.String)
        for source in documents.sources(campaign)
        for ids in documents.source_ids(campaign, source.source)
    ]
    return pl.concat(parts).unique() if parts else None


def known_variants(ids: Sequence[str], known: pl.Series) -> set[str]:
    """The known ids, of which there may be millions, that some of MAPPINGS make of these."""
    import polars as pl

    variants = pl.Series(list({change(text) for _, change in MAPPINGS for text in ids}), dtype=pl.String)
    return set(known.filter(known.is_in(variants.implode())).to_list())


def of_turns(ids: Iterable[str], known: Collection[str]) -> str:
    """Words for unknown topics with the ids of turns of known ones, `81_2` of 81; "" where some have others."""
    are_turns = all(topic_id.rpartition("_")[0] in known for topic_id in ids)
    return "if these are turns of conversations, add the topics with --topic-per-turn" if are_turns else ""


def unknown_topics(file: QrelsFile, known: Sequence[str], way_out: str) -> Iterator[Problem]:
    """The problem of a file that names other topics than the `known`; `way_out` is what helps but to add them."""
    unknown = first_rows(file.frame, "topic_id", known)
    if unknown.is_empty():
        return
    ids = unknown["topic_id"].to_list()
    found = file.frame["topic_id"].unique(maintain_order=True).to_list()
    likely = likely_topics(found, known)
    mapping = likely.words if likely else by_position(found, known, what="the file")
    hint = f" ({'; '.join(words)})" if (words := [*filter(None, (mapping, of_turns(ids, known)))]) else ""
    message = (
        f"{so_many_are(len(ids), 'topic')} not in the campaign, "
        f"whose {so_many_are(len(known), 'topic')} {listed(known)}: {listed(ids)}{hint}; "
        f"add these topics first, or {way_out}"
    )
    yield Problem(file.file, file.line_of(unknown["row"][0]), message)


def unknown_documents(campaign: Campaign, file: QrelsFile, then: str) -> Iterator[Problem]:
    """The warning of a file with documents that none of the recorded sources holds, if there are sources.

    `then` says what becomes of them.
    """
    known = known_documents(campaign)
    if known is None:
        return
    unknown = first_rows(file.frame, "document_id", known)
    if not unknown.is_empty():
        ids = unknown["document_id"].to_list()
        mapping = likely_mapping(ids[:1000], known_variants(ids[:1000], known))
        hint = f" ({mapping})" if mapping else ""
        message = f"{so_many_are(len(ids), 'document')} in none of the campaign's sources: {listed(ids)}{hint}; {then}"
        yield Problem(file.file, file.line_of(unknown["row"][0]), message)
