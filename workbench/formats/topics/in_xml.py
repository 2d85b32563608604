"""Topics in XML of any make: each topic is an element with an id, its children (or attributes) are its fields.

Read with entities unresolved and without the network. A file that declares entities of its own is refused.
Files with several root elements, bare `&` or HTML's entity names are read as they are meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from workbench.formats.text.files import refused
from workbench.formats.text.markup import decode_references
from workbench.formats.topics.fields import ID_NAMES, RawTopic, is_usual

if TYPE_CHECKING:
    from lxml import etree  # type: ignore[import-untyped]

TOPIC_TAGS = ("topic", "query", "question", "top", "item", "entry")
PROLOGUE = re.compile(r"\s*(?:<\?xml[^>]*\?>|<!--.*?-->|<!DOCTYPE[^<>\[]*(?:\[.*?\]\s*)?>|\s)*", re.DOTALL)
ENTITY = re.compile(r"<!ENTITY\s", re.IGNORECASE)
REFERENCE = re.compile(r"&(?:amp|lt|gt|quot|apos|#[0-9]+|#x[0-9a-fA-F]+);")
LITERAL_CDATA = re.compile(r"\s*<!\[CDATA\[(.*)\]\]>\s*", re.DOTALL)
LONGEST_TYPE = 40
GENERIC_TAGS = ("field", "attribute", "property", "param", "column", "meta", "value")
"""Elements that are called by their attribute `name` (or `key`, or `label`)."""

TAG = re.compile(r"<[^!?<][^<]*")
ATTRIBUTE = re.compile(r"""=\s*+["']""")
MOST_ATTRIBUTES = 1_000
RUN_ATTRIBUTES = ({"rank", "docid"}, {"rank", "docno"})


def read_xml(text: str, file: str) -> Iterator[RawTopic]:
    """The topics of an XML text. Raises `InputError` for malformed XML, entities, runs, and XML without topics."""
    root = _parse(text, file)
    topics = _topic_elements(root)
    if not topics:
        message = (
            "XML without topics: no element has an id (an attribute or a child such as number, num, qid, id)"
        )
        raise refused(file, message)
    within = [{str(name).lower() for name in element.attrib} for element in topics[0].iter("*")]
    if any(names <= attributes for attributes in within for names in RUN_ATTRIBUTES):
        message = "this is a run in XML, not topics: convert it to lines of six columns and add it as a run"
        raise refused(file, message, topics[0].sourceline)
    for topic in topics:
        yield RawTopic(topic.sourceline, tuple(_pairs(topic)))


def _parse(text: str, file: str) -> etree._Element:
    """The root of the text, put into one more element so that several roots do no harm."""
    from lxml import etree

    prologue = PROLOGUE.match(text)
    head = prologue[0] if prologue else ""
    if declared := ENTITY.search(text):
        line = text.count("\n", 0, declared.start()) + 1
        message = "the file declares entities of its own (<!ENTITY ...>), which are not read: write them out"
        raise refused(file, message, line)
    _refuse_crowded_tags(text, file)
    body = "\n" * head.count("\n") + text[len(head) :]
    try:
        return _root(body)
    except etree.XMLSyntaxError as first:
        try:
            return _root(_repaired(body))
        except etree.XMLSyntaxError:
            reason = re.sub(r", line \d+, column \d+.*$", "", first.msg or "it cannot be parsed")
            message = f"malformed XML: {reason}; repair it, or save the topics as .tsv or .jsonl"
            raise refused(file, message, first.lineno) from first


def _refuse_crowded_tags(text: str, file: str) -> None:
    """InputError for a tag with thousands of attributes, of which a parser compares each with all others.

    A value holds no <, so that a tag ends before the next one.
    """
    for tag in TAG.finditer(text):
        if tag[0].count("=") > MOST_ATTRIBUTES and len(ATTRIBUTE.findall(tag[0])) > MOST_ATTRIBUTES:
            line = text.count("\n", 0, tag.start()) + 1
            message = (
                f"a tag with more than {MOST_ATTRIBUTES:,} attributes; topics have a few, repair the file"
            )
            raise refused(file, message, line)


def _root(body: str) -> etree._Element:
    from lxml import etree

    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, huge_tree=False, load_dtd=False, encoding="utf-8"
    )
    return etree.fromstring(f"<topics>{body}</topics>".encode(errors="replace"), parser)


