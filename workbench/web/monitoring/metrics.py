"""What a server counts and times, for Prometheus and what else reads its text format.

Labels are words of this program alone: no name of a campaign, account, topic or document, and nothing that was sent, so
that their number is bounded and a reader of the metrics learns nothing about what is judged.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import cast

from flask import Flask, Response, current_app, g, request
from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from workbench.web.monitoring.watching import READY, Look, Watch
from workbench.web.requests.answers import REFUSALS

SAVE, SIGN_IN = "judgments.store", "sign_in.prove"
OTHER = "other"
SAVE_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
PAGE_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)

Numbers = Callable[[], float]


class Metrics:
    """The metrics of one server, in a registry of their own."""

    def __init__(self, watch: Watch) -> None:
        self.registry = registry = CollectorRegistry(auto_describe=False)
        counter, histogram = partial(Counter, registry=registry), partial(Histogram, registry=registry)
        self._saves = counter("workbench_saves", "Judgments that were sent, by outcome.", ["outcome"])
        self._refusals = counter(
            "workbench_saves_refused", "Judgments that were refused, by reason.", ["reason"]
        )
        words = "Time from the head of a judgment's request to its answer."
        self._save_seconds = histogram("workbench_save_seconds", words, buckets=SAVE_SECONDS)
        words = "Time from the head of a request to its answer, by the part of the program that answers."
        self._request_seconds = histogram("workbench_request_seconds", words, ["area"], buckets=PAGE_SECONDS)
        self._responses = counter("workbench_responses", "Answers by status.", ["status"])
        self._sign_ins = counter("workbench_sign_ins", "Attempts to sign in by password.", ["outcome"])
        for outcome in ("stored", "repeated", "refused", "failed"):
            self._saves.labels(outcome)
        for outcome in ("accepted", "refused", "throttled", "failed"):
            self._sign_ins.labels(outcome)
        self.state = State(watch)
        registry.register(self.state)
        ProcessCollector(registry=registry)

    def count(self, response: Response, seconds: float) -> None:
        """Note an answer of this request."""
        status, endpoint = response.status_code, request.endpoint or ""
        self._responses.labels(str(status)).inc()
        if endpoint == SAVE:
            self._count_save(status, seconds)
        else:
            self._request_seconds.labels(endpoint.partition(".")[0] or "none").observe(seconds)
        if endpoint == SIGN_IN:
            outcomes = {401: "refused", 429: "throttled"}
            outcome = "accepted" if status < 400 else outcomes.get(status, "failed")
            self._sign_ins.labels(outcome).inc()

    def _count_save(self, status: int, seconds: float) -> None:
        outcome = {200: "repeated", 201: "stored"}.get(status, "failed" if status >= 500 else "refused")
        self._saves.labels(outcome).inc()
        self._save_seconds.observe(seconds)
        if outcome == "refused":
            reason = g.get("refused", OTHER)
            self._refusals.labels(reason if reason in REFUSALS else OTHER).inc()


class State(Collector):
    """What is true at the time of asking: campaigns, writers, space, backups, and the queue of requests."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self.queue: Numbers = lambda: 0.0
        """How many requests wait for a thread; the server that runs the application knows."""

    def collect(self) -> Iterator[Metric]:
        """A family for each, from the newest look."""
        look = self._watch.latest()
        states = [one.state for one in look.campaigns]
        campaigns = GaugeMetricFamily(
            "workbench_campaigns", "Campaigns on offer, by state.", labels=["state"]
        )
        for state in sorted({READY, *states}):
            campaigns.add_metric([state], states.count(state))
        yield campaigns
        free = GaugeMetricFamily(
            "workbench_free_bytes", "Free space on the disk of a folder.", labels=["place"]
        )
        size = GaugeMetricFamily("workbench_disk_bytes", "Size of the disk of a folder.", labels=["place"])
        for one in look.spaces:
            free.add_metric([one.place], one.free)
            size.add_metric([one.place], one.size)
        yield from (free, size)
        for name, (words, value) in self._numbers(look).items():
            yield GaugeMetricFamily(f"workbench_{name}", words, value=value)

    def _numbers(self, look: Look) -> dict[str, tuple[str, float]]:
        """What has no labels, by its name: what it is, and how much."""
        found = {
            "ready": ("1 when people can sign in and judge in every campaign.", look.is_ready()),
            "writers_waiting": ("Waiting writers.", sum(one.writers_waiting for one in look.campaigns)),
            "oldest_writer_seconds": (
                "Seconds that the oldest waiting writer has waited.",
                max((one.oldest_writer_seconds for one in look.campaigns), default=0.0),
            ),
            "requests_waiting": ("Requests that wait for a thread.", self.queue()),
            "backups_overdue": ("Files without a recent checked backup.", len(look.overdue)),
            "backups_damaged": ("Files whose newest backup is damaged.", len(look.damaged)),
        }
        ages = (look.backup, *(one.newest_backup_seconds for one in look.campaigns))
        if known := [age for age in ages if age is not None]:
            words = "Age of the newest checked backup of the file that has waited longest for one."
            found["newest_backup_seconds"] = (words, max(known))
        return found


def init_app(app: Flask, watch: Watch) -> None:
    """Count every answer of the application."""
    metrics = Metrics(watch)
    app.extensions["workbench_metrics"] = metrics

    def note(response: Response) -> Response:
        metrics.count(response, time.perf_counter() - g.began)
        return response

    app.after_request(note)


def watch_queue(app: Flask, waiting: Numbers) -> None:
    """Have the metrics ask the server that runs the application how many requests wait."""
    cast("Metrics", app.extensions["workbench_metrics"]).state.queue = waiting


def metrics() -> Metrics:
    """The metrics of the server that answers this request."""
    return cast("Metrics", current_app.extensions["workbench_metrics"])
