"""Topics in JSON: lines of objects, an array of objects, or an object of topics by id; and parquet as such lines."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping

from workbench.formats.text.column_names import with_index
from workbench.formats.text.content import BATCH_ROWS, reading_parquet
from workbench.formats.text.files import refused
from workbench.formats.text.json_values import JsonValue, Placed, json_objects
from workbench.formats.topics.fields import IDS, RawTopic, names_an_id, shown_names, topic_from

CONTAINERS = ("topics", "queries", "questions", "data")
MOST_BYTES = 256 * 1024 * 1024

TURNS_NAMES = ("turn", "turns", "utterances")
TURN_ID_NAMES = ("number", "turn_id", "turn_number", "id")
SAID_NAMES = ("utterance", "raw_utterance", "query", "question", "text")
ANSWER_NAMES = ("response", "passage", "answer")


def read_json(text: str, file: str, *, per_turn: bool = False) -> Iterator[RawTopic]:
    """The topics of a JSON text; nested objects lend their fields where the outer one lacks them.

    With `per_turn` each turn of a conversation is a topic, with what was said before.
    """
    for line, value in _topic_objects(text, file):
        if not isinstance(value, dict):
            raise refused(file, "each topic must be a JSON object with an id and a title", line)
        pairs = tuple(_pairs(value))
        if not names_an_id(name for name, _ in pairs):
            fields = shown_names(value)
            message = f"no topic id: name it qid, id, topic_id or num; the fields are {fields}"
            raise refused(file, message, line)
        if per_turn and _turns(value):
            yield from (RawTopic(line, tuple(turn)) for turn in _by_turn(value))
        else:
            yield RawTopic(line, pairs)


def turn_ids(text: str, file: str) -> list[str]:
    """The ids that the turns of conversations have as topics; none where a file has no conversations."""
    objects = (value for _, value in _topic_objects(text, file) if isinstance(value, dict))
    return [dict(turn)["qid"] for value in objects if _turns(value) for turn in _by_turn(value)]


def _turns(topic: Mapping[str, JsonValue]) -> list[Mapping[str, JsonValue]]:
    """The turns of a conversation, each with something said; none where the topic is no conversation."""
    found: list[JsonValue] = next(
        (topic[name] for name in TURNS_NAMES if isinstance(topic.get(name), list)), []
    )
    said = all(isinstance(turn, dict) and _first(turn, SAID_NAMES) for turn in found)
    return found if said else []


def _by_turn(topic: Mapping[str, JsonValue]) -> Iterator[list[tuple[str, str]]]:
    """The fields of each turn as a topic: `81_2` is the second turn of conversation 81."""
    whole = [(name, text) for name, text in _pairs({k: v for k, v in topic.items() if k not in TURNS_NAMES})]
    conversation = topic_from(whole)
    before: list[str] = []
    for place, turn in enumerate(_turns(topic), start=1):
        said = _first(turn, SAID_NAMES)
        turn_id = _first(turn, TURN_ID_NAMES) or str(place)
        own = [(name, text) for name, text in _pairs(turn) if name not in (*TURN_ID_NAMES, *SAID_NAMES)]
        yield [
            ("qid", f"{conversation.topic_id}_{turn_id}"),
            ("title", said),
            ("conversation before", "\n".join(before)),
            ("conversation", conversation.title),
            *own,
        ]
        before += [f"{turn_id}: {said}", *filter(None, [_first(turn, ANSWER_NAMES)])]


def _first(turn: Mapping[str, JsonValue], names: tuple[str, ...]) -> str:
    return next((str(turn[name]).strip() for name in names if isinstance(turn.get(name), str)), "")


def _topic_objects(text: str, file: str) -> Iterator[Placed]:
    """The objects that are topics; a file of one object may hold them in a list or by their ids."""
    values = json_objects(io.BytesIO(text.encode()), file)
    first = next(values, None)
    if first is None:
        return
    line, whole = first
    second = next(values, None)
    if second is None and isinstance(whole, dict):
        yield from ((line, value) for value in _unfolded(whole))
        return
    yield first
    if second is not None:
        yield second
    yield from values


def _unfolded(whole: dict[str, JsonValue]) -> list[JsonValue]:
    """The topics of a single object: itself, the list in it, or its members by id."""
    if names_an_id(whole):
        return [whole]
    for name in CONTAINERS:
        if isinstance(inner := whole.get(name), list | dict):
            return inner if isinstance(inner, list) else _by_id(inner)
    if whole and all(map(_maps_an_id, whole.items())):
        return _by_id(whole)
    return [whole]


def _maps_an_id(member: tuple[str, JsonValue]) -> bool:
    """Whether a member of an object is a topic under its id, and no field of a topic: such ids hold a digit."""
    key, value = member
    return isinstance(value, str | dict) and any(map(str.isdigit, key))


def _by_id(members: dict[str, JsonValue]) -> list[JsonValue]:
    return [
        {"qid": key, **value} if isinstance(value, dict) else {"qid": key, "title": value}
        for key, value in members.items()
    ]


def _pairs(topic: Mapping[str, JsonValue]) -> Iterator[tuple[str, str]]:
    """The texts of an object: its own, then those of objects inside it. Lists of texts are joined by lines.

    Of a list of objects each is a field of its own.
    """
    nested = []
    for name, value in topic.items():
        if isinstance(value, dict):
            nested.append(value)
        elif isinstance(value, str):
            yield name, str(value)
        elif isinstance(value, bool):
            yield name, str(value).lower()
        elif isinstance(value, list) and value and all(type(item) is str for item in value):
            yield name, "\n".join(value)
        elif isinstance(value, list) and value and all(map(_is_named_value, value)):
            yield from ((str(item["name"]), str(item["value"])) for item in value)
        elif isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
            for place, item in enumerate(value, start=1):
                yield f"{name} {place}", "\n".join(f"{key}: {text}" for key, text in _pairs(item))
    for value in nested:
        yield from _pairs(value)


def _is_named_value(item: JsonValue) -> bool:
    """Whether this is a field as `{"name": "age", "value": "65"}`."""
    return (
        isinstance(item, dict)
        and item.keys() == {"name", "value"}
        and all(isinstance(text, str) for text in item.values())
    )


def parquet_as_json_lines(data: bytes, file: str) -> bytes:
    """The rows of a parquet file as objects, one a line; InputError for one that is damaged or unpacks to too much."""
    import polars

    lines = io.BytesIO()
    with reading_parquet(file):
        for batch in polars.scan_parquet(io.BytesIO(data)).collect_batches(chunk_size=BATCH_ROWS):
            batch.columns = with_index(batch.columns, IDS)
            batch.write_ndjson(lines)
            if lines.tell() > MOST_BYTES:
                most = f"{MOST_BYTES // 1024 // 1024} MiB"
                raise refused(file, f"more than {most} of topics; is this a file of documents?")
    return lines.getvalue()
