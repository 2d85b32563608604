"""Lists of pages: searched, filtered, sorted and paged by the address, so that every view of one can be linked.

`?q=river&state=open&sort=-judged&page=3` is the third page of the open rows with the word river, the largest number
first. A list says once what its columns, filters and words are; `templates/lists.html` shows form, headings and pages
of any of them, and static/lists.js adds ticking of ranges. All of it works without JavaScript. What an address has
that the list does not understand changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from operator import itemgetter
from typing import Any, Generic, NamedTuple, TypeVar
from urllib.parse import parse_qsl, urlencode

from flask import request, url_for
from werkzeug.datastructures import MultiDict

from workbench.core.errors import CampaignError
from workbench.core.natural_order import natural
from workbench.core.results import Field, fields_of
from workbench.core.wording import capital, counted, listed, translatable
from workbench.formats.tables.sheets import Sheet, sheet_of
from workbench.web.requests.form_values import natural_number
from workbench.web.requests.languages import gettext, ngettext

SIZE = 50
"""Rows of a page: what browsers lay out in a few hundredths of a second."""

BESIDE_OTHERS = 15
"""Rows of a list that is one of several on a page."""

LONGEST_SEARCH = 200
LONGEST_LIST = 2_000
"""Characters of a list's address that comes back with a form."""

Row = TypeVar("Row")


@dataclass(frozen=True)
class Column(Generic[Row]):
    """A column: its word in the address, its heading, and what rows are sorted by; rows with None come last.

    A heading of a column of numbers leads to the largest first. `help` explains the heading.
    """

    word: str
    title: str
    key: Callable[[Row], Any]
    numeric: bool = False
    help: str = ""

    @property
    def first(self) -> str:
        """The order that the heading leads to first."""
        return f"-{self.word}" if self.numeric else self.word


class Choice(NamedTuple, Generic[Row]):
    """A choice of a filter: what it is called, and which rows it keeps."""

    title: str
    keeps: Callable[[Row], bool]


@dataclass(frozen=True)
class Filter(Generic[Row]):
    """A filter: its word in the address, its label, and its choices by their values in the address."""

    word: str
    title: str
    choices: Mapping[str, Choice[Row]]
    every: str = translatable("all")


def one_of(
    word: str, title: str, values: Iterable[str], value_of: Callable[[Row], str], every: str = "all"
) -> Filter[Row]:
    """A filter that leaves the rows with one of these values."""

    def keeping(value: str) -> Choice[Row]:
        return Choice(value, lambda row: value_of(row) == value)

    return Filter(word, title, {value: keeping(value) for value in values}, every)


class Offered(NamedTuple):
    """A choice as a form offers it, with how many rows of the whole list it has."""

    value: str
    title: str
    rows: int


class Heading(NamedTuple):
    """A column's heading on this view: where it leads, and what aria-sort says of it."""

    title: str
    numeric: bool
    help: str
    address: str
    order: str


