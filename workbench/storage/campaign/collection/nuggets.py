"""Nugget banks of topics: each version whole, as an event of the log.

The content has the records of `formats.answers.banks` by their fields, without those that are as by default. What they
were read from (`given`) is kept once, as the text of the bank's JSON, and of a record in it as the number of its object
there. People who made something are `people`, named in the records by their place in that list: the log has ids for
them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

from workbench.core.errors import CampaignError
from workbench.core.values import LONGEST_NAME
from workbench.formats.answers.banks import Bank, BankFile, Creator, GoldAnswer, Nugget, Reference
from workbench.formats.text.json_values import JsonValue, json_of, loads
from workbench.formats.text.lines import shown
from workbench.storage.campaign.collection import topics
from workbench.storage.campaign.collection.changed_ids import id_tables, newest_id
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.log import kinds
from workbench.storage.campaign.log.log import Event, append_event, events
from workbench.storage.campaign.log.state import part

NUGGETS = kinds.NUGGETS
"""The kind of event that sets a topic's bank."""

LONGEST = 1_000
"""Characters of a text in a bank, but for the topic's own."""
MOST = 1_000
"""Nuggets of a topic, with those that others consist of."""
ID_DIGITS = 16

_INNER: Mapping[str, Callable[..., Any]] = {
    "nuggets": Nugget,
    "parts": Nugget,
    "answers": GoldAnswer,
    "references": Reference,
    "creators": Creator,
}
"""The fields that have records, and of which kind."""
_TYPES = {"is_question": bool, "proposed": bool, "is_human": bool, "line": int}
"""Those that have no text."""


class BankVersion(NamedTuple):
    """A topic's bank as one row of the log set it: its time, its author, and from which file, "" for the page."""

    seq: int
    at: str
    actor: str
    bank: Bank
    file: str = ""


@part(NUGGETS, start=dict)
def rows(found: dict[str, tuple[int, ...]], event: Event) -> None:
    """By topic the rows of the log that set its bank, oldest first."""
    topic_id = event.content["topic"]
    found[topic_id] = (*found.get(topic_id, ()), event.seq)


def topics_with_bank(campaign: Campaign) -> list[str]:
    """The topics that have a bank, without a nugget too, in byte order."""
    return sorted(rows(campaign))


def bank_of(campaign: Campaign, topic_id: str) -> Bank | None:
    """A topic's bank as of the campaign's row, with what is proposed only; None where it has none."""
    found = current(campaign, topic_id)
    return found and found.bank


def current(campaign: Campaign, topic_id: str) -> BankVersion | None:
    """The version of a topic's bank as of the campaign's row."""
    event = _newest(campaign, topic_id)
    return event and _version(campaign, event)


def versions(campaign: Campaign, topic_id: str, newest: int = 0) -> list[BankVersion]:
    """Every bank that a topic had, or so many of the newest, oldest first."""
    found = rows(campaign).get(topic_id, ())[-newest:]
    return [_version(campaign, event) for seq in found for event in events(campaign, NUGGETS, at=seq)]


def documents(campaign: Campaign) -> set[str]:
    """The documents to which nuggets of any topic refer, proposals too, by the ids that they have now."""
    banks = (bank_of(campaign, topic_id) for topic_id in topics_with_bank(campaign))
    references = (each for bank in banks for each in _records(bank) if isinstance(each, Reference))
    return {each.document_id for each in references}


def judged(bank: Bank) -> tuple[Nugget, ...]:
    """The nuggets about which answers are judged, in the order of the bank: those that are not only proposed."""
    return tuple(nugget for nugget in bank.nuggets if not nugget.proposed)


