"""Judgments that a browser sends: read with suspicion, since every field has one type and one range, and stored once.

The assessor is always the signed-in account, whatever a browser sends.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from flask import Blueprint, Response, g, jsonify, request

from workbench.campaign import assessing
from workbench.campaign.assessing.storing import TOO_MANY, WINDOW
from workbench.core.errors import JudgmentRefused, NotThere, WorkbenchError
from workbench.core.records import Judgment
from workbench.core.values import UUID_PATTERN, declared, read_integer, text
from workbench.storage.campaign.grades import judgments
from workbench.storage.campaign.log import log
from workbench.web.access.rules import JUDGES, allow_in_campaign
from workbench.web.requests.answers import as_sent, own_judgment, refusal, status_of

blueprint = Blueprint("judgments", __name__)

MOST_RECEIPTS = 500
LONGEST_TEXT = 4_000

Reader = Callable[[object], Any]


class WrongField(WorkbenchError):
    """A field of what was sent has the wrong type or value; `field` is its name."""

    def __init__(self, field: str, expected: str) -> None:
        self.field = field
        super().__init__(f"{field}: {expected}")


def sent_json() -> Any:
    """The JSON of this request; WrongField where it is nested too deeply to be read."""
    try:
        return request.get_json()
    except RecursionError:
        raise WrongField("body", "the JSON is nested too deeply") from None


class Submission(NamedTuple):
    """What was sent: a judgment as far as its sender says it, the mark of the log that it was made for, and the number
    of the norming session in which it is given.
    """

    judgment: Judgment
    log: str
    norming: int | None


def read_submission(sent: object) -> Submission:
    """The submission in a decoded JSON value; WrongField names the first field that is missing, wrong or unknown."""
    fields = read_fields(sent, READERS, OPTIONAL)
    made_for, norming = fields.pop("log"), fields.pop("norming", None)
    return Submission(Judgment(**fields), made_for, norming)


def check_log(made_for: str) -> None:
    """Refuse what was made for another log than that of this request's campaign, which had the same name then."""
    if made_for != log.mark(g.campaign):
        raise JudgmentRefused(
            "another campaign", "this was judged in another campaign that had the same name"
        )


def read_fields(
    sent: object, readers: Mapping[str, Reader], optional: frozenset[str] = frozenset()
) -> dict[str, Any]:
    """The fields of a decoded JSON object, each read by its reader; those that are optional may be missing."""
    if not isinstance(sent, Mapping):
        raise WrongField("body", "a JSON object is expected")
    for field in sent:
        if field not in readers:
            raise WrongField(str(field)[:100], "this field is not known")
    found = {}
    for field, reader in readers.items():
        if field in sent:
            try:
                found[field] = reader(sent[field])
            except ValueError as error:
                raise WrongField(field, str(error)) from None
        elif field not in optional:
            raise WrongField(field, "this field is missing")
    return found


def read_text(value: object, longest: int = LONGEST_TEXT) -> str:
    """A text of at most `longest` characters, all of them whole; ValueError says what is expected."""
    found: str = text(longest).read(value)
    return found


def read_number(value: object) -> int | None:
    """An integer, or None."""
    return None if value is None else read_integer(value)


def read_truth(value: object) -> bool:
    """True or False."""
    if not isinstance(value, bool):
        raise ValueError("true or false is expected")
    return value


SENT = tuple(field for field in declared(Judgment) if field.given.by != "log")
"""The fields of a judgment that its sender gives."""
READERS: Mapping[str, Reader] = {
    **{field.name: field.read for field in SENT},
    "log": read_text,
    "norming": read_number,
}
OPTIONAL = frozenset({"norming", *(field.name for field in SENT if field.given.by == "client, if any")})


@blueprint.post("/c/<campaign>/api/judgments")
@allow_in_campaign(*JUDGES)
def store(campaign: str) -> Response:
    """Store a judgment: 201 when it is new, 200 when this uuid had been stored, both with what is stored now."""
    try:
        submission = read_submission(sent_json())
    except WrongField as error:
        return refusal(422, "wrong field", str(error), field=error.field)
    try:
        check_log(submission.log)
        receipt = assessing.judge(
            g.campaign, submission.judgment, assessor=g.member, norming=submission.norming
        )
    except JudgmentRefused as error:
        answer = refusal(status_of(error), error.reason, str(error), current=own_judgment(_mine(submission)))
        if error.reason == TOO_MANY:
            answer.headers["Retry-After"] = str(int(WINDOW.total_seconds()))
        return answer
    response = jsonify(
        stored=as_sent(receipt.judgment),
        repeated=receipt.repeated,
        again=receipt.again,
        versions=receipt.versions._asdict(),
        before=receipt.before,
    )
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


@blueprint.post("/c/<campaign>/api/receipts")
@allow_in_campaign(*JUDGES)
def unknown(campaign: str) -> Response:
    """Which of `{"uuids": [...]}` (at most 500, in small letters) name no judgment of the signed-in account.

    Browsers keep the judgments that were acknowledged in the last days, ask here, and send again what is not known: a
    server that was restored from an older backup has lost what came after it. `log` in the answer tells this
    campaign's log from any other: a new campaign under an old name knows none of the earlier judgments, and must not
    be given them.
    """
    uuids = _uuids()
    if uuids is None:
        message = f"uuids: a list of at most {MOST_RECEIPTS} UUIDs is expected"
        return refusal(422, "wrong field", message, field="uuids")
    return jsonify(unknown=judgments.unknown_uuids(g.campaign, uuids, g.member), log=log.mark(g.campaign))


def _uuids() -> list[str] | None:
    try:
        sent = sent_json()
    except WrongField:
        return None
    uuids = sent.get("uuids") if isinstance(sent, Mapping) else None
    if not isinstance(uuids, list) or len(uuids) > MOST_RECEIPTS:
        return None
    return uuids if all(isinstance(uuid, str) and UUID_PATTERN.fullmatch(uuid) for uuid in uuids) else None