@dataclass(frozen=True)
class Listing(Generic[Row]):
    """What a list is: `noun` of a row, columns, filters, and the text that a search looks into, where there is one.

    `ident` names a row in forms, and `state` is what an action on it takes for granted: where that has changed since
    the page was opened, the action is refused. Lists of one page that are not the only one there have a `prefix` for
    their words in the address; one of results has their `kind`. Without an order in the address rows stay in the order
    in which they come, or in that of `order`.
    """

    noun: str
    columns: Sequence[Column[Row]]
    filters: Sequence[Filter[Row]] = ()
    text: Callable[[Row], str] | None = None
    ident: Callable[[Row], str] = str
    state: Callable[[Row], str] | None = None
    looks_in: str = ""
    order: str = ""
    size: int = SIZE
    prefix: str = ""
    kind: Any = None

    def words(self) -> list[str]:
        """The words of the address that are this list's."""
        return [self.prefix + word for word in ("q", "sort", "page", *(each.word for each in self.filters))]

    def back(self) -> dict[str, Any]:
        """The view of this list that the request comes from, for the address that it leads back to."""
        return self.part_of(request_list())

    def part_of(self, args: MultiDict[str, str]) -> dict[str, str]:
        """What an address says of this list."""
        return {word: args[word] for word in self.words() if args.get(word)}

    def matching(self, rows: Iterable[Row], args: MultiDict[str, str]) -> list[Row]:
        """The rows that search and filters of an address leave, in its order."""
        found = list(rows)
        wanted = args.get(f"{self.prefix}q", "").strip()[:LONGEST_SEARCH].casefold().split()
        if self.text is not None and wanted:
            texts = zip(found, map(str.casefold, map(self.text, found)), strict=True)
            found = [row for row, text in texts if all(word in text for word in wanted)]
        for one in self.filters:
            choice = one.choices.get(args.get(self.prefix + one.word, ""))
            if choice is not None:
                found = [row for row in found if choice.keeps(row)]
        return self._ordered(found, args)

    def view(self, rows: Sequence[Row], args: MultiDict[str, str], view: str, **kept: Any) -> ListView[Row]:
        """What a page shows for an address of the endpoint `view`; `kept` is what its links carry besides."""
        found = self.matching(rows, args)
        pages = max(1, -(-len(found) // self.size))
        wanted = natural_number(args.get(f"{self.prefix}page", "1"))
        page = min(max(1, wanted or 1), pages)
        return ListView(
            listing=self,
            every=rows,
            found=found,
            rows=found[(page - 1) * self.size : page * self.size],
            page=page,
            pages=pages,
            args=self.part_of(args),
            view=view,
            kept=kept,
        )

    def chosen(self, rows: Sequence[Row], form: MultiDict[str, str], ticked: Sequence[str]) -> list[str]:
        """What a form names in its boxes: the ticked rows, or all that match when that was ticked.

        Raises CampaignError when nothing is ticked, and when other rows match by now than the page counted, or rows
        have another state.
        """
        if not form.get("every"):
            if not ticked:
                raise CampaignError(f"Select {self.noun}s first.")
            self._check_seen(rows, form.getlist("seen"), set(ticked))
            return list(ticked)
        found = self.matching(rows, list_address(form))
        if form["every"] != fingerprint(map(self.seen, found)):
            matching = f"{counted(len(found), self.noun)} {'matches' if len(found) == 1 else 'match'}"
            raise CampaignError(
                f"The list has changed since the page was opened: {matching} now. Nothing was changed; check the "
                "list and choose again."
            )
        return [self.ident(row) for row in found]

    def seen(self, row: Row) -> str:
        """A row as a form names it in its fields `seen`: a mark of its state, where it has one, and its name."""
        ident = self.ident(row)
        return ident if self.state is None else f"{fingerprint([self.state(row)])} {ident}"

    def _check_seen(self, rows: Sequence[Row], seen: Sequence[str], ticked: Collection[str]) -> None:
        stale = {each.partition(" ")[2] for each in set(seen).difference(map(self.seen, rows))}
        if found := sorted(stale.intersection(ticked), key=natural):
            raise CampaignError(
                f"{capital(self.noun)} {listed(found)} changed since the page was opened. Nothing was changed; "
                "check the list and choose again."
            )

    def sorted_by(self, args: Mapping[str, str]) -> str:
        """The order in force: a column's word, with a minus where the largest comes first, or nothing."""
        word = args.get(f"{self.prefix}sort", "")
        known = {column.word for column in self.columns}
        return word if word.removeprefix("-") in known else self.order

    def _ordered(self, rows: list[Row], args: Mapping[str, str]) -> list[Row]:
        word = self.sorted_by(args)
        if not word:
            return rows
        key = next(column.key for column in self.columns if column.word == word.removeprefix("-"))
        keys = [(key(row), row) for row in rows]
        known = [each for each in keys if each[0] is not None]
        known.sort(key=itemgetter(0), reverse=word[0] == "-")
        return [row for _, row in known] + [row for value, row in keys if value is None]


@dataclass(frozen=True)
class ListView(Generic[Row]):
    """A view of a list: the rows of its page, and what templates/lists.html needs around them."""

    listing: Listing[Row]
    every: Sequence[Row]
    found: Sequence[Row]
    rows: Sequence[Row]
    page: int
    pages: int
    args: Mapping[str, str]
    view: str
    kept: Mapping[str, Any] = field(default_factory=dict)

    @property
    def sort(self) -> str:
        """The order in force, as `Listing.sorted_by` has it."""
        return self.listing.sorted_by(self.args)

    @property
    def query(self) -> str:
        """What is searched for."""
        return self.args.get(f"{self.listing.prefix}q", "")

    @property
    def is_filtered(self) -> bool:
        """Whether search or filters leave rows out, or would."""
        unfiltered = {f"{self.listing.prefix}sort", f"{self.listing.prefix}page"}
        return bool(self.args.keys() - unfiltered)

    @property
    def sentence(self) -> str:
        """How many rows match, and which of them the page has."""
        number, places = len(self.found), {"first": (self.page - 1) * self.listing.size + 1}
        if self.is_filtered:
            every = self._counted(len(self.every))
            text = ngettext(
                "%(num)s of %(every)s matches.", "%(num)s of %(every)s match.", number, every=every
            )
        else:
            text = f"{self._counted(number)}."
        if self.pages > 1:
            places |= {"last": places["first"] + len(self.rows) - 1, "page": self.page, "pages": self.pages}
            text += gettext(" Shown: %(first)s to %(last)s, page %(page)s of %(pages)s.", **places)
        return text

    def _counted(self, number: int) -> str:
        one = f"%(num)s {self.listing.noun}"
        return ngettext(one, f"{one}s", number)

    @property
    def sheet(self) -> Sheet:
        """The rows of a list of results as a table."""
        return sheet_of(self.listing.kind, self.rows)

    @property
    def fingerprint(self) -> str:
        """Of the rows that match, for `Listing.chosen`."""
        return fingerprint(map(self.listing.seen, self.found))

    @property
    def as_query(self) -> str:
        """The view's part of the address, for forms that come back to it."""
        return urlencode(self.args)

    def turned(self, page: int) -> str:
        """The address of another page of this view."""
        return self._address({**self.args, f"{self.listing.prefix}page": str(page)})

    @property
    def action(self) -> str:
        """Where the form leads."""
        return url_for(self.view, campaign=self.kept["campaign"], _anchor=self.kept.get("_anchor"))

    def hidden(self, own: Sequence[str] = ()) -> Iterator[tuple[str, Any]]:
        """What the form carries along, except the words in `own`, for which it has fields."""
        for word, value in self.kept.items():
            if word not in (*own, "campaign", "_anchor"):
                values = value if isinstance(value, list | tuple) else [value]
                yield from ((word, each) for each in values if each not in (None, ""))

    def plain(self) -> str:
        """The address without search and filters, in the same order."""
        word = f"{self.listing.prefix}sort"
        return self._address({word: self.args[word]} if word in self.args else {})

    def headings(self) -> list[Heading]:
        """The headings of all columns: a second look at one turns its order."""
        return [self._heading(column) for column in self.listing.columns]

    def orders(self) -> list[tuple[str, str]]:
        """The orders that the form offers: value and title."""
        found = []
        for column in self.listing.columns:
            numeric = ("-", gettext("largest first")), ("", gettext("smallest first"))
            directions = numeric if column.numeric else (("", gettext("A to Z")), ("-", gettext("Z to A")))
            title = gettext(column.title)
            found += [(sign + column.word, f"{title}, {words}") for sign, words in directions]
        return found

    def filters(self) -> list[tuple[Filter[Row], str, list[Offered]]]:
        """Each filter with its name in the form, and its choices; one without rows only if it is chosen."""
        found = []
        for one in self.listing.filters:
            name = self.listing.prefix + one.word
            every = [
                Offered(value, choice.title, sum(map(choice.keeps, self.every)))
                for value, choice in one.choices.items()
            ]
            chosen = self.args.get(name)
            found.append((one, name, [each for each in every if each.rows or each.value == chosen]))
        return found

    def _heading(self, column: Column[Row]) -> Heading:
        others = {word: value for word, value in self.args.items() if word != f"{self.listing.prefix}page"}
        is_sorted = self.sort.removeprefix("-") == column.word
        turned = column.word if self.sort.startswith("-") else f"-{column.word}"
        others[f"{self.listing.prefix}sort"] = turned if is_sorted else column.first
        order = "descending" if self.sort.startswith("-") else "ascending"
        return Heading(
            gettext(column.title),
            column.numeric,
            column.help,
            self._address(others),
            order if is_sorted else "none",
        )

    def _address(self, args: Mapping[str, str]) -> str:
        return url_for(self.view, **{**self.kept, **args})


def listing_of(
    kind: Any, noun: str, text: Callable[[Any], str], looks_in: str, prefix: str, **more: Any
) -> Listing[Any]:
    """The list of results of one kind, with the columns that it declares, beside others on a page."""

    def column(field: Field) -> Column[Any]:
        key = (lambda row: natural(field.of(row))) if field.type is str else field.of
        return Column(field.column.name, field.column.head, key, field.column.kind != "text")

    more |= {"text": text, "looks_in": looks_in, "prefix": prefix, "size": BESIDE_OTHERS, "kind": kind}
    return Listing[Any](noun, list(map(column, fields_of(kind))), **more)


def list_address(form: MultiDict[str, str]) -> MultiDict[str, str]:
    """The view of the list that a form came from, which its field `list` has."""
    try:
        return MultiDict(parse_qsl(form.get("list", "")[:LONGEST_LIST], max_num_fields=50))
    except ValueError:
        return MultiDict()


def request_list() -> MultiDict[str, str]:
    """The address of the list of this request: its own, or that of the form that was sent."""
    return list_address(request.form) if request.method == "POST" else request.args


def fingerprint(names: Iterable[str]) -> str:
    """A mark of a set of rows: the same for the same names in any order."""
    return sha256("\n".join(sorted(names)).encode()).hexdigest()[:16]
