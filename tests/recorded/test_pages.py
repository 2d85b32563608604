"""What each kind of page and each figure says to the people who may see it, of one campaign in which much has happened.

Of many rows of a table, or choices, the first are recorded. Below a page stand its lists: their first rows in the order
of each column, and those that each filter leaves.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta, tzinfo
from difflib import unified_diff
from itertools import groupby
from math import inf
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from flask.testing import FlaskClient
from lxml import html
from werkzeug.datastructures import MultiDict

from tests.recorded.conftest import HERE, NOW, AsRecorded
from workbench.analysis.figures import load_figures
from workbench.people.accounts import add_account, begin_session, open_accounts
from workbench.storage.campaign.log.cache import bound_values
from workbench.web.app import create_app
from workbench.web.requests.lists import Listing

Lists = list[tuple[Listing[Any], Sequence[Any]]]

PAGES = """
Otto dashboard
Otto topics
Otto topic?topic=1
Otto topic?topic=5
Otto topic/edit?topic=2
Otto judgments?topic=4
  Otto judgments?topic=4&look=yes
Otto runs
Otto run?run=beta-1
Otto board
  Otto board?as-of=60
  Otto board?by=team
  Olga board
Otto board.csv
Otto board.tex
Otto board/print
Otto compare?run=sys0&run=sys1
Otto compare/pairs
Otto compare/boards
Otto compare/topics
Otto stop
  Otto stop?one=sys0&two=sys1
Olga stop
Otto reuse
Otto pool?depth=8
Otto agreement
  Otto agreement?by=topic
  Otto agreement?by=assessor
  Otto agreement?by=pair&scope=anna,+ben
Otto agreement/effect
Otto simulation
Otto assessors
Otto assessor?name=ben
  Otto assessor?name=%D8%AF%D9%8A%D9%85%D8%A9
Otto assignments
Otto assignments/hand-over?from=anna
Otto assignments/list
Otto adjudication
  Wilma adjudication
Wilma adjudicate?topic=1&document=%E6%96%87%E6%9B%B817
Otto pair?topic=4&document=%C3%9Cn%C3%AFcode_33
  Otto pair?topic=1&document=doc-49
  Wilma pair?topic=1&document=doc-49
Otto norming
Otto people
Otto submissions
Otto submit/receipt?run=beta-1
Otto settings
Otto training
Otto guidelines
  anna guidelines
Otto preview?topic=1
Otto search?topic=1
Otto add/runs
  Otto add/documents
  Otto add/topics
Otto publish
Otto history
Otto own-topics
Otto download/hours
Paul submit
Paul own-runs
Paul submit/receipt?run=alpha-1
anna practice/document?topic=1&document=FT911-29
anna history
anna work
anna work/hours.csv
anna judge?topic=1
ben judge?topic=1
  ben judge?topic=2
  anna practice?topic=1&document=FT911-29
ben judge?topic=5
anna ?
Olga ?
Paul ?
""".strip().splitlines()
"""Of the campaign as a shared task goes on with it; of an indented page, only how it differs from the one above."""

SKIPPED = {"style", "svg", "template", "head", "noscript"}
ONE_LINE = {"p", "tr", "nav", "select", "datalist", "li", "label", "summary", "h1", "h2", "h3"}
CELLS = {"td", "th", "option", "li"}
MANY, FEW = {"tr", "li", "label"}, 2
"""Elements of which so many are recorded where there are more."""

BLOCKS = ONE_LINE | set(
    "article aside blockquote caption dd details dialog div dl dt fieldset figure footer form header".split()
)
BLOCKS |= set("legend main ol pre script section table tbody thead tfoot ul h4".split())
EDITION = re.compile("/static/[0-9a-f]{12}/")
"""In addresses of static files, which are others with every change of one of them."""

BY_CHANCE = re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b")
SAID = ("href", "value", "title", "aria-label", "placeholder", "action", "alt", "max", "datetime")


class Clock(datetime):
    """A clock that stands still."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> datetime:
        """The evening after the last judgment."""
        return (NOW + timedelta(hours=6)).astimezone(tz)


@pytest.fixture(scope="module")
def clients(task: Path) -> Iterator[dict[str, FlaskClient]]:
    """A client for each person who looks at something; all of them only read."""
    names = sorted({line.split()[0] for line in PAGES})
    with open_accounts(task.parent) as accounts:
        for name in names:
            add_account(accounts.at(NOW), name, f"the password of {name}")
        tokens = {name: begin_session(accounts, name) for name in names}
    app = create_app(task.parent)
    made = {name: app.test_client() for name in names}
    for name, client in made.items():
        with client.session_transaction() as session:
            session.permanent = True
            session.update(token=tokens[name])
    with pytest.MonkeyPatch.context() as patch:
        for module in ("dashboard", "pooling", "submissions", "submitting"):
            patch.setattr(f"workbench.web.setup.{module}.datetime", Clock)
        bound_values(1)  # a page says the same when nothing that it needs stays in memory
        yield made
        bound_values(inf)
    app.extensions["workbench_connections"].close()


