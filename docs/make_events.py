"""Writes docs/build/events.md from the declarations of the kinds of events: python docs/make_events.py."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from workbench.storage.campaign.log.kinds import KINDS, Kind

PAGE = Path(__file__).parent / "build" / "events.md"
HEAD = """# Kinds of events

Every row of the table `event` of a [campaign file](campaign-file.md) has one of these kinds; its `content` is a JSON
object with these fields, those in brackets not always, and no others. People who are named in a content are ids of the
table `person`.

<!-- made by docs/make_events.py: change workbench/storage/campaign/log/kinds.py instead -->

| kind | says that | content |
|---|---|---|
"""


def page(kinds: Iterable[Kind]) -> str:
    """The page with a row for each of these kinds."""
    return HEAD + "".join(f"| `{kind}` | {kind.words} | {_fields(kind)} |\n" for kind in kinds)


def _fields(kind: Kind) -> str:
    if kind.fields is None:
        return "any [setting](../use/settings.md) by its name; `remapped`, `asked_again` where a scale replaced another"
    return ", ".join(f"[`{name}`]" if name in kind.optional else f"`{name}`" for name in kind.fields)


if __name__ == "__main__":
    PAGE.write_text(page(KINDS.values()), encoding="utf-8")
