"""Which ids of a file a campaign knows, and what an unknown one was probably meant to be.

Also files that go by another name than the path they are read from, as uploads do: what is said of such a file, and
what the campaign records of it, has its name; the path is never shown.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from workbench.core.errors import InputError, Problem
from workbench.core.normal_forms import normal_form
from workbench.core.wording import counted, listed
from workbench.formats.qrels import QrelsFile
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import documents

if TYPE_CHECKING:
    import polars as pl


LONGEST_NUMBER = 9
"""Ids of more digits do not count anything; Python refuses to read thousands of them."""


def _numbers(text: str) -> list[str]:
    return [str(int(found)) for found in re.findall("[0-9]+", text) if len(found) <= LONGEST_NUMBER]


MAPPINGS: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("without zeros in front", lambda text: text.lstrip("0") or "0"),
    ("composed (NFC)", partial(normal_form, "NFC")),
    ("decomposed (NFD)", partial(normal_form, "NFD")),
    ("without what follows the last '-'", lambda text: text.rpartition("-")[0]),
    ("without what follows the last '#'", lambda text: text.rpartition("#")[0]),
    ("without what follows the last '_'", lambda text: text.rpartition("_")[0]),
    ("without what follows the last '.'", lambda text: text.rpartition(".")[0]),
    ("without what comes before the last '/'", lambda text: text.rpartition("/")[2]),
    ("without what comes before the last ':'", lambda text: text.rpartition(":")[2]),
    ("in lower case", str.lower),
    ("in upper case", str.upper),
    ("as digits alone", lambda text: re.sub(r"\D", "", text)),
)
"""Ways in which ids of a run differ from those of the collection, from what is seen in submissions."""

EQUAL_BY: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("with other zeros in front", lambda text: text.lstrip("0") or "0"),
    ("composed otherwise", partial(normal_form, "NFC")),
    ("in another case", str.casefold),
    ("by its number", lambda text: (_numbers(text) or [text])[-1]),
)
"""Ways in which two ids are written otherwise and mean the same; what the ways make of both is equal."""


def likely_mapping(unknown: Sequence[str], known: Collection[str], share: float = 0.5) -> str | None:
    """A sentence on how most of the unknown ids would become known ones, with an example, or None."""
    for words, change in MAPPINGS:
        changed = [(text, change(text)) for text in unknown]
        found = [(text, new) for text, new in changed if new in known]
        if found and len(found) >= share * len(unknown):
            return f"{found[0][0]!r} would be {found[0][1]!r} {words}"
    return None


class Renaming(NamedTuple):
    """What a file's unknown ids seem to be in the campaign: a sentence with an example, and the new name of each."""

    words: str
    names: Mapping[str, str]


def likely_topics(ids: Collection[str], known: Collection[str], share: float = 0.5) -> Renaming | None:
    """How most of a file's unknown topics would become known ones that it lacks, each another one; None if none does.

    Ids are compared in both directions: 051 for 51 as 51 for 051. Besides, an id may be the beginning of one known id.
    """
    free, there = sorted(set(known).difference(ids)), set(known)
    unknown, inside = [text for text in ids if text not in there], set(free)
    ways: list[tuple[str, Callable[[str], str]]] = [
        *((words, change) for words, change in MAPPINGS if words.startswith("without zeros")),
        *((words, _equal_by(key, free)) for words, key in EQUAL_BY),
        *MAPPINGS[1:],
        (BEGINNING, partial(_only_beginning, free)),
    ]
    return next((found for way in ways if (found := _renaming(way, unknown, inside, share))), None)


def likely_documents(unknown: Sequence[str], known: Collection[str], share: float = 0.5) -> Renaming | None:
    """The same of documents, of which there may be millions: by MAPPINGS alone."""
    return next((found for way in MAPPINGS if (found := _renaming(way, unknown, known, share))), None)


def _renaming(
    way: tuple[str, Callable[[str], str]], unknown: Sequence[str], known: Collection[str], share: float
) -> Renaming | None:
    words, change = way
    found = {text: new for text in unknown if (new := change(text)) in known}
    if not found or len(found) < share * len(unknown) or len(set(found.values())) < len(found):
        return None  # the last where two ids of the file would become one
    text, new = next(iter(found.items()))
    return Renaming(f"{text!r} would be {new!r} {words}", found)


def _equal_by(key: Callable[[str], str], known: Collection[str]) -> Callable[[str], str]:
    """The change of a text into the only known one of which the key makes the same."""
    keys = Counter(map(key, known))
    of = {found: text for text in known if keys[found := key(text)] == 1}
    return lambda text: of.get(key(text), text)


BEGINNING = "as the only topic that begins with it"


def _only_beginning(ordered: Sequence[str], text: str) -> str:
    """The one id of the sorted ones that begins with a text, else the text."""
    place = bisect_left(ordered, text)
    found = [known for known in ordered[place : place + 2] if known.startswith(text)]
    return found[0] if len(found) == 1 else text


def so_many_are(number: int, one: str) -> str:
    """A number with its noun and verb: `1 topic is`, `1,480 topics are`."""
    return counted(number, f"{one} is", f"{one}s are")


