"""What needs attention leads to where something can be done about it."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from flask import Flask, g

from workbench.analysis.dashboard.campaign_warnings import About, CampaignWarning
from workbench.web.setup import dashboard as attention

ADDRESSES = {
    "without text": "/c/small/add/documents",
    "broken": "/c/small/add/documents",
    "unassigned": "/c/small/assignments",
    "without judge": "/c/small/assignments",
    "conflicts": "/c/small/adjudication",
    "warned": "/c/small/runs",
    "harmless": "/c/small/runs",
    "without runs": "/c/small/runs",
    "without pool": "/c/small/pool",
    "few relevant": "/c/small/search",
    "many relevant": "/c/small/pool",
}


def entry_of(app: Flask, warning: str, *about: str) -> attention.Entry:
    notes = tuple(About(name, f"note on {name}") for name in about)
    found = CampaignWarning(warning, "hinders", "2 of these.", notes, "ab12")
    with app.test_request_context():
        g.campaign = SimpleNamespace(name="small")
        return attention._entry(found)


@pytest.mark.parametrize("warning", sorted(attention.WAYS))
def test_every_warning_says_why_it_matters_and_leads_to_a_page(app: Flask, warning: str) -> None:
    way = attention.WAYS[warning]
    found = entry_of(app, warning)
    assert (found.why, found.way, found.address) == (way.why, way.words, ADDRESSES[warning])
    assert found.found.warning == warning
    assert (found.names, found.more) == ((), 0)


def test_the_first_of_what_it_is_about_are_named_and_the_others_counted(app: Flask) -> None:
    names = [str(number) for number in range(attention.SHOWN + 2)]
    found = entry_of(app, "few relevant", *names)
    assert [name.name for name in found.names] == names[: attention.SHOWN]
    assert found.more == 2
    assert found.names[1] == attention.Name("1", "note on 1", "/c/small/topic?topic=1")
    assert entry_of(app, "few relevant", *names[: attention.SHOWN]).more == 0


@pytest.mark.parametrize(
    ("warning", "address"),
    [
        ("warned", ""),
        ("harmless", ""),
        ("conflicts", "/c/small/judgments?topic=1&look=conflict"),
        ("without pool", "/c/small/topic?topic=1"),
    ],
)
def test_a_name_leads_to_its_own_page_if_it_has_one(app: Flask, warning: str, address: str) -> None:
    assert entry_of(app, warning, "1").names[0].address == address


@pytest.mark.parametrize(("topics", "address"), [(["2", "1"], "/c/small/pair?topic=2&document=d1"), ([], "")])
def test_a_broken_text_leads_to_the_pair_of_the_first_topic_that_pooled_it(
    app: Flask, monkeypatch: pytest.MonkeyPatch, topics: list[str], address: str
) -> None:
    monkeypatch.setattr(
        attention.near_duplicates, "topics_of", lambda campaign, ids: topics * (ids == ["d1"])
    )
    assert entry_of(app, "broken", "d1").names[0].address == address
