"""Catalogues of messages: what pages say in other languages, read from the files of translators.

English is the source: its messages are their own keys, and it has no catalogue. A catalogue is compiled in memory when
its language is first asked for, so that no compiled file can be missing or of another version.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

from babel import Locale
from babel.messages import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import Translations

FOLDER = Path(__file__).resolve().parents[1] / "translations"


class Language(NamedTuple):
    """A language of pages.

    Attributes:
        name: what its speakers call it.
        tag: what `lang` of HTML says, in BCP 47.
        direction: "ltr" or "rtl".
    """

    name: str
    tag: str
    direction: str = "ltr"


ENGLISH = "en"
LANGUAGES = {
    ENGLISH: Language("English", "en"),
    "de": Language("Deutsch", "de"),
    "es": Language("Español", "es"),
    "fr": Language("Français", "fr"),
    "zh": Language("简体中文", "zh-Hans"),
    "ar": Language("العربية", "ar", "rtl"),
}
"""By the first part of their tags, which is also the folder of their catalogue. The first one has none."""


@cache
def catalogue(code: str) -> Catalog:
    """The messages of a language as its translators wrote them."""
    with (FOLDER / code / "LC_MESSAGES" / "messages.po").open("rb") as stream:
        return read_po(stream, locale=code)


@cache
def translations(code: str) -> Translations:
    """The messages of a language, compiled; none of English. What is not translated stays English."""
    if code == ENGLISH:
        return Translations()
    compiled = BytesIO()
    write_mo(compiled, catalogue(code))
    compiled.seek(0)
    return Translations(compiled)


@cache
def script(code: str) -> str:
    """The messages of scripts, as a script that pages of this language load before others (static/messages.js)."""
    found = {_key(each): _forms(code, each) for each in catalogue(code) if _is_said_by_script(each)}
    content = json.dumps({"language": code, "messages": found}, ensure_ascii=False)
    return f"globalThis.workbenchMessages = {content};\n"


def _is_said_by_script(message: Message) -> bool:
    return all(_texts(message.string)) and any(name.startswith("static/") for name, _ in message.locations)


def _texts(text: Any) -> Sequence[str]:
    """The texts of a message: one, or its plural forms."""
    return (text,) if isinstance(text, str) else text


def _key(message: Message) -> str:
    return _texts(message.id)[0]


def _forms(code: str, message: Message) -> str | dict[str, str]:
    """The text of a message; of one with plurals its forms, by the categories that Intl.PluralRules knows."""
    forms = _texts(message.string)
    if isinstance(message.id, str):
        return forms[0]
    category, index = Locale.parse(code).plural_form, translations(code).plural
    return {category(number): forms[index(number)] for number in range(200)}
