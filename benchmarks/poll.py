"""What a leaderboard costs the server: a poll without news, and the answer after a judgment.

    WORKBENCH_TEST_DATA=FOLDER .venv/bin/python benchmarks/poll.py [ROUNDS]

The whole request through the application (session, role, campaign, board, answer), without the network, over
the 17 robust03 runs with the official qrels. Prints medians and the slowest.
"""

from __future__ import annotations

import random
import sys
import tempfile
from pathlib import Path

from data import machine
from flask.testing import FlaskClient
from scoring import build, judge, line, milliseconds

from workbench.people.accounts import add_account, begin_session, open_accounts
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.grades.labels import qrels
from workbench.storage.campaign.people import members
from workbench.web.app import create_app

ADDRESS = "/c/robust/api/board?m=nDCG@10&m=AP&m=P@10"


def prepare(instance: Path) -> str:
    """The campaign `robust` and an organiser's account; gives the token of a session."""
    build(instance / "robust.db")
    with open_campaign(instance / "robust.db") as campaign, campaign.write():
        members.put(campaign.by("benchmark"), "olga", "organiser")
    with open_accounts(instance) as accounts:
        add_account(accounts, "olga", "a long password")
        return begin_session(accounts, "olga")


def ask(client: FlaskClient, tag: str) -> None:
    client.get(ADDRESS, headers={"If-None-Match": tag})


def main(rounds: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        instance = Path(folder)
        token = prepare(instance)
        app = create_app(instance)
        client = app.test_client()
        with client.session_transaction() as session:
            session.update(token=token)
        tag = client.get(ADDRESS).headers["ETag"]
        polls, answers = [], []
        with open_campaign(instance / "robust.db") as campaign:
            grades = {label[1:3]: label.grade for label in qrels(campaign)}
            for pair in random.Random(1).sample(sorted(grades), 20 * rounds):
                polls.append(milliseconds(ask, client, tag))
                judge(campaign, pair, 0 if grades[pair] else 1)
                answers.append(milliseconds(client.get, ADDRESS))
                tag = client.get(ADDRESS).headers["ETag"]
        app.extensions["workbench_connections"].close()
    print(f"whole requests, 17 runs, 3 measures; {machine()}; {len(polls)} polls")
    print(line("poll without news (304)", polls))
    print(line("poll after a judgment", answers))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