def put(
    campaign: Campaign, bank: Bank, *, file: str = "", container: Mapping[str, JsonValue] | None = None
) -> int:
    """Set a topic's bank inside the open write transaction; returns the event's `seq`.

    `file` is where it came from, "" for the page, and `container` the object of the file that has it as one of its
    `banks`; it stays while the bank is one that was read from it. Nuggets without an id get one. CampaignError with the
    first of its `faults`.
    """
    bank = with_ids(bank)
    for fault in faults(bank):
        raise CampaignError(f"topic {bank.topic_id}: {fault}")
    content, before = content_of(bank, file), _newest(campaign, bank.topic_id)
    if container is not None:
        keys = [key for key, given in container["banks"].items() if given is bank.given]
        content["container"] = json_of({**container, "banks": dict.fromkeys(keys)})
    elif before and before.content["bank"].get("given") == content["bank"].get("given"):
        content |= {name: text for name, text in before.content.items() if name == "container"}
    return append_event(campaign, NUGGETS, content)


def wrong_banks(campaign: Campaign) -> Iterator[str]:
    """A sentence for each bank in the log that cannot be read, is what no bank may be, or is of no topic then."""
    known = topics.first_seqs(campaign)
    for topic_id, seqs in sorted(rows(campaign).items()):
        for seq in seqs:
            about = f"log row {seq}: nuggets of topic {topic_id!r}"
            if known.get(topic_id, seq) >= seq:
                yield f"{about}, which is not there yet"
            try:
                found = list(faults(bank_in(events(campaign, NUGGETS, at=seq)[0].content)))
            except (AttributeError, TypeError, ValueError, LookupError, RecursionError) as error:
                found = [f"they cannot be read ({type(error).__name__}: {error})"]
            yield from (f"{about}: {fault}" for fault in found)


def with_ids(bank: Bank) -> Bank:
    """The bank with an id for each nugget: of one that has none, the beginning of its text's SHA-256."""
    return bank._replace(nuggets=tuple(map(_with_id, bank.nuggets)))


def _with_id(nugget: Nugget) -> Nugget:
    parts = tuple(map(_with_id, nugget.parts))
    text = nugget.text.encode("utf-8", "surrogatepass")
    return nugget._replace(nugget_id=nugget.nugget_id or sha256(text).hexdigest()[:ID_DIGITS], parts=parts)


def every_nugget(nuggets: Iterable[Nugget]) -> Iterator[Nugget]:
    """Nuggets, each followed by those that it consists of."""
    for nugget in nuggets:
        yield nugget
        yield from every_nugget(nugget.parts)


def faults(bank: Bank) -> Iterator[str]:
    """What is wrong with a bank whose nuggets have ids: too much, two of one id, texts too long or unreadable."""
    every, known = list(every_nugget(bank.nuggets)), dict[str, Nugget]()
    if len(every) > MOST:
        yield f"{len(every):,} nuggets, but a topic has at most {MOST:,}; take the least important out"
        return
    for nugget in every:
        if not nugget.text and nugget.given is None:
            yield "a nugget has no text; write what it says"
        if (other := known.setdefault(nugget.nugget_id, nugget)) is not nugget:
            texts = " and ".join(shown(each.text) for each in (other, nugget))
            yield f"two nuggets have the id {shown(nugget.nugget_id)}: {texts}; keep one, or give it another id"
    for name, text in (each for record in _records(bank) for each in record._asdict().items()):
        if name == "given" or not isinstance(text, str):
            continue
        longest = {"name": LONGEST_NAME, "query": kinds.LONGEST_BANK}.get(name, LONGEST)
        if len(text) > longest:
            yield f"{name} {shown(text)} has {len(text):,} characters; shorten it to at most {longest:,}"
        if any("\ud800" <= letter <= "\udfff" for letter in text):
            yield f"{name} {shown(text)} has half a character; write it again"
    if bank.given is not None and (length := len(json_of(bank.given))) > kinds.LONGEST_BANK:
        yield f"its JSON has {length:,} characters; take traces out of it, for at most {kinds.LONGEST_BANK:,}"


def _records(record: Any) -> Iterator[Any]:
    """A record and all that are in it, each before those in it."""
    yield record
    for name in record._fields:
        for each in getattr(record, name) if name in _INNER else ():
            yield from _records(each)