@pytest.fixture
def lists(monkeypatch: pytest.MonkeyPatch) -> Lists:
    """The lists of the page that is asked for, with all their rows."""
    found: Lists = []
    view = Listing.view

    def noted(listing: Listing[Any], rows: Sequence[Any], *given: Any, **kept: Any) -> Any:
        found.append((listing, rows))
        return view(listing, rows, *given, **kept)

    monkeypatch.setattr(Listing, "view", noted)
    return found


def said(page: html.HtmlElement) -> str:
    """A page as lines of what it says: a paragraph, a row of a table and the choices of a field are one each."""
    return EDITION.sub("/static/(edition)/", BY_CHANCE.sub("(an id)", "\n".join(_lines(page)) + "\n"))


def _lines(block: html.HtmlElement) -> Iterator[str]:
    if block.get("type") == "application/json":
        return
    for kind, group in groupby(_parts(block, block.tag in ONE_LINE), lambda part: getattr(part, "tag", "")):
        parts = list(group)
        shown = parts[:FEW] if kind in MANY and len(parts) > FEW + 1 else parts
        if not kind:
            yield from [" ".join(parts).rstrip(" |")] * (parts != ["Show"])
            continue
        for part in shown:
            yield from _lines(part)
        if shown != parts:
            yield f"({len(parts) - FEW} more)"


def _parts(element: html.HtmlElement, whole: bool) -> Iterator[Any]:
    """The words of an element in order, and the blocks within it unless it is one line as a whole."""
    if not isinstance(element.tag, str) or element.tag in SKIPPED or element.get("name") == "csrf_token":
        return
    yield from (f"[{key} {element.get(key)}]" for key in SAID if element.get(key))
    yield from _words(element.text)
    for child in element:
        if not whole and child.tag in BLOCKS:
            yield child
        else:
            yield from _parts(child, whole or child.tag in ONE_LINE)
        yield from "|" * (whole and child.tag in CELLS)
        yield from _words(child.tail)


def _words(text: str | None) -> Iterator[str]:
    if text and text.strip():
        yield " ".join(text.split())


def described(listing: Listing[Any], rows: Sequence[Any]) -> Iterator[str]:
    """A list as lines: what it is, its first rows by each column, and those that each choice of a filter leaves."""
    name = (listing.text if listing.ident is str else listing.ident) or str

    def shown(word: str, value: str) -> str:
        found = listing.matching(rows, MultiDict({listing.prefix + word: value}))
        return f"{len(found)}: {', '.join(name(row).replace(chr(10), ' and ')[:60] for row in found[:8])}"

    yield f"list of {listing.noun}s {listing.prefix}, {listing.size} a page, by {listing.order or 'none'}"
    for column in listing.columns:
        heading = f"{column.word} | {column.title} | {column.help}".rstrip(" |")
        yield f"  {heading} | {'first ' * column.numeric}{shown('sort', column.first)}"
    for one in listing.filters:
        yield f"  {one.word} | {one.title} | {one.every}"
        for value, choice in one.choices.items():
            yield f"    {value} | {choice.title} | {shown(one.word, value)}"
    if listing.text is not None:
        yield from (f"  {listing.looks_in}: {listing.text(row)}"[:200] for row in rows[:1])


def with_bases(lines: list[str]) -> Iterator[tuple[str, str | None]]:
    """Each line, and if it is indented, the one that is not and stands above it."""
    base = None
    for line in lines:
        base = base if line.startswith(" ") else line
        yield line.strip(), None if base == line else base


@pytest.mark.parametrize(("line", "base"), list(with_bases(PAGES)))
def test_a_page_says_what_it_said(
    clients: dict[str, FlaskClient], as_recorded: AsRecorded, lists: Lists, line: str, base: str | None
) -> None:
    who, address = line.split()
    answer = clients[who].get(f"/c/task/{address}")
    if answer.mimetype == "text/html":
        page = html.fromstring(answer.text)
        for choice in page.find_class(
            "languages"
        ):  # the same everywhere, but for the address that it leads back to
            choice.drop_tree()
        for masthead in page.find_class("masthead") * (answer.status_code == 200):
            as_recorded(f"pages/masthead_of_{who}.txt", said(masthead))
            masthead.drop_tree()
        for skipping in page.xpath("//a[@href='#main']"):
            skipping.drop_tree()
        shown = said(page)
    else:
        shown = answer.text
    shown += "".join(f"{each.rstrip()}\n" for listing, rows in lists for each in described(listing, rows))
    shown = f"status {answer.status_code}\n" * (answer.status_code != 200) + shown
    if base is not None:
        shown = differences((HERE / name_of(base)).read_text(encoding="utf-8"), shown)
    as_recorded(name_of(line), shown)


