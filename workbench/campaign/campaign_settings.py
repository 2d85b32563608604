"""What an organiser can set in a campaign, by name: how each is written, read and bounded.

A new setting is a function that reads its text, and a line that registers it; the page Settings and `workbench campaign
set` read the registry, and `storage.campaign.collection.settings.Settings` has a field of that name. The function
raises ValueError with the words that follow the setting's name.

Which fields of documents assessors see, in which order, and as what, is a line of text: `price; image: image; spec:
table; score: hidden` shows the price, the image and the table in this order, hides the score, and leaves all other
fields where they would be; `*: hidden` hides these too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple

from workbench.campaign.model_endpoints import read_endpoints
from workbench.core.errors import CampaignError
from workbench.core.records import Grade
from workbench.core.registry import Entry, Registry
from workbench.formats.scale import ScaleError, parse_grades, written_scale
from workbench.formats.text.chosen_encoding import document_encoding
from workbench.storage.campaign.organising.settings import (
    ANSWER_FORMS,
    CARDS,
    FORMULAS,
    JUDGED_IN_RUNS,
    KEY_ORDERS,
    LANGUAGES,
    PDF_PAGES,
    SECOND_LOOKS,
    Settings,
    parts_of,
)

LONGEST_LINE = 200
LONGEST_GUIDELINES = 100_000
"""Characters of guidelines: every judging page holds them. A campaign out of a bundle may have longer ones."""

HIGHEST_GRADE = 1000
MOST_DOCUMENTS, MOST_MINUTES = 1000, 240
"""Between two breaks."""

LARGEST_SEED = 99_999_999
MOST_PRACTICE = 50
"""Pairs of the practice set."""

MOST_REASONS = 9
"""Reasons for can't tell: each has a digit."""


class SettingRefused(CampaignError):
    """A value that a setting does not take; the message names the setting, and says what it takes."""


@dataclass(frozen=True, eq=False)
class Setting(Entry):
    """One thing to set, in one of SECTIONS. Its `kind` is how forms ask: line, text, date, grades, number or choice."""

    label: str = ""
    section: str = ""
    kind: str = "line"
    choices: tuple[str, ...] = ()

    @property
    def field(self) -> str:
        """Its name in the campaign file."""
        return self.name.replace("-", "_")

    def value_of(self, text: str) -> Any:
        """The value that a text stands for, as the log keeps it; SettingRefused for one that it does not take."""
        try:
            return self.function(text)
        except (ScaleError, ValueError) as error:
            raise SettingRefused(f"{self.name}: {error}") from None

    def in_force(self, settings: Settings) -> Any:
        """The value in force, as the log keeps it."""
        value = getattr(settings, self.field)
        return [list(grade) for grade in value] if self.kind == "grades" else value

    def plain(self, value: Any) -> Any:
        """A value of the log as JSON for programs has it."""
        return [Grade(*grade)._asdict() for grade in value] if self.kind == "grades" else value

    def text_of(self, value: Any) -> str:
        """A value of the log as people read it."""
        return written_scale([Grade(*grade) for grade in value]) if self.kind == "grades" else str(value)


SETTINGS: Registry[Setting] = Registry("setting", "settings", Setting)
"""By the name that the command line uses."""
setting = SETTINGS.register

SECTIONS = ("Campaign", "Grades", "Guidelines", "Judging page", "Documents", "Runs")
"""In the order of page and command line."""


def settings_by_section() -> dict[str, list[Setting]]:
    """The settings of each section."""
    return {name: [one for one in SETTINGS.values() if one.section == name] for name in SECTIONS}


@setting("title", label="Title", section="Campaign")
def title(text: str) -> str:
    """The campaign's name on every page and in exports."""
    line = _line(text)
    if not line:
        raise ValueError("it is empty; a campaign needs a title")
    return line


@setting("contact", label="Contact", section="Campaign")
def contact(text: str) -> str:
    """Contact for members: a name, an e-mail address or both. Every member of the campaign sees it."""
    return _line(text)


@setting("language", label="Language", section="Campaign", kind="choice", choices=LANGUAGES)
def language(text: str) -> str:
    """The language of the pages of assessors and participants, where neither they nor their browsers say one."""
    return _one_of(LANGUAGES, text)


@setting("guidelines", label="Guidelines", section="Guidelines", kind="text")
def guidelines(text: str) -> str:
    """What assessors read before they judge, in Markdown.

    A change is a new version: each judgment names the version that was on the screen, and assessors are shown what
    changed.
    """
    text = text.replace("\r\n", "\n").strip()
    if len(text) > LONGEST_GUIDELINES:
        raise ValueError(
            f"{len(text):,} characters, at most {LONGEST_GUIDELINES:,}, since every judging page holds them; "
            "move examples and background into a document of their own and link it"
        )
    return text


