"""Runs: what came in, what each brought to the pool, how each does; and taking one out of the campaign, or back."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Annotated

from flask import abort, g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from workbench.analysis.run_profiles import one_run
from workbench.analysis.run_profiles.contribution import found_alone
from workbench.analysis.run_profiles.overlap import DEPTHS, overlaps
from workbench.analysis.run_profiles.table import CUTOFF, LARGEST_CUTOFF, RUNS, RunRow, RunTable, run_table
from workbench.campaign.content_changes import restore_runs, withdraw_runs
from workbench.campaign.rounds import EVERY
from workbench.campaign.submission_rules import rules_of
from workbench.campaign.submissions.correcting import Correction, correct_runs
from workbench.core.about import DOCUMENTS
from workbench.core.errors import REFUSED, AlreadyDone
from workbench.core.natural_order import natural
from workbench.core.parameters import Limits
from workbench.core.run_costs import titled_costs
from workbench.core.wording import as_sentence, counted
from workbench.scoring.board.past_boards import scoring_of
from workbench.scoring.board.table import printed
from workbench.storage.campaign.collection import run_details, topic_withdrawals, topics, withdrawals
from workbench.storage.campaign.collection.question_topics import about, question_of
from workbench.storage.campaign.collection.rounds import named_teams
from workbench.storage.campaign.collection.runs import StoredRun
from workbench.storage.campaign.organising import settings
from workbench.web.access.rules import ORGANISERS, Pages
from workbench.web.analysis.result_pages import Served, serve_numbers
from workbench.web.judging.given import buttons_of
from workbench.web.requests.answers import say
from workbench.web.requests.form_fields import Reason, ShortName, Text, Ticked
from workbench.web.requests.form_values import seen_campaign
from workbench.web.requests.lists import Choice, Column, Filter, Listing, one_of
from workbench.web.scoring.board_request import measure_of_a_run

blueprint = Pages("runs", __name__)
serve_numbers(blueprint, Served(RUNS, "runs.page", usual_round=EVERY))

SHOWN_OVERLAPS = 10
SHOWN_ALONE = 50
LONGEST_REASON = 500
RUNS_OF_A_PAGE = 200
STATES = {
    "pooled": Choice[RunRow]("in a pool", lambda row: bool(row.pools) and row.run.withdrawn is None),
    "waiting": Choice[RunRow]("not pooled", lambda row: not row.pools and row.run.withdrawn is None),
    "warned": Choice[RunRow]("with warnings", lambda row: bool(row.run.warnings)),
    "repaired": Choice[RunRow]("repaired", lambda row: bool(row.run.repairs)),
    "withdrawn": Choice[RunRow]("withdrawn", lambda row: row.run.withdrawn is not None),
}
"""Which runs the list can be left to."""

CHANGES = {"withdraw": withdraw_runs, "restore": restore_runs}
How = Annotated[str, Limits("what becomes of the run", choices=tuple(CHANGES))]
FOR_POOLS = {"leave out": Correction(contributes=False), "let in": Correction(contributes=True)}
HowSeveral = Annotated[str, Limits("what is changed", choices=(*CHANGES, *FOR_POOLS, "set team"))]


def runs_list(table: RunTable) -> Listing[RunRow]:
    """The list of the page: its columns, and filters for the teams there are."""
    teams = sorted({row.run.record.team for row in table.runs} - {""}, key=natural)
    of_team: Filter[RunRow] = one_of("team", "Team", teams, lambda row: row.run.record.team)
    team = Column[RunRow]("team", "Team", lambda row: natural(row.run.record.team))
    form = Column[RunRow]("form", "Form", lambda row: row.run.record.form_title)
    return Listing[RunRow](
        noun="run",
        columns=(
            Column("run", "Run", lambda row: natural(row.run.record.tag)),
            *([team] if teams else []),
            *([form] if any(row.run.record.form for row in table.runs) else []),
            Column("topics", "Topics", lambda row: row.run.record.topics, numeric=True),
            Column("lines", "Lines", lambda row: row.run.record.lines, numeric=True),
            Column("warnings", "Warnings", lambda row: row.warned, numeric=True),
            Column("pooled", "Pooled", lambda row: row.contribution.pooled, numeric=True),
            Column("unique", "Unique", lambda row: row.contribution.unique, numeric=True),
            Column("relevant", "Relevant", lambda row: row.contribution.unique_relevant, numeric=True),
            Column("judged", f"Judged@{table.cutoff}", lambda row: row.judged, numeric=True),
        ),
        filters=(*([of_team] if teams else []), Filter("state", "State", STATES)),
        text=lambda row: f"{row.run.record.tag} {row.run.record.team}",
        looks_in="Run or team" if teams else "Run",
        ident=lambda row: row.run.record.tag,
        size=RUNS_OF_A_PAGE,
    )


def lines_list(scores: one_run.RunScores, titles: Mapping[str, str]) -> Listing[one_run.TopicLine]:
    """A run's scores by topic: the columns of its page."""
    return Listing[one_run.TopicLine](
        noun="topic",
        columns=(
            Column("topic", "Topic", lambda line: natural(line.topic_id)),
            Column("title", "Title", lambda line: titles[line.topic_id].casefold() or None),
            Column("score", str(scores.measure), lambda line: line.score, numeric=True),
            Column("median", "Median", lambda line: line.median, numeric=True),
            Column("best", "Best", lambda line: line.best, numeric=True),
            Column("rank", f"Rank of {scores.runs:,}", lambda line: line.place, numeric=True),
        ),
        text=lambda line: f"{line.topic_id} {titles[line.topic_id]}",
        looks_in="Id or title",
        ident=lambda line: line.topic_id,
        order="topic",
    )


