"""The download of what is stored about the person who is signed in."""

from __future__ import annotations

from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO, cast

from flask import Blueprint, abort, current_app, g, send_file
from flask.typing import ResponseReturnValue

from workbench.people.personal_data import personal_data
from workbench.people.pseudonyms import pseudonym
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.people import members
from workbench.storage.instance import JOBS_FOLDER, secret_key
from workbench.web.access.rules import SIGNED_IN, allow, open_campaigns
from workbench.web.requests.connections import connections
from workbench.web.requests.long_work import takes_long

IN_MEMORY = 4_000_000
"""Bytes of a document from which on it is written to a temporary file."""

NO_ACCOUNT = (
    "You are signed in without an account, so nothing is stored under an account of yours. In a terminal: "
    "workbench member export CAMPAIGN NAME."
)
INCOMPLETE = (
    "A campaign of this server cannot be read at the moment, so the document would lack it; try again later."
)

blueprint = Blueprint("own_data", __name__)


@blueprint.get("/account/stored-data")
@allow(SIGNED_IN)
@takes_long
def download() -> ResponseReturnValue:
    """What is stored about the person who is signed in, in the accounts and in every campaign of theirs, as JSON.

    The whole document is written before its first byte is sent.
    """
    if g.viewer.local:
        abort(409, NO_ACCOUNT)
    folder = Path(current_app.instance_path)
    pieces = personal_data(
        g.account,
        _campaigns(),
        connections().accounts(),
        jobs=folder / JOBS_FOLDER,
        request_log={"account": pseudonym(secret_key(folder), g.account), "lines": []},
    )
    stream = SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 - closed with the answer
    for piece in pieces:
        stream.write(piece.encode())
    stream.seek(0)
    return send_file(
        cast("IO[bytes]", stream),
        mimetype="application/json",
        as_attachment=True,
        download_name=f"stored-data-{g.account}.json",
    )


def _campaigns() -> list[Campaign]:
    """The campaigns in which the person is, or was, a member; 503 where one cannot be asked."""
    found = open_campaigns()
    if len(found) < len(connections().paths()) or connections().missing():
        abort(503, INCOMPLETE)
    return [campaign for campaign in found if members.was_member(campaign, g.account)]