def content_of(bank: Bank, file: str) -> dict[str, Any]:
    """What an event says of a bank; `bank_in` reads it."""
    numbers = {id(each): number for number, each in enumerate(_objects(bank.given))}
    people = dict[str, int]()

    def written(record: Any) -> dict[str, Any]:
        found = {}
        for name, value in zip(record._fields, record, strict=True):
            if value == record._field_defaults.get(name, ...):
                continue
            if name in _INNER:
                value = [written(each) for each in value]
            elif name == "given" and record is not bank and id(value) in numbers:
                value = numbers[id(value)]
            elif name == "given":
                value = json_of(value)
            elif name == "name" and record.is_human and value.strip() and value.isprintable():
                value = people.setdefault(value, len(people))
            found[name] = value
        return found

    whole = written(bank)
    return {"topic": whole.pop("topic_id"), "bank": whole, "people": list(people), "file": file}


def bank_in(content: Mapping[str, Any]) -> Bank:
    """The bank in the content of an event; TypeError, ValueError or LookupError where it is none."""
    whole, people = dict(content["bank"]), content["people"]
    objects = list(_objects(loads(whole["given"]))) if "given" in whole else []

    def read(kind: Callable[..., Any], value: Mapping[str, Any]) -> Any:
        return kind(**{name: field(name, each) for name, each in value.items()})

    def field(name: str, value: Any) -> Any:
        if name in _INNER:
            return tuple(read(_INNER[name], each) for each in value)
        if name == "span":
            start, end = map(int, value)
            return start, end
        if name == "given":
            return objects[value] if isinstance(value, int) else loads(value)
        if name == "name" and isinstance(value, int):
            return people[value]
        if type(value) is not _TYPES.get(name, str):
            raise TypeError(f"{name} {value!r} of a bank is not a {_TYPES.get(name, str).__name__}")
        return value

    if objects:
        whole["given"] = 0  # the objects of the records are in it
    found: Bank = read(Bank, {**whole, "topic_id": content["topic"], "nuggets": whole.get("nuggets", ())})
    return found


def bank_file(campaign: Campaign, topic_ids: Sequence[str]) -> BankFile:
    """The banks of topics as one file, by the lines that they had: in the object of banks that all came in."""
    found = [event for topic_id in topic_ids if (event := _newest(campaign, topic_id)) is not None]
    banks = sorted((_version(campaign, event).bank for event in found), key=lambda bank: bank.line)
    around = [loads(event.content.get("container", "{}")) for event in found]
    keys = {
        event.content["topic"]: next(iter(each["banks"]), "")
        for event, each in zip(found, around, strict=True)
        if each
    }
    if not keys or any({**each, "banks": 0} != {**around[0], "banks": 0} for each in around):
        return BankFile("nuggets", tuple(banks))
    own = {keys[bank.topic_id] or bank.topic_id: bank.given for bank in banks}
    return BankFile("nuggets", tuple(banks), {**around[0], "banks": own})


def _objects(value: JsonValue) -> Iterator[JsonValue]:
    """A JSON object and all that are in it, each before those in it."""
    if isinstance(value, dict):
        yield value
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _objects(each)


def _newest(campaign: Campaign, topic_id: str) -> Event | None:
    seqs = rows(campaign).get(topic_id)
    return events(campaign, NUGGETS, at=seqs[-1])[0] if seqs else None


def _version(campaign: Campaign, event: Event) -> BankVersion:
    bank = under_newest_ids(campaign, bank_in(event.content))
    return BankVersion(event.seq, event.at, event.actor, bank, event.content["file"])


def under_newest_ids(campaign: Campaign, bank: Bank) -> Bank:
    """The bank whose references name documents by the ids that these have as of the campaign's row, each once."""
    if not (tables := id_tables(campaign)):
        return bank

    def renamed(record: Any) -> Any:
        names = [name for name in record._fields if name in _INNER]
        inner = {name: tuple(map(renamed, getattr(record, name))) for name in names}
        if inner.get("references") != getattr(record, "references", None):
            once = dict[Any, Reference]()
            for each in inner["references"]:
                once.setdefault(each[:2], each)
            inner["references"] = tuple(once.values())
        if isinstance(record, Reference):
            return record._replace(document_id=newest_id(tables, record.document_id))
        return record._replace(**inner)

    found: Bank = renamed(bank)
    return found
