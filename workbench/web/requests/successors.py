"""Who takes over a person's work, as an address or a form names them."""

from __future__ import annotations

import json

from flask import abort, g, request

from workbench.campaign.assigning.handing_over import Item, Successors
from workbench.people.members.inviting import disabled_members
from workbench.web.requests.connections import accounts


def disabled_here() -> frozenset[str]:
    """The members of the campaign of this request whose accounts are disabled."""
    return frozenset() if g.viewer.local else disabled_members(g.campaign, accounts())


def successors() -> Successors:
    """The person `from`, the heirs `to`, and in a form the `plan` that was shown: who gets each item, as JSON."""
    heirs = filter(None, request.values.getlist("to"))
    asked = Successors(request.values.get("from", ""), tuple(heirs), disabled_here())
    if "plan" not in request.form:
        return asked
    try:
        rows = json.loads(request.form["plan"])
        chosen = {Item(*map(str, item)): str(heir) for *item, heir in rows}
    except (TypeError, ValueError):
        abort(400, "Open the preview again: this form has no plan of who gets what.")
    return asked._replace(chosen=chosen)
