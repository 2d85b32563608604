"""Searching the texts, and pooling what is found."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from workbench.cli.campaigns import Opened, say, steps
from workbench.cli.options import argument, command, option
from workbench.cli.tables import format_option, write_sheet
from workbench.core.wording import counted

if TYPE_CHECKING:
    from workbench.campaign.searching import Found, Search
    from workbench.formats.tables.sheets import Sheet
    from workbench.storage.campaign import Campaign


class Asked(NamedTuple):
    """What to search for, and what to pool of it."""

    topic: str = argument()
    words: tuple[str, ...] = argument(required=True)
    any_word: bool = option("Find texts with any of the words, not only with all.", "--any")
    limit: int = option("Number of documents to show.", default=20, least=1, most=1000, metavar="N")
    added: tuple[str, ...] = option("Pool a document found; may be repeated.", "--add", metavar="DOCUMENT")
    add_first: int | None = option("Pool the first N documents found.", least=1, metavar="N")


@command()
def search(campaign: Opened, asked: Asked, kind: str = format_option) -> None:
    """Search the texts for a topic, and put what is found into its pool.

    The search covers the titles and texts that the campaign holds: all of those added with --all, else those of pooled
    documents. Texts with all words are shown, best first by BM25. The pool says that they were found by search.

    Example:
      workbench pooling search robust 301 organized crime
      workbench pooling search robust 301 mafia triads yakuza --any --limit 50
      workbench pooling search robust 301 organized crime --add FT911-22 --add LA0101-8
      workbench pooling search robust 301 organized crime --add-first 10
    """
    from workbench.campaign.searching import Query, search_texts

    query = Query(asked.topic, " ".join(asked.words), asked.any_word, asked.limit)
    with steps("Search") as on_step:
        result = search_texts(campaign, query, on_step=on_step)
    if not result.found:
        way_out = (
            "try other words" if asked.any_word or len(asked.words) == 1 else "try other words, or --any"
        )
        say(
            f"Nothing found in {counted(result.texts, 'text')}: {way_out}. "
            "Texts that are not pooled are searched if they were added with --all."
        )
        if kind != "table":
            write_sheet(kind, _sheet(result))
        return
    if asked.added or asked.add_first:
        _pool(
            campaign,
            result,
            [*asked.added, *(each.document_id for each in result.found[: asked.add_first or 0])],
        )
        return
    write_sheet(kind, _sheet(result), [_content(each) for each in result.found])


def _pool(campaign: Campaign, result: Search, document_ids: list[str]) -> None:
    from workbench.campaign.searching import pool_found

    with steps("Pool: found by search") as on_step:
        made = pool_found(campaign, result, document_ids, on_step=on_step)
    say(
        f"Pool {made.pool.pool}: {counted(made.pairs, 'document')} found by search for topic {result.topic_id}, "
        f"{made.pool.pairs:,} of them new."
    )


def _sheet(result: Search) -> Sheet:
    from workbench.core.results import Column
    from workbench.formats.tables.sheets import Sheet

    columns = (
        Column("Rank", "rank", "count"),
        Column("Document", "document_id", "text"),
        Column("Title", "title", "text"),
        Column("Pooled", "pooled", "text"),
        Column("Judged", "judged", "text"),
        Column("Excerpt", "excerpt", "text"),
    )
    return Sheet(columns, tuple(map(_row, result.found)))


def _row(found: Found) -> tuple[int, str, str, str, str, str]:
    # Titles come from anywhere: a line break or a terminal's control code in one is a blank.
    title = "".join(each if each.isprintable() else " " for each in found.title)
    return found.rank, found.document_id, title, _yes(found.pooled), _yes(found.judged), _excerpt(found)


def _excerpt(found: Found) -> str:
    """The excerpt with the words that were searched for between asterisks."""
    return "".join(f"*{part.text}*" if part.found else part.text for part in found.excerpt)


def _content(found: Found) -> dict[str, object]:
    return found._asdict() | {"excerpt": _excerpt(found)}


def _yes(whether: bool) -> str:
    return "yes" if whether else ""
