"""Test collections that are named by their id in ir_datasets, such as `irds:cranfield`.

ir_datasets downloads what is not in its folder (IR_DATASETS_HOME), or says where to get it. Here documents and topics
become JSON lines, and qrels the lines of a TREC file, so that all are checked and read as files are.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any

from workbench.core.wording import none_such
from workbench.formats.text.encoding import declared_encoding, decode
from workbench.formats.text.unreadable import Unreadable

NEEDED = (
    "test collections are read by ir_datasets; install it: pip install 'relevance-workbench[collections]'"
)
TEXTS = frozenset(("text", "body", "contents", "abstract", "html"))
"""Fields that are a document's text wherever documents are read."""
LEFT_OUT = frozenset(("http_headers", "marked_up_doc"))
"""The same text once more with its tags, and what a web server said around it."""
LONGEST_REASON = 200


def document_lines(name: str) -> Generator[bytes]:
    """The documents of a collection, each a JSON object on a line. `Unreadable` if it has none, or they fail."""
    with _explained():
        for document in _part(name, "docs").docs_iter():
            yield json.dumps(_record(document), ensure_ascii=False).encode(errors="replace") + b"\n"


def topic_lines(name: str) -> Generator[bytes]:
    """The queries of a collection, each a JSON object on a line; errors as above."""
    with _explained():
        for query in _part(name, "queries").queries_iter():
            yield json.dumps(_record(query), ensure_ascii=False).encode(errors="replace") + b"\n"


def qrels_lines(name: str) -> Generator[bytes]:
    """The judgments of a collection as lines of four columns, the second its subtopic or 0; errors as above."""
    with _explained():
        for judged in _part(name, "qrels").qrels_iter():
            subtopic = getattr(judged, "subtopic_id", 0) or 0
            yield f"{judged.query_id} {subtopic} {judged.doc_id} {judged.relevance}\n".encode()


def _part(name: str, part: str) -> Any:
    """The collection of this id, if it has documents (`docs`), `queries` or `qrels`."""
    try:
        import ir_datasets
    except ModuleNotFoundError:
        raise Unreadable(NEEDED) from None
    try:
        collection = ir_datasets.load(name)
    except KeyError:
        known = sorted(ir_datasets.registry)
        raise Unreadable(none_such("collection", name, known, of="ir_datasets", shown=5)) from None
    if not collection.has(part):
        what = {"docs": "documents", "queries": "topics", "qrels": "qrels"}[part]
        raise Unreadable(f"this collection has no {what} in ir_datasets; name a larger or smaller part of it")
    return collection


def _record(document: Any) -> dict[str, Any]:
    record = {name: _plain(value) for name, value in document._asdict().items() if name not in LEFT_OUT}
    if "body_content_type" in record:
        record["media_type"] = record.pop("body_content_type")
    if not any(record.get(name) for name in TEXTS) and hasattr(document, "default_text"):
        record["text"] = document.default_text()
    return record


def _plain(value: Any) -> Any:
    """A value as JSON has it: named tuples as objects, bytes as text in the encoding that they declare."""
    if isinstance(value, bytes):
        return decode(value, declared_encoding(value)).text
    if hasattr(value, "_asdict"):
        return {name: _plain(inner) for name, inner in value._asdict().items()}
    if isinstance(value, dict):
        return {str(name): _plain(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    return value if value is None or isinstance(value, str | int | float) else str(value)


@contextmanager
def _explained() -> Iterator[None]:
    """Any failure of ir_datasets as `Unreadable`: its readers and downloads raise errors without a common base."""
    try:
        yield
    except Unreadable:
        raise
    except Exception as error:  # noqa: BLE001  (see above)
        reason = next(iter(str(error).splitlines()), "")[:LONGEST_REASON]
        message = (
            f"ir_datasets reports: {reason or type(error).__name__}; see https://ir-datasets.com for this id"
        )
        raise Unreadable(message) from None
