"""Webhooks beside the server: threads of their own look for events and send messages, both in worker processes.

To each webhook one message is on its way at a time. A receiver that hangs holds one thread, until its process is ended.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from threading import Event, Thread

from flask import Flask

from workbench.analysis.trust.evidence import FOR_ALL_PAIRS
from workbench.jobs.background import in_background
from workbench.jobs.processes import Limits, Work, Workers
from workbench.people.accounts import open_accounts
from workbench.people.accounts.webhooks import due, webhooks
from workbench.release.webhooks import events
from workbench.release.webhooks.sending import LIMITS, send
from workbench.storage.campaign.log import log
from workbench.web.requests.connections import Connections, on_each

LOOK_EVERY, LOOK_SLOWLY, STOP_PATIENCE = 1.0, 60.0, 1.0
FOR_A_LOOK = Limits(seconds=FOR_ALL_PAIRS)
AT_ONCE = 4
"""How many webhooks are sent to at the same time."""


@contextmanager
def webhooks_sent(app: Flask, held: Connections) -> Iterator[None]:
    """Look for events, and send what is due, for as long as the block runs."""
    instance, networks = Path(app.instance_path), app.config["WEBHOOK_NETWORKS"]
    seen: dict[tuple[str, bool], object] = {}
    threads: dict[tuple[str, int], Thread] = {}

    def look(workers: Workers, _: Event, *, slow: bool) -> None:
        def look_at(name: str) -> None:
            with held.visiting(name) as campaign:
                own = [each.row for each in known if campaign and each.log == log.mark(campaign)]
                now = campaign and own and (campaign.path, log.head(campaign), own)
            if now and seen.get((name, slow)) != now:
                workers.run(Work(events.look, (instance, now[0], slow)), FOR_A_LOOK)
                seen[name, slow] = now

        with open_accounts(instance) as accounts:
            known = webhooks(accounts)
        if known:
            on_each(held, look_at)

    def send_due(workers: Workers, _: Event) -> None:
        with open_accounts(instance) as accounts:
            waiting = dict.fromkeys((each.log, each.webhook) for each in due(accounts))
        for to in waiting:
            at_work = [each for each, thread in threads.items() if thread.is_alive()]
            if to not in at_work and len(at_work) < AT_ONCE:
                threads[to] = Thread(target=send_to, args=(workers, *to), daemon=True)
                threads[to].start()

    def send_to(workers: Workers, *to: str | int) -> None:
        with open_accounts(instance) as accounts:
            for message in due(accounts):
                if (message.log, message.webhook) == to:
                    send(accounts, message, networks, partial(workers.run, limits=LIMITS))

    with ExitStack() as stack:
        for name, turn, pause in (
            ("events", partial(look, slow=False), LOOK_EVERY),
            ("slow events", partial(look, slow=True), LOOK_SLOWLY),
            ("sending", send_due, LOOK_EVERY),
        ):  # each with processes of its own: sums of pairs stay in one that has the memory for them
            mine = partial(turn, stack.enter_context(closing(Workers())))
            stack.enter_context(in_background(f"webhooks: {name}", mine, pause=pause, patience=STOP_PATIENCE))
        yield
