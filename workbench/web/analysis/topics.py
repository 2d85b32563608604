"""The topics of a campaign: how hard each is, and what is found and missed in it."""

from __future__ import annotations

from collections.abc import Sequence

from flask import abort, g, render_template, request

from workbench.analysis.figures.rankings import drawable
from workbench.analysis.topic_profiles import TOPICS, TopicRow, TopicTable, surprises, topic_table
from workbench.analysis.trust.certain_pairs import PairsRequest
from workbench.analysis.trust.evidence import IN_A_JOB, pairs_take_long
from workbench.analysis.trust.next_documents import NextDocument, next_documents
from workbench.core.errors import UnknownName
from workbench.core.natural_order import natural
from workbench.methods.measures import BoundMeasure
from workbench.scoring.board.table import usual_measures
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import documents, pools, topic_withdrawals, topics
from workbench.storage.campaign.organising import settings
from workbench.web.access.rules import ORGANISERS, Pages
from workbench.web.analysis.result_pages import Served, serve_numbers
from workbench.web.requests.form_values import requested_row, seen_campaign
from workbench.web.requests.lists import Choice, Column, Filter, Listing

blueprint = Pages("topics", __name__)
serve_numbers(blueprint, Served(TOPICS, "topics.page"))

SPREAD = "Lowest, median and highest score of all runs; sorted by how far they are apart"


def _spread(row: TopicRow) -> float | None:
    """How far the best run is from the worst."""
    return None if row.difficulty is None else row.difficulty.highest - row.difficulty.lowest


LISTING = Listing[TopicRow](
    noun="topic",
    columns=(
        Column("topic", "Topic", lambda row: natural(row.topic_id)),
        Column("title", "Title", lambda row: row.title.casefold() or None),
        Column("runs", "Runs", lambda row: row.runs, numeric=True),
        Column("pooled", "Pooled", lambda row: row.pooled, numeric=True),
        Column("judged", "Judged", lambda row: row.judged, numeric=True),
        Column("waiting", "To judge", lambda row: row.waiting, numeric=True),
        Column("relevant", "Relevant", lambda row: row.relevant if row.judged else None, numeric=True),
        Column("spread", "Spread", _spread, numeric=True, help=SPREAD),
        Column("median", "Median", lambda row: row.difficulty and row.difficulty.median, numeric=True),
        Column("mean", "Mean", lambda row: row.difficulty and row.difficulty.mean, numeric=True),
    ),
    filters=(
        Filter(
            "state",
            "Judgments",
            {
                "none": Choice("none yet", lambda row: not row.judged),
                "some": Choice("begun", lambda row: bool(row.judged and row.waiting)),
                "done": Choice("all pooled judged", lambda row: bool(row.judged and not row.waiting)),
                "barren": Choice("nothing relevant", lambda row: bool(row.judged and not row.relevant)),
            },
            every="any",
        ),
    ),
    text=lambda row: f"{row.topic_id} {row.title}",
    looks_in="Id or title",
    ident=lambda row: row.topic_id,
    order="topic",
)


@blueprint.get("/c/<campaign>/topics", allow=ORGANISERS)
def page(campaign: str) -> str:
    """The topics with counts and scores over all runs by `?m=`; the list's words as in `web.requests.lists`."""
    measure = request.args.get("m", "").strip() or usual_measures(g.campaign)[0]
    table, wrong = _table(_seen(None), measure)
    kept = {} if measure == usual_measures(g.campaign)[0] else {"m": measure}
    return render_template(
        "analysis/topics/page.html",
        table=table,
        list=LISTING.view(table.rows, request.args, ".page", campaign=campaign, **kept),
        hardest=table.hardest_first(),
        bounded=is_share(table.measure),
        measure=measure,
        wrong=wrong,
        unused={row.topic_id for row in table.rows if not (row.runs or row.pooled or row.judged)},
        deleted=request.args.get("deleted", 0, type=int),
        out=topic_withdrawals.withdrawn(g.campaign),
    )


@blueprint.get("/c/<campaign>/topic", allow=ORGANISERS)
def topic(campaign: str) -> str:
    """One topic, `?topic=`: its statement, who ranks what where, how its relevant documents were found.

    All of it is as of the row `?as-of=` of the log, but for which documents can be opened.
    """
    topic_id, moment = request.args.get("topic", ""), requested_row("as-of")
    as_of = None if moment is None else moment.seq
    then = _seen(as_of)
    stored = topics.named(then, topic_id)
    measure = request.args.get("m", "").strip() or usual_measures(g.campaign)[0]
    table, wrong = _table(then, measure)
    row = table.row(topic_id)
    rules = settings.read(then)
    shown = set(pools.pooled_of_topic(g.campaign, topic_id)) - documents.held_back_for(g.campaign, topic_id)
    before, after = _neighbours(table.rows, topic_id)
    return render_template(
        "analysis/topics/topic.html",
        stored=stored,
        row=row,
        table=table,
        ranked=len(table.hardest_first()),
        deciding=_deciding(then, topic_id),
        surprises=surprises(then, topic_id),
        shown=shown,
        drawable=drawable(then, topic_id),
        out=topic_withdrawals.withdrawn(then).get(topic_id),
        grade_names={grade.grade: grade.name for grade in rules.grades},
        before=before,
        after=after,
        measure=measure,
        as_of=as_of,
        said="" if moment is None else str(moment),
        wrong=wrong,
    )


def _deciding(campaign: Campaign, topic_id: str) -> list[NextDocument] | None:
    """The documents of the topic whose judgment decides most between runs; None where that takes a job."""
    if pairs_take_long(campaign, PairsRequest(most_steps=IN_A_JOB)):
        return None
    return next_documents(campaign, topic_id=topic_id, most_steps=IN_A_JOB)


def is_share(measure: BoundMeasure) -> bool:
    """Whether values lie between 0 and 1, so that they can be drawn on a line of that length."""
    return not measure.is_count and (measure.measure.lowest, measure.measure.highest) == (0, 1)


def _seen(as_of: int | None) -> Campaign:
    """This request's campaign as of the row, by the round that is asked for; an answer 422 when there is none."""
    try:
        return seen_campaign(as_of)
    except UnknownName as error:
        abort(422, str(error))


def _table(campaign: Campaign, measure: str) -> tuple[TopicTable, str]:
    """The topics by a measure, and what is wrong with the measure that was asked for, by the usual one then."""
    try:
        return topic_table(campaign, measure), ""
    except UnknownName as error:
        return topic_table(campaign, usual_measures(g.campaign)[0]), str(error)


def _neighbours(rows: Sequence[TopicRow], topic_id: str) -> tuple[str | None, str | None]:
    """The topics before and after one, in the order of the list."""
    ids = sorted((row.topic_id for row in rows), key=natural)
    place = ids.index(topic_id) if topic_id in ids else 0
    return ids[place - 1] if place else None, ids[place + 1] if place + 1 < len(ids) else None
