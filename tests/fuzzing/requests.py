"""Requests to every address of the URL map, with what nobody would type in every field."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from inspect import getsource, unwrap
from pathlib import Path
from sys import modules
from typing import Any, NamedTuple
from urllib.parse import quote

from flask import Flask
from hypothesis import strategies as st

from tests.fuzzing.good_files import DOCUMENTS, RUN, TOPICS
from tests.fuzzing.mutations import NASTY, mutated
from workbench.analysis.figures.registry import FIGURES

TEMPLATES = Path(__file__).resolve().parents[2] / "templates"
FIELD = re.compile(r"""name=["']([\w-]+)["']""")
ASKED_FOR = re.compile(r"""(?:\.get|\.getlist|\.read)\(\s*"([\w-]+)"|"([\w-]+)" (?:not )?in |"([a-z_]+)": """)
PLACE = re.compile(r"<(?:any\((?P<choice>[^)]*)\):|\w+:)?(?P<name>\w+)>")
WORD = re.compile(r"[\w@.,():= -]{1,30}")

_MEANT_BY = {
    "1 2 10": "topic topic_id topics by_topic",
    "d1 d2 d4 d6": "document document_id same_as",
    "alpha beta alpha,beta": "run runs one two tag base baseline",
    "AP nDCG@10 P(rel=2)@5 AP(mean=geometric)": "measure m measures",
    "0 1 20 21 99": "as_of at seq one_at two_at since",
    "Olga Ben Carla": "assessor first second name account",
    "0 1 2": "pool version topic_version guideline_version page depth grade",
    "svg json png html": "ending",
    "small": "campaign",
}
THERE = {name: words.split() for words, names in _MEANT_BY.items() for name in names.split()}
"""What there is in the campaign that is asked about, by the names of fields that may mean it."""

FOUND = sorted({word for words in THERE.values() for word in words})
ODD = [
    *(word for word in NASTY if len(word) < 1_000),
    b"x" * 3_000,
    b"2026-13-45",
    b"0:No,1:Yes",
    b"<script>",
]
HEADERS = {
    "Accept": ["text/html", "application/json", "*/*;q=x", "x"],
    "If-None-Match": ['"x"', "*", "\x7f"],
    "If-Modified-Since": ["x", "Thu, 01 Jan 1970 00:00:00 GMT", "Fri, 31 Dec 99999 00:00:00 GMT"],
    "Range": ["bytes=0-1", "bytes=9-1", "x"],
    "Accept-Language": ["de", "*;q=9"],
    "X-Account": ["Olga", "Olga", "Olga", "%ff"],
}


UP_TO_FIVE = st.integers(0, 5)


class Request(NamedTuple):
    """A request: where to, how, and what it carries."""

    method: str
    address: str
    body: bytes
    headers: Mapping[str, str]


@dataclass(frozen=True, eq=False)
class Door:
    """A route with one of its methods, the names of fields that its module asks for, and the words that it knows."""

    method: str
    rule: str
    names: tuple[str, ...]
    words: tuple[str, ...]


def doors(app: Flask) -> list[Door]:
    """Every route of the application with every method but those that Flask adds, in a fixed order."""
    found = [
        Door(method, rule.rule, *_names_and_words(app.view_functions[rule.endpoint]))
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"OPTIONS", "HEAD"}
    ]
    return sorted(found, key=lambda door: (door.rule, door.method))


