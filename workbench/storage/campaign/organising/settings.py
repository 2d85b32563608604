"""What an organiser decides about a campaign: its title, the scale of grades, what counts as relevant."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from workbench.core.about import DOCUMENTS
from workbench.core.errors import UnknownName
from workbench.core.records import SCALE, Grade, Question
from workbench.core.wording import none_such
from workbench.formats.answers.forms import FORMS
from workbench.storage.campaign.file.connection import EVERY, Campaign
from workbench.storage.campaign.log import kinds
from workbench.storage.campaign.log.erasable import id_of
from workbench.storage.campaign.log.log import Event, append_event, events
from workbench.storage.campaign.log.state import State, part

BINARY = (Grade(0, "Not relevant"), Grade(1, "Relevant"))

SETTINGS = kinds.SETTINGS
"""The kind of event that changes settings."""

GUIDELINE_SETTINGS = ("grades", "relevant_from", "guidelines", "questions")
"""Settings that assessors read: a change of one of them starts a new version of the guidelines."""

KEY_ORDERS = ("ascending", "descending")
"""In which order the judging page offers grades: from not relevant upwards, or from the highest downwards."""


CARDS = ("off", "on")
"""Whether short documents are judged together, as cards."""


JUDGED_IN_RUNS = ("warn", "refuse")
"""What is done with a run that ranks documents judged before the round that is open."""


SECOND_LOOKS = ("never", "count")
"""Whether what an assessor says of a pair after a model's label was shown replaces their judgment of it."""


ANY_FORM, NO_FORM = "any", "none"
ANSWER_FORMS = (ANY_FORM, NO_FORM, *FORMS)
"""Which runs of answers are taken: of any form, in one alone, or none."""


FORMULAS = ("off", "latex")
"""Whether what stands between the signs of LaTeX, dollars among them, is shown as a formula in every document."""


PDF_PAGES = ("off", "on")
"""Whether pages of PDF files that are added are kept as images, beside their texts."""


LANGUAGES = ("en", "de", "es", "fr", "zh", "ar")
"""Languages of the pages of assessors and participants."""


WHO_JUDGES = ("anybody", "assigned", "claimed")
"""Who may judge a topic: any assessor; its assignees; or, of an unassigned topic, the assessor who claims it."""