@setting("grades", label="Grades", section="Grades", kind="grades")
def grades(text: str) -> list[list[Any]]:
    """The scale, written as NUMBER:NAME[|GUIDELINE],... such as 0:Not relevant,1:Relevant|Answers part of it.

    Names and lines of guideline can change. A new name is shown with the judgments given so far, so that of a grade
    that was given has to be confirmed. A number that was given stays.
    """
    return [list(grade) for grade in parse_grades(text)]


@setting("relevant-from", label="Relevant from grade", section="Grades", kind="number")
def relevant_from(text: str) -> int:
    """The smallest relevant grade. A change applies from its log row on; scores as of earlier rows stay."""
    return _number(text, HIGHEST_GRADE, least=1, what="a grade")


@setting("key-order", label="Order of grades", section="Grades", kind="choice", choices=KEY_ORDERS)
def key_order(text: str) -> str:
    """In which order the judging page offers grades: ascending or descending. The key of a grade stays its digit."""
    return _one_of(KEY_ORDERS, text)


@setting("practice-required", label="Practice required", section="Guidelines", kind="number")
def practice_required(text: str) -> int:
    """How many practice pairs an assessor has to grade as the organiser did before judging: 0 for none, at most all."""
    return _number(text, MOST_PRACTICE)


@setting("break-documents", label="Break after documents", section="Judging page", kind="number")
def break_documents(text: str) -> int:
    """After how many documents the judging page offers a break: 0 for none. Assessors may choose another number."""
    return _number(text, MOST_DOCUMENTS)


@setting("break-minutes", label="Break after minutes", section="Judging page", kind="number")
def break_minutes(text: str) -> int:
    """After how many minutes of judging a break is offered: 0 for none. Assessors may choose another number."""
    return _number(text, MOST_MINUTES)


@setting("cannot-tell-reasons", label="Reasons for can’t tell", section="Judging page")
def cannot_tell_reasons(text: str) -> str:
    """What assessors choose from when they cannot tell, separated by semicolons: at most 9; empty asks for none."""
    reasons = parts_of(_line(text))
    if len(reasons) > MOST_REASONS:
        raise ValueError(f"{len(reasons)} reasons, at most {MOST_REASONS}, since each has a digit as its key")
    return "; ".join(reasons)


@setting("cards", label="Short documents as cards", section="Judging page", kind="choice", choices=CARDS)
def cards(text: str) -> str:
    """Whether the judging page shows many short documents at once, as cards: off or on."""
    return _one_of(CARDS, text)


@setting("second-look-judge", label="Labels shown for a second look", section="Judging page")
def second_look_judge(text: str) -> str:
    """The model whose label an assessor is shown once their own grade is stored; empty: none is ever shown."""
    return _line(text)


@setting("second-look-control", label="Share never shown", section="Judging page")
def second_look_control(text: str) -> float:
    """The share of pairs, from 0 to 1, of which no label is shown: they measure what showing does."""
    if not re.fullmatch(r"0?\.[0-9]{1,9}|[01](\.0{1,9})?", text.strip(), re.ASCII):
        raise ValueError(f"{text[:LONGEST_LINE]!r} is not a share; write a number from 0 to 1, such as 0.5")
    return float(text)


@setting("second-look-seed", label="Seed of the share never shown", section="Judging page", kind="number")
def second_look_seed(text: str) -> int:
    """The number from which it follows which pairs are never shown. Another one shows pairs that were control."""
    return _number(text, LARGEST_SEED)


@setting("second-looks", label="Second looks", section="Judging page", kind="choice", choices=SECOND_LOOKS)
def second_looks(text: str) -> str:
    """Whether a second look, from now on, replaces the judgment before it: never, or count."""
    return _one_of(SECOND_LOOKS, text)


@setting("formulas", label="Formulas in LaTeX", section="Documents", kind="choice", choices=FORMULAS)
def formulas(text: str) -> str:
    r"""Whether $...$, $$...$$, \(...\) and \[...\] in documents are shown as formulas: off or latex."""
    return _one_of(FORMULAS, text)


@setting("pdf-pages", label="Pages of PDF files", section="Documents", kind="choice", choices=PDF_PAGES)
def pdf_pages(text: str) -> str:
    """Whether the first pages of PDF files that are added are kept as images, to be looked at: off or on."""
    return _one_of(PDF_PAGES, text)


@setting("id-field", label="Id field of documents", section="Documents")
def id_field(text: str) -> str:
    """The field of records that is a document's id, where it has no usual name; of several the first that is there."""
    return "; ".join(parts_of(_line(text)))


@setting("text-field", label="Text field of documents", section="Documents")
def text_field(text: str) -> str:
    """The field of records that is a document's text, where it has no usual name; several separated by semicolons.

    It is used where documents are added or texts are read again; texts that are stored stay.
    """
    return "; ".join(parts_of(_line(text)))


@setting("title-field", label="Title field of documents", section="Documents")
def title_field(text: str) -> str:
    """The field of records that is a document's title, where it has no usual name; several separated by semicolons."""
    return "; ".join(parts_of(_line(text)))