def _repaired(body: str) -> str:
    """The text with bare `&` escaped and HTML's names of characters replaced."""
    pieces = []
    at = 0
    for ampersand in re.finditer("&", body):
        start = ampersand.start()
        pieces.append(body[at:start])
        at = start + 1
        if REFERENCE.match(body, start):
            pieces.append("&")
        elif named := re.compile(r"&[A-Za-z][A-Za-z0-9]{1,31};").match(body, start):
            decoded = decode_references(named[0])
            pieces.append(decoded if decoded != named[0] else "&amp;" + named[0][1:])
            at = named.end()
        else:
            pieces.append("&amp;")
    return "".join([*pieces, body[at:]])


def _topic_elements(root: etree._Element) -> list[etree._Element]:
    """The outermost elements that are topics: of a usual name and with an id; else any siblings that have ids.

    A collection or a group of topics may have an id too; then the topics in it are found.
    """
    found: list[etree._Element] = []
    for element in root.iter("*"):
        if _name(element) in TOPIC_TAGS and _has_id(element) and not _inside(element, found):
            found.append(element)
    if found:
        return found
    siblings = next(
        (ids for parent in root.iter("*") if (ids := [child for child in parent if _has_id(child)])), []
    )
    while siblings and all(map(_wraps_topics, siblings)):
        siblings = [child for wrapper in siblings for child in wrapper if _has_id(child)]
    return siblings


def _wraps_topics(element: etree._Element) -> bool:
    """Whether all that an element holds is elements of one name with ids and fields of their own."""
    children = list(element.iterchildren("*"))
    names = {_name(child) for child in children}
    return len(names) == 1 and all(
        _has_id(child) and len(child) + len(child.attrib) > 1 for child in children
    )


def _inside(element: etree._Element, found: list[etree._Element]) -> bool:
    return bool(found) and any(above is found[-1] for above in element.iterancestors())


def _has_id(element: etree._Element) -> bool:
    if not isinstance(element.tag, str):
        return False
    names = {name.lower() for name in map(str, element.attrib)} | {_name(child) for child in element}
    return any(name in ID_NAMES for name in names if name not in ("topic", "query"))


def _name(element: etree._Element) -> str:
    """The tag without its namespace, in lower case; '' for comments and the like."""
    return _local(element.tag) if isinstance(element.tag, str) else ""


def _pairs(topic: etree._Element) -> Iterator[tuple[str, str]]:
    """Attributes, then the elements inside, outer before inner; of several languages the first is the main one."""
    for attribute, value in topic.attrib.items():
        yield _local(str(attribute)), str(value)
    if (topic.text or "").strip():
        yield "title", "".join(topic.itertext("*"))
        return
    yield from _inner(topic, {})


def _inner(parent: etree._Element, seen: dict[str, int]) -> Iterator[tuple[str, str]]:
    """The elements inside one; those with text around their children are text as a whole."""
    nested = []
    for element in parent.iterchildren("*"):
        mixed = [element.text, *(child.tail for child in element)]
        if len(element) and not any(text and text.strip() for text in mixed):
            nested.append(element)
        else:
            yield _field_name(element, seen), _without_cdata("".join(element.itertext("*")))
    for element in nested:
        yield from _inner(element, seen)


def _field_name(element: etree._Element, seen: dict[str, int]) -> str:
    """`age` for `<field name="age">`, `subtopic 2 (inf)` for a numbered element of a type, `narrative (ja)` for a
    second language, else the tag.

    The first of a name that topics usually have keeps it: the id of a title is no part of what the field is called.
    """
    name = _name(element)
    attributes = {_local(str(key)): str(value) for key, value in element.attrib.items()}
    called = next((attributes[key] for key in ("name", "key", "label") if attributes.get(key)), "")
    if called.strip() and name in GENERIC_TAGS:
        return called
    number = attributes.get("number") or attributes.get("id")
    language = attributes.get("lang")
    first = name not in seen
    seen[name] = seen.get(name, 0) + 1
    if number and not (first and is_usual(name)):
        kind = attributes.get("type", "").strip()[:LONGEST_TYPE]
        return f"{name} {number} ({kind})" if kind else f"{name} {number}"
    if language and not first:
        return f"{name} ({language.lower()})"
    return name


def _local(name: str) -> str:
    return name.rpartition("}")[2].lower()


def _without_cdata(text: str) -> str:
    """Text whose CDATA brackets were escaped along with the rest, without them."""
    wrapped = LITERAL_CDATA.fullmatch(text)
    return wrapped[1] if wrapped else text