class Settings(NamedTuple):
    """The settings in force at one point of the log.

    `guideline_version` is the `seq` of the last change to what assessors read, `scale_version` that of the last scale
    that replaced another: then `remapped` has the new grade of each old one as `[old, new]`, and `asked_again` the old
    grades whose pairs are asked again; `documents_complete` says that a full list of document ids was given,
    `topics_from_runs` that no topic file was given yet, `scores_open` that participants see the scores of their runs,
    and `least_teams` from how many teams on they see what the runs of others have together (median, best, place) beside
    them.
    Each pair that an assessor graded is repeated with the probability `repeat_share`, by `repeat_seed`, once they have
    given `repeat_gap` more judgments.
    `who_judges` is one of WHO_JUDGES; a claim expires `lease_minutes` after the last judgment.
    `label_rule` is one of LABEL_RULES, by which several judgments of a pair make one label;
    `searchers` are the assessors who may search the texts and pool what they find;
    `contact` is the person that members ask, `judging_until` the day (ISO 8601) until which judgments are expected:
    both are only shown. `key_order` is one of KEY_ORDERS;
    teams submit runs while `submissions_open`, up to the moment `submission_deadline` (ISO 8601, "" for none) and up to
    `runs_per_team` (0 for any number), with texts for the `description_fields`; where
    `submit_judges`, labels of judges in the place of runs (see campaign/submission_rules.py);
    `practice_required` is how many practice pairs an assessor has to grade right before judging (0 for none),
    `break_documents` and `break_minutes` after how much a break is offered (0 for never);
    `cannot_tell_reasons` is the list that `parts_of` reads; `cards` is one of CARDS, `formulas` of FORMULAS,
    `pdf_pages` of PDF_PAGES; `id_field`, `text_field` and `title_field` list the fields of records that are a
    document's id, text and title, before the usual ones, `document_fields` says which others are shown;
    `document_encoding` names what files of documents are in that do not say it;
    `imported_labels` and `model_labels` say whether imports and labels of models count, and after what (see sources);
    `assessors_simulated` that no person judged, which every page says; `judged_in_runs` is one of JUDGED_IN_RUNS,
    `answer_form` of ANSWER_FORMS; `questions` are asked beside relevance; `answered` says by what the one is
    answered by which the campaign is seen, one of ANSWERED, and `about` what it is about, one of core.about.ABOUT;
    `model_endpoints` are the addresses to which texts may be sent; the labels of the model `second_look_judge` (""
    for none) are shown after an assessor has judged, but for a share `second_look_control` of pairs, drawn by
    `second_look_seed`; `second_looks` is one of SECOND_LOOKS;
    `language`, one of LANGUAGES, is that of pages for people who chose none, and whose browsers ask for none of them.
    """

    title: str
    grades: tuple[Grade, ...] = BINARY
    relevant_from: int = 1
    guidelines: str = ""
    guideline_version: int = 0
    scale_version: int = 0
    remapped: tuple[tuple[int, int], ...] = ()
    asked_again: tuple[int, ...] = ()
    documents_complete: bool = False
    topics_from_runs: bool = False
    scores_open: bool = False
    least_teams: int = 5
    who_judges: str = "anybody"
    lease_minutes: int = 60
    label_rule: str = "newest"
    imported_labels: str = "equal"
    model_labels: str = "never"
    repeat_share: float = 0.0
    repeat_gap: int = 30
    repeat_seed: int = 0
    searchers: tuple[str, ...] = ()
    contact: str = ""
    judging_until: str = ""
    key_order: str = "ascending"
    submissions_open: bool = False
    submission_deadline: str = ""
    runs_per_team: int = 0
    description_fields: tuple[tuple[str, str, bool], ...] = ()
    submit_judges: bool = False
    practice_required: int = 0
    break_documents: int = 0
    break_minutes: int = 0
    cannot_tell_reasons: str = "Language; Unreadable; Needs context; Topic unclear"
    cards: str = "off"
    formulas: str = "off"
    pdf_pages: str = "on"
    id_field: str = ""
    text_field: str = ""
    title_field: str = ""
    document_fields: str = ""
    document_encoding: str = ""
    assessors_simulated: bool = False
    judged_in_runs: str = "warn"
    answer_form: str = ANY_FORM
    model_endpoints: str = ""
    second_look_judge: str = ""
    second_look_control: float = 0.5
    second_look_seed: int = 0
    second_looks: str = "never"
    questions: tuple[Question, ...] = ()
    answered: str = SCALE
    about: str = DOCUMENTS
    language: str = "en"

    def called(self, grade: int) -> str:
        """The name of a grade; its number where it is not on the scale."""
        return next((each.name for each in self.grades if each.grade == grade), str(grade))

    def question(self, name: str) -> Question:
        """The question of this name; UnknownName names the others."""
        found = next((each for each in self.questions if each.name == name), None)
        if found is None:
            known = [each.name for each in self.questions]
            raise UnknownName(none_such("question", name, known, of=self.title))
        return found

    def asking(self, name: str) -> Settings:
        """The same with the scale of a question, which was never replaced; as they are where it was not asked then."""
        asked = next((each for each in self.questions if each.name == name), None)
        if asked is None:
            return self
        return self._replace(
            grades=asked.grades,
            relevant_from=asked.relevant_from,
            answered=asked.answered,
            about=asked.about,
            remapped=(),
            asked_again=(),
            scale_version=0,
        )


def parts_of(line: str) -> list[str]:
    """What a line lists between semicolons, each once: reasons for can't tell, or names of fields.

    >>> parts_of("Language; Needs context;;Language")
    ['Language', 'Needs context']
    """
    return list(dict.fromkeys(filter(None, map(str.strip, line.split(";")))))


class SettingChange(NamedTuple):
    """The newest change of a setting: the value it got, the event's `seq`, when, and by whom."""

    value: Any
    seq: int
    at: str
    actor: str


