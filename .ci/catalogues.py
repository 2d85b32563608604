"""Brings the catalogues of workbench/web/translations in step with templates, code and scripts: `make catalogues`.

New messages are added without a translation, and those that no source has any more are taken out. A message names the
files that have it, without lines: a catalogue changes only where messages do.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from babel.messages import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parent.parent
SOURCES = {
    "templates": ("jinja2", {"trimmed": "true", "silent": "false"}),
    "workbench": ("python", {}),
    "static": ("javascript", {}),
}
ENDINGS = {"jinja2": "**.html", "python": "**.py", "javascript": "**.js"}
KEYWORDS = {"_": None, "gettext": None, "translatable": None, "message_with": None}
KEYWORDS |= {"ngettext": (1, 2), "message_counting": (1, 2), "translatable_counts": (1, 2)}
NOT_OURS = "static/vendor/"


def messages() -> Catalog:
    """All messages of the sources, with the files that have them."""
    found = Catalog(fuzzy=False)
    for folder, (method, options) in SOURCES.items():
        ending = ENDINGS[method]
        rows = extract_from_dir(
            ROOT / folder, [(ending, method)], {ending: options}, keywords=KEYWORDS, strip_comment_tags=True
        )
        for name, _, message, comments, context in rows:
            path = f"{folder}/{name}"
            if not path.startswith(NOT_OURS):
                found.add(message, None, [(path, None)], auto_comments=comments, context=context)
    for message in found:
        message.locations = sorted(set(message.locations))
    return found


def files() -> list[Path]:
    """The catalogues that there are."""
    return sorted((ROOT / "workbench/web/translations").glob("*/LC_MESSAGES/messages.po"))


def in_step(path: Path, sources: Catalog) -> bytes:
    """What a catalogue is to hold: the messages of the sources, with the translations that it has."""
    code = path.parents[1].name
    with path.open("rb") as stream:
        there = read_po(stream, locale=code)
    made = Catalog(locale=code, header_comment=there.header_comment, fuzzy=False)
    for message in sources:
        if message.id:
            made[message.id] = copy.copy(message)
            old = there.get(message.id)
            if old is not None and isinstance(old.id, str) is isinstance(message.id, str):
                made[message.id].string = old.string
    out = BytesIO()
    write_po(out, made, omit_header=True, sort_by_file=True, width=0)
    return _header(made) + out.getvalue()


def _header(catalogue: Catalog) -> bytes:
    """The notes of the translators, and of the usual lines those that say something: no dates, no versions of tools."""
    lines = {
        "Language": catalogue.locale_identifier,
        "Content-Type": "text/plain; charset=utf-8",
        "Plural-Forms": catalogue.plural_forms,
    }
    body = "".join(f'"{name}: {value}\\n"\n' for name, value in lines.items())
    return f'{catalogue.header_comment}\nmsgid ""\nmsgstr ""\n{body}\n'.encode()


def untranslated(path: Path) -> list[str]:
    """The messages of a catalogue that have no translation, or not all of their forms."""
    with path.open("rb") as stream:
        found = [(_texts(each.id), _texts(each.string)) for each in read_po(stream) if each.id]
    return [names[0] for names, texts in found if not all(texts)]


def _texts(text: Any) -> Sequence[str]:
    return (text,) if isinstance(text, str) else text


def main() -> None:
    """Write the catalogues that are to be another, and say how many messages have no translation."""
    sources = messages()
    for path in files():
        made = in_step(path, sources)
        if made != path.read_bytes():
            path.write_bytes(made)
        left = untranslated(path)
        print(f"{path.relative_to(ROOT)}: {len(left)} of {len(sources)} messages have no translation")  # noqa: T201


if __name__ == "__main__":
    main()
