"""Webhooks beside the server: threads of their own look for events and send messages, both in worker processes.

To each webhook one message is on its way at a time. A receiver that hangs holds one thread, until its process is ended.
What was not noted as sent when the server was killed is sent again, under the same id.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from threading import Event, Thread

from flask import Flask

from workbench.analysis.trust.evidence import FOR_ALL_PAIRS
from workbench.core.errors import CampaignError, WorkbenchError
from workbench.jobs.background import in_background
from workbench.jobs.processes import Limits, Work, Workers
from workbench.people.accounts import open_accounts
from workbench.people.accounts.webhooks import due, webhooks
from workbench.release.webhooks import events
from workbench.release.webhooks.sending import LIMITS, send
from workbench.storage.campaign.log import log
from workbench.web.requests.connections import Connections

LOOK_EVERY, LOOK_SLOWLY, STOP_PATIENCE = 1.0, 60.0, 1.0
FOR_A_LOOK = Limits(seconds=FOR_ALL_PAIRS)
AT_ONCE = 4
"""How many webhooks are sent to at the same time."""


@contextmanager
def webhooks_sent(app: Flask, held: Connections) -> Iterator[None]:
    """Look for events, and send what is due, for as long as the block runs."""
    instance, networks, workers = Path(app.instance_path), app.config["WEBHOOK_NETWORKS"], Workers()
    seen: dict[tuple[str, bool], object] = {}
    threads: dict[tuple[str, int], Thread] = {}

    def look(_: Event, *, slow: bool) -> None:
        with open_accounts(instance) as accounts:
            known = {(each.log, each.row) for each in webhooks(accounts)}
        problems = []
        for name, path in held.paths().items() if known else ():
            try:
                with held.visiting(name) as campaign:
                    now = campaign and (log.mark(campaign), log.head(campaign), known)
                if now and seen.get((name, slow)) != now and any(now[0] == each for each, _ in known):
                    workers.run(Work(events.look, (instance, path, slow)), FOR_A_LOOK)
                    seen[name, slow] = now
            except WorkbenchError as error:  # the other campaigns come next
                problems.append(f"{name}: {error}")
        if problems:
            raise CampaignError("; ".join(problems))

    def send_due(_: Event) -> None:
        with open_accounts(instance) as accounts:
            waiting = dict.fromkeys((each.log, each.webhook) for each in due(accounts))
        for to in waiting:
            at_work = [each for each, thread in threads.items() if thread.is_alive()]
            if to not in at_work and len(at_work) < AT_ONCE:
                threads[to] = Thread(target=send_to, args=to, daemon=True)
                threads[to].start()

    def send_to(*to: str | int) -> None:
        with open_accounts(instance) as accounts:
            for message in due(accounts):
                if (message.log, message.webhook) == to:
                    send(accounts, message, networks, partial(workers.run, limits=LIMITS))

    beside = partial(in_background, patience=STOP_PATIENCE)
    with (
        closing(workers),
        beside("webhooks: events", partial(look, slow=False), pause=LOOK_EVERY),
        beside("webhooks: slow events", partial(look, slow=True), pause=LOOK_SLOWLY),
        beside("webhooks: sending", send_due, pause=LOOK_EVERY),
    ):
        yield