def by_position(ids: Collection[str], known: Collection[str], *, what: str = "the run") -> str | None:
    """Words for ids that count 1, 2, 3, ... up to the number of known ones which are named otherwise, or None.

    Old collections exist twice: with their topics' own numbers, and counted by position.
    """
    found = topics_at(ids, sorted(known))
    if found is None or len(known) not in map(int, ids):
        return None
    return f"topics seem to be counted by position in {what}, from 1 to {len(known)}"


def topics_at(ids: Collection[str], ordered: Sequence[str]) -> dict[str, str] | None:
    """The topic at each position that the ids of a run count, from 1; None if they do not.

    Ids that are topics themselves, or have the numbers of topics, count positions only if they reach the last one, and
    some of them are no number of a topic: else 51 is the topic MB051, wherever that stands.
    """
    if not ids or not all(text.isascii() and text.isdigit() and len(text) <= LONGEST_NUMBER for text in ids):
        return None
    numbers = {text: int(text) for text in ids}
    named = {number for topic_id in ordered for number in _numbers(topic_id)}
    same = [text for text, number in numbers.items() if str(number) in named]
    is_certain = max(numbers.values()) == len(ordered) and len(same) < len(ids)
    if (same and not is_certain) or len(set(numbers.values())) < len(numbers):
        return None
    if not all(1 <= number <= len(ordered) for number in numbers.values()):
        return None
    return {text: ordered[number - 1] for text, number in numbers.items()}


def first_rows(
    frame: pl.DataFrame, column: str, known: Sequence[str] | Sequence[int] | KnownDocuments
) -> pl.DataFrame:
    """The values of `column` that are not known, each with the first row that has it, as `rows_with` gives them."""
    return rows_with(frame, column, unknown_values([frame[column]], known))


def unknown_values(
    columns: Iterable[pl.Series], known: Sequence[str] | Sequence[int] | KnownDocuments
) -> pl.Series:
    """The values of all the columns that are not known, each once; the known ones may be many, and are hashed once."""
    import polars as pl

    found = pl.concat([column.unique() for column in columns]).unique().alias("value")
    for values in known if isinstance(known, KnownDocuments) else [pl.Series(known, dtype=found.dtype)]:
        found = found.to_frame().join(values.to_frame("value"), on="value", how="anti")["value"]
        if found.is_empty():
            break
    return found


def rows_with(frame: pl.DataFrame, column: str, values: pl.Series) -> pl.DataFrame:
    """The first row (`row`, from 0) with each of the values in `column`, in the order of the file."""
    rows = frame.select(column).with_row_index("row")
    found = rows.join(values.to_frame(column), on=column, how="semi", maintain_order="left")
    return found.unique(column, keep="first", maintain_order=True).select(column, "row")


IDS_AT_ONCE = 5_000_000
"""Ids of documents that are in memory together, about 200 MB."""


class KnownDocuments:
    """The ids of all documents in the recorded sources, some at a time: a collection of segments may have 10^8."""

    def __init__(self, campaign: Campaign) -> None:
        self._campaign = campaign
        self._few: list[pl.Series] = []

    def __iter__(self) -> Iterator[pl.Series]:
        """The ids, IDS_AT_ONCE together; they are read again each time unless they are few."""
        if self._few:
            yield from self._few
            return
        last, number = None, 0
        for last in self._read():
            yield last
            number += 1
        if last is not None and number == 1:
            self._few = [last]

    def _read(self) -> Iterator[pl.Series]:
        import polars as pl

        parts: list[pl.Series] = []
        for source in documents.sources(self._campaign):
            for ids in documents.source_ids(self._campaign, source.source):
                parts.append(pl.Series(ids, dtype=pl.String))
                if sum(map(len, parts)) >= IDS_AT_ONCE:
                    yield pl.concat(parts)
                    parts = []
        if parts:
            yield pl.concat(parts)


def known_documents(campaign: Campaign) -> KnownDocuments | None:
    """The ids of all documents in the recorded sources; None where there is no source."""
    return KnownDocuments(campaign) if documents.sources(campaign) else None


def known_variants(ids: Sequence[str], known: KnownDocuments) -> set[str]:
    """The known ids, of which there may be millions, that some of MAPPINGS make of these."""
    import polars as pl

    variants = pl.Series(list({change(text) for _, change in MAPPINGS for text in ids}), dtype=pl.String)
    return {text for some in known for text in some.filter(some.is_in(variants.implode()))}


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
    """The warning of documents that no recorded source holds, if there are sources; `then` says what follows."""
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


DisplayNames = Mapping[str, str]
"""Path -> the name that the file goes by; a path that is missing is its own name."""

BY_PATH: DisplayNames = {}


def renamed(problems: Iterable[Problem], display_names: DisplayNames) -> tuple[Problem, ...]:
    """The same findings, each under the name of its file."""
    return tuple(problem._replace(file=display_names.get(problem.file, problem.file)) for problem in problems)


@contextmanager
def with_display_names(display_names: DisplayNames) -> Iterator[None]:
    """Let an InputError that comes out of the block speak of files by their names."""
    try:
        yield
    except InputError as error:
        if not display_names:
            raise
        raise InputError(renamed(error.problems, display_names), error.more) from error