@blueprint.get("/c/<campaign>/runs", allow=ORGANISERS)
def page(campaign: str) -> str:
    """All runs; the words of the list as in `web.requests.lists`."""
    cutoff = request.args.get("judged-at", CUTOFF, type=int)
    table = run_table(seen_campaign(None, EVERY), cutoff=min(max(1, cutoff), LARGEST_CUTOFF))
    kept = {} if table.cutoff == CUTOFF else {"judged-at": table.cutoff}
    return render_template(
        "analysis/runs/page.html",
        list=runs_list(table).view(table.runs, request.args, ".page", campaign=campaign, **kept),
        cutoff=table.cutoff,
        not_counted=table.not_counted,
        sentence=sentence(table),
        has_teams=any(row.run.record.team for row in table.runs),
        has_forms=any(row.run.record.form for row in table.runs),
        topics=len(topic_withdrawals.taking_part(g.campaign)),
        teams=sorted(named_teams(g.campaign), key=natural),
    )


@blueprint.post("/c/<campaign>/runs", allow=ORGANISERS)
def change_several(
    campaign: str, *, do: HowSeveral, run: Ticked = (), reason: Reason = "", team: ShortName = ""
) -> ResponseReturnValue:
    """Change the ticked runs as `do` says; all of them or none."""
    table = run_table(g.campaign)
    try:
        tags = runs_list(table).chosen(table.runs, request.form, run)
        if do in CHANGES:
            CHANGES[do](g.campaign, tags, reason=reason)
        else:
            correction = FOR_POOLS.get(do, Correction(team=team))
            correct_runs(g.campaign, dict.fromkeys(tags, correction), reason=reason)
    except REFUSED as error:
        abort(409, f"{as_sentence(error)} Nothing was changed.")
    say(f"{counted(len(tags), 'run')} changed. The log has who, when and why.")
    return redirect(url_for(".page", campaign=campaign), 303)


@blueprint.get("/c/<campaign>/run", allow=ORGANISERS)
def run(campaign: str) -> ResponseReturnValue:
    """The run of the address; with `topic` its documents for that topic, with `rank` too the page of that pair.

    Tags are any text, slashes and dots included, so they are no part of the path.
    """
    chosen, topic_id = one_run.run_named(g.campaign, request.args.get("run", "")), request.args.get("topic")
    if topic_id is not None and (rank := request.args.get("rank", 0, type=int)):
        return _pair(campaign, chosen, topic_id, rank)
    return _one(campaign, chosen) if topic_id is None else _documents(campaign, chosen, topic_id)


@blueprint.post("/c/<campaign>/run", allow=ORGANISERS)
def change(campaign: str, *, run: Text, change: How, reason: Reason = "") -> ResponseReturnValue:
    """Withdraw a run or restore it, as `change` says."""
    try:
        CHANGES[change](g.campaign, [run], reason=reason)
    except AlreadyDone:
        abort(409, f"Another organiser already did this: nothing to {change}. Go back to the run and check.")
    say(f"Run {run} {'withdrawn' if change == 'withdraw' else 'restored'}.")
    return redirect(url_for(".run", campaign=campaign, run=run), 303)