def test_the_title_of_a_page_is_its_name_and_its_campaign(clients: dict[str, FlaskClient]) -> None:
    page = html.fromstring(clients["Otto"].get("/c/task/runs").text)
    assert page.findtext("head/title") == "Runs · A settled campaign"


def test_each_recorded_page_is_asked_for() -> None:
    asked = {name_of(line.strip()) for line in PAGES} | {
        f"pages/masthead_of_{line.split()[0]}.txt" for line in PAGES
    }
    assert {f"pages/{path.name}" for path in (HERE / "pages").iterdir()} <= asked


def name_of(line: str) -> str:
    return f"pages/{re.sub(r'[^a-z0-9.-]+', '_', unquote(line), flags=re.IGNORECASE)}.txt"


def differences(one: str, other: str) -> str:
    """The lines that only one of two texts has."""
    changes = unified_diff(one.splitlines(keepends=True), other.splitlines(keepends=True), n=0)
    return "".join(line for line in changes if not line.startswith(("---", "+++", "@@")))


FIGURES = {
    "compare-curves": "run=sys0&run=sys1",
    "compare-topics": "run=sys1&baseline=sys0",
    "pool-depths": "depth=5",
    "pool-runs": "depth=5",
    "pool-topics": "depth=5",
    "run-recall": "run=sys0",
    "topic-history": "topic=1",
    "topic-gain": "topic=1",
    "topic-map": "topic=1",
    "topic-precision-recall": "topic=1",
    "topic-roc": "topic=1",
    "topic-scores": "run=sys0",
}
"""What figures need to know."""

NOTHING_TO_DRAW = {"costs", "online"}
"""Figures of what the campaign has not."""


def test_the_words_on_figures_are_those_they_had(
    clients: dict[str, FlaskClient], as_recorded: AsRecorded
) -> None:
    lines: list[str] = []
    for name in sorted(load_figures().keys() - NOTHING_TO_DRAW):
        answer = clients["Otto"].get(f"/c/eventful/figures/{name}.json?{FIGURES.get(name, '')}")
        assert answer.status_code == 200
        lines += [f"{name}\n", *(f"  {each}\n" for each in dict.fromkeys(words_of(answer.get_json())))]
    as_recorded("figures.txt", "".join(lines))


def words_of(figure: Any) -> Iterator[str]:
    """The titles and texts of a specification."""
    if isinstance(figure, dict):
        for key, value in figure.items():
            if key in {"title", "text", "description"} and isinstance(value, str):
                yield value
            elif key not in {"config", "usermeta"}:
                yield from words_of(value)
    elif isinstance(figure, list):
        for each in figure:
            yield from words_of(each)


def test_the_interface_is_what_it_was(clients: dict[str, FlaskClient], as_recorded: AsRecorded) -> None:
    with clients["Otto"].get("/api/openapi.json") as answer:
        as_recorded("openapi.txt", "".join(f"{line}\n" for line in interface(answer.get_json())))


def interface(described: Any) -> Iterator[str]:
    """What each address takes and gives, and of what kind each field of a record is."""
    for address, methods in described["paths"].items():
        shared = methods.pop("parameters", [])
        for method, each in methods.items():
            yield f"{method.upper()} {address.removeprefix('/c/{campaign}/') or '.'} {each['operationId']}"
            taken = [
                f"{asked['name']} in {asked['in']}, {kind_of(asked['schema'])}{'!' * asked['required']}"
                for asked in [*shared, *each["parameters"]]
            ]
            for form, content in each.get("requestBody", {}).get("content", {}).items():
                taken.append(f"{form} {kind_of(content['schema'])}")
            yield from [f"  takes {'; '.join(taken)}"] * bool(taken)
            yield f"  gives {', '.join(given(each['responses']))}"
    for name, schema in described["components"]["schemas"].items():
        required = schema.get("required", [])
        fields = (
            f"{field}{'!' * (field in required)} {kind_of(kind)}"
            for field, kind in schema.get("properties", {}).items()
        )
        yield f"{name}: {', '.join(fields)}"


def given(responses: dict[str, Any]) -> Iterator[str]:
    for status, response in responses.items():
        forms = response.get("content", {}).items()
        yield " ".join([status, *(f"{form} {kind_of(content['schema'])}" for form, content in forms)])


def kind_of(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " or ".join(map(kind_of, schema["anyOf"]))
    if schema.get("type") == "array":
        return f"[{kind_of(schema['items'])}]"
    rest = {key: value for key, value in schema.items() if key not in {"type", "description"}}
    return f"{schema.get('type', '')} {json.dumps(rest) if rest else ''}".strip()
