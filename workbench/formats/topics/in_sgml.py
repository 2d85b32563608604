"""Topics between `<top>` and `</top>` as TREC, FIRE and others write them, with closed or unclosed tags.

Also the older ways: `<DOC><DOCNO>` with the topic as plain text (CACM), and `.I`/`.W` records (Cranfield).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from workbench.formats.text.markup import decode_references, smart_records, without_comments
from workbench.formats.topics.fields import RawTopic, is_usual

TOP = re.compile(r"<top(?:\s[^<>]*)?>(.*?)(?=</top\s*>|<top(?:\s[^<>]*)?>|\Z)", re.IGNORECASE | re.DOTALL)
DOC = re.compile(r"<doc(?:\s[^<>]*)?>(.*?)(?=</doc\s*>|<doc(?:\s[^<>]*)?>|\Z)", re.IGNORECASE | re.DOTALL)
ATTRIBUTE = re.compile(r"""(?<![\w:.-])([A-Za-z_:][\w:.-]*)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))""")
DOCNO_START, DOCNO_END = re.compile(r"<docno>", re.IGNORECASE), re.compile(r"</docno>", re.IGNORECASE)
TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9_-]*)(?:\s[^<>]*)?>")
INLINE = {"p": "\n\n", "br": "\n", **dict.fromkeys(("b", "i", "em", "strong", "u", "sub", "sup", "a"), "")}
LABELS = {
    "num": r"number|num",
    "title": r"topic|title",
    "desc": r"description",
    "narr": r"narrative",
    "smry": r"summary",
    "dom": r"domain",
    "con": r"concepts?\s*(?:\(s\))?",
    "fac": r"factors?\s*(?:\(s\))?",
    "def": r"definitions?\s*(?:\(s\))?",
    "nat": r"nationality",
}
LABEL = {
    tag: re.compile(rf"\s*(?:{words})\s*:", re.IGNORECASE)
    for tag, words in LABELS.items()
}  # fmt: skip

DEEPEST = 50  # elements inside one another, of which an end tag may end several

PARTS = re.compile(r"<(?:text|body|author|headline|dochdr|html|bib)\b", re.IGNORECASE)
"""What is inside the documents of a collection, and not inside a topic."""


def holds_tops(text: str) -> bool:
    """Whether the text has topics in `<top>` elements."""
    return TOP.search(text) is not None


def read_tops(text: str) -> Iterator[RawTopic]:
    """The `<top>` elements of a text."""
    text = without_comments(text)
    lines = _Lines(text)
    for match in TOP.finditer(text):
        head = match[0][: match.start(1) - match.start()]
        attributes = [(name, decode_references("".join(value))) for name, *value in ATTRIBUTE.findall(head)]
        yield RawTopic(lines.at(match.start()), (*_elements(match[1]), *attributes))


def holds_documents(text: str) -> bool:
    """Whether `<DOC>` elements are those of a collection: topics written like documents have no parts."""
    return PARTS.search(text) is not None


def read_docs(text: str) -> Iterator[RawTopic]:
    """Topics written like documents: `<DOCNO>` is the id, all other text the title."""
    text = without_comments(text)
    lines = _Lines(text)
    for match in DOC.finditer(text):
        pairs = dict(_elements(match[1]))
        number = pairs.pop("docno", "")
        title = decode_references(TAG.sub(" ", _outside_docno(match[1])))
        yield RawTopic(lines.at(match.start()), (("docno", number), ("title", title)))


def _outside_docno(text: str) -> str:
    """The text without its closed `docno` elements."""
    pieces = []
    at = 0
    while (opening := DOCNO_START.search(text, at)) and (closing := DOCNO_END.search(text, opening.end())):
        pieces.append(text[at : opening.start()])
        at = closing.end()
    return "".join([*pieces, text[at:]])


def read_smart(text: str) -> Iterator[RawTopic]:
    """`.I`/`.W` records: the number as it is written after `.I`, the text after `.W` as the title."""
    names = {"W": "title", "T": "heading", "A": "author", "B": "source", "K": "keywords"}
    for record in smart_records(text.split("\n")):
        pairs = tuple((names.get(name, name.lower()), value) for name, value in record.parts)
        yield RawTopic(record.line, (("num", record.number), *pairs))


class _Lines:
    """The line of a place in a text; places must be asked for in ascending order."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._line = 1

    def at(self, place: int) -> int:
        self._line += self._text.count("\n", self._at, place)
        self._at = place
        return self._line


def _elements(inside: str) -> Iterator[tuple[str, str]]:
    """The elements inside a topic: each runs to its end, or to the next tag if it has none.

    Inline markup is text, and so is an element in the middle of another one's text.
    """
    ends = {tag[2].lower(): tag.start() for tag in TAG.finditer(inside) if tag[1]}
    opened: list[tuple[str, list[str]]] = []
    inline = Counter[str]()
    at = 0
    for tag in TAG.finditer(inside):
        name = tag[2].lower()
        if _is_text(tag, ends):
            continue
        if opened:
            pieces, texts = opened[-1][1], (inside[at : tag.start()], INLINE.get(name, ""))
            pieces.extend(text for text in texts if pieces or text.strip())  # it begins with no blank
        at = tag.end()
        if name in INLINE:
            continue
        if tag[1] and inline[name]:
            inline[name] -= 1
        elif tag[1]:
            yield from _closed(opened, name)
        else:
            while opened and ends.get(opened[-1][0], -1) < at:
                yield _element(opened.pop())
            if opened and opened[-1][1] and name in ends:
                inline[name] += 1
            else:
                opened.append((name, []))
    if opened:
        opened[-1][1].append(inside[at:])
    yield from (_element(each) for each in reversed(opened))


def _is_text(tag: re.Match[str], ends: Mapping[str, int]) -> bool:
    """Whether angle brackets belong to a word, as in vector<int>: no field is called so, and nothing ends it."""
    name, before = tag[2].lower(), tag.string[max(tag.start() - 1, 0) : tag.start()]
    known = name in INLINE or name in ends or is_usual(name)
    return not tag[1] and not known and before not in ("", ">") and not before.isspace()


def _closed(opened: list[tuple[str, list[str]]], name: str) -> Iterator[tuple[str, str]]:
    """The elements that an end tag ends: those inside the one that it names, and that one."""
    while opened:
        element = opened.pop()
        yield _element(element)
        if element[0] == name or all(other != name for other, _ in opened[-DEEPEST:]):
            return


def _element(element: tuple[str, list[str]]) -> tuple[str, str]:
    name, pieces = element
    return name, _cleaned(name, "".join(pieces))


def _cleaned(name: str, value: str) -> str:
    """A value without the label that the older topics repeat (`Number:`, `Description:`), references decoded."""
    value = decode_references(value)
    label = LABEL.get(name)
    if label is not None and (found := label.match(value)):
        value = value[found.end() :]
    return _number(value) if name == "num" else value


def _number(value: str) -> str:
    """`Topic 301` and `CLEF C301` are 301 and C301: words without a digit before the id are no part of it."""
    words = value.split()
    if len(words) > 1 and not any(any(map(str.isdigit, word)) for word in words[:-1]):
        return words[-1]
    return value
