"""An assessor's private settings while judging, postponed documents, own terms and preferences, and the page of their
own judgments: those that the filters of its address leave, and the filters there are.
"""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Literal, NamedTuple

from flask import Response, g, jsonify, redirect, render_template, request, url_for
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response as AnyResponse

from workbench.campaign import assessing, assessor_settings
from workbench.campaign.assessor_settings import LONGEST_TERM, MarkedWords, TermRefused
from workbench.core.errors import NotThere
from workbench.core.natural_order import natural
from workbench.core.results import content
from workbench.core.values import TRUTH, Given, text
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import topics
from workbench.storage.campaign.collection.question_topics import question_of
from workbench.storage.campaign.file.connection import EVERY
from workbench.storage.campaign.grades import own_judgments
from workbench.storage.campaign.grades.own_judgments import Entry, JudgmentFilter, Tally
from workbench.storage.campaign.organising import settings
from workbench.web.access.rules import JUDGES, Pages
from workbench.web.judging import preferences
from workbench.web.judging.given import buttons_of, given_buttons
from workbench.web.judging.keys import GradeButton
from workbench.web.judging.pair_view import by_sides
from workbench.web.judging.submissions import TEXT, WrongField, read_sent, sent_json
from workbench.web.requests.answers import refusal
from workbench.web.requests.form_fields import TopicId
from workbench.web.requests.languages import gettext

blueprint = Pages("assessor_settings", __name__)

PAGE = 50
LONGEST_SEARCH = 200
FILTERS = ("topic", "judged", "note", "rationale", "same", "q", "versions")


class Later(NamedTuple):
    """A document, and whether it is put off."""

    topic_id: Annotated[str, Given(TEXT, by="client")]
    document_id: Annotated[str, Given(TEXT, by="client")]
    later: Annotated[bool, Given(TRUTH, by="client")]


class LaterNow(NamedTuple):
    """Whether a document is put off."""

    later: bool


TERM = Given(text(4 * LONGEST_TERM), by="client, if any")


class TermsChange(NamedTuple):
    """A term of one's own to add or remove, and a word of the topic to switch off or on."""

    topic_id: Annotated[str, Given(TEXT, by="client")]
    add: Annotated[str | None, TERM] = None
    remove: Annotated[str | None, TERM] = None
    off: Annotated[str | None, TERM] = None
    on: Annotated[str | None, TERM] = None


class Terms(NamedTuple):
    """One's own terms in the order they were added, and the words of the topic that are switched off."""

    terms: tuple[str, ...]
    off: tuple[str, ...]


@blueprint.post("/c/<campaign>/api/later", allow=JUDGES)
def later(campaign: str) -> Response:
    """Postpone a document, or resume it: `{topic_id, document_id, later}`; once more changes nothing."""
    sent = read_sent(Later)
    try:
        marked = assessor_settings.postpone(g.campaign, g.member, *sent[:2], later=sent.later)
    except NotThere as error:
        return refusal(404, "unknown pair", str(error))
    return jsonify(content(LaterNow(marked)))


@blueprint.post("/c/<campaign>/postponed-topics", allow=JUDGES)
def later_topic(
    campaign: str, *, topic: TopicId, do: Literal["postpone", "resume"] = "resume"
) -> AnyResponse:
    """Put a topic off with `do=postpone`, else no longer; judging goes on with the topic that is next then."""
    is_later = do == "postpone"
    assessor_settings.postpone_topic(g.campaign, g.member, topic, later=is_later)
    return redirect(url_for("judge.page" if is_later else "campaigns.own_topics", campaign=campaign), 303)


@blueprint.get("/c/<campaign>/api/terms", allow=JUDGES)
def terms(campaign: str) -> Response:
    """One's own terms for `?topic=`, in the order they were added, and the words of the topic that are switched off."""
    return _marked(assessor_settings.marked_words(g.campaign, g.member, request.args.get("topic", "")))


@blueprint.post("/c/<campaign>/api/terms", allow=JUDGES)
def change_terms(campaign: str) -> Response:
    """Add or remove a term of one's own, switch a word of the topic off or on; the answer is that of GET.

    Takes `{topic_id, add?, remove?, off?, on?}`.
    """
    sent = read_sent(TermsChange)
    try:
        changed = assessor_settings.change_terms(g.campaign, g.member, **sent._asdict())
    except TermRefused as error:
        return refusal(422, "wrong field", str(error), field="add" if sent.off is None else "off")
    except NotThere as error:
        return refusal(404, "unknown topic", str(error))
    return _marked(changed)


@blueprint.get("/c/<campaign>/api/preferences", allow=JUDGES)
def all_preferences(campaign: str) -> Response:
    """All of one's preferences by name."""
    return jsonify(preferences.all_of(g.campaign, g.member))


@blueprint.post("/c/<campaign>/api/preferences", allow=JUDGES)
def change_preferences(campaign: str) -> Response:
    """Set preferences: `{name: value}`, all or none; the answer has all of them."""
    sent = sent_json()
    if not isinstance(sent, dict):
        raise WrongField("body", "a JSON object is expected")
    return jsonify(preferences.change(g.campaign, g.member, sent))


