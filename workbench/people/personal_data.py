"""What is stored about one person: a JSON document that is written as it is read, with nothing of other people in it.

The form: docs/run/privacy.md.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from workbench import __version__
from workbench.core.errors import NotThere
from workbench.formats.tables.json_text import OnRow, Section, json_pieces
from workbench.jobs.processes.job_store import jobs_begun_by
from workbench.people import accounts as account_file
from workbench.people.accounts.stored_about import stored_about as stored_in_accounts
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log.log import newest_seq
from workbench.storage.campaign.people.stored_about import names_in, stored_about

FORM = 1
SHOWN_NAMES = 5

NOTE = (
    "What this server stores about you; docs/run/privacy.md of the workbench explains the format. Names of other "
    "people are left out, and so are secrets: passwords, codes and tokens, of which only hashes are stored."
)


def known_name(campaign: Campaign, accounts: account_file.Accounts | None, typed: str) -> str:
    """A person's name in a campaign or in the accounts; NotThere, with the nearest names, if in neither."""
    account = None if accounts is None else account_file.find_account(accounts, typed)
    in_campaign = names_in(campaign)
    if account is not None:
        return account.name
    if typed in in_campaign:
        return typed
    near = get_close_matches(typed, in_campaign, SHOWN_NAMES, 0.5) or in_campaign[:SHOWN_NAMES]
    names = ", ".join(map(repr, near)) or "none yet"
    message = f"{typed!r} is not named in {campaign.name}, nor the name of an account; names in it: {names}"
    raise NotThere(message)


def personal_data(
    name: str,
    campaigns: Iterable[Campaign],
    accounts: account_file.Accounts | None,
    *,
    jobs: Path,
    request_log: dict[str, Any],
    on_row: OnRow = lambda rows: None,
) -> Iterator[str]:
    """The document in pieces, the same for the same content. Each campaign is read in one snapshot.

    `name` is the person's as it is stored, `jobs` the folder with the records of jobs, and `request_log` what is known
    of the person's lines in the request log. `on_row` is called with the number of rows that were written.
    """
    document = Section(
        form=FORM,
        note=NOTE,
        name=name,
        workbench=__version__,
        accounts=Section({} if accounts is None else stored_in_accounts(accounts, name)),
        request_log=request_log,
        jobs=_jobs(jobs, name),
        campaigns=_campaigns(campaigns, name),
    )
    yield from json_pieces(document, on_row)
    yield "\n"


def _campaigns(campaigns: Iterable[Campaign], name: str) -> Iterator[Section]:
    for campaign in campaigns:
        with campaign.snapshot():
            head = {"campaign": campaign.name, "log_row": newest_seq(campaign)}
            yield Section(**head, **dict(stored_about(campaign, name)))


def _jobs(folder: Path, name: str) -> Iterator[dict[str, str]]:
    for record in jobs_begun_by(folder, name):
        yield {
            "name": record.title.name,
            "kind": record.title.kind,
            "at": record.at,
            "state": record.state,
            "ended": record.ended,
        }


HASH_DIGITS = 12


def pseudonym(key: bytes, account: str) -> str:
    """The word for an account in the request log of the instance that has this key."""
    return hmac.new(key, f"request log:{account}".encode(), hashlib.sha256).hexdigest()[:HASH_DIGITS]


def lines_of(lines: Iterable[str], word: str) -> Iterator[dict[str, Any]]:
    """The lines of a request log about a pseudonym, without what a journal puts before their JSON; no others."""
    for line in lines:
        if f'"{word}"' not in line:
            continue
        try:
            found = json.loads(line[line.find("{") :])
        except ValueError:
            continue
        if isinstance(found, dict) and found.get("account") == word:
            yield found
