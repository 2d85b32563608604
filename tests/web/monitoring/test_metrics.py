"""The metrics say how much and how fast, in a form that Prometheus reads, and never whose or what."""

from __future__ import annotations

from pathlib import Path

from flask import Flask
from flask.testing import FlaskClient
from prometheus_client.parser import text_string_to_metric_families

from tests.fixture_types import Post
from tests.web.conftest import PASSWORDS, MakeApp, TokenOf
from tests.web.judging.sent import judged, shown
from workbench.storage.instance import monitor_token
from workbench.web.monitoring.metrics import watch_queue

Sample = tuple[str, tuple[tuple[str, str], ...]]


def metrics_of(app: Flask) -> tuple[str, dict[Sample, float]]:
    """The text, and the value of each sample by its name and labels."""
    token = monitor_token(Path(app.instance_path))
    answer = app.test_client().get("/metrics", headers={"Authorization": f"Bearer {token}"})
    assert (answer.status_code, answer.content_type.split(";")[0]) == (200, "text/plain")
    families = text_string_to_metric_families(answer.text)
    samples = [sample for family in families for sample in family.samples]
    return answer.text, {(one.name, tuple(sorted(one.labels.items()))): one.value for one in samples}


def value(app: Flask, name: str, **labels: str) -> float:
    return metrics_of(app)[1][f"workbench_{name}", tuple(sorted(labels.items()))]


def test_saves_are_counted_by_what_became_of_them_and_timed(
    ben: FlaskClient, app: Flask, post_json: Post, small: Path
) -> None:
    document = shown(ben, "d1")
    sent = [judged(document, number) for number in (1, 1, 2)]
    for body in (*sent, sent[2] | {"grade": 9}, sent[0] | {"uuid": "hidden-words"}):
        post_json(ben, "/c/small/api/judgments", body)
    small.unlink()
    assert post_json(ben, "/c/small/api/judgments", sent[2]).status_code == 503
    counts = {
        kind: {labels[0][1]: n for (name, labels), n in metrics_of(app)[1].items() if name == kind}
        for kind in ("workbench_saves_total", "workbench_saves_refused_total")
    }
    assert list(counts.values()) == [
        {"stored": 1, "repeated": 1, "refused": 3, "failed": 1},
        {"replaced elsewhere": 2, "wrong field": 1},
    ]
    assert value(app, "save_seconds_count") == 6
    assert 0 < value(app, "save_seconds_sum") < 60
    assert value(app, "campaigns", state="gone") == 1
    assert value(app, "ready") == 0


def test_attempts_to_sign_in_are_counted(app: Flask, token_of: TokenOf) -> None:
    client = app.test_client()
    for password in (*["wrong"] * 5, PASSWORDS["Ben"]):
        form = {"csrf_token": token_of(client), "name": "Ben", "password": password}
        client.post("/sign-in", data=form)
    other = {"csrf_token": token_of(client), "name": "Anna", "password": PASSWORDS["Anna"]}
    client.post("/sign-in", data=other)
    counts = {way: value(app, "sign_ins_total", outcome=way) for way in ("accepted", "refused", "throttled")}
    assert counts == {"accepted": 1, "refused": 5, "throttled": 1}


def test_nothing_that_strangers_send_and_no_name_is_in_the_metrics_and_their_number_is_bounded(
    anna: FlaskClient, app: Flask, small: Path
) -> None:
    anna, stranger = anna, app.test_client()
    for client in (anna, stranger):
        for path in "/c/small/dashboard /c/hidden/dashboard /start/hidden /hidden /static/hidden /".split():
            client.get(path)
            client.open(path, method="HIDDEN")
    stranger.get("/c/hidden/judge")
    metrics_of(app)
    before = set(metrics_of(app)[1])
    for number in range(20):
        stranger.get(f"/hidden-{number}?a={number}", headers={"X-Forwarded-For": f"10.0.0.{number}"})
        stranger.get(f"/c/hidden-{number}/judge")
    text, samples = metrics_of(app)
    assert set(samples) == before
    assert [word for word in ("hidden", "small", "robust", "Anna", "HIDDEN", "10.0.0") if word in text] == []


def test_space_writers_and_the_queue_are_there_and_two_servers_share_nothing(make_app: MakeApp) -> None:
    app, other = make_app(), make_app()
    watch_queue(app, lambda: 7.0)
    app.test_client().get("/health")
    assert value(app, "requests_waiting") == 7
    assert value(other, "requests_waiting") == 0
    assert value(app, "ready") == 1
    assert value(app, "campaigns", state="ready") == 1
    assert 0 < value(app, "free_bytes", place="instance") < value(app, "disk_bytes", place="instance")
    assert value(app, "writers_waiting") == value(app, "oldest_writer_seconds") == 0
    assert value(app, "request_seconds_count", area="health") > value(
        other, "request_seconds_count", area="health"
    )


def test_the_age_of_backups_is_that_of_the_file_that_has_waited_longest(app: Flask) -> None:
    watch = app.extensions["workbench_watch"]
    look = watch.look()
    assert ("workbench_newest_backup_seconds", ()) not in metrics_of(app)[1]
    campaigns = tuple(one._replace(newest_backup_seconds=7200.0) for one in look.campaigns)
    watch._latest = look._replace(backup=60.0, campaigns=campaigns, overdue=("small",), damaged=("a", "b"))
    assert value(app, "newest_backup_seconds") == 7200
    assert (value(app, "backups_overdue"), value(app, "backups_damaged")) == (1, 2)
