"""What each page and each figure of the eventful campaign says to the people who may see it.

Below a page stand its lists: their first rows in the order of each column, and those that each filter leaves.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta, tzinfo
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
Otto topic?topic=6
Otto judgments?topic=4
Otto judgments?topic=4&look=yes
Otto runs
Otto run?run=sys0
Otto run?run=sys3
Otto board
Otto board?as-of=60
Otto board?by=team
Otto compare?run=sys0&run=sys1
Otto compare/pairs
Otto stop
Otto stop?one=sys0&two=sys1
Otto stop?measure=P@5
Otto compare/boards
Otto compare/topics
Otto reuse
Otto pool
Otto pool?depth=8
Otto agreement
Otto agreement?by=topic
Otto agreement?by=assessor
Otto agreement?by=pair&scope=anna,+ben
Otto assessors
Otto assessor?name=ben
Otto assessor?name=%D8%AF%D9%8A%D9%85%D8%A9
Otto assignments
Otto adjudication
Otto norming
Otto people
Otto publish
Otto history
Wilma adjudication
Wilma adjudicate?topic=1&document=%E6%96%87%E6%9B%B817
Olga board
Olga stop
Paul own-runs
anna judge?topic=1
anna history
anna ?
Olga ?
Paul ?
Otto api/board
Otto api/board/intervals
Otto api/certain
Otto api/certain/history
Otto api/certain/witness?one=sys0&two=sys1
Otto api/reuse
Otto api/stop
anna api/queue?topic=1
""".strip().splitlines()

LONG = """
Otto dashboard
Otto topics
Otto runs
Otto publish
Otto agreement?by=topic
Otto adjudication
Otto compare?run=sys0&run=sys1&run=sys2
Otto compare/pairs
Otto stop?measure=P@5
Otto reuse
Otto topic?topic=17
Otto run?run=sys33
Otto api/board
""".strip().splitlines()
"""Of the campaign with many runs: where lists are longer than what is shown of them."""

TASK = """
Otto dashboard
Otto topics
Otto topic?topic=2
Otto topic?topic=5
Otto topic/edit?topic=2
Otto runs
Otto run?run=alpha-1
Otto run?run=beta-1
Otto board
Otto board.csv
Otto board.tex
Otto board/print
Otto people
Otto assignments
Otto assignments/list
Otto submissions
Otto submit/receipt?run=beta-1
Otto settings
Otto training
Otto guidelines
Otto preview?topic=1
Otto search?topic=1
Otto add/runs
Otto add/documents
Otto add/topics
Otto add/samples
Otto judgments?topic=1&look=broken
Otto pair?topic=1&document=d/25%3Fq%3D1
Otto pair?topic=1&document=d/32%3Fq%3D1
Otto pair?topic=1&document=doc-49
Otto pair?topic=4&document=%C3%9Cn%C3%AFcode_33
Otto pair?topic=1&document=%C3%9Cn%C3%AFcode_19
Otto download/qrels
Otto download/hours
Otto agreement/effect
Otto simulation
Otto history
Otto publish
Paul submit
Paul own-runs
Paul submit/receipt?run=alpha-1
Olga submissions
Wilma pair?topic=1&document=doc-49
anna guidelines
anna practice
anna practice?topic=1&document=FT911-29
anna practice/document?topic=1&document=FT911-29
anna history
anna work
anna work/hours.csv
anna judge?topic=1
anna api/queue?topic=2
anna api/preferences
anna api/document?topic=1&document=doc-49
ben judge?topic=1
ben judge?topic=2
ben judge?topic=5
""".strip().splitlines()
"""Of the campaign as a shared task goes on with it."""

SKIPPED = {"style", "svg", "template", "head", "noscript"}
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
def clients(messy: Path, task: Path) -> Iterator[dict[str, FlaskClient]]:
    """A client for each person who looks at something; all of them only read."""
    names = sorted({line.split()[0] for line in [*PAGES, *TASK]})
    with open_accounts(messy.parent) as accounts:
        for name in names:
            add_account(accounts, name, f"the password of {name}", now=NOW)
        tokens = {name: begin_session(accounts, name, now=datetime.now(UTC)) for name in names}
    app = create_app(messy.parent)
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


def as_lines(value: Any, depth: int = 3) -> str:
    """JSON with a line for each value down to some depth, and what is deeper on one line."""
    if not depth or not isinstance(value, dict | list) or not value:
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, list):
        return "[\n" + ",\n".join(as_lines(each, depth - 1) for each in value) + "\n]"
    return (
        "{\n"
        + ",\n".join(f"{json.dumps(key)}: {as_lines(each, depth - 1)}" for key, each in value.items())
        + "\n}"
    )