def _names_and_words(view: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What stands in a view's module and in those of the same package that it imports from."""
    home = unwrap(view).__module__
    parts = vars(modules[home]).values()
    known = {str(getattr(part, "__module__", None) or getattr(part, "__name__", "")) for part in parts}
    ours = {name for name in {home} | known if name.startswith("workbench.web") and name in modules}
    texts = [getsource(modules[name]) for name in sorted(ours)]
    names = {name for text in texts for found in ASKED_FOR.findall(text) for name in found if name}
    words = {word for text in texts for word in _words(text)} | set(FIGURES if "figures" in home else ())
    return tuple(sorted(names | (THERE.keys() & words))), tuple(sorted(words | _fields()))


def _words(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and WORD.fullmatch(node.value):
            yield node.value


def _fields() -> set[str]:
    return {
        name for path in TEMPLATES.rglob("*.html") for name in FIELD.findall(path.read_text(encoding="utf-8"))
    }


@cache
def values(door: Door, name: str) -> st.SearchStrategy[bytes]:
    """What may stand in a field: what there is, a known word, something odd, or any text."""
    there = st.sampled_from([word.encode() for word in THERE.get(name, FOUND)])
    known = st.sampled_from([word.encode() for word in door.words])
    odd = st.sampled_from(ODD) | st.text(max_size=8).map(lambda text: text.encode())
    return st.one_of(there, there, there, there, known, odd)


@cache
def names(door: Door) -> st.SearchStrategy[str]:
    """What fields are called: mostly as those that are asked for."""
    asked_for = st.sampled_from(door.names or door.words)
    return st.one_of(asked_for, asked_for, asked_for, st.sampled_from(door.words))


@st.composite
def pairs(draw: st.DrawFn, door: Door) -> list[tuple[str, bytes]]:
    """Some fields of a form or an address: mostly those that are asked for, often what says what it is about."""
    chosen = [draw(names(door)) for _ in range(draw(UP_TO_FIVE))]
    about = [name for name in ("topic", "document", "run") if name in door.names and draw(UP_TO_FIVE)]
    return [(name, draw(values(door, name))) for name in [*about, *chosen]]


def encoded(fields: list[tuple[str, bytes]]) -> bytes:
    """Fields as a form sends them."""
    return "&".join(f"{quote(name)}={quote(value)}" for name, value in fields).encode()


@st.composite
def addresses(draw: st.DrawFn, door: Door) -> str:
    """The route with something in each of its places, and with a query now and then."""

    def fill(place: re.Match[str]) -> str:
        if place["name"] == "campaign" and draw(st.integers(0, 30)):
            return "small"
        if place["choice"]:
            return draw(st.sampled_from(place["choice"].split(", ")))
        if place["name"] in {"name", "kind"}:
            return quote(draw(st.sampled_from(door.words)), safe="")
        return quote(draw(values(door, place["name"])), safe="")

    path = PLACE.sub(fill, door.rule)
    query = encoded(draw(pairs(door))).decode()
    return f"{path}?{query}" if query else path


@cache
def json_values(door: Door) -> st.SearchStrategy[Any]:
    """Any JSON value, with the names of known fields as keys."""
    words = st.sampled_from((*FOUND, *door.words)) | st.text(max_size=5)
    leaves = st.none() | st.booleans() | st.integers() | st.floats() | words
    return st.recursive(
        leaves,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names(door), inner, max_size=5),
        max_leaves=12,
    )


GOOD_FILES = [RUN, *TOPICS, *(data for _, data in DOCUMENTS)]
FILE_NAMES = ["a.run", "topics.tsv", "d.jsonl", "../../x", "", "x" * 400, "a.zip", "d.parquet"]
files = st.lists(
    st.tuples(
        mutated(GOOD_FILES), st.sampled_from(FILE_NAMES), st.sampled_from(["files", "files", "file", "qrels"])
    ),
    max_size=2,
)


@st.composite
def forms_with_files(draw: st.DrawFn, door: Door) -> tuple[bytes, str]:
    """A form with files, such as a browser sends it, or one that breaks off."""
    parts = [
        b'Content-Disposition: form-data; name="%s"\r\n\r\n%s\r\n' % (name.encode(), value)
        for name, value in draw(pairs(door))
    ]
    if not draw(ONE_IN_TEN):
        parts.append(b"Content-Disposition: form-data\r\n\r\nof no name\r\n")
    for data, name, field in draw(files):
        head = f'Content-Disposition: form-data; name="{field}"; filename="{name}"\r\n\r\n'
        parts.append(head.encode() + data + b"\r\n")
    body = b"".join(b"--xx\r\n" + part for part in parts) + b"--xx--\r\n"
    return (body if draw(ONE_IN_TEN) else body[: len(body) // 2]), "multipart/form-data; boundary=xx"


ONE_IN_TEN = st.integers(0, 9)
FORM = "application/x-www-form-urlencoded"
KINDS = st.sampled_from(["form", "form", "json", "json", "files", "noise"])
NOISE = st.tuples(
    st.sampled_from(NASTY) | st.binary(max_size=30),
    st.sampled_from(["application/json", FORM, "multipart/form-data", "text/plain; charset=x", "", "x"]),
)


@st.composite
def bodies(draw: st.DrawFn, door: Door) -> tuple[bytes, str]:
    """What a request carries, and what it says of its type: JSON for what takes JSON, mostly."""
    kind = draw(KINDS)
    if kind == "noise":
        return draw(NOISE)
    if kind == "json" or "/api/" in door.rule:
        return json.dumps(draw(json_values(door))).encode(), "application/json"
    return draw(forms_with_files(door)) if kind == "files" else (encoded(draw(pairs(door))), FORM)


header_lists = st.lists(
    st.sampled_from([(name, value) for name, choice in HEADERS.items() for value in choice]), max_size=2
)


@st.composite
def requests_to_any(draw: st.DrawFn, all_doors: Sequence[Door]) -> Request:
    """Any request to one of the routes."""
    door = draw(st.sampled_from(all_doors))
    body, kind = draw(bodies(door)) if door.method == "POST" else (b"", "")
    headers = dict(draw(header_lists)) | ({"Content-Type": kind} if kind else {})
    return Request(door.method, draw(addresses(door)), body, headers)


ANYTHING = ("9223372036854775808", "-1", "\0")
"""Beyond every integer of SQLite, below everything that is counted, and no text at all."""


def each_field(door: Door) -> Iterator[Request]:
    """A request for each field that a route's module asks for, with each of ANYTHING in it."""
    usual = {"campaign": "small", "kind": "topics", "name": "runs", "ending": "svg"}
    path = PLACE.sub(lambda place: usual.get(place["name"], "x"), door.rule)
    about = [(name, THERE[name][0].encode()) for name in ("topic", "document", "run") if name in door.names]
    for name in door.names:
        for value in ANYTHING:
            fields = encoded([(name, value.encode()), *(pair for pair in about if pair[0] != name)])
            if door.method == "POST":
                yield Request("POST", path, fields, {"Content-Type": FORM})
            else:
                yield Request("GET", f"{path}?{fields.decode()}", b"", {})
