"""Requests to every address of the URL map, with what nobody would type in every field."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping
from inspect import getsource, unwrap
from pathlib import Path
from sys import modules
from typing import Any, NamedTuple
from urllib.parse import quote

from flask import Flask
from hypothesis import strategies as st

from .good_files import DOCUMENTS, RUN, TOPICS
from .mutations import NASTY, mutated

TEMPLATES = Path(__file__).resolve().parents[2] / "templates"
FIELD = re.compile(r"""name=["']([\w-]+)["']""")
PLACE = re.compile(r"<(?:any\((?P<choice>[^)]*)\):|\w+:)?(?P<name>\w+)>")
WORD = re.compile(r"[\w@.,():= -]{1,30}")

FOUND = "small 1 2 10 d1 d2 d6 alpha beta AP nDCG@10 P(rel=2)@5 Olga tag html json svg".split()
"""What there is in the campaign that is asked about."""

ODD = [
    *(word for word in NASTY if len(word) < 1_000),
    b"x" * 3_000,
    b"2026-13-45",
    b"0:No,1:Yes",
    b"/c/small/",
    b"<script>",
]
HEADERS = {
    "Accept": ["text/html", "application/json", "*/*;q=x", "x"],
    "If-None-Match": ['"x"', "*", "\x7f"],
    "If-Modified-Since": ["x", "Thu, 01 Jan 1970 00:00:00 GMT", "Fri, 31 Dec 99999 00:00:00 GMT"],
    "Range": ["bytes=0-1", "bytes=9-1", "x"],
    "Accept-Language": ["de", "*;q=9"],
    "X-Account": ["Olga", "%ff", "Anna"],
}


class Asked(NamedTuple):
    """A request: where to, how, and what it carries."""

    method: str
    address: str
    body: bytes
    headers: Mapping[str, str]


class Door(NamedTuple):
    """A route with one of its methods, and the words that its module knows."""

    method: str
    rule: str
    words: tuple[str, ...]


def doors(app: Flask) -> list[Door]:
    """Every route of the application with every method, in a fixed order."""
    return sorted(
        Door(method, rule.rule, _words(app.view_functions[rule.endpoint]))
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"OPTIONS"}
    )


def _words(view: Any) -> tuple[str, ...]:
    """The texts in a view's module and in those that it imports from: names of fields, and what they may hold."""
    home = unwrap(view).__module__
    known = {
        getattr(value, "__module__", None) or getattr(value, "__name__", "")
        for value in vars(modules[home]).values()
    }
    names = {home} | {name for name in known if isinstance(name, str) and name.startswith("workbench.web")}
    return tuple(sorted({word for name in names for word in _texts(name)} | _fields()))


def _texts(name: str) -> Iterator[str]:
    if name in modules and name.startswith("workbench."):
        for node in ast.walk(ast.parse(getsource(modules[name]))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and WORD.fullmatch(node.value):
                yield node.value


def _fields() -> set[str]:
    return {
        name for path in TEMPLATES.rglob("*.html") for name in FIELD.findall(path.read_text(encoding="utf-8"))
    }


def values(door: Door) -> st.SearchStrategy[bytes]:
    """What may stand in a field: a known word, something odd, or any text."""
    known = st.sampled_from([word.encode() for word in (*FOUND, *FOUND, *door.words)])
    return known | known | st.sampled_from(ODD) | st.text(max_size=8).map(lambda text: text.encode())


def pairs(door: Door) -> st.SearchStrategy[list[tuple[str, bytes]]]:
    """Some fields of a form or an address."""
    return st.lists(st.tuples(st.sampled_from(door.words), values(door)), max_size=5)


def encoded(fields: list[tuple[str, bytes]]) -> bytes:
    return "&".join(f"{quote(name)}={quote(value)}" for name, value in fields).encode()


@st.composite
def addresses(draw: st.DrawFn, door: Door) -> str:
    """The route with something in each of its places, and with a query now and then."""

    def fill(place: re.Match[str]) -> str:
        if place["name"] == "campaign" and draw(st.integers(0, 15)):
            return "small"
        if place["choice"]:
            return draw(st.sampled_from(place["choice"].split(", ")))
        return quote(draw(values(door)), safe="")

    path = PLACE.sub(fill, door.rule)
    query = encoded(draw(pairs(door))).decode()
    return f"{path}?{query}" if query else path


def json_values(door: Door) -> st.SearchStrategy[Any]:
    """Any JSON value, with the names of known fields as keys."""
    leaves = (
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats()
        | st.sampled_from((*FOUND, *door.words))
        | st.text(max_size=5)
    )
    return st.recursive(
        leaves,
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(door.words), inner, max_size=5)
        ),
        max_leaves=12,
    )


@st.composite
def forms_with_files(draw: st.DrawFn, door: Door) -> tuple[bytes, str]:
    """A form with files, such as a browser sends it, or one that breaks off."""
    parts = [
        b'Content-Disposition: form-data; name="%s"\r\n\r\n%s\r\n' % (name.encode(), value)
        for name, value in draw(pairs(door))
    ]
    for data in draw(st.lists(mutated([RUN, *TOPICS, *(data for _, data in DOCUMENTS)]), max_size=2)):
        name = draw(
            st.sampled_from(
                ["a.run", "topics.tsv", "d.jsonl", "../../x", "", "x" * 400, "a.zip", "d.parquet"]
            )
        )
        field = draw(st.sampled_from(["files", "file", "qrels"]))
        head = f'Content-Disposition: form-data; name="{field}"; filename="{name}"\r\n\r\n'
        parts.append(head.encode() + data + b"\r\n")
    body = b"".join(b"--xx\r\n" + part for part in parts) + b"--xx--\r\n"
    return (body if draw(st.integers(0, 9)) else body[: len(body) // 2]), "multipart/form-data; boundary=xx"


@st.composite
def bodies(draw: st.DrawFn, door: Door) -> tuple[bytes, str]:
    """What a request carries, and what it says of its type."""
    kind = draw(st.sampled_from(["form", "form", "json", "json", "files", "noise"]))
    if kind == "form":
        return encoded(draw(pairs(door))), "application/x-www-form-urlencoded"
    if kind == "json":
        return json.dumps(draw(json_values(door))).encode(), "application/json"
    if kind == "files":
        return draw(forms_with_files(door))
    types = [
        "application/json",
        "application/x-www-form-urlencoded",
        "multipart/form-data",
        "text/plain; charset=x",
        "",
        "x",
    ]
    return draw(st.sampled_from(NASTY) | st.binary(max_size=30)), draw(st.sampled_from(types))


@st.composite
def requests_to(draw: st.DrawFn, door: Door) -> Asked:
    """Any request to a route."""
    body, kind = draw(bodies(door)) if door.method == "POST" else (b"", "")
    names = draw(st.lists(st.sampled_from(sorted(HEADERS)), max_size=2, unique=True))
    headers = {name: draw(st.sampled_from(HEADERS[name])) for name in names}
    return Asked(door.method, draw(addresses(door)), body, headers | ({"Content-Type": kind} if kind else {}))