def said(page: html.HtmlElement) -> str:
    """A page as lines of what it says: its texts, and what links, fields and buttons have; a table's row is a line."""
    lines = list(_said(page))
    return EDITION.sub("/static/(edition)/", BY_CHANCE.sub("(an id)", "\n".join(lines) + "\n"))


def _said(element: html.HtmlElement) -> Iterator[str]:
    if not isinstance(element.tag, str) or element.tag in SKIPPED:
        return
    if element.tag == "script":
        if element.get("type") == "application/json":
            yield as_lines(json.loads(element.text))
        return
    found = list(_in(element))
    yield from [" | ".join(found)] if element.tag == "tr" else found


def _in(element: html.HtmlElement) -> Iterator[str]:
    if element.get("name") != "csrf_token":
        yield from (f"  {key}: {element.get(key)}" for key in SAID if element.get(key))
    if element.text and element.text.strip():
        yield " ".join(element.text.split())
    for child in element:
        yield from _said(child)
        if child.tail and child.tail.strip():
            yield " ".join(child.tail.split())


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
        yield from (f"  {listing.looks_in}: {listing.text(row)}"[:200] for row in rows[:3])


@pytest.mark.parametrize("line", PAGES)
def test_a_page_says_what_it_said(
    clients: dict[str, FlaskClient], as_recorded: AsRecorded, lists: Lists, line: str
) -> None:
    compare(clients, as_recorded, lists, "eventful", line)


@pytest.mark.parametrize("line", LONG)
def test_a_page_with_long_lists_says_what_it_said(
    clients: dict[str, FlaskClient], as_recorded: AsRecorded, lists: Lists, line: str
) -> None:
    compare(clients, as_recorded, lists, "messy", line)


@pytest.mark.parametrize("line", TASK)
def test_a_page_of_a_task_under_way_says_what_it_said(
    clients: dict[str, FlaskClient], as_recorded: AsRecorded, lists: Lists, task: Path, line: str
) -> None:
    compare(clients, as_recorded, lists, task.stem, line)


def test_the_title_of_a_page_is_its_name_and_its_campaign(clients: dict[str, FlaskClient]) -> None:
    titles = {}
    for line in TASK:
        who, address = line.split()
        answer = clients[who].get(f"/c/task/{address}")
        if answer.status_code == 200 and answer.mimetype == "text/html" and "document?" not in address:
            titles[address] = html.fromstring(answer.text).findtext("head/title")
    assert not [title for title in titles.values() if not title.endswith(" · A settled campaign")]
    assert titles["runs"] == "Runs · A settled campaign"


def compare(
    clients: dict[str, FlaskClient], as_recorded: AsRecorded, lists: Lists, campaign: str, line: str
) -> None:
    who, address = line.split()
    answer = clients[who].get(f"/c/{campaign}/{address}")
    if answer.is_json:
        shown = f"{as_lines(answer.get_json())}\n"
    elif answer.mimetype == "text/html":
        page = html.fromstring(answer.text)
        for masthead in page.find_class("masthead") * (answer.status_code == 200):
            as_recorded(f"pages_of_{campaign}/masthead_of_{who}.txt", said(masthead))
            masthead.drop_tree()
        shown = said(page)
    else:
        shown = answer.text
    shown += "".join(f"{each.rstrip()}\n" for listing, rows in lists for each in described(listing, rows))
    name = re.sub(r"[^a-z0-9.-]+", "_", unquote(f"{who} {address}"), flags=re.IGNORECASE)
    as_recorded(f"pages_of_{campaign}/{name}.txt", f"status {answer.status_code}\n{shown}")


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


@pytest.mark.parametrize("name", sorted(load_figures()))
def test_a_figure_shows_what_it_showed(
    clients: dict[str, FlaskClient], as_recorded: AsRecorded, name: str
) -> None:
    answer = clients["Otto"].get(f"/c/eventful/figures/{name}.json?{FIGURES.get(name, '')}")
    shown = answer.get_json()
    shown = {key: shown[key] for key in shown if key not in {"config", "usermeta"}}
    as_recorded(f"figures/{name}.txt", f"status {answer.status_code}\n{as_lines(shown)}\n")


def test_the_description_of_the_interface_says_what_it_said(
    clients: dict[str, FlaskClient], as_recorded: AsRecorded
) -> None:
    with clients["Otto"].get("/api/openapi.json") as answer:
        said = answer.get_json()
    del said["info"]["version"]
    as_recorded("openapi.txt", f"{as_lines(said, depth=5)}\n")


def test_nothing_is_recorded_of_a_figure_that_there_is_no_more() -> None:
    assert {path.stem for path in (HERE / "figures").iterdir()} <= load_figures().keys()
