"""The language of a page: whose it is, what is said in it, and how numbers and days are written.

A person's own choice comes first, then what the browser asks for, then the campaign's setting. Pages that nobody has
translated yet, those for organisers alone, are English; around them only the menu is in the reader's language.
Translated messages are for people: what programs read (ids, CSV, JSON, scores) is the same in every language.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, date, datetime
from typing import Any

from babel import Locale
from babel.dates import format_skeleton
from babel.numbers import format_decimal
from babel.support import Translations
from flask import Flask, current_app, g, has_request_context, request
from flask_babel import Babel, Domain, force_locale, get_locale  # type: ignore[import-untyped]
from jinja2 import pass_context
from markupsafe import Markup, escape

from workbench.core import wording
from workbench.core.errors import WorkbenchError
from workbench.core.wording import Message
from workbench.storage.campaign.file.connection import FileFailure
from workbench.storage.campaign.organising import settings
from workbench.web.requests.catalogues import ENGLISH, LANGUAGES, Language, translations

COOKIE = "workbench_language"
"""What a browser keeps of the choice, for pages before one has signed in."""

PLACE = re.compile(r"%\((\w+)\)s|%%")

IN_ENGLISH = frozenset(("glossary.page",))
"""Pages for all that nobody has translated yet."""


class Catalogues(Domain):  # type: ignore[misc]
    """The catalogues of this package, in the place of compiled files."""

    def get_translations(self) -> Translations:
        """The messages of the language of this moment."""
        return translations(_code())


def init_app(app: Flask) -> None:
    """Let templates and views say things in the language of the request."""
    babel = Babel(app, locale_selector=page_language)
    babel.domain_instance = Catalogues()
    app.jinja_env.policies["ext.i18n.trimmed"] = True
    app.jinja_env.globals.update(
        gettext=_in_template, ngettext=_in_template_counted, _=_plain, languages=LANGUAGES
    )
    for function in (page_language, reader_language, language_of, in_own_language, in_figures):
        app.add_template_global(function)


def gettext(message: str, **values: Any) -> str:
    """A message in the language of this request; without a request English.

    `values` fill its places, `%(name)s`; whole numbers among them are written as readers of the language expect. A
    percent sign is written twice. What is no message, such as an error with a value in it, stays as it is.
    """
    return _filled(_said(message), values)


def ngettext(one: str, many: str, number: int, **values: Any) -> str:
    """The same with the plural form for a number, which fills `%(num)s`."""
    return _filled(_said_of(one, many, number), {"num": number, **values})


def in_language(text: object) -> str:
    """A text of another room, or that of an error, in the language of this request where it is a Message."""
    if isinstance(text, Exception):
        text = text.args[0] if text.args and isinstance(text.args[0], Message) else str(text)
    if not isinstance(text, Message):
        return gettext(str(text))
    values: dict[str, Any] = {name: each for name, each in text.values.items() if name != "num"}
    values |= {name: in_language(each) for name, each in values.items() if isinstance(each, Message)}
    return (
        ngettext(text.one, text.many, text.values["num"], **values)
        if text.many
        else gettext(text.one, **values)
    )


@pass_context
def _plain(_: object, message: str, **values: Any) -> Markup:
    """`_()` of templates: a message, or data that may be one, without markup; values are escaped unless they are."""
    return Markup(_filled(str(escape(_said(message))), values, escape))  # noqa: S704  # nosec B704 - both are escaped


@pass_context
def _in_template(_: object, message: str, **values: Any) -> Markup:
    """`{% trans %}` of templates: a constant of the program with the markup that it needs; values are escaped."""
    return Markup(_filled(_said(message), values, escape))  # noqa: S704  # nosec B704 - a constant


@pass_context
def _in_template_counted(_: object, one: str, many: str, number: int, **values: Any) -> Markup:
    return Markup(_filled(_said_of(one, many, number), {"num": number, **values}, escape))  # noqa: S704  # nosec B704


def _said(message: str) -> str:
    return translations(_code()).ugettext(message) if message else ""


def _said_of(one: str, many: str, number: int) -> str:
    return translations(_code()).ungettext(one, many, number)


def _filled(text: str, values: dict[str, Any], written: Callable[[Any], str] = str) -> str:
    def value(place: re.Match[str]) -> str:
        found = values.get(place[1], place[0]) if place[1] else "%"
        return written(in_figures(found) if type(found) is int else found)

    return PLACE.sub(value, text)


def in_figures(number: int) -> str:
    """A number as people read it: 1,480, in German 1.480. All languages have the digits 0 to 9."""
    code = _code()
    return f"{number:,}" if code == ENGLISH else format_decimal(number, locale=code)


def day(when: str | date) -> str:
    """A day, as `wording.day` has it in English; a text that is no day stays as it is."""
    code = _code()
    if code == ENGLISH:
        return wording.day(when)
    try:
        found = date.fromisoformat(when[:10]) if isinstance(when, str) else when
    except ValueError:
        return str(when)
    return format_skeleton("yMMMd", found, locale=code)


def moment(at: str | datetime) -> str:
    """A time in UTC, to the minute, as `wording.moment` has it in English."""
    time = (datetime.fromisoformat(at) if isinstance(at, str) else at).astimezone(UTC)
    return wording.moment(time) if _code() == ENGLISH else f"{day(time)}, {time:%H:%M} UTC"


def language_of(code: str) -> Language:
    """What is known of a language."""
    return LANGUAGES[code]


def runs_from_right() -> bool:
    """Whether the page of this request runs from right to left."""
    return has_request_context() and LANGUAGES[page_language()].direction == "rtl"


def page_language() -> str:
    """The code of the language of the page that this request asks for."""
    is_english = g.get("in_english", False) or request.endpoint in IN_ENGLISH
    return ENGLISH if is_english else reader_language()


def reader_language() -> str:
    """The code of the language that the person of this request reads; programs with a token get English."""
    viewer = g.get("viewer")
    if viewer is not None and viewer.token is not None:
        return ENGLISH
    own = viewer.language if viewer is not None else ""
    asked = (tag.partition("-")[0].lower() for tag, quality in request.accept_languages if quality)
    wanted = (own, request.cookies.get(COOKIE, ""), *asked)
    return next((code for code in wanted if code in LANGUAGES), None) or _usual()


def _usual() -> str:
    """The campaign's; English where there is none, or where it cannot be read, which another part of the page says."""
    with suppress(WorkbenchError, FileFailure):
        if g.get("campaign") is not None:
            return settings.read(g.campaign).language
    return ENGLISH


def in_own_language(caller: Callable[[], str]) -> str:
    """What a template calls this with, in the reader's language, whatever the rest of the page is in."""
    with force_locale(reader_language()):
        return caller()


def _code() -> str:
    is_ours = has_request_context() and "babel" in current_app.extensions
    found: Locale | None = get_locale() if is_ours else None
    return ENGLISH if found is None else found.language
