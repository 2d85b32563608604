"""Which addresses answer in JSON: for each endpoint what it takes, what it answers, and how it refuses."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import NamedTuple

from workbench.analysis.dashboard.task_steps import Steps
from workbench.analysis.registry import Analysis
from workbench.analysis.trust.evidence import STOP
from workbench.analysis.trust.recommendation import Recommendation
from workbench.campaign.assessing import Receipt
from workbench.core.parameters import Parameter as AnalysisParameter
from workbench.core.results import Schema
from workbench.methods.pooling import STRATEGIES
from workbench.web.analysis.result_pages import AS_OF, ROUTES
from workbench.web.api.schemas import ANY_TEXT, list_of, one_of, schema_of_parameter
from workbench.web.judging.assessor_settings import Later, LaterNow, Terms, TermsChange
from workbench.web.judging.document_view import ShownDocument
from workbench.web.judging.more_documents import Queue
from workbench.web.judging.nuggets import NuggetsNow, Selected
from workbench.web.judging.preferences import Preferences
from workbench.web.judging.submissions import LookedAt, Receipts, SecondLook, UnknownReceipts
from workbench.web.judging.texts import Texts, TextsWanted
from workbench.web.requests.form_values import ROUND
from workbench.web.scoring.board_view import Board, IntervalsOfBoard
from workbench.web.setup.new_campaign import Reports
from workbench.web.setup.pool_answers import MadePool, PlannedPool
from workbench.web.setup.strategy_fields import field_name

JSON = "application/json"
FORM = "application/x-www-form-urlencoded"
WITH_FILES = "multipart/form-data"
PAGE, FILE = "text/html", "*/*"
"""Answers that are no JSON: a page, and a page or a file of any kind."""


class Parameter(NamedTuple):
    """A field of the query: its name, what it may be, and what it means."""

    name: str
    schema: Schema
    words: str
    required: bool = False


class Operation(NamedTuple):
    """What the description says of an endpoint and its view does not.

    Attributes:
        answers: the kind of result that its answers are by status, or the name of one of SCHEMAS, or PAGE or FILE; None
            where an answer has no body.
        takes: the kind of record that the body is, of which all fields are declared, or likewise, or a schema.
        media_type: how the body is sent.
        query: the fields of its query.
        refuses: statuses of refusals besides those that every such endpoint has.
        marks: "x-reads" where it is sent and changes nothing, "x-texts" where the answer holds text of documents.
    """

    answers: Mapping[int, str | type | None]
    takes: str | type | Schema | None = None
    media_type: str = JSON
    query: tuple[Parameter, ...] = ()
    refuses: tuple[int, ...] = ()
    marks: tuple[str, ...] = ()


TOPIC = Parameter("topic", ANY_TEXT, "The id of a topic.")
DOCUMENT = Parameter("document", ANY_TEXT, "The id of a document that is pooled for the topic.")
AGAINST = Parameter("against", ANY_TEXT, "The document shown before, which may be a near duplicate.")
NORMING = Parameter("norming", ANY_TEXT, "The number of a norming session, in which the document is shown.")
MOMENT = Parameter(AS_OF, ANY_TEXT, "A log row, a date (its end), or a date and time; now by default.")
SEEN_BY = Parameter(
    ROUND,
    ANY_TEXT,
    "A round: `2`, `2-residual` (without what was judged before), `2-own` (by its own judgments only), or `all` "
    "together. By default the open round; of the list of runs all.",
)
BOARD = (
    Parameter("m", list_of(ANY_TEXT), "Measures, such as nDCG@10; the usual ones by default."),
    Parameter("by", one_of(("run", "team")), "`team`: only the best run of each team."),
    Parameter("topics", one_of(("judged", "finished")), "`finished`: only fully judged topics."),
    SEEN_BY,
    MOMENT,
)


def fields_of(analysis: Analysis) -> tuple[Parameter, ...]:
    """What the query of an analysis may say."""
    return (*map(field_of, analysis.parameters), SEEN_BY, MOMENT)


def field_of(parameter: AnalysisParameter) -> Parameter:
    """A field of the query that is declared as a parameter."""
    return Parameter(parameter.name, schema_of_parameter(parameter), f"{parameter.help}.", parameter.required)


POOL = (
    Parameter("strategy", one_of(STRATEGIES), "How the pairs are chosen; by default as in the newest pool."),
    Parameter("runs", ANY_TEXT, "Tags of the runs to draw on, with commas; all by default."),
    Parameter("per_hour", ANY_TEXT, "Judgments of one person in an hour; by default the pace so far."),
    *{
        field_name(each): field_of(each)._replace(name=field_name(each), required=False)
        for strategy in STRATEGIES.values()
        for each in strategy.parameters
    }.values(),
)
"""What the query of a pool's plan may say; the parameters are those of all strategies."""


