"""What an organiser downloads is what the command line exports."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.fixture_types import SignIn
from tests.log_rows import row
from workbench.campaign.pools.making import add_pool
from workbench.release.export import EXPORTS
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.log import log
from workbench.web.release.downloads import OF_SAMPLES


@pytest.fixture
def anna(app: Flask, small: Path, client_of: SignIn) -> FlaskClient:
    graded = {"d2": 0, "d1": 1, "d3": -1}
    with open_campaign(small) as campaign, campaign.write():
        log.append_judgments(
            campaign, [row("Ben", "1", document_id, grade, pool=1) for document_id, grade in graded.items()]
        )
    return client_of(app, "Anna")


def text(client: FlaskClient, kind: str) -> str:
    answer = client.get(f"/c/small/download/{kind}")
    assert answer.headers["Content-Disposition"] == f"attachment; filename=small.{EXPORTS[kind].ending}"
    return answer.get_data(as_text=True)


def test_the_home_page_links_qrels_without_special_grades_all_rows_and_tables(anna: FlaskClient) -> None:
    page = anna.get("/c/small/own-topics").text
    assert all(f'href="/c/small/download/{kind}"' in page for kind in EXPORTS)
    assert text(anna, "qrels") == "1 0 d1 1\n1 0 d2 0\n"
    rows = [json.loads(line) for line in text(anna, "judgments").splitlines()]
    assert [(row["document_id"], row["grade"]) for row in rows] == [("d2", 0), ("d1", 1), ("d3", -1)]
    assert text(anna, "scores").startswith("run,AP,nDCG@10,")
    assert text(anna, "pool").startswith("topic_id,document_id,pool,")
    assert anna.get("/c/small/download/accounts").status_code == 404


def test_an_assessor_downloads_nothing(app: Flask, anna: FlaskClient, client_of: SignIn) -> None:
    ben = client_of(app, "Ben")
    assert [ben.get(f"/c/small/download/{kind}").status_code for kind in EXPORTS] == [403] * len(EXPORTS)
    assert "download" not in ben.get("/c/small/").get_data(as_text=True)


@pytest.mark.parametrize(
    ("strategy", "parameters", "kinds"),
    [
        ("strata", {"strata": "1-2:60%,3-9:50%"}, ["sample", "prels", "sample-table"]),
        ("pps", {"depth": 3, "percent": 60.0}, ["prels", "sample-table"]),
    ],
)
def test_a_sample_is_offered_where_there_is_one(
    anna: FlaskClient, small: Path, strategy: str, parameters: dict[str, Any], kinds: list[str]
) -> None:
    assert anna.get("/c/small/download/prels").status_code == 404
    with open_campaign(small) as campaign:
        add_pool(campaign.by("Anna"), strategy=strategy, seed=1, **parameters)
    page = anna.get("/c/small/own-topics").get_data(as_text=True)
    for kind in OF_SAMPLES:
        assert (f'href="/c/small/download/{kind}"' in page) == (kind in kinds)
        assert (anna.get(f"/c/small/download/{kind}").status_code == 200) == (kind in kinds)
    assert anna.get("/c/small/download/prels").get_data(as_text=True).startswith("1 d1 1 1 ")
    assert "/download/sample-table" in anna.get("/c/small/publish").get_data(as_text=True)
