"""The page Settings: what an organiser decided, and the form that changes it.

The form carries the log row as of which it was filled in, so that a change is held against what its organiser saw.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from flask import g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from workbench.campaign import campaign_settings
from workbench.campaign.changing_settings import Conflict, RenamesGiven, SettingsConflict, change_settings
from workbench.core.errors import CampaignError
from workbench.core.records import Grade
from workbench.formats.scale import ScaleError, grades_of
from workbench.storage.campaign.grades import judgments
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.organising.settings import Settings
from workbench.web.access.rules import ORGANISERS, Pages
from workbench.web.requests.answers import say

blueprint = Pages("campaign_settings", __name__)

SPARE_ROWS, MOST_ROWS = 2, 60
"""Empty rows for further grades, and how many rows of a form are read."""

LONGEST_NUMBER = 5
"""Characters of a grade's number."""

GRADE_FIELDS = ("number", "name", "guideline")

Rows = list[tuple[str, str, str]]


class Filled(NamedTuple):
    """What the form holds: `base` is the log row as of which it was filled in, `texts` go by the settings' names."""

    base: int
    texts: Mapping[str, str]
    rows: Rows


@blueprint.get("/c/<campaign>/settings", allow=ORGANISERS)
def page(campaign: str) -> str:
    """The settings in force, as a form."""
    return _page(_filled(settings.read(g.campaign), log.newest_seq(g.campaign)))


@blueprint.post("/c/<campaign>/settings", allow=ORGANISERS)
def save(campaign: str) -> ResponseReturnValue:
    """Change what the form changes, all or nothing; with `do=preview` only the guidelines are shown as they will be."""
    sent = _sent()
    if request.form.get("do") == "preview":
        return _page(sent, previewed=True)
    try:
        values = _values(sent, settings.read(g.campaign.at(sent.base)))
        renames = request.form.get("do") == "rename"
        changed = change_settings(g.campaign, values, base=sent.base, renames=renames)
    except RenamesGiven as error:
        return _page(sent, renaming=str(error)), 409
    except SettingsConflict as error:
        return _page(_merged(sent), message=f"{error}.", conflicts=error.conflicts), 409
    except CampaignError as error:
        return _page(sent, message=f"{error}."), 422
    names = [
        each.label for name, each in campaign_settings.SETTINGS.items() if name in values and changed.seq
    ]
    say(f"Saved: {', '.join(names)}." if names else "Nothing was changed.")
    return redirect(url_for(".page", campaign=campaign), 303)


def _filled(current: Settings, base: int) -> Filled:
    texts = {
        each.name: str(each.in_force(current))
        for each in campaign_settings.SETTINGS.values()
        if each.kind != "grades"
    }
    return Filled(base, texts, _rows(current.grades))


def _sent() -> Filled:
    """The form as it was sent; a setting whose field is missing stays as it was."""
    base = request.form.get("base", type=int)
    newest = log.newest_seq(g.campaign)
    base = newest if base is None else min(max(base, 0), newest)
    shown = settings.read(g.campaign.at(base))
    texts = {name: request.form.get(name, text) for name, text in _filled(shown, base).texts.items()}
    return Filled(base, texts, typed_rows(shown.grades))


def typed_rows(grades: Iterable[Grade]) -> Rows:
    """The rows of a scale as they were sent, without empty ones; those of these grades where none were."""
    columns = [request.form.getlist(f"grade-{column}")[:MOST_ROWS] for column in GRADE_FIELDS]
    rows = list(zip(*columns, strict=False)) if any(columns) else _rows(grades)
    return [row for row in rows if any(cell.strip() for cell in row)]


def _rows(grades: Iterable[Grade]) -> Rows:
    return [(str(number), name, line) for number, name, line in grades]


def _values(sent: Filled, shown: Settings) -> dict[str, Any]:
    """The values of the fields that are another than those shown: what no one touched is not read again."""
    before = _filled(shown, sent.base)
    values = {
        name: campaign_settings.SETTINGS[name].value_of(text)
        for name, text in sent.texts.items()
        if _plain(text) != _plain(before.texts[name])
    }
    if [tuple(map(_words, row)) for row in sent.rows] != [tuple(map(_words, row)) for row in before.rows]:
        try:
            values["grades"] = sorted(list(grade) for grade in grades_of(sent.rows))
        except ScaleError as error:
            raise campaign_settings.SettingRefused(f"grades: {error.why}") from None
    return values


def _merged(sent: Filled) -> Filled:
    """The form once more: what its organiser changed as it was typed, all else as it is now, as of the newest row."""
    shown = _filled(settings.read(g.campaign.at(sent.base)), sent.base)
    now = _filled(settings.read(g.campaign), log.newest_seq(g.campaign))
    texts = {
        name: now.texts[name] if _plain(text) == _plain(shown.texts[name]) else text
        for name, text in sent.texts.items()
    }
    return Filled(now.base, texts, now.rows if sent.rows == shown.rows else sent.rows)


def _plain(text: str) -> str:
    """A text as a browser may have sent it: with other ends of lines."""
    return text.replace("\r\n", "\n").strip()


def _words(text: str) -> str:
    return " ".join(text.split())


def _page(
    filled: Filled,
    *,
    message: str = "",
    renaming: str = "",
    conflicts: tuple[Conflict, ...] = (),
    previewed: bool = False,
) -> str:
    given = judgments.times_given(g.campaign)
    room = [*filled.rows, *[("", "", "")] * SPARE_ROWS]
    return render_template(
        "setup/settings/page.html",
        filled=filled,
        named=campaign_settings.SETTINGS,
        sections=campaign_settings.settings_by_section(),
        rows=[(row, _times(given, row[0])) for row in room],
        is_judged=bool(given),
        conflicts={each.setting.name: each for each in conflicts},
        text_of=_text,
        message=message,
        renaming=renaming,
        previewed=previewed,
        longest_line=campaign_settings.LONGEST_LINE,
        longest_fields=campaign_settings.LONGEST,
        longest=campaign_settings.LONGEST_GUIDELINES,
    )


def _text(setting: campaign_settings.Setting, value: Any) -> str:
    if setting.kind != "grades":
        return str(value)
    return "\n".join(
        f"{grade.grade}: {grade.name} {grade.guideline}".strip() for grade in (Grade(*each) for each in value)
    )


def _times(given: Mapping[int, int], number: str) -> int:
    """How often a grade was given, by its number as it is typed; 0 for what is no number."""
    digits = number.strip().removeprefix("+")
    is_number = len(digits) <= LONGEST_NUMBER and digits.isascii() and digits.removeprefix("-").isdecimal()
    return given.get(int(digits), 0) if is_number else 0
