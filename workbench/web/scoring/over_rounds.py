"""Rounds on pages of scores: what is shown is of one round, and any other is a click away.

A page by round reads `?round=` (web/requests/form_values.py); its links and forms keep it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from flask import Flask, Response, g, request, url_for
from markupsafe import Markup

from workbench.analysis.run_profiles.one_run import run_named
from workbench.campaign.rounds import EVERY, name_of, rounds_note
from workbench.core.errors import REFUSED
from workbench.storage.campaign.collection import rounds
from workbench.storage.campaign.collection.rounds import JUDGED, OfRound, seen_with
from workbench.web.requests.form_values import ROUND, seen_campaign

BY_ROUND = frozenset(
    {
        *("agreement", "battles", "board", "compare", "costs", "dashboard", "downloads", "figures"),
        *("of_plugins", "online", "own_team", "publish", "reuse", "runs", "topics", "trust"),
    }
)
"""The blueprints that show scores by a round, or progress: pages say by which at their top, all else in a header."""

OF_SCORES = frozenset({"scores", "topic-scores", "board"})
"""The kinds of downloads that are of a round; all others say themselves what they are of."""

USUALLY_ALL = frozenset({"runs.page", "runs.api"})
"""Lists of what all rounds have, where no round is asked for."""

OF_A_RUN = "runs.run"
"""The page of a run, which shows the round that the run belongs to."""

HEADER = "Workbench-Rounds"


class Choice(NamedTuple):
    """What a page can be seen by: what it is called, its address, and whether it is what is seen."""

    called: str
    address: str
    chosen: bool


class Switch(NamedTuple):
    """The rounds, and of the chosen one which judgments count."""

    rounds: tuple[Choice, ...]
    judged: tuple[Choice, ...]


def init_app(app: Flask) -> None:
    """Give templates `over_rounds()`, `round_switch()` and `kept_round()`, links the round, and answers the header."""
    app.add_template_global(over_rounds)
    app.add_template_global(round_switch)
    app.add_template_global(kept_round)
    app.url_default_functions.setdefault(None, []).append(_keep)
    for blueprint in BY_ROUND:
        app.after_request_funcs.setdefault(blueprint, []).append(_say)


def over_rounds() -> str:
    """What the answer to this request has to say, "" where it shows no scores or those of a campaign of one round."""
    if request.blueprint not in BY_ROUND or not g.get("role") or len(rounds.all_rounds(g.campaign)) == 1:
        return ""
    part = _part()
    return f"Round {part.round.name}, {JUDGED[part.judged]}." if part else rounds_note(g.campaign)


def round_switch() -> Switch | None:
    """What else the page of this request can be seen by; None where it shows no scores, or there is one round."""
    if request.method != "GET" or not over_rounds():
        return None
    part, every = _part(), rounds.all_rounds(g.campaign)
    judges = request.blueprint != "dashboard"
    names = [(each.name, OfRound(each)) for each in every]
    return Switch(
        (
            *(_choice(name, found, part is not None and part.round.name == name) for name, found in names),
            _choice("all together", None, part is None),
        ),
        ()
        if part is None or not part.round.opened or not judges
        else tuple(
            _choice(called, OfRound(part.round, judged), part.judged == judged)
            for judged, called in JUDGED.items()
        ),
    )


def kept_round() -> Markup:
    """The field that keeps the round of this page in a form of it."""
    return kept_field(ROUND, request.args.get(ROUND))


def kept_field(name: str, value: str | None) -> Markup:
    """A hidden field with a value, if there is one."""
    return Markup('<input type="hidden" name="{}" value="{}">').format(name, value) if value else Markup()


def choice(called: str, field: str, value: str, chosen: bool) -> Choice:
    """This page with another value in a field of its address."""
    fields = request.args.to_dict(flat=False) | (request.view_args or {}) | {field: value}
    return Choice(called, url_for(request.endpoint or "", **fields), chosen)


def _choice(called: str, part: OfRound | None, chosen: bool) -> Choice:
    return choice(called, ROUND, name_of(part), chosen)


def _part() -> OfRound | None:
    """What this request is seen by; of a round that there is not its page says so itself."""
    if request.blueprint == "downloads" and (request.view_args or {}).get("kind") not in OF_SCORES:
        return None
    try:
        seen = seen_campaign(None, EVERY if request.endpoint in USUALLY_ALL else "")
        if request.endpoint == OF_A_RUN:
            seen = seen_with(seen, run_named(seen, request.args.get("run", "")))
    except REFUSED:
        return None
    found: OfRound | None = seen.part
    return found


def _keep(endpoint: str, values: dict[str, Any]) -> None:
    """Links between pages by round keep the round; one to a run names it as all rounds do, whatever is shown."""
    if endpoint.partition(".")[0] not in BY_ROUND or request.blueprint not in BY_ROUND:
        return
    if given := request.args.get(ROUND):
        values.setdefault(ROUND, given)
    if endpoint == OF_A_RUN and request.endpoint != OF_A_RUN and (part := _part()):
        seen = rounds.by_name(g.campaign.of(part))
        if found := seen.get(values.get("run", "")):
            values["run"] = found.record.tag


def _say(response: Response) -> Response:
    if response.status_code == 200 and (note := over_rounds()):
        response.headers[HEADER] = note
    return response