class GuidelineVersion(NamedTuple):
    """A version of what assessors read: the `seq` of its event, when it came into force, and all settings then."""

    version: int
    at: str
    settings: Settings


@part(SETTINGS, start=dict)
def said(found: dict[str, tuple[Any, int]], event: Event) -> None:
    """Each setting's value, in which people are ids, and the `seq` that set it."""
    found.update({name: (value, event.seq) for name, value in event.content.items()})


def read(campaign: Campaign) -> Settings:
    """The settings in force, or as of a row, with the scale of the question seen; UnknownName without one then."""
    state = State.of(campaign)
    found = _settings(campaign.name, state[said])
    if campaign.question not in ("", EVERY):
        found = found.asking(found.question(campaign.question).name)
    return found._replace(searchers=tuple(state.names[each] for each in found.searchers))


def asking(campaign: Campaign, question: str) -> Campaign:
    """The campaign by the answers to a question, "" for relevance; UnknownName for one that was not asked then."""
    if question:
        read(campaign).question(question)
    return campaign.asking(question)


def value(campaign: Campaign, name: str, default: Any) -> Any:
    """One setting as it is now, without people's names; the default where it was never set."""
    return said(campaign).get(name, (default, 0))[0]


def change(campaign: Campaign, changes: Mapping[str, Any]) -> int:
    """Set settings by name inside the open write transaction; returns the event's `seq`."""
    return append_event(campaign, SETTINGS, dict(changes))


def had_version(campaign: Campaign, version: int | None) -> bool:
    """Whether the guidelines ever were those of this version; 0 is the version of a campaign without any."""
    found = [] if version is None else events(campaign, SETTINGS, at=version)
    return version == 0 or any(name in GUIDELINE_SETTINGS for event in found for name in event.content)


def last_changes(campaign: Campaign) -> dict[str, SettingChange]:
    """The newest change of each setting that was ever set."""
    found: dict[str, SettingChange] = {}
    for event in events(campaign, SETTINGS):
        found.update(
            {
                name: SettingChange(value, event.seq, event.at, event.actor)
                for name, value in event.content.items()
            }
        )
    return found


def guideline_versions(campaign: Campaign) -> list[GuidelineVersion]:
    """Every version of what assessors read up to a row of the log, oldest first; none where it was never written."""
    found: list[GuidelineVersion] = []
    known: dict[str, tuple[Any, int]] = {}
    for event in events(campaign, SETTINGS):
        known.update({name: (value, event.seq) for name, value in event.content.items()})
        if any(name in GUIDELINE_SETTINGS for name in event.content):
            then = _settings(campaign.name, known).asking(campaign.question)
            found.append(GuidelineVersion(event.seq, event.at, then))
    return found


def first_guideline_version(campaign: Campaign, assessor: str) -> int | None:
    """The version of the guidelines under which an assessor judged first, or None."""
    return campaign.value(
        "SELECT guideline_version FROM judgment WHERE assessor = ? AND guideline_version IS NOT NULL "
        "ORDER BY seq LIMIT 1",
        [id_of(campaign, assessor)],
    )


def _question(content: dict[str, Any]) -> Question:
    rows = {name: tuple(Grade(*grade) for grade in content.get(name, ())) for name in ("grades", "labels")}
    return Question(**{**content, **rows, "counts": tuple(map(tuple, content.get("counts", ())))})


def _settings(campaign: str, found: Mapping[str, tuple[Any, int]]) -> Settings:
    values = {name: value for name, (value, _) in found.items() if name in Settings._fields}
    if "grades" in values:
        values["grades"] = tuple(Grade(*grade) for grade in values["grades"])
    for name in ("searchers", "asked_again", "remapped", "description_fields"):
        if name in values:
            values[name] = tuple(tuple(each) if isinstance(each, list) else each for each in values[name])
    if "questions" in values:
        values["questions"] = tuple(map(_question, values["questions"]))
    version = max((seq for name, (_, seq) in found.items() if name in GUIDELINE_SETTINGS), default=0)
    replaced = found.get("remapped", ((), 0))[1]
    return Settings(**{"title": campaign, **values, "guideline_version": version, "scale_version": replaced})
