"""What pages and data say of scores in a campaign of several rounds, where they have no view by round."""

from __future__ import annotations

from flask import Flask, Response, g, request

from workbench.campaign.rounds import rounds_note

SHOW_SCORES = frozenset(
    {
        *("agreement", "board", "compare", "dashboard", "downloads", "figures", "own_team", "publish"),
        *("reuse", "runs", "topics", "trust"),
    }
)
"""The blueprints that show scores: their pages say at the top over which rounds these are, all else in a header."""

HEADER = "Workbench-Rounds"


def init_app(app: Flask) -> None:
    """Give templates `over_rounds()`, and answers the header."""
    app.add_template_global(over_rounds)
    for blueprint in SHOW_SCORES:
        app.after_request_funcs.setdefault(blueprint, []).append(_say)


def over_rounds() -> str:
    """What the answer to this request has to say, "" where it shows no scores or those of a single round.

    Only the leaderboard has a view by round.
    """
    of_one = request.blueprint == "board" and request.args.get("round")
    if request.blueprint not in SHOW_SCORES or not g.get("role") or of_one:
        return ""
    return rounds_note(g.campaign)


def _say(response: Response) -> Response:
    if response.status_code == 200 and (note := over_rounds()):
        response.headers[HEADER] = note
    return response