@setting("document-fields", label="Fields of documents", section="Documents")
def shown_fields(text: str) -> str:
    """Which fields are shown, in which order: names and forms (text, image, link, table, hidden) between semicolons.

    Such as `price; photo: image; score: hidden`. Fields that are not named come after these, in a fold; `*: hidden`
    hides them. The texts that are stored and judged stay as they are.
    """
    return written(document_fields(text))


@setting("document-encoding", label="Encoding of documents", section="Documents")
def encoding_of_documents(text: str) -> str:
    """What files of documents are in, such as shift_jis or windows-1255; empty for UTF-8 and what is recognised.

    It is used where documents are added or texts are read again; texts that are stored stay.
    """
    return document_encoding(_line(text))


def _one_of(choices: tuple[str, ...], text: str) -> str:
    if text.strip().lower() not in choices:
        raise ValueError(f"{text[:LONGEST_LINE]!r} is neither {' nor '.join(choices)}")
    return text.strip().lower()


def _number(text: str, largest: int, *, least: int = 0, what: str = "a whole number") -> int:
    digits = text.strip()
    if not (digits.isascii() and digits.isdecimal() and least <= int(digits[:9]) <= largest):
        raise ValueError(f"{text[:LONGEST_LINE]!r} is not {what} from {least} to {largest:,}")
    return int(digits)


@setting(
    "judged-in-runs", label="Judged documents in runs", section="Runs", kind="choice", choices=JUDGED_IN_RUNS
)
def judged_in_runs(text: str) -> str:
    """Runs that rank documents judged before the open round began: warn, or refuse them."""
    return _one_of(JUDGED_IN_RUNS, text)


@setting("answer-form", label="Runs of answers", section="Runs", kind="choice", choices=ANSWER_FORMS)
def answer_form(text: str) -> str:
    """Which runs of answers are taken: in any known form, none, or in the form of one task, such as rag26."""
    return _one_of(ANSWER_FORMS, text)


@setting("model-endpoints", label="Endpoints of models", section="Campaign")
def model_endpoints(text: str) -> str:
    """Where texts may be sent to be judged by models: addresses with what may be sent there, between semicolons.

    Such as `https://models.example/v1 documents, citations`. Empty: no text leaves the machine.
    """
    return "; ".join(map(str, read_endpoints(text)))


@setting("judging-until", label="Judging until", section="Campaign", kind="date")
def judging_until(text: str) -> str:
    """The day until which judgments are expected, shown to assessors. Judging stays open after it."""
    return day(text)


def day(text: str) -> str:
    """A day as ISO 8601 writes it, or "" for none; ValueError for anything else."""
    text = text.strip()
    try:
        if text and date.fromisoformat(text).isoformat() != text:
            raise ValueError
    except ValueError:
        raise ValueError(
            f"{text[:LONGEST_LINE]!r} is not a day; write it like 2027-03-31, or leave it empty for none"
        ) from None
    return text


def _line(text: str) -> str:
    line = " ".join(text.split())
    if len(line) > LONGEST_LINE:
        raise ValueError(f"{len(line):,} characters, at most {LONGEST_LINE}; shorten it")
    return line


FORMS = ("text", "image", "link", "table", "hidden")
REST = "*"
"""All fields that are not named."""

LONGEST, MOST_FIELDS = 2_000, 100
PARTS = re.compile(r"[;\n]")


class DocumentField(NamedTuple):
    """A field by its name, in any case, and the form in which it is shown, one of FORMS."""

    name: str
    form: str = "text"


def document_fields(text: str) -> tuple[DocumentField, ...]:
    """The fields that a text names; ValueError for a form that there is not, or a field that is named twice.

    >>> document_fields("Price; dc:title; score: hidden")
    (DocumentField(name='price', form='text'), DocumentField(name='dc:title', form='text'), \
DocumentField(name='score', form='hidden'))
    """
    found = [_field(part) for part in PARTS.split(text) if part.strip()]
    names = [field.name for field in found]
    if len(text) > LONGEST or len(found) > MOST_FIELDS:
        message = f"{len(found):,} fields in {len(text):,} characters, at most {MOST_FIELDS} in {LONGEST:,}"
        raise ValueError(message)
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise ValueError(f"{twice!r} is named twice; name each field once")
    return tuple(found)


def as_link(text: str, names: Iterable[str]) -> str:
    """The text of fields with these ones as links: first those, then the others; SettingRefused for too many."""
    links = {name: DocumentField(name, "link") for name in names}
    others = [field for field in document_fields(text) if field.name not in links]
    return str(SETTINGS["document-fields"].value_of(written((*links.values(), *others))))


def written(fields: Iterable[DocumentField]) -> str:
    """The text for these fields."""
    return "; ".join(name if form == "text" else f"{name}: {form}" for name, form in fields)


def _field(text: str) -> DocumentField:
    name, colon, form = text.rpartition(": ")
    if not colon:
        return DocumentField(text.strip().lower())
    if form.strip().lower() not in FORMS:
        raise ValueError(f"{form.strip()[:40]!r} is not a form of a field; there are {', '.join(FORMS)}")
    return DocumentField(name.strip().lower(), form.strip().lower())
