"""The description of the addresses that answer in JSON, as OpenAPI 3.1, at `/api/openapi.json`.

It is the same for all clients and says nothing of what is on a server, so it is public: a program can read it before
it signs in. Access is taken from the rules that views declare, addresses from the URL map, and words from docstrings.
"""

from __future__ import annotations

from flask import Response, current_app, jsonify

from workbench.web.access.rules import PUBLIC, Pages

KEPT = "workbench_description"

blueprint = Pages("api", __name__)


@blueprint.get("/api/openapi.json", allow=PUBLIC)
def description() -> Response:
    """This description."""
    from workbench.web.api.specification import specification

    kept = current_app.extensions
    if KEPT not in kept:  # the same for as long as the server runs
        kept[KEPT] = specification(current_app)
    return jsonify(kept[KEPT])