OPERATIONS: Mapping[str, Operation] = {
    "health.health": Operation({200: "Health", 503: "Health"}),
    "health.ready": Operation({200: "Readiness", 503: "Readiness"}),
    "sign_in.session_state": Operation({200: "Session", 401: "NoSession"}),
    "sign_in.prove": Operation({200: "SignedIn"}, takes="SignIn", media_type=FORM, refuses=(401, 429)),
    "judgments.store": Operation({200: Receipt, 201: Receipt}, takes="Submission", refuses=(409, 422, 429)),
    "document_view.document": Operation(
        {200: ShownDocument}, query=(TOPIC, DOCUMENT, AGAINST, NORMING), marks=("x-texts",)
    ),
    "assessor_settings.later": Operation({200: LaterNow}, takes=Later, refuses=(422,)),
    "assessor_settings.terms": Operation({200: Terms}, query=(TOPIC,)),
    "assessor_settings.change_terms": Operation({200: Terms}, takes=TermsChange, refuses=(422,)),
    "assessor_settings.all_preferences": Operation({200: "AllPreferences"}),
    "assessor_settings.change_preferences": Operation(
        {200: "AllPreferences"}, takes=Preferences, refuses=(422,)
    ),
    "nuggets.add_selected": Operation({200: NuggetsNow}, takes=Selected, refuses=(409, 422)),
    "more_documents.queue": Operation({200: Queue}, query=(TOPIC,)),
    "texts.texts": Operation({200: Texts}, TextsWanted, refuses=(422,), marks=("x-reads", "x-texts")),
    "judgments.second_look": Operation({200: SecondLook}, takes=LookedAt, refuses=(403, 409, 422)),
    "judgments.unknown": Operation({200: UnknownReceipts}, takes=Receipts, refuses=(422,)),
    "board.news": Operation({200: Board, 304: None}, query=BOARD, refuses=(422,)),
    "board.intervals": Operation({200: IntervalsOfBoard, 202: "BeingComputed"}, query=BOARD, refuses=(422,)),
    "trust.answer": Operation(
        {200: Recommendation, 202: "BeingComputed", 304: None}, query=fields_of(STOP), refuses=(422,)
    ),
    "task_steps.numbers": Operation({200: Steps}),
    "jobs.state": Operation({200: "Job"}),
    "pooling.plan": Operation({200: PlannedPool}, query=POOL, refuses=(422,)),
    "pooling.make": Operation({200: MadePool, 202: "Job"}, takes="NewPool", media_type=FORM, refuses=(422,)),
    "adjudication.change": Operation({200: "Adjudicated"}, refuses=(422,)),
    "submitting.take": Operation(
        {200: "TeamReports", 202: "Job", 400: "NoTeamReports", 422: "NoTeamReports"}, refuses=(429,)
    ),
    "new_campaign.take": Operation(
        {200: Reports, 202: "Job", 400: "NoReports"}, takes="Files", media_type=WITH_FILES, refuses=(422,)
    ),
}
"""By endpoint. Every route under /api/ has to be here or in ROUTES, besides this description itself."""


def operations() -> dict[str, Operation]:
    """All of them, those of declared analyses too, which their pages declare."""
    import_module("workbench.web.pages")
    return dict(OPERATIONS) | {
        endpoint: Operation(
            {200: route.analysis.kind, 202: "Job"}, query=fields_of(route.analysis), refuses=(422,)
        )
        for endpoint, route in sorted(ROUTES.items())
        if not route.is_page
    }