@blueprint.get("/c/<campaign>/history", allow=JUDGES)
def history(campaign: str) -> str:
    """One's own judgments in force, newest first, 50 a page, by the filters of the address."""
    return render_template(
        "judging/history/page.html", name=campaign, **_judged(g.campaign, g.member, request.args)
    )


def _marked(words: MarkedWords) -> Response:
    return jsonify(content(Terms(tuple(words.own), tuple(words.off))))


class Choice(NamedTuple):
    """One choice of a filter: its value in the address, what it says, and how many judgments it has."""

    value: str
    name: str
    judgments: int


def _judged(campaign: Campaign, assessor: str, args: MultiDict[str, str]) -> dict[str, object]:
    """What the template needs: an assessor's judgments in force, newest first, 50 a page, by the filters in `args`.

    A judgment of a pair that is to be judged again is left out until that is done; the counts have it all the time.
    """
    wanted, current = filter_of(args), settings.read(campaign)
    with campaign.snapshot():
        tallies = own_judgments.tallies(campaign, assessor)
        hidden = assessing.hidden_again(campaign, assessor)
        seqs = [seq for seq in own_judgments.matching(campaign, assessor, wanted) if seq not in hidden]
        found = own_judgments.count(campaign, assessor, wanted)
        pages = max(1, -(-len(seqs) // PAGE))
        page = min(max(1, args.get("page", 1, type=int)), pages)
        entries = own_judgments.entries(campaign, seqs[(page - 1) * PAGE : page * PAGE])
    every = [current.asking(name) for name in ("", *(each.name for each in current.questions))]
    names = "", *(each.name for each in current.questions)
    scales = dict(zip(names, map(buttons_of, map(by_sides, every)), strict=True))
    stored = [entry.judgment for entry in entries if entry.judgment.left is None]
    return {
        "total": sum(tally.judgments for tally in tallies if tally.kind != "cleared"),
        "found": found,
        "entries": entries,
        "titles": _titles(campaign, entries),
        "buttons": {
            topic_id: scales[question_of(campaign, topic_id)]
            for topic_id in {entry.judgment.topic_id for entry in entries}
        },
        "given": given_buttons(
            campaign,
            [row.seq for entry in entries for row in entry.earlier if row.left is None],
            at_first=False,
        )
        | given_buttons(campaign, [judgment.seq for judgment in stored]),
        "topic_choices": _topic_choices(campaign, tallies),
        "grade_choices": _grade_choices(tallies, list(scales.values())),
        "wanted": wanted,
        "is_filtered": wanted != JudgmentFilter(),
        "args": args,
        "page": page,
        "pages": pages,
        "others": {name: value for name in FILTERS if (value := args.get(name))},
    }


def filter_of(args: MultiDict[str, str]) -> JudgmentFilter:
    """The filters in an address; what is not understood filters nothing."""
    judged = args.get("judged", "")
    is_grade = judged.removeprefix("-").isdecimal() and len(judged) < 12
    return JudgmentFilter(
        topic_id=args.get("topic") or None,
        kind=judged if judged in {"can't tell", "cleared"} else None,
        grade=int(judged) if is_grade else None,
        note=bool(args.get("note")),
        rationale=bool(args.get("rationale")),
        same_as=bool(args.get("same")),
        text=args.get("q", "").strip()[:LONGEST_SEARCH],
    )


def _titles(campaign: Campaign, entries: list[Entry]) -> dict[str, str]:
    """The titles of the topics on a page, by id; the id itself where there is no title."""
    titles = topics.titles(campaign.asking(EVERY))
    return {each: titles.get(each) or each for each in {entry.judgment.topic_id for entry in entries}}


def _topic_choices(campaign: Campaign, tallies: list[Tally]) -> list[Choice]:
    counts: Counter[str] = Counter()
    for tally in tallies:
        counts[tally.topic_id] += tally.judgments * (tally.kind != "cleared")
    titles = topics.titles(campaign.asking(EVERY))
    return [
        Choice(each, f"{each} {titles[each]}".strip(), counts[each]) for each in sorted(counts, key=natural)
    ]


def _grade_choices(tallies: list[Tally], scales: list[dict[int, GradeButton]]) -> list[Choice]:
    """The grades of the scales in the order of their buttons, then others that were given, then can't tell, cleared.

    A grade that several scales have is one choice with all its names.
    """
    names: dict[int, list[str]] = {}
    for button in (button for scale in scales for button in scale.values()):
        names.setdefault(button.grade, []).append(button.name)
    counts: Counter[tuple[str, int | None]] = Counter()
    for tally in tallies:
        counts["grade" if tally.grade is not None else tally.kind, tally.grade] += tally.judgments
    former = sorted(grade for _, grade in counts if grade is not None and grade not in names)
    grades = [(grade, " / ".join(dict.fromkeys(called))) for grade, called in names.items()]
    grades += [(grade, gettext("%(grade)s, no longer on the scale", grade=str(grade))) for grade in former]
    graded = [Choice(str(grade), name, counts["grade", grade]) for grade, name in grades]
    others = [("can't tell", gettext("Can’t tell")), ("cleared", gettext("Cleared"))]
    return [*graded, *(Choice(kind, name, counts[kind, None]) for kind, name in others)]
