"""Judgments that a browser sends: read with suspicion, since every field has one type and one range, and stored once.

The assessor is always the signed-in account, whatever a browser sends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any, NamedTuple, TypeVar

from flask import Response, g, jsonify, request

from workbench.campaign import assessing
from workbench.campaign.assessing.storing import TOO_MANY, WINDOW
from workbench.core.errors import JudgmentRefused, NotThere, WorkbenchError
from workbench.core.records import Judgment
from workbench.core.results import content
from workbench.core.values import INTEGER, LONGEST_ID, UUID, Declared, Given, declared, several, text
from workbench.storage.campaign.grades import judgments
from workbench.storage.campaign.log import log
from workbench.web.access.rules import JUDGES, Pages
from workbench.web.requests.answers import own_judgment, refusal, status_of
from workbench.web.requests.languages import gettext

blueprint = Pages("judgments", __name__)

MOST_RECEIPTS = 500
TEXT, ID = text(4_000), text(LONGEST_ID)

SENT = tuple(field for field in declared(Judgment) if field.given.by != "log")
"""The fields of a judgment that its sender gives."""

Sent = TypeVar("Sent")


class WrongField(WorkbenchError):
    """A field of what was sent has the wrong type or value; `field` is its name."""

    def __init__(self, field: str, expected: str) -> None:
        self.field = field
        super().__init__(f"{field}: {expected}")


@blueprint.app_errorhandler(WrongField)
def wrong_field(error: WrongField) -> Response:
    """Every script that sends JSON learns of a wrong field in the same way."""
    return refusal(422, "wrong field", str(error), field=error.field)


def sent_json() -> Any:
    """The JSON of this request; WrongField where it is nested too deeply to be read."""
    try:
        return request.get_json()
    except RecursionError:
        raise WrongField("body", "the JSON is nested too deeply") from None


class Submission(NamedTuple):
    """What was sent.

    Attributes:
        judgment: a judgment as far as its sender says it.
        log: the mark of the campaign's log, as the document was shown with it.
        norming: the number of a norming session, None outside of them.
    """

    judgment: Judgment
    log: Annotated[str, Given(TEXT, by="client")]
    norming: Annotated[int | None, Given(INTEGER, by="client, if any")]


SUBMITTED = (*SENT, *declared(Submission))


def read_submission(sent: object) -> Submission:
    """The submission in a decoded JSON value; errors as of `read_fields`."""
    fields = read_fields(sent, SUBMITTED)
    made_for, norming = fields.pop("log"), fields.pop("norming", None)
    return Submission(Judgment(**fields), made_for, norming)


def read_sent(kind: Callable[..., Sent]) -> Sent:
    """The record of this kind, with declared fields, that this request sends; errors as of `read_fields`."""
    return kind(**read_fields(sent_json(), declared(kind)))


def check_log(made_for: str) -> None:
    """Refuse what was made for another log than that of this request's campaign, which had the same name then."""
    if made_for != log.mark(g.campaign):
        raise JudgmentRefused(
            "another campaign", gettext("this was judged in another campaign that had the same name")
        )


def read_fields(sent: object, fields: Iterable[Declared]) -> dict[str, Any]:
    """The fields of a decoded JSON object; WrongField names the first one that is unknown, missing or wrong."""
    if not isinstance(sent, Mapping):
        raise WrongField("body", "a JSON object is expected")
    known = {field.name: field for field in fields}
    for name in sent:
        if name not in known:
            raise WrongField(str(name)[:100], "this field is not known")
    found = {}
    for name, field in known.items():
        if name in sent:
            try:
                found[name] = field.read(sent[name])
            except ValueError as error:
                raise WrongField(name, str(error)) from None
        elif field.given.by != "client, if any":
            raise WrongField(name, "this field is missing")
    return found


@blueprint.post("/c/<campaign>/api/judgments", allow=JUDGES)
def store(campaign: str) -> Response:
    """Store a judgment: 201 when it is new, 200 when this uuid had been stored, both with what is stored now."""
    submission = read_submission(sent_json())
    try:
        check_log(submission.log)
        receipt = assessing.judge(
            g.campaign, submission.judgment, assessor=g.member, norming=submission.norming
        )
    except JudgmentRefused as error:
        current = content(own_judgment(_mine(submission)))
        answer = refusal(status_of(error), error.reason, str(error), current=current)
        if error.reason == TOO_MANY:
            answer.headers["Retry-After"] = str(int(WINDOW.total_seconds()))
        return answer
    response = jsonify(content(receipt))
    response.status_code = 200 if receipt.repeated else 201
    return response


def _mine(submission: Submission) -> Judgment | None:
    """What is stored now of what was to be judged, as its assessor may see it."""
    given = submission.judgment
    try:
        if submission.norming is None:
            return assessing.own_judgments(g.campaign, given.topic_id, given.document_id, g.member).seen
        session = assessing.session_of(g.campaign, submission.norming)
        return assessing.own_in_session(g.campaign, session, given.document_id, g.member)
    except NotThere:
        return None


class LookedAt(NamedTuple):
    """A pair that was judged, with the mark of the campaign's log."""

    log: Annotated[str, Given(TEXT, by="client")]
    topic_id: Annotated[str, Given(ID, by="client")]
    document_id: Annotated[str, Given(ID, by="client")]


class SecondLook(NamedTuple):
    """The model whose label is shown, and its grade; both None where none is."""

    judge: str | None
    grade: int | None


@blueprint.post("/c/<campaign>/api/second-look", allow=JUDGES)
def second_look(campaign: str) -> Response:
    """A model's label of a pair that the signed-in account has graded: refused before, and nothing of control pairs."""
    asked = read_sent(LookedAt)
    try:
        check_log(asked.log)
        found = assessing.show_label(g.campaign, asked.topic_id, asked.document_id, g.member)
    except JudgmentRefused as error:
        return refusal(status_of(error), error.reason, str(error))
    return jsonify(content(SecondLook(*(found[:2] if found else (None, None)))))


class Receipts(NamedTuple):
    """Judgments by their uuids."""

    uuids: Annotated[tuple[str, ...], Given(several(UUID, MOST_RECEIPTS, "UUID"), by="client")]


class UnknownReceipts(NamedTuple):
    """Those of them that are not stored, and the mark of the campaign's log."""

    unknown: tuple[str, ...]
    log: str


@blueprint.post("/c/<campaign>/api/receipts", allow=JUDGES)
def unknown(campaign: str) -> Response:
    """Which of `{"uuids": [...]}` (at most 500) name no judgment of the signed-in account.

    Browsers keep the judgments that were acknowledged in the last days, ask here, and send again what is not known: a
    server that was restored from an older backup has lost what came after it. `log` in the answer tells this
    campaign's log from any other: a new campaign under an old name knows none of the earlier judgments, and must not
    be given them.
    """
    unknown = judgments.unknown_uuids(g.campaign, read_sent(Receipts).uuids, g.member)
    return jsonify(content(UnknownReceipts(tuple(unknown), log.mark(g.campaign))))