def _one(campaign: str, run: StoredRun) -> str:
    tag = run.record.tag
    measure, wrong, menu = measure_of_a_run()
    scores, table = one_run.run_scores(seen_campaign(), tag, measure), run_table(g.campaign)
    row = next(row for row in table.runs if row.run.run == run.run)
    # What a run brings to the pool, alone or beside others, is said of relevance.
    scoring = None if g.campaign.question else scoring_of(g.campaign)
    alike = overlaps(g.campaign, scoring, run) if scoring else []
    alone = found_alone(g.campaign, scoring, run.run) if scoring else []
    alone = sorted(alone, key=lambda pair: natural(pair.topic_id))
    titles = topics.titles(g.campaign.asking(""))
    return render_template(
        "analysis/runs/run.html",
        row=row,
        run=run,
        tag=tag,
        not_counted=table.not_counted,
        scores=scores,
        wrong=wrong,
        lead=lead(row, scores, of_question=bool(g.campaign.question)),
        measure=str(scores.measure),
        measures=tuple(dict.fromkeys([*menu, str(scores.measure)])),
        has_recall=about(g.campaign) == DOCUMENTS,
        printed=partial(printed, scores.measure),
        lines=bool(scores.topics),
        list=lines_list(scores, titles).view(
            scores.topics, request.args, ".run", campaign=campaign, run=tag, m=request.args.get("m")
        ),
        titles=titles,
        topic_ids=sorted(titles, key=natural),
        alone=alone[:SHOWN_ALONE],
        more_alone=len(alone) - SHOWN_ALONE,
        buttons=buttons_of(settings.read(g.campaign)),
        alike=alike[:SHOWN_OVERLAPS],
        less_alike=alike[SHOWN_OVERLAPS:],
        depths=DEPTHS,
        steps=[step for step in withdrawals.steps(g.campaign) if step.content["run"] == run.run],
        asks="ask" in request.args,
        details=row.details,
        costs=list(titled_costs(row.details.costs)),
        replaced=next(
            (each.run.record.tag for each in table.runs if each.run.run == row.details.replaces), ""
        ),
        corrections=[step for step in run_details.steps(g.campaign) if step.content["run"] == run.run],
        fields=rules_of(g.campaign).fields,
    )


def _pair(campaign: str, run: StoredRun, topic_id: str, rank: int) -> ResponseReturnValue:
    document_id = one_run.document_at(g.campaign, run, topic_id, rank)
    if document_id is None:
        abort(404, f"run {run.record.tag} has no document at rank {rank} of topic {topic_id}.")
    return redirect(url_for("pairs.page", campaign=campaign, topic=topic_id, document=document_id))


def _documents(campaign: str, run: StoredRun, topic_id: str) -> str:
    g.campaign = g.campaign.asking(question_of(g.campaign, topic_id))
    topic = topics.named(g.campaign, topic_id)
    ordered = sorted(topics.topic_ids(g.campaign), key=natural)
    place = ordered.index(topic_id)
    number = request.args.get("page", 1, type=int)
    return render_template(
        "analysis/runs/documents.html",
        run=run,
        tag=run.record.tag,
        topic=topic.topic,
        shown=one_run.ranked_page(g.campaign, scoring_of(g.campaign), run, topic_id, number),
        answers=one_run.answers_shown(g.campaign, run, topic_id),
        buttons=buttons_of(settings.read(g.campaign)),
        before=ordered[place - 1] if place else None,
        after=ordered[place + 1] if place + 1 < len(ordered) else None,
    )


def sentence(table: RunTable) -> str:
    """What came in, in a sentence or two."""
    rows = table.runs
    teams = {row.run.record.team for row in rows if row.run.record.team}
    by = f" by {counted(len(teams), 'team')}" if teams else ""
    text = f"{counted(len(rows), 'run')}{by}, {counted(sum(row.run.record.lines for row in rows), 'line')}."
    out = sum(row.run.withdrawn is not None for row in rows)
    odd = sum(bool(row.run.warnings) for row in rows)
    if out:
        text += f" {counted(out, 'run')} {'is' if out == 1 else 'are'} withdrawn."
    if odd:
        text += f" {counted(odd, 'run')} with warnings."
    if repaired := sum(bool(row.run.repairs) for row in rows):
        text += f" {counted(repaired, 'run')} {'was' if repaired == 1 else 'were'} repaired when added."
    return text


def lead(row: RunRow, scores: one_run.RunScores, *, of_question: bool = False) -> str:
    """How a run does and, by relevance, what it brings, in a few sentences."""
    value = printed(scores.measure, scores.mean)
    if row.run.withdrawn is not None:
        text = f"Withdrawn. Its {scores.measure} would be {value}."
    elif not scores.topics:
        text = "No judgments yet, so it has no scores."
    else:
        text = f"Rank {scores.place:,} of {counted(scores.runs, 'run')} by {scores.measure} ({value})."
    brought = row.contribution
    if of_question:
        return text
    if not row.pools:
        return f"{text} Not pooled."
    alone = f"{brought.unique:,} of them unique, {brought.unique_relevant:,} of these relevant"
    return f"{text} It contributed {counted(brought.pooled, 'document')} to the pool, {alone}."
